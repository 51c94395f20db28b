//! Pairs that touched in a step.

use glam::DVec3;

/// A point at which two bodies touched in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TouchPoint {
    /// The point in the world when the contact was found: at the instant of an impact, else at the start of the step.
    pub point: DVec3,
    /// Unit normal, from the first body of the pair to the second.
    pub normal: DVec3,
    /// Normal impulse in the step, in N·s.
    pub impulse: f64,
    pub(super) pair: [u32; 2],
}

/// Phase of a contact in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TouchPhase {
    /// The bodies began to touch in this step.
    Began,
    /// The bodies touched in the step before and in this one.
    Lasts,
    /// The bodies touched in the step before and no longer do.
    Ended,
}

/// Pairs that touched, with the sums of their normal impulses, and their points; both sorted by pair
/// once they are merged.
#[derive(Debug, Default)]
pub struct Touches {
    pub pairs: Vec<([u32; 2], f64)>,
    pub points: Vec<TouchPoint>,
}

impl Touches {
    /// Adds the touches of another part of the step.
    pub fn merge(&mut self, mut more: Self) {
        if self.points.is_empty() {
            std::mem::swap(&mut self.points, &mut more.points);
        }
        self.points.extend(more.points);
        self.points.sort_by_key(|point| point.pair);
        merge(&mut self.pairs, more.pairs);
    }
}

/// Adds pairs to a sorted list, which is sorted afterwards and has each once.
pub fn merge(pairs: &mut Vec<([u32; 2], f64)>, mut more: Vec<([u32; 2], f64)>) {
    if pairs.is_empty() {
        std::mem::swap(pairs, &mut more);
    }
    pairs.extend(more);
    pairs.sort_by_key(|(pair, _)| *pair);
    pairs.dedup_by(|(later, more), (first, sum)| {
        let same = later == first;
        *sum += if same { *more } else { 0.0 };
        same
    });
}
