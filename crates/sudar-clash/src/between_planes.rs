//! The widest ball between planes: a linear program in four unknowns, solved anew with each plane that is added.
//!
//! Dual simplex method (C. E. Lemke, "The dual method of solving the linear programming problem", 1954): a basis of
//! four planes holds the ball; a plane that cuts into it takes the place of one of them.

use sudar::glam::{DMat4, DVec4};
use sudar::{Aabb, DVec3};

/// A plane with its ball on the side to which the normal points.
#[derive(Debug, Clone, Copy)]
struct Plane {
    /// The inward unit normal, and −1: the product with (center, radius) is the height of the ball's lowest point.
    row: DVec4,
    offset: f64,
}

/// The widest ball that is on the inner side of some planes.
#[derive(Debug, Clone)]
pub(crate) struct BetweenPlanes {
    planes: Vec<Plane>,
    basis: [usize; 4],
    /// The widest ball: its center, then its radius.
    ball: DVec4,
}

/// Planes that cut less deep, relative to the largest offset, are as good as touching.
const ROUNDING: f64 = 1e-14;
/// A basis that is worse conditioned is not taken.
const FLAT: f64 = 1e-12;
/// Smaller parts are the rounding of normals that are meant to be one.
const SAME: f64 = 1e-9;
/// Exchanges of planes for one that is added.
const EXCHANGES: usize = 32;

impl BetweenPlanes {
    /// The widest ball in a box; `None` if the box has no volume.
    pub fn in_box(bounds: &Aabb) -> Option<Self> {
        let extent = bounds.extent();
        let thin = extent.min_position();
        if extent[thin] <= 0.0 || !extent.is_finite() {
            return None;
        }
        let lower = DVec3::AXES.map(|axis| plane(axis, axis.dot(bounds.min)));
        let upper = DVec3::AXES.map(|axis| plane(-axis, -axis.dot(bounds.max)));
        let planes: Vec<Plane> = lower.into_iter().chain(upper).collect();
        // Both planes across the thinnest axis hold the ball; it slides to the lower ones of the others.
        let basis = [thin, thin + 3, (thin + 1) % 3, (thin + 2) % 3];
        let mut found = Self { planes, basis, ball: DVec4::ZERO };
        found.settle().then_some(found)
    }

    /// The center of the widest ball.
    pub fn center(&self) -> DVec3 {
        self.ball.truncate()
    }

    /// Its radius; not above zero if no point is inside.
    pub fn radius(&self) -> f64 {
        self.ball.w
    }

    /// How far the center is from all planes: a ball so wide is between them, whatever rounding did. O(n).
    pub fn room(&self) -> f64 {
        let center = self.center();
        let height = |plane: &Plane| plane.row.truncate().dot(center) - plane.offset;
        self.planes.iter().map(height).fold(f64::INFINITY, f64::min)
    }

    /// No ball between the planes with its center within `reach` of the origin is wider, but for what is rounded: the
    /// planes of the basis, weighed so that their normals add up to nothing, do not let it.
    pub fn most(&self, reach: f64) -> f64 {
        let Some(inverse) = inverse(DMat4::from_cols_array_2d(&self.rows())) else { return f64::INFINITY };
        let shares = (inverse * DVec4::NEG_W).max(DVec4::ZERO);
        let sum = |f: &dyn Fn(usize) -> f64| -> f64 { (0..4).map(|k| shares[k] * f(self.basis[k])).sum() };
        let left = DVec3::AXES.map(|axis| sum(&|i| self.planes[i].row.truncate().dot(axis)));
        let offsets = sum(&|i| self.planes[i].offset);
        (DVec3::from(left).length() * reach - offsets) / sum(&|_| 1.0)
    }

    /// Adds a plane through `point`, its inside to where the unit vector `inward` points. False if it changed nothing,
    /// or rounding ended the search.
    pub fn add(&mut self, point: DVec3, inward: DVec3) -> bool {
        self.planes.push(plane(inward, inward.dot(point)));
        let before = self.ball;
        for _ in 0..EXCHANGES {
            let Some(cutting) = self.deepest_cut() else { return self.ball != before };
            if !self.exchange(cutting) {
                return false;
            }
        }
        false
    }

    /// The plane that cuts deepest into the ball.
    fn deepest_cut(&self) -> Option<usize> {
        let size = self.planes.iter().map(|plane| plane.offset.abs()).fold(0.0, f64::max);
        let height = |plane: &Plane| plane.row.dot(self.ball) - plane.offset;
        let heights = self.planes.iter().map(height).enumerate();
        let (lowest, height) = heights.min_by(|a, b| a.1.total_cmp(&b.1))?;
        (height < -ROUNDING * size).then_some(lowest)
    }

    /// Takes a plane into the basis for the one that limits its share first.
    fn exchange(&mut self, entering: usize) -> bool {
        // Columns are the rows of the basis: the shares of planes by which they add up to a given row.
        let Some(inverse) = inverse(DMat4::from_cols_array_2d(&self.rows())) else { return false };
        // The radius counts: shares by which the planes of the basis add up to (0, 0, 0, −1).
        let (shares, parts) = (inverse * DVec4::NEG_W, inverse * self.planes[entering].row);
        let ratio = |k: usize| shares[k].max(0.0) / parts[k];
        let leaving = (0..4).filter(|&k| parts[k] > SAME).min_by(|&i, &j| ratio(i).total_cmp(&ratio(j)));
        let Some(leaving) = leaving else {
            // Nothing is between the planes.
            self.ball.w = f64::NEG_INFINITY;
            return false;
        };
        self.basis[leaving] = entering;
        self.settle()
    }

    /// Puts the ball where it touches the planes of the basis.
    fn settle(&mut self) -> bool {
        let offsets = DVec4::from_array(self.basis.map(|i| self.planes[i].offset));
        let Some(inverse) = inverse(DMat4::from_cols_array_2d(&self.rows()).transpose()) else {
            return false;
        };
        self.ball = inverse * offsets;
        self.ball.is_finite()
    }

    fn rows(&self) -> [[f64; 4]; 4] {
        self.basis.map(|i| self.planes[i].row.to_array())
    }
}

fn plane(inward: DVec3, offset: f64) -> Plane {
    Plane { row: inward.extend(-1.0), offset }
}

fn inverse(matrix: DMat4) -> Option<DMat4> {
    (matrix.determinant().abs() > FLAT).then(|| matrix.inverse())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar_testing::Random;

    fn cube() -> BetweenPlanes {
        BetweenPlanes::in_box(&Aabb { min: DVec3::splat(-1.0), max: DVec3::new(1.0, 3.0, 5.0) }).unwrap()
    }

    #[test]
    fn a_box_holds_a_ball_as_wide_as_it_is_thin() {
        assert_eq!(cube().radius(), 1.0);
        let flat = Aabb { min: DVec3::ZERO, max: DVec3::new(1.0, 1.0, 0.0) };
        assert!(BetweenPlanes::in_box(&flat).is_none());
    }

    #[test]
    fn planes_that_leave_nothing_say_so() {
        let mut planes = cube();
        planes.add(DVec3::new(2.0, 0.0, 0.0), DVec3::X);
        assert!(planes.radius() <= 0.0, "{planes:?}");
    }

    /// Planes at distance 1 of a common point, their normals in all octants: the unit ball there is the widest.
    #[test]
    fn planes_around_a_ball_hold_it() {
        let mut rng = Random::new(20261128);
        for _ in 0..200 {
            let center = rng.point() + DVec3::new(3.0, -2.0, 4.0);
            let around = Aabb { min: center - DVec3::splat(50.0), max: center + DVec3::splat(40.0) };
            let mut planes = BetweenPlanes::in_box(&around).unwrap();
            let corner = DVec3::ONE.normalize();
            let tetrahedron = [
                corner,
                corner * DVec3::new(1.0, -1.0, -1.0),
                corner * DVec3::new(-1.0, 1.0, -1.0),
                corner * DVec3::new(-1.0, -1.0, 1.0),
            ];
            let turn = rng.turned(DVec3::ZERO);
            let others = (0..10).map(|_| rng.direction()).collect::<Vec<_>>();
            for normal in others.into_iter().chain(tetrahedron.map(|n| turn.apply(n))) {
                planes.add(center - normal, normal);
            }
            assert!((planes.radius() - 1.0).abs() < 1e-9, "{}", planes.radius());
            assert!(planes.center().distance(center) < 1e-9);
        }
    }
}
