//! The levels on x86.
//!
//! A program compiled for AVX-512 or AVX2 throughout, as by `-C target-cpu=native`, has no use for the levels
//! below, which are left out then. The few features that stand for such a target here are those that only it
//! has.

use fearless_simd::{Avx2, Avx512};

/// A level that this machine has and the kernels are compiled for. Each holds the proof that the machine has it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Level {
    /// AVX-512 as Intel has it since 2019 and AMD since 2022, and with it AVX2.
    Avx512(Avx512, Avx2),
    /// x86-64-v3: Intel since 2013, AMD since 2015. Lanes of eight `f32` are one register.
    #[cfg(not(all(target_feature = "avx512bitalg", target_feature = "avx512vbmi2")))]
    Avx2(Avx2),
    /// What every x86-64 machine has.
    #[cfg(not(all(target_feature = "avx2", target_feature = "fma", target_feature = "movbe")))]
    Sse2(fearless_simd::Sse2),
    /// Plain code, which tests compare with the others.
    #[cfg(feature = "scalar-fallback")]
    Scalar(fearless_simd::Fallback),
}

impl Level {
    /// The best level of this machine.
    #[inline]
    pub fn new() -> Self {
        let detected = fearless_simd::Level::new();
        match (detected.as_avx512(), detected.as_avx2(), detected.as_sse2()) {
            (Some(wide), Some(simd), _) => Self::Avx512(wide, simd),
            #[cfg(not(all(target_feature = "avx512bitalg", target_feature = "avx512vbmi2")))]
            (_, Some(simd), _) => Self::Avx2(simd),
            #[cfg(not(all(target_feature = "avx2", target_feature = "fma", target_feature = "movbe")))]
            (_, _, Some(simd)) => Self::Sse2(simd),
            _ => unreachable!("the machine has what the program is compiled for"),
        }
    }
}

/// An expression compiled at the level of a token.
macro_rules! vectorized {
    ($simd:ident => $run:expr) => {
        fearless_simd::Simd::vectorize(
            $simd,
            #[inline(always)]
            || $run,
        )
    };
}
pub(crate) use vectorized;

/// Runs an expression at a level: `dispatch!(level, simd => kernel(simd, …))`, with `kernel` generic over
/// [`Simd`](fearless_simd::Simd) and always inlined, see [the module](crate::math::simd). The expression is
/// compiled once a level.
macro_rules! dispatch {
    ($level:expr, $simd:ident => $run:expr) => {
        match $level {
            $crate::math::simd::Level::Avx512($simd, _) => $crate::math::simd::vectorized!($simd => $run),
            #[cfg(not(all(target_feature = "avx512bitalg", target_feature = "avx512vbmi2")))]
            $crate::math::simd::Level::Avx2($simd) => $crate::math::simd::vectorized!($simd => $run),
            #[cfg(not(all(target_feature = "avx2", target_feature = "fma", target_feature = "movbe")))]
            $crate::math::simd::Level::Sse2($simd) => $crate::math::simd::vectorized!($simd => $run),
            #[cfg(feature = "scalar-fallback")]
            $crate::math::simd::Level::Scalar($simd) => $crate::math::simd::vectorized!($simd => $run),
        }
    };
}
pub(crate) use dispatch;

/// Like `dispatch!`, for what AVX-512 does no faster than AVX2: one level fewer is compiled.
macro_rules! dispatch_to_avx2 {
    ($level:expr, $simd:ident => $run:expr) => {
        match $level {
            #[cfg(all(target_feature = "avx512bitalg", target_feature = "avx512vbmi2"))]
            $crate::math::simd::Level::Avx512(_, $simd) => $crate::math::simd::vectorized!($simd => $run),
            #[cfg(not(all(target_feature = "avx512bitalg", target_feature = "avx512vbmi2")))]
            $crate::math::simd::Level::Avx512(_, $simd) | $crate::math::simd::Level::Avx2($simd) => {
                $crate::math::simd::vectorized!($simd => $run)
            }
            #[cfg(not(all(target_feature = "avx2", target_feature = "fma", target_feature = "movbe")))]
            $crate::math::simd::Level::Sse2($simd) => $crate::math::simd::vectorized!($simd => $run),
            #[cfg(feature = "scalar-fallback")]
            $crate::math::simd::Level::Scalar($simd) => $crate::math::simd::vectorized!($simd => $run),
        }
    };
}
pub(crate) use dispatch_to_avx2;

/// The levels besides the best one, for tests to compare with it.
#[cfg(test)]
pub(crate) fn other_levels() -> Vec<Level> {
    let detected = fearless_simd::Level::new;
    let levels = [
        // A program for one level throughout has no other.
        detected().as_sse2().and(None),
        #[cfg(not(all(target_feature = "avx512bitalg", target_feature = "avx512vbmi2")))]
        detected().as_avx512().and(detected().as_avx2()).map(Level::Avx2),
        #[cfg(not(all(target_feature = "avx2", target_feature = "fma", target_feature = "movbe")))]
        detected().as_avx2().and(detected().as_sse2()).map(Level::Sse2),
        #[cfg(feature = "scalar-fallback")]
        detected().as_sse2().map(|_| Level::Scalar(fearless_simd::Fallback::new())),
    ];
    levels.into_iter().flatten().collect()
}
