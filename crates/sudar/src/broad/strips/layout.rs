//! How space is divided into strips.

use glam::DVec3;

use super::super::rows::{Row, ToF32};
use crate::shape::Aabb;

/// Strips along one axis, side by side on the two others. Those at the border reach to infinity.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub map: ToF32,
    /// Where strips begin on axes 1 and 2, in `f32`.
    origin: [f32; 2],
    /// Strips per unit on these axes.
    per_unit: [f32; 2],
    /// Number of strips on these axes.
    counts: [usize; 2],
    at_once: usize,
}

/// A rectangle of strips, by their places on the two axes across.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    low: [u16; 2],
    high: [u16; 2],
}

/// At most so many boxes are looked at to lay out strips.
const SAMPLE: usize = 256;

/// Cost of a copy, in comparisons of eight: to write it, to sort it, and to begin its sweep.
const COPY: f64 = 6.0;

/// Fewer boxes a strip do not pay.
const LEAST_PER_STRIP: usize = 8;

impl Layout {
    /// `None` where there are no boxes.
    pub fn of(boxes: &[Aabb]) -> Option<Self> {
        let sample = Sample::of(boxes)?;
        let axes = sample.axes();
        let map = ToF32::fitting(&sample.bounds, axes);
        let counts = sample.best_counts(boxes.len(), axes);
        let (low, high) = (map.point(sample.bounds.min), map.point(sample.bounds.max));
        let per_unit = [0, 1].map(|k| {
            let range = high[k + 1] - low[k + 1];
            if range > 0.0 { counts[k] as f32 / range } else { 0.0 }
        });
        // Some thousand boxes are work enough for a task.
        let at_once = (4096 * counts[0] * counts[1] / boxes.len().max(1)).max(1);
        Some(Self { map, origin: [low[1], low[2]], per_unit, counts, at_once })
    }

    pub fn strips(&self) -> usize {
        self.counts[0] * self.counts[1]
    }

    /// How many strips one task sweeps.
    pub fn strips_at_once(&self) -> usize {
        self.at_once
    }

    /// The strip in which a coordinate lies on axis 1 or 2. Keeps the order of numbers.
    #[inline(always)]
    fn across(&self, k: usize, x: f32) -> usize {
        // The conversion cuts off below zero.
        (((x - self.origin[k]) * self.per_unit[k]) as usize).min(self.counts[k] - 1)
    }

    /// The strips that a box enters.
    #[inline(always)]
    pub fn span(&self, row: &Row) -> Span {
        Span {
            low: [self.across(0, row.min[1]) as u16, self.across(1, row.min[2]) as u16],
            high: [self.across(0, row.max[1]) as u16, self.across(1, row.max[2]) as u16],
        }
    }

    #[inline(always)]
    pub fn for_each_strip(&self, span: Span, mut visit: impl FnMut(usize)) {
        for y in usize::from(span.low[0])..=usize::from(span.high[0]) {
            for z in usize::from(span.low[1])..=usize::from(span.high[1]) {
                visit(y * self.counts[1] + z);
            }
        }
    }

    /// Whether what two boxes have in common begins in this strip.
    #[inline(always)]
    pub fn begins_in(&self, one: &Row, other: &Row, strip: usize) -> bool {
        let (y, z) = (one.min[1].max(other.min[1]), one.min[2].max(other.min[2]));
        self.across(0, y) * self.counts[1] + self.across(1, z) == strip
    }
}

/// Some of the boxes, and where most of them are.
struct Sample {
    sizes: Vec<DVec3>,
    bounds: Aabb,
}

impl Sample {
    /// Every so-manieth box with finite ends; `None` if there is no box at all.
    fn of(boxes: &[Aabb]) -> Option<Self> {
        if !boxes.iter().any(|b| b.min.cmple(b.max).all()) {
            return None;
        }
        let step = boxes.len().div_ceil((boxes.len() / 16).clamp(64, SAMPLE)).max(1);
        let some = || boxes.iter().step_by(step).filter(|b| b.extent().is_finite() && !b.is_empty());
        let sizes: Vec<DVec3> = some().map(|b| b.extent()).collect();
        let mut bounds = Aabb { min: DVec3::ZERO, max: DVec3::ZERO };
        for k in 0..3 {
            let mut lows: Vec<f64> = some().map(|b| b.min[k]).collect();
            let mut highs: Vec<f64> = some().map(|b| b.max[k]).collect();
            if lows.is_empty() {
                continue;
            }
            // Few boxes far away do not count.
            let few = lows.len() / 64;
            let low = *lows.select_nth_unstable_by(few, f64::total_cmp).1;
            let high = *highs.select_nth_unstable_by(few, |a, b| b.total_cmp(a)).1;
            (bounds.min[k], bounds.max[k]) = (low.min(high), high.max(low));
        }
        Some(Self { sizes, bounds })
    }

    /// The axis to sweep, on which boxes are shortest beside the whole; then the others.
    fn axes(&self) -> [usize; 3] {
        let (mean, range) = (self.mean(), self.bounds.extent());
        let length = |k: usize| mean[k] / range[k].max(f64::MIN_POSITIVE);
        let first = [1, 2].into_iter().fold(0, |best, k| if length(k) < length(best) { k } else { best });
        [first, (first + 1) % 3, (first + 2) % 3]
    }

    fn mean(&self) -> DVec3 {
        self.sizes.iter().sum::<DVec3>() / self.sizes.len().max(1) as f64
    }

    /// Numbers of strips on axes 1 and 2 that cost least, by a model: copies, and comparisons in the sweep of each.
    fn best_counts(&self, n: usize, axes: [usize; 3]) -> [usize; 2] {
        let range = self.bounds.extent();
        let most = (n / LEAST_PER_STRIP).max(1);
        let mut best = ([1, 1], f64::INFINITY);
        // Strips from as wide as the mean box to as wide as the scene.
        let mut width = 1.0;
        while width < 1e9 {
            let counts = [1, 2].map(|k| {
                let size = (width * self.mean()[axes[k]]).max(f64::MIN_POSITIVE);
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
        let range = self.bounds.extent();
        let share = |size: f64, k: usize| (size / range[axes[k]].max(f64::MIN_POSITIVE)).min(1.0);
        let copies = self.sizes.iter().map(|size| {
            [1, 2].into_iter().fold(1.0, |copies, k| {
                copies * (1.0 + share(size[axes[k]], k) * (counts[k - 1] as f64 - 1.0))
            })
        });
        let copies = copies.sum::<f64>() / self.sizes.len().max(1) as f64;
        let per_strip = copies * n as f64 / (counts[0] * counts[1]) as f64;
        let swept = per_strip * share(self.mean()[axes[0]], 0) / 8.0;
        copies * (COPY + swept)
    }
}
