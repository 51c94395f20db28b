//! Determinants in integers: exact, and quick where the coordinates of an axis are of about one size.
//!
//! Every term of a determinant has one factor an axis, so each axis may have a unit of its own, a power of two of which
//! all its coordinates are multiples. Where these have no more than 60 binary digits, products of three fit in 192.

use glam::DVec3;

use super::Sign;
use super::power::power_of_two;

/// `(high · 2⁶⁴ + low) · 2^exponent`, exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Determinant {
    high: i128,
    low: u64,
    exponent: i32,
}

impl Determinant {
    /// Of `b − a`, `c − a` and `d − a`; `None` where coordinates of an axis are too far apart in size.
    pub fn of_points([a, b, c, d]: [DVec3; 4]) -> Option<Self> {
        let axis = |k: usize| {
            let bits = Bits::of(a[k]).and(Bits::of(b[k])).and(Bits::of(c[k])).and(Bits::of(d[k]));
            let unit = bits.unit()?;
            let [a, b, c, d] = [unit.count(a[k]), unit.count(b[k]), unit.count(c[k]), unit.count(d[k])];
            Some(([b - a, c - a, d - a], unit.low))
        };
        let ((x, i), (y, j), (z, k)) = (axis(0)?, axis(1)?, axis(2)?);
        Some(Self::new([x, y, z], i + j + k))
    }

    /// Of a direction and of `p` and `q` as seen from `origin`: `direction · ((p − origin) × (q − origin))`; `None` as
    /// above, where the coordinates of the direction count among themselves.
    pub fn of_edge(origin: DVec3, direction: DVec3, p: DVec3, q: DVec3) -> Option<Self> {
        let unit = |k: usize| Bits::of(origin[k]).and(Bits::of(p[k])).and(Bits::of(q[k])).unit();
        let units = [unit(0)?, unit(1)?, unit(2)?];
        // The direction in the same units times one power of two.
        let along = |k: usize| Bits::of(direction[k]).by(units[k].low);
        let unit = along(0).and(along(1)).and(along(2)).unit()?;
        let axis = |k: usize| {
            let from = units[k].count(origin[k]);
            let way = Unit { low: unit.low + units[k].low }.count(direction[k]);
            [way, units[k].count(p[k]) - from, units[k].count(q[k]) - from]
        };
        let exponent = unit.low + units.iter().map(|unit| unit.low).sum::<i32>();
        Some(Self::new([axis(0), axis(1), axis(2)], exponent))
    }

    /// Of three vectors, a list an axis, of numbers below 2⁶¹.
    fn new([x, y, z]: [[i64; 3]; 3], exponent: i32) -> Self {
        let minor = |u: [i64; 3], v: [i64; 3]| {
            i128::from(u[1]) * i128::from(v[2]) - i128::from(u[2]) * i128::from(v[1])
        };
        // Below 2¹²³ in size, so that neither sum of three products overflows.
        let (mut high, mut low) = (0, 0);
        for (minor, by) in [(minor(y, z), x[0]), (minor(z, x), y[0]), (minor(x, y), z[0])] {
            high += i128::from((minor >> 64) as i64) * i128::from(by);
            low += i128::from(minor as u64) * i128::from(by);
        }
        Self { high: high + (low >> 64), low: low as u64, exponent }
    }

    /// Its sign.
    #[inline]
    pub fn sign(&self) -> Sign {
        match self.high.signum() {
            0 if self.low == 0 => Sign::Zero,
            -1 => Sign::Negative,
            _ => Sign::Positive,
        }
    }

    /// Its value, within two units in the last place.
    pub fn value(&self) -> f64 {
        // Of the size, whose parts do not cancel.
        let is_negative = self.high < 0;
        let (high, low) = if is_negative {
            (!self.high + i128::from(self.low == 0), self.low.wrapping_neg())
        } else {
            (self.high, self.low)
        };
        // Most fit, and are quicker to convert.
        let high = i64::try_from(high).map_or(high as f64, |high| high as f64);
        let size = high * power_of_two(64) + low as f64;
        let sum = if is_negative { -size } else { size };
        sum * power_of_two(self.exponent / 2) * power_of_two(self.exponent - self.exponent / 2)
    }
}

/// Numbers that are multiples of 2^`low` and less than 2^`high` in size.
#[derive(Debug, Clone, Copy)]
struct Bits {
    low: i32,
    high: i32,
}

impl Bits {
    /// Of what is no normal number, which has no unit beside any other.
    const UNFIT: Self = Self { low: -9999, high: 9999 };
    /// Zero is a multiple of everything.
    const ZERO: Self = Self { low: 9999, high: -9999 };

    #[inline(always)]
    fn of(x: f64) -> Self {
        let (bits, digits) = (x.to_bits(), (1 << 52) - 1);
        match (bits >> 52 & 0x7ff) as i32 {
            0 if bits & digits == 0 => Self::ZERO,
            0 | 0x7ff => Self::UNFIT,
            biased => {
                let zeros = (bits & digits | 1 << 52).trailing_zeros() as i32;
                Self { low: biased - 1075 + zeros, high: biased - 1022 }
            }
        }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Of the same numbers in units of 2^`k`.
    #[inline(always)]
    fn by(self, k: i32) -> Self {
        Self { low: self.low - k, high: self.high - k }
    }

    /// A unit in which they have 60 binary digits at most, and with which nothing overflows.
    #[inline(always)]
    fn unit(self) -> Option<Unit> {
        if self.high < self.low {
            return Some(Unit { low: 0 });
        }
        (self.high - self.low <= 60 && self.low.abs() <= 240).then_some(Unit { low: self.low })
    }
}

/// 2^`low`.
#[derive(Debug, Clone, Copy)]
struct Unit {
    low: i32,
}

impl Unit {
    /// How many units a number is.
    #[inline(always)]
    fn count(self, x: f64) -> i64 {
        (x * power_of_two(-self.low)) as i64
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::math::{Fraction, FractionVec3};
    use crate::testing::Random;

    /// By exact fractions.
    fn reference(u: DVec3, [p, q, r, o]: [DVec3; 4], is_edge: bool) -> Fraction {
        let [u, p, q, r, o] = [u, p, q, r, o].map(FractionVec3::from);
        let first = if is_edge { u } else { &p - &o };
        (&q - &o).cross(&(&r - &o)).dot(&first)
    }

    fn check(found: Option<Determinant>, exact: &Fraction) -> Option<Sign> {
        let found = found?;
        assert_eq!(found.sign(), Sign::from(exact), "{found:?}");
        let (value, exact) = (found.value(), exact.to_f64());
        assert!((value - exact).abs() <= 2.0 * f64::EPSILON * exact.abs(), "{value} {exact}");
        Some(found.sign())
    }

    #[test]
    fn determinants_are_those_of_fractions_where_there_are_any() {
        let mut random = Random::new(71);
        let (mut signs, mut none) = ([0; 3], [0; 6]);
        for case in 0..30_000 {
            let kind = case % 6;
            let size = power_of_two([0, 0, 0, -70, 70, 0][kind]);
            let mut one = || {
                let p = random.point();
                let p = match kind {
                    0 => (p * 4.0).round(),
                    1 => (p * 20.0).round() * 0.1,
                    5 => p * DVec3::new(1.0, 1e-9, 1e9) * 10_f64.powi(random.random_range(0..25)),
                    _ => p,
                };
                p * size
            };
            let [p, q, r, o, way] = [one(), one(), one(), one(), one()];
            // On a line or in a plane up to rounding.
            let (r, way) = match case / 6 % 4 {
                0 => (p + (q - p) * 0.3 + (o - p) * 0.6, (q - o) * 0.7 + (r - o)),
                1 => (r, q - o),
                _ => (r, way),
            };
            let points = check(Determinant::of_points([o, p, q, r]), &reference(way, [p, q, r, o], false));
            let edge = check(Determinant::of_edge(o, way, q, r), &reference(way, [p, q, r, o], true));
            for sign in [points, edge] {
                match sign {
                    Some(sign) => signs[sign as usize] += 1,
                    None => none[kind] += 1,
                }
            }
        }
        assert!(signs.iter().all(|count| *count > 1000), "{signs:?}");
        // Of 10 000 each: few coordinates are so near zero that 60 digits are not enough.
        assert!(none[..5].iter().all(|count| *count < 900) && none[5] > 5000, "{none:?}");
    }

    #[test]
    fn the_greatest_integers_do_not_overflow() {
        let most = power_of_two(60).next_down();
        let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z) * most;
        let one = DVec3::ONE;
        for (a, b, c, d) in [
            (
                corner(-1.0, -1.0, -1.0),
                corner(1.0, 1.0, -1.0),
                corner(-1.0, 1.0, 1.0),
                corner(1.0, -1.0, 1.0),
            ),
            (
                corner(-1.0, -1.0, -1.0),
                corner(1.0, -1.0, -1.0),
                corner(-1.0, 1.0, -1.0),
                corner(-1.0, -1.0, 1.0),
            ),
        ] {
            for [a, b, c, d] in [[a, b, c, d], [b, a, c, d], [a + one, b - one, c, d]] {
                let exact = reference(DVec3::ZERO, [b, c, d, a], false);
                assert!(check(Determinant::of_points([a, b, c, d]), &exact).is_some());
            }
        }
    }

    #[test]
    fn what_is_no_normal_number_has_no_unit() {
        for bad in [f64::NAN, f64::INFINITY, 1e-310, 1e200, 1e-200] {
            let points = [DVec3::ZERO, DVec3::X * bad, DVec3::Y, DVec3::Z];
            assert_eq!(Determinant::of_points(points), None, "{bad}");
            assert_eq!(Determinant::of_edge(DVec3::ZERO, DVec3::X, DVec3::Y * bad, DVec3::Z), None, "{bad}");
        }
        let flat = Determinant::of_points([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::ONE.with_z(0.0)]);
        assert_eq!(flat.map(|flat| flat.sign()), Some(Sign::Zero));
    }
}
