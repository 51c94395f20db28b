//! Strip sort and sweep over boxes in `f32`.

use std::ops::Range;

use fearless_simd::Simd;

use super::super::finder::Counters;
use super::super::rows::{LANES, Parts, Row, Rows};
use super::layout::Layout;
use crate::math::par::mapped;
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
pub(super) struct Swept<'a, T> {
    /// The boxes in the slab.
    pub items: &'a [T],
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
    finish: impl Fn(Swept<'_, S::Item>) -> T + Sync + Send,
) -> Vec<T> {
    each_slab(source, layout, slabs, |slab, items| {
        let (pairs, counters) = slab.sweep(source, items);
        finish(Swept { items, pairs, counters })
    })
}

/// How many pairs there are in all slabs, which are not listed.
pub(super) fn count<S: Source>(source: &S, layout: &Layout) -> (u64, Counters) {
    let counted = each_slab(source, layout, 0..layout.slabs(), |slab, items| slab.count(source, items));
    let mut counters = Counters::default();
    let counts = counted.into_iter().map(|(count, more)| {
        counters += more;
        count
    });
    (counts.sum(), counters)
}

fn each_slab<S: Source, T: Send>(
    source: &S,
    layout: &Layout,
    slabs: Range<usize>,
    work: impl Fn(Slab, &[S::Item]) -> T + Sync + Send,
) -> Vec<T> {
    let chunks =
        mapped(0..source.len().div_ceil(CHUNK), 1, |chunk| Chunk::new(source, chunk, layout, &slabs));
    mapped(0..slabs.len(), 1, |place| {
        let joined: Vec<S::Item>;
        let items = if let [chunk] = &chunks[..] {
            chunk.of_slab(place)
        } else {
            joined = chunks.iter().map(|chunk| chunk.of_slab(place)).collect::<Vec<_>>().concat();
            &joined
        };
        work(Slab::new(source, items, slabs.start + place, layout), items)
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
        if layout.slabs() == 1 {
            for i in numbers {
                items.extend(source.item(i));
            }
            return Self { starts: vec![0, items.len() as u32], items };
        }
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
    /// Boxes strip by strip, and in each bucket by bucket; those that enter several strips are there several
    /// times. Numbered by their places in the list of items, with [`BEGINS`].
    rows: Rows,
    /// Where each bucket of each strip ends.
    ends: Vec<u32>,
    buckets: Parts,
    /// Buckets a strip.
    count: usize,
}

/// Where the bits stand that say whether a box begins in a strip across axis 1, and across axis 2; its place is below.
const BEGINS: u32 = 30;

/// The place of a box without these bits.
#[cfg_attr(not(opt_level_0), inline(always))]
fn place(marked: u32) -> u32 {
    marked & ((1 << BEGINS) - 1)
}

impl Slab {
    fn new<S: Source>(source: &S, items: &[S::Item], slab: usize, layout: &Layout) -> Self {
        let strips = layout.strips_of(slab);
        let count = (layout.spread * items.len() / (PER_BUCKET * strips)).clamp(1, 1 << 14);
        let buckets = Parts::new(&layout.along, count);
        let mut ends = vec![0u32; strips * count];
        let mut copies = Vec::with_capacity(items.len() + items.len() / 2);
        for (place, item) in items.iter().enumerate() {
            let row = source.row(item);
            let bucket = buckets.of(row.min[0]);
            layout.for_each_strip(&layout.span(&row, slab), |strip, begins| {
                let cell = strip * count + bucket;
                ends[cell] += 1;
                copies.push([cell as u32, place as u32 | u32::from(begins) << BEGINS]);
            });
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        // Each beginning becomes the end of its bucket.
        let mut order = vec![0; copies.len()];
        for [cell, marked] in copies {
            let next = &mut ends[cell as usize];
            order[*next as usize] = marked;
            *next += 1;
        }
        sort_full_buckets(&mut order, &ends, |marked| source.row(&items[place(marked) as usize]).min[0]);
        let row = |marked: &u32| Row { index: *marked, ..source.row(&items[place(*marked) as usize]) };
        let mut rows = Rows::default();
        rows.fill(order.iter().map(row), order.len());
        Self { rows, ends, buckets, count }
    }

    fn sweep<S: Source>(&self, source: &S, items: &[S::Item]) -> (Vec<[u32; 2]>, Counters) {
        let mut hits = Hits::new(self.rows.len());
        let tests = dispatch!(Level::new(), simd => self.compare(simd, &mut hits, usize::MAX, |_| {}));
        (self.pairs(&hits, source, items), self.counters(tests))
    }

    /// How many pairs there are. What the comparisons found is counted before it takes much memory.
    fn count<S: Source>(&self, source: &S, items: &[S::Item]) -> (u64, Counters) {
        const MANY: usize = 1 << 18;
        let mut count = 0;
        let mut hits = Hits::new(self.rows.len());
        let mut tally = |hits: &mut Hits| {
            self.each_hit(hits, source, items, |_, _, begins_here| count += u64::from(begins_here));
            hits.clear();
        };
        let tests = dispatch!(Level::new(), simd => self.compare(simd, &mut hits, MANY, &mut tally));
        tally(&mut hits);
        (count, self.counters(tests))
    }

    fn counters(&self, tests: u64) -> Counters {
        Counters { tests, visits: 0, swaps: self.rows.len() as u64 }
    }

    /// Compares each box with those that begin along the strip before it ends. Calls `full` where the hits become many.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn compare<L: Simd>(
        &self,
        simd: L,
        hits: &mut Hits,
        many: usize,
        mut full: impl FnMut(&mut Hits),
    ) -> u64 {
        let mut tests = 0;
        let mut k = 0;
        for ends in self.ends.chunks_exact(self.count) {
            let last = ends[ends.len() - 1] as usize;
            while k < last {
                let end = self.end_of_begun(k, ends);
                tests += (end - k - 1) as u64;
                let one = self.rows.splat(simd, k);
                let [certain, touched] = self.rows.touched(simd, k + 1, end, &one);
                hits.first[k] = certain as u16;
                hits.count += touched.count_ones() as usize;
                hits.add_uncertain(k, k + 1, touched & !certain);
                // Seldom, so that what the processor expects is mostly so.
                let mut first = k + 1 + LANES;
                while first < end {
                    let [certain, touched] = self.rows.touched(simd, first, end, &one);
                    if touched != 0 {
                        hits.more.push((k as u32, first as u32, certain));
                        hits.count += touched.count_ones() as usize;
                        hits.add_uncertain(k, first, touched & !certain);
                    }
                    first += LANES;
                }
                if hits.more.len().max(hits.uncertain.len()) > many {
                    full(hits);
                }
                k += 1;
            }
        }
        tests
    }

    /// Where boxes of the strip no longer begin before one ends.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn end_of_begun(&self, k: usize, ends: &[u32]) -> usize {
        let bucket = self.buckets.of(self.rows.end(k));
        let end = ends[bucket] as usize;
        let start = if bucket == 0 { k } else { k.max(ends[bucket - 1] as usize) };
        if end - start > FULL as usize { self.rows.end_of_begun(k, start..end) } else { end }
    }

    /// The pairs among the hits. Without a branch for each: whether there is a hit, or whether it belongs to
    /// this strip, could not be foreseen.
    fn pairs<S: Source>(&self, hits: &Hits, source: &S, items: &[S::Item]) -> Vec<[u32; 2]> {
        let mut pairs = vec![[0; 2]; hits.count];
        let mut count = 0;
        self.each_hit(hits, source, items, |one, other, begins_here| {
            pairs[count] = [one, other];
            count += usize::from(begins_here);
        });
        pairs.truncate(count);
        pairs
    }

    /// Calls `keep` with the places of two boxes that overlap, and whether the overlap begins in this strip.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn each_hit<S: Source>(
        &self,
        hits: &Hits,
        source: &S,
        items: &[S::Item],
        mut keep: impl FnMut(u32, u32, bool),
    ) {
        let mut keep = |k: usize, l: usize| {
            let (one, other) = (self.rows.index(k), self.rows.index(l));
            keep(place(one), place(other), (one | other) >> BEGINS == 0b11);
        };
        for (four, masks) in hits.first.chunks_exact(4).enumerate() {
            let mut bits = masks.iter().rev().fold(0u64, |bits, mask| bits << LANES | u64::from(*mask));
            while bits != 0 {
                let bit = bits.trailing_zeros() as usize;
                let k = 4 * four + bit / LANES;
                keep(k, k + 1 + bit % LANES);
                bits &= bits - 1;
            }
        }
        for &(k, first, mut bits) in &hits.more {
            while bits != 0 {
                keep(k as usize, first as usize + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
        for &(k, first, mut bits) in &hits.uncertain {
            while bits != 0 {
                let l = first as usize + bits.trailing_zeros() as usize;
                let [one, other] = [k as usize, l].map(|row| &items[place(self.rows.index(row)) as usize]);
                if source.confirm(one, other) {
                    keep(k as usize, l);
                }
                bits &= bits - 1;
            }
        }
    }
}

/// What the comparisons of a slab found.
struct Hits {
    /// For each box which of the next ones it overlaps for certain.
    first: Vec<u16>,
    /// Of boxes with more neighbours, one and the first of the others.
    more: Vec<(u32, u32, u32)>,
    /// Those that touch in `f32`, and may be apart, likewise.
    uncertain: Vec<(u32, u32, u32)>,
    count: usize,
}

impl Hits {
    fn new(boxes: usize) -> Self {
        let first = vec![0; boxes.next_multiple_of(4)];
        Self { first, more: Vec::new(), uncertain: Vec::new(), count: 0 }
    }

    fn clear(&mut self) {
        self.first.fill(0);
        self.more.clear();
        self.uncertain.clear();
        self.count = 0;
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn add_uncertain(&mut self, k: usize, first: usize, bits: u32) {
        if bits != 0 {
            self.uncertain.push((k as u32, first as u32, bits));
        }
    }
}

/// Sorts what lies in buckets with many boxes, of which most would be compared in vain.
fn sort_full_buckets(order: &mut [u32], ends: &[u32], begin: impl Fn(u32) -> f32) {
    let mut start = 0;
    for &end in ends {
        if end - start > FULL {
            let bucket = &mut order[start as usize..end as usize];
            bucket.sort_unstable_by(|a, b| begin(*a).total_cmp(&begin(*b)).then(place(*a).cmp(&place(*b))));
        }
        start = end;
    }
}

/// Buckets with more boxes are sorted.
const FULL: u32 = 48;

/// Boxes a bucket, on average.
const PER_BUCKET: usize = 2;
