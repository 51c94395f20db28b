//! Contact points and the names of the features that touch.

use glam::DVec3;

use crate::math::Interval;

/// How two convex bodies are separated, or overlap: what any method for the distance and the depth finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignedDistance {
    /// Unit direction from the first body to the second along which they are nearest, or separated by the least
    /// translation.
    pub normal: DVec3,
    /// Holds the distance, or minus the depth.
    pub signed: Interval,
    /// The nearest, or deepest, point of the first body. On its surface.
    pub point_a: DVec3,
    /// That of the second body.
    pub point_b: DVec3,
}

/// A part of the surface of a convex body. Together with that of the other body it names a contact: the same contact
/// has the same name while the bodies move little, so that a solver can go on from what it knew of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContactFeature {
    /// A vertex by its number; one of the eight points by which the rim of a disc is known (0 to 7 below, 8 to 15
    /// above); 16 and 17 for the lower and upper end of the line on the side of a cylinder or cone that faces the other
    /// body, so that 17 is the apex; 0 for the whole of a ball or ellipsoid, 0 and 1 for the ends of a capsule.
    Vertex(u32),
    /// An edge: of hulls by the lesser number of its two half-edges, of triangles by that of its first corner, of discs
    /// the arc from the rim point of that number; 16 for the line on the side of a cylinder or cone; 0 for a segment or
    /// the line on the side of a capsule.
    Edge(u32),
    /// A face by its number; 0 and 1 for the front and back of a triangle, for the lower and upper disc of a cylinder;
    /// 0 for the base of a cone and for the plane of a half-space.
    Face(u32),
}

/// Which parts of the two surfaces touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactId {
    /// Part of the first body.
    pub a: ContactFeature,
    /// Part of the second body.
    pub b: ContactFeature,
}

/// A pair of points, one on each surface, opposite each other along the normal of the manifold as well as that is
/// known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManifoldPoint {
    /// The point of the first body.
    pub point_a: DVec3,
    /// The point of the second body.
    pub point_b: DVec3,
    /// How far `point_a` is beyond `point_b` along the normal: above zero where the bodies overlap.
    pub depth: f64,
    /// Which features touch.
    pub id: ContactId,
}

impl SignedDistance {
    pub(super) fn swapped(&self) -> Self {
        Self { normal: -self.normal, point_a: self.point_b, point_b: self.point_a, ..*self }
    }
}
