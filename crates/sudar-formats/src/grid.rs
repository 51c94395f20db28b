//! Points of the plane in square cells, to find those in a box.

use std::ops::RangeInclusive;

use sudar::glam::DVec2;

/// Numbers of points by cell: about as many cells as points, each row of cells in one piece.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    side: usize,
    min: DVec2,
    inverse: DVec2,
    /// Where each cell begins in `items`, and the end of the last.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Grid {
    /// Sorts the points of these numbers into new cells, in the order given within each.
    pub fn fill(&mut self, points: &[DVec2], numbers: &[u32]) {
        let of = |&i: &u32| points[i as usize];
        let min = numbers.iter().map(of).fold(DVec2::INFINITY, DVec2::min);
        let max = numbers.iter().map(of).fold(DVec2::NEG_INFINITY, DVec2::max);
        self.side = numbers.len().isqrt() + 1;
        self.min = min;
        self.inverse = self.side as f64 / (max - min);
        self.starts.clear();
        self.starts.resize(self.side * self.side + 1, 0);
        for p in numbers.iter().map(of) {
            let cell = self.cell(p);
            self.starts[cell + 1] += 1;
        }
        for cell in 0..self.side * self.side {
            self.starts[cell + 1] += self.starts[cell];
        }
        self.place(points, numbers);
    }

    /// The numbers of all points in the box, and of some near it, row by row.
    pub fn near(&self, min: DVec2, max: DVec2) -> impl Iterator<Item = &[u32]> {
        let columns = self.index(min.x, 0)..=self.index(max.x, 0);
        let rows = self.index(min.y, 1)..=self.index(max.y, 1);
        rows.map(move |row| self.row(row, &columns))
    }

    fn row(&self, row: usize, columns: &RangeInclusive<usize>) -> &[u32] {
        let (first, last) = (row * self.side + columns.start(), row * self.side + columns.end());
        &self.items[self.starts[first] as usize..self.starts[last + 1] as usize]
    }

    /// Puts each number behind those already in its cell; the starts are counted up meanwhile and moved back.
    fn place(&mut self, points: &[DVec2], numbers: &[u32]) {
        self.items.clear();
        self.items.resize(numbers.len(), 0);
        for &i in numbers {
            let cell = self.cell(points[i as usize]);
            self.items[self.starts[cell] as usize] = i;
            self.starts[cell] += 1;
        }
        self.starts.pop();
        self.starts.insert(0, 0);
    }

    fn cell(&self, p: DVec2) -> usize {
        self.index(p.y, 1) * self.side + self.index(p.x, 0)
    }

    /// The column or row of a coordinate. It never falls as the coordinate rises, so that a box finds its points;
    /// where all points share a coordinate the product is NaN or infinite, and the conversion still in order.
    fn index(&self, x: f64, axis: usize) -> usize {
        let scaled = (x - self.min[axis]) * self.inverse[axis];
        (scaled as usize).min(self.side - 1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_point_in_a_box_is_found_once(
            flat in prop::collection::vec((-9..9i32, -3..3i32), 1..60), corners in prop::array::uniform4(-10..10i32),
            scale in prop::sample::select(vec![0.0, 1e-200, 1.0, 1e80]),
        ) {
            let point = |x: i32, y: i32| DVec2::new(f64::from(x) * scale, f64::from(y) * 0.1);
            let points: Vec<DVec2> = flat.iter().map(|&(x, y)| point(x, y)).collect();
            let numbers: Vec<u32> = (0..points.len() as u32).step_by(2).collect();
            let mut grid = Grid::default();
            grid.fill(&points, &numbers);
            let [a, b, c, d] = corners;
            let (min, max) = (point(a.min(b), c.min(d)), point(a.max(b), c.max(d)));
            let mut found: Vec<u32> = grid.near(min, max).flatten().copied().collect();
            let inside = |&i: &u32| {
                let p = points[i as usize];
                p.cmpge(min).all() && p.cmple(max).all()
            };
            found.retain(inside);
            found.sort_unstable();
            let expected: Vec<u32> = numbers.iter().copied().filter(inside).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
