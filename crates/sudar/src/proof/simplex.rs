//! Do the hulls of two sets of points meet? By linear programming, in rational numbers.

use num_traits::{One, Signed, Zero};

use super::exact::{Point, Real};

/// Whether some point is a mean of the first points and also of the second, with weights that are not negative.
///
/// That is a system of five linear equations in the weights: equal points, and weights that sum to one on either side.
/// A solution is looked for by the first phase of the simplex method (Dantzig 1951) with the pivoting rule that cannot
/// cycle (Bland 1977, "New finite pivoting rules for the simplex method"). Degenerate sets need no care.
pub(super) fn hulls_meet(first: &[Point], second: &[Point]) -> bool {
    let mut tableau = Tableau::new(first, second);
    while let Some(column) = tableau.entering() {
        tableau.enter(column);
    }
    tableau.excess().is_zero()
}

const EQUATIONS: usize = 5;

struct Tableau {
    /// Five equations and below them the sum of those whose artificial variable is above zero; right sides last.
    rows: [Vec<Real>; EQUATIONS + 1],
    /// The variable of each equation; beyond the columns, an artificial one.
    basis: [usize; EQUATIONS],
    columns: usize,
}

impl Tableau {
    fn new(first: &[Point], second: &[Point]) -> Self {
        let columns = first.len() + second.len();
        let coordinates = |k: usize| {
            let (ours, theirs) =
                (first.iter().map(move |p| p[k].clone()), second.iter().map(move |p| -&p[k]));
            ours.chain(theirs).chain([Real::zero()]).collect::<Vec<_>>()
        };
        let weights = |ours: Real, theirs: Real| {
            let mut row = vec![ours; first.len()];
            row.resize(columns, theirs);
            row.push(Real::one());
            row
        };
        let (one, zero) = (Real::one(), Real::zero());
        let [x, y, z] = [0, 1, 2].map(coordinates);
        let (ours, theirs) = (weights(one.clone(), zero.clone()), weights(zero, one));
        let sum =
            (0..=columns).map(|j| [&x, &y, &z, &ours, &theirs].iter().map(|row| &row[j]).sum()).collect();
        let basis = std::array::from_fn(|i| columns + i);
        Self { rows: [x, y, z, ours, theirs, sum], basis, columns }
    }

    /// The first variable whose growth lessens what is left of the artificial ones.
    fn entering(&self) -> Option<usize> {
        (0..self.columns).find(|&j| self.rows[EQUATIONS][j].is_positive())
    }

    fn excess(&self) -> &Real {
        &self.rows[EQUATIONS][self.columns]
    }

    /// Lets the variable grow until another becomes zero, which leaves the basis.
    fn enter(&mut self, column: usize) {
        let ratio = |i: usize| &self.rows[i][self.columns] / &self.rows[i][column];
        let bounding = (0..EQUATIONS).filter(|&i| self.rows[i][column].is_positive());
        // The sum of the rows with artificial variables is positive in this column, so that one of them bounds it.
        let Some(row) = bounding.min_by_key(|&i| (ratio(i), self.basis[i])) else { return };
        self.basis[row] = column;
        let pivot = self.rows[row][column].clone();
        for x in &mut self.rows[row] {
            *x /= &pivot;
        }
        let pivot_row = self.rows[row].clone();
        for (_, other) in self.rows.iter_mut().enumerate().filter(|&(i, _)| i != row) {
            let factor = other[column].clone();
            if !factor.is_zero() {
                other.iter_mut().zip(&pivot_row).for_each(|(x, p)| *x -= &factor * p);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::super::exact::point;
    use super::*;

    fn meet(first: &[[f64; 3]], second: &[[f64; 3]]) -> bool {
        let points = |set: &[[f64; 3]]| set.iter().map(|&p| point(DVec3::from(p))).collect::<Vec<_>>();
        let (first, second) = (points(first), points(second));
        let answer = hulls_meet(&first, &second);
        assert_eq!(answer, hulls_meet(&second, &first));
        answer
    }

    const FLOOR: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    #[test]
    fn a_needle_through_beside_and_on_a_triangle() {
        let needle = |x: f64, y: f64, low: f64| [[x, y, low], [x, y, 1.0]];
        assert!(meet(&FLOOR, &needle(1.0, 1.0, -1.0)));
        assert!(meet(&FLOOR, &needle(1.0, 1.0, 0.0)));
        assert!(!meet(&FLOOR, &needle(1.0, 1.0, 5e-324)));
        // On the long edge, and off it by one unit in the last place.
        assert!(meet(&FLOOR, &needle(3.0, 1.0, -1.0)));
        assert!(!meet(&FLOOR, &needle(3.0, 1.0f64.next_up(), -1.0)));
    }

    #[test]
    fn points_segments_and_triangles_in_one_plane() {
        assert!(meet(&FLOOR, &[[1.0, 1.0, 0.0]]));
        assert!(!meet(&FLOOR, &[[3.0, 3.0, 0.0]]));
        assert!(meet(&[[0.1, 0.2, 0.3]], &[[0.1, 0.2, 0.3]]));
        assert!(!meet(&[[0.1, 0.2, 0.3]], &[[0.1, 0.2, 0.30000000000000004]]));
        // Segments on one line, end to end and apart.
        assert!(meet(&[[0.0; 3], [1.0; 3]], &[[1.0; 3], [2.0; 3]]));
        assert!(!meet(&[[0.0; 3], [1.0; 3]], &[[1.5; 3], [2.0; 3]]));
        // A smaller triangle inside the floor, one that meets it in a corner, the same one twice.
        assert!(meet(&FLOOR, &[[1.0, 1.0, 0.0], [1.5, 1.0, 0.0], [1.0, 1.5, 0.0]]));
        assert!(meet(&FLOOR, &[[4.0, 0.0, 0.0], [9.0, 0.0, 0.0], [9.0, -1.0, 0.0]]));
        assert!(meet(&FLOOR, &FLOOR));
    }

    #[test]
    fn a_point_in_a_box() {
        let cube: Vec<[f64; 3]> = (0..8).map(|i| [0, 1, 2].map(|k| f64::from(i >> k & 1))).collect();
        assert!(meet(&cube, &[[0.5, 0.25, 1.0]]));
        assert!(!meet(&cube, &[[0.5, 0.25, 1.0f64.next_up()]]));
    }
}
