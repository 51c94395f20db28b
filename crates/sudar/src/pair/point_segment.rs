//! Point and segment.

use glam::DVec3;

use super::nearest::{Nearest, locally};
use crate::shape::{Aabb, Segment, collinear};

/// The point of the segment nearest to `p` (`a` of the answer is `p`).
///
/// The foot of the perpendicular from `p`, or the end it falls beyond; the end itself, to the bit, in that case.
/// Off the true one by at most a few ulp of the largest coordinate difference; no cancellation makes it worse.
pub fn closest_point_segment(p: DVec3, segment: &Segment) -> Nearest {
    locally([p, segment.a, segment.b], |[p, a, b]| Nearest::between(p, foot_on_segment(p, a, b)))
}

/// Whether the point lies on the segment. Exact.
pub fn point_segment(p: DVec3, segment: &Segment) -> bool {
    Aabb::around([segment.a, segment.b]).contains(p) && collinear(segment.a, segment.b, p)
}

/// The point of the segment `a`–`b` nearest to `p`, for coordinates of moderate size.
#[inline]
pub(crate) fn foot_on_segment(p: DVec3, a: DVec3, b: DVec3) -> DVec3 {
    let along = b - a;
    let length_squared = along.length_squared();
    let t = along.dot(p - a);
    if t <= 0.0 || length_squared == 0.0 {
        a
    } else if t >= length_squared {
        b
    } else {
        a + along * (t / length_squared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment() -> Segment {
        Segment { a: DVec3::new(1.0, 1.0, 0.0), b: DVec3::new(5.0, 1.0, 0.0) }
    }

    #[test]
    fn the_foot_lies_between_or_at_the_ends() {
        let foot = |x, y| closest_point_segment(DVec3::new(x, y, 0.0), &segment());
        assert_eq!(foot(2.0, 4.0).b, DVec3::new(2.0, 1.0, 0.0));
        assert_eq!(foot(2.0, 4.0).distance_squared, 9.0);
        // (0, 0) is one left of and one below the first end; (8, 5) is 3 right of and 4 above the second.
        assert_eq!(foot(0.0, 0.0).b, segment().a);
        assert_eq!(foot(0.0, 0.0).distance_squared, 2.0);
        assert_eq!(foot(8.0, 5.0).b, segment().b);
        assert_eq!(foot(8.0, 5.0).distance(), 5.0);
    }

    #[test]
    fn a_segment_without_length_is_a_point() {
        let point = Segment { a: DVec3::ONE, b: DVec3::ONE };
        assert_eq!(closest_point_segment(DVec3::ZERO, &point).distance_squared, 3.0);
        assert!(point_segment(DVec3::ONE, &point));
        assert!(!point_segment(DVec3::new(1.0, 1.0, 1.0f64.next_up()), &point));
    }

    #[test]
    fn scale_does_not_matter() {
        let p = DVec3::new(2.0, 4.0, 0.0);
        for exponent in [-290, -200, -60, 60, 200, 290] {
            let k = f64::powi(2.0, exponent);
            let scaled = Segment { a: segment().a * k, b: segment().b * k };
            let found = closest_point_segment(p * k, &scaled);
            assert_eq!(found.b, DVec3::new(2.0, 1.0, 0.0) * k);
            assert_eq!(found.distance_squared, 9.0 * k * k);
            assert!(point_segment(found.b, &scaled) && !point_segment(p * k, &scaled));
        }
    }

    #[test]
    fn one_ulp_off_the_segment_is_off() {
        // 0.1·(1, 2, 3)·2 is exact doubling, hence collinear; 3 × 0.1 rounds, and the point is beside the line.
        let b = DVec3::new(0.1, 0.2, 0.3) * 2.0;
        let s = Segment { a: DVec3::ZERO, b };
        assert!(point_segment(b * 0.5, &s));
        assert!(!point_segment(DVec3::new((b.x * 0.5).next_up(), b.y * 0.5, b.z * 0.5), &s));
        assert!(!point_segment(b * 2.0, &s), "beyond the end");
    }
}
