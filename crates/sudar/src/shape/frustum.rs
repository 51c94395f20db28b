//! View frusta: what a camera sees.

use glam::{DMat4, DVec3, DVec4};
use thiserror::Error;

use super::{Halfspace, ShapeError, Triangle, checked, checked_length};
use crate::math::{Pose, sized};

/// Why a frustum was refused.
///
/// ```
/// use sudar::Pose;
/// use sudar::shape::{Frustum, FrustumError};
///
/// let refused = Frustum::perspective(&Pose::IDENTITY, [1.0, 1.0], 10.0, 1.0);
/// assert_eq!(refused, Err(FrustumError::NearBeyondFar { near: 10.0, far: 1.0 }));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum FrustumError {
    /// A parameter, plane or corner that is no such thing; a far plane at infinity is no plane.
    #[error(transparent)]
    Part(#[from] ShapeError),
    /// Three planes that should meet in a corner do not.
    #[error("planes {}, {} and {} of a frustum do not meet in a point", planes[0], planes[1], planes[2])]
    NoCorner {
        /// Their numbers.
        planes: [usize; 3],
    },
    /// A corner is not below a plane it should be below: the six planes do not enclose a frustum, or their normals
    /// point inward.
    #[error("corner {corner} of a frustum is not inside plane {plane}; give planes with normals outward")]
    NotInside {
        /// The number of the corner.
        corner: usize,
        /// The number of the plane.
        plane: usize,
    },
    /// The near plane is not nearer than the far one.
    #[error("the near plane, at {near}, must be nearer than the far one, at {far}")]
    NearBeyondFar {
        /// Distance of the near plane.
        near: f64,
        /// Distance of the far plane.
        far: f64,
    },
}

/// Depth range of a projection: the third coordinate on the near and the far plane.
///
/// ```
/// use sudar::glam::DMat4;
/// use sudar::shape::{DepthRange, Frustum};
///
/// let near = |depth| Frustum::from_matrix(&DMat4::IDENTITY, depth).map(|frustum| frustum.corners()[0].z);
/// assert_eq!((near(DepthRange::MinusOneToOne)?, near(DepthRange::ZeroToOne)?), (-1.0, 0.0));
/// # Ok::<(), sudar::shape::FrustumError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DepthRange {
    /// 0 near and 1 far, or the other way round: Direct3D, Vulkan, Metal.
    ZeroToOne,
    /// −1 near and 1 far: OpenGL.
    MinusOneToOne,
}

/// View frustum: six planes, with unit normals that point outward, and eight corners.
///
/// Planes are numbered left 0, right 1, bottom 2, top 3, near 4, far 5. Bit 0 of a corner's number chooses right
/// instead of left, bit 1 top instead of bottom, bit 2 far instead of near. Each corner lies strictly below the three
/// planes that it is not on. Planes and corners agree to rounding; which of them a test uses, it says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frustum {
    planes: [Halfspace; 6],
    corners: [DVec3; 8],
    reach: f64,
}

impl Frustum {
    /// The frustum between six planes: left, right, bottom, top, near, far, with normals outward, of any length.
    ///
    /// # Errors
    /// [`FrustumError::NoCorner`], [`FrustumError::NotInside`].
    pub fn from_planes(planes: [Halfspace; 6]) -> Result<Self, FrustumError> {
        let planes = planes.map(|plane| {
            let size = plane.normal.abs().max_element();
            let (normal, offset) = (plane.normal / size, plane.offset / size);
            let length = normal.length();
            Halfspace { normal: normal / length, offset: offset / length }
        });
        let mut corners = [DVec3::ZERO; 8];
        for (i, corner) in corners.iter_mut().enumerate() {
            *corner = meeting_point(&planes, planes_of_corner(i))?;
        }
        Self::checked(planes, corners)
    }

    /// The frustum with these corners, numbered as described above. Each plane goes through the middle of its four
    /// corners, normal to both diagonals.
    ///
    /// # Errors
    /// [`FrustumError::Part`] for corners not finite, beyond 1e90 or without a plane; [`FrustumError::NotInside`].
    pub fn from_corners(corners: [DVec3; 8]) -> Result<Self, FrustumError> {
        for corner in corners {
            checked(corner, "a corner of a frustum")?;
        }
        let mut planes = [Halfspace { normal: DVec3::ZERO, offset: 0.0 }; 6];
        for (plane, around) in planes.iter_mut().zip(FACES) {
            let [a, b, c, d] = around.map(|i| corners[i]);
            let (u, v) = (sized(c - a), sized(d - b));
            let normal = sized(u.cross(v));
            let normal = normal / normal.length().max(f64::MIN_POSITIVE);
            *plane = Halfspace::new(normal, normal.dot(a + ((c - a) + (b - a) + (d - a)) * 0.25))?;
        }
        Self::checked(planes, corners)
    }

    /// What a camera sees that stands at the pose, looks along its −z axis and has +y upwards: points at a
    /// depth from `near` to `far` which are at most `tangents` times the depth off its axis, sideways and
    /// upwards. The tangents are those of half the angles of view.
    ///
    /// # Errors
    /// [`FrustumError::Part`] for parameters not finite and positive, [`FrustumError::NearBeyondFar`],
    /// [`FrustumError::NotInside`] where rounding leaves nothing of a frustum.
    pub fn perspective(pose: &Pose, tangents: [f64; 2], near: f64, far: f64) -> Result<Self, FrustumError> {
        let [across, up] = tangents;
        for tangent in tangents {
            checked_length(tangent, "the tangent of a frustum's half angle")?;
        }
        checked_length(near, "the distance of a frustum's near plane")?;
        checked_length(far, "the distance of a frustum's far plane")?;
        if near >= far {
            return Err(FrustumError::NearBeyondFar { near, far });
        }
        Self::from_corners(std::array::from_fn(|i| {
            let side = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            let depth = if i >> 2 & 1 == 1 { far } else { near };
            pose.apply(DVec3::new(side(0) * across * depth, side(1) * up * depth, -depth))
        }))
    }

    /// What a view and projection matrix (for column vectors, world to clip coordinates) shows: the points with
    /// `−w ≤ x ≤ w`, `−w ≤ y ≤ w` and z in the range given, `0 ≤ z ≤ w` or `−w ≤ z ≤ w`.
    ///
    /// The planes are sums and differences of the matrix' rows (Gribb and Hartmann 2001, "Fast extraction of viewing
    /// frustum planes from the world-view-projection matrix"). With reversed depth, near and far are swapped.
    ///
    /// # Errors
    /// [`FrustumError::Part`] for entries not finite, beyond 1e90 or a far plane at infinity;
    /// [`FrustumError::NoCorner`], [`FrustumError::NotInside`].
    pub fn from_matrix(world_to_clip: &DMat4, depth: DepthRange) -> Result<Self, FrustumError> {
        let rows = [0, 1, 2, 3].map(|i| world_to_clip.row(i));
        let [x, y, z, w] = rows;
        let near = match depth {
            DepthRange::ZeroToOne => z,
            DepthRange::MinusOneToOne => w + z,
        };
        let mut planes = [Halfspace { normal: DVec3::ZERO, offset: 0.0 }; 6];
        for (plane, row) in planes.iter_mut().zip([w + x, w - x, w + y, w - y, near, w - z]) {
            *plane = at_least_zero(row)?;
        }
        Self::from_planes(planes)
    }

    /// The planes: left, right, bottom, top, near, far, with unit normals outward.
    pub fn planes(&self) -> &[Halfspace; 6] {
        &self.planes
    }

    /// The corners: bit 0, 1, 2 of the number chooses right, top, far.
    pub fn corners(&self) -> &[DVec3; 8] {
        &self.corners
    }

    /// The surface, between the corners: two triangles a plane, in the order of the planes, counter-clockwise seen
    /// from outside.
    pub fn triangles(&self) -> [Triangle; 12] {
        Self::triangles_between(&self.corners)
    }

    /// The same between other points for the corners: those of the frustum in another frame.
    pub(crate) fn triangles_between(corners: &[DVec3; 8]) -> [Triangle; 12] {
        std::array::from_fn(|i| {
            let [a, b, c, d] = FACES[i / 2].map(|corner| corners[corner]);
            if i % 2 == 0 { Triangle { a, b, c } } else { Triangle { a, b: c, c: d } }
        })
    }

    /// The largest absolute coordinate of a corner.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    fn checked(planes: [Halfspace; 6], corners: [DVec3; 8]) -> Result<Self, FrustumError> {
        for (i, corner) in corners.iter().enumerate() {
            checked(*corner, "a corner of a frustum")?;
            for plane in planes_of_corner(7 - i) {
                let Halfspace { normal, offset } = planes[plane];
                if normal.dot(*corner) >= offset {
                    return Err(FrustumError::NotInside { corner: i, plane });
                }
            }
        }
        let reach = corners.iter().fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
        Ok(Self { planes, corners, reach })
    }
}

/// The corners of the planes, counter-clockwise seen from outside, of a frustum with x to the right, y to the top and
/// the near plane at the greater z.
const FACES: [[usize; 4]; 6] =
    [[0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5]];

/// The three planes that meet in a corner.
fn planes_of_corner(corner: usize) -> [usize; 3] {
    [corner & 1, 2 + (corner >> 1 & 1), 4 + (corner >> 2 & 1)]
}

fn meeting_point(planes: &[Halfspace; 6], numbers: [usize; 3]) -> Result<DVec3, FrustumError> {
    let [a, b, c] = numbers.map(|i| planes[i]);
    let (bc, ca, ab) = (b.normal.cross(c.normal), c.normal.cross(a.normal), a.normal.cross(b.normal));
    let point = (bc * a.offset + ca * b.offset + ab * c.offset) / a.normal.dot(bc);
    if point.is_finite() { Ok(point) } else { Err(FrustumError::NoCorner { planes: numbers }) }
}

/// The half-space of points with `row·(p, 1) ≥ 0`.
fn at_least_zero(row: DVec4) -> Result<Halfspace, ShapeError> {
    Halfspace::new(-row.truncate(), row.w)
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    fn camera() -> Pose {
        Pose::new(DVec3::new(3.0, -1.0, 2.0), DQuat::from_scaled_axis(DVec3::new(0.3, 0.5, -0.2))).unwrap()
    }

    /// The usual projection, for z from −1 to 1 or from 0 to 1 after division.
    fn projection([across, up]: [f64; 2], near: f64, far: f64, depth: DepthRange) -> DMat4 {
        let (a, b) = match depth {
            DepthRange::MinusOneToOne => ((near + far) / (near - far), 2.0 * near * far / (near - far)),
            DepthRange::ZeroToOne => (far / (near - far), near * far / (near - far)),
        };
        DMat4::from_cols(
            DVec4::new(1.0 / across, 0.0, 0.0, 0.0),
            DVec4::new(0.0, 1.0 / up, 0.0, 0.0),
            DVec4::new(0.0, 0.0, a, -1.0),
            DVec4::new(0.0, 0.0, b, 0.0),
        )
    }

    #[test]
    fn corners_planes_parameters_and_matrices_agree() {
        let (tangents, near, far) = ([0.75, 0.5], 1.0, 8.0);
        let seen = Frustum::perspective(&camera(), tangents, near, far).unwrap();
        // The corner right, bottom, far is 6 to the right, 4 down, 8 ahead.
        let corner = camera().apply(DVec3::new(6.0, -4.0, -8.0));
        assert_eq!(seen.corners()[5], corner);
        for depth in [DepthRange::ZeroToOne, DepthRange::MinusOneToOne] {
            let rotation = camera().rotation().transpose();
            let view = DMat4::from_mat3_translation(rotation, -(rotation * camera().translation()));
            let matrix = projection(tangents, near, far, depth) * view;
            let shown = Frustum::from_matrix(&matrix, depth).unwrap();
            let again = Frustum::from_planes(*seen.planes()).unwrap();
            for other in [shown, again] {
                for i in 0..8 {
                    assert!((other.corners()[i] - seen.corners()[i]).length() < 1e-13, "{i}");
                }
                for i in 0..6 {
                    let (p, q) = (other.planes()[i], seen.planes()[i]);
                    assert!((p.normal - q.normal).length() < 1e-14 && (p.offset - q.offset).abs() < 1e-13);
                }
            }
        }
    }

    #[test]
    fn triangles_face_outward_and_corners_are_on_their_planes() {
        let seen = Frustum::perspective(&camera(), [0.75, 0.5], 1.0, 8.0).unwrap();
        for (i, t) in seen.triangles().iter().enumerate() {
            let normal = seen.planes()[i / 2].normal;
            assert!((t.scaled_normal().normalize() - normal).length() < 1e-13);
        }
        for (i, corner) in seen.corners().iter().enumerate() {
            for (j, plane) in seen.planes().iter().enumerate() {
                let height = plane.normal.dot(*corner) - plane.offset;
                let on = planes_of_corner(i).contains(&j);
                assert!(if on { height.abs() < 1e-14 } else { height < -0.1 });
            }
        }
    }

    #[test]
    fn what_is_no_frustum_is_refused() {
        let seen = |tangents, near, far| Frustum::perspective(&Pose::IDENTITY, tangents, near, far);
        assert_eq!(seen([1.0; 2], 2.0, 2.0), Err(FrustumError::NearBeyondFar { near: 2.0, far: 2.0 }));
        assert!(matches!(
            seen([0.0, 1.0], 1.0, 2.0),
            Err(FrustumError::Part(ShapeError::NotPositive { .. }))
        ));
        let good = seen([1.0; 2], 1.0, 2.0).unwrap();
        let inward = good.planes().map(|p| Halfspace { normal: -p.normal, offset: -p.offset });
        assert!(matches!(Frustum::from_planes(inward), Err(FrustumError::NotInside { .. })));
        let mut parallel = *good.planes();
        parallel[0] = parallel[4];
        assert!(matches!(Frustum::from_planes(parallel), Err(FrustumError::NoCorner { .. })));
        let flat = good.corners().map(|p| DVec3::new(p.x, p.y, 0.0));
        assert!(Frustum::from_corners(flat).is_err());
        let mut endless = projection([1.0; 2], 1.0, 2.0, DepthRange::ZeroToOne);
        (endless.z_axis.z, endless.w_axis.z) = (-1.0, -1.0);
        assert!(matches!(Frustum::from_matrix(&endless, DepthRange::ZeroToOne), Err(FrustumError::Part(_))));
    }
}
