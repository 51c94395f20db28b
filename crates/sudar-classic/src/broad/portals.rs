//! Cells and portals between objects that move (Dimitrijević 2019, section 3.4).

use crate::cells::{Cells, NumberSet};
use sudar::Aabb;
use sudar::broad::{Boxes, FoundPairs, PairFinder, overlap};

/// An object belongs to the cell of its centre, and keeps it until the centre leaves; then the cells beyond its portals
/// come first. It enters the cells that it reaches from there through portals that its box meets, and is compared with
/// what is in them. The source compares it with the objects whose centres are in these cells: two that meet in a third
/// are then missed.
///
/// What is not wholly in one cell may meet others where no cell is, so it enters every cell that it meets and is
/// compared with all of its kind, unless the cells tile a box that holds it.
#[derive(Debug, Clone, Default)]
pub(super) struct Portals {
    cells: Cells,
    /// The box that the cells fill, if they do.
    tiled: Option<Aabb>,
    /// The cell of each object.
    homes: Vec<Option<u32>>,
    /// Cells that each object enters, sorted; the number of cells stands for where no cell is.
    entered: Vec<Vec<u32>>,
    /// Objects of each cell, and of where none is.
    lists: Vec<Vec<u32>>,
}

impl Portals {
    pub fn new(cells: Vec<Aabb>) -> Self {
        let tiled = tiled(&cells);
        Self {
            lists: vec![Vec::new(); cells.len() + 1],
            cells: Cells::new(cells, |_| true),
            tiled,
            ..Self::default()
        }
    }

    /// The cell of a centre: that of before, one beside it, any.
    fn home(&self, before: Option<u32>, center: sudar::DVec3) -> Option<u32> {
        let holds = |cell: &u32| self.cells.cells[*cell as usize].contains(center);
        let near = before.into_iter().chain(before.into_iter().flat_map(|cell| self.cells.neighbours(cell)));
        near.chain(0..self.cells.cells.len() as u32).find(holds)
    }

    /// The cells that a box enters.
    fn entered(&self, home: Option<u32>, aabb: &Aabb) -> Vec<u32> {
        // What touches a face may touch what is beyond it.
        let inside = |outer: &Aabb| outer.min.cmplt(aabb.min).all() && aabb.max.cmplt(outer.max).all();
        let mut found = Vec::new();
        match home {
            Some(home) if inside(&self.cells.cells[home as usize]) => found.push(home),
            Some(home) if self.tiled.as_ref().is_some_and(inside) => {
                let meets = |portal: &Aabb| overlap(aabb, portal);
                self.cells.reach(home, meets, &mut NumberSet::default(), |cell| found.push(cell));
            }
            Some(_) | None => {
                let meets = |cell: &u32| overlap(aabb, &self.cells.cells[*cell as usize]);
                found.extend((0..self.cells.cells.len() as u32).filter(meets));
                found.push(self.cells.cells.len() as u32);
            }
        }
        found.sort_unstable();
        found
    }
}

/// Most parts into which a box is divided to see whether cells fill it.
const MOST_PARTS: usize = 1 << 20;

/// The box around the cells, if they fill it: each part between neighbouring planes of faces lies in a cell.
fn tiled(cells: &[Aabb]) -> Option<Aabb> {
    let planes = [0, 1, 2].map(|k| {
        let mut all: Vec<f64> = cells.iter().flat_map(|cell| [cell.min[k], cell.max[k]]).collect();
        all.sort_unstable_by(f64::total_cmp);
        all.dedup();
        all
    });
    let counts = planes.each_ref().map(|all| all.len().saturating_sub(1));
    let parts = counts.iter().try_fold(1usize, |product, n| product.checked_mul(*n))?;
    if parts == 0 || parts > MOST_PARTS {
        return None;
    }
    let mut filled = vec![false; parts];
    for cell in cells {
        let place = |k: usize, x: f64| planes[k].partition_point(|plane| *plane < x);
        let ranges = [0, 1, 2].map(|k| place(k, cell.min[k])..place(k, cell.max[k]));
        for x in ranges[0].clone() {
            for y in ranges[1].clone() {
                let row = (x * counts[1] + y) * counts[2];
                ranges[2].clone().for_each(|z| filled[row + z] = true);
            }
        }
    }
    let whole = cells.iter().fold(Aabb::EMPTY, |bounds, cell| bounds.union(*cell));
    filled.iter().all(|part| *part).then_some(whole)
}

impl PairFinder for Portals {
    fn name(&self) -> &str {
        "portals"
    }

    fn cells(&self) -> Vec<(u32, Aabb)> {
        self.cells.cells.iter().map(|cell| (0, *cell)).collect()
    }

    fn parameters(&self) -> String {
        format!("{} cells", self.cells.cells.len())
    }

    fn removed(&mut self, _boxes: &Boxes, i: u32, _before: &Aabb) {
        self.homes[i as usize] = None;
        self.entered[i as usize].clear();
    }

    fn inserted(&mut self, boxes: &Boxes, _i: u32) {
        self.homes.resize(boxes.slots().len().max(self.homes.len()), None);
        self.entered.resize(self.homes.len(), Vec::new());
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        self.lists.iter_mut().for_each(Vec::clear);
        for i in boxes.live() {
            let (aabb, before) = (boxes.get(i), self.homes[i as usize]);
            let home = self.home(before, aabb.center());
            found.counters.swaps += u64::from(home != before);
            self.homes[i as usize] = home;
            let entered = self.entered(home, aabb);
            found.counters.visits += entered.len() as u64;
            entered.iter().for_each(|&cell| self.lists[cell as usize].push(i));
            self.entered[i as usize] = entered;
        }
        for (cell, list) in (0..).zip(&self.lists) {
            for (k, &i) in list.iter().enumerate() {
                for &j in &list[k + 1..] {
                    // In the first cell that both have entered.
                    let [a, b] = [i, j].map(|i| &self.entered[i as usize]);
                    if a.iter().find(|c| b.binary_search(c).is_ok()) == Some(&cell) {
                        found.test(boxes, i, j);
                    }
                }
            }
        }
    }

    fn bytes(&self) -> usize {
        let lists: usize = self.lists.iter().chain(&self.entered).map(|list| 4 * list.capacity() + 24).sum();
        self.cells.bytes() + lists + 8 * self.homes.capacity()
    }
}
