//! What is known of pairs of bodies that rest, found by the pair and by either of its bodies.

use std::collections::{BTreeMap, BTreeSet};

/// Pairs in order, each the lesser body first. All but [`PairMap::iter`] costs O(log n) for each pair found.
#[derive(Debug, Clone)]
pub struct PairMap<T> {
    known: BTreeMap<[u32; 2], T>,
    /// The pairs by their second body.
    turned: BTreeSet<[u32; 2]>,
}

impl<T> Default for PairMap<T> {
    fn default() -> Self {
        Self { known: BTreeMap::new(), turned: BTreeSet::new() }
    }
}

impl<T> FromIterator<([u32; 2], T)> for PairMap<T> {
    fn from_iter<I: IntoIterator<Item = ([u32; 2], T)>>(pairs: I) -> Self {
        let mut map = Self::default();
        pairs.into_iter().for_each(|(pair, value)| map.insert(pair, value));
        map
    }
}

impl<T> PairMap<T> {
    pub fn insert(&mut self, [i, j]: [u32; 2], value: T) {
        self.known.insert([i, j], value);
        self.turned.insert([j, i]);
    }

    pub fn get(&self, pair: [u32; 2]) -> Option<&T> {
        self.known.get(&pair)
    }

    pub fn take(&mut self, [i, j]: [u32; 2]) -> Option<T> {
        self.turned.remove(&[j, i]);
        self.known.remove(&[i, j])
    }

    /// The pairs of a body, in no order that matters.
    pub fn of(&self, body: u32) -> Vec<[u32; 2]> {
        let range = [body, 0]..=[body, u32::MAX];
        let first = self.known.range(range.clone()).map(|(pair, _)| *pair);
        first.chain(self.turned.range(range).map(|&[j, i]| [i, j])).collect()
    }

    /// Forgets the pairs of a body.
    pub fn forget(&mut self, body: u32) {
        for pair in self.of(body) {
            self.take(pair);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = ([u32; 2], &T)> {
        self.known.iter().map(|(pair, value)| (*pair, value))
    }

    pub fn into_iter(self) -> impl Iterator<Item = ([u32; 2], T)> {
        self.known.into_iter()
    }

    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_found_by_either_body() {
        let mut map = PairMap::default();
        [[1, 5], [0, 5], [5, 9], [2, 3]].into_iter().for_each(|pair| map.insert(pair, pair[0] + pair[1]));
        let mut of_five = map.of(5);
        of_five.sort_unstable();
        assert_eq!(of_five, [[0, 5], [1, 5], [5, 9]]);
        assert_eq!((map.take([5, 9]), map.take([5, 9]), map.of(9).len()), (Some(14), None, 0));
        map.forget(5);
        assert_eq!(map.iter().map(|(pair, _)| pair).collect::<Vec<_>>(), [[2, 3]]);
        assert!(map.of(5).is_empty() && map.len() == 1);
    }
}
