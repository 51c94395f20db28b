//! Vectors of three of any numbers: one, or several side by side.
//!
//! Plain operations in a fixed order, nothing fused, so that every SIMD level gives the same bits. All are
//! `#[inline(always)]`: they take on the level at which the kernel around them was dispatched, and there are
//! no closures in here for that reason.

use std::ops::{Add, Mul, Sub};

use fearless_simd::{Select, Simd, SimdBase};

/// A vector.
#[derive(Clone, Copy)]
pub(crate) struct Three<N> {
    pub x: N,
    pub y: N,
    pub z: N,
}

impl<N: Copy + Add<Output = N> + Sub<Output = N> + Mul<Output = N>> Three<N> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn add(self, o: Self) -> Self {
        Self { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn sub(self, o: Self) -> Self {
        Self { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }

    /// Each coordinate times the same factor.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn times(self, factor: N) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }

    /// The products of the coordinates.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn products(self, o: Self) -> Self {
        Self { x: self.x * o.x, y: self.y * o.y, z: self.z * o.z }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn dot(self, o: Self) -> N {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn cross(self, o: Self) -> Self {
        Self {
            x: self.y * o.z - self.z * o.y,
            y: self.z * o.x - self.x * o.z,
            z: self.x * o.y - self.y * o.x,
        }
    }
}

impl<N: Copy> Three<N> {
    /// In each lane `yes` where the mask is set, else `no`.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn select<S: Simd>(mask: N::Mask, yes: Self, no: Self) -> Self
    where
        N: SimdBase<S>,
    {
        Self { x: mask.select(yes.x, no.x), y: mask.select(yes.y, no.y), z: mask.select(yes.z, no.z) }
    }
}
