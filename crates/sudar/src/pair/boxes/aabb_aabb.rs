//! Axis-aligned box and point, axis-aligned box and box.

use glam::DVec3;

use crate::pair::nearest::Nearest;
use crate::shape::Aabb;

/// Whether the boxes have a point in common: if their extents overlap on every axis. Exact; the empty box meets
/// nothing.
#[inline]
pub fn aabb_aabb(first: &Aabb, second: &Aabb) -> bool {
    let overlap = first.min.max(second.min).cmple(first.max.min(second.max)).all();
    overlap && !first.is_empty() && !second.is_empty()
}

/// Whether the point is in the box or on its boundary. Exact.
#[inline]
pub fn point_aabb(p: DVec3, aabb: &Aabb) -> bool {
    aabb.contains(p)
}

/// Whether two points are the same. Exact; the two zeros are equal.
#[inline]
pub fn point_point(p: DVec3, q: DVec3) -> bool {
    p == q
}

/// The point of the box nearest to `p` (`a` of the answer is `p`), exact. The box must not be empty; its ends may
/// be infinite.
#[inline]
pub fn closest_point_aabb(p: DVec3, aabb: &Aabb) -> Nearest {
    Nearest::between(p, p.max(aabb.min).min(aabb.max))
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Aabb = Aabb { min: DVec3::ZERO, max: DVec3::ONE };

    #[test]
    fn boxes_that_share_a_face_an_edge_or_a_corner_touch() {
        for (x, y, z) in [(1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (0.5, -0.5, 0.0)] {
            let by = DVec3::new(x, y, z);
            let other = Aabb { min: UNIT.min + by, max: UNIT.max + by };
            assert!(aabb_aabb(&UNIT, &other) && aabb_aabb(&other, &UNIT));
        }
        let apart = Aabb { min: DVec3::new(1.0f64.next_up(), 0.0, 0.0), max: DVec3::splat(2.0) };
        assert!(!aabb_aabb(&UNIT, &apart) && !aabb_aabb(&apart, &UNIT));
        assert!(!aabb_aabb(&UNIT, &Aabb::EMPTY) && !aabb_aabb(&Aabb::EMPTY, &Aabb::EMPTY));
        let upside_down = Aabb { min: DVec3::splat(0.75), max: DVec3::splat(0.25) };
        assert!(!aabb_aabb(&UNIT, &upside_down));
    }

    #[test]
    fn the_nearest_point_of_a_box_is_the_clamped_one() {
        let found = closest_point_aabb(DVec3::new(-2.0, 0.5, 4.0), &UNIT);
        assert_eq!((found.b, found.distance_squared), (DVec3::new(0.0, 0.5, 1.0), 13.0));
        assert_eq!(closest_point_aabb(DVec3::splat(0.5), &UNIT).distance(), 0.0);
        assert!(point_aabb(DVec3::ONE, &UNIT) && !point_aabb(DVec3::splat(1.0f64.next_up()), &UNIT));
    }
}
