//! Pairs that are none.

use std::collections::BTreeSet;

/// A set of pairs of numbers. Each is kept both ways round, so that those of one number stand side by side.
#[derive(Debug, Clone, Default)]
pub(super) struct Ignored(BTreeSet<[u32; 2]>);

impl Ignored {
    pub fn contains(&self, pair: [u32; 2]) -> bool {
        !self.0.is_empty() && self.0.contains(&pair)
    }

    pub fn set(&mut self, [i, j]: [u32; 2], ignored: bool) {
        for pair in [[i, j], [j, i]] {
            if ignored {
                self.0.insert(pair)
            } else {
                self.0.remove(&pair)
            };
        }
    }

    /// Forgets all pairs of a number.
    pub fn forget(&mut self, i: u32) {
        let others: Vec<u32> = self.0.range([i, 0]..=[i, u32::MAX]).map(|[_, j]| *j).collect();
        others.into_iter().for_each(|j| self.set([i, j], false));
    }

    pub fn bytes(&self) -> usize {
        self.0.len() * size_of::<[u32; 2]>()
    }
}
