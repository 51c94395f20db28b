//! Point and plane.

use glam::DVec3;

use super::nearest::{Nearest, length};
use crate::shape::Plane;

/// The foot of the perpendicular from `p` on the plane (`a` of the answer is `p`), off by a few ulp of the
/// coordinates and of the plane's distance from the origin. A plane without normal leaves `p` where it is.
///
/// ```
/// use sudar::pair::closest_point_plane;
/// use sudar::DVec3;
/// use sudar::shape::Plane;
///
/// let ceiling = Plane { normal: DVec3::Z, offset: 3.0 };
/// assert_eq!(closest_point_plane(DVec3::new(1.0, 2.0, 5.0), &ceiling).b, DVec3::new(1.0, 2.0, 3.0));
/// ```
pub fn closest_point_plane(p: DVec3, plane: &Plane) -> Nearest {
    let unit = length(plane.normal);
    if unit == 0.0 {
        return Nearest::between(p, p);
    }
    let normal = plane.normal / unit;
    Nearest::between(p, p - normal * (normal.dot(p) - plane.offset / unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_foot_is_the_same_from_both_sides_and_for_any_length_of_the_normal() {
        // 2x + 3y + 6z = 49 holds at (2, 3, 6), 7 from the origin.
        for k in [1.0, -1.0, 1e-80, 1e80] {
            let plane = Plane { normal: DVec3::new(2.0, 3.0, 6.0) * k, offset: 49.0 * k };
            let foot = DVec3::new(2.0, 3.0, 6.0);
            for p in [DVec3::ZERO, foot * 2.0] {
                let found = closest_point_plane(p, &plane);
                assert!((found.b - foot).length() < 1e-14 && (found.distance() - 7.0).abs() < 1e-14);
            }
        }
        let none = Plane { normal: DVec3::ZERO, offset: 0.0 };
        assert_eq!(closest_point_plane(DVec3::ONE, &none).b, DVec3::ONE);
    }
}
