//! Ray and ellipsoid, in the frame of the body.

use glam::DVec3;

use super::chord::{Chord, START, steady};
use super::nearest::length;
use super::point_round::point_ellipsoid;
use super::ray_aabb::RayHit;
use crate::math::exact::rational;
use crate::math::{Rational, RationalVec3};
use crate::shape::{Ellipsoid, Ray};

/// Where the ray enters the ellipsoid, if it does so at a parameter of at most `max`.
///
/// In units of the semi-axes the ellipsoid is a ball. Exact: whether the ray starts inside, and whether its line
/// touches, tangents included. The point of entry is off by a few ulp of the distance along each axis.
pub fn ray_ellipsoid(ray: &Ray, ellipsoid: &Ellipsoid, max: f64) -> Option<RayHit> {
    if point_ellipsoid(ray.origin, ellipsoid) {
        return (max >= 0.0).then_some(START);
    }
    let (ray, speed) = steady(ray);
    let radii = ellipsoid.radii;
    let (origin, direction) = (ray.origin / radii, ray.direction / radii);
    let t = Chord::unit_ball(origin, direction, || half_chord_squared(&ray, radii))?.entry()?;
    let p = ray.at(t) / radii;
    (t / speed <= max).then(|| RayHit { t: t / speed, normal: gradient(p, radii) })
}

/// The unit normal at the point that is `p` in units of the semi-axes.
pub(super) fn gradient(p: DVec3, radii: DVec3) -> DVec3 {
    let steep = p * (DVec3::splat(radii.min_element()) / radii);
    steep / length(steep)
}

/// The square of half the chord of a line in the unit ball, after division by the semi-axes. Exact.
fn half_chord_squared(ray: &Ray, radii: DVec3) -> Rational {
    let scaled = |v: DVec3| RationalVec3 {
        x: rational(v.x) / rational(radii.x),
        y: rational(v.y) / rational(radii.y),
        z: rational(v.z) / rational(radii.z),
    };
    let (origin, direction) = (scaled(ray.origin), scaled(ray.direction));
    let across = origin.cross(&direction);
    rational(1.0) - across.dot(&across) / direction.dot(&direction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::chord::tests::agrees_with_search;

    const FAR: f64 = f64::INFINITY;

    #[test]
    fn along_the_axes_inside_and_tangent() {
        for k in [-200, 0, 200].map(|e| f64::powi(2.0, e)) {
            let e = Ellipsoid { radii: DVec3::new(1.0, 2.0, 3.0) * k };
            let hit = |origin: [f64; 3], direction: [f64; 3], max: f64| {
                let ray = Ray { origin: DVec3::from(origin) * k, direction: direction.into() };
                ray_ellipsoid(&ray, &e, max * k)
            };
            assert_eq!(
                hit([0.0, 0.0, 9.0], [0.0, 0.0, -2.0], FAR),
                Some(RayHit { t: 3.0 * k, normal: DVec3::Z })
            );
            assert_eq!(hit([0.0, 0.0, 9.0], [0.0, 0.0, -2.0], 2.9), None);
            assert_eq!(hit([0.0, 0.0, 9.0], [0.0, 0.0, 2.0], FAR), None);
            assert_eq!(hit([0.0, 1.0, 1.0], [0.0, 0.0, 2.0], FAR), Some(START));
            let tangent = |y: f64| hit([-5.0, y, 0.0], [1.0, 0.0, 0.0], FAR);
            assert!(tangent(2.0).is_some_and(|hit| hit.t == 5.0 * k && hit.normal == DVec3::Y));
            assert_eq!(tangent(2.0f64.next_up()), None);
        }
    }

    #[test]
    fn searching_along_the_ray_agrees() {
        for radii in [[1.0, 2.0, 3.0], [1e-3, 1.0, 1e2], [1e-30, 2e-30, 1e-30], [1e50, 1e50, 3e50]] {
            let radii = DVec3::from(radii);
            // How far outside, about: the value grows as the distance along the shortest axis does.
            let outside = |p: DVec3| (length(p / radii) - 1.0) * radii.min_element();
            agrees_with_search(radii, |ray| ray_ellipsoid(ray, &Ellipsoid { radii }, FAR), outside);
        }
    }
}
