//! Segment and segment.

use glam::DVec3;

use super::flat::segments_meet;
use super::nearest::{Nearest, in_order, locally};
use super::point_segment::foot_on_segment;
use crate::shape::Segment;

/// Squared sine of the angle below which the ends of two segments are compared besides the common perpendicular:
/// it may be so far off there that it seems to lie beside the segments.
const NEARLY_PARALLEL: f64 = 1e-12;

/// The nearest points of two segments.
///
/// The common perpendicular of the lines where it meets both segments, else an end and the nearest point of the
/// other segment (Lumelsky 1985, "On fast computation of distance between line segments"). Parallel segments and
/// ones without length need no exception; of equally near points of parallel segments an end is taken. Swapping
/// the segments swaps the points, to the bit.
///
/// The distance is right within a few ulp of the largest coordinate difference, at any angle; the points are so
/// within that divided by the sine of the angle.
pub fn closest_points_segments(first: &Segment, second: &Segment) -> Nearest {
    let (p, q) = ([first.a, first.b], [second.a, second.b]);
    if in_order(p, q) {
        nearest([p[0], p[1], q[0], q[1]])
    } else {
        nearest([q[0], q[1], p[0], p[1]]).swapped()
    }
}

/// Whether the segments have a point in common. Exact.
pub fn segment_segment(first: &Segment, second: &Segment) -> bool {
    segments_meet(first, second)
}

fn nearest(points: [DVec3; 4]) -> Nearest {
    locally(points, |[a, b, c, d]| segments_nearest([a, b], [c, d]))
}

/// The nearest points of two segments given by their ends, for coordinates of moderate size.
pub(super) fn segments_nearest([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> Nearest {
    let (u, v) = (b - a, d - c);
    let (uu, vv) = (u.length_squared(), v.length_squared());
    if uu == 0.0 || vv == 0.0 {
        return nearest_of_ends([a, b], [c, d]);
    }
    // Not by the normal equations, whose solution is off by ε/θ² at a small angle θ, but by triple products: off by
    // ε/θ along lines that part by θ, hence by ε in distance.
    let normal = u.cross(v);
    let determinant = normal.length_squared();
    let s =
        if determinant > 0.0 { (normal.dot((c - a).cross(v)) / determinant).clamp(0.0, 1.0) } else { 0.0 };
    let on_second = foot_on_segment(a + u * s, c, d);
    let found = Nearest::between(foot_on_segment(on_second, a, b), on_second);
    if determinant > NEARLY_PARALLEL * uu * vv {
        return found;
    }
    nearest_of_ends([a, b], [c, d]).or_closer(found)
}

/// The nearest of the four pairs of an end of one segment and the point nearest to it on the other.
fn nearest_of_ends([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> Nearest {
    Nearest::between(a, foot_on_segment(a, c, d))
        .or_closer(Nearest::between(b, foot_on_segment(b, c, d)))
        .or_closer(Nearest::between(foot_on_segment(c, a, b), c))
        .or_closer(Nearest::between(foot_on_segment(d, a, b), d))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::exact_distance::squared_distance_of_segments;
    use crate::testing::Random;

    fn segment(a: [f64; 3], b: [f64; 3]) -> Segment {
        Segment { a: a.into(), b: b.into() }
    }

    #[test]
    fn crossing_skew_and_parallel_segments() {
        let x = segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
        // Crossing in the middle; the same one higher; parallel one higher, shifted by 0.5; far along the line.
        let cases = [
            (segment([0.0, -1.0, 0.0], [0.0, 1.0, 0.0]), 0.0),
            (segment([0.0, -1.0, 1.0], [0.0, 1.0, 1.0]), 1.0),
            (segment([-0.5, 0.0, 1.0], [1.5, 0.0, 1.0]), 1.0),
            (segment([4.0, 4.0, 0.0], [4.0, 6.0, 0.0]), 25.0),
            (segment([3.0, 0.0, 0.0], [9.0, 0.0, 0.0]), 4.0),
        ];
        for (other, squared) in cases {
            let found = closest_points_segments(&x, &other);
            assert_eq!(found.distance_squared, squared);
            assert_eq!(closest_points_segments(&other, &x), found.swapped());
            assert_eq!(segment_segment(&x, &other), squared == 0.0);
        }
    }

    #[test]
    fn segments_without_length_are_points() {
        let point = segment([0.5, 3.0, 4.0], [0.5, 3.0, 4.0]);
        let x = segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
        assert_eq!(closest_points_segments(&point, &x).distance(), 5.0);
        assert_eq!(closest_points_segments(&x, &point).distance(), 5.0);
        assert_eq!(closest_points_segments(&point, &point).distance(), 0.0);
        assert!(segment_segment(&point, &point) && !segment_segment(&x, &point));
    }

    #[test]
    fn alternating_projection_finds_nothing_closer() {
        let mut random = Random::new(2);
        for i in 0..2000 {
            let [a, b, c, mut d] = random.points();
            if i % 2 == 0 {
                d = c + (b - a) + random.point() * f64::powi(10.0, -(i % 13));
            }
            let (first, second) = (Segment { a, b }, Segment { a: c, b: d });
            let found = closest_points_segments(&first, &second).distance();
            let mut best = f64::INFINITY;
            for start in 0..=8 {
                let mut p = first.at(f64::from(start) / 8.0);
                for _ in 0..100 {
                    p = foot_on_segment(foot_on_segment(p, c, d), a, b);
                }
                best = best.min(p.distance(foot_on_segment(p, c, d)));
            }
            assert!(found <= best + 1e-12, "{found} {best} in case {i}");
        }
    }

    #[test]
    fn the_exact_distance_agrees_at_any_angle_and_gap() {
        let mut random = Random::new(20);
        for case in 0..4000 {
            // Two lines through near points at a small angle, cut at random.
            let (u, center) = (random.point(), random.point());
            let v = u + random.point() * f64::powi(10.0, -(case % 18));
            let other = center + random.point() * f64::powi(10.0, -(case / 18 % 17));
            let first = [center - u * random.number(), center + u * random.number().abs()];
            let second = [other - v * random.number(), other + v * random.number().abs()];
            let found = closest_points_segments(
                &Segment { a: first[0], b: first[1] },
                &Segment { a: second[0], b: second[1] },
            );
            let exact = squared_distance_of_segments(first, second).to_f64().sqrt();
            assert!((found.distance() - exact).abs() < 5e-15, "{} {exact} in case {case}", found.distance());
        }
    }

    #[test]
    fn intersection_agrees_with_the_distance_on_a_grid() {
        let mut random = Random::new(3);
        let mut hits = 0;
        for _ in 0..20_000 {
            let [a, b, c, d] = random.grid_points(2);
            let (first, second) = (Segment { a, b }, Segment { a: c, b: d });
            let touch = segment_segment(&first, &second);
            // Distances on this grid are zero or at least 1/(2·√48·√48) or so.
            assert_eq!(touch, closest_points_segments(&first, &second).distance() < 1e-6);
            assert_eq!(touch, segment_segment(&second, &first));
            hits += u32::from(touch);
        }
        assert!(hits > 500, "{hits}");
    }

    #[test]
    fn one_ulp_apart_is_apart_at_every_scale() {
        for exponent in [-200, -60, 0, 60, 200] {
            let k = f64::powi(2.0, exponent);
            let x = segment([-k, 0.0, 0.0], [k, 0.0, 0.0]);
            let standing = |z: f64| segment([0.5 * k, 0.0, z * k], [0.5 * k, 0.0, 2.0 * k]);
            assert!(segment_segment(&x, &standing(0.0)));
            assert!(!segment_segment(&x, &standing(f64::EPSILON)));
            assert_eq!(closest_points_segments(&x, &standing(1.0)).distance_squared, k * k);
        }
    }
}
