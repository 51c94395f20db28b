//! A convex body on a mesh: contacts with facets, and with the creases and corners between them.

use glam::DVec3;

use super::contact::{Contact, of_convex};
use super::creases::{Creases, Site, corner_key, crease_key};
use super::near_mesh::{OnMesh, slack};
use super::regions::{Patch, SAME_WAY, regions};
use super::side::{FacetSide, Sides};
use crate::convex::{
    ContactFeature, ContactId, Convex, Core, FacetTriangle, ManifoldPoint, OnFacet, OverFacet, PosedConvex,
};
use crate::effort::Meter;
use crate::math::Pose;
use crate::pair::{aabb_aabb, closest_point_triangle, triangle_aabb};
use crate::query::bodies::{PosedBody, PosedSurface};
use crate::query::pairs::convex_depth::pair_is_near;
use crate::shape::{Aabb, NONE, Triangle};

/// The contacts of a mesh with a convex body.
pub(super) fn mesh_convex(
    mesh: &PosedSurface,
    body: &PosedBody,
    margin: f64,
    meter: &mut Meter,
) -> Vec<Contact> {
    let region = body.aabb().grown(margin);
    let mut near = mesh.in_box(&region, meter);
    near.sort_unstable();
    let afforded = near.iter().take_while(|_| meter.spend(1).is_continue()).count();
    meter.count_triangles(afforded as u64);
    near.truncate(afforded);
    if near.is_empty() || !mesh.surface.finds_skin(meter) {
        return Vec::new();
    }
    let slack = slack(mesh) + body.convex.slack();
    let sides = Sides { mesh, other: body.convex.center(), slack };
    OnMesh { mesh, sides, body: &body.convex, region, margin, slack }.contacts(&near, meter)
}

/// A facet near the body.
struct Near<'n> {
    facet: u32,
    /// Unit normal on the side of contact.
    normal: DVec3,
    /// Whether the centre of the body is behind it.
    behind: bool,
    /// How far the body reaches below its plane.
    depth: f64,
    triangles: &'n [[u32; 2]],
    found: Vec<OnFacet>,
}

impl OnMesh<'_> {
    fn contacts(&self, near: &[u32], meter: &mut Meter) -> Vec<Contact> {
        let facets = &self.sides.skin().facets;
        let mut triangles: Vec<[u32; 2]> =
            near.iter().map(|&t| [facets.of_triangle[t as usize], t]).collect();
        triangles.sort_unstable();
        let flat = triangles.partition_point(|[facet, _]| *facet != NONE);
        let mut over: Vec<Near> = Vec::new();
        for group in triangles[..flat].chunk_by(|s, t| s[0] == t[0]) {
            if meter.check().is_break() {
                break;
            }
            over.extend(self.facet(group, meter));
        }
        let Creases { mut sites, links, .. } = self.creases(near, meter);
        self.prune(&mut over, &sites, &links);
        self.out_of_the_inside(&mut over, meter);
        sites.retain(|site| !self.is_explained(site, &over));
        // Planes that the body reaches through without a contact, though it may touch the facet.
        let open =
            over.iter().filter(|near| near.found.is_empty() && !near.behind && near.depth > self.slack);
        let open: Vec<u32> = open.flat_map(|near| near.triangles.iter().map(|[_, t]| *t)).collect();
        let mut patches: Vec<Patch> = over.iter().filter_map(|near| self.facet_patch(near, meter)).collect();
        patches.extend(sites.into_iter().map(|site| site.patch));
        let flat = triangles[flat..].iter().take_while(|_| meter.check().is_continue());
        patches.extend(flat.filter_map(|&[_, t]| self.without_area(t)));
        let touches = |c: &Contact| c.depth >= -self.slack;
        if !meter.is_stopped() && !patches.iter().flat_map(|patch| &patch.contacts).any(touches) {
            patches.extend(self.way_out(if patches.is_empty() { near } else { &open }, meter));
        }
        regions(&patches, self.slack)
    }

    /// The contacts with the triangles of one facet; none if the body is too far above it.
    fn facet<'n>(&self, triangles: &'n [[u32; 2]], meter: &mut Meter) -> Option<Near<'n>> {
        let facet = triangles[0][0];
        let side = self.sides.of(facet);
        let deepest = self.body.center()
            + (self.body.support(-side.normal).offset - side.normal * self.body.convex().margin());
        let depth = side.normal.dot(side.anchor - deepest);
        if depth < -self.margin - self.slack {
            return None;
        }
        let behind = side.height < -self.slack;
        let mut near = Near { facet, normal: side.normal, behind, depth, triangles, found: Vec::new() };
        if !behind {
            self.cut(&mut near, side.anchor, meter);
        }
        Some(near)
    }

    /// Cuts the feature of the body that faces the facet by its triangles.
    fn cut(&self, near: &mut Near, anchor: DVec3, meter: &mut Meter) {
        let mut over = OverFacet::new(self.body, near.normal, anchor, self.slack);
        for triangles in near.triangles.chunks(32) {
            if meter.check().is_break() {
                break;
            }
            for &[_, t] in triangles {
                over.touch(&self.facet_triangle(t), &mut near.found);
            }
        }
        let rounding = over.rounding();
        let reached = |on: &OnFacet| on.point.depth >= near.depth - 4.0 * rounding;
        let counts = over.is_flat() || near.found.iter().any(reached);
        // Below the plane the body may still be beside the facet.
        let mut misses = || {
            near.depth > rounding && !near.behind && !over.is_crossed() && !self.meets(near.triangles, meter)
        };
        if near.found.is_empty() || !counts || misses() {
            near.found.clear();
        }
        near.found.retain(|on| on.point.depth >= -self.margin - rounding);
    }

    /// Whether the body touches one of the triangles.
    fn meets(&self, triangles: &[[u32; 2]], meter: &mut Meter) -> bool {
        triangles.iter().take_while(|_| meter.check().is_continue()).any(|&[_, t]| self.touches(t))
    }

    fn touches(&self, t: u32) -> bool {
        if let Some(half) = self.half_extents() {
            let reach = half + self.slack;
            let [a, b, c] = self.mesh.triangle(t).corners().map(|corner| self.in_body(corner));
            return triangle_aabb(&Triangle { a, b, c }, &Aabb { min: -reach, max: reach });
        }
        let convex = Convex::new(Core::Triangle(self.mesh.triangle(t).corners()), 0.0);
        let triangle = PosedConvex::new(&convex, &Pose::IDENTITY);
        pair_is_near(&triangle, self.body, self.slack)
    }

    fn facet_triangle(&self, t: u32) -> FacetTriangle {
        let facets = &self.sides.skin().facets;
        let vertices = self.mesh.surface.mesh.triangles()[t as usize];
        FacetTriangle {
            number: t,
            corners: self.mesh.triangle(t).corners(),
            rims: facets.creases_of[t as usize].map(|crease| crease != NONE),
            vertices: vertices.map(|v| facets.is_corner(v)),
        }
    }

    /// Of facets with a convex crease in the body between them only the one counts that the body leaves
    /// first; and none where it leaves the crease or a corner sooner in another direction.
    fn prune(&self, over: &mut [Near], sites: &[Site], links: &[[u32; 2]]) {
        let tolerance = 64.0 * self.slack;
        let place = |over: &[Near], f: u32| over.binary_search_by_key(&f, |near| near.facet).ok();
        let mut dropped = vec![false; over.len()];
        for &[f, g] in links {
            let (Some(i), Some(j)) = (place(over, f), place(over, g)) else { continue };
            let alike = over[i].normal.dot(over[j].normal) >= SAME_WAY;
            let (deeper, other) = if over[i].depth > over[j].depth { (i, j) } else { (j, i) };
            let sooner = over[deeper].depth > over[other].depth + tolerance && !over[other].behind;
            dropped[deeper] |= !alike && sooner;
        }
        for site in sites.iter().filter(|site| site.depth > -tolerance) {
            for i in site.around.iter().filter_map(|&f| place(over, f)) {
                let alike = over[i].normal.dot(site.normal) >= SAME_WAY;
                dropped[i] |= !alike && over[i].depth > site.depth + tolerance;
            }
        }
        for (near, dropped) in over.iter_mut().zip(dropped) {
            if dropped {
                near.found.clear();
            }
        }
    }

    /// If the centre of the body is inside the solid, the facet in front of which it comes first.
    fn out_of_the_inside(&self, over: &mut [Near], meter: &mut Meter) {
        if !over.iter().any(|near| near.behind && near.depth > 0.0)
            || self.mesh.encloses_metered(self.body.center(), meter) != Some(true)
        {
            return;
        }
        let mut best: Option<usize> = None;
        for i in 0..over.len() {
            if !over[i].behind || best.is_some_and(|best| !self.is_sooner(&over[i], &over[best])) {
                continue;
            }
            let anchor = self.sides.of(over[i].facet).anchor;
            self.cut(&mut over[i], anchor, meter);
            if over[i].found.is_empty() {
                continue;
            }
            if let Some(before) = best.replace(i) {
                over[before].found.clear();
            }
        }
    }

    /// Of equally deep ones the one with the greater normal, which no triangulation changes.
    fn is_sooner(&self, near: &Near, other: &Near) -> bool {
        let deeper = near.depth - other.depth;
        if deeper.abs() > 64.0 * self.slack {
            return deeper < 0.0;
        }
        near.normal.to_array() > other.normal.to_array()
    }

    /// Whether a facet beside it has the same contacts.
    fn is_explained(&self, site: &Site, over: &[Near]) -> bool {
        site.around.iter().any(|&f| {
            let near = over.binary_search_by_key(&f, |near| near.facet).ok().map(|i| &over[i]);
            let same = |near: &Near| (near.normal - site.normal).length() <= self.doubt();
            near.is_some_and(|near| !near.found.is_empty() && same(near))
        })
    }

    fn facet_patch(&self, near: &Near, meter: &mut Meter) -> Option<Patch> {
        if near.found.is_empty() {
            return None;
        }
        let facets = &self.sides.skin().facets;
        let mut keys = Vec::new();
        for &[_, t] in near.triangles.iter().take_while(|_| meter.check().is_continue()) {
            let vertices = self.mesh.surface.mesh.triangles()[t as usize];
            for (k, crease) in facets.creases_of[t as usize].into_iter().enumerate() {
                let ends = [vertices[k], vertices[(k + 1) % 3]].map(|v| self.mesh.vertex(v));
                if crease != NONE && aabb_aabb(&Aabb::around(ends), &self.region) {
                    keys.push(crease_key(crease));
                }
            }
            let welded = self.mesh.surface.stars().corners(&self.mesh.surface.mesh, t);
            let ours = welded.into_iter().filter(|&v| facets.is_corner(v));
            keys.extend(ours.filter(|&v| self.region.contains(self.mesh.vertex(v))).map(corner_key));
        }
        let contacts =
            near.found.iter().map(|on| self.contact(&on.point, near.normal, on.triangle)).collect();
        Some(Patch { normal: near.normal, contacts, keys })
    }

    /// The contacts with a triangle that is a segment or point.
    fn without_area(&self, t: u32) -> Option<Patch> {
        let convex = Convex::new(Core::Triangle(self.mesh.triangle(t).corners()), 0.0);
        let manifold = of_convex(&PosedConvex::new(&convex, &Pose::IDENTITY), self.body, self.margin);
        let deepest = manifold.points().first()?;
        let welded = self.mesh.surface.stars().corners(&self.mesh.surface.mesh, t);
        let corners = welded.map(|v| self.mesh.vertex(v));
        let [from, to] = longest(corners);
        let end = (0..3).find(|&k| {
            self.is_at(deepest.point_a, [corners[k], if corners[k] == from { to } else { from }], 0)
        });
        let held = match end {
            Some(k) => self.sides.corner_cone_holds(welded[k], manifold.normal, self.doubt()),
            // Inside of it, next to all that share both its ends.
            None => (0..3).filter(|&k| corners[k] == from || corners[k] == to).all(|k| {
                let star = self.sides.star(welded[k]);
                let beside = star.iter().filter(|&&u| u != t);
                beside
                    .filter(|&&u| self.has_both(u, from, to))
                    .all(|&u| self.sides.lies_below(u, welded[k], manifold.normal, self.doubt()))
            }),
        };
        let contacts =
            manifold.points().iter().map(|point| self.contact(point, manifold.normal, t)).collect();
        held.then(|| Patch { normal: manifold.normal, contacts, keys: welded.map(corner_key).to_vec() })
    }

    fn has_both(&self, t: u32, p: DVec3, q: DVec3) -> bool {
        let corners = self.mesh.triangle(t).corners();
        corners.contains(&p) && corners.contains(&q)
    }

    /// Where bodies touch and no feature is in contact by its normals: out along the normal of the facet that
    /// is left first, of those that touch.
    fn way_out(&self, near: &[u32], meter: &mut Meter) -> Option<Patch> {
        let facets = &self.sides.skin().facets;
        let depth = |&t: &u32| facets.facet(t).map(|f| (out_through(self.body, &self.sides.of(f)).depth, f));
        let affordable = near.iter().take_while(|_| meter.check().is_continue());
        let ways = affordable.filter(|&&t| self.touches(t)).filter_map(depth);
        let (_, facet) = ways.reduce(|best, way| if way.0 < best.0 { way } else { best })?;
        let (normal, point, t) = out_of(&self.sides, self.body, facet, meter)?;
        Some(Patch { normal, contacts: vec![self.contact(&point, normal, t)], keys: Vec::new() })
    }
}

fn longest([a, b, c]: [DVec3; 3]) -> [DVec3; 2] {
    let length = |[p, q]: &[DVec3; 2]| p.distance_squared(*q);
    let longer = |e: [DVec3; 2], f: [DVec3; 2]| if length(&f) > length(&e) { f } else { e };
    longer(longer([a, b], [b, c]), [a, c])
}

/// The deepest point of a body below the plane of a facet, and where it leaves.
fn out_through(body: &PosedConvex, side: &FacetSide) -> ManifoldPoint {
    let normal = side.normal;
    let point_b = body.center() + (body.support(-normal).offset - normal * body.convex().margin());
    let depth = normal.dot(side.anchor - point_b);
    let id = ContactId { a: ContactFeature::Face(0), b: ContactFeature::Vertex(0) };
    ManifoldPoint { point_a: point_b + normal * depth, point_b, depth, id }
}

/// The same with the point of the facet that is nearest to where it leaves, and its triangle.
fn out_of(
    sides: &Sides,
    body: &PosedConvex,
    facet: u32,
    meter: &mut Meter,
) -> Option<(DVec3, ManifoldPoint, u32)> {
    let side = sides.of(facet);
    let point = out_through(body, &side);
    let (t, point_a) = sides.nearest_on(facet, point.point_a, meter)?;
    Some((side.normal, ManifoldPoint { point_a, ..point }, t))
}

/// The way of a convex body out of a solid that it is inside of: through the facet nearest to its centre.
pub(super) fn from_inside(mesh: &PosedSurface, body: &PosedBody, meter: &mut Meter) -> Option<Contact> {
    let center = body.convex.center();
    let mut nearest = (f64::INFINITY, 0);
    mesh.view().visit_nearest(center, f64::INFINITY, meter, |i| {
        let distance = closest_point_triangle(center, &mesh.triangle(i)).distance();
        if (distance, i) < nearest {
            nearest = (distance, i);
        }
        nearest.0
    });
    (!meter.is_stopped() && mesh.surface.finds_skin(meter)).then_some(())?;
    let sides = Sides { mesh, other: center, slack: slack(mesh) };
    let facet = sides.skin().facets.facet(nearest.1)?;
    let (normal, point, t) = out_of(&sides, &body.convex, facet, meter)?;
    Some(Contact::of(&point, normal, [t, 0], 0))
}
