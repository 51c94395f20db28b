//! Distances in exact rational arithmetic, for the decisions that floating point leaves open. Microseconds each.

use glam::DVec3;

use super::flat::as_segment;
use super::nearest::Nearest;
use crate::math::exact::is_zero;
use crate::math::{Fraction, FractionVec3};
use crate::shape::{Segment, Sphere, Triangle};

/// The squared distance from `p` to the segment. Exact.
pub(super) fn squared_distance_to_segment(p: DVec3, segment: &Segment) -> Fraction {
    let [p, a, b] = [p, segment.a, segment.b].map(FractionVec3::from);
    to_segment(&p, &a, &b)
}

/// The squared distance from `p` to the triangle. Exact.
pub(super) fn squared_distance_to_triangle(p: DVec3, triangle: &Triangle) -> Fraction {
    if let Some(segment) = as_segment(triangle) {
        return squared_distance_to_segment(p, &segment);
    }
    let [p, a, b, c] = [p, triangle.a, triangle.b, triangle.c].map(FractionVec3::from);
    let normal = (&b - &a).cross(&(&c - &a));
    let edges = [(&a, &b), (&b, &c), (&c, &a)];
    let above = edges.iter().all(|(from, to)| !normal.cross(&(*to - from)).dot(&(&p - from)).is_negative());
    if above {
        let height = normal.dot(&(&p - &a));
        return &(&height * &height) / &normal.dot(&normal);
    }
    let [x, y, z] = edges.map(|(from, to)| to_segment(&p, from, to));
    x.min(y).min(z)
}

/// Whether the ball comes as near as `beyond` to the hull of `corners`, of which `foot` seems to be the point
/// nearest to its centre: by a certificate from that point, or where that leaves it open by the exact squared
/// distance.
pub(super) fn ball_reaches(
    ball: &Sphere,
    beyond: f64,
    corners: &[DVec3],
    foot: DVec3,
    squared_distance: impl FnOnce() -> Fraction,
) -> bool {
    let nearest = Nearest::between(ball.center, foot);
    reaches(&nearest, (&[ball.center], corners), &[], &[ball.radius, beyond], squared_distance)
}

/// Whether two hulls of corners, whose nearest points `nearest` claims to be, are apart by at most the sum of a few
/// lengths: by a certificate along the `hints`, or where that leaves it open by the exact squared distance.
pub(super) fn reaches(
    nearest: &Nearest,
    (first, second): (&[DVec3], &[DVec3]),
    hints: &[DVec3],
    reach: &[f64],
    squared_distance: impl FnOnce() -> Fraction,
) -> bool {
    let distance = nearest.certified(first, second, hints);
    // Each addition of numbers not below zero is off by less than one step of the sum.
    let sum: f64 = reach.iter().sum();
    let (least, most) = reach.iter().fold((sum, sum), |(l, m), _| (l.next_down(), m.next_up()));
    if distance.upper <= least {
        true
    } else if distance.lower > most {
        false
    } else {
        let sum = reach.iter().fold(Fraction::zero(), |sum, &x| &sum + &Fraction::from(x));
        squared_distance() <= &sum * &sum
    }
}

/// Whether `a ≤ b` for squares `a`, `b` of lengths that are off by at most eight ulp each; `None` if too close to tell.
#[inline]
pub(crate) fn compare_squares(a: f64, b: f64) -> Option<bool> {
    /// Below this, underflow may have cost digits.
    const LEAST: f64 = 1e-280;
    let doubt = 16.0 * f64::EPSILON * (a + b);
    ((a - b).abs() > doubt && a + b > LEAST && doubt.is_finite()).then_some(a < b)
}

/// Whether a squared distance is at most that of `reach ≥ 0`. Exact.
pub(super) fn within(squared_distance: &Fraction, reach: f64) -> bool {
    let reach = Fraction::from(reach);
    *squared_distance <= &reach * &reach
}

/// To the line by Pythagoras, so that there is one division.
fn to_segment(p: &FractionVec3, a: &FractionVec3, b: &FractionVec3) -> Fraction {
    let (along, from_a) = (b - a, p - a);
    let (square, advance) = (along.dot(&along), along.dot(&from_a));
    if !advance.is_positive() {
        return from_a.dot(&from_a);
    }
    if advance >= square {
        let from_b = p - b;
        return from_b.dot(&from_b);
    }
    &(&(&from_a.dot(&from_a) * &square) - &(&advance * &advance)) / &square
}

/// The squared distance of two segments: of their ends, or of the lines if their perpendicular is inside. Exact.
pub(super) fn squared_distance_of_segments([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> Fraction {
    let to = |p, a, b| squared_distance_to_segment(p, &Segment { a, b });
    let ends = to(a, c, d).min(to(b, c, d)).min(to(c, a, b)).min(to(d, a, b));
    squared_perpendicular([a, b], [c, d]).map_or(ends.clone(), |inside| inside.min(ends))
}

/// The squared distance of the lines of two segments, if they are nearest inside both. Exact.
pub(super) fn squared_perpendicular(first: [DVec3; 2], second: [DVec3; 2]) -> Option<Fraction> {
    let ([a, b], [c, d]) = (first.map(FractionVec3::from), second.map(FractionVec3::from));
    let (u, v, r) = (&b - &a, &d - &c, &c - &a);
    let normal = u.cross(&v);
    if is_zero(&normal) {
        return None;
    }
    let square = normal.dot(&normal);
    let inside = |x: Fraction| !x.is_negative() && x <= square;
    (inside(normal.dot(&r.cross(&v))) && inside(normal.dot(&r.cross(&u)))).then(|| {
        let height = normal.dot(&r);
        &(&height * &height) / &square
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_a_known_triangle() {
        let t = Triangle { a: DVec3::ZERO, b: DVec3::X, c: DVec3::Y };
        let squared = |x, y, z| squared_distance_to_triangle(DVec3::new(x, y, z), &t);
        assert_eq!(squared(0.25, 0.25, 3.0), Fraction::from(9.0));
        assert_eq!(squared(1.0, 1.0, 0.0), Fraction::from(0.5));
        assert_eq!(squared(-3.0, -4.0, 0.0), Fraction::from(25.0));
        assert!(
            within(&squared(0.25, 0.25, 3.0), 3.0) && !within(&squared(0.25, 0.25, 3.0), 3.0f64.next_down())
        );
    }
}
