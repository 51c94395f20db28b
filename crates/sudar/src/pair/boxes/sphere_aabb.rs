//! Ball and axis-aligned box.

use glam::DVec3;

use crate::math::Fraction;
use crate::pair::exact_distance::{compare_squares, within};
use crate::shape::{Aabb, Sphere};

/// Whether the ball and the box have a point in common. Exact.
///
/// The squared distance from the centre to the box is the sum over the axes on which the centre lies outside
/// (Arvo 1990, "A simple method for box–sphere intersection testing").
pub fn sphere_aabb(sphere: &Sphere, aabb: &Aabb) -> bool {
    if aabb.is_empty() {
        return false;
    }
    let (c, radius) = (sphere.center, sphere.radius);
    let outside = (aabb.min - c).max(c - aabb.max).max(DVec3::ZERO);
    compare_squares(outside.length_squared(), radius * radius)
        .unwrap_or_else(|| within(&squared_distance_to_box(c, aabb), radius))
}

/// The squared distance from `p` to a box that is not empty. Exact.
pub fn squared_distance_to_box(p: DVec3, aabb: &Aabb) -> Fraction {
    let outside = |axis: usize| {
        let nearest = p[axis].clamp(aabb.min[axis], aabb.max[axis]);
        &Fraction::from(p[axis]) - &Fraction::from(nearest)
    };
    let [x, y, z] = [0, 1, 2].map(outside).map(|x| &x * &x);
    &(&x + &y) + &z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kissing_at_a_face_an_edge_and_a_corner_is_touching() {
        // 5 off a face; (3, 4) off an edge; (2, 3, 6) off a corner of the cube of half edge 1 around the origin.
        let cases = [([6.0, 0.5, 0.5], 5.0), ([4.0, -5.0, 0.5], 5.0), ([-3.0, 4.0, 7.0], 7.0)];
        for (center, radius) in cases {
            for exponent in [-200, -60, 0, 60, 200] {
                let k = f64::powi(2.0, exponent);
                let cube = Aabb { min: DVec3::splat(-k), max: DVec3::splat(k) };
                let ball = |radius: f64| Sphere { center: DVec3::from(center) * k, radius: radius * k };
                assert!(sphere_aabb(&ball(radius), &cube));
                assert!(!sphere_aabb(&ball(radius.next_down()), &cube));
            }
        }
    }

    #[test]
    fn a_ball_inside_touches_and_nothing_touches_the_empty_box() {
        let ball = Sphere { center: DVec3::ZERO, radius: 1e-300 };
        assert!(sphere_aabb(&ball, &Aabb { min: DVec3::NEG_ONE, max: DVec3::ONE }));
        assert!(sphere_aabb(&ball, &Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY }));
        assert!(!sphere_aabb(&ball, &Aabb::EMPTY));
    }
}
