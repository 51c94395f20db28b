//! How far apart two bodies are.

use glam::DVec3;

use super::Body;
use super::closest_point::{nearest_on, rounding};
use super::intersects::first_features;
use super::posed::{Posed, PosedSurface};
use crate::math::{Interval, Pose};
use crate::pair::{
    Nearest, TriangleIntersection, closest_point_halfspace, disjoint_triangle_distance_bounds,
    point_halfspace, triangle_intersection,
};
use crate::shape::{Aabb, Halfspace, Sphere};
use crate::tree::{Bodies, visit_nearest_pairs};

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
    /// Whether the search was given up because the distance is certainly more than the limit. The interval is
    /// true all the same, but the points need not be the nearest.
    pub beyond_max: bool,
}

/// A pair of points with what is known of the distance: on its way to a [`Distance`].
struct Found {
    nearest: Nearest,
    interval: Interval,
    features: [u32; 2],
}

/// The distance of two posed bodies, searched only up to `max` (infinity for any distance).
///
/// Zero if and only if they have a point in common, which is exact. Otherwise an interval a few dozen ulp of the
/// largest coordinate wide. Nearest boxes are opened first, so the cost grows about as log n for bodies well
/// apart. Half-spaces are compared with every vertex.
pub fn distance(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, max: f64) -> Distance {
    let (left, right) = (Posed::new(a, pose_a), Posed::new(b, pose_b));
    let found = match first_features(&left, &right) {
        Some(features) => common_point(&left, &right, features),
        None => nearest(&left, &right, max),
    };
    Distance {
        interval: found.interval,
        point_a: found.nearest.a,
        point_b: found.nearest.b,
        features: [a.feature(found.features[0]), b.feature(found.features[1])],
        beyond_max: found.interval.lower > max,
    }
}

/// A point of both bodies, whose given features meet.
fn common_point(a: &Posed, b: &Posed, features: [u32; 2]) -> Found {
    let inside = |flat: &PosedSurface, p: DVec3| nearest_on(flat, p).0.b;
    let point = match (a, b) {
        (Posed::Flat(a), Posed::Flat(b)) => in_flat_flat(a, b, features),
        (Posed::Flat(a), Posed::Ball(b)) => inside(a, b.center),
        (Posed::Ball(a), Posed::Flat(b)) => inside(b, a.center),
        (Posed::Flat(a), Posed::Halfspace(b)) => lowest(a, b).0,
        (Posed::Halfspace(a), Posed::Flat(b)) => lowest(b, a).0,
        (Posed::Ball(a), Posed::Ball(b)) => between(a, b),
        (Posed::Ball(a), Posed::Halfspace(b)) => closest_point_halfspace(a.center, b).b,
        (Posed::Halfspace(a), Posed::Ball(b)) => closest_point_halfspace(b.center, a).b,
        (Posed::Halfspace(a), Posed::Halfspace(b)) => in_both(a, b),
    };
    Found { nearest: Nearest::between(point, point), interval: Interval::point(0.0), features }
}

fn in_flat_flat(a: &PosedSurface, b: &PosedSurface, [i, j]: [u32; 2]) -> DVec3 {
    let (t, u) = (a.triangle(i), b.triangle(j));
    match triangle_intersection(&t, &u) {
        Some(TriangleIntersection::Point(p)) => p,
        Some(TriangleIntersection::Segment(s)) => s.at(0.5),
        Some(TriangleIntersection::Polygon(corners)) => {
            corners.iter().fold(DVec3::ZERO, |sum, p| sum + *p) / corners.len() as f64
        }
        // One lies inside the other: the triangle that says so is of the inner one.
        None if b.encloses(t.a) => t.a,
        None => u.a,
    }
}

/// A point of two balls that meet: between the centres, in proportion to the radii.
fn between(a: &Sphere, b: &Sphere) -> DVec3 {
    a.center + (b.center - a.center) * (a.radius / (a.radius + b.radius))
}

/// A point of two half-spaces that meet: the foot of the origin on one plane if it is in the other half-space,
/// else a point of the line common to both planes.
fn in_both(a: &Halfspace, b: &Halfspace) -> DVec3 {
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

fn nearest(a: &Posed, b: &Posed, max: f64) -> Found {
    match (a, b) {
        (Posed::Flat(a), Posed::Flat(b)) => flat_flat(a, b, max),
        (Posed::Flat(a), Posed::Ball(b)) => flat_ball(a, b),
        (Posed::Ball(a), Posed::Flat(b)) => flat_ball(b, a).swapped(),
        (Posed::Flat(a), Posed::Halfspace(b)) => flat_halfspace(a, b),
        (Posed::Halfspace(a), Posed::Flat(b)) => flat_halfspace(b, a).swapped(),
        (Posed::Ball(a), Posed::Ball(b)) => ball_ball(a, b),
        (Posed::Ball(a), Posed::Halfspace(b)) => ball_halfspace(a, b),
        (Posed::Halfspace(a), Posed::Ball(b)) => ball_halfspace(b, a).swapped(),
        (Posed::Halfspace(a), Posed::Halfspace(b)) => halfspace_halfspace(a, b),
    }
}

impl Found {
    /// From two points that are the nearest up to rounding of coordinates of this size.
    fn rounded(a: DVec3, b: DVec3, features: [u32; 2], reach: f64) -> Self {
        let nearest = Nearest::between(a, b);
        let interval = Interval::point(nearest.distance()).widened(rounding(reach));
        // The bodies are known to be apart.
        let interval = Interval { lower: interval.lower.max(0.0), ..interval };
        Self { nearest, interval, features }
    }

    fn swapped(self) -> Self {
        let [i, j] = self.features;
        Self { nearest: self.nearest.swapped(), features: [j, i], ..self }
    }
}

fn flat_flat(a: &PosedSurface, b: &PosedSurface, max: f64) -> Found {
    let corners = Nearest::between(a.triangle(0).a, b.triangle(0).a);
    let far = corners.distance() + rounding(a.reach() + b.reach());
    let mut best =
        Found { nearest: corners, interval: Interval { lower: 0.0, upper: far }, features: [0, 0] };
    let mut lower = f64::INFINITY;
    let bodies = Bodies { a: &a.surface.tree, pose_a: a.pose, b: &b.surface.tree, pose_b: b.pose };
    let rest = visit_nearest_pairs(&bodies, max.min(far), |ours, theirs| {
        for (i, j) in ours.iter().flat_map(|&i| theirs.iter().map(move |&j| (i, j))) {
            let (t, u) = (a.triangle(i), b.triangle(j));
            if box_gap(&t.aabb(), &u.aabb()) > max.min(best.interval.upper) {
                continue;
            }
            let (nearest, interval) = disjoint_triangle_distance_bounds(&t, &u);
            lower = lower.min(interval.lower);
            let order = nearest.distance_squared.total_cmp(&best.nearest.distance_squared);
            if order.then([i, j].cmp(&best.features)).is_lt() {
                best = Found { nearest, interval, features: [i, j] };
            }
        }
        max.min(best.interval.upper)
    });
    best.interval.lower = lower.min(rest).min(best.interval.upper);
    best
}

/// A lower bound on the distance of two boxes.
fn box_gap(a: &Aabb, b: &Aabb) -> f64 {
    let gap = (b.min - a.max).max(a.min - b.max).max(DVec3::ZERO);
    gap.length() * (1.0 - 8.0 * f64::EPSILON)
}

fn flat_ball(flat: &PosedSurface, ball: &Sphere) -> Found {
    let (nearest, feature) = nearest_on(flat, ball.center);
    let reach = flat.reach() + ball.center.abs().max_element() + ball.radius;
    let on_ball = ball.center + (nearest.b - ball.center) * (ball.radius / nearest.distance());
    Found::rounded(nearest.b, on_ball, [feature, 0], reach)
}

fn flat_halfspace(flat: &PosedSurface, h: &Halfspace) -> Found {
    let (p, feature) = lowest(flat, h);
    Found::rounded(p, closest_point_halfspace(p, h).b, [feature, 0], flat.reach())
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

fn ball_ball(a: &Sphere, b: &Sphere) -> Found {
    let between = b.center - a.center;
    let direction = between / between.length();
    let (p, q) = (a.center + direction * a.radius, b.center - direction * b.radius);
    let reach = a.center.abs().max_element() + b.center.abs().max_element() + a.radius + b.radius;
    Found::rounded(p, q, [0, 0], reach)
}

fn ball_halfspace(ball: &Sphere, h: &Halfspace) -> Found {
    let foot = closest_point_halfspace(ball.center, h);
    let p = ball.center + (foot.b - ball.center) * (ball.radius / foot.distance());
    Found::rounded(p, foot.b, [0, 0], ball.center.abs().max_element() + ball.radius)
}

/// Half-spaces that do not meet are antiparallel: any point of one plane and its foot on the other.
fn halfspace_halfspace(a: &Halfspace, b: &Halfspace) -> Found {
    let p = closest_point_halfspace(closest_point_halfspace(DVec3::ZERO, b).b, a).b;
    let q = closest_point_halfspace(p, b).b;
    Found::rounded(p, q, [0, 0], p.abs().max_element() + q.abs().max_element())
}
