//! A grid without bounds, its cells in a hash (Teschner and others 2003, "Optimized spatial hashing for
//! collision detection of deformable objects").

use super::lattice::{
    Cell, CellMap, Lattice, cells, in_order, map_bytes, take_out, test_large, usual_extent, usual_size,
    volume,
};
use sudar::broad::Boxes;
use sudar::broad::Region;
use sudar::broad::{FoundPairs, PairFinder};
use sudar::shape::Aabb;

/// Each box lies in all cells that it enters, and changes cells only when it enters others. Each pair is
/// compared in the cell where the overlap begins. Boxes in more than [`MOST_CELLS`] cells are compared with
/// all others.
#[derive(Debug, Clone, Default)]
pub(super) struct HashGrid {
    lattice: Lattice,
    map: CellMap,
    place: Vec<Place>,
}

/// Where a box is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Place {
    #[default]
    Nowhere,
    In([Cell; 2]),
    /// In the list of large boxes.
    Everywhere,
}

const MOST_CELLS: u64 = 64;

impl PairFinder for HashGrid {
    fn name(&self) -> &str {
        "hash"
    }

    fn removed(&mut self, _boxes: &Boxes, i: u32, _before: &Aabb) {
        self.put(i, Place::Nowhere);
    }

    fn gather(&mut self, boxes: &Boxes, found: &mut FoundPairs) {
        self.lay_out(boxes);
        for i in boxes.live() {
            let range = self.lattice.range(boxes.get(i));
            let place = if volume(range) > MOST_CELLS { Place::Everywhere } else { Place::In(range) };
            found.counters.swaps += u64::from(self.put(i, place));
        }
        found.counters.visits += self.map.len() as u64;
        for (cell, list) in &self.map {
            for (k, &i) in list.iter().enumerate() {
                list[k + 1..].iter().for_each(|&j| self.lattice.test_in(*cell, |c| c, boxes, [i, j], found));
            }
        }
        test_large(&self.large(), boxes, found);
    }

    fn search(&self, _boxes: &Boxes, region: &Region<'_>, visit: &mut dyn FnMut(u32)) -> bool {
        let range = region.bounds().map(|bounds| self.lattice.range(&bounds));
        let Some(range) = range.filter(|range| volume(*range) <= self.map.len() as u64) else { return false };
        let lists = cells(range).filter_map(|cell| self.map.get(&cell));
        lists.flatten().copied().chain(self.large()).for_each(visit);
        true
    }

    fn cells(&self) -> Vec<(u32, Aabb)> {
        in_order(self.map.keys().map(|cell| self.lattice.bounds(*cell)).collect())
    }

    fn bytes(&self) -> usize {
        map_bytes(&self.map) + self.place.capacity() * size_of::<Place>()
    }
}

impl HashGrid {
    /// Chooses cells anew where boxes have become far larger or smaller, or are far from where they were.
    fn lay_out(&mut self, boxes: &Boxes) {
        self.place.resize(boxes.slots().len().max(self.place.len()), Place::Nowhere);
        let extent = usual_extent(boxes);
        let lattice = Lattice::new(&extent.bounds, usual_size(&extent));
        let far = |cell: Cell| cell.iter().any(|c| c.unsigned_abs() > 1 << 24);
        let fits = self.lattice.size <= 2.0 * lattice.size && lattice.size <= 2.0 * self.lattice.size;
        if !fits || self.lattice.range(&extent.bounds).into_iter().any(far) {
            self.lattice = lattice;
            self.map.clear();
            self.place.fill(Place::Nowhere);
        }
    }

    /// Puts a box into cells; whether it was in others.
    fn put(&mut self, i: u32, place: Place) -> bool {
        let old = self.place.get(i as usize).copied().unwrap_or_default();
        if old == place {
            return false;
        }
        if let Place::In(range) = old {
            cells(range).for_each(|cell| take_out(&mut self.map, cell, i));
        }
        if let Place::In(range) = place {
            cells(range).for_each(|cell| self.map.entry(cell).or_default().push(i));
        }
        self.place[i as usize] = place;
        true
    }

    fn large(&self) -> Vec<u32> {
        let all = self.place.iter().enumerate().filter(|(_, place)| **place == Place::Everywhere);
        all.map(|(i, _)| i as u32).collect()
    }
}
