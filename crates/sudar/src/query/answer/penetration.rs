//! How deep two bodies are in each other.

use glam::DVec3;

use crate::math::Interval;

/// Signed distance of two bodies: the length of the least translation after which they touch and no more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penetration {
    /// Holds the distance of bodies that are apart, and minus the depth of bodies that overlap: the length of the least
    /// translation that separates them. Minus infinity if none does.
    pub signed: Interval,
    /// Unit direction from the first body to the second. Of convex shapes it is the one that shows the lower
    /// end of `signed`: along it the second lies beyond the first by that, but for rounding of the normal. So
    /// moving the second by the depth along it separates them. Of meshes and compounds that are apart it is
    /// the direction between the nearest points.
    pub normal: DVec3,
    /// The nearest point of the first body, or that which is deepest in the second.
    pub point_a: DVec3,
    /// The nearest point of the second body, or that which is deepest in the first.
    pub point_b: DVec3,
}

impl Penetration {
    pub(in crate::query) fn swapped(self) -> Self {
        Self { normal: -self.normal, point_a: self.point_b, point_b: self.point_a, ..self }
    }
}
