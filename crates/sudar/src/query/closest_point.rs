//! The point of a body nearest to a given one.

use glam::DVec3;

use super::Body;
use super::distance::distance;
use super::posed::{Part, Posed, PosedSurface, parts};
use super::search::Search;
use crate::math::{Interval, Pose};
use crate::pair::{
    Nearest, closest_point_halfspace, closest_point_triangle, point_halfspace, point_triangle,
};

/// The nearest point of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosestPoint {
    /// Its distance. Zero for a point inside a solid.
    pub distance: Interval,
    /// The point, on the feature up to rounding.
    pub point: DVec3,
    /// The triangle it lies on, 0 for other shapes and for points inside a solid.
    pub feature: u32,
}

/// The point of the posed body nearest to `point`: on the surface for a mesh, the point itself if it is inside
/// a solid. Of triangles equally near, the one with the least number. Expected cost O(log n).
///
/// The distance is an interval a few dozen ulp of the largest coordinate wide.
pub fn closest_point(a: &Body, pose: &Pose, point: DVec3) -> ClosestPoint {
    match Posed::new(a, pose) {
        Some(Posed::Mesh(surface)) => {
            let (nearest, feature) = nearest_on(&surface, point);
            let on = || surface.encloses(point) || point_triangle(point, &surface.triangle(feature));
            of_nearest(&nearest, on, a.feature(feature), surface.reach() + point.abs().max_element())
        }
        Some(Posed::Convex(_)) => to_convex(a, pose, point),
        Some(Posed::Halfspace(h)) => {
            let nearest = closest_point_halfspace(point, &h);
            of_nearest(&nearest, || point_halfspace(point, &h), 0, point.abs().max_element())
        }
        None => to_parts(a, pose, point),
    }
}

/// `on` tells exactly whether the point is one of the body: a hair from it, the nearest point may round to it as well.
fn of_nearest(nearest: &Nearest, on: impl FnOnce() -> bool, feature: u32, reach: f64) -> ClosestPoint {
    let distance = nearest.distance();
    let interval = if distance == 0.0 && on() {
        Interval::point(0.0)
    } else {
        Interval::point(distance).widened(rounding(reach))
    };
    ClosestPoint {
        distance: Interval { lower: interval.lower.max(0.0), ..interval },
        point: nearest.b,
        feature,
    }
}

fn to_convex(a: &Body, pose: &Pose, point: DVec3) -> ClosestPoint {
    let found = distance(a, pose, &Body::new(point), &Pose::IDENTITY, &Search::EXACT);
    let inside = found.interval.upper == 0.0;
    ClosestPoint { distance: found.interval, point: if inside { point } else { found.point_a }, feature: 0 }
}

/// The nearest of the parts of a compound; of those equally near, the first.
fn to_parts(a: &Body, pose: &Pose, point: DVec3) -> ClosestPoint {
    let of_part =
        |part: Part| ClosestPoint { feature: part.index, ..closest_point(part.body, &part.pose, point) };
    let nearer = |best: ClosestPoint, next: ClosestPoint| {
        let lower = best.distance.lower.min(next.distance.lower);
        let nearest = if next.distance.upper < best.distance.upper { next } else { best };
        ClosestPoint { distance: Interval { lower, ..nearest.distance }, ..nearest }
    };
    let nowhere = ClosestPoint { distance: Interval::point(f64::INFINITY), point, feature: 0 };
    parts(a, pose).into_iter().map(of_part).reduce(nearer).unwrap_or(nowhere)
}

/// Bound on the error of a distance between points computed from coordinates of this size.
pub(crate) fn rounding(reach: f64) -> f64 {
    64.0 * f64::EPSILON * reach
}

/// The nearest point on the surface, as `b` of the pair, and its triangle; the point itself if it is inside.
pub(crate) fn nearest_on(surface: &PosedSurface, point: DVec3) -> (Nearest, u32) {
    if surface.encloses(point) {
        return (Nearest::between(point, point), 0);
    }
    let mut best = (Nearest::between(point, surface.triangle(0).a), 0);
    let mut found = false;
    surface.view.visit_nearest(point, f64::INFINITY, |triangles| {
        for &i in triangles {
            let nearest = closest_point_triangle(point, &surface.triangle(i));
            let order = nearest.distance_squared.total_cmp(&best.0.distance_squared);
            if !found || order.then(i.cmp(&best.1)).is_lt() {
                (best, found) = ((nearest, i), true);
            }
        }
        best.0.distance()
    });
    best
}
