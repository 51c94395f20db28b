//! Ray and capsule, in the frame of the body.

use glam::DVec3;

use super::chord::{Chord, START, steady};
use super::ray_aabb::EntryPoint;
use super::ray_sphere::ray_sphere;
use crate::pair::nearest::length;
use crate::pair::point_capsule::point_capsule;
use crate::shape::{Capsule, Ray, Sphere};

/// Where the ray enters the capsule, if it does so at a parameter of at most `max`.
///
/// The first of the points where it enters the two balls at the ends, or the wall between them. Exact: whether the ray
/// starts inside, and whether it touches either ball or its line the wall, tangents included. Only a ray that touches
/// the capsule just where the wall ends, within 1e-14 of body and distance, may go either way. The point of entry
/// is off by a few ulp of the distance, near tangents by 1e-11 of it.
pub fn ray_capsule(ray: &Ray, capsule: &Capsule, max: f64) -> Option<EntryPoint> {
    let axis = capsule.axis();
    if point_capsule(ray.origin, &axis, capsule.radius) {
        return (max >= 0.0).then_some(START);
    }
    let ends =
        [axis.a, axis.b].map(|center| ray_sphere(ray, &Sphere { center, radius: capsule.radius }, max));
    let wall = wall_between_ends(ray, capsule).filter(|hit| hit.t <= max);
    ends.into_iter().chain([wall]).flatten().reduce(|best, hit| if hit.t < best.t { hit } else { best })
}

/// Where a ray that starts outside the capsule comes through its wall.
fn wall_between_ends(ray: &Ray, capsule: &Capsule) -> Option<EntryPoint> {
    let (ray, speed) = steady(ray);
    let t = Chord::tube(&ray, capsule.radius)?.entry()?;
    let p = ray.at(t);
    let along = p.z.abs() <= capsule.half_length && (ray.direction.x != 0.0 || ray.direction.y != 0.0);
    along.then(|| EntryPoint { t: t / speed, normal: outward(p) })
}

/// The direction from the z axis to `p`.
fn outward(p: DVec3) -> DVec3 {
    let out = DVec3::new(p.x, p.y, 0.0);
    out / length(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::ray::chord::tests::agrees_with_search;
    use crate::testing::ray;

    const FAR: f64 = f64::INFINITY;

    #[test]
    fn a_capsule_is_entered_at_its_ends_and_through_its_wall() {
        let c = Capsule { radius: 5.0, half_length: 4.0 };
        let hit = |origin, direction| ray_capsule(&ray(origin, direction), &c, FAR);
        let top = hit([0.0, 0.0, 19.0], [0.0, 0.0, -2.0]);
        assert!(top.is_some_and(|hit| (hit.t - 5.0).abs() < 1e-14 && hit.normal == DVec3::Z));
        assert_eq!(hit([-9.0, 0.0, 3.0], [2.0, 0.0, 0.0]), Some(EntryPoint { t: 2.0, normal: -DVec3::X }));
        // Along a line of the wall: it touches the end ball first.
        assert!(hit([3.0, 4.0, 20.0], [0.0, 0.0, -1.0]).is_some_and(|hit| (hit.t - 16.0).abs() < 1e-13));
        assert_eq!(hit([3.0, 4.0f64.next_up(), 20.0], [0.0, 0.0, -1.0]), None);
        assert_eq!(hit([3.0, 4.0, 4.0], [0.0, 0.0, 1.0]), Some(START));
        assert_eq!(ray_capsule(&ray([-9.0, 0.0, 3.0], [2.0, 0.0, 0.0]), &c, 1.9), None);
    }

    #[test]
    fn no_ray_slips_through_where_the_wall_of_a_capsule_ends() {
        let c = Capsule { radius: 1.0, half_length: 1.0 / 3.0 };
        for i in 0..2000 {
            let angle = f64::from(i) * 0.1;
            let (sin, cos) = (angle.sin(), angle.cos());
            let seam = DVec3::new(cos, sin, c.half_length);
            let origin = seam * 3.0 + DVec3::new(0.1, 0.2, 0.3);
            let hit = ray_capsule(&Ray { origin, direction: (seam - origin) * 1.5 }, &c, FAR);
            assert!(hit.is_some(), "{i}");
        }
    }

    #[test]
    fn searching_along_the_ray_agrees() {
        for (r, h) in [(1.0, 1.0), (1e-3, 1e3), (1e3, 1e-3), (1e-20, 1e-20), (1e40, 1e40)] {
            let size = DVec3::new(r, r, h);
            let capsule = Capsule { radius: r, half_length: h };
            let distance = |p: DVec3| length(p - DVec3::Z * p.z.clamp(-h, h)) - r;
            agrees_with_search(size + DVec3::Z * r, |ray| ray_capsule(ray, &capsule, FAR), distance);
        }
    }
}
