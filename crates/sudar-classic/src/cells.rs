//! Cells and the portals between neighbours, for what stands still and what moves.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use crate::broad::CellHasher;
use sudar::Aabb;
use sudar::broad::candidate_pairs;

/// A set of numbers, for what was visited.
pub(crate) type NumberSet = HashSet<u32, BuildHasherDefault<CellHasher>>;

/// Boxes side by side, and where neighbours open into each other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cells {
    pub cells: Vec<Aabb>,
    /// Neighbours of each cell, and the portal there.
    doors: Vec<Vec<(u32, Aabb)>>,
}

impl Cells {
    /// Portals are what two cells have in common, where that is wide enough to matter.
    pub fn new(cells: Vec<Aabb>, is_wide: impl Fn(&Aabb) -> bool) -> Self {
        let mut doors = vec![Vec::new(); cells.len()];
        for [i, j] in candidate_pairs(&cells) {
            let (a, b) = (cells[i as usize], cells[j as usize]);
            let portal = Aabb { min: a.min.max(b.min), max: a.max.min(b.max) };
            if is_wide(&portal) {
                doors[i as usize].push((j, portal));
                doors[j as usize].push((i, portal));
            }
        }
        Self { cells, doors }
    }

    /// Visits a cell and all that are reached from it through portals that `meets` says are met.
    pub fn reach(
        &self,
        first: u32,
        meets: impl Fn(&Aabb) -> bool,
        seen: &mut NumberSet,
        mut visit: impl FnMut(u32),
    ) {
        let mut todo = vec![first];
        seen.insert(first);
        while let Some(cell) = todo.pop() {
            visit(cell);
            for (next, portal) in &self.doors[cell as usize] {
                if !seen.contains(next) && meets(portal) {
                    seen.insert(*next);
                    todo.push(*next);
                }
            }
        }
    }

    /// Cells on the other side of portals, and the portals.
    pub fn doors(&self, cell: u32) -> &[(u32, Aabb)] {
        &self.doors[cell as usize]
    }

    /// Cells on the other side of portals.
    pub fn neighbours(&self, cell: u32) -> impl Iterator<Item = u32> {
        self.doors[cell as usize].iter().map(|(next, _)| *next)
    }

    pub fn bytes(&self) -> usize {
        let doors: usize = self.doors.iter().map(|list| list.capacity() * size_of::<(u32, Aabb)>()).sum();
        self.cells.capacity() * (size_of::<Aabb>() + size_of::<Vec<u32>>()) + doors
    }
}
