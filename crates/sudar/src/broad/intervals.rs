//! Overlap of intervals on three axes with flags for each pair (Cohen, Lin, Manocha, Ponamgi 1995, "I-COLLIDE: an
//! interactive and exact collision detection system for large-scale environments").

use super::Algorithm;
use super::boxes::Boxes;
use super::end_points::{EndPoints, Swap};
use super::pairs::PairFlags;
use super::phase::{Found, Method};

/// Three sorted lists of interval ends. Each pair of boxes has a flag an axis, set and cleared as ends change places; those
/// with all three flags are the active pairs.
///
/// A frame costs O(n + swaps) where boxes move little. The flags of pairs that overlap on some axis are kept in a hash,
/// which grows with n^(5/3) of them for boxes spread evenly: this is for thousands of boxes at most.
#[derive(Debug, Clone, Default)]
pub(super) struct Intervals {
    ends: EndPoints,
    flags: PairFlags,
    added: usize,
    removed: Vec<u32>,
}

const ALL: u8 = 0b111;

impl Method for Intervals {
    fn algorithm(&self) -> Algorithm {
        Algorithm::Intervals
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
        forget(&mut self.flags, &mut self.removed);
        // Many new boxes would each change places with half of the others.
        if std::mem::take(&mut self.added) > 8 + boxes.len() / 8 {
            self.begin();
        } else {
            found.counters.swaps += self.sort();
        }
        found.counters.visits += self.flags.len() as u64;
        found.pairs.extend(self.flags.with(ALL).filter(|&[i, j]| boxes.may_pair(i, j)));
    }

    fn bytes(&self) -> usize {
        self.ends.bytes() + self.flags.bytes()
    }
}

impl Intervals {
    fn begin(&mut self) {
        self.ends.sort();
        self.flags.reset();
        for axis in 0..3 {
            self.ends.overlapping(axis, |i, j| {
                self.flags.set(i, j, 1 << axis);
            });
        }
    }

    fn sort(&mut self) -> u64 {
        let flags = &mut self.flags;
        let mut swaps = 0;
        for axis in 0..3 {
            swaps += self.ends.insertion_sort(axis, |swap, i, j| match swap {
                Swap::Begin => {
                    flags.set(i, j, 1 << axis);
                }
                Swap::End => flags.clear(i, j, 1 << axis),
            });
        }
        swaps
    }
}

/// Drops all pairs of boxes that were removed.
pub(super) fn forget(flags: &mut PairFlags, removed: &mut Vec<u32>) {
    if removed.is_empty() {
        return;
    }
    removed.sort_unstable();
    let gone = |i: &u32| removed.binary_search(i).is_ok();
    let pairs: Vec<[u32; 2]> = flags.with(0).filter(|[i, j]| gone(i) || gone(j)).collect();
    pairs.iter().for_each(|&[i, j]| flags.clear(i, j, u8::MAX));
    removed.clear();
}
