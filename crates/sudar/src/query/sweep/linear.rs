//! Two convex bodies that move without turning: in closed form for balls, else by GJK for a ray.

use super::answer::{Impact, SweepOptions};
use super::queue::overlap;
use super::{Moving, Sweep};
use crate::convex::{Convex, Core, Difference, GjkMemory, PosedConvex};
use crate::math::{Interval, Pose, length, unit};
use crate::motion::{CastOutcome, Course, Motion, Piece, entry, gjk_ray_beside, nearest};
use crate::shape::Sphere;

/// The answer, unless the bodies overlap or nearly touch at the beginning, or the search comes to no end.
pub(super) fn cast(
    a: Moving,
    b: Moving,
    motions: &[Motion; 2],
    course: &Course,
    options: &SweepOptions,
) -> Option<Sweep> {
    let (left, right) = (a.body.convex()?, b.body.convex()?);
    let [pose_a, pose_b] = motions.each_ref().map(Motion::start);
    let posed = [PosedConvex::new(left, pose_a), PosedConvex::new(right, pose_b)];
    let delta = options.delta.max(8.0 * course.slack);
    if let (Core::Point(_), Core::Point(_)) = (left.core(), right.core()) {
        return balls(&posed, motions, course, &SweepOptions { delta, ..*options });
    }
    let difference = Difference::new(posed[0], posed[1]);
    let velocity = motions[1].velocity() - motions[0].velocity();
    // What is certain of the difference is so of where the bodies are but for the rounding of their motions.
    let found =
        gjk_ray_beside(&difference, velocity, options.until, [options.separation, delta], course.slack);
    match found.outcome {
        CastOutcome::Free => Some(Sweep::Free),
        CastOutcome::Undecided(_) => None,
        CastOutcome::Contact { time: 0.0, .. } => None,
        CastOutcome::Contact { time, later, distance, a: p, b: q, normal } => {
            let later = if later > time { later } else { touching([left, right], course, time, options) };
            let time = Interval { lower: time, upper: later };
            let at = |i: usize, offset| posed[i].center() + motions[i].velocity() * time.lower + offset;
            let (point_a, point_b) = (at(0, p), at(1, q));
            let features = [0, 0];
            Some(Sweep::Hit(Impact { time, distance, point_a, point_b, normal, features }))
        }
    }
}

/// A time soon after a first contact at which bodies without margins touch.
#[cold]
fn touching(bodies: [&Convex; 2], course: &Course, time: f64, options: &SweepOptions) -> f64 {
    let instant = course.at(time);
    let [a, b] = bodies.map(|convex| Piece::Convex(PosedConvex::new(convex, &Pose::IDENTITY)));
    let near = nearest(&instant, &a, &b, options.separation, &mut GjkMemory::default());
    overlap(course, &instant, &near, [&a, &b], options.separation)
}

/// Balls are certainly apart until the ball of both radii, the separation and what rounding may hide is entered.
fn balls(
    posed: &[PosedConvex; 2],
    motions: &[Motion; 2],
    course: &Course,
    options: &SweepOptions,
) -> Option<Sweep> {
    let [r, s] = posed.map(|p| p.convex().margin());
    let center = posed[0].center();
    let (between, velocity) = (posed[1].center() - center, motions[1].velocity() - motions[0].velocity());
    let radius = r + s + options.separation;
    let entered = |radius: f64| {
        let ball = Sphere { center: glam::DVec3::ZERO, radius };
        entry(&ball, between, velocity, options.until)
    };
    let Some(first) = entered(radius + 2.0 * course.slack) else { return Some(Sweep::Free) };
    // Near a tangent the root has eleven digits: a step back that is a millionth of the slack's time is more than that.
    let lower = (first * (1.0 - 1e-11)).next_down();
    if lower <= 0.0 {
        return None;
    }
    let upper = entered(radius).map_or(lower, |time| (time * (1.0 + 1e-11)).min(options.until).max(lower));
    let at = |i: usize| posed[i].center() + motions[i].velocity() * lower;
    let (p, q) = (at(0), at(1));
    let apart = length(q - p);
    let normal = unit(q - p)?;
    Some(Sweep::Hit(Impact {
        time: Interval { lower, upper },
        distance: (apart - r - s).max(0.0),
        point_a: p + normal * r,
        point_b: q - normal * s,
        normal,
        features: [0, 0],
    }))
}
