//! Oriented box and point, ball, half-space, ray: by going into the box's own frame.
//!
//! An oriented box is given by rounded axes, so what it covers is known only to rounding. The tests with it are
//! on the safe side of that: they never miss an overlap as long as the axes are orthonormal within 1e-14 (columns
//! of a normalised quaternion's matrix are), and what they report may in truth be apart by at most 1e-12 times the
//! size of the box and the other thing's reach from its centre.

use glam::DVec3;

use super::sphere_aabb::sphere_aabb;
use crate::pair::nearest::{Nearest, length};
use crate::pair::ray::ray_aabb::{EntryPoint, ray_aabb};
use crate::shape::{Aabb, Halfspace, Obb, Ray, Sphere};

/// Bound on the error, relative to the reach, of a point brought into the frame of a box: roundings of a
/// difference and three products and sums, and the axes being orthonormal only within 1e-14.
const SLACK: f64 = 1e-13;

/// Whether the point is in the box or on its boundary. Never misses; may accept a point outside by up to 1e-12
/// times the box' half extents and the point's distance from the centre.
pub fn point_obb(p: DVec3, obb: &Obb) -> bool {
    let ([local], aabb) = in_frame([p], obb);
    aabb.contains(local)
}

/// Whether the ball and the box have a point in common. Never misses; may accept a pair apart by up to 1e-12
/// times the box' half extents and the distance between the centres.
///
/// By Arvo's test for axis-aligned boxes, after bringing the ball's centre into the box' frame.
pub fn sphere_obb(sphere: &Sphere, obb: &Obb) -> bool {
    let ([center], aabb) = in_frame([sphere.center], obb);
    sphere_aabb(&Sphere { center, radius: sphere.radius }, &aabb)
}

/// Whether the box and the half-space have a point in common. Never misses; may accept a box apart by up to 1e-12
/// times its half extents and the distance of its centre and of the plane from the origin.
pub fn obb_halfspace(obb: &Obb, halfspace: &Halfspace) -> bool {
    let unit = length(halfspace.normal);
    let (normal, offset) = (halfspace.normal / unit, halfspace.offset / unit);
    let depth = (0..3).map(|i| normal.dot(obb.axes.col(i)).abs() * obb.half[i]).sum::<f64>();
    let size = obb.center.abs().max_element() + obb.half.max_element() + offset.abs();
    normal.dot(obb.center) - offset <= depth + SLACK * size
}

/// The point of the box nearest to `p` (`a` of the answer is `p`), off by a few ulp of the coordinates.
///
/// ```
/// use sudar::pair::closest_point_obb;
/// use sudar::{DMat3, DVec3, Obb};
///
/// let cube = Obb { center: DVec3::splat(0.5), axes: DMat3::IDENTITY, half: DVec3::splat(0.5) };
/// let found = closest_point_obb(DVec3::new(3.0, 0.5, 0.5), &cube);
/// assert_eq!((found.b, found.distance_squared), (DVec3::new(1.0, 0.5, 0.5), 4.0));
/// ```
pub fn closest_point_obb(p: DVec3, obb: &Obb) -> Nearest {
    let local = to_frame(p, obb);
    let clamped = local.clamp(-obb.half, obb.half);
    let nearest = if clamped == local { p } else { obb.center + obb.axes * clamped };
    Nearest::between(p, nearest)
}

/// Where the ray enters the box, if it does so at a parameter of at most `max`: by slabs in the box' frame.
///
/// Rounded as a whole: a ray that passes within 1e-12, relative to the box and the distance, of an edge may be
/// answered either way.
///
/// ```
/// use sudar::pair::ray_obb;
/// use sudar::{DMat3, DVec3, Obb, Ray};
///
/// let cube = Obb { center: DVec3::splat(0.5), axes: DMat3::IDENTITY, half: DVec3::splat(0.5) };
/// let ray = Ray { origin: DVec3::new(-2.0, 0.5, 0.5), direction: DVec3::X };
/// let entry = ray_obb(&ray, &cube, 10.0).ok_or("missed")?;
/// assert_eq!((entry.t, entry.normal), (2.0, -DVec3::X));
/// # Ok::<(), &str>(())
/// ```
pub fn ray_obb(ray: &Ray, obb: &Obb, max: f64) -> Option<EntryPoint> {
    let direction = obb.axes.transpose() * ray.direction;
    let local = Ray { origin: to_frame(ray.origin, obb), direction };
    let hit = ray_aabb(&local, &Aabb { min: -obb.half, max: obb.half }, max)?;
    Some(EntryPoint { t: hit.t, normal: obb.axes * hit.normal })
}

fn to_frame(p: DVec3, obb: &Obb) -> DVec3 {
    obb.axes.transpose() * (p - obb.center)
}

/// The points in the frame of the box, and the box there, grown by what the points may be off.
pub fn in_frame<const N: usize>(points: [DVec3; N], obb: &Obb) -> ([DVec3; N], Aabb) {
    let local = points.map(|p| to_frame(p, obb));
    let reach = local.iter().fold(obb.half.max_element(), |m, p| m.max(p.abs().max_element()));
    let half = obb.half + DVec3::splat(SLACK * reach);
    (local, Aabb { min: -half, max: half })
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DQuat};

    use super::*;
    use crate::testing::Random;

    /// Half edges (1, 2, 3), turned by 45° about z, centred at (10, 0, 0).
    fn turned() -> Obb {
        let axes = DMat3::from_quat(DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4));
        Obb { center: DVec3::X * 10.0, axes, half: DVec3::new(1.0, 2.0, 3.0) }
    }

    #[test]
    fn points_around_a_turned_box() {
        // The first axis is (1, 1, 0)/√2, so the box ends 1 along it, at x = 10 + 1/√2.
        let along = |k: f64| DVec3::new(10.0, 0.0, 0.0) + DVec3::new(1.0, 1.0, 0.0).normalize() * k;
        assert!(point_obb(along(1.0), &turned()) && !point_obb(along(1.0 + 1e-11), &turned()));
        let found = closest_point_obb(along(4.0), &turned());
        assert!((found.b - along(1.0)).length() < 1e-14 && (found.distance() - 3.0).abs() < 1e-14);
        assert_eq!(closest_point_obb(along(0.5), &turned()).b, along(0.5));
    }

    #[test]
    fn balls_half_spaces_and_rays_at_a_turned_box() {
        let corner = turned().center + turned().axes * turned().half;
        let outward = turned().axes * DVec3::new(2.0, 3.0, 6.0);
        let ball = |radius| Sphere { center: corner + outward, radius };
        assert!(sphere_obb(&ball(7.0), &turned()) && !sphere_obb(&ball(7.0 - 1e-10), &turned()));
        let beyond = |gap: f64| Halfspace { normal: -outward, offset: -outward.dot(corner) - 7.0 * gap };
        assert!(obb_halfspace(&turned(), &beyond(0.0)) && !obb_halfspace(&turned(), &beyond(1e-10)));
        let axis = turned().axes.x_axis;
        let ray = Ray { origin: turned().center - axis * 5.0, direction: axis * 2.0 };
        let hit = ray_obb(&ray, &turned(), f64::INFINITY);
        assert!(hit.is_some_and(|hit| (hit.t - 2.0).abs() < 1e-14 && (hit.normal + axis).length() < 1e-14));
    }

    #[test]
    fn nothing_on_the_box_is_missed() {
        let mut random = Random::new(13);
        for case in 0..4000 {
            let obb = random.obb();
            let k = f64::powi(10.0, case % 120 - 60);
            let obb = Obb { center: obb.center * k, half: obb.half * k, ..obb };
            let side = DVec3::new(random.whole(-1, 1), random.whole(-1, 1), random.number());
            let p = obb.center + obb.axes * (side * obb.half);
            assert!(point_obb(p, &obb));
            let reach = random.point();
            let ball = Sphere { center: p + reach * k, radius: (reach * k).length() };
            assert!(sphere_obb(&ball, &obb));
            let normal = random.point();
            assert!(obb_halfspace(&obb, &Halfspace { normal, offset: normal.dot(p) }));
            assert!(closest_point_obb(p, &obb).distance() < 1e-13 * k);
        }
    }
}
