//! Shapes with their places as they are written down.

use sudar::math::Pose;
use sudar::shape::Shape;

use crate::pose::PoseSpec;
use crate::shape::{HeightFieldSpec, Posed, ShapeSpec};

impl Posed {
    /// Writes down a shape and its pose; replayed, they are the same geometry bit for bit.
    ///
    /// A sphere off the origin is recorded as one on the origin of a moved frame.
    pub fn of(shape: &Shape, pose: &Pose) -> Self {
        let here = |shape| Self { shape, pose: PoseSpec::of(pose) };
        let inline = |mesh: &sudar::Mesh, solid| ShapeSpec::Inline {
            vertices: mesh.vertices().to_vec(),
            triangles: mesh.triangles().to_vec(),
            solid,
        };
        match shape {
            Shape::Mesh(mesh) => here(inline(mesh, false)),
            Shape::Solid(solid) => here(inline(solid.mesh(), true)),
            Shape::HeightField(field) => here(ShapeSpec::HeightField(HeightFieldSpec::of(field))),
            Shape::PointCloud(cloud) => here(ShapeSpec::PointCloud(cloud.points().to_vec())),
            Shape::Triangle(t) => here(ShapeSpec::Triangle(t.corners())),
            Shape::Segment(s) => here(ShapeSpec::Segment([s.a, s.b])),
            Shape::Point(p) => here(ShapeSpec::Point(*p)),
            Shape::Cuboid(c) => here(ShapeSpec::Cuboid(c.half)),
            Shape::Halfspace(h) => here(ShapeSpec::Halfspace([h.normal.x, h.normal.y, h.normal.z, h.offset])),
            Shape::Capsule(c) => here(ShapeSpec::Capsule([c.radius, c.half_length])),
            Shape::Cylinder(c) => here(ShapeSpec::Cylinder([c.radius, c.half_length])),
            Shape::Cone(c) => here(ShapeSpec::Cone([c.radius, c.half_length])),
            Shape::Ellipsoid(e) => here(ShapeSpec::Ellipsoid(e.radii)),
            // The hull of the vertices has the same vertices, edges and faces in the same order.
            Shape::Hull(hull) => here(ShapeSpec::Hull(hull.vertices().to_vec())),
            Shape::Compound(compound) => {
                let parts = compound.parts().iter().map(|(shape, pose)| Self::of(shape, pose));
                here(ShapeSpec::Compound(parts.collect()))
            }
            Shape::Sphere(s) => Self {
                shape: ShapeSpec::Sphere(s.radius),
                pose: match Pose::from_matrix(pose.rotation(), pose.apply(s.center)) {
                    Ok(moved) => PoseSpec::of(&moved),
                    Err(_) => PoseSpec::of(pose),
                },
            },
        }
    }
}
