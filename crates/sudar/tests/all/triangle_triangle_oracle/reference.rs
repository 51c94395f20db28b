//! The common part of two triangles by clipping one with halfspaces that bound the other, in whole numbers of any
//! size with a common denominator: no case distinctions, no code of the library.

use glam::DVec3;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use sudar::Triangle;

/// The point (x, y, z) / w in units of the pair's least bit, w > 0.
#[derive(Clone, Debug)]
pub struct Exact {
    position: [BigInt; 3],
    w: BigInt,
    /// The unit is 2 to this power.
    unit: i32,
}

impl Exact {
    /// Whether every coordinate is within `bound` of that of `p`.
    pub fn differs_by_at_most(&self, p: DVec3, bound: f64) -> bool {
        let rational = |x: f64| BigRational::from_float(x).unwrap();
        let unit = BigRational::from_integer(2.into()).pow(self.unit);
        self.position.iter().zip(p.to_array()).all(|(x, y)| {
            let x = BigRational::new(x.clone(), self.w.clone()) * &unit;
            (x - rational(y)).abs() <= rational(bound)
        })
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.position.iter().zip(&other.position).all(|(x, y)| x * &other.w == y * &self.w)
    }
}

type Vector = [BigInt; 3];

/// `normal · x ≥ offset`.
struct Halfspace {
    normal: Vector,
    offset: BigInt,
}

impl Halfspace {
    fn through(point: &Vector, normal: Vector) -> Self {
        Self { offset: dot(&normal, point), normal }
    }

    /// A positive multiple (by w) of the height above the boundary.
    fn height(&self, p: &Exact) -> BigInt {
        dot(&self.normal, &p.position) - &self.offset * &p.w
    }
}

/// The corners of the common part, each once; empty if there is none.
pub fn common_part(a: &Triangle, b: &Triangle) -> Vec<Exact> {
    let unit = least_bit(a, b);
    let (a, b) = (whole(a, unit), whole(b, unit));
    let start: Vec<_> = a.into_iter().map(|position| Exact { position, w: BigInt::one(), unit }).collect();
    let part = bounds(&b).iter().fold(start, |points, h| clip(&points, h));
    corners_of_hull(part)
}

/// Whether the triangle's corners are not on one line.
pub fn has_area(t: &Triangle) -> bool {
    let [a, b, c] = whole(t, least_bit(t, t));
    !is_zero(&cross(&minus(&b, &a), &minus(&c, &a)))
}

/// Whether `points` has corners strictly on both sides of the plane of `plane`.
pub fn on_both_sides(plane: &Triangle, points: &Triangle) -> bool {
    let unit = least_bit(plane, points);
    let [a, b, c] = whole(plane, unit);
    let normal = cross(&minus(&b, &a), &minus(&c, &a));
    let heights = whole(points, unit).map(|p| dot(&normal, &minus(&p, &a)));
    heights.iter().any(Signed::is_positive) && heights.iter().any(Signed::is_negative)
}

fn clip(points: &[Exact], h: &Halfspace) -> Vec<Exact> {
    let heights: Vec<BigInt> = points.iter().map(|p| h.height(p)).collect();
    let mut kept = vec![];
    for i in 0..points.len() {
        let j = (i + 1) % points.len();
        if !heights[i].is_negative() {
            kept.push(points[i].clone());
        }
        if heights[i].signum() * heights[j].signum() == -BigInt::one() {
            // (p·k − q·h) / (k − h) with heights h and k of opposite sign, all divided by the sign of k.
            let (h, k) = (heights[i].abs(), heights[j].abs());
            let (p, q) = (&points[i], &points[j]);
            let position = [0, 1, 2].map(|x| &p.position[x] * &k + &q.position[x] * &h);
            kept.push(Exact { position, w: &p.w * &k + &q.w * &h, unit: p.unit });
        }
    }
    kept
}

/// Drops repetitions and, of points on one line, all but the two ends.
fn corners_of_hull(points: Vec<Exact>) -> Vec<Exact> {
    let mut once: Vec<Exact> = vec![];
    for p in points {
        if !once.contains(&p) {
            once.push(p);
        }
    }
    let between = |p: &Exact| {
        once.iter()
            .enumerate()
            .any(|(i, q)| once[..i].iter().any(|r| p != q && p != r && is_between(p, q, r)))
    };
    let keep: Vec<bool> = once.iter().map(|p| !between(p)).collect();
    once.into_iter().zip(keep).filter_map(|(p, keep)| keep.then_some(p)).collect()
}

fn is_between(p: &Exact, q: &Exact, r: &Exact) -> bool {
    let from_p = |q: &Exact| [0, 1, 2].map(|i| &q.position[i] * &p.w - &p.position[i] * &q.w);
    let (u, v) = (from_p(q), from_p(r));
    is_zero(&cross(&u, &v)) && !dot(&u, &v).is_positive()
}

/// Halfspaces whose common part is the convex hull of three points.
fn bounds([a, b, c]: &[Vector; 3]) -> Vec<Halfspace> {
    let normal = cross(&minus(b, a), &minus(c, a));
    if !is_zero(&normal) {
        let mut all = vec![Halfspace::through(a, normal.clone()), Halfspace::through(a, negative(&normal))];
        for (p, q) in [(a, b), (b, c), (c, a)] {
            all.push(Halfspace::through(p, cross(&normal, &minus(q, p))));
        }
        return all;
    }
    // On one line: the two corners that are farthest apart end it.
    let square = |d: Vector| dot(&d, &d);
    let (p, q) = [(a, b), (b, c), (c, a)].into_iter().max_by_key(|(p, q)| square(minus(q, p))).unwrap();
    let direction = minus(q, p);
    let mut all = vec![];
    for axis in 0..3 {
        let unit: Vector = [0, 1, 2].map(|i| BigInt::from(u8::from(i == axis)));
        let normal = if is_zero(&direction) { unit } else { cross(&direction, &unit) };
        all.push(Halfspace::through(p, normal.clone()));
        all.push(Halfspace::through(p, negative(&normal)));
    }
    all.push(Halfspace::through(p, direction.clone()));
    all.push(Halfspace::through(q, negative(&direction)));
    all
}

fn dot(u: &Vector, v: &Vector) -> BigInt {
    &u[0] * &v[0] + &u[1] * &v[1] + &u[2] * &v[2]
}

fn cross(u: &Vector, v: &Vector) -> Vector {
    [&u[1] * &v[2] - &u[2] * &v[1], &u[2] * &v[0] - &u[0] * &v[2], &u[0] * &v[1] - &u[1] * &v[0]]
}

fn minus(u: &Vector, v: &Vector) -> Vector {
    [&u[0] - &v[0], &u[1] - &v[1], &u[2] - &v[2]]
}

fn negative(u: &Vector) -> Vector {
    u.clone().map(|x| -x)
}

fn is_zero(u: &Vector) -> bool {
    u.iter().all(Zero::is_zero)
}

/// Mantissa and exponent: `x = m · 2ᵉ` with odd m, or 0.
fn decoded(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    let zeros = if mantissa == 0 { 0 } else { mantissa.trailing_zeros() };
    let signed = if x < 0.0 { -mantissa } else { mantissa };
    (signed >> zeros, exponent.max(1) - 1075 + zeros as i32)
}

fn least_bit(a: &Triangle, b: &Triangle) -> i32 {
    let numbers = [a, b].into_iter().flat_map(Triangle::corners).flat_map(|p| p.to_array());
    numbers.map(decoded).filter(|(m, _)| *m != 0).map(|(_, e)| e).min().unwrap_or(0)
}

fn whole(t: &Triangle, unit: i32) -> [Vector; 3] {
    let number = |x: f64| {
        let (mantissa, exponent) = decoded(x);
        if mantissa == 0 { BigInt::zero() } else { BigInt::from(mantissa) << (exponent - unit) as usize }
    };
    t.corners().map(|p| p.to_array().map(number))
}
