//! Cells and portals: boxes side by side, and the openings between neighbours (Airey, Rohlf, Brooks 1990,
//! "Towards image realism with interactive update rates in complex virtual building environments").

use super::finder::{Finder, NumberSet, Probe, bounds_of};
use sudar::broad::candidate_pairs;
use sudar::pair::triangle_aabb;
use sudar::shape::{Aabb, Triangle};

/// From the first cell that a probe meets, the others are found through portals that it meets. Cells are
/// closed, so this reaches every cell that a connected probe meets.
#[derive(Debug, Clone)]
pub(super) struct Portals {
    cells: Vec<Aabb>,
    /// Triangles of each cell.
    items: Vec<Vec<u32>>,
    /// Neighbours of each cell, and the portal there.
    doors: Vec<Vec<(u32, Aabb)>>,
    /// Whether the cells fill a box without gaps.
    tiles: bool,
    /// Triangles that lie in no cell as a whole, where cells do not fill a box.
    outside: Vec<u32>,
}

/// Fewer triangles in a cell are not divided.
const LEAF_SIZE: usize = 12;

const DEPTH: u32 = 24;

impl Portals {
    /// Cells by a BSP tree across the axes, at the median of the triangles' centres.
    pub fn new(triangles: &[Triangle]) -> Self {
        let mut found = Self::empty(true);
        let all: Vec<u32> = (0..triangles.len() as u32).collect();
        found.divide(triangles, &all, bounds_of(triangles), 0);
        // Cells that meet in an edge or corner have a way around it.
        found.open_doors(|portal| (0..3).filter(|&k| portal.min[k] == portal.max[k]).count() <= 1);
        found
    }

    pub fn with_cells(triangles: &[Triangle], cells: Vec<Aabb>) -> Self {
        let mut found = Self::empty(false);
        for cell in cells {
            let inside =
                (0..triangles.len() as u32).filter(|&i| triangle_aabb(&triangles[i as usize], &cell));
            found.items.push(inside.collect());
            found.cells.push(cell);
        }
        let whole =
            |t: &Triangle| found.cells.iter().any(|cell| t.corners().iter().all(|p| cell.contains(*p)));
        let outside = (0..triangles.len() as u32).filter(|&i| !whole(&triangles[i as usize])).collect();
        found.outside = outside;
        found.open_doors(|_| true);
        found
    }

    fn empty(tiles: bool) -> Self {
        Self { cells: Vec::new(), items: Vec::new(), doors: Vec::new(), tiles, outside: Vec::new() }
    }

    fn divide(&mut self, triangles: &[Triangle], items: &[u32], cell: Aabb, depth: u32) {
        if let Some([low, high]) = halves(triangles, items, cell, depth) {
            for half in [low, high] {
                let meets = |i: &u32| triangle_aabb(&triangles[*i as usize], &half);
                let inside: Vec<u32> = items.iter().copied().filter(meets).collect();
                self.divide(triangles, &inside, half, depth + 1);
            }
        } else {
            self.cells.push(cell);
            self.items.push(items.to_vec());
        }
    }

    fn open_doors(&mut self, is_wide: impl Fn(&Aabb) -> bool) {
        self.doors = vec![Vec::new(); self.cells.len()];
        for [i, j] in candidate_pairs(&self.cells) {
            let (a, b) = (self.cells[i as usize], self.cells[j as usize]);
            let portal = Aabb { min: a.min.max(b.min), max: a.max.min(b.max) };
            if is_wide(&portal) {
                self.doors[i as usize].push((j, portal));
                self.doors[j as usize].push((i, portal));
            }
        }
    }
}

/// The cell divided where half of its triangles are on either side; `None` where that is of no use.
fn halves(triangles: &[Triangle], items: &[u32], cell: Aabb, depth: u32) -> Option<[Aabb; 2]> {
    if items.len() <= LEAF_SIZE || depth >= DEPTH {
        return None;
    }
    let extent = cell.extent();
    let axis = [1, 2].into_iter().fold(0, |best, k| if extent[k] > extent[best] { k } else { best });
    let mut centers: Vec<f64> = items.iter().map(|&i| triangles[i as usize].aabb().center()[axis]).collect();
    let half = centers.len() / 2;
    let median = *centers.select_nth_unstable_by(half, f64::total_cmp).1;
    // Not too near the border, so that cells do not become thin.
    let plane = median.clamp(cell.min[axis] + 0.125 * extent[axis], cell.max[axis] - 0.125 * extent[axis]);
    if !(cell.min[axis] < plane && plane < cell.max[axis]) {
        return None;
    }
    let (mut low, mut high) = (cell, cell);
    (low.max[axis], high.min[axis]) = (plane, plane);
    Some([low, high])
}

impl Finder for Portals {
    fn find(&self, probe: &Probe, visit: &mut dyn FnMut(u32)) -> u64 {
        self.outside.iter().for_each(|&i| visit(i));
        let mut seen = NumberSet::default();
        for first in 0..self.cells.len() as u32 {
            if seen.contains(&first) || !probe.meets_box(&self.cells[first as usize]) {
                continue;
            }
            self.enter(first, probe, &mut seen, visit);
            // Cells that fill a box are all reached from one.
            if self.tiles {
                break;
            }
        }
        seen.len() as u64
    }

    fn bytes(&self) -> usize {
        let items: usize = self.items.iter().map(|list| 4 * list.capacity()).sum();
        let doors: usize = self.doors.iter().map(|list| list.capacity() * size_of::<(u32, Aabb)>()).sum();
        self.cells.capacity() * (size_of::<Aabb>() + 2 * size_of::<Vec<u32>>()) + items + doors
    }
}

impl Portals {
    fn enter(&self, first: u32, probe: &Probe, seen: &mut NumberSet, visit: &mut dyn FnMut(u32)) {
        let mut todo = vec![first];
        seen.insert(first);
        while let Some(cell) = todo.pop() {
            self.items[cell as usize].iter().for_each(|&i| visit(i));
            for (next, portal) in &self.doors[cell as usize] {
                if !seen.contains(next) && probe.meets_box(portal) {
                    seen.insert(*next);
                    todo.push(*next);
                }
            }
        }
    }
}
