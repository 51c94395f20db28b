//! Plane and box.

use glam::DVec3;

use crate::math::Sign;
use crate::pair::nearest::length;
use crate::pair::point_halfspace::side;
use crate::shape::{Aabb, Halfspace, Obb, Plane};

/// Allowance for rounding, as for half-spaces: see [`obb_halfspace`](crate::pair::obb_halfspace).
const SLACK: f64 = 1e-13;

/// On which side of a plane something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// All on the side that the normal points away from, and not touching.
    Below,
    /// On both sides, or touching.
    Across,
    /// All on the side that the normal points to, and not touching.
    Above,
}

/// On which side of the plane the box is: by the two corners at the ends of the diagonal nearest to the normal
/// (Haines and Wallace 1991, "Shaft culling for efficient ray-traced radiosity"). Exact, for boxes with finite ends
/// that are not empty.
pub fn plane_aabb(plane: &Plane, aabb: &Aabb) -> Side {
    let towards = plane.normal.cmpgt(DVec3::ZERO);
    let highest = DVec3::select(towards, aabb.max, aabb.min);
    let lowest = DVec3::select(towards, aabb.min, aabb.max);
    let halfspace = Halfspace { normal: plane.normal, offset: plane.offset };
    if side(lowest, &halfspace) == Sign::Positive {
        Side::Above
    } else if side(highest, &halfspace) == Sign::Negative {
        Side::Below
    } else {
        Side::Across
    }
}

/// On which side of the plane the box is, by the same two corners. `Below` and `Above` are certain as long as the axes
/// are orthonormal within 1e-14; `Across` may be a box apart by up to 1e-12 times its half extents and the distance of
/// its centre and of the plane from the origin. A plane without normal is across everything.
pub fn plane_obb(plane: &Plane, obb: &Obb) -> Side {
    let unit = length(plane.normal);
    if unit == 0.0 {
        return Side::Across;
    }
    let (normal, offset) = (plane.normal / unit, plane.offset / unit);
    let half: f64 = (0..3).map(|i| normal.dot(obb.axes.col(i)).abs() * obb.half[i]).sum();
    let size = obb.center.abs().max_element() + obb.half.max_element() + offset.abs();
    let (height, reach) = (normal.dot(obb.center) - offset, half + SLACK * size);
    if height > reach {
        Side::Above
    } else if height < -reach {
        Side::Below
    } else {
        Side::Across
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn touching_is_across_and_an_ulp_further_is_not() {
        let unit = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
        // x + 2y − 3z has its range from −3, at (0, 0, 1), to 3, at (1, 1, 0).
        let at = |offset: f64| plane_aabb(&Plane { normal: DVec3::new(1.0, 2.0, -3.0), offset }, &unit);
        assert_eq!([at(3.0), at(3.0f64.next_up())], [Side::Across, Side::Below]);
        assert_eq!([at(-3.0), at((-3.0f64).next_down())], [Side::Across, Side::Above]);
        assert_eq!(at(0.0), Side::Across);
    }

    #[test]
    fn all_corners_agree_on_a_grid() {
        let mut random = Random::new(81);
        let mut seen = [0; 3];
        for _ in 0..3000 {
            let [p, q, normal] = random.grid_points(3);
            let plane = Plane { normal, offset: random.whole(-12, 12) };
            let aabb = Aabb::around([p, q]);
            let heights = aabb.corners().map(|c| plane.value(c));
            let expected = if heights.iter().all(|&h| h > 0.0) {
                Side::Above
            } else if heights.iter().all(|&h| h < 0.0) {
                Side::Below
            } else {
                Side::Across
            };
            assert_eq!(plane_aabb(&plane, &aabb), expected);
            seen[expected as usize] += 1;
        }
        assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
    }

    #[test]
    fn turned_boxes_by_their_corners() {
        let mut random = Random::new(82);
        let mut seen = [0; 3];
        for case in 0..3000 {
            let k = f64::powi(10.0, case % 120 - 60);
            let obb = random.obb();
            let plane = Plane { normal: random.point(), offset: random.number() };
            let heights = obb.corners().map(|c| plane.value(c));
            let (low, high) = heights.iter().fold((f64::MAX, f64::MIN), |(l, h), &x| (l.min(x), h.max(x)));
            let expected = match (low > 0.0, high < 0.0) {
                (true, _) => Side::Above,
                (_, true) => Side::Below,
                (false, false) => Side::Across,
            };
            let scaled = Obb { center: obb.center * k, half: obb.half * k, ..obb };
            let found = plane_obb(&Plane { offset: plane.offset * k, ..plane }, &scaled);
            assert!(found == expected || low.abs().min(high.abs()) < 1e-12);
            seen[expected as usize] += 1;
        }
        assert!(seen.iter().all(|&n| n > 300), "{seen:?}");
    }
}
