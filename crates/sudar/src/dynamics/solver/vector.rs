//! Vectors of eight patches.

use fearless_simd::{Simd, f64x8, prelude::*};

use super::lanes::Lane;

/// A vector a lane. What follows takes on the SIMD level around it; there are no closures in it for that reason.
#[derive(Clone, Copy)]
pub struct Vector<S: Simd> {
    pub x: f64x8<S>,
    pub y: f64x8<S>,
    pub z: f64x8<S>,
}

impl<S: Simd> Vector<S> {
    #[inline(always)]
    pub fn of(simd: S, v: &[Lane; 3]) -> Self {
        Self { x: v[0].simd_into(simd), y: v[1].simd_into(simd), z: v[2].simd_into(simd) }
    }

    #[inline(always)]
    pub fn stored(self) -> [Lane; 3] {
        [self.x.into(), self.y.into(), self.z.into()]
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
    pub fn times(self, s: f64x8<S>) -> Self {
        Self { x: self.x * s, y: self.y * s, z: self.z * s }
    }

    #[inline(always)]
    pub fn dot(self, o: Self) -> f64x8<S> {
        (self.x * o.x + self.y * o.y) + self.z * o.z
    }

    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        Self {
            x: self.y * o.z - self.z * o.y,
            y: self.z * o.x - self.x * o.z,
            z: self.x * o.y - self.y * o.x,
        }
    }

    /// A symmetric matrix times the vector: xx, yy, zz, xy, yz, zx.
    #[inline(always)]
    pub fn turned_by(self, simd: S, m: &[Lane; 6]) -> Self {
        let xx: f64x8<S> = m[0].simd_into(simd);
        let yy: f64x8<S> = m[1].simd_into(simd);
        let zz: f64x8<S> = m[2].simd_into(simd);
        let xy: f64x8<S> = m[3].simd_into(simd);
        let yz: f64x8<S> = m[4].simd_into(simd);
        let zx: f64x8<S> = m[5].simd_into(simd);
        Self {
            x: (xx * self.x + xy * self.y) + zx * self.z,
            y: (xy * self.x + yy * self.y) + yz * self.z,
            z: (zx * self.x + yz * self.y) + zz * self.z,
        }
    }
}
