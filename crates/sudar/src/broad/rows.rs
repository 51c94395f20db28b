//! Boxes in `f32`, a list a coordinate, compared eight at a time.
//!
//! Coordinates are brought to [−1, 1] and rounded to the nearest `f32` by one and the same map for ends of all boxes. The
//! map keeps the order of numbers but may make different ones equal. So what is greater in `f32` is greater, and what is
//! equal is decided in `f64`: `f32` proposes, `f64` confirms, and no box need be grown.

use fearless_simd::{Simd, f32x8, prelude::*};
use glam::DVec3;

use crate::shape::Aabb;

/// The map from coordinates to `f32`: (x − origin)·scale, at most 4 in size.
#[derive(Debug, Clone, Copy)]
pub(super) struct ToF32 {
    origin: DVec3,
    scale: f64,
    /// Which axis of the boxes becomes axis 0, 1, 2.
    axes: [usize; 3],
}

impl ToF32 {
    /// That for boxes in such bounds; ends beyond, infinite ones too, are cut off where they are beyond all others.
    pub fn fitting(bounds: &Aabb, axes: [usize; 3]) -> Self {
        let half = (bounds.max * 0.5 - bounds.min * 0.5).max_element();
        let scale = if half > 1e-300 && half.is_finite() { 1.0 / half } else { 1.0 };
        Self { origin: bounds.min * 0.5 + bounds.max * 0.5, scale, axes }
    }

    #[inline(always)]
    pub fn point(&self, p: DVec3) -> [f32; 3] {
        let p = ((p - self.origin) * self.scale).clamp(DVec3::splat(-4.0), DVec3::splat(4.0));
        let p = [p.x as f32, p.y as f32, p.z as f32];
        [p[self.axes[0]], p[self.axes[1]], p[self.axes[2]]]
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
    /// What stands where no box is yet.
    pub const NOTHING: Self = Self { min: [0.0; 3], max: [0.0; 3], index: 0 };

    #[inline(always)]
    pub fn new(aabb: &Aabb, index: u32, map: &ToF32) -> Self {
        Self { min: map.point(aabb.min), max: map.point(aabb.max), index }
    }

    /// Whether two boxes that overlap in `f32` do so strictly, and so for certain.
    #[inline]
    pub fn overlaps_strictly(&self, other: &Self) -> bool {
        (0..3).all(|k| self.min[k] < other.max[k] && other.min[k] < self.max[k])
    }
}

/// Many boxes, a list a coordinate, with seven more at the end that overlap nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    min: [Vec<f32>; 3],
    max: [Vec<f32>; 3],
    index: Vec<u32>,
}

impl Rows {
    /// Takes boxes in this order.
    pub fn fill<'a>(&mut self, rows: impl ExactSizeIterator<Item = &'a Row> + Clone) {
        // Coordinate by coordinate, so that each list grows at once.
        for k in 0..3 {
            refill(&mut self.min[k], rows.clone().map(|row| row.min[k]), f32::INFINITY);
            refill(&mut self.max[k], rows.clone().map(|row| row.max[k]), f32::NEG_INFINITY);
        }
        self.index.clear();
        self.index.extend(rows.map(|row| row.index));
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.index.len()
    }

    #[inline]
    pub fn get(&self, k: usize) -> Row {
        Row {
            min: [self.min[0][k], self.min[1][k], self.min[2][k]],
            max: [self.max[0][k], self.max[1][k], self.max[2][k]],
            index: self.index[k],
        }
    }

    pub fn bytes(&self) -> usize {
        28 * self.index.capacity()
    }

    /// Calls `visit` with all pairs `(k, l)`, `k < l`, of boxes that overlap in `f32`. Gives back how many were compared.
    #[inline(always)]
    pub fn all<S: Simd>(&self, simd: S, mut visit: impl FnMut(usize, usize)) -> u64 {
        for k in 0..self.len() {
            let one = Splat::new(simd, &self.get(k));
            let mut first = k + 1;
            while first < self.len() {
                let mut hits = self.eight(simd, first, &one);
                while hits != 0 {
                    visit(k, first + hits.trailing_zeros() as usize);
                    hits &= hits - 1;
                }
                first += 8;
            }
        }
        let n = self.len() as u64;
        n * n.saturating_sub(1) / 2
    }

    /// The same for boxes sorted by their least coordinate on axis 0, of which only those are compared that begin before the
    /// other ends.
    #[inline(always)]
    pub fn sweep<S: Simd>(&self, simd: S, mut visit: impl FnMut(usize, usize)) -> u64 {
        let mut tests = 0;
        for k in 0..self.len() {
            let one = Splat::new(simd, &self.get(k));
            let mut first = k + 1;
            while first < self.len() && self.min[0][first] <= self.max[0][k] {
                let mut hits = self.eight_begun(simd, first, &one);
                while hits != 0 {
                    visit(k, first + hits.trailing_zeros() as usize);
                    hits &= hits - 1;
                }
                first += 8;
            }
            tests += (first.min(self.len()) - k - 1) as u64;
        }
        tests
    }

    /// Which of the eight from `first` on overlap `one`.
    #[inline(always)]
    fn eight<S: Simd>(&self, simd: S, first: usize, one: &Splat<S>) -> u32 {
        let begun = f32x8::from_slice(simd, &self.max[0][first..first + 8]).simd_ge(one.min[0]);
        self.eight_begun(simd, first, one) & begun.to_bitmask() as u32
    }

    /// Which of the eight do, where none of them ends before `one` begins on axis 0.
    #[inline(always)]
    fn eight_begun<S: Simd>(&self, simd: S, first: usize, one: &Splat<S>) -> u32 {
        let load = |list: &[f32]| f32x8::from_slice(simd, &list[first..first + 8]);
        let x = load(&self.min[0]).simd_le(one.max[0]);
        let y = load(&self.min[1]).simd_le(one.max[1]) & load(&self.max[1]).simd_ge(one.min[1]);
        let z = load(&self.min[2]).simd_le(one.max[2]) & load(&self.max[2]).simd_ge(one.min[2]);
        (x & y & z).to_bitmask() as u32
    }
}

fn refill(list: &mut Vec<f32>, values: impl ExactSizeIterator<Item = f32>, nothing: f32) {
    list.clear();
    list.extend(values);
    list.extend([nothing; 7]);
}

/// One box, eight times.
struct Splat<S: Simd> {
    min: [f32x8<S>; 3],
    max: [f32x8<S>; 3],
}

impl<S: Simd> Splat<S> {
    #[inline(always)]
    fn new(simd: S, row: &Row) -> Self {
        let eight = |x: f32| f32x8::splat(simd, x);
        Self {
            min: [eight(row.min[0]), eight(row.min[1]), eight(row.min[2])],
            max: [eight(row.max[0]), eight(row.max[1]), eight(row.max[2])],
        }
    }
}
