//! Vectors and frames of eight configurations side by side, in `f32`.

use fearless_simd::{Simd, f32x8, prelude::*};
use sudar::DVec3;

/// A vector a lane.
#[derive(Clone, Copy)]
pub(super) struct Eight<S: Simd> {
    pub x: f32x8<S>,
    pub y: f32x8<S>,
    pub z: f32x8<S>,
}

/// An [`Eight`] in memory.
pub(super) type Rows = [[f32; 8]; 3];

/// Three numbers, each rounded.
pub(super) fn rounded(v: DVec3) -> [f32; 3] {
    v.to_array().map(|x| x as f32)
}

impl<S: Simd> Eight<S> {
    #[inline(always)]
    pub fn load(simd: S, [x, y, z]: &Rows) -> Self {
        Self { x: (*x).simd_into(simd), y: (*y).simd_into(simd), z: (*z).simd_into(simd) }
    }

    #[inline(always)]
    pub fn store(self) -> Rows {
        [self.x.into(), self.y.into(), self.z.into()]
    }

    /// The same in all lanes.
    #[inline(always)]
    pub fn splat(simd: S, [x, y, z]: [f32; 3]) -> Self {
        Self { x: f32x8::splat(simd, x), y: f32x8::splat(simd, y), z: f32x8::splat(simd, z) }
    }

    #[inline(always)]
    pub fn add(self, o: Self) -> Self {
        Self { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }

    #[inline(always)]
    pub fn sub(self, o: Self) -> Self {
        Self { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }

    #[inline(always)]
    pub fn times(self, factor: f32x8<S>) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }

    #[inline(always)]
    pub fn dot(self, o: Self) -> f32x8<S> {
        self.x * o.x + self.y * o.y + self.z * o.z
    }
}

/// A frame a lane: the columns of a rotation, and the origin.
#[derive(Clone, Copy)]
pub(super) struct Frame8<S: Simd> {
    pub x: Eight<S>,
    pub y: Eight<S>,
    pub z: Eight<S>,
    pub t: Eight<S>,
}

/// A [`Frame8`] in memory.
pub(super) type FrameRows = [Rows; 4];

impl<S: Simd> Frame8<S> {
    #[inline(always)]
    pub fn load(simd: S, [x, y, z, t]: &FrameRows) -> Self {
        let [x, y, z, t] =
            [Eight::load(simd, x), Eight::load(simd, y), Eight::load(simd, z), Eight::load(simd, t)];
        Self { x, y, z, t }
    }

    #[inline(always)]
    pub fn store(self) -> FrameRows {
        [self.x.store(), self.y.store(), self.z.store(), self.t.store()]
    }

    #[inline(always)]
    pub fn splat(simd: S, [x, y, z, t]: [[f32; 3]; 4]) -> Self {
        let [x, y] = [Eight::splat(simd, x), Eight::splat(simd, y)];
        Self { x, y, z: Eight::splat(simd, z), t: Eight::splat(simd, t) }
    }

    #[inline(always)]
    pub fn rotate(self, v: Eight<S>) -> Eight<S> {
        self.x.times(v.x).add(self.y.times(v.y)).add(self.z.times(v.z))
    }

    #[inline(always)]
    pub fn apply(self, p: Eight<S>) -> Eight<S> {
        self.rotate(p).add(self.t)
    }

    /// First `inner`, then this.
    #[inline(always)]
    pub fn after(self, inner: Self) -> Self {
        let [x, y] = [self.rotate(inner.x), self.rotate(inner.y)];
        Self { x, y, z: self.rotate(inner.z), t: self.apply(inner.t) }
    }
}
