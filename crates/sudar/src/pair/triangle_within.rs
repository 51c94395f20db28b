//! Are two triangles no farther apart than this?

use super::exact_distance::{squared_distance_of_segments, squared_distance_to_triangle, within};
use super::triangle_distance::disjoint_triangle_distance_bounds;
use super::triangle_triangle::triangles_intersect;
use crate::math::Rational;
use crate::shape::Triangle;

/// Whether two triangles are at most `tolerance ≥ 0` apart. Exact.
///
/// By the interval of [`disjoint_triangle_distance_bounds`], and where that holds the tolerance by comparing the squares in
/// rational arithmetic, which takes some hundred microseconds.
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
        within(&squared_distance(first, second), tolerance)
    }
}

/// Of triangles that do not intersect: the least over the nine pairs of edges and six of a corner and a triangle.
fn squared_distance(first: &Triangle, second: &Triangle) -> Rational {
    let (p, q) = (first.corners(), second.corners());
    let edge = |t: &[_; 3], i: usize| [t[i], t[(i + 1) % 3]];
    let corners = (0..3).flat_map(|i| {
        [squared_distance_to_triangle(p[i], second), squared_distance_to_triangle(q[i], first)]
    });
    let edges = (0..9).map(|k| squared_distance_of_segments(edge(&p, k / 3), edge(&q, k % 3)));
    corners.chain(edges).reduce(Rational::min).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

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
        let exactly = |x: f64| crate::math::exact::rational(x) * crate::math::exact::rational(x);
        for x in [root.next_down(), root, root.next_up()] {
            assert_eq!(triangles_within(&flat, &beside, x), exactly(x) >= crate::math::exact::rational(8.5));
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
