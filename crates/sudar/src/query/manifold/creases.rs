//! A convex body on the creases and corners of a mesh.

use std::collections::HashMap;

use glam::DVec3;

use super::contact::separation;
use super::near_mesh::OnMesh;
use super::regions::Patch;
use crate::convex::{
    Accuracy, ContactFeature, ContactId, Convex, Core, Manifold, ManifoldPoint, PosedConvex, SignedDistance,
    convex_manifold as of_separation,
};
use crate::effort::Meter;
use crate::math::Pose;
use crate::pair::aabb_aabb;
use crate::query::pairs::convex_depth::of_pair;
use crate::shape::{Aabb, Crease, NONE};

/// A contact with a crease or a corner.
pub(super) struct Site {
    pub normal: DVec3,
    pub depth: f64,
    /// The facets around it.
    pub around: Vec<u32>,
    pub patch: Patch,
}

/// The creases near a body.
#[derive(Default)]
pub(super) struct Creases {
    pub sites: Vec<Site>,
    /// Pairs of facets with a convex crease between them that is in the body.
    pub links: Vec<[u32; 2]>,
    /// The directions that were looked for in the cones of corners, which many creases may share.
    tried: HashMap<u32, Vec<DVec3>>,
}

impl Creases {
    /// Whether a direction at a corner is none of those before, up to an angle.
    fn is_new(&mut self, v: u32, direction: DVec3, doubt: f64) -> bool {
        let tried = self.tried.entry(v).or_default();
        let is_new = tried.iter().all(|other| (direction - *other).length() > doubt);
        if is_new {
            tried.push(direction);
        }
        is_new
    }
}

/// How far a segment is below each plane that may part it from a box, and the plane's normal.
type Ways = [(f64, DVec3); 12];

/// The least of the depths.
fn least(ways: &Ways) -> f64 {
    ways.iter().fold(f64::INFINITY, |least, way| least.min(way.0))
}

impl OnMesh<'_> {
    /// Contacts with creases and corners, and pairs of facets with a convex crease between them that is in the body.
    pub fn creases(&self, near: &[u32], meter: &mut Meter) -> Creases {
        let facets = &self.sides.skin().facets;
        let mut sides: Vec<[u32; 3]> = Vec::new();
        for &t in near.iter().take_while(|_| meter.check().is_continue()) {
            let creases = facets.creases_of[t as usize];
            sides.extend((0..3).filter(|&k| creases[k] != NONE).map(|k| [creases[k], t, k as u32]));
        }
        sides.sort_unstable();
        let mut found = Creases::default();
        for sides in sides.chunk_by(|s, t| s[0] == t[0]) {
            if meter.check().is_break() {
                break;
            }
            self.crease(sides, &mut found);
        }
        found
    }

    fn crease(&self, sides: &[[u32; 3]], so_far: &mut Creases) {
        let facets = &self.sides.skin().facets;
        let crease = facets.creases[sides[0][0] as usize];
        let ends = crease.ends.map(|v| self.mesh.vertex(v));
        if !aabb_aabb(&Aabb::around(ends), &self.region) || self.is_beyond_reach(ends) {
            return;
        }
        let ways = self.ways_out_of_box(ends);
        let is_away = ways.as_ref().is_some_and(|ways| least(ways) < -self.margin - 16.0 * self.slack);
        if is_away || !self.sides.is_convex(&crease) {
            return;
        }
        let around: Vec<u32> =
            facets.wings(&crease).iter().map(|&t| facets.of_triangle[t as usize]).collect();
        if around.contains(&NONE) {
            return;
        }
        if ways.as_ref().is_some_and(|ways| self.is_left_elsewhere(&crease, ways)) {
            if let &[f, g] = &around[..] {
                so_far.links.push([f, g]);
            }
            return;
        }
        let segment = Convex::new(Core::Segment(ends), 0.0);
        let segment = PosedConvex::new(&segment, &Pose::IDENTITY);
        let found = of_pair(&segment, self.body, &Accuracy::default());
        if found.signed.lower > self.margin {
            return;
        }
        if let (&[f, g], true) = (&around[..], found.signed.lower <= 16.0 * self.slack) {
            so_far.links.push([f, g]);
        }
        let separation = separation(&segment, self.body, &found);
        let at_end = (0..2).find(|&k| self.is_at(separation.point_a, ends, k));
        if self.sides.edge_cone_holds(&crease, separation.normal, self.doubt()) {
            let manifold = of_separation(&segment, self.body, &separation, self.margin);
            so_far.sites.extend(self.crease_site(&manifold, sides, around));
        } else if let Some(k) = at_end {
            let v = crease.ends[k];
            if !self.sides.corner_cone_holds(v, separation.normal, self.doubt()) {
                return;
            }
            if so_far.is_new(v, separation.normal, self.doubt()) {
                so_far.sites.extend(self.corner_site(ends[k], v, &separation, sides));
            }
            // What lies on two corners, one a little higher, would otherwise rock from one to the other for ever.
            let manifold = of_separation(&segment, self.body, &separation, self.margin);
            let rest = self.crease_site(&manifold, sides, around);
            so_far.sites.extend(rest.and_then(|site| self.without_corner(site, ends[k])));
        }
    }

    /// The contacts of a crease that are not at one of its corners, if there are any.
    fn without_corner(&self, mut site: Site, corner: DVec3) -> Option<Site> {
        site.patch.contacts.retain(|contact| contact.point_a.distance(corner) > 16.0 * self.slack);
        let depths = site.patch.contacts.iter().map(|contact| contact.depth);
        let depth = depths.reduce(f64::max)?;
        Some(Site { depth, ..site })
    }

    /// A segment and a box without a margin. The directions of least depth are those of faces of the
    /// difference of the two: normals of the box, and of the segment with its edges. `None` for other bodies,
    /// and where rounding hides a normal.
    fn ways_out_of_box(&self, ends: [DVec3; 2]) -> Option<Ways> {
        let half = self.half_extents()?;
        let [p, q] = ends.map(|end| self.in_body(end));
        let way = (q - p).normalize_or_zero();
        let mut ways: Ways = [(f64::INFINITY, DVec3::ZERO); 12];
        for (i, axis) in DVec3::AXES.into_iter().enumerate() {
            ways[4 * i] = (p[i].max(q[i]) + half[i], axis);
            ways[4 * i + 1] = (half[i] - p[i].min(q[i]), -axis);
            let across = way.cross(axis);
            let sine = across.length();
            if sine > 1e-9 {
                let across = across / sine;
                let (at, reach) = (across.dot(p), across.abs().dot(half));
                (ways[4 * i + 2], ways[4 * i + 3]) = ((reach + at, across), (reach - at, -across));
            } else if sine > 0.0 {
                return None;
            }
        }
        Some(ways)
    }

    /// Whether a crease is in the box, and left along no direction of its own cone or those of its ends.
    fn is_left_elsewhere(&self, crease: &Crease, ways: &Ways) -> bool {
        let (least, turn) = (least(ways), self.body.pose().rotation());
        let half = self.half_extents().unwrap_or(DVec3::ZERO);
        // As deep but for rounding.
        let close = least + 64.0 * self.slack + 1e-9 * half.max_element();
        let holds = |n: DVec3| {
            let doubt = 2.0 * self.doubt();
            self.sides.edge_cone_holds(crease, n, doubt)
                || crease.ends.iter().any(|&v| self.sides.corner_cone_holds(v, n, doubt))
        };
        least > 64.0 * self.slack && !ways.iter().filter(|way| way.0 <= close).any(|way| holds(turn * way.1))
    }

    /// Whether a segment is farther from the centre of the body than the body and the margin reach.
    fn is_beyond_reach(&self, ends: [DVec3; 2]) -> bool {
        let reach = self.body.convex().radius() + self.body.convex().margin() + self.margin;
        let along = ends[1] - ends[0];
        let way = self.body.center() - ends[0];
        let t = (way.dot(along) / along.length_squared()).clamp(0.0, 1.0);
        // NaN, of segments too short for squares, is not beyond.
        (way - along * t).length() > reach + self.slack
    }

    /// Whether a point of a segment is one of its ends.
    pub fn is_at(&self, p: DVec3, ends: [DVec3; 2], k: usize) -> bool {
        p.distance(ends[k]) <= 1e-6 * ends[0].distance(ends[1]) + 4.0 * self.slack
    }

    fn crease_site(&self, manifold: &Manifold, sides: &[[u32; 3]], around: Vec<u32>) -> Option<Site> {
        let depth = manifold.points().first()?.depth;
        let contact = |point: &ManifoldPoint| {
            let (t, part) = self.part_of_crease(point.point_a, sides);
            self.contact(
                &ManifoldPoint { id: ContactId { a: part, ..point.id }, ..*point },
                manifold.normal,
                t,
            )
        };
        let contacts = manifold.points().iter().map(contact).collect();
        let crease = self.sides.skin().facets.creases[sides[0][0] as usize];
        let mut keys = vec![crease_key(sides[0][0])];
        keys.extend(crease.ends.map(corner_key));
        Some(Site {
            normal: manifold.normal,
            depth,
            around,
            patch: Patch { normal: manifold.normal, contacts, keys },
        })
    }

    /// The first triangle along a crease that holds a point of it, and the part of the triangle.
    fn part_of_crease(&self, p: DVec3, sides: &[[u32; 3]]) -> (u32, ContactFeature) {
        let facets = &self.sides.skin().facets;
        let ends = |&[_, t, k]: &[u32; 3]| {
            let vertices = self.mesh.surface.mesh.triangles()[t as usize];
            [k, (k + 1) % 3].map(|k| (k, vertices[k as usize], self.mesh.vertex(vertices[k as usize])))
        };
        let off = |side: &[u32; 3]| {
            let [(_, _, from), (_, _, to)] = ends(side);
            let middle = from + (to - from) * 0.5;
            (p.distance(middle) - middle.distance(from)).max(0.0)
        };
        let nearest = |best: [u32; 3], side: [u32; 3]| {
            if off(&side) + 4.0 * self.slack < off(&best) { side } else { best }
        };
        let side = sides.iter().copied().reduce(nearest).unwrap_or([0; 3]);
        let at_corner =
            |(_, v, at): &(u32, u32, DVec3)| facets.is_corner(*v) && at.distance(p) <= 16.0 * self.slack;
        match ends(&side).into_iter().find(at_corner) {
            Some((k, ..)) => (side[1], ContactFeature::Vertex(k)),
            None => (side[1], ContactFeature::Edge(side[2])),
        }
    }

    fn corner_site(
        &self,
        at: DVec3,
        v: u32,
        separation: &SignedDistance,
        sides: &[[u32; 3]],
    ) -> Option<Site> {
        let point = Convex::new(Core::Point(at), 0.0);
        let manifold =
            of_separation(&PosedConvex::new(&point, &Pose::IDENTITY), self.body, separation, self.margin);
        let deepest = manifold.points().first()?;
        let star = self.sides.star(v);
        let t = star.first().copied().unwrap_or(sides[0][1]);
        let welded = self.mesh.surface.stars().corners(&self.mesh.surface.mesh, t);
        let k = (0..3).find(|&k| welded[k as usize] == v).unwrap_or(0);
        let id = ContactId { a: ContactFeature::Vertex(k), ..deepest.id };
        let contacts = vec![self.contact(&ManifoldPoint { id, ..*deepest }, manifold.normal, t)];
        let facets = &self.sides.skin().facets;
        let around: Vec<u32> = star.iter().map(|&t| facets.of_triangle[t as usize]).collect();
        let mut keys = vec![corner_key(v)];
        let creases = star.iter().flat_map(|&t| facets.creases_of[t as usize]);
        keys.extend(
            creases.filter(|&c| c != NONE && facets.creases[c as usize].ends.contains(&v)).map(crease_key),
        );
        let patch = Patch { normal: manifold.normal, contacts, keys };
        Some(Site { normal: manifold.normal, depth: deepest.depth, around, patch })
    }
}

pub(super) fn crease_key(crease: u32) -> [u64; 2] {
    [2 * u64::from(crease), 0]
}

pub(super) fn corner_key(v: u32) -> [u64; 2] {
    [2 * u64::from(v) + 1, 0]
}
