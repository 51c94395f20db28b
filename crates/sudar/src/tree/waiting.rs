//! What waits to be opened in a best-first traversal, in an order that a max-heap yields nearest first.

use std::cmp::Ordering;

/// Something at `place` that is no nearer than `bound`. The one with the least bound is the greatest; ties are
/// broken by place, so that a traversal is the same every time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waiting<P> {
    pub bound: f64,
    pub place: P,
}

impl<P: Ord> Ord for Waiting<P> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound).then_with(|| other.place.cmp(&self.place))
    }
}

impl<P: Ord> PartialOrd for Waiting<P> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<P: Ord> PartialEq for Waiting<P> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<P: Ord> Eq for Waiting<P> {}

#[cfg(test)]
mod tests {
    use std::collections::BinaryHeap;

    use super::*;

    #[test]
    fn the_nearest_comes_first_and_of_equals_the_least_place() {
        let entries = [(2.0, 0), (1.0, 7), (1.0, 3), (0.5, 9)];
        let mut heap: BinaryHeap<_> = entries.map(|(bound, place)| Waiting { bound, place }).into();
        let order: Vec<i32> = std::iter::from_fn(|| heap.pop().map(|w| w.place)).collect();
        assert_eq!(order, [9, 3, 7, 0]);
    }
}
