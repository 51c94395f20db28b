//! Exact orientation predicates (Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust
//! geometric predicates"), with the scaling that keeps them exact over the whole range of coordinates.
//!
//! Stages, each taken only where the one before could not decide: the plain determinant with a bound on its rounding;
//! in space, integers where the coordinates of an axis are of about one size; Shewchuk's expansions on coordinates
//! scaled by a power of two; exact rational arithmetic, where the coordinates are so far apart in size that no scaling
//! fits them all.

use glam::{DVec2, DVec3};

use super::power::power_of_two;
use super::{Determinant, Sign, exact};

/// Rounding of the plain 3-D determinant, relative to its permanent: with ε = 2⁻⁵³ Shewchuk proves (7 + 56ε)ε
/// where nothing underflows; the rest of 8ε is room for underflow, see [`LEAST_PERMANENT`].
pub(crate) const ROUNDING_3D: f64 = 8.0 * (f64::EPSILON / 2.0);

/// Below this permanent, the plain 3-D determinant is not trusted. A product of two differences that underflows is
/// off by up to 2⁻¹⁰⁷⁵; times a third difference (at most 2³⁰³) and summed over six products that is less than
/// 2⁻⁷⁶⁹, far below the spare ε · 2⁻⁷⁰⁰ of [`ROUNDING_3D`].
pub(crate) const LEAST_PERMANENT: f64 = power_of_two(-700);

/// The sign of `(b−a)×(c−a)`: positive if `a`, `b`, `c` turn left. Exact for all finite numbers up to 2³⁰²
/// (8e90) in size, which every validated shape and pose keeps to; about 3 ns unless nearly degenerate.
#[inline]
pub fn orient2d(a: DVec2, b: DVec2, c: DVec2) -> Sign {
    // (3 + 16ε)ε is Shewchuk's bound; products below 2⁻⁹⁰⁰ may underflow.
    const ROUNDING: f64 = 4.0 * (f64::EPSILON / 2.0);
    const LEAST: f64 = power_of_two(-900);
    let (u, v) = (b - a, c - a);
    let (left, right) = (u.x * v.y, u.y * v.x);
    let (det, permanent) = (left - right, left.abs() + right.abs());
    if permanent > LEAST && det.abs() > ROUNDING * permanent {
        return Sign::of(det);
    }
    orient2d_slow(a, b, c)
}

/// The sign of `((b−a)×(c−a))·(d−a)`: positive if `d` lies on the side of the plane through `a`, `b`, `c` from
/// which they are seen counter-clockwise. Exact for all finite numbers up to 2³⁰² (8e90) in size, which every
/// validated shape and pose keeps to; about 10 ns unless nearly degenerate.
#[inline]
pub fn orient3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Sign {
    match orient3d_fast(a, b, c, d) {
        Some(sign) => sign,
        None => orient3d_slow(a, b, c, d),
    }
}

/// [`orient3d`] of a, b, c and each of three points, what they have in common computed once.
pub(crate) fn orient3d_three([a, b, c]: [DVec3; 3], points: &[DVec3; 3]) -> [Sign; 3] {
    let (normal, size) = normal_and_size(a, b, c);
    points.map(|d| {
        let w = d - a;
        let (det, permanent) = (normal.dot(w), size.dot(w.abs()));
        if permanent > LEAST_PERMANENT && det.abs() > ROUNDING_3D * permanent {
            return Sign::of(det);
        }
        orient3d_slow(a, b, c, d)
    })
}

/// [`orient3d`] where plain `f64` arithmetic proves it; `None` where it is zero or too near zero to tell.
#[inline]
fn orient3d_fast(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Option<Sign> {
    let (normal, size) = normal_and_size(a, b, c);
    let w = d - a;
    let (det, permanent) = (normal.dot(w), size.dot(w.abs()));
    (permanent > LEAST_PERMANENT && det.abs() > ROUNDING_3D * permanent).then(|| Sign::of(det))
}

/// The cross product `(b−a)×(c−a)` and the same with absolute values added instead of subtracted.
#[inline(always)]
pub(crate) fn normal_and_size(a: DVec3, b: DVec3, c: DVec3) -> (DVec3, DVec3) {
    let (u, v) = (b - a, c - a);
    let plus = DVec3::new(u.y * v.z, u.z * v.x, u.x * v.y);
    let minus = DVec3::new(u.z * v.y, u.x * v.z, u.y * v.x);
    (plus - minus, plus.abs() + minus.abs())
}

#[cold]
#[inline(never)]
fn orient2d_slow(a: DVec2, b: DVec2, c: DVec2) -> Sign {
    if (a.x == b.x && a.x == c.x) || (a.y == b.y && a.y == c.y) {
        return Sign::Zero;
    }
    let Some(scale) = Scale::fitting(&[a.x, a.y, b.x, b.y, c.x, c.y]) else {
        return exact::orient2d(a, b, c);
    };
    let p = |v: DVec2| robust::Coord { x: scale.apply(v.x), y: scale.apply(v.y) };
    Sign::of(robust::orient2d(p(a), p(b), p(c)))
}

#[cold]
#[inline(never)]
fn orient3d_slow(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Sign {
    // Faces along the axes are common, and then nothing needs to be computed.
    if (a.cmpeq(b) & a.cmpeq(c) & a.cmpeq(d)).any() {
        return Sign::Zero;
    }
    // So are triangles with a corner in common.
    if d == a || d == b || d == c || a == b || b == c || c == a {
        return Sign::Zero;
    }
    if let Some(exact) = Determinant::of_points([a, b, c, d]) {
        return exact.sign();
    }
    let coordinates = [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z];
    let Some(scale) = Scale::fitting(&coordinates) else {
        return exact::orient3d(a, b, c, d);
    };
    let p = |v: DVec3| robust::Coord3D { x: scale.apply(v.x), y: scale.apply(v.y), z: scale.apply(v.z) };
    // The crate's determinant has the opposite sign.
    -Sign::of(robust::orient3d(p(a), p(b), p(c), p(d)))
}

/// Multiplication by 2ᵏ, done in two steps so that each factor is a normal number.
struct Scale(f64, f64);

impl Scale {
    /// All bits of the scaled coordinates lie in 2ᴸ … 2ᴴ⁻¹ with these L and H. Sums and differences of such
    /// numbers, their roundings and the halves they are split into, are multiples of 2ᴸ again; so the products of
    /// three that expansions are made of are multiples of 2³ᴸ = 2⁻⁹⁰⁰ and below 2³ᴴ⁺⁷ = 2⁹⁹⁷: nothing underflows
    /// (nor do the error bounds, which are up to 2¹⁰⁶ times smaller), nothing overflows, and expansions are exact.
    const LOWEST: i32 = -300;
    const HIGHEST: i32 = 330;

    /// A power of two that brings all coordinates into that range, 1 if they are; `None` if there is none.
    fn fitting(coordinates: &[f64]) -> Option<Self> {
        let exponents = coordinates.iter().filter(|x| **x != 0.0).map(|x| (x.to_bits() >> 52 & 0x7ff) as i32);
        let (least, greatest) = exponents.fold((i32::MAX, 0), |(lo, hi), e| (lo.min(e), hi.max(e)));
        if greatest == 0x7ff {
            return None;
        }
        // A number of biased exponent e is below 2ᵉ⁻¹⁰²² and a multiple of 2ᵉ⁻¹⁰⁷⁵ (subnormal, e = 0: of 2⁻¹⁰⁷⁴).
        let (low, high) = (least.clamp(1, 0x7ff) - 1075, greatest - 1022);
        let k = if low >= Self::LOWEST && high <= Self::HIGHEST { 0 } else { Self::HIGHEST - high };
        (low + k >= Self::LOWEST).then(|| Self(power_of_two(k / 2), power_of_two(k - k / 2)))
    }

    fn apply(&self, x: f64) -> f64 {
        x * self.0 * self.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Rational, RationalVec3};
    use crate::testing::Random;
    use num_traits::Signed;
    use rand::RngExt;

    /// Leibniz' formula on exact rationals.
    fn reference3(p: [DVec3; 4]) -> Sign {
        let q = p.map(RationalVec3::from);
        let row = |i: usize| [&q[i].x - &q[0].x, &q[i].y - &q[0].y, &q[i].z - &q[0].z];
        let m = [row(1), row(2), row(3)];
        let product = |i: usize, j: usize, k: usize| &m[0][i] * &m[1][j] * &m[2][k];
        let even = product(0, 1, 2) + product(1, 2, 0) + product(2, 0, 1);
        let odd = product(0, 2, 1) + product(1, 0, 2) + product(2, 1, 0);
        sign(&(even - odd))
    }

    fn reference2(p: [DVec2; 3]) -> Sign {
        let q = p.map(|v| RationalVec3::from(v.extend(0.0)));
        let area = (&q[1].x - &q[0].x) * (&q[2].y - &q[0].y) - (&q[1].y - &q[0].y) * (&q[2].x - &q[0].x);
        sign(&area)
    }

    fn sign(x: &Rational) -> Sign {
        if x.is_positive() {
            Sign::Positive
        } else if x.is_negative() {
            Sign::Negative
        } else {
            Sign::Zero
        }
    }

    fn check(p: [DVec3; 4]) -> Sign {
        let [a, b, c, d] = p;
        let expected = reference3(p);
        assert_eq!(orient3d(a, b, c, d), expected, "{p:?}");
        assert_eq!(orient3d(b, a, c, d), -expected, "{p:?}");
        assert_eq!(orient3d(d, b, c, a), -expected, "{p:?}");
        assert!(orient3d_fast(a, b, c, d).is_none_or(|s| s == expected), "{p:?}");
        let flat = [a, b, c].map(DVec3::truncate);
        assert_eq!(orient2d(flat[0], flat[1], flat[2]), reference2(flat), "{flat:?}");
        expected
    }

    fn point(random: &mut Random, size: impl Fn(&mut Random) -> f64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| random.random_range(-1.0..1.0) * size(random)))
    }

    #[test]
    fn the_convention_is_that_a_viewer_on_the_positive_side_sees_counter_clockwise() {
        assert_eq!(orient3d(DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z), Sign::Positive);
        assert_eq!(orient3d_fast(DVec3::ZERO, DVec3::X, DVec3::Y, -DVec3::Z), Some(Sign::Negative));
        assert_eq!(orient2d(DVec2::ZERO, DVec2::X, DVec2::Y), Sign::Positive);
    }

    #[test]
    fn any_mixture_of_magnitudes_is_decided_exactly() {
        let mut random = Random::new(1);
        for reach in [30.0, 60.0, 90.0] {
            for _ in 0..1500 {
                let p = std::array::from_fn(|_| {
                    point(&mut random, |r| 10_f64.powf(r.random_range(-reach..reach)))
                });
                check(p);
            }
        }
    }

    #[test]
    fn uniformly_tiny_and_huge_points_are_decided_exactly() {
        let mut random = Random::new(2);
        for exponent in [-1074, -1060, -1022, -700, -400, -340, -234, 0, 200, 300] {
            for _ in 0..150 {
                let size = 2_f64.powi(exponent / 2) * 2_f64.powi(exponent - exponent / 2);
                // Small whole numbers, so that many are degenerate.
                let p: [DVec3; 4] = std::array::from_fn(|_| point(&mut random, |_| 4.0).round() * size);
                check(p);
            }
        }
    }

    #[test]
    fn points_an_ulp_off_a_plane_are_decided_exactly() {
        let mut random = Random::new(3);
        let mut signs = [0; 3];
        for scale in [1e-110, 1e-90, 1.0, 1e30, 1e90] {
            for _ in 0..600 {
                let [a, b, c] = std::array::from_fn(|_| point(&mut random, |_| 1.0) * scale);
                let (s, t) = (random.random_range(-1.0..2.0), random.random_range(-1.0..2.0));
                let on_plane = a + (b - a) * s + (c - a) * t;
                let mut nudge = |x: f64| match random.random_range(0..3) {
                    0 => x.next_up(),
                    1 => x.next_down(),
                    _ => x,
                };
                let d = DVec3::new(nudge(on_plane.x), nudge(on_plane.y), nudge(on_plane.z));
                signs[check([a, b, c, d]) as usize] += 1;
                signs[check([a, b, c, b]) as usize] += 1;
                check([a, b, a + (b - a) * s, d]);
            }
        }
        assert!(signs.iter().all(|&n| n > 100), "{signs:?}");
    }

    #[test]
    fn a_single_subnormal_bit_decides() {
        let tiny = f64::from_bits(1);
        let (a, b, c) = (DVec3::ZERO, DVec3::X * 1e90, DVec3::Y * 1e90);
        assert_eq!(check([a, b, c, DVec3::Z * tiny]), Sign::Positive);
        assert_eq!(check([a, b, c, DVec3::new(1e90, -1e90, -tiny)]), Sign::Negative);
        assert_eq!(check([a, b * tiny, c * tiny, DVec3::Z * tiny]), Sign::Positive);
        assert_eq!(check([a, DVec3::X * tiny, DVec3::Y * tiny, DVec3::Z * tiny]), Sign::Positive);
    }

    #[test]
    fn numbers_that_are_not_finite_break_nothing() {
        let bad = DVec3::new(f64::NAN, f64::INFINITY, 1.0);
        let _ = orient3d(bad, DVec3::X, DVec3::Y, DVec3::Z);
        let _ = orient2d(bad.truncate(), DVec2::X, DVec2::Y);
    }
}
