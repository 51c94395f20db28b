//! The nearest points of cylinders and cones, and of the surfaces of boxes, cylinders and cones, in the frame of the
//! body.

use glam::DVec3;

use super::nearest::{Nearest, length, locally};
use super::point_round::{point_cone, point_cylinder};
use super::point_segment::foot_on_segment;
use crate::shape::{Cone, Cuboid, Cylinder};

/// The point of a surface nearest to another point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint {
    /// The point of the surface, off by a few ulp of the coordinates.
    pub point: DVec3,
    /// Outward unit normal of the surface there; at edges and the apex, for points outside, the direction from the
    /// surface to the other point.
    pub normal: DVec3,
    /// How deep below the surface the other point is: negative outside, zero on the surface.
    pub depth: f64,
}

impl SurfacePoint {
    /// The nearest point `point` to `p`, which is outside.
    pub(super) fn outside(p: DVec3, point: DVec3, otherwise: DVec3) -> Self {
        let away = p - point;
        let distance = length(away);
        let normal = if distance > 0.0 { away / distance } else { otherwise };
        Self { point, normal, depth: -distance }
    }
}

/// The point of the cylinder nearest to `p` (`a` of the answer is `p`): `p` itself if inside, else off by a few ulp of
/// the coordinates.
pub fn closest_point_cylinder(p: DVec3, cylinder: &Cylinder) -> Nearest {
    if point_cylinder(p, cylinder) {
        return Nearest::between(p, p);
    }
    let beside = length(flat(p));
    let across = if beside > cylinder.radius { flat(p) * (cylinder.radius / beside) } else { flat(p) };
    Nearest::between(p, raised(across, p.z.clamp(-cylinder.half_length, cylinder.half_length)))
}

/// The point of the cone nearest to `p` (`a` of the answer is `p`): `p` itself if inside, else off by a few ulp of the
/// coordinates.
pub fn closest_point_cone(p: DVec3, cone: &Cone) -> Nearest {
    if point_cone(p, cone) {
        return Nearest::between(p, p);
    }
    // In the half plane through the axis and the point the cone is a triangle.
    let (r, h) = (cone.radius, cone.half_length);
    let beside = length(flat(p));
    let seen = DVec3::new(beside, 0.0, p.z);
    let corners = [seen, DVec3::new(0.0, 0.0, h), DVec3::new(r, 0.0, -h)];
    let wall = locally(corners, |[p, a, b]| Nearest::between(p, foot_on_segment(p, a, b)));
    let base = Nearest::between(seen, DVec3::new(beside.min(r), 0.0, -h));
    let foot = wall.or_closer(base).b;
    let across = if beside > 0.0 { flat(p) * (foot.x / beside) } else { DVec3::X * foot.x };
    Nearest::between(p, raised(across, foot.z))
}

/// The point of the box' surface nearest to `p`; for points equally near to several faces that of the first axis, and
/// the positive side.
pub fn closest_surface_point_cuboid(p: DVec3, cuboid: &Cuboid) -> SurfacePoint {
    let half = cuboid.half;
    let clamped = p.clamp(-half, half);
    if clamped != p {
        return SurfacePoint::outside(p, clamped, DVec3::ZERO);
    }
    let room = half - p.abs();
    let axis = room.min_position();
    let side = if p[axis] < 0.0 { -1.0 } else { 1.0 };
    let (mut point, mut normal) = (p, DVec3::ZERO);
    point[axis] = side * half[axis];
    normal[axis] = side;
    SurfacePoint { point, normal, depth: room[axis] }
}

/// The point of the cylinder's surface nearest to `p`; the wall if that is as near as a cap, the side of `+x` for
/// points on the axis and the upper cap for those in the middle.
pub fn closest_surface_point_cylinder(p: DVec3, cylinder: &Cylinder) -> SurfacePoint {
    let beside = length(flat(p));
    let out = if beside > 0.0 { flat(p) / beside } else { DVec3::X };
    let up = if p.z < 0.0 { -1.0 } else { 1.0 };
    if !point_cylinder(p, cylinder) {
        let otherwise = if p.z.abs() > cylinder.half_length { DVec3::Z * up } else { out };
        return SurfacePoint::outside(p, closest_point_cylinder(p, cylinder).b, otherwise);
    }
    let (to_wall, to_cap) = ((cylinder.radius - beside).max(0.0), cylinder.half_length - p.z.abs());
    if to_wall <= to_cap {
        SurfacePoint { point: raised(out * cylinder.radius, p.z), normal: out, depth: to_wall }
    } else {
        let point = raised(flat(p), up * cylinder.half_length);
        SurfacePoint { point, normal: DVec3::Z * up, depth: to_cap }
    }
}

/// The point of the cone's surface nearest to `p`; the wall if that is as near as the base, and the side of `+x` for
/// points on the axis.
pub fn closest_surface_point_cone(p: DVec3, cone: &Cone) -> SurfacePoint {
    let (r, h) = (cone.radius, cone.half_length);
    let beside = length(flat(p));
    let out = if beside > 0.0 { flat(p) / beside } else { DVec3::X };
    // The wall's normal is (2h, r) in the half plane of axis and point, where the wall goes through (0, h).
    let slope = DVec3::new(2.0 * h, 0.0, r);
    let slope = slope / length(slope);
    let normal = raised(out * slope.x, slope.z);
    if !point_cone(p, cone) {
        let otherwise = if p.z < -h { -DVec3::Z } else { normal };
        return SurfacePoint::outside(p, closest_point_cone(p, cone).b, otherwise);
    }
    let to_wall = (slope.z * (h - p.z) - slope.x * beside).max(0.0);
    let to_base = p.z + h;
    if to_wall <= to_base {
        let point = raised(out * (beside + slope.x * to_wall), p.z + slope.z * to_wall);
        SurfacePoint { point, normal, depth: to_wall }
    } else {
        SurfacePoint { point: raised(flat(p), -h), normal: -DVec3::Z, depth: to_base }
    }
}

fn flat(p: DVec3) -> DVec3 {
    DVec3::new(p.x, p.y, 0.0)
}

fn raised(p: DVec3, z: f64) -> DVec3 {
    DVec3::new(p.x, p.y, z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::testing::Random;

    /// Unit vectors of a fine grid of directions, about 3000.
    fn directions() -> impl Iterator<Item = DVec3> {
        (0..=36).flat_map(|i| (0..80).map(move |j| (i, j))).map(|(i, j)| {
            let (polar, turn) =
                (f64::from(i) * std::f64::consts::PI / 36.0, f64::from(j) * std::f64::consts::TAU / 80.0);
            DVec3::new(polar.sin() * turn.cos(), polar.sin() * turn.sin(), polar.cos())
        })
    }

    /// Checks the nearest point of a body to random points: it is in the body up to rounding, and no point of the body
    /// in any direction is farther towards `p` than it (the angle there is obtuse), which proves it nearest.
    fn check_nearest(
        size: DVec3,
        support: impl Fn(DVec3) -> f64,
        inside: impl Fn(DVec3) -> bool,
        found: impl Fn(DVec3) -> Nearest,
    ) {
        let mut random = Random::new(51);
        for _ in 0..4000 {
            let p = random.point() * size * 2.0;
            let nearest = found(p);
            assert_eq!(nearest.distance_squared == 0.0, inside(p), "{p}");
            assert!(inside(nearest.b * (1.0 - 1e-13)), "{p} {nearest:?}");
            let away = p - nearest.b;
            if away != DVec3::ZERO {
                let unit = away / length(away);
                let room = support(unit) - unit.dot(nearest.b);
                // The direction is as rough as the point is close.
                let reach = size.max_element() + length(p);
                let rough = 4.0 * f64::EPSILON * reach / length(away);
                assert!(room <= (1e-13 + rough) * reach, "{p} {nearest:?} {room}");
            }
        }
    }

    /// Checks the nearest surface points: the point is on the surface, and a ball as large as the depth around `p`
    /// reaches no farther than the surface in any of many directions.
    fn check_surface(size: DVec3, inside: impl Fn(DVec3) -> bool, found: impl Fn(DVec3) -> SurfacePoint) {
        let mut random = Random::new(52);
        let mut deep = 0;
        for _ in 0..100 {
            let p = random.point() * size;
            let near = found(p);
            assert_eq!(near.depth >= 0.0, inside(p), "{p} {near:?}");
            assert!((near.normal.length() - 1.0).abs() < 1e-14);
            let scale = size.max_element();
            assert!((p + near.normal * near.depth - near.point).length() < 1e-14 * scale, "{p} {near:?}");
            let ways = || directions().chain([near.normal]);
            if near.depth > 0.0 {
                deep += 1;
                assert!(ways().all(|way| inside(p + way * (near.depth * (1.0 - 1e-12)))));
                assert!(!inside(p + near.normal * (near.depth + 1e-12 * scale)));
            } else {
                assert!(ways().all(|way| !inside(p + way * -near.depth * (1.0 - 1e-12))));
            }
        }
        assert!(deep > 10);
    }

    #[test]
    fn cylinders_of_many_proportions() {
        for (radius, half_length) in [(1.0, 1.0), (1e-3, 1.0), (2.0, 1e-4), (1e-80, 1e-80), (1e80, 1e80)] {
            let c = Cylinder { radius, half_length };
            let support = |u: DVec3| radius * length(flat(u)) + half_length * u.z.abs();
            let size = DVec3::new(radius, radius, half_length);
            check_nearest(size, support, |p| point_cylinder(p, &c), |p| closest_point_cylinder(p, &c));
            check_surface(size, |p| point_cylinder(p, &c), |p| closest_surface_point_cylinder(p, &c));
        }
    }

    #[test]
    fn cones_of_many_proportions() {
        for (radius, half_length) in [(1.0, 1.0), (1e-3, 1.0), (2.0, 1e-2), (1e-60, 1e-60), (1e60, 1e60)] {
            let c = Cone { radius, half_length };
            let support = |u: DVec3| (radius * length(flat(u)) - half_length * u.z).max(half_length * u.z);
            let size = DVec3::new(radius, radius, half_length);
            check_nearest(size, support, |p| point_cone(p, &c), |p| closest_point_cone(p, &c));
            check_surface(size, |p| point_cone(p, &c), |p| closest_surface_point_cone(p, &c));
        }
    }

    #[test]
    fn known_points_of_a_cone() {
        // The wall of this cone falls 4 on 3: its normal is (4, 0, 3)/5; from (1.5, 0, 0) outward by 5.
        let c = Cone { radius: 3.0, half_length: 2.0 };
        let found = closest_point_cone(DVec3::new(5.5, 0.0, 3.0), &c);
        assert!((found.b - DVec3::X * 1.5).length() < 1e-15 && (found.distance() - 5.0).abs() < 1e-15);
        assert_eq!(closest_point_cone(DVec3::new(0.0, 0.0, 7.0), &c).b, DVec3::Z * 2.0);
        assert_eq!(closest_point_cone(DVec3::new(0.0, 1.0, -7.0), &c).b, DVec3::new(0.0, 1.0, -2.0));
        assert_eq!(closest_point_cone(DVec3::new(0.0, 6.0, -6.0), &c).b, DVec3::new(0.0, 3.0, -2.0));
        // On the axis: the wall is as near as the base where 2 + z = (2 − z)·3/5, at z = −1/2.
        let low = closest_surface_point_cone(DVec3::Z * -0.6, &c);
        assert!((low.depth - 1.4).abs() < 1e-15 && low.normal == -DVec3::Z);
        let high = closest_surface_point_cone(DVec3::Z * -0.4, &c);
        assert!(
            (high.depth - 1.44).abs() < 1e-15 && (high.normal - DVec3::new(0.8, 0.0, 0.6)).length() < 1e-15
        );
    }

    #[test]
    fn the_faces_edges_and_middle_of_a_box() {
        let c = Cuboid { half: DVec3::new(1.0, 2.0, 3.0) };
        check_surface(c.half, |p| c.aabb().contains(p), |p| closest_surface_point_cuboid(p, &c));
        let middle = closest_surface_point_cuboid(DVec3::ZERO, &c);
        assert_eq!(middle, SurfacePoint { point: DVec3::X, normal: DVec3::X, depth: 1.0 });
        let corner = closest_surface_point_cuboid(DVec3::new(3.0, 5.0, -9.0), &c);
        assert_eq!((corner.point, corner.depth), (DVec3::new(1.0, 2.0, -3.0), -7.0));
        let face = closest_surface_point_cuboid(DVec3::new(0.0, -1.5, 0.0), &c);
        assert_eq!(face, SurfacePoint { point: DVec3::Y * -2.0, normal: -DVec3::Y, depth: 0.5 });
    }
}
