//! Strip sort and sweep over boxes in `f32`.

use std::ops::Range;

use fearless_simd::Simd;

use super::super::phase::Counters;
use super::super::rows::{Parts, Row, Rows};
use super::super::threads;
use super::layout::{Layout, Span};
use crate::math::simd::{Level, dispatch};

/// What is swept: boxes by number, in the `f32` of the layout.
pub(super) trait Source: Sync {
    /// What is copied of a box, so that it is at hand with its neighbours.
    type Item: Copy + Send + Sync;

    /// One more than the greatest number.
    fn len(&self) -> usize;

    /// The box of that number, if there is one.
    fn item(&self, i: usize) -> Option<Self::Item>;

    /// The box in `f32`.
    fn row(&self, item: &Self::Item) -> Row;

    /// Whether two boxes that touch in `f32`, but do not overlap for certain, are a pair.
    fn confirm(&self, one: &Self::Item, other: &Self::Item) -> bool;
}

/// Pairs in one slab.
pub(super) struct Swept<T> {
    /// The boxes in the slab.
    pub items: Vec<T>,
    /// Pairs of their places in that list, in no order.
    pub pairs: Vec<[u32; 2]>,
    pub counters: Counters,
}

/// Boxes that are brought to `f32` at a time: they fit the second cache.
const CHUNK: usize = 1 << 14;

/// Calls `finish` with the pairs of each of some slabs. Each pair is in one slab.
pub(super) fn sweep<S: Source, T: Send>(
    source: &S,
    layout: &Layout,
    slabs: Range<usize>,
    finish: impl Fn(Swept<S::Item>) -> T + Sync + Send,
) -> Vec<T> {
    let chunks =
        threads::map(source.len().div_ceil(CHUNK), |chunk| Chunk::new(source, chunk, layout, &slabs));
    threads::map(slabs.len(), |place| {
        let items: Vec<S::Item> = chunks.iter().flat_map(|chunk| chunk.of_slab(place)).copied().collect();
        let (pairs, counters) = Slab::new(source, &items, slabs.start + place, layout).sweep(source, &items);
        finish(Swept { items, pairs, counters })
    })
}

/// Some boxes by slab; those that enter several are there several times.
struct Chunk<T> {
    /// Where the boxes of each slab begin, and where the last end.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Chunk<T> {
    fn new(source: &impl Source<Item = T>, chunk: usize, layout: &Layout, slabs: &Range<usize>) -> Self {
        let numbers = chunk * CHUNK..((chunk + 1) * CHUNK).min(source.len());
        let mut items = Vec::with_capacity(numbers.len());
        let mut entered = Vec::with_capacity(numbers.len());
        for i in numbers {
            let Some(item) = source.item(i) else { continue };
            let [low, high] = layout.slabs_of(&source.row(&item));
            let (low, high) = (low.max(slabs.start), (high + 1).min(slabs.end));
            if low < high {
                items.push(item);
                entered.push([(low - slabs.start) as u16, (high - slabs.start) as u16]);
            }
        }
        if slabs.len() == 1 {
            return Self { starts: vec![0, items.len() as u32], items };
        }
        let Some(any) = items.first() else { return Self { starts: vec![0; slabs.len() + 1], items } };
        let mut starts = vec![0; slabs.len() + 1];
        for [low, high] in &entered {
            (*low..*high).for_each(|slab| starts[usize::from(slab)] += 1);
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut copies = vec![*any; sum as usize];
        // Backwards, so that each count becomes the beginning of its list.
        for (item, [low, high]) in items.iter().zip(&entered).rev() {
            for slab in *low..*high {
                let place = &mut starts[usize::from(slab)];
                *place -= 1;
                copies[*place as usize] = *item;
            }
        }
        Self { starts, items: copies }
    }

    fn of_slab(&self, place: usize) -> &[T] {
        &self.items[self.starts[place] as usize..self.starts[place + 1] as usize]
    }
}

/// The boxes of neighbouring strips, sorted into buckets along each strip.
struct Slab {
    /// Boxes strip by strip, and in each bucket by bucket; those that enter several strips are there several times.
    rows: Rows,
    /// For each of them, whether it begins in this strip across axis 1, and across axis 2.
    begins: Vec<u8>,
    /// Where each bucket of each strip ends.
    ends: Vec<u32>,
    buckets: Parts,
    /// Buckets a strip.
    count: usize,
}

/// Marks of a place in a strip.
const BEGINS: u32 = 30;

/// A box begins in a strip across both axes.
const BOTH: u8 = 0b11;

impl Slab {
    fn new<S: Source>(source: &S, items: &[S::Item], slab: usize, layout: &Layout) -> Self {
        let mut rows = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            rows.push(Row { index: place as u32, ..source.row(item) });
        }
        let strips = layout.strips_of(slab);
        let count = (rows.len() / (PER_BUCKET * strips)).clamp(1, 1 << 14);
        let buckets = Parts::new(layout.along, count);
        let spans: Vec<(Span, u32)> =
            rows.iter().map(|row| (layout.span(row, slab), buckets.of(row.min[0]) as u32)).collect();
        let mut ends = vec![0u32; strips * count];
        for (span, bucket) in &spans {
            layout.for_each_strip(span, |strip, _| ends[strip * count + *bucket as usize] += 1);
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        // Each beginning becomes the end of its bucket.
        let mut order = vec![0; sum as usize];
        for (place, (span, bucket)) in spans.iter().enumerate() {
            layout.for_each_strip(span, |strip, begins| {
                let next = &mut ends[strip * count + *bucket as usize];
                order[*next as usize] = place as u32 | u32::from(begins) << BEGINS;
                *next += 1;
            });
        }
        let mut result = Self { rows: Rows::default(), begins: Vec::new(), ends, buckets, count };
        result.sort_full_buckets(&mut order, &rows);
        let places = order.iter().map(|place| &rows[(place & ((1 << BEGINS) - 1)) as usize]);
        result.rows.fill(places, order.len());
        result.begins.extend(order.iter().map(|place| (place >> BEGINS) as u8));
        result
    }

    fn sweep<S: Source>(&self, source: &S, items: &[S::Item]) -> (Vec<[u32; 2]>, Counters) {
        let mut pairs = Vec::with_capacity(self.rows.len());
        let tests = dispatch!(Level::new(), simd => self.swept(simd, source, items, &mut pairs));
        (pairs, Counters { tests, visits: 0, swaps: self.rows.len() as u64 })
    }

    #[inline(always)]
    fn swept<L: Simd, S: Source>(
        &self,
        simd: L,
        source: &S,
        items: &[S::Item],
        pairs: &mut Vec<[u32; 2]>,
    ) -> u64 {
        let mut tests = 0;
        let mut k = 0;
        for ends in self.ends.chunks_exact(self.count) {
            let last = ends[ends.len() - 1] as usize;
            while k < last {
                let bucket = self.buckets.of(self.rows.end(k));
                let mut end = ends[bucket] as usize;
                let start = if bucket == 0 { k } else { k.max(ends[bucket - 1] as usize) };
                if end - start > FULL as usize {
                    end = self.rows.end_of_begun(k, start..end);
                }
                tests += (end - k - 1) as u64;
                self.rows.compare(simd, k, end, &mut |k, l, certain| {
                    if self.begins[k] | self.begins[l] == BOTH {
                        let (one, other) = (self.rows.index(k), self.rows.index(l));
                        if certain || source.confirm(&items[one as usize], &items[other as usize]) {
                            pairs.push([one, other]);
                        }
                    }
                });
                k += 1;
            }
        }
        tests
    }
}

impl Slab {
    /// Sorts what lies in buckets with many boxes, of which most would be compared in vain.
    fn sort_full_buckets(&self, order: &mut [u32], rows: &[Row]) {
        let mut start = 0;
        for &end in &self.ends {
            if end - start > FULL {
                let x = |place: &u32| rows[(place & ((1 << BEGINS) - 1)) as usize].min[0];
                order[start as usize..end as usize]
                    .sort_unstable_by(|a, b| x(a).total_cmp(&x(b)).then(a.cmp(b)));
            }
            start = end;
        }
    }
}

/// Buckets with more boxes are sorted.
const FULL: u32 = 48;

/// Boxes a bucket, on average.
const PER_BUCKET: usize = 2;
