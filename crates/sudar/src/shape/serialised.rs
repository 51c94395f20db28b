//! Shapes as serde types: what makes them is written, and read through their constructors.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use glam::{DVec2, DVec3};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, Halfspace, HeightField, Hull, Mesh, PointCloud,
    Segment, Shape, Solid, Sphere, Triangle,
};
use crate::hull::convex_hull;
use crate::math::Pose;

/// What a shape is made of.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "snake_case", deny_unknown_fields)]
enum Written<'s> {
    Mesh(Surface<'s>),
    Solid(Surface<'s>),
    Triangle([DVec3; 3]),
    Segment([DVec3; 2]),
    Point(DVec3),
    Sphere { center: DVec3, radius: f64 },
    Cuboid(DVec3),
    Capsule(Bar),
    Cylinder(Bar),
    Cone(Bar),
    Ellipsoid(DVec3),
    Hull(Polyhedron<'s>),
    Halfspace { normal: DVec3, offset: f64 },
    HeightField { columns: usize, heights: Cow<'s, [Option<f64>]>, cell: DVec2 },
    PointCloud(Cow<'s, [DVec3]>),
    Compound(Cow<'s, [(Shape, Pose)]>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Surface<'s> {
    vertices: Cow<'s, [DVec3]>,
    triangles: Cow<'s, [[u32; 3]]>,
}

/// Something round along z.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bar {
    radius: f64,
    half_length: f64,
}

/// A hull with the loops of its faces, whose order decides which of equal features an answer names.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Polyhedron<'s> {
    vertices: Cow<'s, [DVec3]>,
    sources: Cow<'s, [u32]>,
    faces: Vec<Vec<u32>>,
}

impl<'s> Surface<'s> {
    fn of(mesh: &'s Mesh) -> Self {
        Self { vertices: mesh.vertices().into(), triangles: mesh.triangles().into() }
    }

    fn mesh<E: Error>(self) -> Result<Arc<Mesh>, E> {
        let mesh = Mesh::new(self.vertices.into_owned(), self.triangles.into_owned());
        mesh.map(Arc::new).map_err(E::custom)
    }
}

impl<'s> Polyhedron<'s> {
    fn of(hull: &'s Hull) -> Self {
        let faces = if hull.dimension() < 3 { 0 } else { hull.faces().len() };
        Self {
            vertices: hull.vertices().into(),
            sources: hull.sources().into(),
            faces: (0..faces).map(|i| hull.face(i).collect()).collect(),
        }
    }

    /// The hull of the vertices; by the loops that are written where these are its faces.
    fn hull<E: Error>(self) -> Result<Hull, E> {
        let Self { vertices, sources, faces } = self;
        let made = convex_hull(&vertices).map_err(E::custom)?;
        if made.vertices().len() != vertices.len() || sources.len() != vertices.len() {
            return Err(E::custom(
                "a hull has vertices that are not its corners, or other sources than vertices",
            ));
        }
        let own = (0..made.faces().len()).map(|i| from_least(made.face(i)));
        let same =
            own.collect::<BTreeSet<_>>() == faces.iter().map(|f| from_least(f.iter().copied())).collect();
        if made.dimension() == 3 && same && made.vertices() == &*vertices {
            return Ok(Hull::from_loops(vertices.into_owned(), sources.into_owned(), &faces));
        }
        let sources = sources.into_owned();
        Ok(made.with_sources(|vertex| sources[vertex as usize]))
    }
}

/// A loop of vertices that begins with the least of them.
fn from_least(corners: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut corners: Vec<u32> = corners.collect();
    let first = (0..corners.len()).min_by_key(|i| corners[*i]).unwrap_or(0);
    corners.rotate_left(first);
    corners
}

impl<'s> Written<'s> {
    fn of(shape: &'s Shape) -> Self {
        match shape {
            Shape::Mesh(mesh) => Self::Mesh(Surface::of(mesh)),
            Shape::Solid(solid) => Self::Solid(Surface::of(solid.mesh())),
            Shape::Triangle(Triangle { a, b, c }) => Self::Triangle([*a, *b, *c]),
            Shape::Segment(Segment { a, b }) => Self::Segment([*a, *b]),
            Shape::Point(point) => Self::Point(*point),
            Shape::Sphere(Sphere { center, radius }) => Self::Sphere { center: *center, radius: *radius },
            Shape::Cuboid(Cuboid { half }) => Self::Cuboid(*half),
            Shape::Capsule(Capsule { radius, half_length }) => Self::Capsule(Bar::of(*radius, *half_length)),
            Shape::Cylinder(Cylinder { radius, half_length }) => {
                Self::Cylinder(Bar::of(*radius, *half_length))
            }
            Shape::Cone(Cone { radius, half_length }) => Self::Cone(Bar::of(*radius, *half_length)),
            Shape::Ellipsoid(Ellipsoid { radii }) => Self::Ellipsoid(*radii),
            Shape::Hull(hull) => Self::Hull(Polyhedron::of(hull)),
            Shape::Halfspace(Halfspace { normal, offset }) => {
                Self::Halfspace { normal: *normal, offset: *offset }
            }
            Shape::HeightField(field) => Self::HeightField {
                columns: field.columns(),
                heights: field.heights().into(),
                cell: field.cell_size(),
            },
            Shape::PointCloud(cloud) => Self::PointCloud(cloud.points().into()),
            Shape::Compound(compound) => Self::Compound(compound.parts().into()),
        }
    }

    fn shape<E: Error>(self) -> Result<Shape, E> {
        Ok(match self {
            Self::Mesh(surface) => Shape::Mesh(surface.mesh()?),
            Self::Solid(surface) => Solid::new(surface.mesh()?).map_err(E::custom)?.into(),
            Self::Triangle([a, b, c]) => Triangle::new(a, b, c).map_err(E::custom)?.into(),
            Self::Segment([a, b]) => Segment::new(a, b).map_err(E::custom)?.into(),
            Self::Point(point) => Shape::point(point).map_err(E::custom)?,
            Self::Sphere { center, radius } => Sphere::new(center, radius).map_err(E::custom)?.into(),
            Self::Cuboid(half) => Cuboid::new(half).map_err(E::custom)?.into(),
            Self::Capsule(bar) => Capsule::new(bar.radius, bar.half_length).map_err(E::custom)?.into(),
            Self::Cylinder(bar) => Cylinder::new(bar.radius, bar.half_length).map_err(E::custom)?.into(),
            Self::Cone(bar) => Cone::new(bar.radius, bar.half_length).map_err(E::custom)?.into(),
            Self::Ellipsoid(radii) => Ellipsoid::new(radii).map_err(E::custom)?.into(),
            Self::Hull(polyhedron) => polyhedron.hull()?.into(),
            Self::Halfspace { normal, offset } => Halfspace::new(normal, offset).map_err(E::custom)?.into(),
            Self::HeightField { columns, heights, cell } => {
                HeightField::new(columns, &heights, cell).map_err(E::custom)?.into()
            }
            Self::PointCloud(points) => PointCloud::new(points.into_owned()).map_err(E::custom)?.into(),
            Self::Compound(parts) => Compound::new(parts.into_owned()).map_err(E::custom)?.into(),
        })
    }
}

impl Bar {
    fn of(radius: f64, half_length: f64) -> Self {
        Self { radius, half_length }
    }
}

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written::of(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Written::deserialize(deserializer)?.shape()
    }
}

impl Serialize for Mesh {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Surface::of(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Mesh {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Surface::deserialize(deserializer)?.mesh().map(Arc::unwrap_or_clone)
    }
}
