//! Which of many bodies that stand still does a moving one meet first? Branch and bound over any structure that holds
//! their boxes.
//!
//! The way is cut into pieces that are not much longer than the body. Piece by piece the boxes that the
//! body's box passes are looked up, and the bodies in them are swept in the order of the earliest possible
//! time of contact: when the box around the moving body at any angle enters theirs. Each sweep ends
//! where the first contact so far does, and what comes later is pruned.

use glam::DVec3;

use super::{Moving, Sweep, SweepOptions};
use crate::math::{Pose, length};
use crate::motion::Motion;
use crate::pair::ray_aabb;
use crate::query::Placed;
use crate::shape::{Aabb, Ray};

/// Most pieces of a way.
const MOST_PIECES: f64 = 32.0;

/// Division and product in a time.
const EARLIER: f64 = 1.0 - 4.0 * f64::EPSILON;

/// A search for the first contact; `K` names the bodies that stand still.
pub(crate) struct FirstMet<'a, K> {
    moving: Moving<'a>,
    motion: Motion,
    options: SweepOptions,
    /// The body in the frame of its own.
    bounds: Aabb,
    /// Around the body at all times, as seen from the centre of its motion.
    around: Aabb,
    pieces: f64,
    next: f64,
    seen: Vec<K>,
    first: Option<(K, Sweep)>,
}

impl<'a, K: Copy + Ord> FirstMet<'a, K> {
    pub fn new(moving: Moving<'a>, options: &SweepOptions) -> Self {
        let (options, motion) = (options.checked(), moving.made());
        let bounds = moving.body().bounds(&Pose::IDENTITY);
        let slack = motion.rounding(bounds.reach(), options.until);
        let around = around(&motion, moving).grown(options.separation + slack);
        let way = length(motion.velocity()) * options.until;
        let turn = length(motion.spin()) * options.until;
        let size = around.extent().min_element().max(f64::MIN_POSITIVE);
        // Half-spaces have one piece.
        let pieces = (way / size + turn).ceil().clamp(1.0, MOST_PIECES);
        let pieces = if size.is_finite() { pieces } else { 1.0 };
        Self { moving, motion, options, bounds, around, pieces, next: 0.0, seen: Vec::new(), first: None }
    }

    /// Where to look next; `None` if nothing else can be met before the first contact so far.
    pub fn region(&mut self) -> Option<Aabb> {
        let time = |piece: f64| self.options.until * (piece / self.pieces);
        let [from, to] = [time(self.next), time(self.next + 1.0)];
        if self.next >= self.pieces || from > self.until() {
            return None;
        }
        self.next += 1.0;
        let swept = self.motion.swept(&self.bounds, from, to.min(self.until()).max(from));
        Some(swept.grown(self.options.separation))
    }

    /// Tests the bodies there, each with its box, in any order; those tested before are skipped.
    /// `sweep` computes when two bodies meet.
    pub fn look<'b>(
        &mut self,
        standing: impl Iterator<Item = (K, Placed<'b>, Aabb)>,
        mut sweep: impl FnMut(Moving, Moving, &SweepOptions) -> Sweep,
    ) {
        let mut near = Vec::new();
        for (key, placed, aabb) in standing {
            let Err(place) = self.seen.binary_search(&key) else { continue };
            self.seen.insert(place, key);
            if let Some(time) = self.earliest(&aabb) {
                near.push((time, key, placed));
            }
        }
        near.sort_by(|(s, a, _), (t, b, _)| s.total_cmp(t).then(a.cmp(b)));
        for (time, key, placed) in near {
            if time > self.until() {
                break;
            }
            let still = Motion::still(placed.pose());
            let found = sweep(self.moving, placed.body().moving(&still), &self.options.until(self.until()));
            let is_first =
                |(known, first): (K, Sweep)| (found.free_until(), key) < (first.free_until(), known);
            if found != Sweep::Free && self.first.is_none_or(is_first) {
                self.first = Some((key, found));
            }
        }
    }

    /// What is met first: of several at the same time the first by name. If its sweep is undecided, nothing
    /// is met before that is free.
    pub fn found(self) -> Option<(K, Sweep)> {
        self.first
    }

    /// Nothing later is of interest.
    fn until(&self) -> f64 {
        match &self.first {
            // To the end of the interval, so that what is met at the same time is found too.
            Some((_, Sweep::Hit(impact))) => impact.time.upper.min(self.options.until),
            Some((_, found)) => found.free_until().min(self.options.until),
            None => self.options.until,
        }
    }

    /// A time before which the moving body certainly does not meet what is in a box; `None` if never.
    fn earliest(&self, aabb: &Aabb) -> Option<f64> {
        let (origin, direction) = (self.motion.center(), self.motion.velocity());
        let sum = Aabb { min: aabb.min - self.around.max, max: aabb.max - self.around.min }.grown(0.0);
        if !(sum.min.is_finite() && sum.max.is_finite()) {
            return Some(0.0);
        }
        ray_aabb(&Ray { origin, direction }, &sum, self.until()).map(|hit| hit.t * EARLIER)
    }
}

/// A box that holds the body at all times as seen from the centre of its motion.
fn around(motion: &Motion, moving: Moving) -> Aabb {
    let bounds = moving.body().bounds(motion.start());
    let center = motion.center();
    let from_center = Aabb { min: bounds.min - center, max: bounds.max - center };
    if !motion.turns() {
        return from_center.grown(0.0);
    }
    let radius = length(from_center.min.abs().max(from_center.max.abs())) * (1.0 + 8.0 * f64::EPSILON);
    Aabb { min: DVec3::splat(-radius), max: DVec3::splat(radius) }
}
