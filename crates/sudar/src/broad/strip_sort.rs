//! Strip sort and sweep: the quick one from scratch.
//!
//! Space is divided into long strips along one axis. Each box is copied into the strips that it enters; in
//! each strip the copies are put into buckets along the axis and swept, sixteen comparisons at a time. A pair
//! is kept in the strip alone where its overlap begins, so that no set of pairs is needed to drop
//! repetitions. Everything is done in `f32`, see `rows.rs`; where two ends are equal there, `f64` decides.
//!
//! Strips are swept slab by slab, as many side by side as fit the second cache; work is dealt out by slabs,
//! and how wide strips are follows from a sample of the boxes. From frame to frame see `coherent.rs`.

mod agenda;
mod coherent;
mod course;
mod layout;
mod motion;
mod sweep;

use super::boxes::{Boxes, overlap};
use super::finder::{Counters, FoundPairs};
use super::pairs::sorted_pairs;
use super::rows::Row;
use crate::shape::Aabb;

pub(super) use coherent::Strips;

use layout::Layout;
use sweep::{Source, count, sweep};

/// All pairs `[i, j]`, `i < j`, of boxes with a point in common, sorted; touching counts, an empty box meets
/// nothing, ends may be infinite.
///
/// By strip sort and sweep: O(n log n) plus the pairs for boxes of similar size, on all cores, the same for
/// any number of them.
pub fn candidate_pairs(boxes: &[Aabb]) -> Vec<[u32; 2]> {
    counted_pairs(boxes).0
}

/// The name of this algorithm.
pub(super) const NAME: &str = "strips";

/// Lists the pairs of boxes, or counts them if the result is so begun.
pub(super) fn list_or_count(boxes: &[Aabb], found: &mut FoundPairs) {
    if let Some(count) = &mut found.counted {
        (*count, found.counters) = count_pairs(boxes);
    } else {
        (found.pairs, found.counters) = counted_pairs(boxes);
    }
}

/// The same, with the work that was done.
fn counted_pairs(boxes: &[Aabb]) -> (Vec<[u32; 2]>, Counters) {
    let (lists, counters) = unsorted_pairs(boxes);
    (sorted_pairs(&lists, boxes.len()), counters)
}

/// How many pairs there are, without a list of them.
fn count_pairs(boxes: &[Aabb]) -> (u64, Counters) {
    let Some(layout) = Layout::of(boxes) else { return Default::default() };
    count(&Posed { boxes, layout: &layout }, &layout)
}

/// The same for the boxes of a broad phase, without pairs of static ones.
fn overlapping_pairs(boxes: &Boxes) -> (Vec<[u32; 2]>, Counters) {
    let (lists, counters) = overlapping_lists(boxes);
    (sorted_pairs(&lists, boxes.slots().len()), counters)
}

/// All pairs of the boxes of a broad phase that overlap and are not both static, in several lists that are
/// not sorted, and the work that was done: what an algorithm that follows pairs from frame to frame begins
/// with.
pub fn overlapping_lists(boxes: &Boxes) -> (Vec<Vec<[u32; 2]>>, Counters) {
    let (mut lists, counters) = unsorted_pairs(boxes.slots());
    if boxes.statics() > 0 {
        lists.iter_mut().for_each(|list| list.retain(|&[i, j]| boxes.may_pair(i, j)));
    }
    (lists, counters)
}

fn unsorted_pairs(boxes: &[Aabb]) -> (Vec<Vec<[u32; 2]>>, Counters) {
    let Some(layout) = Layout::of(boxes) else { return Default::default() };
    let source = Posed { boxes, layout: &layout };
    let swept = sweep(&source, &layout, 0..layout.slabs(), |mut swept| {
        for pair in &mut swept.pairs {
            let [i, j] = pair.map(|place| swept.items[place as usize].index);
            *pair = [i.min(j), i.max(j)];
        }
        (swept.pairs, swept.counters)
    });
    let mut counters = Counters::default();
    let lists = swept.into_iter().map(|(pairs, more)| {
        counters += more;
        pairs
    });
    (lists.collect(), counters)
}

/// Boxes as they are.
struct Posed<'a> {
    boxes: &'a [Aabb],
    layout: &'a Layout,
}

impl Source for Posed<'_> {
    type Item = Row;

    fn len(&self) -> usize {
        self.boxes.len()
    }

    #[inline(always)]
    fn item(&self, i: usize) -> Option<Row> {
        let aabb = &self.boxes[i];
        // False for what is no box. Closures here would be calls.
        if !aabb.min.cmple(aabb.max).all() {
            return None;
        }
        Some(Row::new(aabb, i as u32, &self.layout.map))
    }

    #[inline(always)]
    fn row(&self, item: &Row) -> Row {
        *item
    }

    #[inline]
    fn confirm(&self, one: &Row, other: &Row) -> bool {
        overlap(&self.boxes[one.index as usize], &self.boxes[other.index as usize])
    }
}
