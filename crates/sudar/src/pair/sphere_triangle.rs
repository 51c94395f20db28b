//! Ball and triangle, ball and segment.

use super::exact_distance::{ball_reaches, squared_distance_to_segment, squared_distance_to_triangle};
use super::point_segment::closest_point_segment;
use super::point_triangle::closest_point_triangle;
use crate::shape::{Segment, Sphere, Triangle};

/// Whether the ball and the segment have a point in common. Exact.
pub fn sphere_segment(sphere: &Sphere, segment: &Segment) -> bool {
    let foot = closest_point_segment(sphere.center, segment).b;
    let exactly = || squared_distance_to_segment(sphere.center, segment);
    ball_reaches(sphere, &[segment.a, segment.b], foot, exactly)
}

/// Whether the ball and the triangle have a point in common. Exact.
pub fn sphere_triangle(sphere: &Sphere, triangle: &Triangle) -> bool {
    let foot = closest_point_triangle(sphere.center, triangle).b;
    let exactly = || squared_distance_to_triangle(sphere.center, triangle);
    ball_reaches(sphere, &triangle.corners(), foot, exactly)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::pair::exact_distance::within;
    use crate::pair::testing::Random;

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
            let (triangle, radius) = (Triangle { a, b, c }, 1.0 + random.whole(1).abs());
            let ball = Sphere { center, radius };
            let exact = squared_distance_to_triangle(center, &triangle);
            assert_eq!(sphere_triangle(&ball, &triangle), within(&exact, radius));
            touching += u32::from(exact == crate::math::Fraction::from(radius * radius));
        }
        assert!(touching > 100, "{touching}");
    }
}
