//! Best-first search.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// Something at `place` that is no nearer than `bound`. The one with the least bound is the greatest; ties are
/// broken by place, so that a traversal is the same every time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waiting<P> {
    pub bound: f64,
    pub place: P,
}

impl<P: Ord> Ord for Waiting<P> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound).then_with(|| other.place.cmp(&self.place))
    }
}

impl<P: Ord> PartialOrd for Waiting<P> {
    #[inline]
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

/// What waits to be opened, the greatest key first.
///
/// The greatest of what was pushed last is held beside the heap: mostly it comes next, and need not go through it.
#[derive(Debug)]
pub(crate) struct Queue<K> {
    heap: BinaryHeap<K>,
    hand: Option<K>,
}

impl<K: Ord> Default for Queue<K> {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl<K: Ord> Queue<K> {
    /// An empty queue with room for so many keys.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { heap: BinaryHeap::with_capacity(capacity), hand: None }
    }

    /// Adds a key.
    #[inline(always)]
    pub fn push(&mut self, key: K) {
        match &mut self.hand {
            Some(hand) if *hand >= key => self.heap.push(key),
            Some(hand) => self.heap.push(std::mem::replace(hand, key)),
            None => self.hand = Some(key),
        }
    }

    /// Takes the greatest key.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<K> {
        let Some(mut hand) = self.hand.take() else { return self.heap.pop() };
        if let Some(mut top) = self.heap.peek_mut()
            && *top > hand
        {
            std::mem::swap(&mut *top, &mut hand);
        }
        Some(hand)
    }

    /// All keys, in any order that is the same every time.
    pub fn iter(&self) -> impl Iterator<Item = &K> {
        self.hand.iter().chain(&self.heap)
    }

    /// Number of keys.
    pub fn len(&self) -> usize {
        self.heap.len() + usize::from(self.hand.is_some())
    }
}

impl<P: Ord> Queue<Waiting<P>> {
    /// Adds a place that is no nearer than a bound.
    #[inline(always)]
    pub fn add(&mut self, bound: f64, place: P) {
        self.push(Waiting { bound, place });
    }
}

/// Opens what waits in the queue of a search, the greatest key first, until nothing is left or `open` ends
/// the search. It is given the search and a key, and adds what it finds below to the queue. Gives back what
/// `open` ended the search with.
#[inline]
pub(crate) fn best_first<S, K: Ord, B>(
    search: &mut S,
    queue: impl Fn(&mut S) -> &mut Queue<K>,
    mut open: impl FnMut(&mut S, K) -> ControlFlow<B>,
) -> Option<B> {
    while let Some(key) = queue(search).pop() {
        if let ControlFlow::Break(end) = open(search, key) {
            return Some(end);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_comes_first_and_of_equals_the_least_place() {
        let entries = [(2.0, 0), (1.0, 7), (1.0, 3), (0.5, 9)];
        let mut queue = Queue::default();
        entries.into_iter().for_each(|(bound, place)| queue.add(bound, place));
        let mut order = Vec::new();
        best_first(
            &mut queue,
            |queue| queue,
            |_, Waiting { place, .. }| {
                order.push(place);
                ControlFlow::<()>::Continue(())
            },
        );
        assert_eq!(order, [9, 3, 7, 0]);
    }
}
