//! Overlap of intervals on three axes with flags for each pair (Cohen, Lin, Manocha, Ponamgi 1995, "I-COLLIDE: an
//! interactive and exact collision detection system for large-scale environments").

use super::active_pairs::ActivePairs;
use super::end_points::Swap;
use sudar::broad::Boxes;
use sudar::broad::{FoundPairs, PairFinder};

/// Three sorted lists of interval ends. Each pair of boxes has a flag an axis, set and cleared as ends change
/// places; those with all three flags are the active pairs.
///
/// A frame costs O(n + swaps) where boxes move little. The flags of pairs that overlap on some axis are kept in a hash,
/// which grows with n^(5/3) of them for boxes spread evenly, or where most pairs do in a table of n²/2 bytes, as in the
/// paper: this is for thousands of boxes at most.
#[derive(Debug, Clone, Default)]
pub(super) struct Intervals {
    active: ActivePairs,
}

const ALL: u8 = 0b111;

impl PairFinder for Intervals {
    fn name(&self) -> &str {
        "intervals"
    }

    fn inserted(&mut self, _boxes: &Boxes, i: u32) {
        self.active.insert(i);
    }

    fn removed(&mut self, _boxes: &Boxes, i: u32, _before: &sudar::shape::Aabb) {
        self.active.remove(i);
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        if self.active.read(boxes) {
            self.begin();
        } else {
            found.counters.swaps += self.sort();
        }
        let flags = &self.active.flags;
        found.counters.visits += flags.len() as u64;
        flags.with(ALL).filter(|&[i, j]| boxes.may_pair(i, j)).for_each(|[i, j]| found.keep(i, j));
    }

    fn bytes(&self) -> usize {
        self.active.bytes()
    }
}

impl Intervals {
    fn begin(&mut self) {
        self.active.begin();
        let ActivePairs { ends, flags, .. } = &mut self.active;
        for axis in 0..3 {
            ends.overlapping(axis, |i, j| {
                flags.set(i, j, 1 << axis);
            });
        }
    }

    fn sort(&mut self) -> u64 {
        let ActivePairs { ends, flags, .. } = &mut self.active;
        let mut swaps = 0;
        for axis in 0..3 {
            swaps += ends.insertion_sort(axis, |swap, i, j| match swap {
                Swap::Begin => {
                    flags.set(i, j, 1 << axis);
                }
                Swap::End => flags.clear(i, j, 1 << axis),
            });
        }
        swaps
    }
}
