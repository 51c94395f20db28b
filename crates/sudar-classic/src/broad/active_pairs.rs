//! What the two methods that sort end points by insertion have in common: the end points, and flags of pairs in a hash.

use super::end_points::EndPoints;
use super::pair_flags::PairFlags;
use sudar::broad::Boxes;

/// End points in order, and the pairs that they make.
#[derive(Debug, Clone, Default)]
pub(super) struct ActivePairs {
    pub ends: EndPoints,
    pub flags: PairFlags,
    added: usize,
    removed: Vec<u32>,
}

impl ActivePairs {
    pub fn insert(&mut self, i: u32) {
        self.ends.append(i);
        self.added += 1;
    }

    pub fn remove(&mut self, i: u32) {
        self.removed.push(i);
    }

    /// Reads where the boxes are and drops the pairs of those that were removed. Whether it is better to
    /// begin anew: many new boxes would each change places with half of the others.
    pub fn read(&mut self, boxes: &Boxes) -> bool {
        self.ends.read(boxes);
        self.forget_removed();
        std::mem::take(&mut self.added) > 8 + boxes.len() / 8
    }

    /// Sorts all end points and forgets all pairs.
    pub fn begin(&mut self) {
        self.ends.sort();
        self.flags.reset();
    }

    fn forget_removed(&mut self) {
        if self.removed.is_empty() {
            return;
        }
        self.removed.sort_unstable();
        let gone = |i: &u32| self.removed.binary_search(i).is_ok();
        let pairs: Vec<[u32; 2]> = self.flags.with(0).filter(|[i, j]| gone(i) || gone(j)).collect();
        pairs.iter().for_each(|&[i, j]| self.flags.clear(i, j, u8::MAX));
        self.removed.clear();
    }

    pub fn bytes(&self) -> usize {
        self.ends.bytes() + self.flags.bytes() + 4 * self.removed.capacity()
    }
}
