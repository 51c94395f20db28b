//! What is left of a convex polygon, segment or point inside a triangle, in exact arithmetic
//! (Sutherland and Hodgman 1974, "Reentrant polygon clipping"). Slow, and free of special cases.

use glam::DVec3;

use crate::math::{Fraction, FractionVec3};
use crate::pair::flat::as_segment;
use crate::shape::{Segment, Triangle};

/// The points x with `normal · (x − origin) ≥ 0`.
pub(crate) struct ExactHalfspace {
    normal: FractionVec3,
    origin: FractionVec3,
}

impl ExactHalfspace {
    fn height(&self, p: &FractionVec3) -> Fraction {
        self.normal.dot(&(p - &self.origin))
    }
}

/// The corners of the convex hull of a triangle: three, or two or one if it has no area.
pub(crate) fn hull(t: &Triangle) -> Vec<FractionVec3> {
    match as_segment(t) {
        None => t.corners().map(FractionVec3::from).to_vec(),
        Some(Segment { a, b }) if a == b => vec![a.into()],
        Some(Segment { a, b }) => vec![a.into(), b.into()],
    }
}

/// The common part of the convex hull of `points` (in order around it) and the closed triangle, as its corners in
/// order; empty if there is none.
pub(crate) fn inside_triangle(points: Vec<FractionVec3>, t: &Triangle) -> Vec<FractionVec3> {
    let mut left = halfspaces(t).iter().fold(points, |left, h| clip(&left, h));
    left.dedup();
    if left.len() > 1 && left.first() == left.last() {
        left.pop();
    }
    left
}

fn clip(points: &[FractionVec3], h: &ExactHalfspace) -> Vec<FractionVec3> {
    let heights: Vec<Fraction> = points.iter().map(|p| h.height(p)).collect();
    let mut kept = Vec::with_capacity(points.len() + 1);
    for (i, p) in points.iter().enumerate() {
        let j = (i + 1) % points.len();
        if !heights[i].is_negative() {
            kept.push(p.clone());
        }
        if (&heights[i] * &heights[j]).is_negative() {
            let t = &heights[i] / &(&heights[i] - &heights[j]);
            kept.push(p.towards(&points[j], &t));
        }
    }
    kept
}

/// Halfspaces that have just the triangle in common.
fn halfspaces(t: &Triangle) -> Vec<ExactHalfspace> {
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

fn both_sides(normal: &FractionVec3, origin: &FractionVec3) -> [ExactHalfspace; 2] {
    let zero = FractionVec3::from(DVec3::ZERO);
    [normal.clone(), &zero - normal].map(|normal| ExactHalfspace { normal, origin: origin.clone() })
}

fn around_triangle(a: &FractionVec3, b: &FractionVec3, c: &FractionVec3) -> Vec<ExactHalfspace> {
    let normal = (b - a).cross(&(c - a));
    let mut all: Vec<_> = both_sides(&normal, a).into();
    for (p, q) in [(a, b), (b, c), (c, a)] {
        all.push(ExactHalfspace { normal: normal.cross(&(q - p)), origin: p.clone() });
    }
    all
}

fn around_segment(a: &FractionVec3, b: &FractionVec3) -> Vec<ExactHalfspace> {
    let direction = b - a;
    let mut all: Vec<_> = AXES.iter().flat_map(|&u| both_sides(&direction.cross(&u.into()), a)).collect();
    all.push(ExactHalfspace { normal: direction, origin: a.clone() });
    all.push(ExactHalfspace { normal: a - b, origin: b.clone() });
    all
}
