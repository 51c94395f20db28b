//! A mesh on a half-space.

use glam::DVec3;

use super::Contact;
use super::on_mesh::slack;
use super::regions::{Patch, SAME_WAY, regions};
use crate::convex::{ContactFeature, ContactId, ManifoldPoint};
use crate::effort::Meter;
use crate::query::Body;
use crate::query::halfspace_pair::unit;
use crate::query::posed::PosedSurface;
use crate::query::side::Sides;
use crate::shape::Halfspace;

/// The corners that reach down to the plane or to the margin above it: those in whose normal cone it faces, and those of
/// facets that are about parallel to it. What hangs together below is a region.
pub(super) fn mesh_halfspace(
    (a, mesh): (&Body, &PosedSurface),
    wall: &Halfspace,
    margin: f64,
    meter: &mut Meter,
) -> Vec<Contact> {
    let (normal, offset) = unit(wall);
    let slack = slack(mesh) + 4.0 * f64::EPSILON * offset.abs();
    // The wall is far below.
    let sides = Sides { mesh, other: mesh.vertex(0) - normal * (4.0 * mesh.reach()), slack };
    let above = OverWall { a, sides, normal, offset, margin };
    // All triangles are looked at, eight for a node.
    let affordable = (0..mesh.count()).take_while(|i| i % 8 > 0 || meter.spend(1).is_continue());
    let patches: Vec<Patch> = affordable.filter_map(|t| above.triangle(t)).collect();
    regions(&patches, slack)
}

struct OverWall<'a> {
    a: &'a Body,
    sides: Sides<'a>,
    normal: DVec3,
    offset: f64,
    margin: f64,
}

impl OverWall<'_> {
    fn height(&self, p: DVec3) -> f64 {
        self.normal.dot(p) - self.offset
    }

    /// The contacts with the corners of a triangle, if one is low enough.
    fn triangle(&self, t: u32) -> Option<Patch> {
        let mesh = self.sides.mesh;
        let places = mesh.triangle(t).corners();
        let is_low = |k: &usize| self.height(places[*k]) <= self.margin + self.sides.slack;
        let low: Vec<usize> = (0..3).filter(is_low).collect();
        if low.is_empty() {
            return None;
        }
        let facets = &self.sides.skin().facets;
        let welded = mesh.surface.stars().corners(&mesh.surface.mesh, t);
        let faces = facets.facet(t).is_some_and(|f| self.sides.of(f).normal.dot(-self.normal) >= SAME_WAY);
        let holds = |v: u32| faces || self.sides.corner_cone_holds(v, -self.normal, 0.0);
        let corners = low.iter().filter(|&&k| facets.is_corner(welded[k]) && holds(welded[k]));
        let contacts = corners.map(|&k| self.contact(places[k], t, k)).collect();
        let keys = low.iter().map(|&k| [u64::from(welded[k]), 0]).collect();
        Some(Patch { normal: -self.normal, contacts, keys })
    }

    fn contact(&self, at: DVec3, t: u32, k: usize) -> Contact {
        let height = self.height(at);
        let id = ContactId { a: ContactFeature::Vertex(k as u32), b: ContactFeature::Face(0) };
        let point = ManifoldPoint { point_a: at, point_b: at - self.normal * height, depth: -height, id };
        Contact::of(&point, -self.normal, [self.a.feature(t), 0], 0)
    }
}
