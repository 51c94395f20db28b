//! Queries as they are written down.

use glam::DVec3;
use serde::ser::{Serialize, SerializeMap};

use super::fields::Fields;
use super::{PoseSpec, RecordError, ShapeSpec};
use crate::math::Pose;
use crate::shape::Shape;

const AVAILABLE: [&str; 5] = ["intersects", "contacts", "ray", "closest_point", "contains"];
/// Queries of the format that are still to come.
const NOT_YET: [&str; 12] = [
    "manifold",
    "distance",
    "within",
    "local_minima",
    "penetration",
    "sweep",
    "ccd_vertex_face",
    "ccd_edge_edge",
    "hull",
    "bounds",
    "mass",
    "pairs",
];

/// A shape and where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Posed {
    /// The shape in its own frame.
    pub shape: ShapeSpec,
    /// Where its frame is in the world.
    pub pose: PoseSpec,
}

impl Posed {
    /// Writes down a shape and its pose; replayed, they are the same geometry bit for bit.
    ///
    /// A sphere off the origin is recorded as one on the origin of a moved frame.
    pub fn of(shape: &Shape, pose: &Pose) -> Self {
        let here = |shape| Self { shape, pose: PoseSpec::of(pose) };
        let inline = |mesh: &crate::Mesh, solid| ShapeSpec::Inline {
            vertices: mesh.vertices().to_vec(),
            triangles: mesh.triangles().to_vec(),
            solid,
        };
        match shape {
            Shape::Mesh(mesh) => here(inline(mesh, false)),
            Shape::Solid(solid) => here(inline(solid.mesh(), true)),
            Shape::Triangle(t) => here(ShapeSpec::Triangle { triangle: t.corners() }),
            Shape::Segment(s) => here(ShapeSpec::Segment { segment: [s.a, s.b] }),
            Shape::Point(p) => here(ShapeSpec::Point { point: *p }),
            Shape::Cuboid(c) => here(ShapeSpec::Cuboid { half: c.half }),
            Shape::Halfspace(h) => {
                here(ShapeSpec::Halfspace { halfspace: [h.normal.x, h.normal.y, h.normal.z, h.offset] })
            }
            Shape::Capsule(_)
            | Shape::Cylinder(_)
            | Shape::Cone(_)
            | Shape::Ellipsoid(_)
            | Shape::Hull(_)
            | Shape::Compound(_) => todo!(),
            Shape::Sphere(s) => Self {
                shape: ShapeSpec::Sphere { sphere: s.radius },
                pose: match Pose::from_matrix(pose.rotation(), pose.apply(s.center)) {
                    Ok(moved) => PoseSpec::of(&moved),
                    Err(_) => PoseSpec::of(pose),
                },
            },
        }
    }

    fn read(
        fields: &mut Fields<'_>,
        shape: &'static str,
        pose: &'static str,
        owner: &str,
    ) -> Result<Self, RecordError> {
        let missing = || RecordError::Missing { field: shape, owner: owner.to_owned() };
        Ok(Self {
            shape: fields.nested(shape, ShapeSpec::parse)?.ok_or_else(missing)?,
            pose: fields.nested(pose, PoseSpec::parse)?.unwrap_or(PoseSpec::IDENTITY),
        })
    }
}

/// A question about one or two posed shapes.
#[derive(Debug, Clone, PartialEq)]
pub enum Query {
    /// Do the shapes have a point in common?
    Intersects {
        /// The first shape.
        a: Posed,
        /// The second shape.
        b: Posed,
    },
    /// Which triangles of two meshes meet?
    Contacts {
        /// The first mesh.
        a: Posed,
        /// The second mesh.
        b: Posed,
        /// How many pairs to list; all if absent. They are counted in any case.
        max: Option<usize>,
    },
    /// Where does a ray first meet the shape?
    Ray {
        /// The shape.
        a: Posed,
        /// Start of the ray in the world.
        origin: DVec3,
        /// Direction of the ray, of any length but zero.
        direction: DVec3,
        /// How far to go, in units of the direction's length; without end if absent.
        max: Option<f64>,
    },
    /// Which point of the shape is closest to a point?
    ClosestPoint {
        /// The shape.
        a: Posed,
        /// The point in the world.
        point: DVec3,
    },
    /// Is a point inside the shape or on its surface?
    Contains {
        /// The shape, a solid one.
        a: Posed,
        /// The point in the world.
        point: DVec3,
    },
}

impl Query {
    /// The name by which the query is written.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Intersects { .. } => "intersects",
            Self::Contacts { .. } => "contacts",
            Self::Ray { .. } => "ray",
            Self::ClosestPoint { .. } => "closest_point",
            Self::Contains { .. } => "contains",
        }
    }

    /// The shapes it is about, each with the field that it stands in.
    pub fn shapes(&self) -> Vec<(&'static str, &ShapeSpec)> {
        match self {
            Self::Intersects { a, b } | Self::Contacts { a, b, .. } => vec![("a", &a.shape), ("b", &b.shape)],
            Self::Ray { a, .. } | Self::ClosestPoint { a, .. } | Self::Contains { a, .. } => {
                vec![("a", &a.shape)]
            }
        }
    }

    /// Takes what belongs to the query `name` out of the fields of a line.
    pub(super) fn read(name: &str, fields: &mut Fields<'_>) -> Result<Self, RecordError> {
        let owner = owner(name);
        let known = || AVAILABLE.join(", ");
        if !AVAILABLE.contains(&name) {
            let name = name.to_owned();
            let later = NOT_YET.contains(&name.as_str());
            return Err(if later {
                RecordError::QueryNotYet { name, known: known() }
            } else {
                RecordError::UnknownQuery {
                    name,
                    known: AVAILABLE.into_iter().chain(NOT_YET).collect::<Vec<_>>().join(", "),
                }
            });
        }
        let a = Posed::read(fields, "a", "pose_a", &owner)?;
        Ok(match name {
            "intersects" => Self::Intersects { a, b: Posed::read(fields, "b", "pose_b", &owner)? },
            "contacts" => {
                let b = Posed::read(fields, "b", "pose_b", &owner)?;
                Self::Contacts { a, b, max: fields.optional("max")? }
            }
            "ray" => {
                let (origin, direction) =
                    (fields.required("origin", &owner)?, fields.required("direction", &owner)?);
                Self::Ray { a, origin, direction, max: not_negative(fields, "max")? }
            }
            "closest_point" => Self::ClosestPoint { a, point: fields.required("point", &owner)? },
            _ => Self::Contains { a, point: fields.required("point", &owner)? },
        })
    }

    /// Writes what belongs to the query into a line.
    pub(super) fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("query", self.name())?;
        let mut posed = |shape, pose, posed: &Posed| {
            map.serialize_entry(shape, &posed.shape)?;
            if posed.pose == PoseSpec::IDENTITY { Ok(()) } else { map.serialize_entry(pose, &posed.pose) }
        };
        match self {
            Self::Intersects { a, b } | Self::Contacts { a, b, .. } => {
                posed("a", "pose_a", a)?;
                posed("b", "pose_b", b)?;
            }
            Self::Ray { a, .. } | Self::ClosestPoint { a, .. } | Self::Contains { a, .. } => {
                posed("a", "pose_a", a)?;
            }
        }
        match self {
            Self::Intersects { .. } => Ok(()),
            Self::Contacts { max, .. } => entry(map, "max", max.as_ref()),
            Self::Ray { origin, direction, max, .. } => {
                map.serialize_entry("origin", origin)?;
                map.serialize_entry("direction", direction)?;
                entry(map, "max", max.as_ref())
            }
            Self::ClosestPoint { point, .. } | Self::Contains { point, .. } => {
                map.serialize_entry("point", point)
            }
        }
    }
}

/// How errors call a query.
pub(super) fn owner(name: &str) -> String {
    format!("the query \"{name}\"")
}

/// The field if it is there; it must not be negative.
pub(super) fn not_negative(fields: &mut Fields<'_>, name: &'static str) -> Result<Option<f64>, RecordError> {
    match fields.optional(name)? {
        Some(value) if value < 0.0 => Err(RecordError::Negative { value }.inside(name)),
        value => Ok(value),
    }
}

fn entry<M: SerializeMap>(
    map: &mut M,
    name: &'static str,
    value: Option<&impl Serialize>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(name, value))
}
