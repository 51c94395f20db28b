//! Work on all cores, and the same without the feature `parallel`.

/// What a function makes of items, in order; the parallel pieces are no smaller than `least` items.
#[cfg(feature = "parallel")]
pub(crate) fn mapped<I, R: Send>(items: I, least: usize, f: impl Fn(I::Item) -> R + Sync + Send) -> Vec<R>
where
    I: rayon::iter::IntoParallelIterator<Iter: rayon::iter::IndexedParallelIterator>,
{
    use rayon::prelude::*;
    items.into_par_iter().with_min_len(least).map(f).collect()
}

/// What a function makes of items, in order.
#[cfg(not(feature = "parallel"))]
pub(crate) fn mapped<I: IntoIterator, R>(items: I, _: usize, f: impl Fn(I::Item) -> R) -> Vec<R> {
    items.into_iter().map(f).collect()
}
