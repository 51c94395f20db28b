//! Bodies as lines, to be drawn.

use std::f64::consts::TAU;

use glam::DVec3;

use super::Body;
use crate::shape::{Capsule, Cone, Cylinder, Halfspace, Hull, Mesh, Shape};

/// Lines around a circle.
const SIDES: u32 = 24;
/// Half the side of the square that stands for a plane without end, in metres.
const PLANE: f64 = 1.0;

impl Body {
    /// The body as lines in its own frame: the edges of flat faces, circles of 24 lines for round ones, for a plane
    /// without end a square of two metres with its normal. Points and point clouds have none. O(n log n) for n
    /// triangles.
    ///
    /// ```
    /// use sudar::query::Body;
    /// use sudar::{Cuboid, DVec3};
    ///
    /// let body = Body::new(Cuboid::new(DVec3::ONE)?);
    /// assert_eq!(body.wireframe().len(), 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wireframe(&self) -> Vec<[DVec3; 2]> {
        of_shape(self.shape())
    }
}

fn of_shape(shape: &Shape) -> Vec<[DVec3; 2]> {
    match shape {
        Shape::Mesh(mesh) => edges(mesh),
        Shape::Solid(solid) => edges(solid.mesh()),
        Shape::HeightField(field) => edges(field.mesh()),
        Shape::Triangle(t) => vec![[t.a, t.b], [t.b, t.c], [t.c, t.a]],
        Shape::Segment(segment) => vec![[segment.a, segment.b]],
        Shape::Point(_) | Shape::PointCloud(_) => Vec::new(),
        Shape::Sphere(ball) => globe(ball.center, DVec3::splat(ball.radius)),
        Shape::Ellipsoid(ellipsoid) => globe(DVec3::ZERO, ellipsoid.radii),
        Shape::Cuboid(cuboid) => of_hull(&Hull::from(*cuboid)),
        Shape::Hull(hull) => of_hull(hull),
        Shape::Capsule(capsule) => of_capsule(capsule),
        Shape::Cylinder(Cylinder { radius, half_length }) => {
            let ends = [*half_length, -half_length]
                .map(|z| ring(DVec3::Z * z, [DVec3::X * *radius, DVec3::Y * *radius]));
            let sides = quarters(*radius).map(|p| [p + DVec3::Z * *half_length, p - DVec3::Z * *half_length]);
            ends.into_iter().flatten().chain(sides).collect()
        }
        Shape::Cone(Cone { radius, half_length }) => {
            let (apex, base) = (DVec3::Z * *half_length, DVec3::Z * -half_length);
            let sides = quarters(*radius).map(|p| [apex, base + p]);
            ring(base, [DVec3::X * *radius, DVec3::Y * *radius]).into_iter().chain(sides).collect()
        }
        Shape::Halfspace(plane) => of_plane(plane),
        Shape::Compound(compound) => {
            let parts = compound.parts().iter();
            parts
                .flat_map(|(part, pose)| of_shape(part).into_iter().map(|line| line.map(|p| pose.apply(p))))
                .collect()
        }
    }
}

/// Each edge of a mesh once.
fn edges(mesh: &Mesh) -> Vec<[DVec3; 2]> {
    let sides = mesh.triangles().iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
    let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    edges.dedup();
    let vertex = |i: u32| mesh.vertices()[i as usize];
    edges.into_iter().map(|edge| edge.map(vertex)).collect()
}

fn of_hull(hull: &Hull) -> Vec<[DVec3; 2]> {
    let (vertices, edges) = (hull.vertices(), hull.half_edges());
    if hull.dimension() == 1 {
        return vec![[vertices[0], vertices[1]]];
    }
    let once = (0_u32..).zip(edges).filter(|(number, edge)| *number < edge.twin);
    once.map(|(_, edge)| [edge.origin, edges[edge.twin as usize].origin].map(|i| vertices[i as usize]))
        .collect()
}

/// A part of an ellipse around a middle, from the first of two half-axes on.
fn arc(middle: DVec3, [x, y]: [DVec3; 2], turns: f64, sides: u32) -> Vec<[DVec3; 2]> {
    let at = |k: u32| {
        let (sin, cos) = libm::sincos(TAU * turns * f64::from(k) / f64::from(sides));
        middle + x * cos + y * sin
    };
    (0..sides).map(|k| [at(k), at(k + 1)]).collect()
}

fn ring(middle: DVec3, axes: [DVec3; 2]) -> Vec<[DVec3; 2]> {
    arc(middle, axes, 1.0, SIDES)
}

fn globe(middle: DVec3, radii: DVec3) -> Vec<[DVec3; 2]> {
    let [x, y, z] = [DVec3::X * radii.x, DVec3::Y * radii.y, DVec3::Z * radii.z];
    [[x, y], [y, z], [z, x]].into_iter().flat_map(|axes| ring(middle, axes)).collect()
}

/// Four points of a circle about z.
fn quarters(radius: f64) -> [DVec3; 4] {
    [DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y].map(|way| way * radius)
}

fn of_capsule(capsule: &Capsule) -> Vec<[DVec3; 2]> {
    let (radius, top) = (capsule.radius, DVec3::Z * capsule.half_length);
    let mut lines: Vec<[DVec3; 2]> = quarters(radius).map(|p| [p + top, p - top]).into();
    for end in [top, -top] {
        let out = DVec3::Z * radius.copysign(end.z);
        lines.extend(ring(end, [DVec3::X * radius, DVec3::Y * radius]));
        for side in [DVec3::X, DVec3::Y] {
            lines.extend(arc(end, [side * radius, out], 0.5, SIDES / 2));
        }
    }
    lines
}

fn of_plane(plane: &Halfspace) -> Vec<[DVec3; 2]> {
    let normal = plane.normal.normalize();
    let middle = normal * (plane.offset / plane.normal.length());
    let [x, y] =
        [normal.any_orthonormal_vector(), normal.cross(normal.any_orthonormal_vector())].map(|v| v * PLANE);
    let corners = [middle + x + y, middle - x + y, middle - x - y, middle + x - y];
    let mut lines: Vec<[DVec3; 2]> = (0..4).map(|k| [corners[k], corners[(k + 1) % 4]]).collect();
    lines.push([middle, middle + normal * PLANE]);
    lines
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec2};

    use super::*;
    use crate::hull::convex_hull;
    use crate::math::Pose;
    use crate::query::{DistanceOptions, distance};
    use crate::shape::{
        Compound, Cuboid, Ellipsoid, HeightField, PointCloud, Segment, Solid, Sphere, Triangle,
    };

    /// The corners of all lines are on their body, and no line is drawn twice.
    #[test]
    fn lines_begin_and_end_on_the_body() {
        let half = DVec3::new(0.3, 0.5, 0.7);
        let mesh = Mesh::from_aabb(Cuboid::new(half).unwrap().aabb());
        let tilt = Pose::new(DVec3::X, DQuat::from_rotation_x(0.4)).unwrap();
        let ball = Sphere::new(DVec3::Y, 0.4).unwrap();
        let parts = vec![(Shape::from(ball), tilt), (Cuboid::new(half).unwrap().into(), Pose::IDENTITY)];
        let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE];
        let heights: Vec<f64> = (0..9).map(f64::from).collect();
        let shapes: [(Shape, usize); 16] = [
            (mesh.clone().into(), 18),
            (Solid::new(mesh.into()).unwrap().into(), 18),
            (Triangle::new(DVec3::ZERO, DVec3::X, DVec3::Y).unwrap().into(), 3),
            (Segment::new(DVec3::ZERO, DVec3::X).unwrap().into(), 1),
            (Shape::point(DVec3::X).unwrap(), 0),
            (ball.into(), 72),
            (Cuboid::new(half).unwrap().into(), 12),
            (Capsule::new(0.2, 0.5).unwrap().into(), 4 + 48 + 48),
            (Cylinder::new(0.2, 0.5).unwrap().into(), 48 + 4),
            (Cone::new(0.2, 0.5).unwrap().into(), 24 + 4),
            (Ellipsoid::new(half).unwrap().into(), 72),
            (convex_hull(&points).unwrap().into(), 9),
            (convex_hull(&points[..2]).unwrap().into(), 1),
            (HeightField::new(3, &heights, DVec2::ONE).unwrap().into(), 16),
            (PointCloud::new(points.to_vec()).unwrap().into(), 0),
            (Compound::new(parts).unwrap().into(), 84),
        ];
        for (shape, count) in shapes {
            let body = Body::new(shape);
            let lines = body.wireframe();
            assert_eq!(lines.len(), count, "{:?}", body.shape());
            for end in lines.iter().flatten() {
                let point = Body::new(Shape::point(*end).unwrap());
                let options = DistanceOptions::default();
                let apart = distance(point.at(&Pose::IDENTITY), body.at(&Pose::IDENTITY), &options);
                assert!(apart.interval.lower < 1e-12, "{end} {:?}", body.shape());
            }
            for (k, line) in lines.iter().enumerate() {
                assert!(lines[k + 1..].iter().all(|other| other != line && *other != [line[1], line[0]]));
            }
        }
        let plane = Body::new(Halfspace::new(DVec3::new(0.0, 0.0, 2.0), 3.0).unwrap());
        let lines = plane.wireframe();
        assert!(lines.len() == 5 && lines[..4].iter().flatten().all(|p| (p.z - 1.5).abs() < 1e-12));
    }
}
