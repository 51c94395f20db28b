//! Convex bodies as they stand in the world.

use std::hint::black_box;

use glam::DVec3;

use super::{Convex, Core};
use crate::math::{Pose, shear};

/// A convex body as it stands in the world. Points of its core are given as seen from its centre, so that they do
/// not round more far from the origin than near it.
///
/// The vertices of polytopes are the points that [`Pose::apply`] returns; of other cores the centre is so posed, and
/// directions from there are rotated.
#[derive(Debug, Clone, Copy)]
pub struct PosedConvex<'a> {
    convex: &'a Convex,
    pose: &'a Pose,
    center: DVec3,
}

/// A farthest point of a core.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SupportPoint {
    /// The point as seen from the centre.
    pub offset: DVec3,
    /// The number of the vertex, for polytopes; 0 for round cores.
    pub vertex: u32,
}

impl<'a> PosedConvex<'a> {
    /// The body at the pose.
    #[inline]
    pub fn new(convex: &'a Convex, pose: &'a Pose) -> Self {
        let center = if convex.is_centered() { pose.translation() } else { pose.apply(convex.center()) };
        Self { convex, pose, center }
    }

    /// Begins to read the vertices of a hull, so that those of two bodies that are seldom asked for are waited for at
    /// the same time.
    #[inline]
    pub(crate) fn fetch(&self) {
        if let Core::Polytope(polytope) = self.convex.core() {
            black_box(polytope.blocks().first().map(|block| block[0][0]));
        }
    }

    /// The shape in its own frame.
    #[inline]
    pub fn convex(&self) -> &'a Convex {
        self.convex
    }

    /// Where it is.
    #[inline]
    pub fn pose(&self) -> &'a Pose {
        self.pose
    }

    /// Where [`Convex::center`] is in the world.
    #[inline]
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// The point of the core farthest in a direction of the world, of any length but zero.
    #[inline]
    pub fn support(&self, direction: DVec3) -> SupportPoint {
        let local = self.local(direction);
        let vertex = |vertex: u32| SupportPoint { offset: self.offset(vertex), vertex };
        match self.convex.core() {
            Core::Point(_) => SupportPoint { offset: DVec3::ZERO, vertex: 0 },
            Core::Segment([a, b]) => vertex(u32::from(local.dot(*b - *a) > 0.0)),
            Core::Triangle(corners) => vertex(farthest_corner(corners, local)),
            Core::Cuboid(..) => {
                let bit = |x: f64| u32::from(x > 0.0);
                vertex(bit(local.x) | bit(local.y) << 1 | bit(local.z) << 2)
            }
            Core::Polytope(polytope) => vertex(polytope.farthest(local)),
            Core::Round(round) => SupportPoint { offset: self.pose.rotate(round.support(local)), vertex: 0 },
        }
    }

    /// Vertex `i` of a polytope as seen from the centre; the centre itself of a round core.
    #[inline]
    pub fn offset(&self, i: u32) -> DVec3 {
        match self.convex.core() {
            Core::Point(_) | Core::Round(_) => DVec3::ZERO,
            Core::Segment(ends) => self.seen(ends[i as usize]),
            Core::Triangle(corners) => self.seen(corners[i as usize]),
            Core::Cuboid(half, _) => {
                let side = |bit: u32, x: f64| if i >> bit & 1 == 1 { x } else { -x };
                self.seen(DVec3::new(side(0, half.x), side(1, half.y), side(2, half.z)))
            }
            Core::Polytope(polytope) => self.seen(polytope.hull().vertices()[i as usize]),
        }
    }

    /// Bound on how far the support mapping is off: no point of the core is farther in a unit direction than the one
    /// it returns by more than this.
    #[inline]
    pub fn slack(&self) -> f64 {
        // With u = ε/2: a posed vertex is off the real one by √3·u(4ρ + |t|), and this counts for the vertex found and
        // the vertex missed; the two products that were compared are off by 6uρ each. Seen from the centre it is
        // rounded once more. Round cores: ten roundings of numbers up to ρ.
        let (reach, far) = (self.convex.reach(), self.pose.translation().abs().max_element());
        if self.convex.is_polytope() {
            f64::EPSILON * (16.0 * reach + 2.0 * far)
        } else {
            16.0 * f64::EPSILON * reach
        }
    }

    /// Whether the pose keeps lengths but for rounding; it may turn a sphere into an ellipsoid by as much as 1e-6.
    pub(super) fn is_rigid(&self) -> bool {
        shear(&self.pose.rotation()) <= 16.0 * f64::EPSILON
    }

    #[inline]
    fn seen(&self, p: DVec3) -> DVec3 {
        self.pose.apply(p) - self.center
    }

    /// The direction in the body's frame by which heights along `direction` are measured there: `Rᵀd`.
    #[inline]
    fn local(&self, direction: DVec3) -> DVec3 {
        self.pose.rotation().transpose() * direction
    }
}

#[inline]
fn farthest_corner(corners: &[DVec3; 3], direction: DVec3) -> u32 {
    let [a, b, c] = corners.map(|p| direction.dot(p));
    if a >= b && a >= c {
        0
    } else if b >= c {
        1
    } else {
        2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Cone, Cuboid, Cylinder, Ellipsoid, Shape};

    fn farthest(shape: impl Into<Shape>, direction: [f64; 3]) -> DVec3 {
        let convex = Convex::of(&shape.into()).unwrap();
        PosedConvex::new(&convex, &Pose::IDENTITY).support(direction.into()).offset
    }

    #[test]
    fn farthest_points_in_closed_form() {
        assert_eq!(farthest(Cylinder::new(5.0, 2.0).unwrap(), [3.0, 4.0, 1.0]), DVec3::new(3.0, 4.0, 2.0));
        assert_eq!(farthest(Cone::new(5.0, 2.0).unwrap(), [0.0, 0.1, 1.0]), DVec3::new(0.0, 0.0, 2.0));
        assert_eq!(farthest(Cone::new(5.0, 2.0).unwrap(), [3.0, 4.0, 1.0]), DVec3::new(3.0, 4.0, -2.0));
        assert_eq!(farthest(Cuboid::new(DVec3::ONE).unwrap(), [1.0, -1.0, 1e-9]), DVec3::new(1.0, -1.0, 1.0));
        // Gradient of the ellipsoid at the point is along the direction: (x/a², y/b²) = (1/4, 1/2)/… ∥ (1, 2).
        let p = farthest(Ellipsoid::new(DVec3::new(2.0, 1.0, 3.0)).unwrap(), [1.0, 2.0, 0.0]);
        assert!((p.y / 1.0 / (p.x / 4.0) - 2.0).abs() < 1e-14 && p.z == 0.0);
        assert!(((p.x / 2.0).powi(2) + p.y.powi(2) - 1.0).abs() < 1e-14);
    }
}
