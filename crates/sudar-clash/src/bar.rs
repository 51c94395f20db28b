//! How far an examination is.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Tells how many triangles are done, of how many: those of both parts of each pair.
pub(crate) struct Bar<'a, F> {
    triangles: F,
    total: usize,
    done: AtomicUsize,
    tell: &'a (dyn Fn(usize, usize) + Sync),
}

impl<'a, F: Fn(usize) -> usize + Sync> Bar<'a, F> {
    /// Begins with 0.
    pub fn of(pairs: &[[usize; 2]], triangles: F, tell: &'a (dyn Fn(usize, usize) + Sync)) -> Self {
        let total = pairs.iter().flatten().map(|i| triangles(*i)).fold(0, usize::saturating_add);
        tell(0, total);
        Self { triangles, total, done: AtomicUsize::new(0), tell }
    }

    /// A pair is done.
    pub fn advance(&self, pair: [usize; 2]) {
        let count = pair.into_iter().map(&self.triangles).fold(0, usize::saturating_add);
        let before = self.done.fetch_add(count, Ordering::Relaxed);
        (self.tell)(before.saturating_add(count), self.total);
    }
}
