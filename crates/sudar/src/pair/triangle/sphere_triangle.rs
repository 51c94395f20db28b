//! Ball and triangle, ball and segment.

use super::point_triangle::closest_point_triangle;
use crate::pair::exact_distance::{ball_reaches, squared_distance_to_segment, squared_distance_to_triangle};
use crate::pair::point_segment::closest_point_segment;
use crate::shape::{Segment, Sphere, Triangle};

/// Whether the ball and the segment have a point in common. Exact.
pub fn sphere_segment(sphere: &Sphere, segment: &Segment) -> bool {
    let foot = closest_point_segment(sphere.center, segment).b;
    let exactly = || squared_distance_to_segment(sphere.center, segment);
    ball_reaches(sphere, 0.0, &[segment.a, segment.b], foot, exactly)
}

/// Whether the ball and the triangle have a point in common. Exact.
pub fn sphere_triangle(sphere: &Sphere, triangle: &Triangle) -> bool {
    sphere_triangle_within(sphere, triangle, 0.0)
}

/// Whether the ball and the triangle are at most `tolerance ≥ 0` apart: `|c − p| ≤ r + tolerance` for a point p of the
/// triangle. Exact, and the sum is not rounded. Some hundred nanoseconds, microseconds where `f64` cannot tell.
pub fn sphere_triangle_within(sphere: &Sphere, triangle: &Triangle, tolerance: f64) -> bool {
    let foot = closest_point_triangle(sphere.center, triangle).b;
    let exactly = || squared_distance_to_triangle(sphere.center, triangle);
    ball_reaches(sphere, tolerance, &triangle.corners(), foot, exactly)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::math::Fraction;
    use crate::pair::exact_distance::within;
    use crate::testing::Random;

    #[test]
    fn kissing_at_a_face_an_edge_and_a_corner_is_touching() {
        let t = Triangle { a: DVec3::ZERO, b: DVec3::X * 8.0, c: DVec3::Y * 8.0 };
        // Above the face by 5; outside the edge c–b and above it, by (2, 2, 1): 3; off the corner a by (2, 3, 6): 7.
        let cases = [([2.0, 2.0, 5.0], 5.0), ([6.0, 6.0, 1.0], 3.0), ([-2.0, -3.0, -6.0], 7.0)];
        for (center, radius) in cases {
            for exponent in [-200, -60, 0, 60, 200] {
                let k = f64::powi(2.0, exponent);
                let t = Triangle::from(t.corners().map(|p| p * k));
                let ball = |radius: f64| Sphere { center: DVec3::from(center) * k, radius: radius * k };
                assert!(sphere_triangle(&ball(radius), &t));
                assert!(!sphere_triangle(&ball(radius.next_down()), &t));
            }
        }
    }

    #[test]
    fn a_tolerance_is_added_to_the_radius_without_rounding() {
        let mut random = Random::new(13);
        let mut equal = 0;
        for _ in 0..4000 {
            let [center, a, b, c] = random.grid_points(3);
            let (triangle, size) = (Triangle { a, b, c }, random.whole(-1, 1).abs() + 1.0);
            let squared = squared_distance_to_triangle(center, &triangle);
            let distance = squared.to_f64().sqrt();
            for radius in [size, distance * 0.3, f64::EPSILON * size] {
                let rest = (distance - radius).max(0.0);
                for tolerance in [rest.next_down().max(0.0), rest, rest.next_up(), 0.0, 2.0 * distance] {
                    let sum = &Fraction::from(radius) + &Fraction::from(tolerance);
                    let ball = Sphere { center, radius };
                    assert_eq!(sphere_triangle_within(&ball, &triangle, tolerance), squared <= &sum * &sum);
                    equal += u32::from(squared == &sum * &sum);
                }
            }
        }
        assert!(equal > 100, "{equal}");
        // 1 + 2⁻⁶⁰ is less than 1 + 2⁻⁵², though it rounds to 1.
        let (t, ball) = (Triangle { a: DVec3::ZERO, b: DVec3::X, c: DVec3::Y }, 1.0);
        let ball = Sphere { center: DVec3::new(0.0, 0.0, 1.0f64.next_up()), radius: ball };
        assert!(!sphere_triangle_within(&ball, &t, f64::powi(2.0, -60)));
        assert!(sphere_triangle_within(&ball, &t, f64::powi(2.0, -52)));
        assert!(sphere_triangle_within(&ball, &t, f64::INFINITY));
    }

    #[test]
    fn segments_touch_from_the_side_and_at_the_ends() {
        let s = Segment { a: DVec3::ZERO, b: DVec3::X * 9.0 };
        let ball = |x: f64, radius| Sphere { center: DVec3::new(x, 3.0, 4.0), radius };
        assert!(sphere_segment(&ball(4.0, 5.0), &s) && !sphere_segment(&ball(4.0, 5.0f64.next_down()), &s));
        // 12 beyond the end: 12² + 5² = 13².
        assert!(
            sphere_segment(&ball(21.0, 13.0), &s) && !sphere_segment(&ball(21.0, 13.0f64.next_down()), &s)
        );
    }

    #[test]
    fn the_shortcut_and_the_exact_way_agree() {
        let mut random = Random::new(11);
        let mut touching = 0;
        for _ in 0..4000 {
            let [center, a, b, c] = random.grid_points(2);
            let (triangle, radius) = (Triangle { a, b, c }, 1.0 + random.whole(-1, 1).abs());
            let ball = Sphere { center, radius };
            let exact = squared_distance_to_triangle(center, &triangle);
            assert_eq!(sphere_triangle(&ball, &triangle), within(&exact, radius));
            touching += u32::from(exact == Fraction::from(radius * radius));
        }
        assert!(touching > 100, "{touching}");
    }
}
