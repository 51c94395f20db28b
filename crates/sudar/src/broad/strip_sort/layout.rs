//! How space is divided into strips.

use glam::DVec3;

use super::super::rows::{Parts, Pieces, Row, ToF32};
use crate::shape::Aabb;

/// Strips along one axis, side by side on the two others. Those at the border reach to infinity.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub map: ToF32,
    /// Strips on axes 1 and 2.
    across: [Parts; 2],
    /// Number of strips on these axes.
    counts: [usize; 2],
    /// The slab of each strip on axis 1.
    slab_of: Vec<u16>,
    /// How many strips on axis 1 make a slab.
    thickness: usize,
    /// Where most boxes are on axis 0, in `f32`.
    pub along: Pieces,
    /// How many times as dense as in an even scene boxes are where they are, if pieces on the three axes
    /// belong to each other one to one.
    pub spread: usize,
}

/// The strips of a slab that a box enters, by their places on the two axes across.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    low: [u16; 2],
    high: [u16; 2],
    /// Whether it enters strips before those of the slab too.
    from_before: bool,
}

/// At most so many boxes are looked at to lay out strips.
const SAMPLE: usize = 256;

/// Boxes of a slab, about: what is held of them fits the second cache.
const SLAB: usize = 1 << 13;

/// Cost of a copy, in comparisons of sixteen: to write it, to sort it, and to begin its sweep.
const COPY: f64 = 2.0;

/// Fewer boxes a strip do not pay.
const LEAST_PER_STRIP: usize = 8;

impl Layout {
    /// `None` where there are no boxes.
    pub fn of(boxes: &[Aabb]) -> Option<Self> {
        let sample = Sample::of(boxes)?;
        let axes = sample.axes();
        let map = ToF32::fitting(&sample.bounds, axes);
        let counts = sample.best_counts(boxes.len(), axes);
        let (low, high) = (map.point(&sample.bounds.min), map.point(&sample.bounds.max));
        let pieces = |k: usize| sample.gaps[axes[k]].pieces([low[k], high[k]]);
        let across = [0, 1].map(|k| Parts::new(&pieces(k + 1), counts[k]));
        let slabs = boxes.len().div_ceil(SLAB).min(counts[0]);
        let thickness = counts[0].div_ceil(slabs);
        let slab_of = (0..counts[0]).map(|strip| (strip / thickness) as u16).collect();
        Some(Self { map, across, counts, slab_of, thickness, along: pieces(0), spread: sample.spread })
    }

    /// The number of slabs, of neighbouring strips each.
    pub fn slabs(&self) -> usize {
        self.counts[0].div_ceil(self.thickness)
    }

    /// How many strips are in a slab.
    pub fn strips_of(&self, slab: usize) -> usize {
        self.thickness.min(self.counts[0] - slab * self.thickness) * self.counts[1]
    }

    /// The slabs that a box enters, from one to another.
    #[inline(always)]
    pub fn slabs_of(&self, row: &Row) -> [usize; 2] {
        let [low, high] = [self.across[0].of(row.min[1]), self.across[0].of(row.max[1])];
        [self.slab_of[low].into(), self.slab_of[high].into()]
    }

    /// The strips of a slab that a box enters, which does.
    #[inline(always)]
    pub fn span(&self, row: &Row, slab: usize) -> Span {
        let first = slab * self.thickness;
        let last = (first + self.thickness).min(self.counts[0]) - 1;
        let [low, high] = [self.across[0].of(row.min[1]), self.across[0].of(row.max[1])];
        Span {
            low: [(low.max(first) - first) as u16, self.across[1].of(row.min[2]) as u16],
            high: [(high.min(last) - first) as u16, self.across[1].of(row.max[2]) as u16],
            from_before: low < first,
        }
    }

    /// Calls `visit` with the strips, numbered within the slab, and whether the box begins there: bit 0 on
    /// axis 1, bit 1 on axis 2.
    #[inline(always)]
    pub fn for_each_strip(&self, span: &Span, mut visit: impl FnMut(usize, u8)) {
        for y in span.low[0]..=span.high[0] {
            let begins = u8::from(y == span.low[0] && !span.from_before);
            for z in span.low[1]..=span.high[1] {
                let strip = usize::from(y) * self.counts[1] + usize::from(z);
                visit(strip, begins | u8::from(z == span.low[1]) << 1);
            }
        }
    }
}

/// Some of the boxes, and where most of them are.
struct Sample {
    sizes: Vec<DVec3>,
    mean: DVec3,
    bounds: Aabb,
    /// Where there is nothing in the bounds, on each axis.
    gaps: [Gaps; 3],
    /// How long the bounds are without the gaps.
    range: DVec3,
    /// See [`Layout::spread`].
    spread: usize,
}

impl Sample {
    /// Every so-manieth box with finite ends; `None` if there is no box at all.
    fn of(boxes: &[Aabb]) -> Option<Self> {
        if !boxes.iter().any(|b| b.min.cmple(b.max).all()) {
            return None;
        }
        let step = boxes.len().div_ceil((boxes.len() / 16).clamp(64, SAMPLE)).max(1);
        let some =
            || boxes.iter().step_by(step).filter(|b| b.extent().is_finite() && b.min.cmple(b.max).all());
        let sizes: Vec<DVec3> = some().map(|b| b.extent()).collect();
        let mut bounds = Aabb { min: DVec3::ZERO, max: DVec3::ZERO };
        for k in 0..3 {
            let mut lows: Vec<f64> = some().map(|b| b.min[k]).collect();
            let mut highs: Vec<f64> = some().map(|b| b.max[k]).collect();
            let count = lows.len();
            if count == 0 {
                continue;
            }
            // Few boxes far away do not count, nor more of them where they are very far.
            let mut ends = |few: usize| {
                let low = *lows.select_nth_unstable_by(few, f64::total_cmp).1;
                let high = *highs.select_nth_unstable_by(few, |a, b| b.total_cmp(a)).1;
                [low.min(high), high.max(low)]
            };
            let ([low, high], [inner_low, inner_high]) = (ends(count / 64), ends(count / 16));
            let room = inner_high - inner_low;
            (bounds.min[k], bounds.max[k]) = (low.max(inner_low - room), high.min(inner_high + room));
        }
        let mean = sizes.iter().sum::<DVec3>() / sizes.len().max(1) as f64;
        let gaps = [0, 1, 2]
            .map(|k| Gaps::between(bounds.min[k], bounds.max[k], some().map(|b| [b.min[k], b.max[k]])));
        let range = bounds.extent() * DVec3::from_array(gaps.each_ref().map(Gaps::share));
        let counts = gaps.map(|gaps| gaps.pieces([0.0, 1.0]).count());
        let spread = counts.iter().product::<usize>() / counts.into_iter().max().unwrap_or(1);
        Some(Self { sizes, mean, bounds, gaps, range, spread })
    }

    /// The axis to sweep, on which boxes are shortest beside the whole; then the others.
    fn axes(&self) -> [usize; 3] {
        let (mean, range) = (self.mean, self.range);
        let length = |k: usize| mean[k] / range[k].max(f64::MIN_POSITIVE);
        let first = [1, 2].into_iter().fold(0, |best, k| if length(k) < length(best) { k } else { best });
        [first, (first + 1) % 3, (first + 2) % 3]
    }

    /// Numbers of strips on axes 1 and 2 that cost least, by a model: copies, and comparisons in the sweep of each.
    fn best_counts(&self, n: usize, axes: [usize; 3]) -> [usize; 2] {
        let range = self.range;
        let most = (self.spread * n / LEAST_PER_STRIP).max(1);
        let mut best = ([1, 1], f64::INFINITY);
        // Strips from as wide as the mean box to as wide as the scene.
        let mut width = 1.0;
        while width < 1e9 {
            let counts = [1, 2].map(|k| {
                let size = (width * self.mean[axes[k]]).max(f64::MIN_POSITIVE);
                (range[axes[k]] / size).clamp(1.0, 65536.0) as usize
            });
            let cost = self.cost(n, axes, counts);
            if counts[0] * counts[1] <= most && cost < best.1 {
                best = (counts, cost);
            }
            if counts == [1, 1] {
                break;
            }
            width *= 1.5;
        }
        best.0
    }

    fn cost(&self, n: usize, axes: [usize; 3], counts: [usize; 2]) -> f64 {
        let range = self.range;
        let share = |size: f64, k: usize| (size / range[axes[k]].max(f64::MIN_POSITIVE)).min(1.0);
        let copies = self.sizes.iter().map(|size| {
            [1, 2].into_iter().fold(1.0, |copies, k| {
                copies * (1.0 + share(size[axes[k]], k) * (counts[k - 1] as f64 - 1.0))
            })
        });
        let copies = copies.sum::<f64>() / self.sizes.len().max(1) as f64;
        let per_strip = copies * n as f64 / (counts[0] * counts[1]) as f64;
        let swept = self.spread as f64 * per_strip * share(self.mean[axes[0]], 0) / 16.0;
        copies * (COPY + swept)
    }
}

/// Where there are no boxes along an axis: without its gaps, a scene of clusters far apart is as long as these.
#[derive(Debug, Clone, Copy)]
struct Gaps {
    /// A bit for each of 64 parts of the range: whether it belongs to no gap of eight or more.
    full: u64,
}

impl Gaps {
    fn between(low: f64, high: f64, some: impl Iterator<Item = [f64; 2]>) -> Self {
        let per_unit = 64.0 / (high - low);
        if !per_unit.is_finite() {
            return Self { full: u64::MAX };
        }
        let part = |x: f64| ((x - low) * per_unit).clamp(0.0, 63.0) as u32;
        let touched =
            some.fold(0, |bits, [min, max]| bits | (u64::MAX >> (63 - part(max)) & u64::MAX << part(min)));
        // Where eight empty parts begin, and then all eight.
        let empty = !touched;
        let begins = [1, 2, 4].into_iter().fold(empty, |runs, step| runs & runs >> step);
        let gaps = [1, 2, 4].into_iter().fold(begins, |runs, step| runs | runs << step);
        Self { full: !gaps }
    }

    /// The share of the range that is left.
    fn share(&self) -> f64 {
        f64::from(self.full.count_ones().max(1)) / 64.0
    }

    /// What is left between two numbers. A gap beyond the most that can be left out is none.
    fn pieces(&self, [low, high]: [f32; 2]) -> Pieces {
        let at = |bit: u32| low + (high - low) * (bit as f32 / 64.0);
        let mut ends = Vec::with_capacity(Pieces::MOST);
        let mut bit = self.full.trailing_zeros();
        while bit < 64 {
            let end = bit + (self.full >> bit).trailing_ones();
            let is_last = end >= 64 || ends.len() + 1 == Pieces::MOST;
            ends.push([at(bit), if is_last { high } else { at(end) }]);
            bit = if is_last { 64 } else { end + (self.full >> end).trailing_zeros() };
        }
        if ends.is_empty() { Pieces::new(&[[low, high]]) } else { Pieces::new(&ends) }
    }
}
