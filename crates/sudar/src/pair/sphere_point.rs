//! Ball and point.

use glam::DVec3;

use super::exact_distance::{compare_squares, within};
use super::nearest::{Nearest, length};
use crate::math::FractionVec3;
use crate::shape::Sphere;

/// Whether the point is inside the ball or on its surface. Exact.
pub fn sphere_point(sphere: &Sphere, p: DVec3) -> bool {
    let offset = p - sphere.center;
    compare_squares(offset.length_squared(), sphere.radius * sphere.radius).unwrap_or_else(|| {
        let offset = &FractionVec3::from(p) - &FractionVec3::from(sphere.center);
        within(&offset.dot(&offset), sphere.radius)
    })
}

/// The point of the ball nearest to `p` (`a` of the answer is `p`): `p` itself if inside, else the point of the
/// surface towards `p`, off by a few ulp of the coordinates.
///
/// ```
/// use sudar::pair::closest_point_sphere;
/// use sudar::{DVec3, Sphere};
///
/// let ball = Sphere::new(DVec3::ZERO, 1.0)?;
/// assert_eq!(closest_point_sphere(DVec3::X * 3.0, &ball).b, DVec3::X);
/// # Ok::<(), sudar::shape::ShapeError>(())
/// ```
pub fn closest_point_sphere(p: DVec3, sphere: &Sphere) -> Nearest {
    if sphere_point(sphere, p) {
        return Nearest::between(p, p);
    }
    let offset = p - sphere.center;
    Nearest::between(p, sphere.center + offset * (sphere.radius / length(offset)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_surface_belongs_to_the_ball_to_the_last_bit() {
        // 2² + 3² + 6² = 7²
        let ball = Sphere { center: DVec3::ONE, radius: 7.0 };
        assert!(sphere_point(&ball, DVec3::new(3.0, 4.0, 7.0)));
        assert!(!sphere_point(&ball, DVec3::new(3.0, 4.0, 7.0f64.next_up())));
        assert!(!sphere_point(&Sphere { radius: 7.0f64.next_down(), ..ball }, DVec3::new(3.0, 4.0, 7.0)));
        for exponent in [-290, -200, 200, 290] {
            let k = f64::powi(2.0, exponent);
            let ball = Sphere { center: DVec3::ZERO, radius: 7.0 * k };
            assert!(sphere_point(&ball, DVec3::new(2.0, 3.0, 6.0) * k));
            assert!(!sphere_point(&ball, DVec3::new(2.0, 3.0, 6.0f64.next_up()) * k));
        }
    }

    #[test]
    fn the_nearest_point_is_on_the_way_to_the_centre() {
        let ball = Sphere { center: DVec3::ZERO, radius: 5.0 };
        let found = closest_point_sphere(DVec3::new(6.0, 8.0, 0.0), &ball);
        assert!((found.b - DVec3::new(3.0, 4.0, 0.0)).length() < 1e-15);
        assert_eq!(closest_point_sphere(DVec3::X, &ball).distance(), 0.0);
    }
}
