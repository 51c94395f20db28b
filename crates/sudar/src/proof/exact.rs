//! Rational numbers and vectors of the checker's own, on the integers of crate num.

use glam::DVec3;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

pub(super) type Real = BigRational;
pub(super) type Point = [Real; 3];

/// Binary digits to which square roots are rounded up.
const ROOT_DIGITS: u64 = 160;

/// The same number; zero for what is not finite, which no validated shape holds and the checker refuses in proofs.
pub(super) fn real(x: f64) -> Real {
    Real::from_float(x).unwrap_or_else(Real::zero)
}

pub(super) fn point(p: DVec3) -> Point {
    [real(p.x), real(p.y), real(p.z)]
}

pub(super) fn dot(p: &Point, q: &Point) -> Real {
    &p[0] * &q[0] + &p[1] * &q[1] + &p[2] * &q[2]
}

pub(super) fn minus(p: &Point, q: &Point) -> Point {
    [&p[0] - &q[0], &p[1] - &q[1], &p[2] - &q[2]]
}

pub(super) fn plus(p: &Point, q: &Point) -> Point {
    [&p[0] + &q[0], &p[1] + &q[1], &p[2] + &q[2]]
}

pub(super) fn times(p: &Point, k: &Real) -> Point {
    [&p[0] * k, &p[1] * k, &p[2] * k]
}

/// The mean of points with weights that are not all zero.
pub(super) fn mean(weighted: &[(Real, Point)]) -> Option<Point> {
    let total: Real = weighted.iter().map(|(w, _)| w).sum();
    if !total.is_positive() {
        return None;
    }
    let zero = [Real::zero(), Real::zero(), Real::zero()];
    let sum = weighted.iter().fold(zero, |sum, (w, p)| plus(&sum, &times(p, w)));
    Some(times(&sum, &(Real::one() / total)))
}

/// A number no less than the square root and hardly more; the root itself where it is rational with few digits.
pub(super) fn root_up(square: &Real) -> Real {
    if !square.is_positive() {
        return Real::zero();
    }
    // √(n/d) = √(n·d)/d, with n·d moved up by an even power of two so that the integer root has enough digits.
    let product = square.numer() * square.denom();
    let shift = (2 * ROOT_DIGITS).saturating_sub(product.bits()).div_ceil(2);
    let scaled = product << (2 * shift);
    let floor = scaled.sqrt();
    let root = if &floor * &floor == scaled { floor } else { floor + 1 };
    Real::new(root, square.denom() * (BigInt::one() << shift))
}

/// The greatest `f64` not above the number.
pub(super) fn down(x: &Real) -> f64 {
    let near = x.to_f64().unwrap_or(f64::NEG_INFINITY);
    if near.is_finite() && real(near) <= *x { near } else { near.next_down() }
}

/// The least `f64` not below the number.
pub(super) fn up(x: &Real) -> f64 {
    -down(&-x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_goes_the_way_it_says() {
        let third = Real::new(1.into(), 3.into());
        assert!(real(down(&third)) < third && third < real(up(&third)));
        assert_eq!(down(&third).next_up(), up(&third));
        assert_eq!((down(&real(0.1)), up(&real(-0.1))), (0.1, -0.1));
        // Far below the least positive number.
        let tiny = real(5e-324) * real(0.25);
        assert_eq!((down(&tiny), up(&tiny)), (0.0, 5e-324));
        assert_eq!(down(&-tiny), -5e-324);
    }

    #[test]
    fn roots_are_rounded_up_and_exact_where_they_can_be() {
        assert_eq!(root_up(&real(2.25)), real(1.5));
        assert_eq!(root_up(&Real::new(4.into(), 9.into())), Real::new(2.into(), 3.into()));
        for square in [real(2.0), real(1e-300), real(3e300), real(7.0) / real(3.0)] {
            let root = root_up(&square);
            let lower = &root * (Real::one() - real(1e-45));
            assert!(&root * &root >= square && &lower * &lower < square);
        }
    }
}
