//! Vectors of three, eight at a time: what all SIMD kernels of this room compute with.
//!
//! As [`Three`] demands, there is no `array::map` in here.

use fearless_simd::{Simd, f32x8, mask32x8, prelude::*};
use glam::Vec3;

use crate::math::simd::Three;

/// Eight numbers a coordinate.
pub(super) type Lanes3<S> = Three<f32x8<S>>;

impl<S: Simd> Lanes3<S> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn load(simd: S, rows: &[[f32; 8]; 3]) -> Self {
        let [x, y, z] = rows;
        Self { x: (*x).simd_into(simd), y: (*y).simd_into(simd), z: (*z).simd_into(simd) }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn splat(simd: S, v: Vec3) -> Self {
        Self { x: f32x8::splat(simd, v.x), y: f32x8::splat(simd, v.y), z: f32x8::splat(simd, v.z) }
    }

    /// `columns · self`, summed from left to right.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn turned(self, columns: &[Vec3; 3]) -> Self {
        let [a, b, c] = columns;
        Self {
            x: self.x * a.x + self.y * b.x + self.z * c.x,
            y: self.x * a.y + self.y * b.y + self.z * c.y,
            z: self.x * a.z + self.y * b.z + self.z * c.z,
        }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn abs(self) -> Self {
        Self { x: self.x.abs(), y: self.y.abs(), z: self.z.abs() }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn min(self, o: Self) -> Self {
        Self { x: self.x.min(o.x), y: self.y.min(o.y), z: self.z.min(o.z) }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn max(self, o: Self) -> Self {
        Self { x: self.x.max(o.x), y: self.y.max(o.y), z: self.z.max(o.z) }
    }

    /// The product with one and the same vector.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn dot_one(self, v: Vec3) -> f32x8<S> {
        self.x * v.x + self.y * v.y + self.z * v.z
    }

    /// These sizes with the signs of `o`.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn with_signs(self, o: Self) -> Self {
        Self { x: self.x.copysign(o.x), y: self.y.copysign(o.y), z: self.z.copysign(o.z) }
    }

    /// Whether each coordinate is at most that of `o`.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn le(self, o: Self) -> mask32x8<S> {
        self.x.simd_le(o.x) & self.y.simd_le(o.y) & self.z.simd_le(o.z)
    }

    /// Lane `i` in every lane.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn broadcast(self, simd: S, i: usize) -> Self {
        Self {
            x: f32x8::splat(simd, self.x[i]),
            y: f32x8::splat(simd, self.y[i]),
            z: f32x8::splat(simd, self.z[i]),
        }
    }

    /// The sum of the three coordinates.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn sum(self) -> f32x8<S> {
        self.x + self.y + self.z
    }

    /// The greatest of the three coordinates.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn largest(self) -> f32x8<S> {
        self.x.max(self.y).max(self.z)
    }

    /// The least of the three coordinates.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn smallest(self) -> f32x8<S> {
        self.x.min(self.y).min(self.z)
    }
}

/// The corner whose three runs of `n` numbers start with run `first`.
#[cfg_attr(not(opt_level_0), inline(always))]
pub(super) fn corner<S: Simd>(simd: S, corners: &[f32], n: usize, first: usize) -> Lanes3<S> {
    Lanes3 {
        x: run(simd, corners, n, first),
        y: run(simd, corners, n, first + 1),
        z: run(simd, corners, n, first + 2),
    }
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn run<S: Simd>(simd: S, corners: &[f32], n: usize, k: usize) -> f32x8<S> {
    f32x8::from_slice(simd, &corners[k * n..k * n + 8])
}
