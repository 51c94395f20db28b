//! Two balls at constant velocities.

use glam::DVec3;

use crate::pair::ray_sphere;
use crate::shape::{Ray, Sphere};

/// The first time from 0 to `until` at which two balls touch that move at constant velocities; 0 if they overlap at the beginning.
///
/// As seen from the first ball the centre of the second is a ray, and the balls touch where it enters the ball whose radius is the sum of
/// both (Huotari 2011, chapter 6.1). Accurate to a few ulp, near tangents to eleven digits; for an interval with proof ask
/// [`sweep`](fn@crate::query::sweep).
///
/// ```
/// use sudar::motion::moving_spheres;
/// use sudar::{DVec3, Sphere};
///
/// let ball = |x| Sphere::new(DVec3::X * x, 1.0);
/// let time = moving_spheres(&ball(0.0)?, DVec3::X, &ball(5.0)?, -DVec3::X, 10.0);
/// assert_eq!(time, Some(1.5));
/// # Ok::<(), sudar::ShapeError>(())
/// ```
pub fn moving_spheres(
    a: &Sphere,
    velocity_a: DVec3,
    b: &Sphere,
    velocity_b: DVec3,
    until: f64,
) -> Option<f64> {
    let sum = Sphere { center: a.center, radius: a.radius + b.radius };
    entry(&sum, b.center, velocity_b - velocity_a, until)
}

/// When a point enters a ball.
pub(crate) fn entry(ball: &Sphere, origin: DVec3, velocity: DVec3, until: f64) -> Option<f64> {
    if velocity == DVec3::ZERO {
        return crate::pair::sphere_point(ball, origin).then_some(0.0);
    }
    ray_sphere(&Ray { origin, direction: velocity }, ball, until).map(|hit| hit.t)
}
