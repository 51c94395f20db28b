//! Pairs of triangles, eight at a time: lower and upper bounds on their distances.
//!
//! A filter before `f64`: the nearest of the nine pairs of edges and six pairs of a corner and a face gives
//! two points, whose distance is an upper bound, and a direction, along which the gap between the triangles
//! is a lower bound (as in Larsen, Gottschalk, Lin and Manocha 1999, "Fast proximity queries with swept
//! sphere volumes"; many pairs at once after Shellshear and Ytterlid 2014, "Fast distance queries for
//! triangles, lines, and points using SSE instructions"). Both hold however inexactly the points were found;
//! the arithmetic in `f32` only makes the bounds wider.

use fearless_simd::{Simd, f32x8, prelude::*};

use crate::tree::lanes::Lanes3;

/// The corners of two triangles, each times eight: `corners[3·corner + axis][lane]`, first of a, then of b.
pub type EightPairs = [[[f32; 8]; 9]; 2];

/// The shortest way so far between two triangles, in eight lanes.
#[derive(Clone, Copy)]
struct Way<S: Simd> {
    /// From a point of the first to a point of the second.
    way: Lanes3<S>,
    square: f32x8<S>,
}

/// Keeps divisors from being zero.
const TINY: f32 = 1e-36;

impl<S: Simd> Way<S> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn or_shorter(self, way: Lanes3<S>, square: f32x8<S>) -> Self {
        let shorter = square.simd_lt(self.square);
        let pick = |new: f32x8<S>, old: f32x8<S>| shorter.select(new, old);
        Self {
            way: Lanes3 {
                x: pick(way.x, self.way.x),
                y: pick(way.y, self.way.y),
                z: pick(way.z, self.way.z),
            },
            square: pick(square, self.square),
        }
    }
}

/// What is found of eight pairs of triangles, in the unit of their corners.
pub struct EightWays {
    /// Bounds on their distances.
    pub lower: [f32; 8],
    pub upper: [f32; 8],
    /// About the shortest way from the first triangle to the second.
    pub way: [[f32; 8]; 3],
}

/// Bounds 32 units of rounding, 2⁻²⁴ each: a difference to the origin, the four operations that make a way,
/// its length, and a product with it are off by at most 16 such parts of the numbers involved.
const ROUNDING: f32 = 32.0 / (1 << 24) as f32;

/// Lower and upper bounds on the distances of eight pairs of triangles, where the corners of a pair are off
/// by at most `slack`.
#[cfg_attr(not(opt_level_0), inline(always))]
pub fn eight_pairs<S: Simd>(simd: S, pairs: &EightPairs, slack: f32) -> EightWays {
    let Seen { p, q, slack } = Seen::of(simd, pairs, slack);
    let mut best = Way { way: q[0], square: q[0].dot(q[0]) };
    best = between_edges(simd, &p, &q, best);
    best = to_face(simd, &p, &q, best, 1.0);
    best = to_face(simd, &q, &p, best, -1.0);
    let length = (best.square + TINY).sqrt();
    EightWays {
        lower: (gap_along(simd, &p, &q, best.way) / length - slack).into(),
        upper: (length + slack).into(),
        way: [best.way.x.into(), best.way.y.into(), best.way.z.into()],
    }
}

/// The lower bounds that are seen along the way between the centres of the triangles: for a tenth of the
/// time, and mostly enough where triangles are small beside their distance.
#[cfg_attr(not(opt_level_0), inline(always))]
pub fn eight_gaps<S: Simd>(simd: S, pairs: &EightPairs, slack: f32) -> [f32; 8] {
    let Seen { p, q, slack } = Seen::of(simd, pairs, slack);
    let way = q[0].add(q[1]).add(q[2]).sub(p[1]).sub(p[2]);
    let length = (way.dot(way) + TINY).sqrt();
    (gap_along(simd, &p, &q, way) / length - slack).into()
}

/// Eight pairs of triangles, seen from the first corner of the first: so that all numbers are small, and what
/// they are rounded by.
struct Seen<S: Simd> {
    p: [Lanes3<S>; 3],
    q: [Lanes3<S>; 3],
    /// How far bounds may be off.
    slack: f32x8<S>,
}

impl<S: Simd> Seen<S> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn of(simd: S, [p, q]: &EightPairs, slack: f32) -> Self {
        let origin = corner(simd, p, 0);
        let p = [
            Lanes3::splat(simd, glam::Vec3::ZERO),
            corner(simd, p, 1).sub(origin),
            corner(simd, p, 2).sub(origin),
        ];
        let q =
            [corner(simd, q, 0).sub(origin), corner(simd, q, 1).sub(origin), corner(simd, q, 2).sub(origin)];
        let reach = sum(p[1].abs()) + sum(p[2].abs()) + sum(q[0].abs()) + sum(q[1].abs()) + sum(q[2].abs());
        Self { p, q, slack: reach * ROUNDING + slack }
    }
}

/// How far apart the triangles are along a way, times its length; the first corner of `p` is the origin.
#[cfg_attr(not(opt_level_0), inline(always))]
fn gap_along<S: Simd>(simd: S, p: &[Lanes3<S>; 3], q: &[Lanes3<S>; 3], way: Lanes3<S>) -> f32x8<S> {
    let to_q = q[0].dot(way).min(q[1].dot(way)).min(q[2].dot(way));
    let to_p = p[1].dot(way).max(p[2].dot(way)).max(f32x8::splat(simd, 0.0));
    to_q - to_p
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn sum<S: Simd>(lanes: Lanes3<S>) -> f32x8<S> {
    lanes.x + lanes.y + lanes.z
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn corner<S: Simd>(simd: S, rows: &[[f32; 8]; 9], i: usize) -> Lanes3<S> {
    Lanes3 {
        x: rows[3 * i].simd_into(simd),
        y: rows[3 * i + 1].simd_into(simd),
        z: rows[3 * i + 2].simd_into(simd),
    }
}

/// The shortest way between an edge of either.
#[cfg_attr(not(opt_level_0), inline(always))]
fn between_edges<S: Simd>(simd: S, p: &[Lanes3<S>; 3], q: &[Lanes3<S>; 3], mut best: Way<S>) -> Way<S> {
    let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
    let v = [q[1].sub(q[0]), q[2].sub(q[1]), q[0].sub(q[2])];
    let inverse =
        [one / (v[0].dot(v[0]) + TINY), one / (v[1].dot(v[1]) + TINY), one / (v[2].dot(v[2]) + TINY)];
    for i in 0..3 {
        let u = p[(i + 1) % 3].sub(p[i]);
        let uu = u.dot(u);
        let per_u = one / (uu + TINY);
        for j in 0..3 {
            let r = q[j].sub(p[i]);
            let (uv, ur, vr) = (u.dot(v[j]), u.dot(r), v[j].dot(r));
            // The lines are nearest where (r + t·v − s·u) is normal to u and v: with v·v = 1/inverse,
            // s·(uu − uv²·inverse) = ur − uv·vr·inverse.
            let along = uv * inverse[j];
            let across = uu - uv * along;
            let s = (ur - along * vr) / across.max(TINY);
            let s = s.max(zero).min(one);
            let t = ((uv * s - vr) * inverse[j]).max(zero).min(one);
            let s = ((uv * t + ur) * per_u).max(zero).min(one);
            let way = r.add(v[j].times(t)).sub(u.times(s));
            best = best.or_shorter(way, way.dot(way));
        }
    }
    best
}

/// The shortest way between the face `p` and a corner of `q` that lies above it; the way is counted `sign` times.
#[cfg_attr(not(opt_level_0), inline(always))]
fn to_face<S: Simd>(simd: S, p: &[Lanes3<S>; 3], q: &[Lanes3<S>; 3], mut best: Way<S>, sign: f32) -> Way<S> {
    let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
    let u = [p[1].sub(p[0]), p[2].sub(p[1]), p[0].sub(p[2])];
    let normal = u[0].cross(u[1]);
    let per_square = one / (normal.dot(normal) + TINY);
    let inward = [normal.cross(u[0]), normal.cross(u[1]), normal.cross(u[2])];
    for q in q {
        // The weights of the corners at the foot of q, which is inside if none is below zero.
        let third = inward[0].dot(q.sub(p[0])) * per_square;
        let first = inward[1].dot(q.sub(p[1])) * per_square;
        let second = inward[2].dot(q.sub(p[2])) * per_square;
        let inside = first.min(second).min(third).simd_ge(zero);
        // However inexact they are, with these the foot is a point of the triangle.
        let second = second.max(zero).min(one);
        let third = third.max(zero).min(one - second);
        let way = q.sub(p[0]).sub(u[0].times(second)).add(u[2].times(third));
        let square = inside.select(way.dot(way), f32x8::splat(simd, f32::MAX));
        best = best.or_shorter(way.times(one * sign), square);
    }
    best
}
