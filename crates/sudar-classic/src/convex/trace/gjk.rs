//! GJK for the distance, plainly.

use sudar::DVec3;
use sudar::convex::{Difference, GjkSimplex};
use sudar::math::Interval;

use super::super::Separation;
use super::{Trace, TraceStep, swollen};

/// The distance of two bodies with every support point told (Gilbert, Johnson and Keerthi 1988, "A fast procedure for
/// computing the distance between complex objects in three-dimensional space"): from the nearest point of a simplex
/// towards the origin to the next support point, until none is nearer. At most `limit` rounds. Up to rounding; for
/// certainty there is [`sudar::convex::gjk`].
pub fn trace_gjk(difference: &Difference, limit: u32) -> Trace {
    let between = difference.between();
    let mut direction = between.try_normalize().unwrap_or(DVec3::X);
    let first = swollen(difference, direction);
    let mut simplex = GjkSimplex::new(first);
    let (mut steps, mut lower): (Vec<TraceStep>, f64) = (Vec::new(), 0.0);
    let mut outcome = Separation::Undecided;
    let mut support = first;
    while (steps.len() as u32) < limit {
        let nearest = simplex.reduce();
        let upper = nearest.map_or(0.0, DVec3::length);
        // All of the difference lies beyond the plane across the support point.
        lower = lower.max(-direction.dot(support.point)).min(upper);
        steps.push(TraceStep {
            direction,
            support: support.point,
            points: simplex.vertices().iter().map(|v| v.point).collect(),
            faces: Vec::new(),
            nearest,
            bounds: Interval { lower, upper },
        });
        let Some(point) = nearest.filter(|point| point.length() > difference.slack()) else {
            outcome = Separation::Colliding;
            break;
        };
        if upper - lower <= 1e-12 * upper {
            break;
        }
        direction = -point / upper;
        support = swollen(difference, direction);
        if simplex.vertices().iter().any(|known| known.point == support.point) {
            lower = upper;
            break;
        }
        simplex.push(support);
    }
    if let Some(last) = steps.last_mut().filter(|_| lower > 0.0) {
        last.bounds.lower = lower;
        let axis = last.nearest.map_or(direction, |point| -point.normalize_or(direction));
        outcome = Separation::Separated { axis };
    }
    Trace { steps, outcome }
}
