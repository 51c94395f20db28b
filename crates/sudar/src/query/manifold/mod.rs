//! Where two bodies press against each other.

mod contact;
mod creases;
mod meshes;
mod near_mesh;
#[cfg(test)]
mod on_bodies;
mod on_mesh;
mod over_wall;
mod regions;
mod side;

pub use self::contact::Contact;
use self::contact::separation;
use super::answer::{Penetration, Within};
use super::bodies::{Placed, PosedBody, PosedSurface, STOP, features_of, visit_pairs};
use super::pairs::convex_depth::convex_convex_up_to;
use super::pairs::halfspace::unit;
use super::penetration::Depth;
use super::verb::PairVerb;
use super::within::Near;
use crate::convex::{
    Accuracy, ContactFeature, ContactId, GjkMemory, Manifold, convex_manifold as of_separation,
    manifold_on_wall,
};
use crate::effort::{Meter, Partial};
use crate::shape::Halfspace;

/// The contacts of two posed bodies of depth at least `−margin` (zero or more), at most four a region; none if the
/// bodies are farther apart than that.
///
/// Two convex shapes have one region; its deepest contact comes first and is that of [`super::penetration()`]. A
/// convex shape on a half-space touches with the corners of the feature that faces it.
///
/// **Meshes.** What touches is not a triangle but a feature of the surface: a *facet* (triangles in one
/// plane, exactly, that hang together), a *crease* (a straight line where facets meet or end) or a *corner*.
/// So it does not matter how flat facets are cut into triangles: inner edges have no contacts, and neither
/// have concave creases. A contact is a feature together with a direction of its normal cone
/// ([`crate::shape::NormalCone`]) in which the other body is against it:
///
/// - The normal of a contact with a facet is that of the facet, which points out of a solid; of a surface, to
///   the side on which the centre of the other body is, and in its plane the facet's own. The body's feature
///   that faces it, of a box or hull a face, edge or corner, is cut by the facet: contacts are its corners
///   over the facet, the corners of the facet under it, and where the two outlines cross. They count if one
///   of them is the body's deepest point below the facet, or if the feature is within 18° of parallel to it.
/// - Contacts with creases and corners are where the body is nearest, or least deep, along a direction of
///   their cone, and not along the normal of a facet that has contacts itself.
/// - Where several facets with convex creases between them are in the body only those count that it leaves
///   first; and if its centre is inside the solid, that facet out of which the way is shortest. A body that
///   is inside and meets no triangle leaves by the facet nearest to its centre.
/// - Of two meshes corners are against facets and creases cross creases. Contacts are looked for where
///   triangles of the two are within the margin of each other's boxes: surfaces that are deeper in each other
///   than their triangles are large have contacts about where they cross, which say nothing of how deep the
///   one body is in the other.
/// - Where bodies touch and no feature is against the other body in its cone, as of meshes that pass right
///   through each other, the only contact is out of the facet that is left first, and its points need not be
///   opposite each other. Where no triangles meet, as of a mesh inside a solid, it is that of
///   [`super::penetration()`].
/// - On a half-space, which has the normal of its plane, the corners of a mesh count.
///
/// Features that share a crease or corner and whose normals are within 18° make up a region, of which the
/// deepest contact and three that hold the body best are kept. `features` is the first triangle that holds
/// the contact, and `id` its part.
///
/// Compounds touch part by part. Half-spaces touch only if their planes face each other, with one contact; if they
/// overlap for ever there is none.
///
/// There are contacts if and only if the bodies are within the margin of each other, but for what rounding
/// hides, and half-spaces that overlap.
///
/// Cost: little more than that of the penetration for convex shapes; for a mesh that much for every crease
/// near a convex body, less for every facet, and a few comparisons for every triangle in them; for two meshes
/// a few hundred operations for every pair of triangles. The facets of a mesh are found by the first query
/// for contacts, O(n log n). Under a limit of time too short for that nothing is found: build
/// [`super::Layer::Facets`] before.
///
/// ```
/// use sudar::query::{Body, manifold};
/// use sudar::{DVec3, Mesh, Pose, Sphere};
///
/// // A flat floor of two triangles, and a ball of radius 0.5 over the edge between them, 0.1 deep.
/// let corners = vec![DVec3::ZERO, DVec3::X * 9.0, DVec3::new(9.0, 9.0, 0.0), DVec3::Y * 9.0];
/// let floor = Body::new(Mesh::new(corners, vec![[0, 1, 2], [0, 2, 3]])?);
/// let ball = Body::new(Sphere::new(DVec3::ZERO, 0.5)?);
/// let above = Pose::from_translation(DVec3::new(4.0, 4.0, 0.4))?;
/// let contacts = manifold(floor.at(&Pose::IDENTITY), ball.at(&above), 0.0);
/// assert_eq!(contacts.len(), 1);
/// assert!(contacts[0].normal == DVec3::Z && (contacts[0].depth - 0.1).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn manifold(a: Placed, b: Placed, margin: f64) -> Vec<Contact> {
    metered(a, b, margin, &mut Meter::unlimited()).found
}

/// If the meter stops the search, the contacts of the triangles tested by then: others may belong to the
/// same regions, or be what the bodies leave first. Besides the nodes of trees each triangle, pair of
/// triangles or parts costs a node.
pub(super) fn metered(a: Placed, b: Placed, margin: f64, meter: &mut Meter) -> Partial<Vec<Contact>> {
    // Neither NaN nor a negative number is a distance.
    let found = Touch { margin: margin.max(0.0) }.ask(a, b, meter);
    Partial { found, complete: !meter.is_stopped() }
}

/// The contacts of depth at least `−margin`.
struct Touch {
    margin: f64,
}

impl PairVerb for Touch {
    type Answer = Vec<Contact>;

    fn swapped(mut contacts: Vec<Contact>) -> Vec<Contact> {
        contacts.iter_mut().for_each(|contact| *contact = contact.swapped());
        contacts
    }

    fn convexes(&self, a: &PosedBody, b: &PosedBody, _: &mut Meter) -> Vec<Contact> {
        convex_convex(a, b, self.margin, &mut GjkMemory::default())
    }

    fn meshes(&self, a: &PosedSurface, b: &PosedSurface, meter: &mut Meter) -> Vec<Contact> {
        let found = if meshes::comes_first(b, a) {
            Self::swapped(meshes::mesh_mesh(b, a, self.margin, meter))
        } else {
            meshes::mesh_mesh(a, b, self.margin, meter)
        };
        if !found.is_empty() {
            return found;
        }
        let near = |meter: &mut Meter| self.near().meshes(a, b, meter);
        self.single(near, |meter| DEPTH.meshes(a, b, meter), meter)
    }

    /// On the mesh, or inside of what it encloses.
    fn mesh_convex(&self, mesh: &PosedSurface, body: &PosedBody, meter: &mut Meter) -> Vec<Contact> {
        let found = on_mesh::mesh_convex(mesh, body, self.margin, meter);
        if !found.is_empty() {
            return found;
        }
        if mesh.encloses_metered(body.convex.center(), meter) == Some(true) {
            return on_mesh::from_inside(mesh, body, meter).into_iter().collect();
        }
        let near = |meter: &mut Meter| self.near().mesh_convex(mesh, body, meter);
        self.single(near, |meter| DEPTH.mesh_convex(mesh, body, meter), meter)
    }

    fn convex_halfspace(&self, body: &PosedBody, halfspace: &Halfspace, _: &mut Meter) -> Vec<Contact> {
        let (normal, offset) = unit(halfspace);
        listed(&manifold_on_wall(&body.convex, normal, offset, self.margin))
    }

    fn mesh_halfspace(&self, mesh: &PosedSurface, halfspace: &Halfspace, meter: &mut Meter) -> Vec<Contact> {
        over_wall::mesh_halfspace(mesh, halfspace, self.margin, meter)
    }

    fn halfspaces(&self, a: &Halfspace, b: &Halfspace, meter: &mut Meter) -> Vec<Contact> {
        let near = |meter: &mut Meter| self.near().halfspaces(a, b, meter);
        self.single(near, |meter| DEPTH.halfspaces(a, b, meter), meter)
    }

    /// Part by part, in the order of their numbers.
    fn compounds(&self, a: Placed, b: Placed, meter: &mut Meter) -> Vec<Contact> {
        let mut found: Vec<([u32; 2], Vec<Contact>)> = Vec::new();
        visit_pairs([a, b], self.margin, meter, |pair, meter| {
            if meter.spend(1).is_break() {
                return STOP;
            }
            let mut contacts = self.ask_parts(pair, meter);
            for contact in &mut contacts {
                contact.features = features_of(pair, contact.features);
            }
            found.push((pair.map(|part| part.feature(0)), contacts));
            self.margin
        });
        found.sort_by_key(|(parts, _)| *parts);
        let mut all: Vec<Contact> = Vec::new();
        for (_, contacts) in found {
            let regions = all.last().map_or(0, |last| last.region + 1);
            all.extend(contacts.into_iter().map(|c| Contact { region: c.region + regions, ..c }));
        }
        all
    }
}

const DEPTH: Depth = Depth { accuracy: Accuracy::DEFAULT };

impl Touch {
    fn near(&self) -> Near {
        Near { tolerance: self.margin }
    }

    /// Where no features have contacts one body may be inside the other, or rounding hides the directions:
    /// the contact of the penetration alone. None if the search for it was stopped.
    fn single(
        &self,
        near: impl FnOnce(&mut Meter) -> Within,
        depth: impl FnOnce(&mut Meter) -> Penetration,
        meter: &mut Meter,
    ) -> Vec<Contact> {
        if meter.is_stopped() || near(meter).decided() == Some(false) {
            return Vec::new();
        }
        let found = meter.in_part(depth);
        let out_of_reach = found.signed.lower == f64::NEG_INFINITY || found.signed.lower > self.margin;
        if out_of_reach || meter.is_stopped() {
            return Vec::new();
        }
        let Penetration { normal, point_a, point_b, .. } = found;
        let id = ContactId { a: ContactFeature::Face(0), b: ContactFeature::Face(0) };
        let depth = normal.dot(point_a - point_b);
        vec![Contact { point_a, point_b, normal, depth, features: [0, 0], id, region: 0 }]
    }
}

fn listed(manifold: &Manifold) -> Vec<Contact> {
    manifold.points().iter().map(|point| Contact::of(point, manifold.normal, [0, 0], 0)).collect()
}

/// [`manifold`], with a memory of an earlier search where both are convex.
pub(crate) fn manifold_from(a: Placed, b: Placed, margin: f64, memory: &mut GjkMemory) -> Vec<Contact> {
    match (a.convex(), b.convex()) {
        (Some(a), Some(b)) => convex_convex(&a, &b, margin, memory),
        _ => manifold(a, b, margin),
    }
}

fn convex_convex(left: &PosedBody, right: &PosedBody, margin: f64, memory: &mut GjkMemory) -> Vec<Contact> {
    let Some(found) = convex_convex_up_to(left, right, &Accuracy::default(), margin, memory) else {
        return Vec::new();
    };
    let separation = separation(&left.convex, &right.convex, &found);
    listed(&of_separation(&left.convex, &right.convex, &separation, margin))
}
