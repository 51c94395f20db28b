//! Arithmetic written once for eight lanes and for one number: the first for speed, the second for what lies too far
//! out for `f32`, for what comes alone, and as a reference in tests.
//!
//! All is `#[inline(always)]`, without closures, to take on the SIMD level of the traversal around it.

use std::ops::{Add, Div, Mul, Sub};

use fearless_simd::{Select, Simd, SimdBase, SimdFloat, f32x8, f64x8};

use super::Three;

/// A number, or eight side by side. Plain operations, nothing fused.
pub(crate) trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// What proves the SIMD level.
    type Token: Copy;
    /// One number.
    type Scalar: Copy;

    /// The same number in every lane.
    fn of(token: Self::Token, x: Self::Scalar) -> Self;
    /// A constant, rounded, in every lane.
    fn constant(token: Self::Token, x: f64) -> Self;
    fn least(self, other: Self) -> Self;
    fn greatest(self, other: Self) -> Self;
    fn size(self) -> Self;
    fn root(self) -> Self;
    /// `yes` where this is less than `other`, else `no`.
    fn if_less(self, other: Self, yes: Self, no: Self) -> Self;
}

macro_rules! side_by_side {
    ($lanes:ident, $scalar:ident) => {
        impl<S: Simd> Number for $lanes<S> {
            type Token = S;
            type Scalar = $scalar;

            #[cfg_attr(not(opt_level_0), inline(always))]
            fn of(token: S, x: $scalar) -> Self {
                Self::splat(token, x)
            }

            #[cfg_attr(not(opt_level_0), inline(always))]
            fn constant(token: S, x: f64) -> Self {
                Self::splat(token, x as $scalar)
            }

            #[cfg_attr(not(opt_level_0), inline(always))]
            fn least(self, other: Self) -> Self {
                SimdBase::min(self, other)
            }

            #[cfg_attr(not(opt_level_0), inline(always))]
            fn greatest(self, other: Self) -> Self {
                SimdBase::max(self, other)
            }

            #[cfg_attr(not(opt_level_0), inline(always))]
            fn size(self) -> Self {
                SimdBase::abs(self)
            }

            #[cfg_attr(not(opt_level_0), inline(always))]
            fn root(self) -> Self {
                SimdFloat::sqrt(self)
            }

            #[cfg_attr(not(opt_level_0), inline(always))]
            fn if_less(self, other: Self, yes: Self, no: Self) -> Self {
                self.simd_lt(other).select(yes, no)
            }
        }
    };
}

side_by_side!(f32x8, f32);
side_by_side!(f64x8, f64);

impl Number for f64 {
    type Token = ();
    type Scalar = Self;

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn of((): (), x: Self) -> Self {
        x
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn constant((): (), x: Self) -> Self {
        x
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn least(self, other: Self) -> Self {
        self.min(other)
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn greatest(self, other: Self) -> Self {
        self.max(other)
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn size(self) -> Self {
        self.abs()
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn if_less(self, other: Self, yes: Self, no: Self) -> Self {
        if self < other { yes } else { no }
    }
}

impl<N: Number> Three<N> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn of_scalars(token: N::Token, [x, y, z]: [N::Scalar; 3]) -> Self {
        Self { x: N::of(token, x), y: N::of(token, y), z: N::of(token, z) }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn size(self) -> Self {
        Self { x: self.x.size(), y: self.y.size(), z: self.z.size() }
    }

    /// The point nearest to this one with no coordinate beyond `half` on either side of zero.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn within(self, token: N::Token, half: Self) -> Self {
        let none = N::constant(token, 0.0);
        Self {
            x: self.x.greatest(none - half.x).least(half.x),
            y: self.y.greatest(none - half.y).least(half.y),
            z: self.z.greatest(none - half.z).least(half.z),
        }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn greatest(self, o: Self) -> Self {
        Self { x: self.x.greatest(o.x), y: self.y.greatest(o.y), z: self.z.greatest(o.z) }
    }

    /// `yes` where a is less than b, else `no`.
    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn if_less(a: N, b: N, yes: Self, no: Self) -> Self {
        Self { x: a.if_less(b, yes.x, no.x), y: a.if_less(b, yes.y, no.y), z: a.if_less(b, yes.z, no.z) }
    }
}
