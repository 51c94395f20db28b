//! A convex body near a mesh, as contacts with facets, creases and corners see it.

use glam::DVec3;

use super::contact::Contact;
use super::side::Sides;
use crate::convex::{ManifoldPoint, PosedConvex};
use crate::query::bodies::PosedSurface;
use crate::shape::Aabb;

/// Directions that come out of a search are one if the angle between them is less: against polytopes, and against round
/// bodies, whose directions are found to the root of the accuracy of distances.
const DOUBTS: [f64; 2] = [1e-7, 1e-4];

/// Bound on the rounding of points of contact.
pub(super) fn slack(mesh: &PosedSurface) -> f64 {
    64.0 * f64::EPSILON * mesh.reach()
}

pub(super) struct OnMesh<'a> {
    pub mesh: &'a PosedSurface<'a>,
    pub sides: Sides<'a>,
    pub body: &'a PosedConvex<'a>,
    /// Box of the body and the margin around it.
    pub region: Aabb,
    pub margin: f64,
    /// Bound on the rounding of points.
    pub slack: f64,
}

impl OnMesh<'_> {
    pub fn contact(&self, point: &ManifoldPoint, normal: DVec3, triangle: u32) -> Contact {
        Contact::of(point, normal, [triangle, 0], 0)
    }

    /// Half the extents of a box without a margin, `None` for other bodies.
    pub fn half_extents(&self) -> Option<DVec3> {
        self.body.convex().core().half_extent().filter(|_| self.body.convex().margin() == 0.0)
    }

    /// A point in axes of the body, from its centre.
    pub fn in_body(&self, point: DVec3) -> DVec3 {
        self.body.pose().rotation().transpose() * (point - self.body.center())
    }

    pub fn doubt(&self) -> f64 {
        DOUBTS[usize::from(!self.body.convex().is_polytope())]
    }
}
