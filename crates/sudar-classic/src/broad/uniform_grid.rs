//! A uniform grid over the scene, filled anew in each frame.

use super::lattice::{Cell, Lattice, cells, test_large, usual_extent, usual_size, volume};
use sudar::broad::Boxes;
use sudar::broad::Region;
use sudar::broad::{FoundPairs, PairFinder};
use sudar::shape::Aabb;

/// Each box lies in all cells that it enters; each pair is compared in the cell where the overlap begins.
/// Cells are twice as large as the mean of the boxes that are not far larger than most, and larger where
/// there would be more than two cells a box; what lies beyond these boxes belongs to the cells at the border.
/// Boxes in more than [`MOST_CELLS`] cells are compared with all others.
///
/// The cells are one array with a list of boxes behind it, filled by counting: O(n) where boxes are of similar size and
/// spread evenly.
#[derive(Debug, Clone, Default)]
pub(super) struct UniformGrid {
    lattice: Lattice,
    last: Cell,
    /// Where the list of each cell begins, and where the last ends.
    starts: Vec<u32>,
    lists: Vec<u32>,
    large: Vec<u32>,
}

/// Boxes in more cells than this are compared with all.
const MOST_CELLS: u64 = 64;

impl PairFinder for UniformGrid {
    fn name(&self) -> &str {
        "uniform"
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        self.lay_out(boxes);
        self.fill(boxes);
        found.counters.visits += self.starts.len() as u64;
        found.counters.swaps += self.lists.len() as u64;
        for (number, cell) in cells([[0; 3], self.last]).enumerate() {
            let list = self.list(number);
            for (k, &i) in list.iter().enumerate() {
                for &j in &list[k + 1..] {
                    self.lattice.test_in(cell, |c| self.inside(c), boxes, [i, j], found);
                }
            }
        }
        test_large(&self.large, boxes, found);
    }

    fn search(&self, _boxes: &Boxes, region: &Region<'_>, visit: &mut dyn FnMut(u32)) -> bool {
        let Some(bounds) = region.bounds() else { return false };
        self.large.iter().for_each(|&i| visit(i));
        let range = self.range(&bounds);
        cells(range).for_each(|cell| self.list(self.number(cell)).iter().for_each(|&i| visit(i)));
        true
    }

    fn cells(&self) -> Vec<(u32, Aabb)> {
        if self.starts.is_empty() {
            return Vec::new();
        }
        let all = cells([[0; 3], self.last]).enumerate();
        all.filter(|(number, _)| !self.list(*number).is_empty())
            .map(|(_, cell)| (0, self.lattice.bounds(cell)))
            .collect()
    }

    fn bytes(&self) -> usize {
        4 * (self.starts.capacity() + self.lists.capacity() + self.large.capacity())
    }
}

impl UniformGrid {
    fn lay_out(&mut self, boxes: &Boxes) {
        let extent = usual_extent(boxes);
        let mut size = usual_size(&extent);
        let most = 2 * boxes.len() as u64 + 64;
        for _ in 0..4096 {
            self.lattice = Lattice::new(&extent.bounds, size);
            self.last = self.lattice.cell(extent.bounds.max);
            if volume([[0; 3], self.last]) <= most {
                return;
            }
            size = self.lattice.size * 1.25;
        }
        self.last = [0; 3];
    }

    /// The cells of the grid that a box enters; what is beyond belongs to those at the border.
    fn range(&self, aabb: &Aabb) -> [Cell; 2] {
        self.lattice.range(aabb).map(|cell| self.inside(cell))
    }

    fn inside(&self, cell: Cell) -> Cell {
        [0, 1, 2].map(|k| cell[k].clamp(0, self.last[k]))
    }

    fn number(&self, [x, y, z]: Cell) -> usize {
        let size = |k: usize| self.last[k] as usize + 1;
        (x as usize * size(1) + y as usize) * size(2) + z as usize
    }

    fn list(&self, number: usize) -> &[u32] {
        &self.lists[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// Counts the boxes of each cell, then writes them down cell by cell.
    fn fill(&mut self, boxes: &Boxes) {
        self.large.clear();
        self.starts.clear();
        self.starts.resize(volume([[0; 3], self.last]) as usize + 1, 0);
        for i in boxes.live() {
            let range = self.range(boxes.get(i));
            if volume(range) > MOST_CELLS {
                self.large.push(i);
            } else {
                cells(range).for_each(|cell| {
                    let number = self.number(cell);
                    self.starts[number] += 1;
                });
            }
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.lists.clear();
        self.lists.resize(sum as usize, 0);
        // Backwards, so that each count becomes the beginning of its list.
        for i in (0..boxes.slots().len() as u32).rev().filter(|&i| boxes.is_live(i)) {
            let range = self.range(boxes.get(i));
            if volume(range) <= MOST_CELLS {
                cells(range).for_each(|cell| {
                    let number = self.number(cell);
                    self.starts[number] -= 1;
                    self.lists[self.starts[number] as usize] = i;
                });
            }
        }
    }
}
