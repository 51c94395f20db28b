//! Strips from frame to frame.

use glam::DVec3;

use super::super::boxes::Boxes;
use super::super::phase::{Counters, Found, Method};
use super::super::{Algorithm, threads};
use super::candidates::Candidates;
use super::{counted_pairs, overlapping_pairs};
use crate::shape::Aabb;

/// Where boxes move far, every frame is begun from scratch. Where they move little, the pairs of grown boxes are kept as
/// candidates for as long as no box leaves its grown one (Verlet 1967, "Computer experiments on classical fluids"): in
/// between, a frame is one look at each box and each candidate.
///
/// By how much boxes are grown follows from how far some of them moved in the last step.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Strips {
    /// Grown boxes; empty if there are no candidates.
    grown: Vec<Aabb>,
    /// Twice the way that each end of a box may go before the boxes are grown anew.
    limit: f64,
    /// Pairs of which the grown boxes overlap.
    candidates: Candidates,
    /// Whether objects were removed since, so that none is.
    some_removed: bool,
    /// Every so-manieth box as it was in the last step.
    sample: Vec<Aabb>,
}

/// Boxes that one thread deals with at a time.
const CHUNK: usize = 1 << 14;

/// Boxes looked at to tell how far they move.
const SAMPLE: usize = 512;

/// Grown boxes last so many steps of the usual length.
const STEPS: f64 = 8.0;

/// They are grown by at most this share of their usual size; where they move faster, candidates would be too many.
const MOST_GROWTH: f64 = 0.15;

/// Fewer boxes are begun from scratch.
const LEAST: usize = 256;

impl Method for Strips {
    fn algorithm(&self) -> Algorithm {
        Algorithm::Strips
    }

    fn inserted(&mut self, _boxes: &Boxes, _i: u32) {
        self.grown.clear();
    }

    fn removed(&mut self, _boxes: &Boxes, _i: u32, _before: &Aabb) {
        self.some_removed = true;
    }

    fn follows_moves(&self) -> bool {
        false
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut Found) {
        let margin = self.margin(boxes);
        if !self.are_inside(boxes) {
            if let Some(margin) = margin {
                self.grow(boxes, margin, found);
            } else {
                self.grown.clear();
                self.candidates = Candidates::default();
                (found.pairs, found.counters) = overlapping_pairs(boxes);
                return;
            }
        }
        found.counters +=
            Counters { tests: self.candidates.open as u64, visits: self.grown.len() as u64, swaps: 0 };
        found.sorted = true;
        self.candidates.keep_pairs(boxes, self.some_removed, &mut found.pairs);
    }

    fn bytes(&self) -> usize {
        (self.grown.capacity() + self.sample.capacity()) * size_of::<Aabb>() + self.candidates.bytes()
    }
}

impl Strips {
    /// By how much boxes are to be grown; `None` if they move too far for that.
    fn margin(&mut self, boxes: &Boxes) -> Option<f64> {
        let slots = boxes.slots();
        let step = slots.len().div_ceil(SAMPLE).max(1);
        let now: Vec<Aabb> = slots.iter().step_by(step).copied().collect();
        let before = std::mem::replace(&mut self.sample, now);
        let now = &self.sample;
        if slots.len() < LEAST || before.len() != now.len() {
            return None;
        }
        let moved = |(a, b): (&Aabb, &Aabb)| (a.min - b.min).abs().max((a.max - b.max).abs()).max_element();
        let mut steps: Vec<f64> = before.iter().zip(now).map(moved).filter(|x| x.is_finite()).collect();
        let most = MOST_GROWTH * usual_size(now);
        if steps.is_empty() || most <= 0.0 {
            return None;
        }
        // A few that jump do not count: they are why candidates are found anew now and then.
        let few = steps.len() / 64;
        let usual = *steps.select_nth_unstable_by(few, |a, b| b.total_cmp(a)).1;
        (2.0 * usual <= most).then(|| (STEPS * usual).clamp(0.25 * most, most))
    }

    /// Whether no end of a box has left its place by more than the margin.
    fn are_inside(&self, boxes: &Boxes) -> bool {
        let slots = boxes.slots();
        let limit = DVec3::splat(self.limit);
        let inside = |(aabb, grown): (&Aabb, &Aabb)| {
            let least = grown.min.cmple(aabb.min) & aabb.min.cmple(grown.min + limit);
            let greatest = aabb.max.cmple(grown.max) & (grown.max - limit).cmple(aabb.max);
            // What was removed has coordinates that are not numbers.
            (least & greatest).all() || aabb.min.x.is_nan()
        };
        let chunks = if self.grown.len() == slots.len() { slots.len().div_ceil(CHUNK) } else { 0 };
        let all = threads::map(chunks, |chunk| {
            let part = chunk * CHUNK..((chunk + 1) * CHUNK).min(slots.len());
            slots[part.clone()].iter().zip(&self.grown[part]).all(inside)
        });
        !all.is_empty() && all.into_iter().all(|inside| inside)
    }

    fn grow(&mut self, boxes: &Boxes, margin: f64, found: &mut Found) {
        self.grown.clear();
        self.grown.extend(boxes.slots().iter().map(|aabb| aabb.grown(margin)));
        (self.limit, self.some_removed) = (2.0 * margin, false);
        let (candidates, counters) = counted_pairs(&self.grown);
        found.counters += counters;
        self.candidates = Candidates::new(&candidates, &self.grown, self.limit, boxes);
    }
}

/// The mean of the longest edges of boxes without the largest: a few that span the scene do not say how far the others may grow.
fn usual_size(boxes: &[Aabb]) -> f64 {
    let mut sizes: Vec<f64> =
        boxes.iter().map(|aabb| aabb.extent().max_element()).filter(|size| size.is_finite()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    sizes.truncate(sizes.len() - sizes.len() / 16);
    sizes.iter().sum::<f64>() / sizes.len().max(1) as f64
}
