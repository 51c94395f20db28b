//! What is left of a convex polygon, segment or point inside a triangle, in exact rational arithmetic
//! (Sutherland and Hodgman 1974, "Reentrant polygon clipping"). Slow, and free of special cases.

use glam::DVec3;
use num_traits::{Signed, Zero};

use super::flat::as_segment;
use crate::math::{Rational, RationalVec3};
use crate::shape::{Segment, Triangle};

/// The points x with `normal · (x − origin) ≥ 0`.
pub(crate) struct RationalHalfspace {
    normal: RationalVec3,
    origin: RationalVec3,
}

impl RationalHalfspace {
    fn height(&self, p: &RationalVec3) -> Rational {
        self.normal.dot(&(p - &self.origin))
    }
}

/// The corners of the convex hull of a triangle: three, or two or one if it has no area.
pub(crate) fn hull(t: &Triangle) -> Vec<RationalVec3> {
    match as_segment(t) {
        None => t.corners().map(RationalVec3::from).to_vec(),
        Some(Segment { a, b }) if a == b => vec![a.into()],
        Some(Segment { a, b }) => vec![a.into(), b.into()],
    }
}

/// The common part of the convex hull of `points` (in order around it) and the closed triangle, as its corners in
/// order; empty if there is none.
pub(crate) fn inside_triangle(points: Vec<RationalVec3>, t: &Triangle) -> Vec<RationalVec3> {
    let mut left = halfspaces(t).iter().fold(points, |left, h| clip(&left, h));
    left.dedup();
    if left.len() > 1 && left.first() == left.last() {
        left.pop();
    }
    left
}

fn clip(points: &[RationalVec3], h: &RationalHalfspace) -> Vec<RationalVec3> {
    let heights: Vec<Rational> = points.iter().map(|p| h.height(p)).collect();
    let mut kept = Vec::with_capacity(points.len() + 1);
    for (i, p) in points.iter().enumerate() {
        let j = (i + 1) % points.len();
        if !heights[i].is_negative() {
            kept.push(p.clone());
        }
        if (&heights[i] * &heights[j]).is_negative() {
            let t = &heights[i] / (&heights[i] - &heights[j]);
            kept.push(p.towards(&points[j], &t));
        }
    }
    kept
}

/// Halfspaces that have just the triangle in common.
fn halfspaces(t: &Triangle) -> Vec<RationalHalfspace> {
    let corners = hull(t);
    match corners.as_slice() {
        [a, b, c] => around_triangle(a, b, c),
        [a, b] => around_segment(a, b),
        points => {
            points.iter().flat_map(|p| AXES.map(|u| both_sides(&u.into(), p)).into_iter().flatten()).collect()
        }
    }
}

const AXES: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];

fn both_sides(normal: &RationalVec3, origin: &RationalVec3) -> [RationalHalfspace; 2] {
    let zero = RationalVec3 { x: Rational::zero(), y: Rational::zero(), z: Rational::zero() };
    [normal.clone(), &zero - normal].map(|normal| RationalHalfspace { normal, origin: origin.clone() })
}

fn around_triangle(a: &RationalVec3, b: &RationalVec3, c: &RationalVec3) -> Vec<RationalHalfspace> {
    let normal = (b - a).cross(&(c - a));
    let mut all: Vec<_> = both_sides(&normal, a).into();
    for (p, q) in [(a, b), (b, c), (c, a)] {
        all.push(RationalHalfspace { normal: normal.cross(&(q - p)), origin: p.clone() });
    }
    all
}

fn around_segment(a: &RationalVec3, b: &RationalVec3) -> Vec<RationalHalfspace> {
    let direction = b - a;
    let mut all: Vec<_> = AXES.iter().flat_map(|&u| both_sides(&direction.cross(&u.into()), a)).collect();
    all.push(RationalHalfspace { normal: direction, origin: a.clone() });
    all.push(RationalHalfspace { normal: a - b, origin: b.clone() });
    all
}
