//! Where a body is: rotation and translation, and the one formula by which points are posed.

use glam::{DMat3, DQuat, DVec3};
use thiserror::Error;

use super::rotation::shear;

/// How far a quaternion's length may be from 1, and the entries of `RᵀR` from those of the identity.
const RIGIDITY: f64 = 1e-6;
/// Largest translation accepted: beyond it products of three coordinates leave the range of `f64`.
const MAX_COORDINATE: f64 = 1e90;

/// Why a pose was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum PoseError {
    /// A component is NaN or infinite.
    #[error("a pose needs finite numbers, found NaN or infinity")]
    NotFinite,
    /// The translation is too far away to be computed with.
    #[error("a translation must not exceed 1e90 in any coordinate; scale the scene down")]
    TooFar,
    /// The quaternion is not of unit length.
    #[error(
        "a rotation quaternion [x, y, z, w] must have length 1 within 1e-6, this one has {length}; normalise it"
    )]
    NotUnit {
        /// The length found.
        length: f64,
    },
    /// The matrix is no rotation.
    #[error(
        "a pose matrix must be rigid (|RᵀR − I| ≤ 1e-6, det > 0); bake scale and shear into the vertices"
    )]
    NotRigid,
    /// The last row of a 4×4 matrix is not 0 0 0 1.
    #[error("the last row of a row-major 4×4 pose matrix must be 0 0 0 1")]
    NotAffine,
}

/// Rigid pose: rotation and translation, which take the point `x` of the body's frame to `R·x + t`.
///
/// The geometry of a posed body *is* the set of points that [`Pose::apply`] returns, rounding included, so
/// every query sees the same points and predicates on them can be exact. `R` is kept as it was given (within
/// 1e-6 of a rotation), not re-orthonormalised.
///
/// ```
/// use sudar::{DQuat, DVec3, Pose};
///
/// let turn = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
/// let pose = Pose::new(DVec3::new(1.0, 0.0, 0.0), turn)?;
/// assert!((pose.apply(DVec3::X) - DVec3::new(1.0, 1.0, 0.0)).length() < 1e-15);
///
/// let back = pose.inverse().after(&pose); // first the pose, then its inverse
/// assert!((back.apply(DVec3::Y) - DVec3::Y).length() < 1e-15);
/// # Ok::<(), sudar::PoseError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Written"))]
pub struct Pose {
    rotation: DMat3,
    translation: DVec3,
}

/// A pose that is read, and still to be checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    rotation: DMat3,
    translation: DVec3,
}

#[cfg(feature = "serde")]
impl TryFrom<Written> for Pose {
    type Error = PoseError;

    fn try_from(Written { rotation, translation }: Written) -> Result<Self, PoseError> {
        Self::from_matrix(rotation, translation)
    }
}

impl Pose {
    /// The pose that leaves every point where it is.
    pub const IDENTITY: Self = Self { rotation: DMat3::IDENTITY, translation: DVec3::ZERO };

    /// A pose from a translation and a unit quaternion (scalar last), which is normalised first.
    ///
    /// With `q = (x, y, z, w)/|q|` the matrix is
    /// `[1−2(y²+z²), 2(xy−wz), 2(xz+wy); 2(xy+wz), 1−2(x²+z²), 2(yz−wx); 2(xz−wy), 2(yz+wx), 1−2(x²+y²)]`,
    /// each entry evaluated as written.
    ///
    /// # Errors
    /// [`PoseError::NotFinite`], [`PoseError::TooFar`], or [`PoseError::NotUnit`] if `|q|` is off by over 1e-6.
    pub fn new(translation: DVec3, rotation: DQuat) -> Result<Self, PoseError> {
        if !rotation.is_finite() {
            return Err(PoseError::NotFinite);
        }
        let DQuat { x, y, z, w } = rotation;
        let length = (((x * x + y * y) + z * z) + w * w).sqrt();
        if (length - 1.0).abs() > RIGIDITY {
            return Err(PoseError::NotUnit { length });
        }
        let (x, y, z, w) = (x / length, y / length, z / length, w / length);
        let rotation = DMat3::from_cols(
            DVec3::new(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
            DVec3::new(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
            DVec3::new(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
        );
        Self::from_matrix(rotation, translation)
    }

    /// A pose from a rotation matrix, taken as it stands, and a translation.
    ///
    /// # Errors
    /// [`PoseError::NotRigid`] unless every entry of `RᵀR − I` is at most 1e-6 in size and `det R > 0`;
    /// [`PoseError::NotFinite`], [`PoseError::TooFar`].
    #[inline]
    pub fn from_matrix(rotation: DMat3, translation: DVec3) -> Result<Self, PoseError> {
        if !rotation.is_finite() || !translation.is_finite() {
            return Err(PoseError::NotFinite);
        }
        if translation.abs().max_element() > MAX_COORDINATE {
            return Err(PoseError::TooFar);
        }
        if shear(&rotation) > RIGIDITY || rotation.determinant() <= 0.0 {
            return Err(PoseError::NotRigid);
        }
        Ok(Self { rotation, translation })
    }

    /// A pose from a matrix known to be a rotation and a translation that may be beyond the range of a validated one.
    pub(crate) const fn raw(rotation: DMat3, translation: DVec3) -> Self {
        Self { rotation, translation }
    }

    /// A pose from the 16 numbers of a row-major homogeneous matrix.
    ///
    /// # Errors
    /// [`PoseError::NotAffine`] if the last row is not exactly `0 0 0 1`; else as [`Pose::from_matrix`].
    pub fn from_row_major(m: &[f64; 16]) -> Result<Self, PoseError> {
        if m[12..] != [0.0, 0.0, 0.0, 1.0] {
            let is_finite = m.iter().all(|x| x.is_finite());
            return Err(if is_finite { PoseError::NotAffine } else { PoseError::NotFinite });
        }
        let column = |j: usize| DVec3::new(m[j], m[4 + j], m[8 + j]);
        Self::from_matrix(DMat3::from_cols(column(0), column(1), column(2)), column(3))
    }

    /// A pure translation.
    ///
    /// # Errors
    /// [`PoseError::NotFinite`], [`PoseError::TooFar`].
    pub fn from_translation(translation: DVec3) -> Result<Self, PoseError> {
        Self::from_matrix(DMat3::IDENTITY, translation)
    }

    /// A pure rotation about the origin, by a unit quaternion (scalar last) as in [`Pose::new`].
    ///
    /// # Errors
    /// [`PoseError::NotFinite`], [`PoseError::NotUnit`].
    pub fn from_rotation(rotation: DQuat) -> Result<Self, PoseError> {
        Self::new(DVec3::ZERO, rotation)
    }

    /// The rotation matrix `R`.
    #[inline]
    pub fn rotation(&self) -> DMat3 {
        self.rotation
    }

    /// The translation `t`.
    #[inline]
    pub fn translation(&self) -> DVec3 {
        self.translation
    }

    /// The posed point: `x' = ((m00·x + m01·y) + m02·z) + tx` and so on for `y'`, `z'`, each operation rounded
    /// to `f64`, none fused. This formula defines the geometry of posed bodies.
    #[inline(always)]
    pub fn apply(&self, p: DVec3) -> DVec3 {
        let (c, t) = (&self.rotation, self.translation);
        DVec3::new(
            ((c.x_axis.x * p.x + c.y_axis.x * p.y) + c.z_axis.x * p.z) + t.x,
            ((c.x_axis.y * p.x + c.y_axis.y * p.y) + c.z_axis.y * p.z) + t.y,
            ((c.x_axis.z * p.x + c.y_axis.z * p.y) + c.z_axis.z * p.z) + t.z,
        )
    }

    /// The rotated direction, by the same formula without the translation.
    #[inline(always)]
    pub fn rotate(&self, v: DVec3) -> DVec3 {
        let c = &self.rotation;
        DVec3::new(
            (c.x_axis.x * v.x + c.y_axis.x * v.y) + c.z_axis.x * v.z,
            (c.x_axis.y * v.x + c.y_axis.y * v.y) + c.z_axis.y * v.z,
            (c.x_axis.z * v.x + c.y_axis.z * v.y) + c.z_axis.z * v.z,
        )
    }

    /// The point of the body's frame that the pose takes to `p`, up to rounding.
    pub fn unapply(&self, p: DVec3) -> DVec3 {
        self.rotation.inverse() * (p - self.translation)
    }

    /// The direction of the body's frame that the pose takes to `v`, up to rounding.
    pub fn unrotate(&self, v: DVec3) -> DVec3 {
        self.rotation.inverse() * v
    }

    /// This pose of a frame that itself stands at `inner`: the point p goes to `self(inner(p))`, up to the rounding of
    /// the product of the matrices. Translations are added as they are, also beyond the range of a validated pose.
    pub fn after(&self, inner: &Self) -> Self {
        Self { rotation: self.rotation * inner.rotation, translation: self.apply(inner.translation) }
    }

    /// The pose that takes every point back, up to rounding: the inverse of the matrix as it is, not its transpose.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.inverse();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// Bound on `|R|` as an operator and on the rounding of [`Pose::apply`]: for `|p| ≤ radius` (largest
    /// coordinate) the point returned is within this distance per coordinate of the real number `R·p + t`.
    pub fn rounding(&self, radius: f64) -> f64 {
        // Four roundings, each of at most half an ulp of an intermediate value below |R p| + |t|.
        let reach = 3.0 * (1.0 + RIGIDITY) * radius + self.translation.abs().max_element();
        4.0 * f64::EPSILON * reach
    }
}

impl std::ops::Mul for Pose {
    type Output = Self;

    /// The product: first `inner`, then this pose, see [`Pose::after`].
    fn mul(self, inner: Self) -> Self {
        self.after(&inner)
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let pose = Pose::new(DVec3::new(1.0, 0.0, 0.0), DQuat::from_xyzw(0.0, 0.0, half, half)).unwrap();
        assert!((pose.apply(DVec3::X) - DVec3::new(1.0, 1.0, 0.0)).length() < 1e-15);
        assert_eq!(pose.apply(DVec3::ZERO), DVec3::X);
    }

    #[test]
    fn the_identity_moves_nothing_by_a_bit() {
        let p = DVec3::new(1e-300, -3.3, 7e80);
        assert_eq!(Pose::IDENTITY.apply(p), p);
        assert_eq!(Pose::new(DVec3::ZERO, DQuat::IDENTITY), Ok(Pose::IDENTITY));
    }

    #[test]
    fn an_inverse_takes_back_and_a_product_does_both() {
        let turn = DQuat::from_xyzw(0.1, -0.7, 0.3, 0.6).normalize();
        let pose = Pose::new(DVec3::new(3.0, -5.0, 7.0), turn).unwrap();
        let (p, there) = (DVec3::new(0.3, 11.0, -2.0), Pose::from_rotation(turn).unwrap());
        assert!((pose.inverse().apply(pose.apply(p)) - p).length() < 1e-14);
        assert!(((pose * pose.inverse()).apply(p) - p).length() < 1e-14);
        assert!(((pose * there).apply(p) - pose.apply(there.apply(p))).length() < 1e-14);
        assert_eq!(there.apply(DVec3::ZERO), DVec3::ZERO);
    }

    #[test]
    fn bad_poses_are_refused_by_cause() {
        let unit = |x, w| Pose::new(DVec3::ZERO, DQuat::from_xyzw(x, 0.0, 0.0, w));
        assert_eq!(unit(f64::NAN, 1.0), Err(PoseError::NotFinite));
        assert_eq!(unit(0.0, 1.1), Err(PoseError::NotUnit { length: 1.1 }));
        assert!(unit(0.0, 1.0 + 1e-7).is_ok());
        assert_eq!(Pose::from_translation(DVec3::splat(1e91)), Err(PoseError::TooFar));
        let mirror = DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0));
        assert_eq!(Pose::from_matrix(mirror, DVec3::ZERO), Err(PoseError::NotRigid));
        let mut m = [0.0; 16];
        (m[0], m[5], m[10], m[15]) = (1.0, 1.0, 1.0, 2.0);
        assert_eq!(Pose::from_row_major(&m), Err(PoseError::NotAffine));
        m[15] = 1.0;
        assert_eq!(Pose::from_row_major(&m), Ok(Pose::IDENTITY));
    }
}
