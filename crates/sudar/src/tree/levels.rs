//! The SIMD levels that a test compares with the best one.

use fearless_simd::Level;

/// The levels of this machine besides the best one, and the scalar one if it was compiled.
pub(crate) fn other_levels() -> Vec<Level> {
    narrower().into_iter().chain(scalar()).collect()
}

#[cfg(target_arch = "x86_64")]
fn narrower() -> Vec<Level> {
    let best = Level::new();
    let levels = [
        best.as_sse2().map(Level::Sse2),
        best.as_sse4_2().map(Level::Sse4_2),
        best.as_avx2().map(Level::Avx2),
    ];
    levels.into_iter().flatten().collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn narrower() -> Vec<Level> {
    Vec::new()
}

#[cfg(feature = "scalar-fallback")]
fn scalar() -> Vec<Level> {
    vec![Level::fallback()]
}

#[cfg(not(feature = "scalar-fallback"))]
fn scalar() -> Vec<Level> {
    Vec::new()
}
