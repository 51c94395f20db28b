//! Incremental sweep and prune (Baraff 1992; the three lists and the set of pairs as in Dimitrijević 2019, "Real-time
//! collision detection algorithms").

use super::boxes::Boxes;
use super::end_points::{EndPoints, Swap};
use super::pairs::PairFlags;
use super::phase::{Found, Method};
use super::{Algorithm, strips};

/// Three sorted lists of end points, sorted by insertion in each frame; the set of pairs is updated where ends change
/// places. The first frame, and one with many new boxes, is begun with the pairs of [`Algorithm::Strips`].
///
/// A frame costs O(n + swaps): good for many boxes that move little, and worse than any other where they move far.
#[derive(Debug, Clone, Default)]
pub(super) struct SweepAndPrune {
    ends: EndPoints,
    pairs: PairFlags,
    added: usize,
    removed: Vec<u32>,
}

impl Method for SweepAndPrune {
    fn algorithm(&self) -> Algorithm {
        Algorithm::SweepAndPrune
    }

    fn inserted(&mut self, _boxes: &Boxes, i: u32) {
        self.ends.append(i);
        self.added += 1;
    }

    fn removed(&mut self, _boxes: &Boxes, i: u32, _before: &crate::shape::Aabb) {
        self.removed.push(i);
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut Found) {
        self.ends.read(boxes);
        super::intervals::forget(&mut self.pairs, &mut self.removed);
        if std::mem::take(&mut self.added) > 8 + boxes.len() / 8 {
            self.begin(boxes, found);
        } else {
            self.sort(boxes, found);
        }
        found.pairs.extend(self.pairs.with(1));
    }

    fn bytes(&self) -> usize {
        self.ends.bytes() + self.pairs.bytes()
    }
}

impl SweepAndPrune {
    fn begin(&mut self, boxes: &Boxes, found: &mut Found) {
        self.ends.sort();
        self.pairs.reset();
        let (pairs, counters) = strips::overlapping_pairs(boxes);
        found.counters += counters;
        pairs.iter().for_each(|&[i, j]| {
            self.pairs.set(i, j, 1);
        });
    }

    /// A pair that begins to overlap begins to do so on some axis, where the boxes are compared as they are now.
    fn sort(&mut self, boxes: &Boxes, found: &mut Found) {
        let pairs = &mut self.pairs;
        let mut tests = 0;
        for axis in 0..3 {
            found.counters.swaps += self.ends.insertion_sort(axis, |swap, i, j| match swap {
                Swap::Begin => {
                    tests += 1;
                    if boxes.meet(i, j) {
                        pairs.set(i, j, 1);
                    }
                }
                Swap::End => pairs.clear(i, j, 1),
            });
        }
        found.counters.tests += tests;
    }
}
