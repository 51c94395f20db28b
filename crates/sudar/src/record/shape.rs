//! Shapes as they are written in query lines.

use std::sync::Arc;

use glam::DVec3;
use serde::Serialize;

use super::RecordError;
use super::fields::Fields;
use crate::shape::{Cuboid, Halfspace, Mesh, Segment, Shape, Solid, Sphere, Triangle};

/// The field that makes each shape what it is.
const AVAILABLE: [&str; 8] =
    ["mesh", "vertices", "sphere", "box", "halfspace", "triangle", "segment", "point"];
/// Shapes of the format that are still to come.
const NOT_YET: [&str; 5] = ["capsule", "cylinder", "cone", "ellipsoid", "hull"];

/// A shape as written, in its body's frame, in metres.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ShapeSpec {
    /// `{"mesh":"path"}`, optionally with `"part":"name"` and `"solid":true`.
    File {
        /// Path of the file, as written.
        mesh: String,
        /// Name of the part; all parts together if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        part: Option<String>,
        /// Whether the inside belongs to the shape.
        #[serde(skip_serializing_if = "is_false")]
        solid: bool,
    },
    /// `{"vertices":[[x,y,z],…],"triangles":[[i,j,k],…],"solid":false}`.
    Inline {
        /// Vertex positions.
        vertices: Vec<DVec3>,
        /// Vertex numbers from 0.
        triangles: Vec<[u32; 3]>,
        /// Whether the inside belongs to the shape.
        #[serde(skip_serializing_if = "is_false")]
        solid: bool,
    },
    /// `{"sphere":r}`, centred on the origin.
    Sphere {
        /// Radius.
        sphere: f64,
    },
    /// `{"box":[hx,hy,hz]}`, centred on the origin.
    Cuboid {
        /// Half extents.
        #[serde(rename = "box")]
        half: DVec3,
    },
    /// `{"halfspace":[nx,ny,nz,d]}`: the points with n·x ≤ d.
    Halfspace {
        /// Normal and offset.
        halfspace: [f64; 4],
    },
    /// `{"triangle":[p,q,r]}`.
    Triangle {
        /// Corners.
        triangle: [DVec3; 3],
    },
    /// `{"segment":[p,q]}`.
    Segment {
        /// Ends.
        segment: [DVec3; 2],
    },
    /// `{"point":p}`.
    Point {
        /// The point.
        point: DVec3,
    },
}

fn is_false(b: &bool) -> bool {
    !b
}

impl ShapeSpec {
    /// Reads a shape.
    ///
    /// # Errors
    /// [`RecordError`] naming the field; shapes of the format that this version lacks have their own.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let mut fields = Fields::of(text)?;
        let (spec, owner) = read_kind(&mut fields)?;
        fields.finish(owner)?;
        Ok(spec)
    }

    /// The shape. `load` gives the mesh of a file, or of one named part of it, or says why not.
    ///
    /// # Errors
    /// [`RecordError`] of the constructor of the shape, or [`RecordError::File`] from `load`.
    pub fn shape(
        &self,
        load: impl FnOnce(&str, Option<&str>) -> Result<Arc<Mesh>, String>,
    ) -> Result<Shape, RecordError> {
        Ok(match self {
            Self::File { mesh, part, solid } => {
                surface_or_solid(load(mesh, part.as_deref()).map_err(RecordError::File)?, *solid)?
            }
            Self::Inline { vertices, triangles, solid } => {
                surface_or_solid(Arc::new(Mesh::new(vertices.clone(), triangles.clone())?), *solid)?
            }
            Self::Sphere { sphere } => Shape::Sphere(Sphere::new(DVec3::ZERO, *sphere)?),
            Self::Cuboid { half } => Shape::Cuboid(Cuboid::new(*half)?),
            Self::Halfspace { halfspace: [x, y, z, d] } => {
                Shape::Halfspace(Halfspace::new(DVec3::new(*x, *y, *z), *d)?)
            }
            Self::Triangle { triangle: [p, q, r] } => Shape::Triangle(Triangle::new(*p, *q, *r)?),
            Self::Segment { segment: [p, q] } => Shape::Segment(Segment::new(*p, *q)?),
            // A point has no constructor of its own; a segment checks the same range.
            Self::Point { point } => Shape::Point(Segment::new(*point, *point)?.a),
        })
    }
}

/// The shape that the fields name first, and how to call it in errors.
fn read_kind(fields: &mut Fields<'_>) -> Result<(ShapeSpec, &'static str), RecordError> {
    let Some(kind) = AVAILABLE.into_iter().find(|name| fields.has(name)) else {
        return Err(no_shape(fields));
    };
    Ok(match kind {
        "mesh" => {
            let owner = "a mesh file";
            let (mesh, part) = (fields.required(kind, owner)?, fields.optional("part")?);
            (ShapeSpec::File { mesh, part, solid: fields.optional("solid")?.unwrap_or(false) }, owner)
        }
        "vertices" => {
            let owner = "an inline mesh";
            let (vertices, triangles) = (fields.required(kind, owner)?, fields.required("triangles", owner)?);
            (
                ShapeSpec::Inline { vertices, triangles, solid: fields.optional("solid")?.unwrap_or(false) },
                owner,
            )
        }
        "sphere" => (ShapeSpec::Sphere { sphere: fields.required(kind, "a sphere")? }, "a sphere"),
        "box" => (ShapeSpec::Cuboid { half: fields.required(kind, "a box")? }, "a box"),
        "halfspace" => {
            (ShapeSpec::Halfspace { halfspace: fields.required(kind, "a halfspace")? }, "a halfspace")
        }
        "triangle" => (ShapeSpec::Triangle { triangle: fields.required(kind, "a triangle")? }, "a triangle"),
        "segment" => (ShapeSpec::Segment { segment: fields.required(kind, "a segment")? }, "a segment"),
        _ => (ShapeSpec::Point { point: fields.required(kind, "a point")? }, "a point"),
    })
}

fn no_shape(fields: &Fields<'_>) -> RecordError {
    let known = AVAILABLE.join(", ");
    match NOT_YET.into_iter().find(|name| fields.has(name)) {
        Some(name) => RecordError::ShapeNotYet { name, known },
        None => RecordError::UnknownShape { known },
    }
}

fn surface_or_solid(mesh: Arc<Mesh>, solid: bool) -> Result<Shape, RecordError> {
    Ok(if solid { Shape::Solid(Arc::new(Solid::new(mesh)?)) } else { Shape::Mesh(mesh) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(text: &str) -> Result<Shape, RecordError> {
        ShapeSpec::parse(text)?.shape(|path, part| Err(format!("no {path} {part:?} here")))
    }

    fn error(text: &str) -> String {
        build(text).unwrap_err().to_string()
    }

    #[test]
    fn every_available_shape_can_be_written_and_read() {
        let texts = [
            r#"{"mesh":"a.obj"}"#,
            r#"{"mesh":"a.obj","part":"bolt","solid":true}"#,
            r#"{"vertices":[[0.0,0.0,0.0],[1.0,0.0,0.0],[0.0,1.0,0.0]],"triangles":[[0,1,2]]}"#,
            r#"{"sphere":0.1}"#,
            r#"{"box":[1.0,2.0,0.30000000000000004]}"#,
            r#"{"halfspace":[0.0,0.0,1.0,-0.5]}"#,
            r#"{"triangle":[[0.0,0.0,0.0],[1.0,0.0,0.0],[0.0,1.0,5e-324]]}"#,
            r#"{"segment":[[0.0,0.0,0.0],[1.0,0.0,0.0]]}"#,
            r#"{"point":[1e+89,-0.0,0.0]}"#,
        ];
        for text in texts {
            assert_eq!(serde_json::to_string(&ShapeSpec::parse(text).unwrap()).unwrap(), text);
        }
    }

    #[test]
    fn later_shapes_and_nonsense_are_told_apart() {
        assert!(
            error(r#"{"capsule":[1,2]}"#)
                .starts_with("the shape \"capsule\" is not available in this version")
        );
        assert!(error(r#"{"hull":[[0,0,0]]}"#).contains("not available"));
        assert!(error(r#"{"torus":[1,2]}"#).starts_with("no shape is given"));
        assert!(error(r#"{"sphere":1,"box":[1,1,1]}"#).contains("a sphere has no field `box`"));
    }

    #[test]
    fn constructors_are_heard() {
        assert_eq!(error(r#"{"mesh":"x"}"#), "no x None here");
        assert!(error(r#"{"sphere":-1}"#).contains("positive"));
        assert!(error(r#"{"sphere":"big"}"#).starts_with("`sphere`: invalid type: string"));
        assert!(error(r#"{"point":[1e91,0,0]}"#).contains("1e90"));
        assert!(error(r#"{"halfspace":[0,0,0,1]}"#).contains("zero vector"));
        let one = |tail: &str| error(&format!(r#"{{"vertices":[[0,0,0],[1,0,0],[0,1,0]],{tail}}}"#));
        assert!(one(r#""triangles":[[0,1,3]]"#).contains("names vertex 3"));
        assert!(one(r#""triangles":[[0,1,-1]]"#).starts_with("`triangles`: invalid value"));
        assert!(one(r#""triangles":[]"#).contains("at least one triangle"));
        assert!(one(r#""triangles":[[0,1,2]],"solid":true"#).contains("not closed"));
        assert!(one(r#""solid":true"#).contains("`triangles` is missing"));
    }
}
