//! Work on all cores where there is enough of it, and the same without the feature `parallel`.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Calls `work` with every item.
#[cfg(feature = "parallel")]
pub(super) fn for_each<T: Send>(items: &mut [T], work: impl Fn(&mut T) + Sync + Send) {
    items.par_iter_mut().for_each(work);
}

/// Calls `work` with every item.
#[cfg(not(feature = "parallel"))]
pub(super) fn for_each<T: Send>(items: &mut [T], work: impl Fn(&mut T) + Sync + Send) {
    items.iter_mut().for_each(work);
}

/// What `work` gives for the numbers below `count`, in order.
#[cfg(feature = "parallel")]
pub(super) fn map<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    if count == 1 { vec![work(0)] } else { (0..count).into_par_iter().map(work).collect() }
}

/// What `work` gives for the numbers below `count`, in order.
#[cfg(not(feature = "parallel"))]
pub(super) fn map<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    (0..count).map(work).collect()
}
