//! Boxes in `f32`, a list a coordinate, compared many at a time.
//!
//! Coordinates are brought to [−1, 1] and rounded to the nearest `f32` by one and the same map for ends of
//! all boxes. The map keeps the order of numbers but may make different ones equal. So what is greater in
//! `f32` is greater, and what is equal is decided in `f64`: `f32` proposes, `f64` confirms, and no box need
//! be grown.

use fearless_simd::{Simd, f32x16, prelude::*};
use glam::DVec3;

use crate::shape::Aabb;

/// The map from coordinates to `f32`: (x − origin)·scale, at most 4 in size.
#[derive(Debug, Clone, Copy)]
pub(super) struct ToF32 {
    /// On axis 0, 1, 2.
    origin: [f64; 3],
    scale: f64,
    /// Which axis of the boxes becomes axis 0, 1, 2.
    axes: [usize; 3],
}

impl ToF32 {
    /// That for boxes in such bounds; ends beyond, infinite ones too, are cut off where they are beyond all others.
    pub fn fitting(bounds: &Aabb, axes: [usize; 3]) -> Self {
        let half = (bounds.max * 0.5 - bounds.min * 0.5).max_element();
        let scale = if half > 1e-300 && half.is_finite() { 1.0 / half } else { 1.0 };
        let origin = bounds.min * 0.5 + bounds.max * 0.5;
        Self { origin: axes.map(|k| origin[k]), scale, axes }
    }

    #[inline(always)]
    pub fn point(&self, p: &DVec3) -> [f32; 3] {
        [self.end(p, 0), self.end(p, 1), self.end(p, 2)]
    }

    /// Units of `f32` per unit.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The point that is brought there, if it was not cut off: rounded, and no number on axes on which it was.
    #[inline(always)]
    pub fn back(&self, p: [f32; 3]) -> DVec3 {
        let mut point = DVec3::NAN;
        for k in 0..3 {
            if p[k].abs() < 4.0 {
                point[self.axes[k]] = f64::from(p[k]) / self.scale + self.origin[k];
            }
        }
        point
    }

    /// What the difference of two points becomes.
    #[inline(always)]
    pub fn way(&self, way: DVec3) -> [f32; 3] {
        self.axes.map(|k| (way[k] * self.scale) as f32)
    }

    #[inline(always)]
    fn end(&self, p: &DVec3, k: usize) -> f32 {
        let p: &[f64; 3] = p.as_ref();
        let x = (p[self.axes[k]] - self.origin[k]) * self.scale;
        // In this form each is one instruction.
        let x = if x > -4.0 { x } else { -4.0 };
        (if x < 4.0 { x } else { 4.0 }) as f32
    }
}

/// A range of `f32` with gaps in which there is nothing: pieces one after the other, each by its beginning
/// and its length.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pieces {
    pieces: [[f32; 2]; Self::MOST],
    count: usize,
}

impl Pieces {
    /// Most pieces.
    pub const MOST: usize = 4;

    /// From the ends of some pieces, at most [`MOST`](Self::MOST), in order.
    pub fn new(ends: &[[f32; 2]]) -> Self {
        let mut pieces = [[0.0; 2]; Self::MOST];
        for (piece, [low, high]) in pieces.iter_mut().zip(ends) {
            *piece = [*low, *high - *low];
        }
        Self { pieces, count: ends.len().min(Self::MOST) }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How long all of them are.
    fn length(&self) -> f32 {
        self.pieces.iter().map(|[_, length]| length).sum()
    }

    /// How much of them is below a number. Each step is rounded but keeps the order of numbers, and so does this.
    #[cold]
    #[inline(never)]
    fn below(&self, x: f32) -> f32 {
        self.pieces.iter().fold(0.0, |sum, [begin, length]| {
            let part = x - begin;
            let part = if part > 0.0 { part } else { 0.0 };
            sum + if part < *length { part } else { *length }
        })
    }
}

/// Equal parts of a range of `f32`, numbered from 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts {
    per_unit: f32,
    offset: f32,
    last: f32,
    /// Used if there are several.
    pieces: Pieces,
}

impl Parts {
    /// `count` of them, at most 2²², of some pieces without the gaps; what is beyond belongs to the first or the last.
    pub fn new(pieces: &Pieces, count: usize) -> Self {
        let per_unit = count as f32 / pieces.length();
        let per_unit = if per_unit.is_finite() { per_unit } else { 0.0 };
        let low = if pieces.count > 1 { 0.0 } else { pieces.pieces[0][0] };
        Self { per_unit, offset: -low * per_unit - 0.5, last: (count - 1) as f32, pieces: *pieces }
    }

    /// The part that a number belongs to. Keeps the order of numbers.
    #[inline(always)]
    pub fn of(&self, x: f32) -> usize {
        let x = if self.pieces.count > 1 { self.pieces.below(x) } else { x };
        let place = x * self.per_unit + self.offset;
        let place = if place > 0.0 { place } else { 0.0 };
        let place = if place < self.last { place } else { self.last };
        // Adding 2²³ rounds to a whole number, which then stands in the lowest bits: quicker than a conversion with its
        // checks.
        ((place + 8_388_608.0).to_bits() & 0x7f_ffff) as usize
    }
}

/// One box in `f32`: its ends on axis 0, then 1, then 2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Row {
    pub min: [f32; 3],
    pub max: [f32; 3],
    pub index: u32,
}

impl Row {
    #[inline(always)]
    pub fn new(aabb: &Aabb, index: u32, map: &ToF32) -> Self {
        Self { min: map.point(&aabb.min), max: map.point(&aabb.max), index }
    }
}

/// Boxes that are compared at once.
pub(super) const LANES: usize = 16;

/// Many boxes, a list a coordinate, with [`LANES`] more at the end that overlap nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    min: [Vec<f32>; 3],
    max: [Vec<f32>; 3],
    index: Vec<u32>,
}

impl Rows {
    /// Takes boxes in this order.
    pub fn fill(&mut self, rows: impl Iterator<Item = Row>, count: usize) {
        self.index.resize(count, 0);
        for list in &mut self.min {
            list.resize(count + LANES, f32::INFINITY);
            list[count..].fill(f32::INFINITY);
        }
        for list in &mut self.max {
            list.resize(count + LANES, f32::NEG_INFINITY);
            list[count..].fill(f32::NEG_INFINITY);
        }
        let ([x, y, z], [far_x, far_y, far_z]) = (&mut self.min, &mut self.max);
        let min = x.iter_mut().zip(y).zip(z);
        let max = far_x.iter_mut().zip(far_y).zip(far_z);
        for (((row, index), ((x, y), z)), ((far_x, far_y), far_z)) in
            rows.zip(&mut self.index).zip(min).zip(max)
        {
            *index = row.index;
            [*x, *y, *z] = row.min;
            [*far_x, *far_y, *far_z] = row.max;
        }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// The number of a box.
    #[inline(always)]
    pub fn index(&self, k: usize) -> u32 {
        self.index[k]
    }

    /// Where a box ends on axis 0.
    #[inline(always)]
    pub fn end(&self, k: usize) -> f32 {
        self.max[0][k]
    }

    /// Where those of some sorted ones that begin on axis 0 before one box ends are at an end.
    pub fn end_of_begun(&self, k: usize, sorted: std::ops::Range<usize>) -> usize {
        let end = self.max[0][k];
        sorted.start + self.min[0][sorted].partition_point(|&begin| begin <= end)
    }

    pub fn bytes(&self) -> usize {
        28 * self.index.capacity()
    }

    /// Calls `visit` with all pairs `(k, l)`, `k < l`, of boxes that touch or overlap in `f32`, and whether
    /// they overlap for certain. Gives back how many were compared.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn all<S: Simd>(&self, simd: S, mut visit: impl FnMut(usize, usize, bool)) -> u64 {
        let n = self.len();
        for k in 0..n {
            let one = self.splat(simd, k);
            for first in (k + 1..n).step_by(LANES) {
                let [certain, mut hits] = self.touched(simd, first, n, &one);
                while hits != 0 {
                    let bit = hits.trailing_zeros();
                    visit(k, first + bit as usize, certain >> bit & 1 != 0);
                    hits &= hits - 1;
                }
            }
        }
        (n * n.saturating_sub(1) / 2) as u64
    }

    /// One box in all lanes.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn splat<S: Simd>(&self, simd: S, k: usize) -> Splat<S> {
        let splat = |list: &Vec<f32>| f32x16::splat(simd, list[k]);
        let ([x, y, z], [far_x, far_y, far_z]) = (&self.min, &self.max);
        Splat { min: [splat(x), splat(y), splat(z)], max: [splat(far_x), splat(far_y), splat(far_z)] }
    }

    /// Which of the next [`LANES`] from `first` on, but before `end`, overlap `one` by more than a point on
    /// every axis in `f32`, and so for certain, and which have a point in common with it.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn touched<S: Simd>(&self, simd: S, first: usize, end: usize, one: &Splat<S>) -> [u32; 2] {
        let load = |list: &[f32]| f32x16::from_slice(simd, &list[first..first + LANES]);
        let ([x, y, z], [far_x, far_y, far_z]) =
            (self.min.each_ref().map(|list| load(list)), self.max.each_ref().map(|list| load(list)));
        let touch = (x.simd_le(one.max[0]) & far_x.simd_ge(one.min[0]))
            & (y.simd_le(one.max[1]) & far_y.simd_ge(one.min[1]))
            & (z.simd_le(one.max[2]) & far_z.simd_ge(one.min[2]));
        let overlap = (x.simd_lt(one.max[0]) & far_x.simd_gt(one.min[0]))
            & (y.simd_lt(one.max[1]) & far_y.simd_gt(one.min[1]))
            & (z.simd_lt(one.max[2]) & far_z.simd_gt(one.min[2]));
        let before_end = (1u32 << (end - first).min(LANES)) - 1;
        [overlap, touch].map(|mask| mask.to_bitmask() as u32 & before_end)
    }
}

/// One box in all lanes.
pub(super) struct Splat<S: Simd> {
    min: [f32x16<S>; 3],
    max: [f32x16<S>; 3],
}
