//! Cylinder, cone or ellipsoid and half-space, in the frame of the body: how high is its lowest point?
//!
//! Heights are square roots in general, so they come as intervals: `lower > 0` means surely apart, `upper ≤ 0` surely
//! touching, and in between, a few 1e-16 of the sizes wide, it is hidden by rounding.

use glam::DVec3;

use super::nearest::length;
use crate::math::Interval;
use crate::shape::{Cone, Cylinder, Ellipsoid, Halfspace};

/// How high above the plane of the half-space the lowest point of the cylinder is; negative if it reaches in, by that
/// depth. The interval surely holds the true height and is some 1e-15 of the sizes and the plane's distance wide.
pub fn cylinder_halfspace(cylinder: &Cylinder, halfspace: &Halfspace) -> Interval {
    let plane = Unit::new(halfspace);
    let support = cylinder.radius * across(plane.normal) + cylinder.half_length * plane.normal.z.abs();
    plane.height(support, cylinder.radius + cylinder.half_length)
}

/// The same for the cone.
pub fn cone_halfspace(cone: &Cone, halfspace: &Halfspace) -> Interval {
    let plane = Unit::new(halfspace);
    // The farthest against the normal: the apex at +z, or a point of the rim.
    let apex = -cone.half_length * plane.normal.z;
    let rim = cone.radius * across(plane.normal) + cone.half_length * plane.normal.z;
    plane.height(apex.max(rim), cone.radius + cone.half_length)
}

/// The same for the ellipsoid: its support is the length of the normal with each coordinate times the semi-axis.
pub fn ellipsoid_halfspace(ellipsoid: &Ellipsoid, halfspace: &Halfspace) -> Interval {
    let plane = Unit::new(halfspace);
    plane.height(length(plane.normal * ellipsoid.radii), ellipsoid.radii.max_element())
}

fn across(normal: DVec3) -> f64 {
    length(DVec3::new(normal.x, normal.y, 0.0))
}

/// The plane with a normal of unit length.
struct Unit {
    normal: DVec3,
    offset: f64,
}

impl Unit {
    fn new(halfspace: &Halfspace) -> Self {
        let size = length(halfspace.normal);
        Self { normal: halfspace.normal / size, offset: halfspace.offset / size }
    }

    /// The height of the lowest point, `support` below the origin, of a body no larger than `reach`.
    ///
    /// The normal and the offset are off by four ε, with ε = 2⁻⁵² for two roundings; a support by those of the normal,
    /// three of a length and two of product and sum; the difference by half of one. That is less than 16 in all.
    fn height(&self, support: f64, reach: f64) -> Interval {
        let doubt = 16.0 * f64::EPSILON * (self.offset.abs() + reach) + f64::MIN_POSITIVE;
        Interval::point(-self.offset - support).widened(doubt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sure(found: Interval, expected: f64, scale: f64) {
        assert!(found.contains(expected) && found.width() < 1e-13 * scale, "{found:?} {expected}");
    }

    #[test]
    fn lowest_points_of_all_three() {
        for k in [-200, 0, 200].map(|e| f64::powi(2.0, e)) {
            // The normal (0, 3, 4)/5, of some length; the plane is 10 below the origin.
            let plane = Halfspace { normal: DVec3::new(0.0, 3.0, 4.0) * 0.1, offset: -5.0 * k };
            // 5·(3/5) + 2·(4/5) = 4.6 below the origin; the cone's rim reaches (5·3 + 2·4)/5 as low.
            let cylinder = Cylinder { radius: 5.0 * k, half_length: 2.0 * k };
            sure(cylinder_halfspace(&cylinder, &plane), 5.4 * k, 10.0 * k);
            let cone = Cone { radius: 5.0 * k, half_length: 2.0 * k };
            sure(cone_halfspace(&cone, &plane), 5.4 * k, 10.0 * k);
            // Upside down the rim reaches (15 − 8)/5 = 1.4, the apex 1.6.
            let turned = Halfspace { normal: -plane.normal, ..plane };
            sure(cone_halfspace(&cone, &turned), 8.4 * k, 10.0 * k);
            // √((5·3/5)² + (5·4/5)²) = 5.
            let ellipsoid = Ellipsoid { radii: DVec3::new(1.0, 5.0, 5.0) * k };
            sure(ellipsoid_halfspace(&ellipsoid, &plane), 5.0 * k, 10.0 * k);
            // √((20·3/5)² + (6.25·4/5)²) = √(144 + 25) = 13: 3 deep.
            let ellipsoid = Ellipsoid { radii: DVec3::new(1.0, 20.0, 6.25) * k };
            sure(ellipsoid_halfspace(&ellipsoid, &plane), -3.0 * k, 30.0 * k);
        }
    }
}
