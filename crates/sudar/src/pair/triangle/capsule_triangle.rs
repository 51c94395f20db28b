//! Capsule and triangle, capsule and axis-aligned box.

use glam::DVec3;

use super::segment_triangle::segment_triangle;
use super::triangle_aabb::segment_aabb;
use super::triangle_distance::disjoint_segment_triangle_distance;
use crate::math::Fraction;
use crate::pair::boxes::aabb_aabb::closest_point_aabb;
use crate::pair::boxes::sphere_aabb::squared_distance_to_box;
use crate::pair::exact_distance::{reaches, squared_distance_of_segments, squared_distance_to_triangle};
use crate::pair::nearest::Nearest;
use crate::pair::segment_segment::closest_points_segments;
use crate::shape::{Aabb, Segment, Triangle};

/// Whether the capsule and the triangle have a point in common. Exact.
///
/// If the axis meets the triangle; else if an end of the axis is within the radius of the triangle, or the axis of an
/// edge.
pub fn capsule_triangle(axis: &Segment, radius: f64, triangle: &Triangle) -> bool {
    capsule_triangle_within(axis, radius, triangle, 0.0)
}

/// Whether the capsule and the triangle are at most `tolerance ≥ 0` apart. Exact, and the sum of radius and
/// tolerance is not rounded.
pub fn capsule_triangle_within(axis: &Segment, radius: f64, triangle: &Triangle, tolerance: f64) -> bool {
    if segment_triangle(axis, triangle) {
        return true;
    }
    let found = disjoint_segment_triangle_distance(axis, triangle);
    let exactly = || squared_distance_of_disjoint(axis, triangle);
    reaches(
        &found,
        (&[axis.a, axis.b], &triangle.corners()),
        &[triangle.scaled_normal()],
        &[radius, tolerance],
        exactly,
    )
}

/// Whether the capsule and the box have a point in common. Exact, for boxes with finite ends.
///
/// If the axis meets the box; else if an end of the axis is within the radius of the box, or the axis of one of its
/// twelve edges.
///
/// ```
/// use sudar::pair::capsule_aabb;
/// use sudar::{Aabb, DVec3, Segment};
///
/// let cube = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
/// let axis = Segment { a: DVec3::new(2.0, 0.5, 0.5), b: DVec3::new(3.0, 0.5, 0.5) };
/// assert!(capsule_aabb(&axis, 1.0, &cube) && !capsule_aabb(&axis, 0.99, &cube));
/// ```
pub fn capsule_aabb(axis: &Segment, radius: f64, aabb: &Aabb) -> bool {
    if aabb.is_empty() {
        return false;
    }
    if segment_aabb(axis, aabb) {
        return true;
    }
    let ends = [axis.a, axis.b];
    let edges = edges(aabb).map(|edge| closest_points_segments(axis, &edge));
    let [first, second] = ends.map(|p| closest_point_aabb(p, aabb));
    let found = edges.into_iter().chain([second]).fold(first, Nearest::or_closer);
    reaches(&found, (&ends, &aabb.corners()), &[], &[radius], || squared_distance_to_disjoint_box(axis, aabb))
}

/// The squared distance of a segment and a triangle that do not meet. Exact.
fn squared_distance_of_disjoint(segment: &Segment, triangle: &Triangle) -> Fraction {
    let [a, b, c] = triangle.corners();
    let ends = [segment.a, segment.b];
    let [first, second] = ends.map(|p| squared_distance_to_triangle(p, triangle));
    let edges = [[a, b], [b, c], [c, a]].map(|edge| squared_distance_of_segments(ends, edge));
    edges.into_iter().fold(first.min(second), Fraction::min)
}

/// The squared distance of a segment and a box that do not meet. Exact.
fn squared_distance_to_disjoint_box(segment: &Segment, aabb: &Aabb) -> Fraction {
    let ends = [segment.a, segment.b];
    let [first, second] = ends.map(|p| squared_distance_to_box(p, aabb));
    let edges = edges(aabb).map(|edge| squared_distance_of_segments(ends, [edge.a, edge.b]));
    edges.into_iter().fold(first.min(second), Fraction::min)
}

/// The twelve edges of a box, four along each axis.
fn edges(aabb: &Aabb) -> [Segment; 12] {
    let corners: [DVec3; 8] = aabb.corners();
    std::array::from_fn(|i| {
        let (axis, rest) = (i / 4, i % 4);
        // The corner numbers without the bit of this axis: the other two bits take the four values of `rest`.
        let low = rest & ((1 << axis) - 1) | (rest >> axis) << (axis + 1);
        Segment { a: corners[low], b: corners[low | 1 << axis] }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn kissing_a_face_an_edge_and_a_corner() {
        let t = Triangle { a: DVec3::ZERO, b: DVec3::X * 8.0, c: DVec3::Y * 8.0 };
        // Over the face by 5, parallel and with one end; across the edge c–b, at (6, 6, 1), 3 away and along
        // (1, −1, 0); off the corner a by (2, 3, 6).
        let cases = [
            ([1.0, 1.0, 5.0], [3.0, 2.0, 5.0], 5.0),
            ([1.0, 1.0, 5.0], [1.0, 1.0, 9.0], 5.0),
            ([8.0, 4.0, 1.0], [4.0, 8.0, 1.0], 3.0),
            ([-2.0, -3.0, -6.0], [-4.0, -6.0, -12.0], 7.0),
        ];
        for (a, b, radius) in cases {
            for exponent in [-200, 0, 200] {
                let k = f64::powi(2.0, exponent);
                let t = Triangle::from(t.corners().map(|p| p * k));
                let axis = Segment { a: DVec3::from(a) * k, b: DVec3::from(b) * k };
                assert!(capsule_triangle(&axis, radius * k, &t));
                assert!(!capsule_triangle(&axis, (radius * k).next_down(), &t), "{axis:?}");
            }
        }
        let through = Segment { a: DVec3::new(1.0, 1.0, -1.0), b: DVec3::new(1.0, 1.0, 1.0) };
        assert!(capsule_triangle(&through, 1e-9, &t));
    }

    #[test]
    fn the_shortcut_and_the_exact_way_agree() {
        let mut random = Random::new(32);
        let (mut touching, mut seen) = (0, [0, 0]);
        for _ in 0..1500 {
            let [a, b, c, d, e] = random.grid_points(3);
            let (axis, t, radius) =
                (Segment { a, b }, Triangle { a: c, b: d, c: e }, random.whole(-2, 2).abs());
            let exact = if segment_triangle(&axis, &t) {
                Fraction::from(0.0)
            } else {
                squared_distance_of_disjoint(&axis, &t)
            };
            let found = capsule_triangle(&axis, radius, &t);
            assert_eq!(found, exact <= Fraction::from(radius * radius));
            touching += u32::from(exact == Fraction::from(radius * radius));
            seen[usize::from(found)] += 1;
        }
        assert!(touching > 30 && seen.iter().all(|&n| n > 200), "{touching} {seen:?}");
    }

    #[test]
    fn a_box_is_its_twelve_triangles_and_its_inside() {
        const FACES: [[usize; 4]; 6] =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let mut random = Random::new(33);
        let mut seen = [0, 0];
        for _ in 0..1500 {
            let [a, b, p, q] = random.grid_points(3);
            let (axis, aabb, radius) = (Segment { a, b }, Aabb::around([p, q]), random.whole(-2, 2).abs());
            let corners = aabb.corners();
            let faces = FACES.iter().flat_map(|&[p, q, r, s]| [[p, q, r], [p, r, s]]);
            let mut triangles = faces.map(|face| Triangle::from(face.map(|i| corners[i])));
            let expected = aabb.contains(a) || triangles.any(|t| capsule_triangle(&axis, radius, &t));
            let found = capsule_aabb(&axis, radius, &aabb);
            assert_eq!(found, expected, "{axis:?} {radius} {aabb:?}");
            seen[usize::from(found)] += 1;
        }
        assert!(seen.iter().all(|&n| n > 200), "{seen:?}");
        assert!(!capsule_aabb(&Segment { a: DVec3::ZERO, b: DVec3::X }, 9.0, &Aabb::EMPTY));
    }

    #[test]
    fn a_tolerance_is_added_to_the_radius_without_rounding() {
        // The axis lies 5 above the face, or ends (2, 3, 6) off its corner, 7 away.
        let t = Triangle { a: DVec3::ZERO, b: DVec3::X * 8.0, c: DVec3::Y * 8.0 };
        let above = Segment { a: DVec3::new(1.0, 1.0, 5.0), b: DVec3::new(2.0, 3.0, 5.0) };
        let off = Segment { a: DVec3::new(-2.0, -3.0, 6.0), b: DVec3::new(-4.0, -6.0, 12.0) };
        for (axis, distance) in [(above, 5.0), (off, 7.0)] {
            for radius in [0.0, 1.0, 3.0] {
                let within = |tolerance| capsule_triangle_within(&axis, radius, &t, tolerance);
                assert!(within(distance - radius) && !within((distance - radius).next_down()));
            }
            let almost = distance.next_down();
            assert!(!capsule_triangle_within(&axis, almost, &t, f64::powi(2.0, -60)));
        }
    }
}
