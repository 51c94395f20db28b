//! Points with exact coordinates, each with one number however it was found.

use std::cmp::Ordering;
use std::collections::HashMap;

use num_bigint::{BigInt, Sign as BigSign};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use sudar::DVec3;
use sudar::math::Sign;

/// A point on the grid of whole numbers.
pub(in crate::ifc) type Whole = [i64; 3];

/// Homogeneous coordinates in lowest terms, the last positive.
pub(in crate::ifc) type Exact = [BigInt; 4];

/// Points by number.
#[derive(Debug, Default)]
pub(in crate::ifc) struct Points {
    exact: Vec<Exact>,
    /// The nearest `f64`, off by a few parts in 2⁵².
    near: Vec<DVec3>,
    /// Those that are on the grid.
    whole: Vec<Option<Whole>>,
    numbers: HashMap<Exact, u32>,
}

/// Relative error of [`Points::near`], with room.
const OFF: f64 = 1.0 / (1_u64 << 50) as f64;
/// Numbers of more bits are shortened before they become `f64`.
const MANY_BITS: u64 = 900;

impl Points {
    /// The number of a point of the grid.
    pub fn add_whole(&mut self, p: Whole) -> u32 {
        let [x, y, z] = p.map(BigInt::from);
        self.add_reduced([x, y, z, BigInt::one()])
    }

    /// The number of a point in any terms; its last coordinate is not zero.
    pub fn add(&mut self, p: Exact) -> u32 {
        let common = p[0].gcd(&p[1]).gcd(&p[2]).gcd(&p[3]);
        let common = if p[3].is_negative() { -common } else { common };
        self.add_reduced(p.map(|x| x / &common))
    }

    fn add_reduced(&mut self, p: Exact) -> u32 {
        if let Some(&known) = self.numbers.get(&p) {
            return known;
        }
        let number = self.exact.len() as u32;
        self.near.push(near(&p));
        self.whole.push(whole(&p));
        self.numbers.insert(p.clone(), number);
        self.exact.push(p);
        number
    }

    pub fn exact(&self, i: u32) -> &Exact {
        &self.exact[i as usize]
    }

    pub fn near(&self, i: u32) -> DVec3 {
        self.near[i as usize]
    }

    /// A coordinate, if it is a whole number.
    pub fn coordinate(&self, i: u32, axis: usize) -> Option<i64> {
        let p = self.exact(i);
        let (whole, rest) = p[axis].div_rem(&p[3]);
        if rest.is_zero() { whole.to_i64() } else { None }
    }

    /// The order of two points along an axis.
    pub fn compare(&self, axis: usize, a: u32, b: u32) -> Ordering {
        let (near_a, near_b) = (self.near(a)[axis], self.near(b)[axis]);
        if (near_a - near_b).abs() > OFF * (near_a.abs() + near_b.abs()) {
            return near_a.total_cmp(&near_b);
        }
        if let (Some(p), Some(q)) = (self.whole[a as usize], self.whole[b as usize]) {
            return p[axis].cmp(&q[axis]);
        }
        let (p, q) = (self.exact(a), self.exact(b));
        (&p[axis] * &q[3]).cmp(&(&q[axis] * &p[3]))
    }

    /// On which side of the line from `a` to `b` a point lies, seen along the axis that `flat` leaves out.
    pub fn orient(&self, flat: Flat, a: u32, b: u32, c: u32) -> Sign {
        if a == b || b == c || a == c {
            return Sign::Zero;
        }
        let [p, q, r] = [a, b, c].map(|i| flat.of(self.near(i)));
        let ([ux, uy], [vx, vy]) = ([q[0] - p[0], q[1] - p[1]], [r[0] - p[0], r[1] - p[1]]);
        let det = ux * vy - uy * vx;
        let most = |all: &[f64]| all.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let (place, size) = (most(&[p[0], p[1], q[0], q[1], r[0], r[1]]), most(&[ux, uy, vx, vy]));
        // Each difference is off by two coordinates and its own rounding.
        if det.abs() > 16.0 * OFF * place * size {
            return if det > 0.0 { Sign::Positive } else { Sign::Negative };
        }
        if let [Some(p), Some(q), Some(r)] = [a, b, c].map(|i| self.whole[i as usize]) {
            let across = |q: Whole, axis: usize| i128::from(q[axis] - p[axis]);
            let det = across(q, flat.u) * across(r, flat.v) - across(q, flat.v) * across(r, flat.u);
            return sign_of(det);
        }
        sign(&self.determinant(flat, a, b, c))
    }

    /// The exact determinant behind [`Points::orient`], times the three last coordinates.
    pub fn determinant(&self, flat: Flat, a: u32, b: u32, c: u32) -> BigInt {
        let [[ax, ay, aw], [bx, by, bw], [cx, cy, cw]] = [a, b, c].map(|i| flat.of_exact(self.exact(i)));
        ax * (by * cw - bw * cy) - ay * (bx * cw - bw * cx) + aw * (bx * cy - by * cx)
    }

    /// The point between `a` and `b` at which something linear is zero that has these values, of different signs, at
    /// them.
    pub fn between(&mut self, (a, at_a): (u32, &BigInt), (b, at_b): (u32, &BigInt)) -> u32 {
        let point = {
            let (p, q) = (self.exact(a), self.exact(b));
            [0, 1, 2, 3].map(|i| at_a * &q[i] - at_b * &p[i])
        };
        self.add(point)
    }
}

/// The two coordinates that are looked at, in an order that keeps a face counter-clockwise.
#[derive(Debug, Clone, Copy)]
pub(in crate::ifc) struct Flat {
    u: usize,
    v: usize,
}

impl Flat {
    /// Leaves out the coordinate in which a normal is longest.
    pub fn of_normal(normal: [i128; 3]) -> Self {
        let size = normal.map(i128::abs);
        let axis = (0..3).max_by_key(|&i| size[i]).unwrap_or(2);
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        if normal[axis] < 0 { Self { u: v, v: u } } else { Self { u, v } }
    }

    pub fn of(self, p: DVec3) -> [f64; 2] {
        [p[self.u], p[self.v]]
    }

    fn of_exact(self, p: &Exact) -> [&BigInt; 3] {
        [&p[self.u], &p[self.v], &p[3]]
    }
}

/// The plane of three points of the grid: its normal, not of unit length, and its offset.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    pub normal: [i128; 3],
    pub offset: i128,
}

impl Plane {
    pub fn of([a, b, c]: [Whole; 3]) -> Self {
        let [u, v] = [b, c].map(|p| [0, 1, 2].map(|i| i128::from(p[i] - a[i])));
        let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let offset = dot(normal, a);
        Self { normal, offset }
    }

    pub fn is_flat(&self) -> bool {
        self.normal == [0; 3]
    }

    /// Above, below or in the plane: positive on the side of the normal.
    pub fn at(&self, p: Whole) -> i128 {
        dot(self.normal, p) - self.offset
    }

    /// The same for any point, times its last coordinate.
    pub fn at_exact(&self, p: &Exact) -> BigInt {
        let [x, y, z] = self.normal.map(BigInt::from);
        x * &p[0] + y * &p[1] + z * &p[2] - BigInt::from(self.offset) * &p[3]
    }
}

fn dot(n: [i128; 3], p: Whole) -> i128 {
    (0..3).map(|i| n[i] * i128::from(p[i])).sum()
}

fn sign_of(x: i128) -> Sign {
    match x.cmp(&0) {
        Ordering::Less => Sign::Negative,
        Ordering::Equal => Sign::Zero,
        Ordering::Greater => Sign::Positive,
    }
}

fn whole(p: &Exact) -> Option<Whole> {
    if !p[3].is_one() {
        return None;
    }
    let [x, y, z] = [0, 1, 2].map(|i| p[i].to_i64());
    Some([x?, y?, z?])
}

pub(super) fn sign(x: &BigInt) -> Sign {
    match x.sign() {
        BigSign::Minus => Sign::Negative,
        BigSign::NoSign => Sign::Zero,
        BigSign::Plus => Sign::Positive,
    }
}

fn near(p: &Exact) -> DVec3 {
    let bits = p.iter().map(BigInt::bits).max().unwrap_or(0);
    let short = |x: &BigInt| {
        let x = if bits > MANY_BITS { x >> (bits - MANY_BITS) } else { x.clone() };
        x.to_f64().unwrap_or(0.0)
    };
    let [x, y, z, w] = [0, 1, 2, 3].map(|i| if p[i].is_zero() { 0.0 } else { short(&p[i]) });
    DVec3::new(x / w, y / w, z / w)
}
