//! Cells and portals: boxes side by side, and the openings between neighbours (Airey, Rohlf, Brooks 1990,
//! "Towards image realism with interactive update rates in complex virtual building environments").

use super::finder::{Finder, Probe, bounds_of};
use crate::cells::{Cells, NumberSet};
use sudar::pair::triangle_aabb;
use sudar::shape::{Aabb, Triangle};

/// From the first cell that a probe meets, the others are found through portals that it meets. Cells are
/// closed, so this reaches every cell that a connected probe meets.
#[derive(Debug, Clone)]
pub(super) struct Portals {
    cells: Cells,
    /// Triangles of each cell.
    items: Vec<Vec<u32>>,
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
        let (mut cells, mut items) = (Vec::new(), Vec::new());
        let all: Vec<u32> = (0..triangles.len() as u32).collect();
        divide(triangles, &all, (bounds_of(triangles), 0), &mut |cell, inside| {
            cells.push(cell);
            items.push(inside);
        });
        // Cells that meet in an edge or corner have a way around it.
        let is_face = |portal: &Aabb| (0..3).filter(|&k| portal.min[k] == portal.max[k]).count() <= 1;
        Self { cells: Cells::new(cells, is_face), items, tiles: true, outside: Vec::new() }
    }

    pub fn with_cells(triangles: &[Triangle], cells: Vec<Aabb>) -> Self {
        let all = 0..triangles.len() as u32;
        let met =
            |cell: &Aabb| all.clone().filter(|&i| triangle_aabb(&triangles[i as usize], cell)).collect();
        let items = cells.iter().map(met).collect();
        let whole = |t: &Triangle| cells.iter().any(|cell| t.corners().iter().all(|p| cell.contains(*p)));
        let outside = all.clone().filter(|&i| !whole(&triangles[i as usize])).collect();
        Self { cells: Cells::new(cells, |_| true), items, tiles: false, outside }
    }
}

/// Divides a cell at its depth until it holds few triangles.
fn divide(
    triangles: &[Triangle],
    items: &[u32],
    (cell, depth): (Aabb, u32),
    found: &mut dyn FnMut(Aabb, Vec<u32>),
) {
    let Some(parts) = halves(triangles, items, cell, depth) else { return found(cell, items.to_vec()) };
    for half in parts {
        let meets = |i: &u32| triangle_aabb(&triangles[*i as usize], &half);
        let inside: Vec<u32> = items.iter().copied().filter(meets).collect();
        divide(triangles, &inside, (half, depth + 1), found);
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
        for (first, cell) in (0..).zip(&self.cells.cells) {
            if seen.contains(&first) || !probe.meets_box(cell) {
                continue;
            }
            self.cells.reach(
                first,
                |portal| probe.meets_box(portal),
                &mut seen,
                |cell| self.items[cell as usize].iter().for_each(|&i| visit(i)),
            );
            // Cells that fill a box are all reached from one.
            if self.tiles {
                break;
            }
        }
        seen.len() as u64
    }

    fn bytes(&self) -> usize {
        let items: usize = self.items.iter().map(|list| 4 * list.capacity()).sum();
        self.cells.bytes() + self.items.capacity() * size_of::<Vec<u32>>() + items
    }
}
