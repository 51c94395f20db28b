//! Ball and half-space.

use num_traits::Signed;

use super::nearest::length;
use super::point_halfspace::{exact_height, height, point_halfspace};
use crate::math::exact::rational;
use crate::math::{Rational, RationalVec3};
use crate::shape::{Halfspace, Sphere};

/// Whether the ball and the half-space have a point in common: if the centre is above the plane by at most the
/// radius, `normal·c − offset ≤ r·|normal|`. Exact.
pub fn sphere_halfspace(sphere: &Sphere, halfspace: &Halfspace) -> bool {
    sphere_halfspace_within(sphere, halfspace, 0.0)
}

/// Whether the ball, or the point that it is without radius, and the half-space are at most `tolerance ≥ 0`
/// apart. Exact, and the sum of radius and tolerance is not rounded.
pub fn sphere_halfspace_within(sphere: &Sphere, halfspace: &Halfspace, tolerance: f64) -> bool {
    if point_halfspace(sphere.center, halfspace) {
        return true;
    }
    // The height is right to 1e-6; a ball that misses or reaches by more than that needs no exact arithmetic.
    let (height, reach) =
        (height(sphere.center, halfspace), (sphere.radius + tolerance) * length(halfspace.normal));
    if (height - reach).abs() > 1e-5 * height + f64::MIN_POSITIVE {
        return height < reach;
    }
    reaches_exactly(sphere, halfspace, tolerance)
}

fn reaches_exactly(sphere: &Sphere, halfspace: &Halfspace, tolerance: f64) -> bool {
    let height = exact_height(sphere.center, halfspace);
    let (normal, reach): (_, Rational) =
        (RationalVec3::from(halfspace.normal), rational(sphere.radius) + rational(tolerance));
    !height.is_positive() || &height * &height <= normal.dot(&normal) * &reach * &reach
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn a_ball_resting_on_the_plane_touches_it_at_every_scale() {
        // The centre is 7 above the plane through the origin with normal (2, 3, 6), of length 7: at the normal itself.
        for exponent in [-100, -60, 0, 60, 100] {
            let k = f64::powi(2.0, exponent);
            let slope = Halfspace { normal: DVec3::new(2.0, 3.0, 6.0) * k, offset: 0.0 };
            let ball = |radius: f64| Sphere { center: DVec3::new(2.0, 3.0, 6.0) * k, radius: radius * k };
            assert!(sphere_halfspace(&ball(7.0), &slope));
            assert!(!sphere_halfspace(&ball(7.0f64.next_down()), &slope));
            let turned = Halfspace { normal: -slope.normal, offset: 0.0 };
            assert!(sphere_halfspace(&ball(1e-9), &turned), "the centre is inside");
        }
    }

    #[test]
    fn a_tolerance_is_added_without_rounding() {
        // 7 above the plane, as above: a radius of 3 and a tolerance of 4.
        let halfspace = Halfspace { normal: DVec3::new(2.0, 3.0, 6.0), offset: 0.0 };
        let ball = |radius: f64| Sphere { center: DVec3::new(2.0, 3.0, 6.0), radius };
        assert!(sphere_halfspace_within(&ball(3.0), &halfspace, 4.0));
        assert!(!sphere_halfspace_within(&ball(3.0), &halfspace, 4.0f64.next_down()));
        assert!(!sphere_halfspace_within(&ball(3.0f64.next_down()), &halfspace, 4.0));
        assert!(sphere_halfspace_within(&ball(0.0), &halfspace, 7.0));
        assert!(!sphere_halfspace_within(&ball(7.0f64.next_down()), &halfspace, f64::powi(2.0, -60)));
    }
}
