//! The same work on many things.

/// What becomes of each, in order; on all cores with feature `parallel`.
#[cfg(feature = "parallel")]
pub fn mapped<T: Sync, U: Send>(all: &[T], work: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
    use rayon::prelude::*;
    all.par_iter().map(work).collect()
}

/// What becomes of each, in order.
#[cfg(not(feature = "parallel"))]
pub fn mapped<T, U>(all: &[T], work: impl Fn(&T) -> U) -> Vec<U> {
    all.iter().map(work).collect()
}
