//! Fractions that are not reduced but for powers of two, and where they get long.
//!
//! Nearly all exact arithmetic here is on sums and products of `f64`, whose denominators are powers of two: nothing is
//! to be reduced, and the greatest common divisors that [`super::Rational`] takes would be most of the cost.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use num_bigint::{BigInt, Sign as IntegerSign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::Sign;

/// The number `numerator · 2^exponent / denominator`, with an odd numerator (or zero) and an odd positive denominator.
#[derive(Debug, Clone)]
pub struct Fraction {
    numerator: BigInt,
    denominator: BigInt,
    exponent: i64,
}

/// Denominators of so many binary digits are worth a greatest common divisor.
const LONG: u64 = 1024;

impl Fraction {
    fn new(numerator: BigInt, denominator: BigInt, exponent: i64) -> Self {
        let Some(zeros) = numerator.trailing_zeros() else {
            return Self { numerator, denominator: BigInt::one(), exponent: 0 };
        };
        if zeros == 0 {
            return Self { numerator, denominator, exponent };
        }
        Self { numerator: numerator >> zeros, denominator, exponent: exponent + zeros as i64 }
    }

    /// Reduced if it is long: unreduced numbers get longer with each step, and products of very long ones are all that
    /// takes time then.
    fn shortened(self) -> Self {
        if self.denominator.bits() < LONG {
            return self;
        }
        let common = self.numerator.gcd(&self.denominator);
        Self { numerator: self.numerator / &common, denominator: self.denominator / &common, ..self }
    }

    /// Zero.
    pub fn zero() -> Self {
        Self::from(0.0)
    }

    /// 2ᵏ.
    pub fn power_of_two(exponent: i64) -> Self {
        Self { numerator: BigInt::one(), denominator: BigInt::one(), exponent }
    }

    /// Whether it is exactly zero.
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// Whether it is above zero.
    pub fn is_positive(&self) -> bool {
        self.numerator.is_positive()
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.numerator.is_negative()
    }

    /// The nearest `f64`.
    pub fn to_f64(&self) -> f64 {
        let shift = self.exponent.unsigned_abs() as usize;
        let (n, d) = (&self.numerator, &self.denominator);
        let (n, d) = if self.exponent >= 0 { (n << shift, d.clone()) } else { (n.clone(), d << shift) };
        BigRational::new_raw(n, d).to_f64().unwrap_or(f64::NAN)
    }

    /// A number strictly between two, `low < high`, with few binary digits, so that what is computed from it stays
    /// short.
    pub fn simple_between(low: &Self, high: &Self) -> Self {
        let gap = high - low;
        // At least 2^(bits of n − 1 − bits of d + exponent); a fourth of that leaves a multiple inside.
        let bits = gap.numerator.bits() as i64 - 1 - gap.denominator.bits() as i64 + gap.exponent;
        let step = Self::power_of_two(bits - 2);
        let steps = low / &step;
        let shift = steps.exponent.unsigned_abs() as usize;
        let (n, d) = if steps.exponent >= 0 {
            (steps.numerator << shift, steps.denominator)
        } else {
            (steps.numerator, steps.denominator << shift)
        };
        Self::new(n.div_floor(&d) + 1, BigInt::one(), step.exponent)
    }
}

impl From<f64> for Fraction {
    /// The same number, exactly; zero for NaN and infinities, which no validated type holds.
    fn from(x: f64) -> Self {
        let biased = (x.to_bits() >> 52 & 0x7ff) as i64;
        let digits = (x.to_bits() & ((1 << 52) - 1)) as i64;
        let size = match biased {
            0 => digits,
            0x7ff => 0,
            _ => digits | 1 << 52,
        };
        let signed = if x.is_sign_negative() { -size } else { size };
        Self::new(signed.into(), BigInt::one(), biased.max(1) - 1075)
    }
}

impl Add for &Fraction {
    type Output = Fraction;
    fn add(self, other: Self) -> Fraction {
        let exponent = self.exponent.min(other.exponent);
        let aligned = |x: &Fraction| &x.numerator << (x.exponent - exponent) as usize;
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        if self.denominator == other.denominator {
            return Fraction::new(aligned(self) + aligned(other), self.denominator.clone(), exponent);
        }
        // Points on the way between others have multiples of their denominators.
        if let Some(times) = quotient(&self.denominator, &other.denominator) {
            return Fraction::new(aligned(self) + aligned(other) * times, self.denominator.clone(), exponent);
        }
        if let Some(times) = quotient(&other.denominator, &self.denominator) {
            return Fraction::new(
                aligned(self) * times + aligned(other),
                other.denominator.clone(),
                exponent,
            );
        }
        let numerator = aligned(self) * &other.denominator + aligned(other) * &self.denominator;
        Fraction::new(numerator, &self.denominator * &other.denominator, exponent).shortened()
    }
}

impl Neg for &Fraction {
    type Output = Fraction;
    fn neg(self) -> Fraction {
        Fraction {
            numerator: -&self.numerator,
            denominator: self.denominator.clone(),
            exponent: self.exponent,
        }
    }
}

impl Sub for &Fraction {
    type Output = Fraction;
    fn sub(self, other: Self) -> Fraction {
        self + &-other
    }
}

impl Mul for &Fraction {
    type Output = Fraction;
    fn mul(self, other: Self) -> Fraction {
        // Products of odd numbers are odd.
        Fraction::new(
            &self.numerator * &other.numerator,
            &self.denominator * &other.denominator,
            self.exponent + other.exponent,
        )
        .shortened()
    }
}

impl Div for &Fraction {
    type Output = Fraction;
    /// The quotient; division by zero gives zero, and no caller divides by zero.
    fn div(self, other: Self) -> Fraction {
        if other.is_zero() {
            return Fraction::zero();
        }
        let sign = if other.is_negative() { -1 } else { 1 };
        if self.denominator == other.denominator {
            let exponent = self.exponent - other.exponent;
            return Fraction::new(&self.numerator * sign, other.numerator.abs(), exponent).shortened();
        }
        Fraction::new(
            &self.numerator * &other.denominator * sign,
            &self.denominator * other.numerator.abs(),
            self.exponent - other.exponent,
        )
        .shortened()
    }
}

/// How often one denominator holds another, if a whole number of times.
fn quotient(whole: &BigInt, part: &BigInt) -> Option<BigInt> {
    if part.is_one() {
        return Some(whole.clone());
    }
    let (times, rest) = whole.div_rem(part);
    (rest.is_zero() && !times.is_zero()).then_some(times)
}

impl From<&Fraction> for Sign {
    fn from(x: &Fraction) -> Self {
        match x.numerator.sign() {
            IntegerSign::Minus => Self::Negative,
            IntegerSign::NoSign => Self::Zero,
            IntegerSign::Plus => Self::Positive,
        }
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Fraction {}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        Sign::from(&(self - other)).cmp(&Sign::Zero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rational;
    use crate::math::exact::rational;
    use crate::testing::Random;
    use rand::RngExt;

    fn reduced(x: &Fraction) -> Rational {
        let two = Rational::from_integer(2.into());
        Rational::new(x.numerator.clone(), x.denominator.clone()) * two.pow(x.exponent as i32)
    }

    #[test]
    fn arithmetic_agrees_with_reduced_fractions() {
        let mut random = Random::new(7);
        let mut number =
            || -> f64 { random.random_range(-8.0_f64..8.0).round() * random.random_range(0.1..1e3) };
        for _ in 0..500 {
            let [x, y, z] = [number(), number(), number()];
            let (p, q, r) = (Fraction::from(x), Fraction::from(y), Fraction::from(z));
            let (a, b, c) = (rational(x), rational(y), rational(z));
            assert_eq!(reduced(&(&(&p + &q) * &r)), (&a + &b) * &c);
            assert_eq!(p.cmp(&q), a.cmp(&b));
            if z != 0.0 {
                let quotient = &(&p - &q) / &r;
                let expected = (&a - &b) / &c;
                assert_eq!(reduced(&quotient), expected);
                assert_eq!(Some(quotient.to_f64()), expected.to_f64());
                assert_eq!(reduced(&(&quotient + &(&p / &r))), expected + a / c);
            }
        }
    }

    /// Each step more than doubles the digits.
    #[test]
    fn long_fractions_are_reduced_and_stay_the_same_numbers() {
        let (mut x, mut expected) = (Fraction::from(0.3), rational(0.3));
        for step in 1..9 {
            let (p, q) = (f64::from(step) / 7.0, 1.0 + f64::from(step) / 3.0);
            let square = &(&x * &x) + &Fraction::from(1.0);
            x = &(&x + &Fraction::from(p)) / &(&square * &Fraction::from(q));
            let square = &expected * &expected + rational(1.0);
            expected = (&expected + rational(p)) / (square * rational(q));
            assert_eq!(reduced(&x), expected);
            assert!(x.denominator.bits() <= LONG.max(expected.denom().bits()), "{step}");
        }
        let [a, b] = [&x / &Fraction::from(3.0), &x / &Fraction::from(5.0)];
        let both = rational(1.0) / rational(3.0) + rational(1.0) / rational(5.0);
        assert_eq!(reduced(&(&a + &b)), expected * both);
    }

    #[test]
    fn subnormal_numbers_and_zeros_are_taken_exactly() {
        for x in [f64::from_bits(1), -f64::MIN_POSITIVE, 0.0, -0.0, f64::MAX] {
            assert_eq!(Fraction::from(x).to_f64(), x);
        }
    }

    #[test]
    fn a_simple_number_is_between() {
        let mut random = Random::new(8);
        for _ in 0..500 {
            let low = Fraction::from(random.random_range(-5.0..5.0_f64));
            let gap = Fraction::from(random.random_range(0.0..1.0_f64).powi(30));
            let high = &low + &(&gap / &Fraction::from(3.0));
            let between = Fraction::simple_between(&low, &high);
            assert!(low < between && between < high);
        }
    }
}
