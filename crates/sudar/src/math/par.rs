//! Work on all cores where there is enough of it, and the same without the feature `parallel`.
//!
//! The loop over pieces is compiled once, not for each of its callers: what rayon makes of a loop is several times as
//! large as the loop.

use std::sync::{Mutex, PoisonError};

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// A thread gets so many pieces on average, as some take longer than others.
const PIECES_EACH: usize = 32;

/// Results of a function of items, in order; the parallel pieces are no smaller than `least` items.
pub(crate) fn mapped<I, R: Send>(items: I, least: usize, f: impl Fn(I::Item) -> R + Sync) -> Vec<R>
where
    I: IntoIterator<Item: Send, IntoIter: ExactSizeIterator>,
{
    let mut items = items.into_iter();
    let size = items.len().div_ceil(PIECES_EACH * threads()).max(least);
    if threads() == 1 || items.len() <= size {
        return items.map(f).collect();
    }
    let count = items.len().div_ceil(size);
    let pieces: Vec<_> =
        (0..count).map(|_| Mutex::new((items.by_ref().take(size).collect::<Vec<_>>(), Vec::new()))).collect();
    run(count, &|k| {
        let mut piece = pieces[k].lock().unwrap_or_else(PoisonError::into_inner);
        let (given, found) = &mut *piece;
        found.extend(given.drain(..).map(&f));
    });
    let found = |piece: Mutex<(_, Vec<R>)>| piece.into_inner().unwrap_or_else(PoisonError::into_inner).1;
    let mut all = Vec::with_capacity(count * size);
    pieces.into_iter().for_each(|piece| all.append(&mut found(piece)));
    all
}

/// Writes the results of a function of items into a list, in order; the parallel pieces have `piece` items or more.
pub(crate) fn map_into<T: Sync, U: Send>(
    items: &[T],
    to: &mut Vec<U>,
    piece: usize,
    f: impl Fn(&T) -> U + Sync + Send,
) {
    #[cfg(feature = "parallel")]
    if threads() > 1 && items.len() >= 4 * piece {
        return items.par_iter().with_min_len(piece).map(f).collect_into_vec(to);
    }
    #[cfg(not(feature = "parallel"))]
    let _ = piece;
    to.clear();
    to.extend(items.iter().map(f));
}

/// Calls a function with every item; the parallel pieces have `piece` items.
pub(crate) fn for_each<T: Send>(items: &mut [T], piece: usize, f: impl Fn(&mut T) + Sync) {
    if threads() == 1 || items.len() < 2 * piece {
        return items.iter_mut().for_each(f);
    }
    let pieces: Vec<_> = items.chunks_mut(piece).map(Mutex::new).collect();
    run(pieces.len(), &|k| {
        pieces[k].lock().unwrap_or_else(PoisonError::into_inner).iter_mut().for_each(&f);
    });
}

/// Calls a function on a thread of the pool, so that the many loops in it need not go there one by one.
#[cfg(feature = "parallel")]
pub(crate) fn inside<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    if threads() == 1 || rayon::current_thread_index().is_some() { f() } else { rayon::scope(|_| f()) }
}

#[cfg(not(feature = "parallel"))]
pub(crate) fn inside<R>(f: impl FnOnce() -> R) -> R {
    f()
}

#[cfg(feature = "parallel")]
fn threads() -> usize {
    rayon::current_num_threads()
}

#[cfg(not(feature = "parallel"))]
fn threads() -> usize {
    1
}

/// Calls a function with the numbers of all pieces, each of which is a task of its own.
#[cfg(feature = "parallel")]
fn run(count: usize, piece: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_max_len(1).for_each(piece);
}

#[cfg(not(feature = "parallel"))]
fn run(count: usize, piece: &(dyn Fn(usize) + Sync)) {
    (0..count).for_each(piece);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whatever_the_pieces() {
        for (count, least) in [(0, 1), (1, 1), (7, 1), (1000, 1), (1000, 64), (10_007, 3)] {
            let found = mapped(0..count, least, |i| i * i);
            assert_eq!(found, (0..count).map(|i| i * i).collect::<Vec<usize>>());
            let mut numbers: Vec<usize> = (0..count).collect();
            for_each(&mut numbers, least, |i| *i += 1);
            assert_eq!(numbers, (1..=count).collect::<Vec<usize>>());
        }
    }
}
