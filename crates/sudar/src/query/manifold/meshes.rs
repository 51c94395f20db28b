//! Two meshes: corners on facets, and creases that cross.

use glam::DVec3;

use super::contact::Contact;
use super::near_mesh::slack;
use super::regions::{Patch, SAME_WAY, regions};
use super::side::Sides;
use crate::convex::{ContactFeature, ContactId, ManifoldPoint};
use crate::effort::Meter;
use crate::math::order::ascending;
use crate::math::sets::{find, join};
use crate::pair::{aabb_aabb, closest_point_triangle, triangles_intersect};
use crate::query::bodies::PosedSurface;
use crate::shape::{Aabb, NONE, Triangle};
use crate::tree::{Bodies, visit_nearest_pairs};

/// Sines of angles below this are rounding.
const DOUBT: f64 = 1e-9;

/// Whether a mesh comes before another, so that it does not matter which is called the first.
pub(super) fn comes_first(a: &PosedSurface, b: &PosedSurface) -> bool {
    let key = |mesh: &PosedSurface| {
        let [p, q, r] = mesh.triangle(0).corners().map(|p| p.to_array());
        (mesh.count(), mesh.reach(), p, q, r)
    };
    key(a) < key(b)
}

/// The contacts of two meshes, each found at a pair of triangles within the margin of each other.
pub(super) fn mesh_mesh(
    left: &PosedSurface,
    right: &PosedSurface,
    margin: f64,
    meter: &mut Meter,
) -> Vec<Contact> {
    let mut near = near(left, right, margin, meter);
    let affordable = near.iter().take_while(|_| meter.spend(1).is_continue()).count();
    meter.count_triangles(affordable as u64);
    near.truncate(affordable);
    let has_skins = |meter: &mut Meter| [left, right].iter().all(|mesh| mesh.surface.finds_skin(meter));
    if near.is_empty() || !has_skins(meter) {
        return Vec::new();
    }
    let slack = slack(left).max(slack(right));
    let pair = Pair {
        sides: [
            Sides { mesh: left, other: right.aabb().center(), slack },
            Sides { mesh: right, other: left.aabb().center(), slack },
        ],
        margin,
        slack,
    };
    let crossed = Crossed::of(&pair, &near, meter);
    let mut found = pair.corners_on_facets(&near, &crossed, 0, meter);
    found.extend(pair.corners_on_facets(&near, &crossed, 1, meter));
    found.extend(pair.crossings(&near, &crossed, meter));
    pair.leave_first(&mut found, &crossed, meter);
    if found.is_empty() && !meter.is_stopped() {
        found.extend(pair.way_out(&crossed));
    }
    if found.is_empty() {
        return Vec::new();
    }
    let linked = pair.pieces(&near);
    let patches: Vec<Patch> = found.into_iter().map(|f| pair.patch(f, &linked)).collect();
    regions(&patches, slack)
}

/// The pairs of triangles whose boxes are within the margin of each other, in order.
fn near(a: &PosedSurface, b: &PosedSurface, margin: f64, meter: &mut Meter) -> Vec<[u32; 2]> {
    let bodies = Bodies { a: &a.surface.tree, pose_a: a.pose, b: &b.surface.tree, pose_b: b.pose };
    let mut pairs = Vec::new();
    visit_nearest_pairs(&bodies, margin, meter, |ours, theirs| {
        for &i in ours {
            let grown = a.triangle(i).aabb().grown(margin);
            let meets = |j: &u32| aabb_aabb(&grown, &b.triangle(*j).aabb());
            pairs.extend(theirs.iter().copied().filter(meets).map(|j| [i, j]));
        }
        margin
    });
    pairs.sort_unstable();
    pairs
}

struct Pair<'a> {
    /// Each mesh as seen from the other.
    sides: [Sides<'a>; 2],
    margin: f64,
    slack: f64,
}

/// What passes through each other: overlap is counted only where triangles do.
struct Crossed {
    /// Facets of each mesh with triangles of the other, sorted.
    facets: [Vec<[u32; 2]>; 2],
    /// Creases with creases, sorted.
    creases: Vec<[u32; 2]>,
    /// The triangles.
    triangles: Vec<[u32; 2]>,
    /// Triangles of each mesh with those of the other, sorted.
    by_mesh: [Vec<[u32; 2]>; 2],
}

impl Crossed {
    fn of(pair: &Pair, near: &[[u32; 2]], meter: &mut Meter) -> Self {
        let [left, right] = &pair.sides;
        let meets =
            |&&[t, u]: &&[u32; 2]| triangles_intersect(&left.mesh.triangle(t), &right.mesh.triangle(u));
        let affordable = near.iter().take_while(|_| meter.check().is_continue());
        let crossed: Vec<[u32; 2]> = affordable.filter(meets).copied().collect();
        let sorted = |mut all: Vec<[u32; 2]>| {
            all.sort_unstable();
            all.dedup();
            all
        };
        let facets = [0, 1].map(|m| {
            let of_triangle = &pair.sides[m].skin().facets.of_triangle;
            sorted(crossed.iter().map(|both| [of_triangle[both[m] as usize], both[1 - m]]).collect())
        });
        let creases = |m: usize, t: u32| pair.sides[m].skin().facets.creases_of[t as usize];
        let both = |&[t, u]: &[u32; 2]| {
            creases(0, t).into_iter().flat_map(move |c| creases(1, u).map(move |d| [c, d]))
        };
        let creases = sorted(crossed.iter().flat_map(both).collect());
        let by_mesh = [0, 1].map(|m| sorted(crossed.iter().map(|both| [both[m], both[1 - m]]).collect()));
        Self { facets, creases, triangles: crossed, by_mesh }
    }

    /// The triangles of the other mesh that cross a triangle of mesh `m`.
    fn across(&self, m: usize, t: u32) -> impl Iterator<Item = u32> {
        let all = &self.by_mesh[m];
        let from = all.partition_point(|both| both[0] < t);
        all[from..].iter().take_while(move |both| both[0] == t).map(|both| both[1])
    }
}

/// A contact, by which it is found.
#[derive(Clone, Copy)]
struct Found {
    normal: DVec3,
    point: ManifoldPoint,
    triangles: [u32; 2],
}

impl Pair<'_> {
    /// The corners of the other mesh on the facets of mesh `m`; of each corner the facet before which it comes first.
    fn corners_on_facets(
        &self,
        near: &[[u32; 2]],
        crossed: &Crossed,
        m: usize,
        meter: &mut Meter,
    ) -> Vec<Found> {
        let theirs = &self.sides[1 - m];
        let mut tries: Vec<[u32; 4]> = Vec::new();
        for pair in near.iter().take_while(|_| meter.check().is_continue()) {
            let (t, u) = (pair[m], pair[1 - m]);
            let welded = self.welded(1 - m, u);
            let corners = (0..3).filter(|&k| theirs.skin().facets.is_corner(welded[k]));
            tries.extend(corners.map(|k| [welded[k], t, u, k as u32]));
        }
        tries.sort_unstable();
        tries.dedup_by_key(|[v, t, ..]| [*v, *t]);
        let mut found: Vec<Found> = Vec::new();
        for tries in tries.chunk_by(|s, t| s[0] == t[0]) {
            let affordable = tries.iter().take_while(|_| meter.check().is_continue());
            let of_corner: Vec<Found> =
                affordable.filter_map(|&tried| self.corner_on_facet(tried, crossed, m)).collect();
            let inside = |f: &&Found| f.point.depth > self.slack;
            let least = of_corner
                .iter()
                .filter(inside)
                .copied()
                .reduce(|f, g| if g.point.depth < f.point.depth { g } else { f });
            found.extend(least);
            found.extend(of_corner.iter().filter(|f| !inside(f)));
        }
        found
    }

    fn corner_on_facet(&self, [v, t, u, k]: [u32; 4], crossed: &Crossed, m: usize) -> Option<Found> {
        let (ours, theirs) = (&self.sides[m], &self.sides[1 - m]);
        let facet = ours.skin().facets.facet(t)?;
        let side = ours.of(facet);
        let at = theirs.mesh.vertex(v);
        let depth = side.normal.dot(side.anchor - at);
        let foot = at + side.normal * depth;
        let triangle = ours.mesh.triangle(t);
        let off = closest_point_triangle(foot, &triangle).distance();
        if depth < -self.margin - self.slack || off > self.slack || !self.faces(v, -side.normal, 1 - m) {
            return None;
        }
        let passes = |&u: &u32| crossed.facets[m].binary_search(&[facet, u]).is_ok();
        let is_inside = || ours.mesh.surface.solid.is_none() || ours.mesh.encloses(at);
        if depth > self.slack && !(theirs.star(v).iter().any(passes) && is_inside()) {
            return None;
        }
        let front = triangle.scaled_normal().dot(side.normal) >= 0.0;
        let parts = [ContactFeature::Face(u32::from(!front)), ContactFeature::Vertex(k)];
        Some(self.found(m, side.normal, [foot, at], depth, parts, [t, u]))
    }

    /// Whether a corner of mesh `m` faces in a direction: it is in its normal cone, or about the normal of
    /// one of its facets.
    fn faces(&self, v: u32, direction: DVec3, m: usize) -> bool {
        let sides = &self.sides[m];
        let flat = |&t: &u32| {
            sides.skin().facets.facet(t).is_some_and(|f| sides.of(f).normal.dot(direction) >= SAME_WAY)
        };
        sides.corner_cone_holds(v, direction, DOUBT) || sides.star(v).iter().any(flat)
    }

    /// A contact given as from mesh `m` to the other.
    fn found(
        &self,
        m: usize,
        normal: DVec3,
        [p, q]: [DVec3; 2],
        depth: f64,
        [f, g]: [ContactFeature; 2],
        [t, u]: [u32; 2],
    ) -> Found {
        if m == 0 {
            let point = ManifoldPoint { point_a: p, point_b: q, depth, id: ContactId { a: f, b: g } };
            Found { normal, point, triangles: [t, u] }
        } else {
            let point = ManifoldPoint { point_a: q, point_b: p, depth, id: ContactId { a: g, b: f } };
            Found { normal: -normal, point, triangles: [u, t] }
        }
    }

    /// Where creases cross at an angle.
    fn crossings(&self, near: &[[u32; 2]], crossed: &Crossed, meter: &mut Meter) -> Vec<Found> {
        let mut tries: Vec<([u32; 2], [u32; 4])> = Vec::new();
        let convex = [0, 1].map(|m| self.convex_creases(near, m, meter));
        for &[t, u] in near {
            if meter.check().is_break() {
                return Vec::new();
            }
            let creases = |m: usize, t: u32| {
                let all = self.sides[m].skin().facets.creases_of[t as usize];
                let convex = &convex[m];
                let counts = move |&k: &usize| all[k] != NONE && convex.binary_search(&all[k]).is_ok();
                (0..3).filter(counts).map(move |k| (all[k], k as u32))
            };
            for (c, i) in creases(0, t) {
                tries.extend(creases(1, u).map(|(d, j)| ([c, d], [t, i, u, j])));
            }
        }
        tries.sort_unstable();
        tries.dedup_by_key(|tried| tried.0);
        let affordable = tries.into_iter().take_while(|_| meter.check().is_continue());
        affordable.filter_map(|(creases, parts)| self.crossing(creases, parts, crossed)).collect()
    }

    /// The convex creases of triangles of mesh `m`, sorted.
    fn convex_creases(&self, near: &[[u32; 2]], m: usize, meter: &mut Meter) -> Vec<u32> {
        let sides = &self.sides[m];
        let facets = &sides.skin().facets;
        let mut triangles: Vec<u32> = near.iter().map(|both| both[m]).collect();
        triangles.sort_unstable();
        triangles.dedup();
        let all = triangles.iter().flat_map(|&t| facets.creases_of[t as usize]);
        let mut creases: Vec<u32> = all.filter(|&c| c != NONE).collect();
        creases.sort_unstable();
        creases.dedup();
        creases.retain(|&c| meter.check().is_continue() && sides.is_convex(&facets.creases[c as usize]));
        creases
    }

    fn crossing(&self, pair: [u32; 2], [t, i, u, j]: [u32; 4], crossed: &Crossed) -> Option<Found> {
        let [left, right] = &self.sides;
        let [c, d] = pair;
        let [c, d] = [&left.skin().facets.creases[c as usize], &right.skin().facets.creases[d as usize]];
        let ([p, q], [r, s]) = (c.ends.map(|v| left.mesh.vertex(v)), d.ends.map(|v| right.mesh.vertex(v)));
        let boxes = [Aabb::around([p, q]).grown(self.margin), Aabb::around([r, s])];
        let (e, f) = ((q - p).normalize_or_zero(), (s - r).normalize_or_zero());
        let cross = e.cross(f);
        let sine = cross.length();
        if sine <= DOUBT {
            return None;
        }
        let across = cross / sine;
        let between = r - p;
        let (x, y) = (between.cross(f).dot(across) / sine, between.cross(e).dot(across) / sine);
        let on = |x: f64, length: f64| x >= -self.slack && x <= length + self.slack;
        if !on(x, p.distance(q)) || !on(y, r.distance(s)) {
            return None;
        }
        let (at, other) = (p + e * x, r + f * y);
        let normal = [across, -across]
            .into_iter()
            .find(|&n| left.edge_cone_holds(c, n, DOUBT) && right.edge_cone_holds(d, -n, DOUBT))?;
        let depth = normal.dot(at - other);
        let reaches = depth > self.slack || aabb_aabb(&boxes[0], &boxes[1]);
        if depth < -self.margin - self.slack || !reaches {
            return None;
        }
        let inside =
            |m: usize, p: DVec3| self.sides[m].mesh.surface.solid.is_none() || self.sides[m].mesh.encloses(p);
        let passes = || crossed.creases.binary_search(&pair).is_ok();
        if depth > self.slack && !(passes() && inside(0, other) && inside(1, at)) {
            return None;
        }
        let parts = [ContactFeature::Edge(i), ContactFeature::Edge(j)];
        Some(self.found(0, normal, [at, other], depth, parts, [t, u]))
    }

    /// Drops contacts that are gone when the second body is moved out along the normals of others that are less
    /// deep.
    fn leave_first(&self, found: &mut Vec<Found>, crossed: &Crossed, meter: &mut Meter) {
        // The way out along each direction, and the least first.
        let mut ways: Vec<(DVec3, f64)> = Vec::new();
        for f in found.iter().filter(|f| f.point.depth >= -self.slack) {
            match ways.iter_mut().find(|(normal, _)| normal.dot(f.normal) >= SAME_WAY) {
                Some((_, depth)) => *depth = depth.max(f.point.depth),
                None => ways.push((f.normal, f.point.depth)),
            }
        }
        let ways = ascending(ways, |(_, depth)| *depth);
        found.retain(|f| {
            !ways
                .iter()
                .take_while(|(_, depth)| f.point.depth > depth + 16.0 * self.slack)
                .take_while(|_| meter.check().is_continue())
                .any(|&(normal, depth)| self.frees(f, crossed, normal, depth))
        });
    }

    /// Whether a contact is gone when the second body is moved by a way: of solids, its points are outside; of
    /// surfaces, its features do not cross any more.
    fn frees(&self, found: &Found, crossed: &Crossed, normal: DVec3, depth: f64) -> bool {
        if normal.dot(found.normal) >= SAME_WAY {
            return false;
        }
        let way = normal * (depth.max(0.0) + 64.0 * self.slack);
        let is_solid = |m: usize| self.sides[m].mesh.surface.solid.is_some();
        let inside = |m: usize, p: DVec3| is_solid(m) && self.sides[m].mesh.encloses(p);
        if inside(0, found.point.point_b + way) || inside(1, found.point.point_a - way) {
            return false;
        }
        is_solid(0) && is_solid(1) || !self.crosses_still(found, crossed, way)
    }

    /// Whether triangles of the features of a contact cross when the second body is moved by a way, of those
    /// that do now.
    fn crosses_still(&self, found: &Found, crossed: &Crossed, way: DVec3) -> bool {
        let crosses = |t: u32, u: u32| {
            let moved = self.sides[1].mesh.triangle(u).corners().map(|p| p + way);
            triangles_intersect(&self.sides[0].mesh.triangle(t), &Triangle::from(moved))
        };
        [0, 1].into_iter().any(|m| {
            let of_ours = self.around(found, m).iter();
            let mut pairs = of_ours.flat_map(|&t| crossed.across(m, t).map(move |u| [t, u]));
            pairs
                .any(|[t, u]| self.has(found, 1 - m, u) && if m == 0 { crosses(t, u) } else { crosses(u, t) })
        })
    }

    /// The triangles at the corner or crease of mesh `m` that a contact is at; none of a facet.
    fn around(&self, found: &Found, m: usize) -> &[u32] {
        let (sides, t) = (&self.sides[m], found.triangles[m]);
        match [found.point.id.a, found.point.id.b][m] {
            ContactFeature::Vertex(k) => sides.star(self.welded(m, t)[k as usize]),
            ContactFeature::Edge(i) => {
                let facets = &sides.skin().facets;
                let crease = facets.creases_of[t as usize][i as usize];
                facets.wings(&facets.creases[crease as usize])
            }
            ContactFeature::Face(_) => &[],
        }
    }

    /// Whether a triangle is of the feature of mesh `m` that a contact is at.
    fn has(&self, found: &Found, m: usize, t: u32) -> bool {
        let of_triangle = &self.sides[m].skin().facets.of_triangle;
        let of = found.triangles[m];
        match [found.point.id.a, found.point.id.b][m] {
            ContactFeature::Face(_) => of_triangle[t as usize] == of_triangle[of as usize],
            ContactFeature::Vertex(_) | ContactFeature::Edge(_) => self.around(found, m).contains(&t),
        }
    }

    /// The welded corners of a triangle of mesh `m`.
    fn welded(&self, m: usize, t: u32) -> [u32; 3] {
        let surface = self.sides[m].mesh.surface;
        surface.stars().corners(&surface.mesh, t)
    }

    /// Where triangles cross and no feature is against another by its normals: out along the normal of the
    /// facet that the triangles which cross it leave first.
    fn way_out(&self, crossed: &Crossed) -> Option<Found> {
        let of_mesh = |m: usize| {
            crossed.facets[m].chunk_by(|p, q| p[0] == q[0]).filter_map(move |all| self.out_of(all, m))
        };
        let less =
            |f: (usize, Found), g: (usize, Found)| if g.1.point.depth < f.1.point.depth { g } else { f };
        let tagged = |m: usize| of_mesh(m).map(move |found| (m, found));
        let (m, mut found) = tagged(0).chain(tagged(1)).reduce(less)?;
        // The point of the plane as it is on the facet.
        let of_triangle = &self.sides[m].skin().facets.of_triangle;
        let facet = of_triangle[found.triangles[m] as usize];
        let place = if m == 0 { &mut found.point.point_a } else { &mut found.point.point_b };
        let near = crossed.triangles.iter().map(|both| both[m]).filter(|&t| of_triangle[t as usize] == facet);
        let on = |t: u32| (t, closest_point_triangle(*place, &self.sides[m].mesh.triangle(t)));
        let (t, nearest) = near.map(on).reduce(|n, o| if o.1.distance() < n.1.distance() { o } else { n })?;
        *place = nearest.b;
        found.triangles[m] = t;
        Some(found)
    }

    fn out_of(&self, crossed: &[[u32; 2]], m: usize) -> Option<Found> {
        let (ours, theirs) = (&self.sides[m], &self.sides[1 - m]);
        let facet = crossed[0][0];
        let side = Some(facet).filter(|&f| f != NONE).map(|f| ours.of(f))?;
        let corners = crossed
            .iter()
            .flat_map(|&[_, u]| (0..).zip(theirs.mesh.triangle(u).corners()).map(move |c| (u, c)));
        let depth = |p: DVec3| side.normal.dot(side.anchor - p);
        let deeper =
            |c: (u32, (u32, DVec3)), d: (u32, (u32, DVec3))| if depth(d.1.1) > depth(c.1.1) { d } else { c };
        let (u, (k, at)) = corners.reduce(deeper)?;
        let parts = [ContactFeature::Face(0), ContactFeature::Vertex(k)];
        let first = ours.skin().facets.facets[facet as usize].first;
        Some(self.found(m, side.normal, [at + side.normal * depth(at), at], depth(at), parts, [first, u]))
    }

    /// For each triangle of each mesh that is near the other one, the connected piece of such triangles.
    fn pieces(&self, near: &[[u32; 2]]) -> [Vec<[u32; 2]>; 2] {
        [0, 1].map(|m| {
            let mut triangles: Vec<u32> = near.iter().map(|pair| pair[m]).collect();
            triangles.sort_unstable();
            triangles.dedup();
            let surface = self.sides[m].mesh.surface;
            let mut corners: Vec<[u32; 2]> = Vec::new();
            for (i, &t) in (0..).zip(&triangles) {
                corners.extend(surface.stars().corners(&surface.mesh, t).map(|v| [v, i]));
            }
            corners.sort_unstable();
            let mut parent: Vec<u32> = (0..triangles.len() as u32).collect();
            for group in corners.windows(2).filter(|group| group[0][0] == group[1][0]) {
                join(&mut parent, group[0][1], group[1][1]);
            }
            (0..).zip(&triangles).map(|(i, &t)| [t, find(&mut parent, i)]).collect()
        })
    }

    fn patch(&self, found: Found, pieces: &[Vec<[u32; 2]>; 2]) -> Patch {
        let piece = |m: usize| {
            let of = &pieces[m];
            of.binary_search_by_key(&found.triangles[m], |[t, _]| *t)
                .map_or(u64::MAX, |i| u64::from(of[i][1]))
        };
        let contacts = vec![Contact::of(&found.point, found.normal, found.triangles, 0)];
        Patch { normal: found.normal, contacts, keys: vec![[piece(0), piece(1)]] }
    }
}
