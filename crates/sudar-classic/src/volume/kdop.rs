//! Convex polytopes whose faces have fixed directions: k-DOPs.

use sudar::glam::DVec3;

/// A discrete orientation polytope with k = 2·`SLABS` faces: the points between two parallel planes across
/// each of 3, 7, 9 or 13 directions (Klosowski, Held, Mitchell, Sowizral and Zikan 1998, "Efficient collision
/// detection using bounding volume hierarchies of k-DOPs").
///
/// The directions are the axes (6), with the diagonals of the cube (14), with those of its faces (18), or
/// with both (26); see [`Kdop::DIRECTIONS`]. Other numbers do not compile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kdop<const SLABS: usize> {
    /// Least values of `direction · p`.
    pub low: [f64; SLABS],
    /// Greatest values of `direction · p`.
    pub high: [f64; SLABS],
}

/// A box along the axes.
pub type Dop6 = Kdop<3>;
/// A box with its corners cut off.
pub type Dop14 = Kdop<7>;
/// A box with its edges cut off: the best of the four, say its authors.
pub type Dop18 = Kdop<9>;
/// A box with its edges and corners cut off.
pub type Dop26 = Kdop<13>;

/// Axes, diagonals of the faces of the cube, diagonals of the cube.
const ALL: [[i8; 3]; 13] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 0],
    [1, -1, 0],
    [1, 0, 1],
    [1, 0, -1],
    [0, 1, 1],
    [0, 1, -1],
    [1, 1, 1],
    [1, 1, -1],
    [1, -1, 1],
    [1, -1, -1],
];

const fn dot(a: [i8; 3], b: [i8; 3]) -> i32 {
    a[0] as i32 * b[0] as i32 + a[1] as i32 * b[1] as i32 + a[2] as i32 * b[2] as i32
}

/// The directions in an order in which each is as far as can be from the one before; of equally far ones,
/// from the one before that, and so on. What overlaps along one direction likely does along those near it,
/// so these are tested last.
const fn spread<const SLABS: usize>() -> [[i8; 3]; SLABS] {
    let (first, count) = match SLABS {
        3 => (0, 3),
        9 => (0, 9),
        13 => (0, 13),
        // The diagonals of the cube stand last.
        _ => (9, 4),
    };
    let mut order = [[0; 3]; SLABS];
    let mut used = [false; 13];
    let mut filled = 0;
    while filled < SLABS {
        let mut best = usize::MAX;
        let mut i = 0;
        while i < 13 {
            let offered = (i >= first && i < first + count) || (SLABS == 7 && i < 3);
            if offered && !used[i] && (best == usize::MAX || farther(ALL[i], ALL[best], &order, filled)) {
                best = i;
            }
            i += 1;
        }
        used[best] = true;
        order[filled] = ALL[best];
        filled += 1;
    }
    order
}

/// Whether `a` makes larger angles with the last directions than `b`.
const fn farther<const N: usize>(a: [i8; 3], b: [i8; 3], order: &[[i8; 3]; N], filled: usize) -> bool {
    let mut i = filled;
    while i > 0 {
        i -= 1;
        // Squared cosines, without their common denominator.
        let (along_a, along_b) = (dot(a, order[i]), dot(b, order[i]));
        let (cos_a, cos_b) = (along_a * along_a * dot(b, b), along_b * along_b * dot(a, a));
        if cos_a != cos_b {
            return cos_a < cos_b;
        }
    }
    false
}

impl<const SLABS: usize> Kdop<SLABS> {
    /// The directions, not of unit length, in the order in which they are tested: x, y and z first, then each
    /// as far from the one before as can be.
    pub const DIRECTIONS: [[i8; 3]; SLABS] = {
        assert!(SLABS == 3 || SLABS == 7 || SLABS == 9 || SLABS == 13, "a k-DOP has 3, 7, 9 or 13 slabs");
        spread()
    };

    /// The empty k-DOP: its union with another is the other.
    pub const EMPTY: Self = Self { low: [f64::INFINITY; SLABS], high: [f64::NEG_INFINITY; SLABS] };

    /// Direction `i` as a vector.
    pub fn direction(i: usize) -> DVec3 {
        let [x, y, z] = Self::DIRECTIONS[i];
        DVec3::new(x.into(), y.into(), z.into())
    }

    /// The smallest k-DOP around the points, exactly: bounds that are no `f64` are rounded outward.
    /// [`Kdop::EMPTY`] for none.
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with)
    }

    /// The smallest one around this and a point.
    #[must_use]
    pub fn with(mut self, p: DVec3) -> Self {
        for (i, direction) in Self::DIRECTIONS.iter().enumerate() {
            let (low, high) = height(*direction, p);
            self.low[i] = self.low[i].min(low);
            self.high[i] = self.high[i].max(high);
        }
        self
    }

    /// The k-DOP with every face moved out by a length, rounded outward.
    #[must_use]
    pub fn grown(mut self, by: f64) -> Self {
        // The lengths of directions with one, two and three ones.
        const LENGTHS: [f64; 4] = [0.0, 1.0, std::f64::consts::SQRT_2, 1.732_050_807_568_877_5];
        if by > 0.0 {
            for (i, direction) in Self::DIRECTIONS.iter().enumerate() {
                let ones = direction.iter().filter(|&&x| x != 0).count();
                let by = (by * LENGTHS[ones]).next_up();
                self.low[i] = (self.low[i] - by).next_down();
                self.high[i] = (self.high[i] + by).next_up();
            }
        }
        self
    }

    /// The first direction, in the order of [`Kdop::DIRECTIONS`], along which the two are apart.
    #[inline]
    pub fn separating_direction(&self, other: &Self) -> Option<usize> {
        (0..SLABS).find(|&i| self.low[i] > other.high[i] || self.high[i] < other.low[i])
    }
}

/// Bounds on `direction · p`: both are equal where it is an `f64`.
#[inline]
pub(super) fn height(direction: [i8; 3], p: DVec3) -> (f64, f64) {
    let term = |k: usize| match direction[k] {
        0 => 0.0,
        1 => p[k],
        _ => -p[k],
    };
    let (once, lost) = two_sum(term(0), term(1));
    let (twice, lost_again) = two_sum(once, term(2));
    let lost = lost + lost_again;
    if lost == 0.0 {
        return (twice, twice);
    }
    // What is lost is less than an ulp, and rounded itself by far less.
    ((twice + lost).next_down(), (twice + lost).next_up())
}

/// The rounded sum and what it lacks, which is exact (Knuth 1969).
#[inline]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

#[cfg(test)]
mod tests {
    use sudar::math::{Fraction, FractionVec3};
    use sudar_testing::volumes::{clouds, keeps_its_promises};

    use super::*;

    #[test]
    fn k_dops_keep_what_the_trait_promises() {
        keeps_its_promises::<Dop6>(4);
        keeps_its_promises::<Dop14>(5);
        keeps_its_promises::<Dop18>(6);
        keeps_its_promises::<Dop26>(7);
    }

    #[test]
    fn every_k_dop_contains_every_point_exactly() {
        for (name, points) in clouds() {
            let found = Dop26::around(points.iter().copied());
            for i in 0..13 {
                let (low, high) = (Fraction::from(found.low[i]), Fraction::from(found.high[i]));
                for p in &points {
                    let height = FractionVec3::from(Dop26::direction(i)).dot(&FractionVec3::from(*p));
                    assert!(low <= height && height <= high, "{name}: {p}");
                }
                // No looser than an ulp of the sums.
                let most =
                    points.iter().map(|p| Dop26::direction(i).dot(*p)).fold(f64::NEG_INFINITY, f64::max);
                let size = points.iter().fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
                assert!(found.high[i] - most <= 8.0 * f64::EPSILON * size, "{name}");
            }
        }
    }

    #[test]
    fn consecutive_directions_differ_most() {
        assert_eq!(Dop6::DIRECTIONS, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
        let all = Dop26::DIRECTIONS;
        let cos = |i: usize, j: usize| {
            let (a, b) = (Dop26::direction(i), Dop26::direction(j));
            (a.dot(b) / (a.length() * b.length())).abs()
        };
        for i in 1..13 {
            let least = (i..13).map(|j| cos(i - 1, j)).fold(f64::INFINITY, f64::min);
            assert!(cos(i - 1, i) <= least + 1e-12, "{i}: {all:?}");
        }
        let mut sorted = all.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 13);
        assert_eq!(Dop14::DIRECTIONS[..3], Dop6::DIRECTIONS);
        assert!(Dop14::DIRECTIONS[3..].iter().all(|d| d.iter().all(|&x| x != 0)));
        assert!(Dop18::DIRECTIONS[3..].iter().all(|d| d.iter().filter(|&&x| x == 0).count() == 1));
    }
}
