//! Every box with every other, eight at a time.

use fearless_simd::Simd;

use super::boxes::{Boxes, Extent};
use super::finder::{FoundPairs, PairFinder};
use super::rows::{Row, Rows, ToF32};
use crate::math::simd::{Level, dispatch_to_avx2};

/// Brute force: n(n − 1)/2 comparisons, which is the quickest way for some hundred boxes at most.
#[derive(Debug, Clone, Default)]
pub(super) struct BruteForce {
    rows: Rows,
}

impl PairFinder for BruteForce {
    fn name(&self) -> &str {
        "brute"
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        let map = ToF32::fitting(&Extent::of(boxes.live().map(|i| boxes.get(i))).bounds, [0, 1, 2]);
        let rows: Vec<Row> = boxes.live().map(|i| Row::new(boxes.get(i), i, &map)).collect();
        self.rows.fill(rows.iter().copied(), rows.len());
        let rows = &self.rows;
        let tests = dispatch_to_avx2!(Level::new(), simd => all(simd, rows, boxes, found));
        found.counters.tests += tests;
    }

    fn bytes(&self) -> usize {
        self.rows.bytes()
    }
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn all<S: Simd>(simd: S, rows: &Rows, boxes: &Boxes, found: &mut FoundPairs) -> u64 {
    rows.all(simd, |k, l, certain| {
        let (i, j) = (rows.index(k), rows.index(l));
        if boxes.may_pair(i, j) && (certain || boxes.meet(i, j)) {
            found.keep(i, j);
        }
    })
}
