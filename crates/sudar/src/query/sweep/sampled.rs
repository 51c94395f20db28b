//! The naive ways: to look at the bodies at some instants only.
//!
//! Pseudo-dynamic detection tests a set of discrete poses, optimised pseudo-dynamic detection halves the step
//! back to the first contact that was found. What passes by between two samples is missed without a word:
//! tunnelling.

use super::Moving;
use crate::math::Interval;
use crate::query::intersects;

/// Whether the bodies touch at one of `steps + 1` instants evenly spread from time 0 to 1; the first at which
/// they do. That there is none says nothing of the time in between: [`sweep`](super::sweep) misses nothing.
pub fn sweep_sampled(a: Moving, b: Moving, steps: u32) -> Option<f64> {
    let time = |step: u32| if steps == 0 { 0.0 } else { f64::from(step) / f64::from(steps) };
    (0..=steps).map(time).find(|&time| touch(a, b, time))
}

/// As [`sweep_sampled`], then halves the step before the contact found `halvings` times: the bodies touch at the upper
/// end of the interval and not at the lower. That need not be the first contact.
pub fn sweep_bisected(a: Moving, b: Moving, steps: u32, halvings: u32) -> Option<Interval> {
    let upper = sweep_sampled(a, b, steps)?;
    let lower = if steps == 0 { 0.0 } else { (upper - 1.0 / f64::from(steps)).max(0.0) };
    let mut bracket = Interval { lower, upper };
    if upper > 0.0 {
        for _ in 0..halvings {
            let middle = 0.5 * (bracket.lower + bracket.upper);
            if touch(a, b, middle) {
                bracket.upper = middle;
            } else {
                bracket.lower = middle;
            }
        }
    }
    Some(bracket)
}

fn touch(a: Moving, b: Moving, time: f64) -> bool {
    let [pose_a, pose_b] = [a, b].map(|moving| moving.motion().at(time));
    intersects(a.body().at(&pose_a), b.body().at(&pose_b)).is_touching()
}
