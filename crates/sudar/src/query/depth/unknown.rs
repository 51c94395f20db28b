//! What a search for the deepest point has still to look into, the deepest first.

use std::cmp::Ordering;

use glam::DVec3;

/// A part of the surface that is looked into.
#[derive(Clone, Copy)]
pub(super) enum Area {
    /// What is in a node of the tree.
    Node(usize),
    /// A piece of a triangle, with the triangle of the other surface nearest to its centre.
    Piece { corners: [DVec3; 3], triangle: u32, nearest: u32 },
}

/// A part of the surface that is nowhere deeper than a bound.
pub(super) struct Unknown {
    pub bound: f64,
    /// The order in which they were found: of equals the first comes first.
    pub number: u64,
    pub area: Area,
}

impl Ord for Unknown {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Unknown {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Unknown {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Unknown {}
