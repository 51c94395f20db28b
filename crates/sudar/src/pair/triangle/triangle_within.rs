//! Are two triangles no farther apart than this?

use super::point_triangle::closest_point_triangle;
use super::triangle_distance::disjoint_triangle_distance_bounds;
use super::triangle_triangle::triangles_intersect;
use crate::pair::exact_distance::{squared_distance_to_triangle, squared_perpendicular, within};
use crate::pair::segment_segment::closest_points_segments;
use crate::shape::{Segment, Triangle};

/// Whether two triangles are at most `tolerance ≥ 0` apart. Exact.
///
/// By the interval of [`disjoint_triangle_distance_bounds`], and where that holds the tolerance by comparing
/// the squares in rational arithmetic, which takes some dozen microseconds.
pub fn triangles_within(first: &Triangle, second: &Triangle, tolerance: f64) -> bool {
    if triangles_intersect(first, second) {
        return tolerance >= 0.0;
    }
    let (_, bounds) = disjoint_triangle_distance_bounds(first, second);
    if bounds.upper <= tolerance {
        true
    } else if bounds.lower > tolerance || !tolerance.is_finite() {
        false
    } else {
        exactly_within(first, second, tolerance)
    }
}

/// Triangles that do not intersect are nearest between a corner and a point, or inside two edges. Of those
/// six and nine pairs only what `f64` does not see far beyond the tolerance is compared exactly.
#[cold]
fn exactly_within(first: &Triangle, second: &Triangle, tolerance: f64) -> bool {
    let (p, q) = (first.corners(), second.corners());
    let size = p.iter().chain(&q).fold(0.0, |size: f64, x| size.max((*x - p[0]).abs().max_element()));
    // `f64` gives distances to a few ulp of the size. Where underflow makes them zero or NaN, they are not beyond.
    let beyond = tolerance + 1e-6 * size;
    let may_be = |distance: f64| distance.is_nan() || distance <= beyond;
    let corner = |(p, t): (_, &Triangle)| {
        may_be(closest_point_triangle(p, t).distance())
            && within(&squared_distance_to_triangle(p, t), tolerance)
    };
    let edge = |t: &[_; 3], i: usize| [t[i], t[(i + 1) % 3]];
    let edges = |(e, f): ([_; 2], [_; 2])| {
        let [a, b] = [e, f].map(|[a, b]| Segment { a, b });
        may_be(closest_points_segments(&a, &b).distance())
            && squared_perpendicular(e, f).is_some_and(|square| within(&square, tolerance))
    };
    p.into_iter().map(|p| (p, second)).chain(q.into_iter().map(|q| (q, first))).any(corner)
        || (0..9).map(|k| (edge(&p, k / 3), edge(&q, k % 3))).any(edges)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::math::Fraction;

    fn triangle(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> Triangle {
        Triangle { a: a.into(), b: b.into(), c: c.into() }
    }

    #[test]
    fn equality_is_within_and_the_next_number_is_not() {
        // A corner over a face: 2. Corner to corner, (1, 2, 2): 3. An edge over an edge: 1.
        let flat = triangle([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        let over = triangle([0.25, 0.25, 2.0], [0.0, 0.0, 5.0], [0.0, 0.0, 6.0]);
        let beside = triangle([2.0, 2.0, 2.0], [3.0, 3.0, 2.0], [2.0, 3.0, 5.0]);
        let across = triangle([0.5, -1.0, 1.0], [0.5, 1.0, 1.0], [0.5, 0.0, 3.0]);
        for (other, distance) in [(over, 2.0), (across, 1.0)] {
            assert!(triangles_within(&flat, &other, distance) && triangles_within(&other, &flat, distance));
            let less = f64::next_down(distance);
            assert!(!triangles_within(&flat, &other, less) && !triangles_within(&other, &flat, less));
        }
        // From (1, 0, 0) or (0, 1, 0), or (½, ½, 0) on the edge between, to (2, 2, 2): √(1.5² + 1.5² + 2²) = √8.5.
        let root = 8.5f64.sqrt();
        let exactly = |x: f64| &Fraction::from(x) * &Fraction::from(x);
        for x in [root.next_down(), root, root.next_up()] {
            assert_eq!(triangles_within(&flat, &beside, x), exactly(x) >= Fraction::from(8.5));
        }
    }

    #[test]
    fn what_meets_is_within_zero() {
        let t = triangle([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        let touching = Triangle { a: DVec3::ZERO, b: -DVec3::X, c: -DVec3::Y };
        assert!(triangles_within(&t, &touching, 0.0) && !triangles_within(&t, &touching, -1.0));
        assert!(triangles_within(&t, &touching, f64::INFINITY));
    }
}
