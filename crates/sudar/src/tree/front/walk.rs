//! What one walk sees.

use super::opening::Opening;
use super::{CloseLeaves, Entry, Front};

/// What one walk has seen.
pub(super) struct Walk<O: Opening> {
    /// No triangles that were not shown are nearer.
    pub lower: f64,
    /// About how long it took: a group bounded roughly counts 1 and one
    /// bounded well 4, a pair of leaves 3, a pair of triangles 1.
    pub cost: u64,
    /// Groups looked at, with their bounds.
    pub done: Vec<(f64, Entry<O::Group>)>,
    /// Leaves likewise.
    pub leaves: Vec<(f64, CloseLeaves<O::Group>)>,
    /// Of either body, as they are known.
    pub reaches: [Vec<Option<O::Leaf>>; 2],
}

impl<O: Opening> Walk<O> {
    pub fn new(front: &Front<O::Group>) -> Self {
        let reaches = [0, 1].map(|side| vec![None; front.known[side].places.len()]);
        let (done, leaves) = (Vec::with_capacity(front.close.len()), Vec::with_capacity(front.leaves.len()));
        Self { lower: f64::INFINITY, cost: 0, done, leaves, reaches }
    }

    #[inline(always)]
    pub fn keep(&mut self, bound: f64, entry: Entry<O::Group>) {
        self.lower = self.lower.min(bound);
        self.done.push((bound, entry));
    }
}

/// The pairs of a group while they are looked at.
pub(super) struct Parts {
    pub bounds: [f64; 8],
    /// Those that still wait.
    pub left: u8,
}

impl Parts {
    /// Some of `count` pairs, none nearer than `least`.
    #[inline(always)]
    pub fn new(pairs: u8, count: usize, least: f64) -> Self {
        let there = u8::MAX.checked_shr(8 - count.min(8) as u32).unwrap_or(0);
        Self { bounds: [least; 8], left: pairs & there }
    }

    /// More is known of their bounds.
    #[inline(always)]
    pub fn raise(&mut self, bounds: &[f64; 8]) {
        self.bounds.iter_mut().zip(bounds).for_each(|(bound, new)| *bound = bound.max(*new));
    }

    /// Those that wait and are no farther than this.
    #[inline(always)]
    pub fn within(&self, limit: f64) -> impl Iterator<Item = usize> {
        (0..8).filter(move |&k| self.left >> k & 1 == 1 && self.bounds[k] <= limit)
    }

    /// The bound of the nearest that waits.
    #[inline(always)]
    pub fn nearest(&self) -> Option<f64> {
        self.within(f64::INFINITY).map(|k| self.bounds[k]).reduce(f64::min)
    }

    /// The nearest that waits, if it is no farther than `limit`; it waits no more.
    #[inline(always)]
    pub fn take_nearest(&mut self, limit: f64) -> Option<(f64, usize)> {
        let nearer = |best: usize, k: usize| if self.bounds[k] < self.bounds[best] { k } else { best };
        let k = self.within(limit).reduce(nearer)?;
        self.left &= !(1 << k);
        Some((self.bounds[k], k))
    }
}
