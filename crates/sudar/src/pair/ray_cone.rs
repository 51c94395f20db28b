//! Ray and cone, in the frame of the body.

use glam::DVec3;

use super::chord::{Chord, START, steady};
use super::nearest::length;
use super::point_round::point_cone;
use super::ray_aabb::RayHit;
use crate::math::exact::rational;
use crate::math::exact::rounded;
use crate::math::{Rational, RationalVec3};
use crate::shape::{Cone, Ray};

/// Discriminants below this are computed in exact arithmetic: the size of their rounding is 1e-15 and more.
const NEAR_TANGENT: f64 = 1e-9;

/// The middle of the unit cone, and the radius of a ball around it that surely holds the cone (√5/2).
const MIDDLE: DVec3 = DVec3::new(0.0, 0.0, 0.5);
const AROUND: f64 = 1.2;

/// Where the ray enters the cone, if it does so at a parameter of at most `max`.
///
/// What the line has inside the cone without end and between apex and base. Exact: whether the ray starts inside, and
/// whether its line touches the wall or its mirror image beyond the apex. Rounded: a ray that passes within 1e-14,
/// relative to the body and the distance, of the rim or the apex or runs along the wall may be answered either way. The
/// point of entry is off by as much. At the apex the normal is `+z`.
pub fn ray_cone(ray: &Ray, cone: &Cone, max: f64) -> Option<RayHit> {
    if point_cone(ray.origin, cone) {
        return (max >= 0.0).then_some(START);
    }
    let (ray, speed) = steady(ray);
    let wall = inside_wall(&ray, cone)?;
    let ends = Chord::slab(ray.origin.z, ray.direction.z, cone.half_length)?;
    let t = wall.and(ends)?.entry()?;
    let through_end = ends.enter >= wall.enter;
    let normal = if through_end { DVec3::Z * -ray.direction.z.signum() } else { outward(ray.at(t), cone) };
    (t / speed <= max).then_some(RayHit { t: t / speed, normal })
}

/// What the line has in the cone without end. In units of radius and height, and with the depth below the apex for
/// the third coordinate, that is √(x² + y²) ≤ w.
fn inside_wall(ray: &Ray, cone: &Cone) -> Option<Chord> {
    let (r, h) = (cone.radius, cone.half_length);
    let origin = DVec3::new(ray.origin.x / r, ray.origin.y / r, (h - ray.origin.z) / h * 0.5);
    let direction = DVec3::new(ray.direction.x / r, ray.direction.y / r, -ray.direction.z / h * 0.5);
    let speed = length(direction);
    if speed == 0.0 {
        return None;
    }
    let unit = direction / speed;
    // Seen from the point nearest to the middle of the cone, no number is large.
    let ahead = -unit.dot(origin - MIDDLE);
    let p = origin + unit * ahead;
    if length(p - MIDDLE) > AROUND {
        return None;
    }
    let rounding = 64.0 * f64::EPSILON * (1.0 + origin.abs().max_element());
    let discriminant = discriminant(p, unit);
    let discriminant = if discriminant.abs() > NEAR_TANGENT.max(rounding) {
        discriminant
    } else {
        rounded(&exact_discriminant(ray, cone))
    };
    let Chord { enter, exit } = below_apex(p, unit, discriminant)?;
    Some(Chord { enter: (ahead + enter) / speed, exit: (ahead + exit) / speed })
}

/// The parameters at which `p + t·unit` is inside the unit cone and below its apex, where the line's points below the
/// apex are inside at all; what is above the apex has to be left out by the caller.
fn below_apex(p: DVec3, unit: DVec3, discriminant: f64) -> Option<Chord> {
    let across = unit.x * unit.x + unit.y * unit.y;
    let beside = (p.x * p.x + p.y * p.y).sqrt();
    // x² + y² − w² = a·t² + 2b·t + c
    let a = across - unit.z * unit.z;
    let b = p.x * unit.x + p.y * unit.y - p.z * unit.z;
    let c = (beside - p.z) * (beside + p.z);
    if discriminant < 0.0 && a >= 0.0 {
        return None;
    }
    let root = discriminant.max(0.0).sqrt();
    // The two roots without cancellation.
    let sum = if b > 0.0 { -b - root } else { -b + root };
    if sum == 0.0 && a == 0.0 {
        return (c <= 0.0).then_some(Chord::ALL);
    }
    let (first, second) = if sum == 0.0 { (0.0, 0.0) } else { (sum / a, c / sum) };
    let (near, far) = (first.min(second), first.max(second));
    if a >= 0.0 {
        Some(Chord { enter: near, exit: far })
    } else if unit.z > 0.0 {
        Some(Chord { enter: far, exit: f64::INFINITY })
    } else {
        Some(Chord { enter: f64::NEG_INFINITY, exit: near })
    }
}

/// `b² − a·c` of [`below_apex`] as a difference of two squares, which are the same from every point of the line.
fn discriminant(p: DVec3, unit: DVec3) -> f64 {
    let (x, y) = (p.x * unit.z - unit.x * p.z, p.y * unit.z - unit.y * p.z);
    let turn = p.x * unit.y - p.y * unit.x;
    (x * x + y * y) - turn * turn
}

/// The same, exactly.
fn exact_discriminant(ray: &Ray, cone: &Cone) -> Rational {
    let (r, h) = (rational(cone.radius), rational(cone.half_length));
    let height = &h + &h;
    let scaled = |x: f64, y: f64, w: Rational| RationalVec3 {
        x: rational(x) / &r,
        y: rational(y) / &r,
        z: w / &height,
    };
    let p = scaled(ray.origin.x, ray.origin.y, &h - rational(ray.origin.z));
    let d = scaled(ray.direction.x, ray.direction.y, -rational(ray.direction.z));
    let turns = p.cross(&d);
    (&turns.x * &turns.x + &turns.y * &turns.y - &turns.z * &turns.z) / d.dot(&d)
}

/// The unit normal of the wall at `p`.
fn outward(p: DVec3, cone: &Cone) -> DVec3 {
    let out = DVec3::new(p.x, p.y, 0.0);
    let beside = length(out);
    if beside == 0.0 {
        return DVec3::Z;
    }
    let size = cone.radius.max(cone.half_length);
    let normal = out / beside * (2.0 * (cone.half_length / size)) + DVec3::Z * (cone.radius / size);
    normal / normal.length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::chord::tests::agrees_with_search;

    const FAR: f64 = f64::INFINITY;

    fn hit(origin: [f64; 3], direction: [f64; 3], k: f64) -> Option<RayHit> {
        let ray = Ray { origin: DVec3::from(origin) * k, direction: direction.into() };
        ray_cone(&ray, &Cone { radius: 3.0 * k, half_length: 2.0 * k }, FAR)
    }

    #[test]
    fn from_above_below_and_the_side() {
        for k in [-200, 0, 200].map(|e| f64::powi(2.0, e)) {
            assert_eq!(
                hit([0.0, 0.0, 8.0], [0.0, 0.0, -3.0], k),
                Some(RayHit { t: 2.0 * k, normal: DVec3::Z })
            );
            assert_eq!(
                hit([1.0, 1.0, -8.0], [0.0, 0.0, 3.0], k),
                Some(RayHit { t: 2.0 * k, normal: -DVec3::Z })
            );
            // At z = 0 the radius is 1.5, and the wall falls 4 on 3: its normal is (4, 0, 3)/5.
            let side = hit([5.5, 0.0, 0.0], [-2.0, 0.0, 0.0], k);
            assert!(side.is_some_and(|hit| {
                (hit.t - 2.0 * k).abs() < 1e-15 * k
                    && (hit.normal - DVec3::new(0.8, 0.0, 0.6)).length() < 1e-15
            }));
            assert_eq!(
                hit([5.5, 0.0, 2.5], [-2.0, 0.0, 0.0], k),
                None,
                "through the mirror image above the apex"
            );
            assert_eq!(hit([0.0, 0.0, 8.0], [0.0, 0.0, 3.0], k), None);
            assert_eq!(hit([0.0, 0.0, -2.0], [0.0, 0.0, -3.0], k), Some(START));
            assert_eq!(hit([9.0, 0.0, 2.0], [-1.0, 0.0, 0.0], k).map(|hit| hit.t), Some(9.0 * k), "the apex");
            assert_eq!(hit([9.0, 0.0, 2.0f64.next_up()], [-1.0, 0.0, 0.0], k), None);
            // Straight down half way out, 1.5 from the axis: the wall is met at z = 0.
            assert!(
                hit([0.0, 1.5, 8.0], [0.0, 0.0, -4.0], k)
                    .is_some_and(|hit| (hit.t - 2.0 * k).abs() < 1e-15 * k)
            );
            // Tangent to the circle of radius 1.5 at z = 0.
            assert!(
                hit([1.5, -4.0, 0.0], [0.0, 1.0, 0.0], k)
                    .is_some_and(|hit| (hit.t - 4.0 * k).abs() < 1e-7 * k)
            );
            assert_eq!(hit([1.5f64.next_up(), -4.0, 0.0], [0.0, 1.0, 0.0], k), None);
        }
    }

    #[test]
    fn parallel_to_a_line_of_the_wall() {
        // (3, 0, −4) is the direction of the wall: inside by 1 in x it comes in where x = −(2 − z)·3/4: at z = 2/3.
        let found = hit([-4.0, 0.0, 14.0 / 3.0], [3.0, 0.0, -4.0], 1.0);
        assert!(found.is_some_and(|hit| (hit.t - 1.0).abs() < 1e-14), "{found:?}");
        assert_eq!(hit([-2.0, 0.0, 6.0], [3.0, 0.0, -4.0], 1.0), None);
    }

    #[test]
    fn searching_along_the_ray_agrees() {
        for (r, h) in [(1.0, 1.0), (3.0, 2.0), (1e-3, 1e2), (1e3, 1e-2), (1e-20, 1e-20), (1e40, 1e40)] {
            let cone = Cone { radius: r, half_length: h };
            // The height over the wall's planes: scaled by the sine and cosine of the slope.
            let size = f64::max(r, h);
            let slope = DVec3::new(2.0 * h / size, r / size, 0.0).normalize();
            let wall = |p: DVec3| slope.x * length(DVec3::new(p.x, p.y, 0.0)) - slope.y * (h - p.z);
            let outside = |p: DVec3| wall(p).max(-h - p.z).max(p.z - h);
            agrees_with_search(DVec3::new(r, r, h), |ray| ray_cone(ray, &cone, FAR), outside);
        }
    }

    #[test]
    fn far_away_bodies_are_hit_where_they_are() {
        // From 10¹² away at a slant, towards points inside cones, cylinders and ellipsoids a few units large.
        let mut random = crate::pair::testing::Random::new(45);
        let (cone, cylinder) = (
            Cone { radius: 3.0, half_length: 2.0 },
            crate::shape::Cylinder { radius: 3.0, half_length: 2.0 },
        );
        let ellipsoid = crate::shape::Ellipsoid { radii: DVec3::new(3.0, 2.0, 1.0) };
        for _ in 0..1000 {
            let target = random.point() * 0.3;
            let direction = random.point();
            let ray = Ray { origin: target - direction * 1e12, direction: direction * 1e12 };
            let hits = [
                ray_cone(&ray, &cone, FAR),
                crate::pair::ray_cylinder(&ray, &cylinder, FAR),
                crate::pair::ray_ellipsoid(&ray, &ellipsoid, FAR),
            ];
            for hit in hits {
                assert!(hit.is_some_and(|hit| (hit.t - 1.0).abs() < 1e-11 / direction.length()
                    && hit.normal.dot(direction) < 1e-3));
            }
        }
    }
}
