//! The point of a body nearest to a given one.

use glam::DVec3;

use super::Body;
use super::posed::{Posed, PosedSurface};
use crate::math::{Interval, Pose};
use crate::pair::{Nearest, closest_point_halfspace, closest_point_sphere, closest_point_triangle};

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
    let (nearest, feature, reach) = match Posed::new(a, pose) {
        Posed::Flat(surface) => {
            let (nearest, feature) = nearest_on(&surface, point);
            (nearest, a.feature(feature), surface.reach())
        }
        Posed::Ball(ball) => {
            let reach = ball.center.abs().max_element() + ball.radius;
            (closest_point_sphere(point, &ball), 0, reach)
        }
        Posed::Halfspace(h) => (closest_point_halfspace(point, &h), 0, 0.0),
    };
    let distance = nearest.distance();
    let rounding = rounding(reach + point.abs().max_element());
    let interval =
        if distance == 0.0 { Interval::point(0.0) } else { Interval::point(distance).widened(rounding) };
    ClosestPoint {
        distance: Interval { lower: interval.lower.max(0.0), ..interval },
        point: nearest.b,
        feature,
    }
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
