//! Basins of a landscape made of cells, by flooding them.
//!
//! A distance function of two surfaces is convex on every pair of triangles, a *cell*, and so has one connected set of
//! lowest points there. Two cells that have a pair of faces in common have a *pass* there, at the least distance of
//! these faces. What lies at or below a height h in a cell is convex, and connected with what does in the next just if
//! the pass is at or below h (the nerve theorem): so what the heights of cells and passes say of basins is the truth.

use crate::effort::Meter;

use super::wet::{Cell, Wet};

/// A function on cells.
pub(super) trait Landscape {
    /// The least value in the cell.
    fn height(&self, cell: Cell) -> f64;

    /// Appends the cells that passes at or below `level` lead to from this one, at least those not `wet` by this flood;
    /// repetitions do no harm.
    fn beyond_passes(&self, cell: Cell, level: f64, wet: &mut Wet, cells: &mut Vec<Cell>);
}

/// A cell with its height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Low {
    pub height: f64,
    pub cell: Cell,
}

impl Low {
    fn is_below(&self, other: &Self) -> bool {
        self.height.total_cmp(&other.height).then(self.cell.cmp(&other.cell)).is_lt()
    }
}

/// The lowest cells of basins, found from springs, of which each basin has one that is as low as that but for
/// rounding. A way to a lower cell rises by more than `prominence` above them. Of cells equally low, the
/// first.
pub(super) struct Flood<'l> {
    land: &'l dyn Landscape,
    prominence: f64,
    rounding: f64,
    wet: Wet,
}

impl<'l> Flood<'l> {
    /// `rounding` is what heights may be off by; no less is a prominence.
    pub fn new(land: &'l dyn Landscape, prominence: f64, rounding: f64) -> Self {
        Self { land, prominence: prominence.max(rounding), rounding, wet: Wet::default() }
    }

    /// Those found until the meter stops. Each cell that is flooded costs a node.
    pub fn basins(&mut self, mut springs: Vec<Low>, meter: &mut Meter) -> Vec<Low> {
        springs.sort_unstable_by(|p, q| p.height.total_cmp(&q.height).then(p.cell.cmp(&q.cell)));
        let mut basins = Vec::new();
        for spring in springs {
            if meter.is_stopped() {
                break;
            }
            basins.extend(self.fill(&spring, meter));
        }
        basins
    }

    /// Floods from a cell up to the prominence above it; the lowest cell, if it was seen to the end that none
    /// is reached that is lower by more than rounding.
    ///
    /// Springs come in the order of heights. A cell that an earlier flood has wetted is connected with that one's
    /// spring below its level, which was no higher than ours, and that spring is lower: so every cell is wetted once.
    fn fill(&mut self, spring: &Low, meter: &mut Meter) -> Option<Low> {
        self.wet.begin();
        if !self.wet.wets(spring.cell) || meter.spend(1).is_break() {
            return None;
        }
        let (mut lowest, level) = (*spring, spring.height + self.prominence);
        let (mut todo, mut next) = (vec![spring.cell], Vec::new());
        while let Some(cell) = todo.pop() {
            self.land.beyond_passes(cell, level, &mut self.wet, &mut next);
            for cell in next.drain(..) {
                if self.wet.wets(cell) {
                    let low = Low { height: self.land.height(cell), cell };
                    if meter.spend(1).is_break() || low.height < spring.height - self.rounding {
                        return None;
                    }
                    lowest = if low.is_below(&lowest) { low } else { lowest };
                    todo.push(cell);
                }
            }
            if self.wet.meets_earlier() {
                return None;
            }
        }
        Some(lowest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Heights along a line, with passes between neighbours at the higher of the two.
    struct Line(Vec<f64>);

    impl Landscape for Line {
        fn height(&self, [i, _]: Cell) -> f64 {
            self.0[i as usize]
        }

        fn beyond_passes(&self, [i, _]: Cell, level: f64, _: &mut Wet, cells: &mut Vec<Cell>) {
            for j in [i.checked_sub(1), (i + 1 < self.0.len() as u32).then_some(i + 1)].into_iter().flatten()
            {
                if self.height([i, 0]).max(self.height([j, 0])) <= level {
                    cells.push([j, 0]);
                }
            }
        }
    }

    fn basins(heights: &[f64], prominence: f64) -> Vec<u32> {
        let line = Line(heights.to_vec());
        let all = heights.iter().enumerate().map(|(i, &height)| Low { height, cell: [i as u32, 0] });
        Flood::new(&line, prominence, 0.0)
            .basins(all.collect(), &mut Meter::unlimited())
            .iter()
            .map(|low| low.cell[0])
            .collect()
    }

    #[test]
    fn valleys_are_told_apart_by_what_rises_between_them() {
        // Valleys at 1 (height 1), 3 (height 0) and 6–7 (height 2); 2 above 3 at least on the way from 1: 3 −
        // 1 = 2, and on the way from 6: 4 − 2 = 2.
        let heights = [5.0, 1.0, 3.0, 0.0, 4.0, 3.0, 2.0, 2.0, 9.0];
        assert_eq!(basins(&heights, 0.0), [3, 1, 6]);
        assert_eq!(basins(&heights, 1.9), [3, 1, 6]);
        assert_eq!(basins(&heights, 2.0), [3]);
    }

    #[test]
    fn stairs_have_one_foot_and_a_plain_one_cell() {
        assert_eq!(basins(&[4.0, 3.0, 3.0, 2.0, 1.0, 0.5, 0.0], 0.0), [6]);
        assert_eq!(basins(&[1.0; 7], 0.0), [0]);
    }
}
