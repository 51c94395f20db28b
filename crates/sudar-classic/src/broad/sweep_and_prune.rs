//! Incremental sweep and prune (Baraff 1992; the three lists and the set of pairs as in Dimitrijević 2019, "Real-time
//! collision detection algorithms").

use super::active_pairs::ActivePairs;
use super::end_points::Swap;
use sudar::broad::Boxes;
use sudar::broad::overlapping_lists;
use sudar::broad::{FoundPairs, PairFinder};

/// Three sorted lists of end points, sorted by insertion in each frame; the set of pairs is updated where ends change
/// places. The first frame, and one with many new boxes, is begun with the pairs of [`strips`](sudar::broad::strips()).
///
/// A frame costs O(n + swaps): good for many boxes that move little, and worse than any other where they move far.
#[derive(Debug, Clone, Default)]
pub(super) struct SweepAndPrune {
    active: ActivePairs,
}

impl PairFinder for SweepAndPrune {
    fn name(&self) -> &str {
        "sap"
    }

    fn inserted(&mut self, _boxes: &Boxes, i: u32) {
        self.active.insert(i);
    }

    fn removed(&mut self, _boxes: &Boxes, i: u32, _before: &sudar::shape::Aabb) {
        self.active.remove(i);
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        if self.active.read(boxes) {
            self.begin(boxes, found);
        } else {
            self.sort(boxes, found);
        }
        self.active.flags.with(1).for_each(|[i, j]| found.keep(i, j));
    }

    fn bytes(&self) -> usize {
        self.active.bytes()
    }
}

impl SweepAndPrune {
    fn begin(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        self.active.begin();
        let (lists, counters) = overlapping_lists(boxes);
        found.counters += counters;
        lists.iter().flatten().for_each(|&[i, j]| self.active.flags.set(i, j, 1));
    }

    /// A pair that begins to overlap begins to do so on some axis, where the boxes are compared as they are now.
    fn sort(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        let ActivePairs { ends, flags, .. } = &mut self.active;
        let mut tests = 0;
        for axis in 0..3 {
            found.counters.swaps += ends.insertion_sort(axis, |swap, i, j| match swap {
                Swap::Begin => {
                    tests += 1;
                    if boxes.meet(i, j) {
                        flags.set(i, j, 1);
                    }
                }
                Swap::End => flags.clear(i, j, 1),
            });
        }
        found.counters.tests += tests;
    }
}
