//! Exact rational arithmetic, for the few decisions that floating point with error bounds leaves open.

use std::ops::{Add, Mul, Sub};

use glam::{DVec2, DVec3};
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::{Fraction, Number, Sign};

/// An exact rational number of any size.
pub type Rational = BigRational;

/// A point or vector with exact rational coordinates.
pub type RationalVec3 = ExactVec3<Rational>;

/// A point or vector with exact coordinates that are quick to compute with, see [`Fraction`].
pub type FractionVec3 = ExactVec3<Fraction>;

/// A point or vector with coordinates of an exact kind of number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactVec3<N> {
    /// First coordinate.
    pub x: N,
    /// Second coordinate.
    pub y: N,
    /// Third coordinate.
    pub z: N,
}

impl<N> ExactVec3<N>
where
    for<'a> &'a N: Add<&'a N, Output = N> + Sub<&'a N, Output = N> + Mul<&'a N, Output = N>,
{
    /// Coordinate `i`, 0 for x, 1 for y, 2 for z.
    #[inline]
    pub fn axis(&self, i: usize) -> &N {
        match i {
            0 => &self.x,
            1 => &self.y,
            _ => &self.z,
        }
    }

    /// The scalar product.
    #[inline]
    pub fn dot(&self, v: &Self) -> N {
        &(&(&self.x * &v.x) + &(&self.y * &v.y)) + &(&self.z * &v.z)
    }

    /// The vector product.
    #[inline]
    pub fn cross(&self, v: &Self) -> Self {
        Self {
            x: &(&self.y * &v.z) - &(&self.z * &v.y),
            y: &(&self.z * &v.x) - &(&self.x * &v.z),
            z: &(&self.x * &v.y) - &(&self.y * &v.x),
        }
    }

    /// Every coordinate multiplied by `by`.
    pub fn scaled(&self, by: &N) -> Self {
        Self { x: &self.x * by, y: &self.y * by, z: &self.z * by }
    }

    /// The point `self + t·(to − self)`.
    #[inline]
    pub fn towards(&self, to: &Self, t: &N) -> Self {
        self + &(to - self).scaled(t)
    }
}

impl RationalVec3 {
    /// Whether all coordinates are zero.
    pub fn is_zero(&self) -> bool {
        self.x.is_zero() && self.y.is_zero() && self.z.is_zero()
    }

    /// The nearest point with `f64` coordinates, each rounded to nearest.
    pub fn rounded(&self) -> DVec3 {
        let round = |x: &Rational| x.to_f64().unwrap_or(f64::NAN);
        DVec3::new(round(&self.x), round(&self.y), round(&self.z))
    }
}

impl FractionVec3 {
    /// The nearest point with `f64` coordinates, each rounded to nearest.
    pub fn rounded(&self) -> DVec3 {
        DVec3::new(self.x.to_f64(), self.y.to_f64(), self.z.to_f64())
    }
}

/// Whether all coordinates are zero.
pub(crate) fn is_zero(v: &FractionVec3) -> bool {
    v.x.is_zero() && v.y.is_zero() && v.z.is_zero()
}

/// The same point in numbers of a kind.
#[inline]
pub(crate) fn in_numbers<N: Number>(p: DVec3) -> ExactVec3<N> {
    ExactVec3 { x: p.x.into(), y: p.y.into(), z: p.z.into() }
}

impl From<DVec3> for FractionVec3 {
    /// The same point, exactly. A coordinate that is not finite (no validated type holds one) counts as zero.
    fn from(p: DVec3) -> Self {
        in_numbers(p)
    }
}

impl From<DVec3> for RationalVec3 {
    /// The same point, exactly. A coordinate that is not finite (no validated type holds one) counts as zero.
    fn from(p: DVec3) -> Self {
        Self { x: rational(p.x), y: rational(p.y), z: rational(p.z) }
    }
}

impl<N> Sub for &ExactVec3<N>
where
    for<'a> &'a N: Sub<&'a N, Output = N>,
{
    type Output = ExactVec3<N>;
    #[inline]
    fn sub(self, v: Self) -> ExactVec3<N> {
        ExactVec3 { x: &self.x - &v.x, y: &self.y - &v.y, z: &self.z - &v.z }
    }
}

impl<N> Add for &ExactVec3<N>
where
    for<'a> &'a N: Add<&'a N, Output = N>,
{
    type Output = ExactVec3<N>;
    #[inline]
    fn add(self, v: Self) -> ExactVec3<N> {
        ExactVec3 { x: &self.x + &v.x, y: &self.y + &v.y, z: &self.z + &v.z }
    }
}

/// The sign of an exact number.
pub(crate) fn sign_of(x: &Rational) -> Sign {
    if x.is_positive() {
        Sign::Positive
    } else if x.is_negative() {
        Sign::Negative
    } else {
        Sign::Zero
    }
}

/// The nearest `f64`.
pub(crate) fn rounded(x: &Rational) -> f64 {
    x.to_f64().unwrap_or(f64::NAN)
}

/// The same number, exactly; zero for NaN and infinities, which no validated type holds.
pub(crate) fn rational(x: f64) -> Rational {
    Rational::from_float(x).unwrap_or_else(Rational::zero)
}

/// [`super::orient2d`] by definition; a microsecond.
pub(super) fn orient2d(a: DVec2, b: DVec2, c: DVec2) -> Sign {
    let [a, b, c] = [a, b, c].map(|p| FractionVec3::from(p.extend(0.0)));
    Sign::from(&(&b - &a).cross(&(&c - &a)).z)
}

/// [`super::orient3d`] by definition; a few microseconds.
pub(super) fn orient3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Sign {
    let [a, b, c, d] = [a, b, c, d].map(FractionVec3::from);
    Sign::from(&(&b - &a).cross(&(&c - &a)).dot(&(&d - &a)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vector_algebra_is_exact_where_f64_is_not() {
        let (a, b) =
            (RationalVec3::from(DVec3::new(1e30, 1.0, 0.0)), RationalVec3::from(DVec3::splat(-1e-30)));
        let sum = &(&a + &b) - &a;
        assert_eq!(sum, b);
        assert!(a.cross(&b).dot(&a).is_zero());
        assert_eq!(sum.rounded(), DVec3::splat(-1e-30));
    }

    #[test]
    fn a_third_of_the_way_is_rounded_to_nearest() {
        let third = Rational::new(1.into(), 3.into());
        let p = RationalVec3::from(DVec3::ZERO).towards(&RationalVec3::from(DVec3::ONE), &third);
        // 0.333…3148 is the double nearest to 1/3.
        assert_eq!(p.rounded(), DVec3::splat(1.0 / 3.0));
    }
}
