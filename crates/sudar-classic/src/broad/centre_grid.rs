//! A grid of cells larger than the largest box, with each box in the cell of its centre (Daneu 2002, "Algorithms for
//! collision detection").

use super::lattice::{Cell, CellMap, Lattice, in_order, map_bytes, take_out, test_large};
use sudar::broad::Region;
use sudar::broad::{Boxes, Extent};
use sudar::broad::{FoundPairs, PairFinder};
use sudar::shape::Aabb;

/// The centre grid in `D` dimensions, 2 or 3. Two boxes that overlap have their centres in the same cell or
/// in neighbours, so only half of the neighbours need be visited: those to the right and below. A box changes
/// place only when its centre goes to another cell.
///
/// In two dimensions the axis on which the scene is thinnest is left out. One large box makes all cells
/// large: then this is slow.
#[derive(Debug, Clone)]
pub(super) struct CentreGrid<const D: usize> {
    lattice: Lattice,
    map: CellMap,
    /// The cell of each box that is in one.
    place: Vec<Option<Cell>>,
    /// The axis left out in two dimensions.
    flat: usize,
    /// Boxes without a finite centre.
    large: Vec<u32>,
}

impl<const D: usize> Default for CentreGrid<D> {
    fn default() -> Self {
        let lattice = Lattice::default();
        Self { lattice, map: CellMap::default(), place: Vec::new(), flat: 2, large: Vec::new() }
    }
}

impl<const D: usize> PairFinder for CentreGrid<D> {
    fn name(&self) -> &str {
        if D == 2 { "grid2d" } else { "grid3d" }
    }

    fn removed(&mut self, _boxes: &Boxes, i: u32, _before: &Aabb) {
        self.put(i, None);
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        self.lay_out(boxes);
        self.large.clear();
        for i in boxes.live() {
            let center = boxes.get(i).center();
            if boxes.get(i).extent().is_finite() {
                let cell = self.without_flat(self.lattice.cell(center));
                found.counters.swaps += u64::from(self.put(i, Some(cell)));
            } else {
                self.large.push(i);
                self.put(i, None);
            }
        }
        self.pairs(boxes, found);
        test_large(&self.large, boxes, found);
    }

    fn search(&self, _boxes: &Boxes, region: &Region<'_>, visit: &mut dyn FnMut(u32)) -> bool {
        let Some(bounds) = region.bounds() else { return false };
        let [low, high] = self.lattice.range(&bounds).map(|cell| self.without_flat(cell));
        let low = low.map(|c| c.saturating_sub(1));
        let high = high.map(|c| c.saturating_add(1));
        for (cell, list) in &self.map {
            if (0..3).all(|k| low[k] <= cell[k] && cell[k] <= high[k]) {
                list.iter().for_each(|&i| visit(i));
            }
        }
        self.large.iter().for_each(|&i| visit(i));
        true
    }

    fn cells(&self) -> Vec<(u32, Aabb)> {
        in_order(self.map.keys().map(|cell| self.bounds(*cell)).collect())
    }

    fn bytes(&self) -> usize {
        map_bytes(&self.map) + self.place.capacity() * size_of::<Option<Cell>>()
    }
}

/// The neighbours to the right and below, of which each pair of neighbours is one of the other.
const AFTER: [Cell; 13] = [
    [1, 0, 0],
    [0, 1, 0],
    [1, 1, 0],
    [-1, 1, 0],
    [-1, -1, 1],
    [0, -1, 1],
    [1, -1, 1],
    [-1, 0, 1],
    [0, 0, 1],
    [1, 0, 1],
    [-1, 1, 1],
    [0, 1, 1],
    [1, 1, 1],
];

impl<const D: usize> CentreGrid<D> {
    /// Chooses cells anew if the largest box no longer fits one, or is far smaller.
    fn lay_out(&mut self, boxes: &Boxes) {
        self.place.resize(boxes.slots().len().max(self.place.len()), None);
        let extent = Extent::of(boxes.live().map(|i| boxes.get(i)));
        // The least that the cells may be. The rounding of centres and of cell numbers is far below what is added.
        let rounding = 16.0 * f64::EPSILON * extent.bounds.reach();
        let least = extent.greatest.max_element() * (1.0 + 1.0 / f64::from(1 << 16)) + rounding;
        let lattice = Lattice::new(&extent.bounds, least);
        let fits = self.lattice.size >= lattice.size && self.lattice.size <= 4.0 * lattice.size;
        if fits && self.is_near(&extent.bounds) {
            return;
        }
        let range = extent.bounds.extent();
        self.flat = [1, 0].into_iter().fold(2, |least, k| if range[k] < range[least] { k } else { least });
        self.lattice = lattice;
        self.map.clear();
        self.place.fill(None);
    }

    /// Whether cells are numbered without loss where the boxes are.
    fn is_near(&self, bounds: &Aabb) -> bool {
        let far = |cell: Cell| cell.iter().any(|c| c.unsigned_abs() > 1 << 24);
        !self.lattice.range(bounds).into_iter().any(far)
    }

    /// The box of a cell, without end on the axis that is left out.
    fn bounds(&self, mut cell: Cell) -> Aabb {
        if D < 3 {
            cell.swap(self.flat, 2);
        }
        let mut bounds = self.lattice.bounds(cell);
        if D < 3 {
            (bounds.min[self.flat], bounds.max[self.flat]) = (f64::NEG_INFINITY, f64::INFINITY);
        }
        bounds
    }

    fn without_flat(&self, mut cell: Cell) -> Cell {
        if D == 2 {
            cell[self.flat] = 0;
            // The two axes that count are the first two.
            cell.swap(self.flat, 2);
        }
        cell
    }

    /// Puts a box into a cell, or nowhere; whether it was elsewhere.
    fn put(&mut self, i: u32, cell: Option<Cell>) -> bool {
        let old = self.place.get(i as usize).copied().flatten();
        if old == cell {
            return false;
        }
        if let Some(old) = old {
            take_out(&mut self.map, old, i);
        }
        if let Some(new) = cell {
            self.map.entry(new).or_default().push(i);
        }
        self.place[i as usize] = cell;
        true
    }

    fn pairs(&self, boxes: &Boxes, found: &mut FoundPairs) {
        let neighbours = &AFTER[..if D == 2 { 4 } else { 13 }];
        for (cell, list) in &self.map {
            found.counters.visits += 1 + neighbours.len() as u64;
            for (k, &i) in list.iter().enumerate() {
                list[k + 1..].iter().for_each(|&j| found.test(boxes, i, j));
            }
            for step in neighbours {
                let next = [0, 1, 2].map(|k| cell[k] + step[k]);
                let Some(others) = self.map.get(&next) else { continue };
                for &i in list {
                    others.iter().for_each(|&j| found.test(boxes, i, j));
                }
            }
        }
    }
}
