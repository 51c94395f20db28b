//! Work on all cores where there is enough of it, and the same without the feature `parallel`.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// So many items are worth a second thread.
#[cfg(feature = "parallel")]
const ENOUGH: usize = 16;

/// Calls `work` with every item; no item depends on another.
#[cfg(feature = "parallel")]
pub fn for_each<T: Send>(items: &mut [T], work: impl Fn(&mut T) + Sync + Send) {
    if items.len() < 2 * ENOUGH {
        items.iter_mut().for_each(work);
    } else {
        items.par_iter_mut().with_min_len(ENOUGH).for_each(work);
    }
}

/// Calls `work` with every item; no item depends on another.
#[cfg(not(feature = "parallel"))]
pub fn for_each<T>(items: &mut [T], work: impl Fn(&mut T)) {
    items.iter_mut().for_each(work);
}

/// What `work` gives for each item, in order.
#[cfg(feature = "parallel")]
pub fn map<T: Sync, U: Send>(items: &[T], to: &mut Vec<U>, work: impl Fn(&T) -> U + Sync + Send) {
    if items.len() < 4 * ENOUGH {
        to.clear();
        to.extend(items.iter().map(work));
    } else {
        items.par_iter().with_min_len(ENOUGH).map(work).collect_into_vec(to);
    }
}

/// What `work` gives for each item, in order.
#[cfg(not(feature = "parallel"))]
pub fn map<T, U>(items: &[T], to: &mut Vec<U>, work: impl Fn(&T) -> U) {
    to.clear();
    to.extend(items.iter().map(work));
}

/// Calls `work` with every item, each on a thread of its own if there are as many; no item depends on another.
#[cfg(feature = "parallel")]
pub fn for_all<T: Send>(items: &mut [T], work: impl Fn(&mut T) + Sync + Send) {
    if items.len() < 2 {
        items.iter_mut().for_each(work);
    } else {
        items.par_iter_mut().with_max_len(1).for_each(work);
    }
}

/// Calls `work` with every item; no item depends on another.
#[cfg(not(feature = "parallel"))]
pub fn for_all<T>(items: &mut [T], work: impl Fn(&mut T)) {
    items.iter_mut().for_each(work);
}
