//! Vectors of three in `f64`, eight at a time; see [`Three`].

use fearless_simd::{Simd, f64x8, prelude::*};
use glam::DVec3;

use super::three::Three;

/// A vector a lane.
pub(crate) type Eight3<S> = Three<f64x8<S>>;

impl<S: Simd> Eight3<S> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn load(simd: S, rows: [&[f64; 8]; 3]) -> Self {
        let [x, y, z] = rows;
        Self { x: (*x).simd_into(simd), y: (*y).simd_into(simd), z: (*z).simd_into(simd) }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn of(simd: S, rows: &[[f64; 8]; 3]) -> Self {
        let [x, y, z] = rows;
        Self::load(simd, [x, y, z])
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn stored(self) -> [[f64; 8]; 3] {
        [self.x.into(), self.y.into(), self.z.into()]
    }

    /// The same in all lanes.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn splat(simd: S, v: DVec3) -> Self {
        Self { x: f64x8::splat(simd, v.x), y: f64x8::splat(simd, v.y), z: f64x8::splat(simd, v.z) }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn abs(self) -> Self {
        Self { x: self.x.abs(), y: self.y.abs(), z: self.z.abs() }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn max(self, o: Self) -> Self {
        Self { x: self.x.max(o.x), y: self.y.max(o.y), z: self.z.max(o.z) }
    }

    /// A symmetric matrix times the vector: xx, yy, zz, xy, yz, zx.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn turned_by(self, simd: S, m: &[[f64; 8]; 6]) -> Self {
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

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn length(self) -> f64x8<S> {
        self.dot(self).sqrt()
    }
}
