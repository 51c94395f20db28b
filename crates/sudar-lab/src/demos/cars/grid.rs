//! Which cars may touch: the grid of 3×3 cells over the arena (Daneu 2002, section 4.3.2).

use sudar::glam::DVec2;

use super::arena::RADIUS;

/// Cells along a side.
pub const CELLS: usize = 3;

/// The side of a cell, in metres: larger than the longest car, so that cars two cells apart never touch.
pub const SIDE: f64 = 2.0 * RADIUS / CELLS as f64;

/// Row from the top (+y) and column from the left.
pub type Cell = [usize; 2];

/// Where each object is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grid {
    places: Vec<Cell>,
}

impl Grid {
    /// The source's `SaveGridPosition`: from the upper left cell on, until the cell is found in which the middle of the
    /// object is. What is outside counts to the last cell.
    pub fn save_grid_position(&mut self, object: usize, at: DVec2) {
        let all = (0..CELLS).flat_map(|row| (0..CELLS).map(move |column| [row, column]));
        let found = all.into_iter().find(|cell| is_in_cell(*cell, at)).unwrap_or([CELLS - 1; 2]);
        if self.places.len() <= object {
            self.places.resize(object + 1, [CELLS - 1; 2]);
        }
        self.places[object] = found;
    }

    /// The source's `DetermineTests`: the objects of greater number in the cell of this one and in those around it. The
    /// tests with those of smaller numbers were made in their turns.
    pub fn determine_tests(&self, object: usize) -> Vec<usize> {
        let Some(own) = self.places.get(object) else { return Vec::new() };
        let is_near = |cell: &Cell| (0..2).all(|k| cell[k].abs_diff(own[k]) <= 1);
        (object + 1..self.places.len()).filter(|other| is_near(&self.places[*other])).collect()
    }

    /// The cell of an object.
    pub fn cell(&self, object: usize) -> Option<Cell> {
        self.places.get(object).copied()
    }
}

/// The corner of a cell with the least x and y.
pub fn corner([row, column]: Cell) -> DVec2 {
    DVec2::new(column as f64, (CELLS - 1 - row) as f64) * SIDE - DVec2::splat(RADIUS)
}

fn is_in_cell(cell: Cell, at: DVec2) -> bool {
    let inside = at - corner(cell);
    inside.cmpge(DVec2::ZERO).all() && inside.cmplt(DVec2::splat(SIDE)).all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_numbered_from_the_upper_left() {
        let mut grid = Grid::default();
        for (at, cell) in
            [([-20.0, 20.0], [0, 0]), ([0.0, 0.0], [1, 1]), ([20.0, -20.0], [2, 2]), ([20.0, 3.0], [1, 2])]
        {
            grid.save_grid_position(0, DVec2::from(at));
            assert_eq!(grid.cell(0), Some(cell));
        }
    }

    /// What is left out is farther apart than any two cars that touch, whose middles are at most 4.5 m apart.
    #[test]
    fn no_pair_that_may_touch_is_left_out() {
        let places: Vec<DVec2> = (0..400)
            .map(|i| {
                let (far, angle) = (20.0 * f64::from(i % 20) / 19.0, 0.331 * f64::from(i));
                DVec2::new(far * libm::cos(angle), far * libm::sin(angle))
            })
            .collect();
        let mut grid = Grid::default();
        (0..).zip(&places).for_each(|(i, at)| grid.save_grid_position(i, *at));
        let (mut left_out, mut all) = (0, 0);
        for i in 0..places.len() {
            let needed = grid.determine_tests(i);
            for j in i + 1..places.len() {
                all += 1;
                if !needed.contains(&j) {
                    left_out += 1;
                    assert!(places[i].distance(places[j]) > 4.5);
                }
            }
        }
        assert!(left_out > all / 10, "{left_out} of {all}");
    }
}
