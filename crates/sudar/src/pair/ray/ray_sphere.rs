//! Ray and ball, ray and half-space.

use glam::DVec3;
use num_traits::Signed;

use super::ray_aabb::EntryPoint;
use crate::math::exact::rational;
use crate::math::exact::rounded;
use crate::math::{RationalVec3, Sign};
use crate::pair::nearest::length;
use crate::pair::point_halfspace::{height, side};
use crate::pair::sphere_point::sphere_point;
use crate::shape::{Halfspace, Ray, Sphere};

/// The hit of a ray that starts inside or on the boundary.
const START: EntryPoint = EntryPoint { t: 0.0, normal: DVec3::ZERO };

/// Depth below the surface, in radii, from which a line needs no exact arithmetic: at this depth
/// plain `f64` still gives the chord nine digits.
const NEAR_TANGENT: f64 = 1e-6;

/// Where the ray enters the ball, if it does so at a parameter of at most `max`.
///
/// In the order of early rejection of Akenine-Möller, Haines and Hoffman, "Real-Time Rendering": the start inside;
/// the centre behind a start outside; the line passing too far from the centre. Whether the ray hits is exact,
/// tangents included. The point of entry is off by a few ulp of the distance to the ball, near tangents by 1e-11 of it.
pub fn ray_sphere(ray: &Ray, sphere: &Sphere, max: f64) -> Option<EntryPoint> {
    if sphere_point(sphere, ray.origin) {
        return (max >= 0.0).then_some(START);
    }
    let speed = length(ray.direction);
    let (unit, to_center) = (ray.direction / speed, sphere.center - ray.origin);
    let (far, ahead) = (length(to_center), unit.dot(to_center));
    let doubt = 16.0 * f64::EPSILON * far;
    if ahead < -doubt {
        return None;
    }
    let passes = length(unit.cross(to_center));
    if passes > sphere.radius + doubt {
        return None;
    }
    let r = sphere.radius;
    let doubtful = ahead < doubt || passes > r - doubt.max(NEAR_TANGENT * r);
    let chord = if doubtful { half_chord(ray, sphere)? } else { ((r - passes) * (r + passes)).sqrt() };
    // (far² − r²)/(ahead + chord) is the nearer root without cancellation; in units of far.
    let (r, ahead, chord) = (r / far, ahead / far, chord / far);
    let t = far * ((1.0 - r) * (1.0 + r) / (ahead + chord)) / speed;
    let normal = (unit * (t * speed) - to_center) / sphere.radius;
    (t <= max).then(|| EntryPoint { t, normal: normal / length(normal) })
}

/// Both parameters at which the ray's line meets the sphere, the nearer first: the roots of
/// `|o + t·d − c|² = r²` by the textbook formula, behind the start too.
///
/// The classic, for comparison, in plain `f64`: squares of lengths must be within its range, and digits are lost
/// when the ball is far.
///
/// ```
/// use sudar::pair::ray_sphere_algebraic;
/// use sudar::{DVec3, Ray, Sphere};
///
/// let ball = Sphere::new(DVec3::ZERO, 1.0)?;
/// let ray = Ray { origin: DVec3::X * -3.0, direction: DVec3::X };
/// assert_eq!(ray_sphere_algebraic(&ray, &ball), Some([2.0, 4.0]));
/// # Ok::<(), sudar::shape::ShapeError>(())
/// ```
pub fn ray_sphere_algebraic(ray: &Ray, sphere: &Sphere) -> Option<[f64; 2]> {
    let from_center = ray.origin - sphere.center;
    let a = ray.direction.length_squared();
    let b = ray.direction.dot(from_center);
    let c = from_center.length_squared() - sphere.radius * sphere.radius;
    let discriminant = b * b - a * c;
    (discriminant >= 0.0).then(|| {
        let root = discriminant.sqrt();
        [(-b - root) / a, (-b + root) / a]
    })
}

/// Where the ray enters the half-space, if it does so at a parameter of at most `max`. Whether it starts inside
/// or is directed towards it is exact; the parameter has six digits at least, mostly all.
pub fn ray_halfspace(ray: &Ray, halfspace: &Halfspace, max: f64) -> Option<EntryPoint> {
    if side(ray.origin, halfspace) != Sign::Positive {
        return (max >= 0.0).then_some(START);
    }
    let through_zero = Halfspace { offset: 0.0, ..*halfspace };
    if side(ray.direction, &through_zero) != Sign::Negative {
        return None;
    }
    let t = height(ray.origin, halfspace) / -height(ray.direction, &through_zero);
    (t <= max).then(|| EntryPoint { t, normal: halfspace.normal / length(halfspace.normal) })
}

/// Half the length of the ray's chord in the ball, if a ray from outside hits it: the centre is not behind, and the
/// discriminant not negative. In exact arithmetic, then rounded.
#[cold]
fn half_chord(ray: &Ray, sphere: &Sphere) -> Option<f64> {
    let direction = RationalVec3::from(ray.direction);
    let to_center = &RationalVec3::from(sphere.center) - &RationalVec3::from(ray.origin);
    let radius = rational(sphere.radius);
    let across = direction.cross(&to_center);
    let square = &radius * &radius - across.dot(&across) / direction.dot(&direction);
    let ahead = !direction.dot(&to_center).is_negative();
    (ahead && !square.is_negative()).then(|| rounded(&square).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Random, ray};

    const FAR: f64 = f64::INFINITY;

    #[test]
    fn through_the_middle_from_inside_and_away() {
        let ball = Sphere { center: DVec3::X * 5.0, radius: 1.0 };
        let hit = ray_sphere(&ray([0.0; 3], [2.0, 0.0, 0.0]), &ball, FAR);
        assert_eq!(hit, Some(EntryPoint { t: 2.0, normal: -DVec3::X }));
        assert_eq!(ray_sphere(&ray([0.0; 3], [2.0, 0.0, 0.0]), &ball, 1.9), None);
        assert_eq!(ray_sphere(&ray([5.0, 0.5, 0.0], [2.0, 0.0, 0.0]), &ball, FAR), Some(START));
        assert_eq!(
            ray_sphere(&ray([6.0, 0.0, 0.0], [2.0, 0.0, 0.0]), &ball, FAR),
            Some(START),
            "on the surface"
        );
        assert_eq!(ray_sphere(&ray([0.0; 3], [-2.0, 0.0, 0.0]), &ball, FAR), None);
        assert_eq!(ray_sphere_algebraic(&ray([0.0; 3], [2.0, 0.0, 0.0]), &ball), Some([2.0, 3.0]));
    }

    #[test]
    fn a_tangent_hits_and_an_ulp_higher_misses_at_every_scale() {
        // The ray passes the centre at (2, 3, 6), 7 away; it runs along (3, −2, 0), normal to that.
        for exponent in [-200, -60, 0, 60, 200] {
            let k = f64::powi(2.0, exponent);
            let ball = Sphere { center: DVec3::ZERO, radius: 7.0 * k };
            let tangent = |z: f64| Ray {
                origin: (DVec3::new(2.0, 3.0, z) - DVec3::new(3.0, -2.0, 0.0) * 4.0) * k,
                direction: DVec3::new(3.0, -2.0, 0.0) * k,
            };
            let hit = ray_sphere(&tangent(6.0), &ball, FAR);
            assert!(hit.is_some_and(|hit| (hit.t - 4.0).abs() < 1e-14));
            assert_eq!(ray_sphere(&tangent(6.0f64.next_up()), &ball, FAR), None);
        }
    }

    #[test]
    fn both_forms_agree_on_a_grid() {
        let mut random = Random::new(18);
        let mut hits = 0;
        for _ in 0..5000 {
            let [origin, direction, center] = random.grid_points(4);
            if direction == DVec3::ZERO {
                continue;
            }
            let (ray, ball) =
                (Ray { origin, direction }, Sphere { center, radius: 1.0 + random.whole(-2, 2).abs() });
            // The discriminant of these whole numbers is exact in f64.
            let roots = ray_sphere_algebraic(&ray, &ball).filter(|roots| roots[1] >= 0.0);
            let found = ray_sphere(&ray, &ball, FAR);
            assert_eq!(found.is_some(), roots.is_some(), "{ray:?} {ball:?}");
            if let (Some(hit), Some([near, _])) = (found, roots) {
                hits += 1;
                assert!((hit.t - near.max(0.0)).abs() < 1e-13, "{hit:?} {near}");
            }
        }
        assert!(hits > 500);
    }

    #[test]
    fn a_ball_far_away_is_hit_where_it_is() {
        // 1e9 away with radius 1: the textbook formula loses the ball in rounding, this one does not.
        let ball = Sphere { center: DVec3::X * 1e9, radius: 1.0 };
        let hit = ray_sphere(&ray([0.0; 3], [1.0, 0.0, 0.0]), &ball, FAR);
        assert!(hit.is_some_and(|hit| (hit.t - (1e9 - 1.0)).abs() < 1e-6));
    }

    #[test]
    fn a_half_space_is_entered_from_above_only() {
        let ground = Halfspace { normal: DVec3::Z * 4.0, offset: 8.0 };
        let fall = |z, dz| ray_halfspace(&ray([1.0, 1.0, z], [1.0, 0.0, dz]), &ground, 9.0);
        assert_eq!(fall(5.0, -0.5), Some(EntryPoint { t: 6.0, normal: DVec3::Z }));
        assert_eq!(fall(2.0, 1.0), Some(START), "on the plane");
        assert_eq!(fall(2.0f64.next_up(), 0.0), None);
        assert_eq!(fall(5.0, 0.5), None);
        assert_eq!(fall(50.0, -0.5), None, "beyond the maximum");
    }
}
