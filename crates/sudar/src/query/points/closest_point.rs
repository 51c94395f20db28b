//! The point of a body nearest to a given one.

use glam::DVec3;

use crate::effort::Meter;
use crate::math::{Interval, Pose};
use crate::pair::{
    Nearest, closest_point_halfspace, closest_point_triangle, point_halfspace, point_triangle,
};
use crate::query::Body;
use crate::query::answer::{DistanceOptions, rounding};
use crate::query::bodies::{Part, Placed, Posed, PosedSurface, part, visit_parts_near};
use crate::query::distance;

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
pub fn closest_point(a: Placed, point: DVec3) -> ClosestPoint {
    metered(a, point, &mut Meter::unlimited())
}

/// If the meter stops the search, the point is the nearest found, and the interval goes down to the least distance of
/// what was not visited.
pub(crate) fn metered(a: Placed, point: DVec3, meter: &mut Meter) -> ClosestPoint {
    match a.form() {
        Posed::Mesh(surface) => {
            let found = nearest_on(&surface, point, meter);
            let reach = surface.reach() + point.abs().max_element();
            let on = || found.is_inside || point_triangle(point, &surface.triangle(found.feature));
            of_nearest(&found.nearest, found.rest, on, found.feature, reach)
        }
        Posed::Convex(_) => to_convex(a, point, meter),
        Posed::Halfspace(h) => {
            let nearest = closest_point_halfspace(point, &h);
            let on = || point_halfspace(point, &h);
            of_nearest(&nearest, nearest.distance(), on, 0, point.abs().max_element())
        }
        Posed::Compound => to_parts(a, point, meter),
    }
}

/// From the nearest point found and a number that the distance is not below, both rounded. `on` decides exactly
/// whether the point is one of the body: a hair from it, the nearest point may round to it as well.
fn of_nearest(
    nearest: &Nearest,
    lower: f64,
    on: impl FnOnce() -> bool,
    feature: u32,
    reach: f64,
) -> ClosestPoint {
    let distance = nearest.distance();
    let interval = if distance == 0.0 && on() {
        Interval::point(0.0)
    } else {
        Interval::new(lower, distance).widened(rounding(reach))
    };
    ClosestPoint {
        distance: Interval { lower: interval.lower.max(0.0), ..interval },
        point: nearest.b,
        feature,
    }
}

fn to_convex(a: Placed, point: DVec3, meter: &mut Meter) -> ClosestPoint {
    let found = distance::metered(a, Body::new(point).at(&Pose::IDENTITY), &DistanceOptions::EXACT, meter);
    let inside = found.interval.upper == 0.0;
    ClosestPoint { distance: found.interval, point: if inside { point } else { found.point_a }, feature: 0 }
}

/// The nearest of the parts of a compound; of those equally near, the first.
fn to_parts(a: Placed, point: DVec3, meter: &mut Meter) -> ClosestPoint {
    let nowhere = ClosestPoint { distance: Interval::point(f64::INFINITY), point, feature: u32::MAX };
    let (mut best, mut lower) = (nowhere, f64::INFINITY);
    let mut nearer = |part: &Part, meter: &mut Meter| {
        let next = ClosestPoint { feature: part.feature(0), ..metered(part.at(), point, meter) };
        lower = lower.min(next.distance.lower);
        if (next.distance.upper, next.feature) < (best.distance.upper, best.feature) {
            best = next;
        }
        best.distance.upper
    };
    let rest = visit_parts_near(a, point, f64::INFINITY, meter, &mut nearer);
    if meter.is_stopped() {
        // Where the search was stopped, one point says how far the body is at most.
        nearer(&part(a, 0), meter);
    }
    let lower = lower.min(rest).min(best.distance.upper);
    ClosestPoint { distance: Interval { lower, ..best.distance }, ..best }
}

/// The nearest point of the surface of a mesh or solid, also for a point inside; none for bodies without triangles.
pub(crate) fn on_surface(a: Placed, point: DVec3, first: u32, meter: &mut Meter) -> Option<ClosestPoint> {
    let surface = a.surface()?;
    let first = first.min(surface.count() - 1);
    let (nearest, feature, rest) = nearest_triangle(&surface, point, first, meter);
    let reach = surface.reach() + point.abs().max_element();
    let on = || point_triangle(point, &surface.triangle(feature));
    Some(of_nearest(&nearest, rest.min(nearest.distance()), on, feature, reach))
}

/// The nearest point found on a surface.
pub(crate) struct OnSurface {
    /// From the given point to the one found; both the same if it is inside.
    pub nearest: Nearest,
    /// The triangle.
    pub feature: u32,
    /// Whether it is inside.
    pub is_inside: bool,
    /// No triangle is nearer than this but for rounding: the distance, or less if the meter stopped the search.
    pub rest: f64,
}

/// The nearest point on the surface; the point itself if it is inside.
pub(crate) fn nearest_on(surface: &PosedSurface, point: DVec3, meter: &mut Meter) -> OnSurface {
    let inside = surface.encloses_metered(point, meter);
    if inside == Some(true) {
        return OnSurface { nearest: Nearest::between(point, point), feature: 0, is_inside: true, rest: 0.0 };
    }
    let (nearest, feature, rest) = nearest_triangle(surface, point, 0, meter);
    let rest = if inside.is_none() { 0.0 } else { rest.min(nearest.distance()) };
    OnSurface { nearest, feature, is_inside: false, rest }
}

/// The nearest triangle found, from the point to it; and a number but for rounding below which no triangle is near. The
/// first triangle is something to begin with, so that there is an answer however early the search is stopped.
fn nearest_triangle(
    surface: &PosedSurface,
    point: DVec3,
    first: u32,
    meter: &mut Meter,
) -> (Nearest, u32, f64) {
    let mut best = (closest_point_triangle(point, &surface.triangle(first)), first);
    let rest = surface.view().visit_nearest(point, best.0.distance(), meter, |i| {
        let nearest = closest_point_triangle(point, &surface.triangle(i));
        let order = nearest.distance_squared.total_cmp(&best.0.distance_squared);
        if order.then(i.cmp(&best.1)).is_lt() {
            best = (nearest, i);
        }
        best.0.distance()
    });
    (best.0, best.1, rest)
}
