//! Segment and triangle.

use crate::pair::flat::{as_segment, segment_meets_triangle, segments_meet};
use crate::shape::{Segment, Triangle};

/// Whether the segment and the triangle, boundaries included, have a point in common. Exact, also for segments
/// in the triangle's plane, segments without length and triangles of zero area.
pub fn segment_triangle(segment: &Segment, triangle: &Triangle) -> bool {
    match as_segment(triangle) {
        Some(flat) => segments_meet(segment, &flat),
        None => segment_meets_triangle(segment, triangle),
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::pair::disjoint_segment_triangle_distance;
    use crate::pair::exact_distance::{squared_distance_to_triangle, within};
    use crate::testing::Random;

    const UNIT: Triangle = Triangle { a: DVec3::ZERO, b: DVec3::X, c: DVec3::Y };

    fn standing(x: f64, y: f64, low: f64) -> Segment {
        Segment { a: DVec3::new(x, y, low), b: DVec3::new(x, y, 1.0) }
    }

    #[test]
    fn touching_counts_and_an_ulp_does_not() {
        assert!(segment_triangle(&standing(0.5, 0.5, 0.0), &UNIT), "an end on an edge");
        assert!(segment_triangle(&standing(0.5, 0.5, -1.0), &UNIT), "through an edge");
        assert!(!segment_triangle(&standing(0.5, 0.5f64.next_up(), -1.0), &UNIT));
        assert!(!segment_triangle(&standing(0.2, 0.2, f64::from_bits(1)), &UNIT));
    }

    #[test]
    fn where_they_do_not_meet_no_point_of_one_is_near_the_other() {
        let mut random = Random::new(7);
        let mut hits = 0;
        for _ in 0..4000 {
            let [a, b, c, d, e] = random.grid_points(2);
            let (segment, triangle) = (Segment { a, b }, Triangle { a: c, b: d, c: e });
            let meet = segment_triangle(&segment, &triangle);
            let near = disjoint_segment_triangle_distance(&segment, &triangle).distance() < 1e-9;
            // The line meets the plane inside both: then the boundaries may be apart, but some point is at zero.
            assert!(meet || !near);
            let zero = within(&squared_distance_to_triangle(a, &triangle), 0.0)
                || within(&squared_distance_to_triangle(b, &triangle), 0.0);
            assert!(meet || !zero);
            hits += u32::from(meet);
        }
        assert!(hits > 300);
    }
}
