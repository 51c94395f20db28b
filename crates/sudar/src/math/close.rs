//! Numbers of twice the precision of `f64` that know how far off they may be, and what they share with exact ones.
//!
//! Most exact decisions of floating point input are settled by them: where sums and products of a few
//! coordinates leave no remainder they are exact, zero included, and else good to 100 bits. What they are not
//! sure of is computed again as [`Fraction`]s.

use std::ops::{Add, Mul, Sub};

use super::{Fraction, Sign};

/// A kind of number to decide with: exact, or one that says where it is not sure.
pub(crate) trait Number: Clone + From<f64> {
    /// The sign, if it is sure.
    fn sign(&self) -> Option<Sign>;
    /// A number near it, and how far off that may be.
    fn about(&self) -> (f64, f64);
    /// The nearest `f64`, if it is sure.
    fn rounded(&self) -> Option<f64>;
    /// The quotient; of a divisor that is not surely other than zero nothing is known.
    fn over(&self, divisor: &Self) -> Self;
}

impl Number for Fraction {
    fn sign(&self) -> Option<Sign> {
        Some(Sign::from(self))
    }

    fn about(&self) -> (f64, f64) {
        let value = self.to_f64();
        (value, f64::EPSILON * value.abs())
    }

    fn rounded(&self) -> Option<f64> {
        Some(self.to_f64())
    }

    fn over(&self, divisor: &Self) -> Self {
        self / divisor
    }
}

/// A number no farther than `doubt` from the sum of `high` and `low` (Dekker 1971, "A floating-point
/// technique for extending the available precision"). `low` is at most half an ulp of `high`; a doubt of 0
/// means that it is exact, infinity that nothing is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Close {
    high: f64,
    low: f64,
    doubt: f64,
}

/// More than what is lost when the doubts themselves are added up.
const DOUBT: f64 = 1.0 + 16.0 * f64::EPSILON;
/// Products within this range leave remainders that are normal numbers, and their factors can be split.
const RANGE: std::ops::Range<f64> = 1e-250..1e250;
/// Products of remainders below this may underflow, by less than [`UNDERFLOW`].
const SMALL: f64 = 1e-280;
const UNDERFLOW: f64 = 1e-310;

impl From<f64> for Close {
    #[inline]
    fn from(x: f64) -> Self {
        Self { high: x, low: 0.0, doubt: 0.0 }
    }
}

impl Add for &Close {
    type Output = Close;
    #[inline]
    fn add(self, other: Self) -> Close {
        let (high, rest) = two_sum(self.high, other.high);
        if self.low == 0.0 && other.low == 0.0 {
            return Close { high, low: rest, doubt: self.doubt + other.doubt }.widened();
        }
        let (low, lost) = two_sum(self.low, other.low);
        let (rest, first) = two_sum(rest, low);
        let (high, rest) = two_sum(high, rest);
        let (low, second) = two_sum(rest, lost);
        let (low, third) = two_sum(low, first);
        let (high, low) = two_sum(high, low);
        let doubt = (self.doubt + other.doubt) + (second.abs() + third.abs());
        Close { high, low, doubt }.widened()
    }
}

impl Sub for &Close {
    type Output = Close;
    #[inline]
    fn sub(self, other: Self) -> Close {
        self + &Close { high: -other.high, low: -other.low, doubt: other.doubt }
    }
}

impl Mul for &Close {
    type Output = Close;
    #[inline]
    fn mul(self, other: Self) -> Close {
        if self.is_zero() || other.is_zero() {
            return Close::from(0.0);
        }
        let (high, rest) = two_product(self.high, other.high);
        if !RANGE.contains(&high.abs()) {
            return Close { high, low: 0.0, doubt: f64::INFINITY };
        }
        let own = if self.doubt == 0.0 && other.doubt == 0.0 {
            0.0
        } else {
            let (p, q) = (2.0 * self.high.abs() + self.doubt, 2.0 * other.high.abs() + other.doubt);
            self.doubt * q + other.doubt * p
        };
        if self.low == 0.0 && other.low == 0.0 {
            return Close { high, low: rest, doubt: own }.widened();
        }
        let ((p, lost_p), (q, lost_q)) =
            (two_product(self.high, other.low), two_product(self.low, other.high));
        let (across, lost) = two_sum(p, q);
        let (low, more) = two_sum(rest, across);
        let (high, low) = two_sum(high, low);
        let underflows = (p != 0.0 && p.abs() < SMALL) || (q != 0.0 && q.abs() < SMALL);
        let least = (lost_p.abs() + lost_q.abs()) + (self.low * other.low).abs();
        let doubt = own + (lost.abs() + more.abs()) + least + if underflows { UNDERFLOW } else { 0.0 };
        Close { high, low, doubt }.widened()
    }
}

impl Close {
    /// Whether it surely is zero.
    #[inline]
    fn is_zero(&self) -> bool {
        self.high == 0.0 && self.low == 0.0 && self.doubt == 0.0
    }

    /// With room for the rounding of the doubt.
    #[inline]
    fn widened(self) -> Self {
        Self { doubt: self.doubt * DOUBT, ..self }
    }
}

impl Number for Close {
    #[inline]
    fn sign(&self) -> Option<Sign> {
        if self.is_zero() {
            return Some(Sign::Zero);
        }
        (self.high.abs() - self.low.abs() > self.doubt * DOUBT).then(|| Sign::of(self.high))
    }

    #[inline]
    fn about(&self) -> (f64, f64) {
        (self.high, (self.low.abs() + self.doubt) * DOUBT)
    }

    #[inline]
    fn rounded(&self) -> Option<f64> {
        let off = (self.low.abs() + self.doubt) * DOUBT;
        let is_sure = self.high + off == self.high && self.high - off == self.high;
        // Nothing is known of what is NaN, and zero is surely the nearest number only to itself.
        (is_sure && (self.high != 0.0 || self.is_zero())).then_some(self.high)
    }

    fn over(&self, divisor: &Self) -> Self {
        let unknown = Self { high: 0.0, low: 0.0, doubt: f64::INFINITY };
        let size = divisor.high.abs() - divisor.low.abs() - divisor.doubt * DOUBT;
        if self.is_zero() || !(size > 0.0 && RANGE.contains(&size)) {
            return if size > 0.0 { *self } else { unknown };
        }
        let first = self.high / divisor.high;
        let rest = self - &(&Self::from(first) * divisor);
        let second = rest.high / divisor.high;
        let left = &rest - &(&Self::from(second) * divisor);
        let (high, low) = two_sum(first, second);
        let doubt = (left.high.abs() + left.low.abs() + left.doubt) / size;
        Self { high, low, doubt: if doubt.is_nan() { f64::INFINITY } else { doubt } }.widened()
    }
}

/// The rounded sum, and what rounding took (Knuth).
#[inline]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// The rounded product, and what rounding took (Dekker, Veltkamp).
#[inline]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((p, q), (r, s)) = (split(a), split(b));
    (product, ((p * r - product) + p * s + q * r) + q * s)
}

/// In halves of 26 bits.
#[inline]
fn split(a: f64) -> (f64, f64) {
    let far = 134_217_729.0 * a;
    let high = far - (far - a);
    (high, a - high)
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::testing::Random;

    /// (a·b − c·d + e·f)·a over e, its factors small integers, decimals, or far apart in size.
    fn value<N: Number>([a, b, c, d, e, f]: [f64; 6]) -> [N; 2]
    where
        for<'a> &'a N: Add<&'a N, Output = N> + Sub<&'a N, Output = N> + Mul<&'a N, Output = N>,
    {
        let [a, b, c, d, e, f] = [a, b, c, d, e, f].map(N::from);
        let sum = &(&(&(&a * &b) - &(&c * &d)) + &(&e * &f)) * &(&a - &b);
        let quotient = sum.over(&(&e - &c));
        [sum, quotient]
    }

    #[test]
    fn what_is_sure_is_true() {
        let mut rng = Random::new(3);
        let (mut sure, mut zeros) = (0, 0);
        for case in 0..40_000 {
            let numbers: [f64; 6] = std::array::from_fn(|_| match case % 4 {
                0 => f64::from(rng.random_range(-9_i32..10)),
                1 => f64::from(rng.random_range(-20_i32..20)) * 0.1,
                2 => rng.random_range(-1.0..1.0),
                _ => rng.random_range(-1.0..1.0) * 10_f64.powi(rng.random_range(-140..90)),
            });
            let (close, exact) = (value::<Close>(numbers), value::<Fraction>(numbers));
            for (close, exact) in close.iter().zip(&exact) {
                let divides = numbers[4] != numbers[2];
                if let Some(sign) = close.sign().filter(|_| divides) {
                    assert_eq!(sign, Sign::from(exact), "{numbers:?} {close:?}");
                    zeros += u32::from(sign == Sign::Zero);
                }
                if let Some(rounded) = close.rounded().filter(|_| divides) {
                    assert_eq!(rounded, exact.to_f64(), "{numbers:?} {close:?}");
                    sure += 1;
                }
            }
        }
        assert!(sure > 60_000 && zeros > 200, "{sure} {zeros}");
    }

    #[test]
    fn nothing_is_sure_of_what_is_out_of_range_or_divided_by_zero() {
        let (tiny, one) = (Close::from(1e-200), Close::from(1.0));
        assert_eq!((&tiny * &tiny).sign(), None);
        assert_eq!((&Close::from(1e200) * &Close::from(1e200)).rounded(), None);
        assert_eq!(one.over(&Close::from(0.0)).sign(), None);
        assert_eq!((&one - &one).sign(), Some(Sign::Zero));
        // 1 + 2⁻¹⁰⁰ is no sum of two doubles with a remainder of 0 after one more such term.
        let more = &(&one + &Close::from(f64::powi(2.0, -100))) - &one;
        assert_eq!(more.rounded(), Some(f64::powi(2.0, -100)));
    }
}
