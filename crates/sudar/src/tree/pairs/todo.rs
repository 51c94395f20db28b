//! What a traversal still has to open, and what it has learned of the two trees on its way.
//!
//! All of it is counted anew in each traversal, so that its course does not depend on earlier ones.

use fearless_simd::{Simd, f32x8};

use crate::tree::distance::obb_pair::Pair;

/// Steps after which, and then after twice as many each time, it is counted how many pairs the boxes
/// have separated.
const REVIEW: u32 = 32;

/// Room for so many pairs at first: what allocators hand out quickest, up to a kilobyte.
const ROOM: usize = 128;

/// Pairs still to be opened; the last one comes first.
pub struct Todo {
    pub deepest_first: bool,
    /// How long the traversal has been so far, see [`Vicinity::most`](crate::tree::Vicinity::most).
    pub steps: u32,
    /// At which step to look next how many pairs the boxes separate.
    pub review: u32,
    /// How many pairs were tested, in eights, and how many were not separated.
    tested: u64,
    kept: u64,
    /// How many pairs of triangles were let through.
    pub shown: u64,
    pub parting: Parting,
    pub pairs: Vec<Pair>,
    /// The children found by one step, before they are put in order: by how much their boxes overlap, as bits, which
    /// for non-negative floats are in the order of the numbers, and below it the inverse of the number of the child, so
    /// that among equals the first one comes last.
    found: [u64; 64],
    count: usize,
}

impl Todo {
    pub fn new(deepest_first: bool) -> Self {
        let parting = Parting { is_due: false, is_crowded: false, credit: Parting::FIRST };
        Self {
            deepest_first,
            parting,
            steps: 0,
            review: REVIEW,
            tested: 0,
            kept: 0,
            shown: 0,
            pairs: Vec::new(),
            found: [0; 64],
            count: 0,
        }
    }

    /// Whether the boxes separate few pairs, or the leaves few triangles: on ordinary meshes a fifth of all
    /// pairs of boxes meet at most, and a step lets through seven pairs of triangles at most.
    pub fn is_crowded(&self) -> bool {
        self.kept > 2 * self.tested || self.shown > 12 * u64::from(self.steps)
    }

    /// Takes note of the children in `mask`, whose boxes overlap by so much, by their numbers from `first` on. At most
    /// 64 of different numbers until they are flushed.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn push<S: Simd>(&mut self, mask: u32, overlap: &f32x8<S>, first: u32) {
        self.tested += 1;
        self.kept += u64::from(mask.count_ones());
        for slot in bits(mask) {
            self.note(overlap[slot as usize], first + slot);
        }
    }

    /// Takes note of one child, which nothing was tested for.
    #[inline(always)]
    pub fn note(&mut self, overlap: f32, number: u32) {
        self.found[self.count & 63] = u64::from(overlap.to_bits()) << 32 | u64::from(!number);
        self.count += 1;
    }

    /// Takes over what was found, `pair` by the numbers.
    #[inline(always)]
    pub fn flush(&mut self, pair: impl Fn(u32) -> Pair) {
        let found = &mut self.found[..self.count];
        if found.is_empty() {
            return;
        }
        self.count = 0;
        if self.deepest_first {
            found.sort_unstable();
        }
        // Many searches find nothing to open; most that do find more.
        if self.pairs.capacity() == 0 {
            self.pairs = Vec::with_capacity(ROOM);
        }
        self.pairs.extend(found.iter().map(|key| pair(!(*key as u32))));
    }
}

/// Whether planes between triangles are worth trying: where surfaces just miss each other nearly every pair
/// is separated by one, where they cross hardly any.
pub struct Parting {
    /// Whether the traversal is long enough for it to matter.
    pub is_due: bool,
    /// Whether boxes separate so little that triangles are tried against those of other leaves from all sides.
    pub is_crowded: bool,
    credit: i32,
}

impl Parting {
    /// Rows of triangles for which it is tried at first.
    const FIRST: i32 = 16;
    /// Most that success can add up to.
    const MOST: i32 = 64;

    #[inline(always)]
    pub fn is_worth_it(&self) -> bool {
        self.is_due && self.credit > 0
    }

    /// Takes notice of how many pairs of a row were separated. An exact test of one costs about twice what a row does.
    #[inline(always)]
    pub fn learn(&mut self, parted: u32) {
        self.credit = (self.credit + 2 * parted as i32 - 1).min(Self::MOST);
    }
}

/// The set bits, least first.
#[inline(always)]
pub fn bits(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let bit = mask.trailing_zeros();
        mask &= mask - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(deepest_first: bool) -> Vec<u32> {
        let mut todo = Todo::new(deepest_first);
        for (number, overlap) in [0.25, 0.0, 2.0, 0.25, 1e30].into_iter().enumerate() {
            todo.note(overlap, number as u32);
        }
        todo.flush(|number| Pair { a: number, b: number });
        std::iter::from_fn(|| todo.pairs.pop()).map(|pair| pair.a).collect()
    }

    #[test]
    fn the_deepest_pair_comes_first_and_of_equals_the_first_one() {
        assert_eq!(order(true), [4, 2, 0, 3, 1]);
        assert_eq!(order(false), [4, 3, 2, 1, 0]);
    }
}
