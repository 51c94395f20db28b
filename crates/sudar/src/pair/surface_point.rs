//! The nearest point of the surface of a box, in the frame of the body.

use glam::DVec3;

use super::nearest::length;
use crate::shape::Cuboid;

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
    pub(crate) fn outside(p: DVec3, point: DVec3, otherwise: DVec3) -> Self {
        let away = p - point;
        let distance = length(away);
        let normal = if distance > 0.0 { away / distance } else { otherwise };
        Self { point, normal, depth: -distance }
    }
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::testing::Random;

    /// Unit vectors of a fine grid of directions, about 3000.
    fn directions() -> impl Iterator<Item = DVec3> {
        (0..=36).flat_map(|i| (0..80).map(move |j| (i, j))).map(|(i, j)| {
            let (polar, turn) =
                (f64::from(i) * std::f64::consts::PI / 36.0, f64::from(j) * std::f64::consts::TAU / 80.0);
            DVec3::new(polar.sin() * turn.cos(), polar.sin() * turn.sin(), polar.cos())
        })
    }

    /// Checks the nearest surface points: the point is on the surface, and a ball as large as the depth around `p`
    /// reaches no farther than the surface in any of many directions.
    pub(crate) fn check_surface(
        size: DVec3,
        inside: impl Fn(DVec3) -> bool,
        found: impl Fn(DVec3) -> SurfacePoint,
    ) {
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
