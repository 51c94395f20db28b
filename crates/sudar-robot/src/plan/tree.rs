//! A tree of configurations.

use crate::turns::Turns;

/// Configurations, each with the one that it was reached from.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    dof: usize,
    q: Vec<f64>,
    /// Of roots themselves.
    parents: Vec<u32>,
    /// Whether a node is still part of the tree.
    alive: Vec<bool>,
}

impl Tree {
    /// A tree of roots only.
    pub fn new<'q>(dof: usize, roots: impl IntoIterator<Item = &'q [f64]>) -> Self {
        let mut tree = Self { dof, ..Self::default() };
        for root in roots {
            let own = tree.len() as u32;
            tree.add(own, root);
        }
        tree
    }

    /// How many nodes it has had.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// The configuration of a node.
    pub fn at(&self, node: u32) -> &[f64] {
        &self.q[node as usize * self.dof..][..self.dof]
    }

    /// Adds a node, and returns its number.
    pub fn add(&mut self, parent: u32, q: &[f64]) -> u32 {
        self.q.extend_from_slice(q);
        self.parents.push(parent);
        self.alive.push(true);
        self.len() as u32 - 1
    }

    /// The node nearest to a configuration the shortest way round, the first of several, and the square of its
    /// distance. O(nodes).
    pub fn nearest(&self, q: &[f64], turns: &Turns) -> (u32, f64) {
        let mut best = (0, f64::INFINITY);
        for (i, node) in self.q.chunks_exact(self.dof.max(1)).enumerate() {
            let square = turns.distance_squared(node, q);
            if square < best.1 && self.alive[i] {
                best = (i as u32, square);
            }
        }
        best
    }

    /// The nodes from one to its root.
    pub fn to_root(&self, node: u32) -> Vec<u32> {
        let mut nodes = vec![node];
        let mut at = node;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
            nodes.push(at);
        }
        nodes
    }

    /// Whether a node is still part of the tree.
    pub fn is_alive(&self, node: u32) -> bool {
        self.alive[node as usize]
    }

    /// Takes a node and all that was reached from it out of the tree. Roots stay.
    pub fn cut(&mut self, node: u32) {
        if self.parents[node as usize] == node {
            return;
        }
        self.alive[node as usize] = false;
        // Parents have smaller numbers.
        for i in node as usize + 1..self.len() {
            self.alive[i] &= self.alive[self.parents[i] as usize];
        }
    }
}

/// The length of the straight way between two configurations: the root of the sum of squares, radians and metres alike.
pub(super) fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// The configuration at a part of the way from one to another.
pub(super) fn between(a: &[f64], b: &[f64], t: f64) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| mixed(*a, *b, t)).collect()
}

/// The number at a part of the way from one to another. Rounding does not take it beyond them: they are within limits.
pub(super) fn mixed(a: f64, b: f64, t: f64) -> f64 {
    (a + t * (b - a)).clamp(a.min(b), a.max(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_is_no_longer_found() {
        let turns = Turns::none();
        let mut tree = Tree::new(1, [&[0.0][..], &[10.0]]);
        let one = tree.add(0, &[1.0]);
        let two = tree.add(one, &[2.0]);
        let three = tree.add(0, &[3.0]);
        assert_eq!(tree.to_root(two), [two, one, 0]);
        assert_eq!(tree.nearest(&[2.2], &turns).0, two);
        tree.cut(one);
        assert_eq!(tree.nearest(&[2.2], &turns).0, three);
        tree.cut(0);
        assert_eq!(tree.nearest(&[0.2], &turns), (0, 0.2 * 0.2));
        assert!(!tree.is_alive(two) && tree.is_alive(0) && tree.len() == 5);
    }
}
