//! Point and cylinder, cone, ellipsoid, in the frame of the body: is it inside?

use glam::DVec3;

use super::exact_distance::compare_squares;
use crate::math::Rational;
use crate::math::exact::rational;
use crate::shape::{Cone, Cylinder, Ellipsoid};

/// Whether the point is in the cylinder or on its surface. Exact.
pub fn point_cylinder(p: DVec3, cylinder: &Cylinder) -> bool {
    let r = cylinder.radius;
    p.z.abs() <= cylinder.half_length
        && compare_squares(p.x * p.x + p.y * p.y, r * r).unwrap_or_else(|| {
            let r = rational(r);
            across_squared(p) <= &r * &r
        })
}

/// Whether the point is in the cone or on its surface. Exact.
pub fn point_cone(p: DVec3, cone: &Cone) -> bool {
    let (r, h) = (cone.radius, cone.half_length);
    if p.z.abs() > h {
        return false;
    }
    // √(x² + y²)·2h ≤ r·(h − z): each side is squared, and off by five roundings at most.
    let below = r * (h - p.z);
    compare_squares((p.x * p.x + p.y * p.y) * (4.0 * h * h), below * below).unwrap_or_else(|| {
        let (r, h) = (rational(r), rational(h));
        let below = r * (&h - rational(p.z));
        across_squared(p) * &h * &h * rational(4.0) <= &below * &below
    })
}

/// Whether the point is in the ellipsoid or on its surface. Exact.
pub fn point_ellipsoid(p: DVec3, ellipsoid: &Ellipsoid) -> bool {
    let radii = ellipsoid.radii;
    // Quotients are off by one rounding, their squares by three, the sum by five.
    compare_squares((p / radii).length_squared(), 1.0).unwrap_or_else(|| {
        let square = |axis: usize| {
            let share = rational(p[axis]) / rational(radii[axis]);
            &share * &share
        };
        square(0) + square(1) + square(2) <= rational(1.0)
    })
}

/// `x² + y²`. Exact.
fn across_squared(p: DVec3) -> Rational {
    let (x, y) = (rational(p.x), rational(p.y));
    &x * &x + &y * &y
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALES: [i32; 5] = [-260, -60, 0, 60, 260];

    #[test]
    fn the_wall_and_the_caps_of_a_cylinder_belong_to_it_to_the_last_bit() {
        for k in SCALES.map(|e| f64::powi(2.0, e)) {
            let c = Cylinder { radius: 5.0 * k, half_length: 2.0 * k };
            // 3² + 4² = 5²
            let inside = |x: f64, y: f64, z: f64| point_cylinder(DVec3::new(x, y, z) * k, &c);
            assert!(inside(3.0, -4.0, 2.0) && inside(-5.0, 0.0, -2.0));
            assert!(!inside(3.0f64.next_up(), -4.0, 2.0) && !inside(0.0, 0.0, 2.0f64.next_up()));
            assert!(!inside(3.0, 4.0f64.next_up(), 0.0));
        }
    }

    #[test]
    fn the_slope_and_the_apex_of_a_cone_belong_to_it_to_the_last_bit() {
        for k in SCALES.map(|e| f64::powi(2.0, e)) {
            let c = Cone { radius: 10.0 * k, half_length: 8.0 * k };
            // Half way up, at z = 0, the radius is 5.
            let inside = |x: f64, y: f64, z: f64| point_cone(DVec3::new(x, y, z) * k, &c);
            assert!(inside(3.0, 4.0, 0.0) && inside(0.0, 0.0, 8.0) && inside(6.0, -8.0, -8.0));
            assert!(!inside(3.0f64.next_up(), 4.0, 0.0) && !inside(3.0, 4.0, f64::EPSILON));
            assert!(!inside(0.0, 0.0, 8.0f64.next_up()) && !inside(0.0, 1e-200, 8.0));
            assert!(!inside(6.0, -8.0, (-8.0f64).next_down()));
        }
    }

    #[test]
    fn the_surface_of_an_ellipsoid_belongs_to_it_to_the_last_bit() {
        for k in SCALES.map(|e| f64::powi(2.0, e)) {
            let e = Ellipsoid { radii: DVec3::new(7.0, 14.0, 3.5) * k };
            // (2/7)² + (6/14)² + (3/3.5)² = (2² + 3² + 6²)/7² = 1
            let inside = |x: f64, y: f64, z: f64| point_ellipsoid(DVec3::new(x, y, z) * k, &e);
            assert!(
                inside(2.0, 6.0, 3.0)
                    && !inside(2.0, 6.0f64.next_up(), 3.0)
                    && !inside(2.0, 6.0, 3.0f64.next_up())
            );
            assert!(inside(7.0, 0.0, 0.0) && !inside(7.0, 1e-200, 0.0));
        }
    }

    #[test]
    fn sizes_far_apart_are_no_obstacle() {
        let needle = Cylinder { radius: 1e-80, half_length: 1e80 };
        assert!(point_cylinder(DVec3::new(1e-80, 0.0, 1e80), &needle));
        assert!(!point_cylinder(DVec3::new(1e-80, 1e-90, 0.0), &needle));
        let spike = Cone { radius: 1e-80, half_length: 1e80 };
        assert!(
            point_cone(DVec3::new(5e-81, 0.0, 0.0), &spike)
                && !point_cone(DVec3::new(5e-81, 1e-96, 0.0), &spike)
        );
        let leaf = Ellipsoid { radii: DVec3::new(1e80, 1e-80, 1.0) };
        assert!(point_ellipsoid(DVec3::new(1e80, 0.0, 0.0), &leaf));
        assert!(!point_ellipsoid(DVec3::new(1e80, 1e-200, 0.0), &leaf));
    }
}
