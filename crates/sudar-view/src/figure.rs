//! What a shape looks like.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use sudar::{Pose, Shape};

use super::geometry::Geometry;
use super::round::{BALL, CONE, CUBE, CYLINDER, DOME, SQUARE, TUBE};

/// How far a half-space is drawn from the point of its plane that is nearest to the origin, in metres.
const ENDLESS: f64 = 200.0;

/// Points and segments are drawn this thick, in parts of their extent; points of clouds too.
const THIN: f64 = 0.01;

/// The parts that a shape is drawn from. Cheap to clone; made once for a shape and placed in every frame.
#[derive(Debug, Clone)]
pub struct Figure {
    pub(crate) parts: Arc<[Part]>,
}

#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub geometry: Arc<Geometry>,
    pub at: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
}

impl Figure {
    /// Of any shape. O(n log n) for meshes, constant for what is round or a box.
    pub fn new(shape: &Shape) -> Self {
        let mut parts = Vec::new();
        gather(shape, &Pose::IDENTITY, &mut parts);
        Self { parts: parts.into() }
    }

    /// Of triangles alone.
    pub fn of_geometry(geometry: Arc<Geometry>) -> Self {
        Self { parts: [whole(geometry, &Pose::IDENTITY)].into() }
    }
}

fn whole(geometry: Arc<Geometry>, pose: &Pose) -> Part {
    placed(geometry, pose, DVec3::ZERO, DVec3::ONE)
}

fn placed(geometry: Arc<Geometry>, pose: &Pose, at: DVec3, scale: DVec3) -> Part {
    let rotation = DQuat::from_mat3(&pose.rotation());
    let at = pose.apply(at + geometry.origin * scale);
    Part { geometry, at, rotation, scale }
}

fn gather(shape: &Shape, pose: &Pose, parts: &mut Vec<Part>) {
    let round = |radius: f64, half: f64| DVec3::new(radius, radius, half);
    match shape {
        Shape::Mesh(mesh) => parts.push(whole(Geometry::of_mesh(mesh), pose)),
        Shape::Solid(solid) => parts.push(whole(Geometry::of_mesh(solid.mesh()), pose)),
        Shape::HeightField(field) => parts.push(whole(Geometry::of_mesh(field.mesh()), pose)),
        Shape::Triangle(t) => parts.push(whole(Geometry::of_triangles(&[t.a, t.b, t.c], &[[0, 1, 2]]), pose)),
        Shape::Segment(s) => parts.push(bar(s.a, s.b, pose)),
        Shape::Point(p) => parts.push(placed(BALL.clone(), pose, *p, DVec3::splat(THIN))),
        Shape::Sphere(s) => parts.push(placed(BALL.clone(), pose, s.center, DVec3::splat(s.radius))),
        Shape::Cuboid(c) => parts.push(placed(CUBE.clone(), pose, DVec3::ZERO, c.half)),
        Shape::Capsule(c) => capsule(c.radius, c.half_length, pose, parts),
        Shape::Cylinder(c) => {
            parts.push(placed(CYLINDER.clone(), pose, DVec3::ZERO, round(c.radius, c.half_length)));
        }
        Shape::Cone(c) => parts.push(placed(CONE.clone(), pose, DVec3::ZERO, round(c.radius, c.half_length))),
        Shape::Ellipsoid(e) => parts.push(placed(BALL.clone(), pose, DVec3::ZERO, e.radii)),
        Shape::Hull(hull) => {
            let triangles: Vec<[u32; 3]> = (0..hull.faces().len()).flat_map(|i| hull.fan(i)).collect();
            parts.push(whole(Geometry::of_triangles(hull.vertices(), &triangles), pose));
        }
        Shape::Halfspace(h) => {
            let mut part =
                placed(SQUARE.clone(), pose, h.normal * h.offset, DVec3::new(ENDLESS, ENDLESS, 1.0));
            part.rotation *= DQuat::from_rotation_arc(DVec3::Z, h.normal);
            parts.push(part);
        }
        Shape::PointCloud(cloud) => {
            let [least, most] = ends(cloud.points());
            let size = DVec3::splat(THIN * (most - least).max_element().max(THIN));
            parts.extend(cloud.points().iter().map(|p| placed(BALL.clone(), pose, *p, size)));
        }
        Shape::Compound(compound) => {
            compound.parts().iter().for_each(|(shape, inside)| gather(shape, &pose.after(inside), parts));
        }
    }
}

fn capsule(radius: f64, half: f64, pose: &Pose, parts: &mut Vec<Part>) {
    parts.push(placed(TUBE.clone(), pose, DVec3::ZERO, DVec3::new(radius, radius, half)));
    parts.push(placed(DOME.clone(), pose, DVec3::Z * half, DVec3::splat(radius)));
    let mut lower = placed(DOME.clone(), pose, DVec3::Z * -half, DVec3::splat(radius));
    lower.rotation *= DQuat::from_rotation_x(std::f64::consts::PI);
    parts.push(lower);
}

fn bar(a: DVec3, b: DVec3, pose: &Pose) -> Part {
    let (way, length) = (b - a, (b - a).length());
    let thick = THIN * length.max(THIN);
    let mut part = placed(CYLINDER.clone(), pose, 0.5 * (a + b), DVec3::new(thick, thick, 0.5 * length));
    part.rotation *= DQuat::from_rotation_arc(DVec3::Z, way.normalize_or(DVec3::Z));
    part
}

fn ends(points: &[DVec3]) -> [DVec3; 2] {
    let all = points.iter().copied();
    [all.clone().reduce(DVec3::min).unwrap_or(DVec3::ZERO), all.reduce(DVec3::max).unwrap_or(DVec3::ZERO)]
}

#[cfg(test)]
mod tests {
    use sudar::query::Body;
    use sudar::{Capsule, Cone, Cuboid, Ellipsoid, Halfspace, Segment, Sphere};

    use super::*;

    /// What is drawn reaches as far as the body does, from whatever pose.
    #[test]
    fn figures_are_as_large_as_their_shapes() {
        let shapes: [Shape; 6] = [
            Sphere::new(DVec3::new(1.0, 2.0, 3.0), 0.5).unwrap().into(),
            Cuboid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap().into(),
            Capsule::new(0.4, 0.7).unwrap().into(),
            Cone::new(0.8, 0.7).unwrap().into(),
            Ellipsoid::new(DVec3::new(0.9, 0.7, 0.5)).unwrap().into(),
            Segment { a: DVec3::ZERO, b: DVec3::new(3.0, 4.0, 0.0) }.into(),
        ];
        let pose = Pose::new(DVec3::new(5.0, -3.0, 1.0), DQuat::from_rotation_y(0.7)).unwrap();
        for shape in shapes {
            let mut drawn: Vec<DVec3> = Vec::new();
            let mut parts = Vec::new();
            gather(&shape, &pose, &mut parts);
            for part in &parts {
                let signs: &[f64] = if part.geometry.is_box { &[1.0, -1.0] } else { &[1.0] };
                for v in &part.geometry.vertices {
                    let at = DVec3::new(f64::from(v[0]), f64::from(v[1]), f64::from(v[2]));
                    drawn.extend(signs.iter().map(|s| part.at + part.rotation * (at * *s * part.scale)));
                }
            }
            let aabb = Body::new(shape.clone()).aabb(&pose);
            let [least, most] = ends(&drawn);
            let slack = 0.03 * aabb.extent().max_element();
            assert!((least - aabb.min).abs().max_element() < slack, "{shape:?}: {least} {}", aabb.min);
            assert!((most - aabb.max).abs().max_element() < slack, "{shape:?}: {most} {}", aabb.max);
        }
    }

    #[test]
    fn a_half_space_is_drawn_as_its_plane() {
        let floor: Shape = Halfspace::new(DVec3::X, 2.0).unwrap().into();
        let part = &Figure::new(&floor).parts[0];
        assert!((part.rotation * DVec3::Z - DVec3::X).length() < 1e-12);
        assert_eq!(part.at, DVec3::X * 2.0);
    }
}
