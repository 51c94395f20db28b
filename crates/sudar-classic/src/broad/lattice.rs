//! Space divided into equal cells.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use sudar::glam::DVec3;

use sudar::broad::FoundPairs;
use sudar::broad::{Boxes, Extent};
use sudar::shape::Aabb;

/// Numbers of a cell on the three axes.
pub(super) type Cell = [i32; 3];

/// Cubic cells side by side.
///
/// The cell of a point is found by rounded arithmetic that keeps the order of numbers on each axis. So a box
/// lies in the cells between those of its corners, and where two boxes overlap, the greatest of their least
/// coordinates is a point of both: the pair belongs to the cell of that point alone.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Lattice {
    origin: DVec3,
    pub size: f64,
}

impl Lattice {
    /// Cells of at least this size, at most 2²⁰ of them on an axis of the bounds.
    pub fn new(bounds: &Aabb, size: f64) -> Self {
        let range = bounds.extent().max_element();
        let rounding = 64.0 * f64::EPSILON * bounds.reach();
        let least = (range / f64::from(1 << 20)).max(rounding).max(1e-300);
        Self { origin: bounds.min, size: size.max(least) }
    }

    #[inline]
    pub fn cell(&self, p: DVec3) -> Cell {
        let c = ((p - self.origin) / self.size).floor();
        // The conversion cuts off at the ends of the range.
        [c.x as i32, c.y as i32, c.z as i32]
    }

    /// The box of a cell.
    pub fn bounds(&self, cell: Cell) -> Aabb {
        let min = self.origin + DVec3::from_array(cell.map(f64::from)) * self.size;
        Aabb { min, max: min + DVec3::splat(self.size) }
    }

    /// The cells that a box lies in, from one to another.
    #[inline]
    pub fn range(&self, aabb: &Aabb) -> [Cell; 2] {
        [self.cell(aabb.min), self.cell(aabb.max)]
    }

    /// Compares two boxes if their pair belongs to the cell; `inside` gives the cell that stands for one
    /// beyond the border.
    #[inline]
    pub fn test_in(
        &self,
        cell: Cell,
        inside: impl Fn(Cell) -> Cell,
        boxes: &Boxes,
        [i, j]: [u32; 2],
        found: &mut FoundPairs,
    ) {
        if inside(self.cell(boxes.get(i).min.max(boxes.get(j).min))) == cell {
            found.test(boxes, i, j);
        } else {
            found.counters.visits += 1;
        }
    }
}

/// How many cells are in a range.
pub(super) fn volume([low, high]: [Cell; 2]) -> u64 {
    (0..3).map(|k| (i64::from(high[k]) - i64::from(low[k]) + 1) as u64).fold(1, u64::saturating_mul)
}

/// All cells of a range.
pub(super) fn cells([low, high]: [Cell; 2]) -> impl Iterator<Item = Cell> {
    (low[0]..=high[0])
        .flat_map(move |x| (low[1]..=high[1]).flat_map(move |y| (low[2]..=high[2]).map(move |z| [x, y, z])))
}

/// Common box and mean size of the boxes but for those far larger than most, by which cells are laid out: one
/// huge box would put all small ones into one cell.
pub(super) fn usual_extent(boxes: &Boxes) -> Extent {
    /// Boxes that are sampled for the usual size, about.
    const SAMPLE: usize = 1 << 12;
    /// How many times as large as the upper quartile is unusual.
    const FAR_LARGER: f64 = 16.0;
    let size = |i: u32| boxes.get(i).extent().max_element();
    let sample = boxes.live().step_by(boxes.len() / SAMPLE + 1).map(size);
    // Points fit cells of any size.
    let mut sizes: Vec<f64> = sample.filter(|size| *size > 0.0 && size.is_finite()).collect();
    let quartile = 3 * sizes.len() / 4;
    let most = match sizes.get(quartile) {
        Some(_) => FAR_LARGER * *sizes.select_nth_unstable_by(quartile, f64::total_cmp).1,
        None => f64::INFINITY,
    };
    Extent::of(boxes.live().filter(|&i| size(i) <= most).map(|i| boxes.get(i)))
}

/// Twice the mean size of boxes: most of them lie in few cells, and cells hold few of them.
pub(super) fn usual_size(extent: &Extent) -> f64 {
    2.0 * extent.mean.max_element()
}

/// Compares some large boxes with all others.
pub(super) fn test_large(large: &[u32], boxes: &Boxes, found: &mut FoundPairs) {
    let mut is_large = vec![false; boxes.slots().len()];
    large.iter().for_each(|&i| is_large[i as usize] = true);
    for &i in large {
        for j in boxes.live().filter(|&j| j > i || !is_large[j as usize]) {
            found.test(boxes, i, j);
        }
    }
}

/// Boxes by cell, in a hash.
pub(super) type CellMap = HashMap<Cell, Vec<u32>, BuildHasherDefault<CellHasher>>;

/// Takes a box out of a cell.
pub(super) fn take_out(map: &mut CellMap, cell: Cell, i: u32) {
    if let Some(list) = map.get_mut(&cell) {
        list.retain(|&j| j != i);
        if list.is_empty() {
            map.remove(&cell);
        }
    }
}

/// Cells of a hash, as a list that is the same in every run.
pub(super) fn in_order(mut cells: Vec<Aabb>) -> Vec<(u32, Aabb)> {
    let key = |cell: &Aabb| cell.min.to_array().map(|x| if x.is_finite() { x } else { 0.0 });
    cells.sort_by(|a, b| {
        key(a)
            .iter()
            .zip(key(b))
            .map(|(x, y)| x.total_cmp(&y))
            .find(|o| o.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    cells.into_iter().map(|cell| (0, cell)).collect()
}

/// Memory of the hash.
pub(super) fn map_bytes(map: &CellMap) -> usize {
    map.capacity() * size_of::<(Cell, Vec<u32>)>()
        + map.values().map(|list| 4 * list.capacity()).sum::<usize>()
}

/// A hash that is the same in every run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CellHasher(u64);

impl Hasher for CellHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_i32(&mut self, i: i32) {
        self.write_u64(u64::from(i as u32));
    }

    fn write_usize(&mut self, i: usize) {
        self.write_u64(i as u64);
    }

    fn write_u64(&mut self, i: u64) {
        self.0 = (self.0.rotate_left(23) ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
