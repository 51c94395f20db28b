//! Which cells and passes floods have reached.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

/// A pair of triangles.
pub(super) type Cell = [u32; 2];

/// Corners or edges of one surface with a triangle of the other: what many cells have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pass {
    /// 0: the corner or edge is of the first body; 1: of the second; 2: a corner of either.
    pub side: u32,
    /// Welded corners; both the same for a corner.
    pub feature: [u32; 2],
    /// The triangle of the other body.
    pub other: u32,
}

impl Pass {
    /// The cell of this triangle, of the side that the pass is of.
    pub fn cell(&self, triangle: u32) -> Cell {
        if self.side == 0 { [triangle, self.other] } else { [self.other, triangle] }
    }

    fn key(&self) -> (u64, u64) {
        (pair(self.feature), pair([self.side, self.other]))
    }
}

fn pair([i, j]: [u32; 2]) -> u64 {
    u64::from(i) << 32 | u64::from(j)
}

/// The number of the flood that was first at each cell and at each pass with many cells around it.
#[derive(Default)]
pub(super) struct Wet {
    flood: u32,
    cells: HashMap<u64, u32, BuildHasherDefault<Mix>>,
    passes: HashMap<(u64, u64), u32, BuildHasherDefault<Mix>>,
    meets_earlier: bool,
}

impl Wet {
    /// The next flood begins.
    pub fn begin(&mut self) {
        self.flood += 1;
        self.meets_earlier = false;
    }

    /// Whether this flood has reached the cell.
    pub fn has(&self, cell: Cell) -> bool {
        self.cells.get(&pair(cell)) == Some(&self.flood)
    }

    /// The flood reaches a cell; whether no flood was there before.
    pub fn wets(&mut self, cell: Cell) -> bool {
        match self.cells.entry(pair(cell)) {
            Entry::Vacant(place) => {
                place.insert(self.flood);
                true
            }
            Entry::Occupied(first) => {
                self.meets_earlier |= *first.get() != self.flood;
                false
            }
        }
    }

    /// Whether a flood went through the pass before.
    pub fn went_through(&mut self, pass: Pass) -> bool {
        let first = self.passes.get(&pass.key());
        self.meets_earlier |= first.is_some_and(|&flood| flood != self.flood);
        first.is_some()
    }

    /// Whether this flood, or one before it, went through the block of two fans; from now on one did.
    pub fn goes_through_block(&mut self, tips: [u32; 2]) -> bool {
        let pass = Pass { side: 2, feature: tips, other: 0 };
        let before = self.went_through(pass);
        if !before {
            self.goes_through(pass);
        }
        before
    }

    /// The flood goes through a pass, and reaches all cells around it.
    pub fn goes_through(&mut self, pass: Pass) {
        self.passes.insert(pass.key(), self.flood);
    }

    /// Whether this flood has come to where an earlier one was.
    pub fn meets_earlier(&self) -> bool {
        self.meets_earlier
    }
}

/// A quick hash of one or two numbers: the finaliser of SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable
/// pseudorandom number generators"). The order of the table is never used.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, number: u64) {
        let mut z = (self.0 ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = z ^ (z >> 31);
    }
}
