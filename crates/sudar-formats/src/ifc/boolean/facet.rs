//! Triangles of solids on the grid.

use super::points::{Flat, Plane, Whole};

/// A triangle of a solid.
pub(super) struct Facet {
    pub solid: usize,
    pub corners: [u32; 3],
    pub whole: [Whole; 3],
    pub plane: Plane,
}

impl Facet {
    pub fn flat(&self) -> Flat {
        Flat::of_normal(self.plane.normal)
    }
}

/// The least number of a set, by its links.
pub(super) fn root(sets: &mut [usize], mut i: usize) -> usize {
    while sets[i] != i {
        sets[i] = sets[sets[i]];
        i = sets[i];
    }
    i
}
