//! Strip sort and sweep: the quick one from scratch.
//!
//! Space is divided into long strips along one axis. Each box is copied into the strips that it enters; in each strip the
//! copies are sorted along the axis and swept, eight comparisons at a time. A pair is kept in the strip alone where its
//! overlap begins, so that no set of pairs is needed to drop repetitions. Everything is done in `f32`, see `rows.rs`; where
//! two ends are equal there, `f64` decides.
//!
//! Strips fit the nearest cache, work is dealt out by strips, and how wide they are follows from a sample of the boxes.

mod candidates;
mod coherent;
mod layout;
mod sort;

use fearless_simd::Simd;

use super::boxes::{Boxes, overlap};
use super::pairs::sort_pairs;
use super::phase::Counters;
use super::rows::{Row, Rows};
use super::threads;
use crate::math::simd::{Level, dispatch_to_avx2};
use crate::shape::Aabb;

pub(super) use coherent::Strips;

use layout::Layout;
use sort::Sorter;

/// All pairs `[i, j]`, `i < j`, of boxes with a point in common, sorted; touching counts, an empty box meets nothing, ends
/// may be infinite.
///
/// By strip sort and sweep: O(n log n) plus the pairs for boxes of similar size, on all cores, the same for any number of
/// them.
pub fn candidate_pairs(boxes: &[Aabb]) -> Vec<[u32; 2]> {
    counted_pairs(boxes).0
}

/// The same, with the work that was done.
pub(super) fn counted_pairs(boxes: &[Aabb]) -> (Vec<[u32; 2]>, Counters) {
    let (mut pairs, counters) = unsorted_pairs(boxes);
    sort_pairs(&mut pairs, boxes.len());
    (pairs, counters)
}

/// The same in any order for the boxes of a broad phase, without pairs of static ones.
pub(super) fn overlapping_pairs(boxes: &Boxes) -> (Vec<[u32; 2]>, Counters) {
    let (mut pairs, counters) = unsorted_pairs(boxes.slots());
    if boxes.statics() > 0 {
        pairs.retain(|&[i, j]| boxes.may_pair(i, j));
    }
    (pairs, counters)
}

/// Boxes that are put into strips at a time: what is copied fits the second cache.
const CHUNK: usize = 1 << 15;

/// So few boxes are sorted before they are put into strips: they fit the first cache. More are sorted strip by strip.
const FEW: usize = 1 << 11;

fn unsorted_pairs(boxes: &[Aabb]) -> (Vec<[u32; 2]>, Counters) {
    let Some(layout) = Layout::of(boxes) else { return Default::default() };
    let chunks =
        threads::map(boxes.len().div_ceil(CHUNK), |chunk| Copies::new(boxes, chunk * CHUNK, &layout));
    let groups = layout.strips().div_ceil(layout.strips_at_once());
    let swept = threads::map(groups, |group| {
        let first = group * layout.strips_at_once();
        let last = (first + layout.strips_at_once()).min(layout.strips());
        let mut sweep = Sweep::new(boxes, &layout);
        (first..last).for_each(|strip| sweep.strip(&chunks, strip));
        (sweep.pairs, sweep.counters)
    });
    join(swept)
}

fn join(swept: Vec<(Vec<[u32; 2]>, Counters)>) -> (Vec<[u32; 2]>, Counters) {
    let mut pairs = Vec::with_capacity(swept.iter().map(|(pairs, _)| pairs.len()).sum());
    let mut counters = Counters::default();
    for (some, more) in swept {
        pairs.extend_from_slice(&some);
        counters += more;
    }
    (pairs, counters)
}

/// Copies of some boxes, strip by strip.
struct Copies {
    /// Where the copies of each strip begin, and where the last end.
    starts: Vec<u32>,
    rows: Vec<Row>,
}

impl Copies {
    /// Those of the boxes from `first` on; in order along the strips if they are few.
    fn new(boxes: &[Aabb], first: usize, layout: &Layout) -> Self {
        let last = (first + CHUNK).min(boxes.len());
        let mut starts = vec![0; layout.strips() + 1];
        let mut rows = Vec::with_capacity(last - first);
        let mut spans = Vec::with_capacity(last - first);
        for (i, aabb) in boxes[first..last].iter().enumerate() {
            // False for what is no box.
            if aabb.min.cmple(aabb.max).all() {
                let row = Row::new(aabb, (first + i) as u32, &layout.map);
                let span = layout.span(&row);
                layout.for_each_strip(span, |strip| starts[strip] += 1);
                rows.push(row);
                spans.push(span);
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut copies = vec![Row::NOTHING; sum as usize];
        // Backwards, so that each count becomes the beginning of its list.
        let mut put = |place: usize| {
            layout.for_each_strip(spans[place], |strip| {
                starts[strip] -= 1;
                copies[starts[strip] as usize] = rows[place];
            });
        };
        if boxes.len() <= FEW {
            Sorter::default().order(&rows).iter().rev().for_each(|&place| put(place as usize));
        } else {
            (0..rows.len()).rev().for_each(put);
        }
        Self { starts, rows: copies }
    }

    fn of_strip(&self, strip: usize) -> &[Row] {
        &self.rows[self.starts[strip] as usize..self.starts[strip + 1] as usize]
    }
}

/// Sweeps strips one after the other.
struct Sweep<'a> {
    boxes: &'a [Aabb],
    layout: &'a Layout,
    level: Level,
    sorter: Sorter,
    copies: Vec<Row>,
    rows: Rows,
    pairs: Vec<[u32; 2]>,
    counters: Counters,
}

impl<'a> Sweep<'a> {
    fn new(boxes: &'a [Aabb], layout: &'a Layout) -> Self {
        Self {
            boxes,
            layout,
            level: Level::new(),
            sorter: Sorter::default(),
            copies: Vec::new(),
            rows: Rows::default(),
            pairs: Vec::new(),
            counters: Counters::default(),
        }
    }

    fn strip(&mut self, chunks: &[Copies], strip: usize) {
        if let ([all], true) = (chunks, self.boxes.len() <= FEW) {
            // These are in order already.
            self.rows.fill(all.of_strip(strip).iter());
        } else {
            self.copies.clear();
            chunks.iter().for_each(|chunk| self.copies.extend_from_slice(chunk.of_strip(strip)));
            let order = self.sorter.order(&self.copies);
            self.rows.fill(order.iter().map(|&place| &self.copies[place as usize]));
        }
        self.counters.swaps += self.rows.len() as u64;
        let Self { boxes, layout, rows, pairs, .. } = self;
        self.counters.tests +=
            dispatch_to_avx2!(self.level, simd => swept(simd, rows, strip, layout, boxes, pairs));
    }
}

#[inline(always)]
fn swept<S: Simd>(
    simd: S,
    rows: &Rows,
    strip: usize,
    layout: &Layout,
    boxes: &[Aabb],
    pairs: &mut Vec<[u32; 2]>,
) -> u64 {
    rows.sweep(simd, |k, l| {
        let (one, other) = (rows.get(k), rows.get(l));
        let (i, j) = (one.index, other.index);
        if layout.begins_in(&one, &other, strip)
            && (one.overlaps_strictly(&other) || overlap(&boxes[i as usize], &boxes[j as usize]))
        {
            pairs.push([i.min(j), i.max(j)]);
        }
    })
}
