//! Squared distances of points, segments and triangles with whole coordinates, as exact fractions.

use std::cmp::Ordering;
use sudar_testing::whole::{cross, dot, minus};

pub type Point = [i128; 3];

/// `numerator / denominator`, the latter above zero.
#[derive(Debug, Clone, Copy)]
pub struct Ratio {
    pub numerator: i128,
    pub denominator: i128,
}

impl Ratio {
    fn whole(numerator: i128) -> Self {
        Self { numerator, denominator: 1 }
    }

    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ratio {}

fn point_segment(p: Point, [a, b]: [Point; 2]) -> Ratio {
    let (e, r) = (minus(b, a), minus(p, a));
    let (t, length) = (dot(e, r), dot(e, e));
    if t <= 0 {
        Ratio::whole(dot(r, r))
    } else if t >= length {
        Ratio::whole(dot(minus(p, b), minus(p, b)))
    } else {
        Ratio { numerator: dot(r, r) * length - t * t, denominator: length }
    }
}

fn sides([a, b, c]: [Point; 3]) -> [[Point; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

fn point_triangle(p: Point, t: [Point; 3]) -> Ratio {
    let n = cross(minus(t[1], t[0]), minus(t[2], t[0]));
    let above = sides(t).iter().all(|&[a, b]| dot(n, cross(minus(b, a), minus(p, a))) >= 0);
    if n != [0; 3] && above {
        let height = dot(n, minus(p, t[0]));
        return Ratio { numerator: height * height, denominator: dot(n, n) };
    }
    sides(t).into_iter().map(|side| point_segment(p, side)).min().unwrap()
}

fn segments(p: [Point; 2], q: [Point; 2]) -> Ratio {
    let ends =
        p.map(|x| point_segment(x, q)).into_iter().chain(q.map(|x| point_segment(x, p))).min().unwrap();
    let (u, v, r) = (minus(p[1], p[0]), minus(q[1], q[0]), minus(q[0], p[0]));
    let n = cross(u, v);
    let square = dot(n, n);
    let inside = |w: Point| (0..=square).contains(&dot(n, cross(r, w)));
    if square > 0 && inside(v) && inside(u) {
        let height = dot(n, r);
        return Ratio { numerator: height * height, denominator: square };
    }
    ends
}

/// Whether a segment that is not in the plane of a triangle passes through it.
fn pierces([p, q]: [Point; 2], t: [Point; 3]) -> bool {
    let n = cross(minus(t[1], t[0]), minus(t[2], t[0]));
    let (at_p, at_q) = (dot(n, minus(p, t[0])), dot(n, minus(q, t[0])));
    if at_p == at_q || at_p.signum() * at_q.signum() > 0 {
        return false;
    }
    // The point in the plane times the number by which it is to be divided.
    let scale = (at_p - at_q).abs();
    let point: Point = std::array::from_fn(|i| p[i] * scale + (q[i] - p[i]) * at_p.abs());
    sides(t).iter().all(|&[a, b]| dot(n, cross(minus(b, a), minus(point, a.map(|x| x * scale)))) >= 0)
}

fn segment_triangle(s: [Point; 2], t: [Point; 3]) -> Ratio {
    if pierces(s, t) {
        return Ratio::whole(0);
    }
    let ends = s.into_iter().map(|p| point_triangle(p, t));
    ends.chain(sides(t).into_iter().map(|side| segments(s, side))).min().unwrap()
}

fn triangles(s: [Point; 3], t: [Point; 3]) -> Ratio {
    let ours = sides(s).into_iter().map(|side| segment_triangle(side, t));
    ours.chain(sides(t).into_iter().map(|side| segment_triangle(side, s))).min().unwrap()
}

/// The squared distance of the hulls of one to three points each.
pub fn squared_distance(a: &[Point], b: &[Point]) -> Ratio {
    match (a, b) {
        (&[p], &[q]) => Ratio::whole(dot(minus(p, q), minus(p, q))),
        (&[p], &[c, d]) | (&[c, d], &[p]) => point_segment(p, [c, d]),
        (&[p], &[c, d, e]) | (&[c, d, e], &[p]) => point_triangle(p, [c, d, e]),
        (&[p, q], &[c, d]) => segments([p, q], [c, d]),
        (&[p, q], &[c, d, e]) | (&[c, d, e], &[p, q]) => segment_triangle([p, q], [c, d, e]),
        (&[p, q, r], &[c, d, e]) => triangles([p, q, r], [c, d, e]),
        _ => unreachable!("a simplex has one to three corners"),
    }
}
