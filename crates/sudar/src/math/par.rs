//! Work on all cores where there is enough of it, and the same without the feature `parallel`.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Results of a function of items, in order; the parallel pieces are no smaller than `least` items.
#[cfg(feature = "parallel")]
pub(crate) fn mapped<I, R: Send>(items: I, least: usize, f: impl Fn(I::Item) -> R + Sync + Send) -> Vec<R>
where
    I: IntoParallelIterator<Iter: IndexedParallelIterator>,
{
    items.into_par_iter().with_min_len(least).map(f).collect()
}

/// Results of a function of items, in order.
#[cfg(not(feature = "parallel"))]
pub(crate) fn mapped<I: IntoIterator, R>(items: I, _: usize, f: impl Fn(I::Item) -> R) -> Vec<R> {
    items.into_iter().map(f).collect()
}

/// Writes the results of a function of items into a list, in order; the parallel pieces have `piece` items or more.
pub(crate) fn map_into<T: Sync, U: Send>(
    items: &[T],
    to: &mut Vec<U>,
    piece: usize,
    f: impl Fn(&T) -> U + Sync + Send,
) {
    #[cfg(feature = "parallel")]
    if items.len() >= 4 * piece {
        return items.par_iter().with_min_len(piece).map(f).collect_into_vec(to);
    }
    #[cfg(not(feature = "parallel"))]
    let _ = piece;
    to.clear();
    to.extend(items.iter().map(f));
}

/// Calls a function with every item; the parallel pieces have `piece` items.
pub(crate) fn for_each<T: Send>(items: &mut [T], piece: usize, f: impl Fn(&mut T) + Sync + Send) {
    #[cfg(feature = "parallel")]
    if items.len() >= 2 * piece {
        return items.par_iter_mut().with_min_len(piece).with_max_len(piece).for_each(f);
    }
    #[cfg(not(feature = "parallel"))]
    let _ = piece;
    items.iter_mut().for_each(f);
}
