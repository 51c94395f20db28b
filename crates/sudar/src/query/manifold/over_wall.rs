//! A mesh on a half-space.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use glam::DVec3;

use super::contact::Contact;
use super::near_mesh::slack;
use super::regions::{Patch, SAME_WAY, regions};
use super::side::Sides;
use crate::convex::{ContactFeature, ContactId, ManifoldPoint};
use crate::effort::Meter;
use crate::query::bodies::PosedSurface;
use crate::query::pairs::halfspace::{unit, visit_low};
use crate::shape::Halfspace;

/// The corners that reach down to the plane or to the margin above it: those in whose normal cone it faces,
/// and those of facets that are about parallel to it. What hangs together below is a region.
pub(super) fn mesh_halfspace(
    mesh: &PosedSurface,
    wall: &Halfspace,
    margin: f64,
    meter: &mut Meter,
) -> Vec<Contact> {
    let (normal, offset) = unit(wall);
    let slack = slack(mesh) + 4.0 * f64::EPSILON * offset.abs();
    // The wall is far below.
    let sides = Sides { mesh, other: mesh.vertex(0) - normal * (4.0 * mesh.reach()), slack };
    let above = OverWall { sides, normal, offset, margin };
    let (mut low, reach) = (Vec::new(), offset + margin + 2.0 * slack);
    visit_low(mesh, normal, reach, meter, |t| {
        low.extend(above.is_low(t).then_some(t));
        reach
    });
    low.sort_unstable();
    if low.is_empty() || !mesh.surface.finds_skin(meter) {
        return Vec::new();
    }
    let mut seen = Seen::new();
    let looked_at = |t: &u32| above.triangle(*t, &mut seen, meter);
    let patches: Vec<Patch> = low.iter().map_while(looked_at).collect();
    regions(&patches, slack)
}

/// Low corners found so far.
type Seen = HashMap<u32, Corner>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Corner {
    /// The plane is in its cone.
    Rests,
    /// It is not: the corner counts only with a facet that lies on the plane.
    Open,
    /// It has a contact.
    Found,
}

struct OverWall<'a> {
    sides: Sides<'a>,
    normal: DVec3,
    offset: f64,
    margin: f64,
}

impl OverWall<'_> {
    fn height(&self, p: DVec3) -> f64 {
        self.normal.dot(p) - self.offset
    }

    fn reaches(&self, p: DVec3) -> bool {
        self.height(p) <= self.margin + self.sides.slack
    }

    fn is_low(&self, t: u32) -> bool {
        self.sides.mesh.triangle(t).corners().into_iter().any(|p| self.reaches(p))
    }

    /// The contacts with the low corners of a triangle that no triangle before it has; `None` if the meter stops.
    fn triangle(&self, t: u32, seen: &mut Seen, meter: &mut Meter) -> Option<Patch> {
        let mesh = self.sides.mesh;
        let places = mesh.triangle(t).corners();
        let welded = mesh.surface.stars().corners(&mesh.surface.mesh, t);
        let facets = &self.sides.skin().facets;
        let faces = facets.facet(t).is_some_and(|f| self.sides.of(f).normal.dot(-self.normal) >= SAME_WAY);
        let mut patch = Patch { normal: -self.normal, contacts: Vec::new(), keys: Vec::new() };
        for k in (0..3).filter(|&k| self.reaches(places[k])) {
            patch.keys.push([u64::from(welded[k]), 0]);
            if !facets.is_corner(welded[k]) {
                continue;
            }
            let state = match seen.entry(welded[k]) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(self.state(welded[k], meter)?),
            };
            if *state == Corner::Rests || (*state == Corner::Open && faces) {
                *state = Corner::Found;
                patch.contacts.push(self.contact(places[k], t, k));
            }
        }
        Some(patch)
    }

    /// Whether a corner rests on the plane by its own cone, whose triangles are tested once.
    fn state(&self, v: u32, meter: &mut Meter) -> Option<Corner> {
        for triangles in self.sides.star(v).chunks(256) {
            meter.check().is_continue().then_some(())?;
            if !triangles.iter().all(|&t| self.sides.lies_below(t, v, -self.normal, 0.0)) {
                return Some(Corner::Open);
            }
        }
        Some(Corner::Rests)
    }

    fn contact(&self, at: DVec3, t: u32, k: usize) -> Contact {
        let height = self.height(at);
        let id = ContactId { a: ContactFeature::Vertex(k as u32), b: ContactFeature::Face(0) };
        let point = ManifoldPoint { point_a: at, point_b: at - self.normal * height, depth: -height, id };
        Contact::of(&point, -self.normal, [t, 0], 0)
    }
}
