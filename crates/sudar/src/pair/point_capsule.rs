//! Capsule and point, ball, segment, half-space, capsule.
//!
//! A capsule is given here by its axis where it is, and its radius: all points at most that far from the segment. The
//! radius may be zero and the axis without length, so that segments, balls and points are capsules too.

use glam::DVec3;

use super::exact_distance::{reaches, squared_distance_of_segments, squared_distance_to_segment};
use super::nearest::{Nearest, length};
use super::point_segment::closest_point_segment;
use super::segment_segment::closest_points_segments;
use super::sphere_halfspace::sphere_halfspace;
use super::triangle::sphere_triangle::sphere_segment;
use crate::math::sized;
use crate::shape::{Halfspace, Segment, Sphere};

/// Whether the point is in the capsule or on its surface. Exact.
pub fn point_capsule(p: DVec3, axis: &Segment, radius: f64) -> bool {
    sphere_segment(&Sphere { center: p, radius }, axis)
}

/// The point of the capsule nearest to `p` (`a` of the answer is `p`): `p` itself if inside, else off by a few ulp of
/// the largest coordinate difference and of the coordinates.
pub fn closest_point_capsule(p: DVec3, axis: &Segment, radius: f64) -> Nearest {
    if point_capsule(p, axis, radius) {
        return Nearest::between(p, p);
    }
    let foot = closest_point_segment(p, axis);
    let away = p - foot.b;
    let beyond = (foot.distance() - radius).max(0.0);
    let surface = foot.b + away * (radius / length(away));
    Nearest { a: p, b: surface, distance_squared: beyond * beyond }
}

/// Whether the ball and the capsule have a point in common: if the axis is at most the sum of the radii from the
/// centre. Exact, and the sum is not rounded.
pub fn sphere_capsule(sphere: &Sphere, axis: &Segment, radius: f64) -> bool {
    let found = closest_point_segment(sphere.center, axis);
    let exactly = || squared_distance_to_segment(sphere.center, axis);
    reaches(&found, (&[sphere.center], &[axis.a, axis.b]), &[], &[sphere.radius, radius], exactly)
}

/// Whether two capsules have a point in common: if their axes are at most the sum of the radii apart. Exact, and the
/// sum is not rounded.
pub fn capsule_capsule(first: &Segment, first_radius: f64, second: &Segment, second_radius: f64) -> bool {
    capsules_within((first, first_radius), (second, second_radius), 0.0)
}

/// Whether two capsules, balls (axes without length), segments or points (radius zero) are at most
/// `tolerance ≥ 0` apart: if their axes are by at most the sum of radii and tolerance. Exact, and the sum is
/// not rounded.
pub fn capsules_within(
    (first, first_radius): (&Segment, f64),
    (second, second_radius): (&Segment, f64),
    tolerance: f64,
) -> bool {
    let (p, q) = ([first.a, first.b], [second.a, second.b]);
    let found = closest_points_segments(first, second);
    let normal = sized(p[1] - p[0]).cross(sized(q[1] - q[0]));
    let exactly = || squared_distance_of_segments(p, q);
    reaches(&found, (&p, &q), &[normal], &[first_radius, second_radius, tolerance], exactly)
}

/// Whether the capsule and the segment have a point in common. Exact.
///
/// ```
/// use sudar::pair::capsule_segment;
/// use sudar::{DVec3, Segment};
///
/// let axis = Segment { a: DVec3::ZERO, b: DVec3::X };
/// let beside = Segment { a: DVec3::new(0.5, 2.0, -1.0), b: DVec3::new(0.5, 2.0, 1.0) };
/// assert!(capsule_segment(&axis, 2.0, &beside) && !capsule_segment(&axis, 1.99, &beside));
/// ```
pub fn capsule_segment(axis: &Segment, radius: f64, segment: &Segment) -> bool {
    capsule_capsule(axis, radius, segment, 0.0)
}

/// Whether the capsule and the half-space have a point in common: if the ball around either end has. Exact.
///
/// ```
/// use sudar::pair::capsule_halfspace;
/// use sudar::{DVec3, Halfspace, Segment};
///
/// let floor = Halfspace::new(DVec3::Z, 0.0)?;
/// let upright = Segment { a: DVec3::Z, b: DVec3::Z * 3.0 };
/// assert!(capsule_halfspace(&upright, 1.0, &floor) && !capsule_halfspace(&upright, 0.5, &floor));
/// # Ok::<(), sudar::shape::ShapeError>(())
/// ```
pub fn capsule_halfspace(axis: &Segment, radius: f64, halfspace: &Halfspace) -> bool {
    [axis.a, axis.b].iter().any(|&center| sphere_halfspace(&Sphere { center, radius }, halfspace))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Fraction;
    use crate::testing::Random;

    fn segment(a: [f64; 3], b: [f64; 3], k: f64) -> Segment {
        Segment { a: DVec3::from(a) * k, b: DVec3::from(b) * k }
    }

    #[test]
    fn kissing_is_touching_and_an_ulp_is_not_at_every_scale() {
        for exponent in [-200, -60, 0, 60, 200] {
            let k = f64::powi(2.0, exponent);
            let axis = segment([0.0, 0.0, -4.0], [0.0, 0.0, 4.0], k);
            // (3, 4) beside the axis; (2, 3, 6) off the upper end, 7 away.
            for (p, far) in [([3.0, 4.0, 1.0], 5.0), ([2.0, 3.0, 10.0], 7.0)] {
                let p = DVec3::from(p) * k;
                let radius = far * k;
                assert!(point_capsule(p, &axis, radius) && !point_capsule(p, &axis, radius.next_down()));
                let ball = |radius: f64| Sphere { center: p, radius: radius * k };
                assert!(sphere_capsule(&ball(1.0), &axis, (far - 1.0) * k));
                assert!(!sphere_capsule(&ball(1.0f64.next_down()), &axis, (far - 1.0) * k));
                let tip = Segment { a: p, b: p * 3.0 };
                assert!(capsule_capsule(&axis, (far - 1.0) * k, &tip, k));
                assert!(!capsule_capsule(&axis, (far - 1.0) * k, &tip, k.next_down()));
                assert!(
                    capsule_segment(&axis, radius, &tip) && !capsule_segment(&axis, radius.next_down(), &tip)
                );
            }
        }
    }

    #[test]
    fn the_sum_of_the_radii_is_not_rounded() {
        // Axes 1 + 2⁻⁵³ apart would round to 1 as a sum of radii; apart by 1 and its next number they are told apart.
        let axis = segment([0.0, -1.0, 0.0], [0.0, 1.0, 0.0], 1.0);
        let other = |x: f64| segment([x, 0.0, -1.0], [x, 0.0, 1.0], 1.0);
        let tiny = f64::EPSILON / 2.0;
        assert!(capsule_capsule(&axis, 1.0, &other(1.0), 0.0));
        assert!(!capsule_capsule(&axis, 1.0, &other(1.0f64.next_up()), tiny));
        assert!(capsule_capsule(&axis, 1.0, &other(1.0f64.next_up()), f64::EPSILON));
    }

    #[test]
    fn the_shortcut_and_the_exact_way_agree() {
        let mut random = Random::new(31);
        let mut touching = 0;
        for _ in 0..4000 {
            let [a, b, c, d] = random.grid_points(3);
            let (r, s) = (random.whole(-2, 2).abs(), random.whole(-2, 2).abs());
            let exact = squared_distance_of_segments([a, b], [c, d]);
            let sum = Fraction::from(r + s);
            let found = capsule_capsule(&Segment { a, b }, r, &Segment { a: c, b: d }, s);
            assert_eq!(found, exact <= &sum * &sum);
            assert_eq!(found, capsule_capsule(&Segment { a: d, b: c }, s, &Segment { a, b }, r));
            touching += u32::from(exact == &sum * &sum);
        }
        assert!(touching > 30, "{touching}");
    }

    #[test]
    fn half_spaces_are_reached_by_the_lower_end() {
        // The normal (2, 3, 6) is 7 long; the end a is 7 above the plane through the origin.
        let plane = Halfspace { normal: DVec3::new(2.0, 3.0, 6.0), offset: 0.0 };
        let axis = segment([2.0, 3.0, 6.0], [20.0, 30.0, 60.0], 1.0);
        assert!(
            capsule_halfspace(&axis, 7.0, &plane) && !capsule_halfspace(&axis, 7.0f64.next_down(), &plane)
        );
    }

    #[test]
    fn the_nearest_point_is_on_the_surface_towards_the_point() {
        let axis = segment([0.0, 0.0, -4.0], [0.0, 0.0, 4.0], 1.0);
        let found = closest_point_capsule(DVec3::new(6.0, 8.0, 1.0), &axis, 5.0);
        assert!((found.b - DVec3::new(3.0, 4.0, 1.0)).length() < 1e-15 && found.distance() == 5.0);
        let inside = DVec3::new(1.0, 1.0, 6.0);
        assert_eq!(closest_point_capsule(inside, &axis, 5.0).b, inside);
    }

    #[test]
    fn capsules_within_a_tolerance_agree_with_exact_squares() {
        let mut random = Random::new(17);
        for _ in 0..2000 {
            let [a, b, c, d] = random.grid_points(2);
            let (p, q) = (Segment { a, b }, Segment { a: c, b: d });
            let squared = squared_distance_of_segments([a, b], [c, d]);
            let distance = squared.to_f64().sqrt();
            for (r, s) in [(0.0, 0.0), (0.25, 0.0), (0.3 * distance, 0.3 * distance), (1.0, 0.1)] {
                let rest = (distance - r - s).max(0.0);
                for tolerance in [0.0, rest.next_down().max(0.0), rest, rest.next_up()] {
                    let sum = &(&Fraction::from(r) + &Fraction::from(s)) + &Fraction::from(tolerance);
                    let found = capsules_within((&p, r), (&q, s), tolerance);
                    assert_eq!(found, squared <= &sum * &sum);
                    assert_eq!(found, capsules_within((&q, s), (&p, r), tolerance));
                }
            }
        }
    }
}
