//! Ball and ball.

use super::exact_distance::compare_squares;
use crate::math::RationalVec3;
use crate::math::exact::rational;
use crate::shape::Sphere;

/// Whether the balls have a point in common: `|c₁ − c₂| ≤ r₁ + r₂`. Exact.
#[inline]
pub fn sphere_sphere(first: &Sphere, second: &Sphere) -> bool {
    let reach = first.radius + second.radius;
    let apart = (first.center - second.center).length_squared();
    compare_squares(apart, reach * reach).unwrap_or_else(|| exactly(first, second))
}

#[cold]
fn exactly(first: &Sphere, second: &Sphere) -> bool {
    let reach = rational(first.radius) + rational(second.radius);
    let offset = &RationalVec3::from(first.center) - &RationalVec3::from(second.center);
    offset.dot(&offset) <= &reach * &reach
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn kissing_balls_touch_and_an_ulp_parts_them_at_every_scale() {
        // Centres 7 apart along (2, 3, 6), radii 3 and 4.
        for exponent in [-200, -60, 0, 60, 200] {
            let k = f64::powi(2.0, exponent);
            let small = Sphere { center: DVec3::ZERO, radius: 3.0 * k };
            let large = |radius: f64| Sphere { center: DVec3::new(2.0, 3.0, 6.0) * k, radius: radius * k };
            assert!(sphere_sphere(&small, &large(4.0)) && sphere_sphere(&large(4.0), &small));
            let less = 4.0f64.next_down();
            assert!(!sphere_sphere(&small, &large(less)) && !sphere_sphere(&large(less), &small));
        }
    }

    #[test]
    fn the_sum_of_radii_is_not_rounded() {
        // 1 + 2⁻⁶⁰ rounds to 1, but the balls are 1 + 2⁻⁵² apart.
        let unit = Sphere { center: DVec3::ZERO, radius: 1.0 };
        let tiny = |radius| Sphere { center: DVec3::X * 1.0f64.next_up(), radius };
        assert!(!sphere_sphere(&unit, &tiny(f64::powi(2.0, -60))));
        assert!(sphere_sphere(&unit, &tiny(f64::powi(2.0, -52))));
    }
}
