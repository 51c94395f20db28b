//! The answer of every distance test between two simple things: a point on each.

use glam::DVec3;

use crate::math::{Interval, power_of_two};

/// Extents within 2^±200 are computed with as they are: their fourth powers stay far inside the range of `f64`.
const SAFE_EXPONENT: i32 = 200;

/// A point on each of two things, and how far apart those points are.
///
/// Both points lie on their things up to rounding (an ulp or two of the coordinates), for any input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// The point on the first thing.
    pub a: DVec3,
    /// The point on the second thing.
    pub b: DVec3,
    /// `|a − b|²`, before the points were rounded to the grid of their coordinates: right within a few ulp of the
    /// coordinate differences also far from the origin, where the points themselves are not.
    pub distance_squared: f64,
}

impl Nearest {
    /// The pair of points `a` and `b`.
    #[inline]
    pub fn between(a: DVec3, b: DVec3) -> Self {
        Self { a, b, distance_squared: (a - b).length_squared() }
    }

    /// `|a − b|`, rounded.
    #[inline]
    pub fn distance(&self) -> f64 {
        self.distance_squared.sqrt()
    }

    /// The same points, the second thing first.
    #[inline]
    pub fn swapped(self) -> Self {
        Self { a: self.b, b: self.a, ..self }
    }

    /// The closer of the two pairs; this one if they are as close as each other.
    #[inline]
    pub fn or_closer(self, other: Self) -> Self {
        if other.distance_squared < self.distance_squared { other } else { self }
    }

    /// An interval that surely holds the distance between the convex hulls of the corners `a` and `b`, whose
    /// nearest points these claim to be.
    ///
    /// Above it is bounded by the points themselves, below by the gap between the hulls along a direction. The
    /// gap is the whole distance if the direction is right, so the interval is narrow just when the points are.
    /// The directions tried are `hints` (normals of the features, say) and the one between the points. For
    /// hulls that intersect the lower end is 0.
    pub fn certified(&self, a: &[DVec3], b: &[DVec3], hints: &[DVec3]) -> Interval {
        let reach = a.iter().chain(b).fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
        // Either point is a combination of corners with weights that sum to 1, evaluated in a few roundings.
        let apart = length(self.b - self.a);
        let upper = apart * (1.0 + 8.0 * f64::EPSILON) + 16.0 * f64::EPSILON * reach;
        Interval { lower: self.gap_between(a, b, hints).min(upper), upper }
    }

    /// The widest gap surely seen along one of the directions `hints` and that between the points; 0 if none is.
    fn gap_between(&self, a: &[DVec3], b: &[DVec3], hints: &[DVec3]) -> f64 {
        let directions = hints.iter().copied().chain([self.b - self.a]);
        directions.map(|direction| gap_along(a, b, self.a, direction)).fold(0.0, f64::max)
    }
}

/// A number that the width of the gap between the hulls of `a` and `b`, seen along `direction` or against it,
/// does not fall below. `near` is any point in the neighbourhood; the closer it is, the smaller the rounding.
pub(crate) fn gap_along(a: &[DVec3], b: &[DVec3], near: DVec3, direction: DVec3) -> f64 {
    let size = direction.abs().max_element();
    if size == 0.0 || !direction.is_finite() {
        return 0.0;
    }
    let direction = direction / size;
    let range = |points: &[DVec3]| {
        points.iter().fold((f64::INFINITY, f64::NEG_INFINITY, 0.0), |(low, high, far): (f64, f64, f64), p| {
            let offset = *p - near;
            let x = direction.dot(offset);
            (low.min(x), high.max(x), far.max(offset.abs().max_element()))
        })
    };
    let ((low_a, high_a, far_a), (low_b, high_b, far_b)) = (range(a), range(b));
    let seen = (low_b - high_a).max(low_a - high_b);
    // Each projection is a sum of three products of factors at most 1 and `far`, with roundings before, in and
    // after the products; 16 half-ulps of their sum of sizes cover both projections and the difference.
    let rounding = 16.0 * f64::EPSILON * (far_a + far_b) + f64::MIN_POSITIVE;
    (seen - rounding) / (direction.length() * (1.0 + 4.0 * f64::EPSILON))
}

/// `|v|` within two ulp, for any finite `v`: its square need not be within the range of `f64`.
#[inline]
pub(crate) fn length(v: DVec3) -> f64 {
    let size = v.abs().max_element();
    if size == 0.0 || !size.is_finite() { size } else { size * (v / size).length() }
}

/// Runs `find` on the points as seen from the first, where coordinates are as small as the differences and round no
/// more than those; and scaled by a power of two if fourth powers of them would leave the range of `f64`. A point
/// found that is one of those given comes back as it was, to the bit.
#[inline]
pub(crate) fn locally<const N: usize>(points: [DVec3; N], find: impl Fn([DVec3; N]) -> Nearest) -> Nearest {
    let origin = points[0];
    let local = points.map(|p| p - origin);
    let extent = local.iter().fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
    let exponent = exponent(extent);
    let (found, scale) = if exponent.abs() <= SAFE_EXPONENT {
        (find(local), 1.0)
    } else {
        let (down, up) = (power_of_two(-exponent), power_of_two(exponent.min(1022)));
        let Nearest { a, b, distance_squared } = find(local.map(|p| p * down));
        (Nearest { a: a * up, b: b * up, distance_squared }, up)
    };
    let distance_squared = found.distance_squared * scale * scale;
    Nearest { distance_squared, ..restored(&found, &local, &points) }
}

/// What was found between `local` points, which are `points` as seen from the first of those, in their place again.
pub(super) fn restored<const N: usize>(found: &Nearest, local: &[DVec3; N], points: &[DVec3; N]) -> Nearest {
    let back = |p: DVec3| local.iter().position(|q| *q == p).map_or(p + points[0], |i| points[i]);
    Nearest { a: back(found.a), b: back(found.b), ..*found }
}

/// The exponent of `x ≥ 0` in base two; 0 for zero and what is not finite.
fn exponent(x: f64) -> i32 {
    let biased = (x.to_bits() >> 52 & 0x7ff) as i32;
    if x == 0.0 || biased == 0x7ff { 0 } else { biased.max(1) - 1023 }
}

/// Whether `a` comes before `b` in the order of coordinates: so that a test may put its arguments in order and
/// give the same answer for either.
#[inline]
pub(super) fn in_order<const N: usize>(a: [DVec3; N], b: [DVec3; N]) -> bool {
    for (p, q) in a.iter().zip(&b) {
        for axis in 0..3 {
            if p[axis] != q[axis] {
                return p[axis] < q[axis];
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_found_whichever_side_is_first() {
        // Two points 3 apart on the x axis, seen along x either way round and slanted (3·cos 45°).
        let (a, b) = ([DVec3::ZERO], [DVec3::X * 3.0]);
        for direction in [DVec3::X, -DVec3::X * 1e-200] {
            let found = gap_along(&a, &b, DVec3::ZERO, direction);
            assert!(found <= 3.0 && found > 3.0 - 1e-13, "{found}");
        }
        let slanted = gap_along(&a, &b, DVec3::ZERO, DVec3::new(1.0, 1.0, 0.0));
        assert!((slanted - 3.0 * std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-13);
    }

    #[test]
    fn wrong_points_make_the_interval_wide_but_not_wrong() {
        let a = [DVec3::ZERO, DVec3::Y];
        let b = [DVec3::X, DVec3::new(1.0, 1.0, 0.0)];
        let wrong = Nearest::between(DVec3::ZERO, DVec3::new(1.0, 1.0, 0.0));
        let interval = wrong.certified(&a, &b, &[]);
        assert!(interval.contains(1.0) && interval.width() > 0.4);
        let hinted = wrong.certified(&a, &b, &[DVec3::X]);
        assert!(hinted.lower > 1.0 - 1e-13);
    }

    #[test]
    fn exponents_and_powers_agree() {
        for e in [-1022, -300, -1, 0, 1, 300, 1022] {
            assert_eq!(exponent(power_of_two(e)), e);
        }
        assert_eq!(exponent(0.0), 0);
        assert_eq!(power_of_two(3), 8.0);
    }
}
