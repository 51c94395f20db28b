//! How far apart two bodies are.

use std::ops::ControlFlow;

use glam::DVec3;

use super::Body;
use super::around::{Aim, Outcome, around, around_hull};
use super::closest_point::rounding;
use super::convex_distance::{convex_convex, convex_triangle};
use super::convex_pair::axis;
use super::halfspace_pair::height;
use super::intersects::{Meeting, first_features};
use super::nearest_pair::nearest_pair;
use super::posed::{Part, Posed, PosedBody, PosedSurface, feature_of_whole, parts, reach_of};
use super::search::{End, Search};
use crate::convex::Core;
use crate::effort::Meter;
use crate::math::{Interval, Pose};
use crate::pair::{
    Nearest, TriangleIntersection, closest_point_halfspace, point_halfspace, triangle_intersection,
};
use crate::shape::{Aabb, Halfspace, Segment, Triangle};

/// The distance of two bodies and where it is attained.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distance {
    /// Holds the true distance; zero exactly if the bodies have a point in common.
    pub interval: Interval,
    /// Nearest point of the first body, on its feature up to rounding.
    pub point_a: DVec3,
    /// Nearest point of the second body.
    pub point_b: DVec3,
    /// The triangles these lie on, 0 for other shapes.
    pub features: [u32; 2],
    /// Why the interval is no narrower. Unless it is as narrow as can be, the points need not be the nearest; they are
    /// points of the bodies all the same, `interval.upper` apart.
    pub end: End,
}

/// A pair of points with what is known of the distance: on its way to a [`Distance`].
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub nearest: Nearest,
    pub interval: Interval,
    pub features: [u32; 2],
}

/// The distance of two posed bodies, as narrow and as far as the search asks, see [`Search::EXACT`].
///
/// Zero if and only if they have a point in common, which is exact but for cylinders, cones and ellipsoids within
/// rounding of touching: then the interval begins at zero. Otherwise it is a few dozen ulp of the largest coordinate
/// wide. Between convex shapes by closed forms and GJK in less than a microsecond, by the tree for meshes, nearest boxes
/// first, so that the cost grows about as log n for bodies well apart. Half-spaces are compared with every vertex.
#[inline]
pub fn distance(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, search: &Search) -> Distance {
    if let (Some(left), Some(right)) = (PosedBody::new(a, pose_a), PosedBody::new(b, pose_b)) {
        let reach = left.reach().max(right.reach());
        return convex_convex(&left, &right).answer(&search.checked(), reach, false);
    }
    metered(a, pose_a, b, pose_b, search, &mut Meter::unlimited())
}

#[inline(never)]
pub(super) fn metered(
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
    search: &Search,
    meter: &mut Meter,
) -> Distance {
    let search = search.checked();
    match (Posed::new(a, pose_a), Posed::new(b, pose_b)) {
        (Some(left), Some(right)) => {
            let found = simple(&left, &right, &search, meter);
            let features = [a.feature(found.features[0]), b.feature(found.features[1])];
            let reach = left.reach().max(right.reach());
            Found { features, ..found }.answer(&search, reach, meter.is_stopped())
        }
        _ => {
            let reach = reach_of(a, pose_a).max(reach_of(b, pose_b));
            let found = compound(a, pose_a, b, pose_b, &search, meter);
            found.answer(&search, reach, meter.is_stopped())
        }
    }
}

/// Two bodies, neither a compound. Features are numbered by triangles.
fn simple(a: &Posed, b: &Posed, search: &Search, meter: &mut Meter) -> Found {
    let around = match (a, b) {
        (Posed::Mesh(a), Posed::Convex(b)) => around_body(a, b, search, meter),
        (Posed::Convex(a), Posed::Mesh(b)) => around_body(b, a, search, meter).map(Found::swapped),
        (Posed::Mesh(_) | Posed::Halfspace(_), Posed::Mesh(_) | Posed::Halfspace(_))
        | (Posed::Convex(_), Posed::Convex(_) | Posed::Halfspace(_))
        | (Posed::Halfspace(_), Posed::Convex(_)) => None,
    };
    around.unwrap_or_else(|| of_surfaces(a, b, search, meter))
}

/// A mesh or solid and a round or slender body; `None` for bodies with flat faces.
fn around_body(mesh: &PosedSurface, body: &PosedBody, search: &Search, meter: &mut Meter) -> Option<Found> {
    let aim = Aim { search: *search, enough: -1.0 };
    let found = match around(mesh, body, &aim, meter)? {
        Outcome::Meets(i) => at_point(in_mesh_convex(mesh, body, i), [i, 0]),
        Outcome::Enough(found) | Outcome::Apart(found) => found,
    };
    Some(found)
}

pub(super) fn at_point(point: DVec3, features: [u32; 2]) -> Found {
    Found { nearest: Nearest::between(point, point), interval: Interval::point(0.0), features }
}

fn of_surfaces(a: &Posed, b: &Posed, search: &Search, meter: &mut Meter) -> Found {
    let meeting = match (a, b) {
        // What is apart as a whole needs no traversal for a first hit.
        (Posed::Mesh(p), Posed::Mesh(q)) if meter.spend(1).is_continue() && p.gap_of_wholes(q) > 0.0 => {
            Meeting::Never
        }
        _ => first_features(a, b, meter),
    };
    match meeting {
        Meeting::Never => nearest(a, b, search, meter),
        Meeting::At(features) => common_point(a, b, features),
        Meeting::Unknown(_) => {
            // What the surfaces say is not said of what they bound.
            let search = Search { max: f64::INFINITY, ..*search };
            let found = meter.in_part(|meter| nearest(a, b, &search, meter));
            Found { interval: Interval { lower: 0.0, ..found.interval }, ..found }
        }
    }
}

/// The nearest of the parts of compounds; of those equally near, the first.
fn compound(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, search: &Search, meter: &mut Meter) -> Found {
    let (ours, theirs) = (parts(a, pose_a), parts(b, pose_b));
    let boxes: Vec<_> = theirs.iter().map(|part| part.body.aabb(&part.pose)).collect();
    let mut best: Option<Found> = None;
    let mut lower = f64::INFINITY;
    for p in &ours {
        let aabb = p.body.aabb(&p.pose);
        for (q, other) in theirs.iter().zip(&boxes) {
            let upper = best.as_ref().map_or(f64::INFINITY, |b| b.interval.upper);
            let gap = box_gap(&aabb, other);
            if gap > upper {
                continue;
            }
            let search = Search { max: search.max.min(upper), ..*search };
            let found = of_parts((a, p), (b, q), &search, meter);
            lower = lower.min(found.interval.lower);
            if found.interval.upper < upper || best.is_none() {
                best = Some(found);
            }
        }
    }
    // A compound has at least one part, and the first pair is never skipped.
    let best = best.unwrap_or_else(|| Found::rounded(DVec3::ZERO, DVec3::ZERO, [0, 0], 0.0));
    Found { interval: Interval { lower: lower.min(best.interval.upper), ..best.interval }, ..best }
}

fn of_parts((a, p): (&Body, &Part), (b, q): (&Body, &Part), search: &Search, meter: &mut Meter) -> Found {
    let found = meter.in_part(|meter| metered(p.body, &p.pose, q.body, &q.pose, search, meter));
    let [i, j] = found.features;
    Found {
        nearest: Nearest::between(found.point_a, found.point_b),
        interval: found.interval,
        features: [feature_of_whole(a, p, i), feature_of_whole(b, q, j)],
    }
}

/// A point of both bodies, whose given features meet.
fn common_point(a: &Posed, b: &Posed, features: [u32; 2]) -> Found {
    let mut features = features;
    let mut on_lowest = |body: usize, (point, triangle): (DVec3, u32)| {
        features[body] = triangle;
        point
    };
    let point = match (a, b) {
        (Posed::Mesh(a), Posed::Mesh(b)) => in_mesh_mesh(a, b, features),
        (Posed::Mesh(a), Posed::Convex(b)) => in_mesh_convex(a, b, features[0]),
        (Posed::Convex(a), Posed::Mesh(b)) => in_mesh_convex(b, a, features[1]),
        (Posed::Mesh(a), Posed::Halfspace(b)) => on_lowest(0, lowest(a, b)),
        (Posed::Halfspace(a), Posed::Mesh(b)) => on_lowest(1, lowest(b, a)),
        (Posed::Convex(a), Posed::Convex(b)) => return convex_convex(a, b),
        (Posed::Convex(a), Posed::Halfspace(b)) => height(&a.convex, b).point,
        (Posed::Halfspace(a), Posed::Convex(b)) => height(&b.convex, a).point,
        (Posed::Halfspace(a), Posed::Halfspace(b)) => in_both(a, b),
    };
    at_point(point, features)
}

pub(super) fn in_mesh_mesh(a: &PosedSurface, b: &PosedSurface, [i, j]: [u32; 2]) -> DVec3 {
    let (t, u) = (a.triangle(i), b.triangle(j));
    match triangle_intersection(&t, &u) {
        Some(common) => middle(&common),
        // One lies inside the other: the triangle that says so is of the inner one.
        None if b.encloses(t.a) => t.a,
        None => u.a,
    }
}

/// A point that a mesh and a body that meet have in common; `triangle` is one of the mesh that touches the body, if any
/// does. What the middle of a polytope is taken to be need not be in it.
pub(super) fn in_mesh_convex(mesh: &PosedSurface, body: &PosedBody, triangle: u32) -> DVec3 {
    let (center, t) = (body.convex.center(), mesh.triangle(triangle));
    if let Core::Segment(ends) = body.convex.convex().core()
        && body.convex.convex().margin() == 0.0
        && let Some(point) = in_plane(&axis(&body.convex, *ends), &t)
    {
        return point;
    }
    match body.surface() {
        Some(surface) => in_triangle_surface(&t, &surface).unwrap_or_else(|| {
            match super::intersects::mesh_mesh(mesh, &surface, &mut Meter::unlimited()) {
                Meeting::At(features) => in_mesh_mesh(mesh, &surface, features),
                Meeting::Never | Meeting::Unknown(_) => center,
            }
        }),
        None if mesh.encloses(center) => center,
        None => convex_triangle(&body.convex, &t).nearest.b,
    }
}

/// The point of a segment in the plane of a triangle that its ends are on either side of.
fn in_plane(segment: &Segment, t: &Triangle) -> Option<DVec3> {
    let normal = t.scaled_normal();
    let [above, below] = [segment.a, segment.b].map(|p| normal.dot(p - t.a));
    let share = above / (above - below);
    (above * below < 0.0 && share.is_finite()).then(|| segment.at(share))
}

/// A point that a triangle has in common with the faces of a body.
pub(super) fn in_triangle_surface(t: &Triangle, surface: &PosedSurface) -> Option<DVec3> {
    let mut point = None;
    surface.view.visit_box(&t.aabb(), &mut Meter::unlimited(), |j| {
        point = triangle_intersection(t, &surface.triangle(j)).map(|common| middle(&common));
        if point.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    point
}

/// A point of what two triangles have in common.
fn middle(common: &TriangleIntersection) -> DVec3 {
    match common {
        TriangleIntersection::Point(p) => *p,
        TriangleIntersection::Segment(s) => s.at(0.5),
        TriangleIntersection::Polygon(corners) => {
            corners.iter().fold(DVec3::ZERO, |sum, p| sum + *p) / corners.len() as f64
        }
    }
}

/// A point of two half-spaces that meet: the foot of the origin on one plane if it is in the other half-space,
/// else a point of the line common to both planes.
pub(super) fn in_both(a: &Halfspace, b: &Halfspace) -> DVec3 {
    let feet = [a, b].map(|h| closest_point_halfspace(DVec3::ZERO, h).b);
    feet.into_iter()
        .find(|&p| point_halfspace(p, a) && point_halfspace(p, b))
        .unwrap_or_else(|| on_both(a, b))
}

/// The point x = αm + βn of both planes m·x = d, n·x = e.
fn on_both(a: &Halfspace, b: &Halfspace) -> DVec3 {
    let (m, n) = (a.normal, b.normal);
    let (mm, mn, nn) = (m.dot(m), m.dot(n), n.dot(n));
    // mm·nn − mn² by Lagrange's identity, without the cancellation.
    let determinant = m.cross(n).length_squared();
    let (alpha, beta) = (a.offset * nn - b.offset * mn, b.offset * mm - a.offset * mn);
    (m * alpha + n * beta) / determinant
}

fn nearest(a: &Posed, b: &Posed, search: &Search, meter: &mut Meter) -> Found {
    match (a, b) {
        (Posed::Mesh(a), Posed::Mesh(b)) => nearest_pair(a, b, search, meter),
        (Posed::Mesh(a), Posed::Convex(b)) => mesh_polytope(a, b, search, meter),
        (Posed::Convex(a), Posed::Mesh(b)) => mesh_polytope(b, a, search, meter).swapped(),
        (Posed::Mesh(a), Posed::Halfspace(b)) => mesh_halfspace(a, b),
        (Posed::Halfspace(a), Posed::Mesh(b)) => mesh_halfspace(b, a).swapped(),
        (Posed::Convex(a), Posed::Convex(b)) => convex_convex(a, b),
        (Posed::Convex(a), Posed::Halfspace(b)) => convex_halfspace(a, b),
        (Posed::Halfspace(a), Posed::Convex(b)) => convex_halfspace(b, a).swapped(),
        (Posed::Halfspace(a), Posed::Halfspace(b)) => halfspace_halfspace(a, b),
    }
}

impl Found {
    /// The distance of bodies with coordinates of the size `reach`, as the search asked for it.
    pub fn answer(self, search: &Search, reach: f64, stopped: bool) -> Distance {
        let Nearest { a, b, .. } = self.nearest;
        let end = End::of(self.interval, search, reach, stopped);
        Distance { interval: self.interval, point_a: a, point_b: b, features: self.features, end }
    }

    /// From two points that are the nearest up to rounding of coordinates of this size.
    pub fn rounded(a: DVec3, b: DVec3, features: [u32; 2], reach: f64) -> Self {
        let nearest = Nearest::between(a, b);
        let interval = Interval::point(nearest.distance()).widened(rounding(reach));
        // The bodies are known to be apart.
        let interval = Interval { lower: interval.lower.max(0.0), ..interval };
        Self { nearest, interval, features }
    }

    pub fn swapped(self) -> Self {
        let [i, j] = self.features;
        Self { nearest: self.nearest.swapped(), features: [j, i], ..self }
    }
}

/// A lower bound on the distance of two boxes.
pub(super) fn box_gap(a: &Aabb, b: &Aabb) -> f64 {
    let gap = (b.min - a.max).max(a.min - b.max).max(DVec3::ZERO);
    gap.length() * (1.0 - 8.0 * f64::EPSILON)
}

/// A mesh and a body with flat faces; others were dealt with before. They do not meet.
fn mesh_polytope(mesh: &PosedSurface, body: &PosedBody, search: &Search, meter: &mut Meter) -> Found {
    if let Some(found) = around_hull(mesh, body, search, meter) {
        return found;
    }
    match body.surface() {
        Some(surface) => nearest_pair(mesh, &surface, search, meter),
        None => Found {
            interval: Interval { lower: 0.0, upper: f64::INFINITY },
            ..at_point(body.convex.center(), [0, 0])
        },
    }
}

fn mesh_halfspace(mesh: &PosedSurface, h: &Halfspace) -> Found {
    let (p, feature) = lowest(mesh, h);
    Found::rounded(p, closest_point_halfspace(p, h).b, [feature, 0], mesh.reach())
}

fn convex_halfspace(body: &PosedBody, h: &Halfspace) -> Found {
    let lowest = height(&body.convex, h);
    let interval = Interval { lower: lowest.height.lower.max(0.0), ..lowest.height };
    let foot = lowest.point - lowest.normal * interval.upper;
    Found { nearest: Nearest::between(lowest.point, foot), interval, features: [0, 0] }
}

/// The corner deepest in the half-space, or nearest to it, and the first triangle that has it.
fn lowest(flat: &PosedSurface, h: &Halfspace) -> (DVec3, u32) {
    let corners = (0..flat.surface.mesh.triangles().len() as u32)
        .flat_map(|i| flat.triangle(i).corners().map(|p| (h.normal.dot(p), p, i)));
    let first = flat.triangle(0).a;
    let (_, p, i) =
        corners.fold((f64::INFINITY, first, 0), |low, next| if next.0 < low.0 { next } else { low });
    (p, i)
}

/// Half-spaces that do not meet are antiparallel: any point of one plane and its foot on the other.
fn halfspace_halfspace(a: &Halfspace, b: &Halfspace) -> Found {
    let p = closest_point_halfspace(closest_point_halfspace(DVec3::ZERO, b).b, a).b;
    let q = closest_point_halfspace(p, b).b;
    Found::rounded(p, q, [0, 0], p.abs().max_element() + q.abs().max_element())
}
