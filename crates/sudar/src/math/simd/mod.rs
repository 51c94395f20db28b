//! SIMD levels: those the library is compiled for, and the best one of this machine.
//!
//! Every kernel is compiled once a level, so a level costs time to compile. On x86 these are the baseline
//! SSE2, AVX2, and AVX-512 for the traversals that gain by it; `docs/decisions/builds.md` has the
//! figures. Other targets have one level each, WebAssembly with `-C target-feature=+simd128`.
//!
//! Kernels take on the level of the function they are inlined into, so they are always inlined. Without
//! optimisation each value of an inlined function has a place of its own in the stack frame, which would grow
//! to megabytes, and on a target without SIMD the plain code of an inlined kernel takes minutes to compile: there
//! (`opt_level_0`, set by the build script) kernels are functions of their own, slower and with the same bits.
//! WebAssembly has its level in the whole program, so that its kernels are functions as well, and as fast.

mod eight3;
mod number;
mod three;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
mod x86;

pub(crate) use eight3::Eight3;
pub(crate) use number::Number;
pub(crate) use three::Three;

#[cfg(not(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2")))]
pub(crate) use fearless_simd::{Level, dispatch, dispatch as dispatch_to_avx2};
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
pub(crate) use x86::{Level, dispatch, dispatch_to_avx2, vectorized};

#[cfg(test)]
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
pub(crate) use x86::other_levels;

/// The levels besides the best one, for tests to compare with it.
#[cfg(test)]
#[cfg(not(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2")))]
pub(crate) fn other_levels() -> Vec<Level> {
    #[cfg(feature = "scalar-fallback")]
    return vec![Level::fallback()];
    #[cfg(not(feature = "scalar-fallback"))]
    return Vec::new();
}
