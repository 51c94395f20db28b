//! What is joined to what: disjoint sets (Tarjan 1975, "Efficiency of a Good But Not Linear Set Union Algorithm").

/// Numbers in disjoint sets.
#[derive(Debug, Clone)]
pub(crate) struct Union {
    parent: Vec<usize>,
}

impl Union {
    /// Each number on its own.
    pub fn new(count: usize) -> Self {
        Self { parent: (0..count).collect() }
    }

    /// One number more, on its own.
    pub fn add(&mut self) -> usize {
        self.parent.push(self.parent.len());
        self.parent.len() - 1
    }

    /// The least number of the set.
    pub fn root(&mut self, mut i: usize) -> usize {
        while self.parent[i] != i {
            self.parent[i] = self.parent[self.parent[i]];
            i = self.parent[i];
        }
        i
    }

    pub fn are_one(&mut self, i: usize, j: usize) -> bool {
        self.root(i) == self.root(j)
    }

    pub fn join(&mut self, i: usize, j: usize) {
        let (i, j) = (self.root(i), self.root(j));
        self.parent[i.max(j)] = i.min(j);
    }
}
