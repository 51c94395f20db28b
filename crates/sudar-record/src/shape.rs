//! Shapes as they are written in query lines.

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;
use sudar::glam::{DVec2, DVec3};
use sudar::hull::convex_hull;
use sudar::math::Pose;
use sudar::shape::{
    Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, Halfspace, HeightField, Mesh, PointCloud, Segment,
    Shape, Solid, Sphere, Triangle,
};

use crate::error::{RecordError, Result};
use crate::fields::{Fields, check_nesting, from_json, not_negative};
use crate::pose::PoseSpec;

/// A shape and where it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Posed {
    /// The shape in its own frame.
    pub shape: ShapeSpec,
    /// Where its frame is in the world, or in that of the compound that it is a part of.
    #[serde(skip_serializing_if = "PoseSpec::is_identity")]
    pub pose: PoseSpec,
}

/// A shape as written, in its body's frame, in metres.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ShapeSpec {
    /// `{"sphere":r}`, centred on the origin.
    Sphere(f64),
    /// `{"box":[hx,hy,hz]}`: half extents, centred on the origin.
    #[serde(rename = "box")]
    Cuboid(DVec3),
    /// `{"capsule":[r,h]}`, along z: radius and half the length of the axis.
    Capsule([f64; 2]),
    /// `{"cylinder":[r,h]}`, along z: radius and half the height.
    Cylinder([f64; 2]),
    /// `{"cone":[r,h]}`, its apex at z = h and its base of radius r at z = −h.
    Cone([f64; 2]),
    /// `{"ellipsoid":[a,b,c]}`: semi-axes, centred on the origin.
    Ellipsoid(DVec3),
    /// `{"hull":[[x,y,z],…]}`: the convex hull of any points; those inside may be left out.
    Hull(Vec<DVec3>),
    /// `{"halfspace":[nx,ny,nz,d]}`: the points with n·x ≤ d.
    Halfspace([f64; 4]),
    /// `{"triangle":[p,q,r]}`.
    Triangle([DVec3; 3]),
    /// `{"segment":[p,q]}`.
    Segment([DVec3; 2]),
    /// `{"point":p}`.
    Point(DVec3),
    /// `{"heightfield":{"heights":[[…],…],"cell":[dx,dy]}}`.
    HeightField {
        /// Heights row by row, along x within a row, rows of equal length; `null` where a sample is missing, which
        /// makes holes of the cells around it.
        heights: Vec<Vec<Option<f64>>>,
        /// The size of a cell along x and y.
        cell: DVec2,
    },
    /// `{"points":[[x,y,z],…]}`: a point cloud.
    #[serde(rename = "points")]
    PointCloud(Vec<DVec3>),
    /// `{"compound":[{"shape":{…},"pose":{…}},…]}`: several shapes as one, each posed in the frame of the whole; a
    /// compound among them stands for its own parts.
    Compound(Vec<Posed>),
    /// `{"mesh":"path"}`, optionally with `"part":"name"`, `"weld":d` and `"solid":true`.
    #[serde(untagged)]
    File {
        /// Path of the file, as written.
        mesh: String,
        /// Name of the part; all parts together if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        part: Option<String>,
        /// How far apart vertices may be to become one point first, see [`Mesh::welded`]; none are if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        weld: Option<f64>,
        /// Whether the inside belongs to the shape.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        solid: bool,
    },
    /// `{"vertices":[[x,y,z],…],"triangles":[[i,j,k],…],"solid":false}`.
    #[serde(untagged)]
    Inline {
        /// Vertex positions.
        vertices: Vec<DVec3>,
        /// Vertex numbers from 0.
        triangles: Vec<[u32; 3]>,
        /// Whether the inside belongs to the shape.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        solid: bool,
    },
}

impl ShapeSpec {
    /// Reads a shape.
    ///
    /// # Errors
    /// [`RecordError`] naming the field.
    pub fn parse(text: &str) -> Result<Self> {
        // Compounds may hold compounds, so that nesting has to end somewhere.
        check_nesting(text)?;
        Self::within(text)
    }

    /// Reads a shape inside what was checked.
    fn within(text: &str) -> Result<Self> {
        Fields::read(text, "a shape", read_kind)
    }

    /// The shape. `load` gives the mesh of a file, or of one named part of it, or says why not.
    ///
    /// # Errors
    /// [`RecordError`] of the constructor of the shape, or [`RecordError::File`] from `load`.
    pub fn shape(
        &self,
        mut load: impl FnMut(&str, Option<&str>) -> Result<Arc<Mesh>, String>,
    ) -> Result<Shape> {
        self.loaded(&mut load)
    }

    fn loaded(&self, load: &mut Load<'_>) -> Result<Shape> {
        Ok(match self {
            Self::File { mesh, part, weld, solid } => {
                let mesh = load(mesh, part.as_deref()).map_err(RecordError::File)?;
                surface_or_solid(welded(mesh, *weld)?, *solid)?
            }
            Self::Inline { vertices, triangles, solid } => {
                surface_or_solid(Arc::new(Mesh::new(vertices.clone(), triangles.clone())?), *solid)?
            }
            Self::Sphere(sphere) => Shape::Sphere(Sphere::new(DVec3::ZERO, *sphere)?),
            Self::Cuboid(half) => Shape::Cuboid(Cuboid::new(*half)?),
            Self::Capsule([r, h]) => Shape::Capsule(Capsule::new(*r, *h)?),
            Self::Cylinder([r, h]) => Shape::Cylinder(Cylinder::new(*r, *h)?),
            Self::Cone([r, h]) => Shape::Cone(Cone::new(*r, *h)?),
            Self::Ellipsoid(ellipsoid) => Shape::Ellipsoid(Ellipsoid::new(*ellipsoid)?),
            Self::Hull(hull) => Shape::Hull(Arc::new(convex_hull(hull)?)),
            Self::Halfspace([x, y, z, d]) => Shape::Halfspace(Halfspace::new(DVec3::new(*x, *y, *z), *d)?),
            Self::Triangle([p, q, r]) => Shape::Triangle(Triangle::new(*p, *q, *r)?),
            Self::Segment([p, q]) => Shape::Segment(Segment::new(*p, *q)?),
            Self::Point(point) => Shape::point(*point)?,
            Self::HeightField { heights, cell } => HeightField::from_rows(heights, *cell)?.into(),
            Self::PointCloud(points) => Shape::PointCloud(Arc::new(PointCloud::new(points.clone())?)),
            Self::Compound(compound) => {
                let part = |(i, part): (usize, &Posed)| {
                    let shape = part.shape.loaded(load).map_err(|e| e.inside_element(i))?;
                    let pose = part.pose.pose(&shape).map_err(|e| e.inside("pose").inside_element(i))?;
                    Ok((shape, pose))
                };
                let parts = compound.iter().enumerate().map(part).collect::<Result<_>>()?;
                Shape::Compound(Arc::new(Compound::new(parts)?))
            }
        })
    }
}

/// What gives the mesh of a file or of one part of it, or says why not.
type Load<'a> = dyn FnMut(&str, Option<&str>) -> Result<Arc<Mesh>, String> + 'a;

/// The field that makes a kind of shape, what errors call the kind, and how it is read.
type Kind = (&'static str, &'static str, fn(&mut Fields<'_>, &'static str) -> Result<ShapeSpec>);

/// All kinds; a shape is of the first that has its field.
const KINDS: [Kind; 16] = [
    ("mesh", "a mesh file", read_file),
    ("vertices", "an inline mesh", read_inline),
    ("sphere", "a sphere", |f, kind| f.required(kind).map(ShapeSpec::Sphere)),
    ("box", "a box", |f, kind| f.required(kind).map(ShapeSpec::Cuboid)),
    ("capsule", "a capsule", |f, kind| f.required(kind).map(ShapeSpec::Capsule)),
    ("cylinder", "a cylinder", |f, kind| f.required(kind).map(ShapeSpec::Cylinder)),
    ("cone", "a cone", |f, kind| f.required(kind).map(ShapeSpec::Cone)),
    ("ellipsoid", "an ellipsoid", |f, kind| f.required(kind).map(ShapeSpec::Ellipsoid)),
    ("hull", "a hull", |f, kind| f.required(kind).map(ShapeSpec::Hull)),
    ("halfspace", "a halfspace", |f, kind| f.required(kind).map(ShapeSpec::Halfspace)),
    ("triangle", "a triangle", |f, kind| f.required(kind).map(ShapeSpec::Triangle)),
    ("segment", "a segment", |f, kind| f.required(kind).map(ShapeSpec::Segment)),
    ("point", "a point", |f, kind| f.required(kind).map(ShapeSpec::Point)),
    ("heightfield", "a height field", |f, kind| f.needed(kind, read_height_field)),
    ("points", "a point cloud", |f, kind| f.required(kind).map(ShapeSpec::PointCloud)),
    ("compound", "a compound", |f, kind| f.needed(kind, read_parts).map(ShapeSpec::Compound)),
];

fn read_kind(fields: &mut Fields<'_>) -> Result<ShapeSpec> {
    let Some((kind, owner, read)) = KINDS.into_iter().find(|(kind, ..)| fields.has(kind)) else {
        return Err(RecordError::UnknownShape(KINDS.map(|(kind, ..)| kind).join(", ")));
    };
    owner.clone_into(&mut fields.owner);
    read(fields, kind)
}

fn read_file(fields: &mut Fields<'_>, kind: &'static str) -> Result<ShapeSpec> {
    Ok(ShapeSpec::File {
        mesh: fields.required(kind)?,
        part: fields.optional("part")?,
        weld: fields.nested("weld", not_negative)?,
        solid: fields.optional("solid")?.unwrap_or(false),
    })
}

fn read_inline(fields: &mut Fields<'_>, kind: &'static str) -> Result<ShapeSpec> {
    Ok(ShapeSpec::Inline {
        vertices: fields.required(kind)?,
        triangles: fields.required("triangles")?,
        solid: fields.optional("solid")?.unwrap_or(false),
    })
}

fn read_height_field(text: &str) -> Result<ShapeSpec> {
    Fields::read(text, "a height field", |fields| {
        Ok(ShapeSpec::HeightField { heights: fields.required("heights")?, cell: fields.required("cell")? })
    })
}

/// The parts of a compound.
fn read_parts(text: &str) -> Result<Vec<Posed>> {
    let parts: Vec<&RawValue> = from_json(text)?;
    let read = |(i, part): (usize, &&RawValue)| {
        let part = Fields::read(part.get(), "a part of a compound", |f| Posed::read(f, ["shape", "pose"]));
        part.map_err(|e| e.inside_element(i))
    };
    parts.iter().enumerate().map(read).collect()
}

impl Posed {
    /// Takes the fields of a shape and of its pose.
    pub(super) fn read(fields: &mut Fields<'_>, [shape, pose]: [&'static str; 2]) -> Result<Self> {
        let shape = fields.needed(shape, ShapeSpec::within)?;
        Ok(Self { shape, pose: fields.nested(pose, PoseSpec::parse)?.unwrap_or(PoseSpec::IDENTITY) })
    }

    /// Writes down a shape and its pose; replayed, they are the same geometry bit for bit.
    ///
    /// A sphere off the origin is recorded as one on the origin of a moved frame.
    pub fn of(shape: &Shape, pose: &Pose) -> Self {
        let moved = if let Shape::Sphere(s) = shape {
            Pose::from_matrix(pose.rotation(), pose.apply(s.center)).unwrap_or(*pose)
        } else {
            *pose
        };
        Self { shape: ShapeSpec::of(shape), pose: PoseSpec::of(&moved) }
    }
}

impl ShapeSpec {
    /// Writes down a shape; of a sphere only how large it is.
    fn of(shape: &Shape) -> Self {
        let inline = |mesh: &Mesh, solid| {
            let (vertices, triangles) = (mesh.vertices().to_vec(), mesh.triangles().to_vec());
            Self::Inline { vertices, triangles, solid }
        };
        match shape {
            Shape::Mesh(mesh) => inline(mesh, false),
            Shape::Solid(solid) => inline(solid.mesh(), true),
            Shape::HeightField(field) => {
                let heights = field.heights().chunks(field.columns()).map(<[_]>::to_vec).collect();
                Self::HeightField { heights, cell: field.cell_size() }
            }
            Shape::PointCloud(cloud) => Self::PointCloud(cloud.points().to_vec()),
            Shape::Triangle(t) => Self::Triangle(t.corners()),
            Shape::Segment(s) => Self::Segment([s.a, s.b]),
            Shape::Point(p) => Self::Point(*p),
            Shape::Sphere(s) => Self::Sphere(s.radius),
            Shape::Cuboid(c) => Self::Cuboid(c.half),
            Shape::Halfspace(h) => Self::Halfspace(h.normal.extend(h.offset).to_array()),
            Shape::Capsule(c) => Self::Capsule([c.radius, c.half_length]),
            Shape::Cylinder(c) => Self::Cylinder([c.radius, c.half_length]),
            Shape::Cone(c) => Self::Cone([c.radius, c.half_length]),
            Shape::Ellipsoid(e) => Self::Ellipsoid(e.radii),
            // The hull of the vertices has the same vertices, edges and faces in the same order.
            Shape::Hull(hull) => Self::Hull(hull.vertices().to_vec()),
            Shape::Compound(compound) => {
                Self::Compound(compound.parts().iter().map(|(shape, pose)| Posed::of(shape, pose)).collect())
            }
        }
    }
}

fn welded(mesh: Arc<Mesh>, tolerance: Option<f64>) -> Result<Arc<Mesh>> {
    let Some(tolerance) = tolerance else { return Ok(mesh) };
    let (welded, _) = mesh.welded(tolerance).map_err(|e| RecordError::from(e).inside("weld"))?;
    Ok(Arc::new(welded))
}

fn surface_or_solid(mesh: Arc<Mesh>, solid: bool) -> Result<Shape> {
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
            r#"{"mesh":"a.obj","weld":1e-6,"solid":true}"#,
            r#"{"vertices":[[0.0,0.0,0.0],[1.0,0.0,0.0],[0.0,1.0,0.0]],"triangles":[[0,1,2]]}"#,
            r#"{"sphere":0.1}"#,
            r#"{"box":[1.0,2.0,0.30000000000000004]}"#,
            r#"{"halfspace":[0.0,0.0,1.0,-0.5]}"#,
            r#"{"triangle":[[0.0,0.0,0.0],[1.0,0.0,0.0],[0.0,1.0,5e-324]]}"#,
            r#"{"segment":[[0.0,0.0,0.0],[1.0,0.0,0.0]]}"#,
            r#"{"point":[1e+89,-0.0,0.0]}"#,
            r#"{"capsule":[0.1,2.0]}"#,
            r#"{"heightfield":{"heights":[[0.0,null,1.0],[0.5,-0.5,0.1]],"cell":[0.5,2.0]}}"#,
            r#"{"points":[[0.0,0.0,0.0],[1.0,0.0,0.0]]}"#,
            r#"{"cylinder":[0.1,2.0]}"#,
            r#"{"cone":[0.1,2.0]}"#,
            r#"{"ellipsoid":[0.1,2.0,3.0]}"#,
            r#"{"hull":[[0.0,0.0,0.0],[1.0,0.0,0.0]]}"#,
            r#"{"compound":[{"shape":{"sphere":1.0}},{"shape":{"mesh":"a.obj","solid":true},"pose":{"translation":[1.0,0.0,0.0],"rotation":[0.0,0.0,0.0,1.0]}}]}"#,
        ];
        for text in texts {
            assert_eq!(serde_json::to_string(&ShapeSpec::parse(text).unwrap()).unwrap(), text);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(error(r#"{"torus":[1,2]}"#).starts_with("no shape is given"));
        assert!(error(r#"{"sphere":1,"box":[1,1,1]}"#).contains("a sphere has no field `box`"));
        assert!(error(r#"{"capsule":[1]}"#).starts_with("`capsule`: invalid length 1"));
    }

    #[test]
    fn a_hull_needs_points_that_can_be_computed_with() {
        assert!(error(r#"{"hull":[]}"#).contains("at least one point"));
        assert!(error(r#"{"hull":[[0,0,0],[0,0,1e91]]}"#).contains("point 1 has a coordinate beyond 1e90"));
        let Shape::Hull(hull) = build(r#"{"hull":[[0,0,0],[1,0,0],[0.5,0,0]]}"#).unwrap() else {
            panic!("no hull")
        };
        assert_eq!((hull.dimension(), hull.sources()), (1, [0, 1].as_slice()));
    }

    #[test]
    fn heights_and_points_say_what_is_wrong() {
        let field =
            |heights: &str| error(&format!(r#"{{"heightfield":{{"heights":{heights},"cell":[1,1]}}}}"#));
        assert!(field("[[0,0]]").contains("at least 2 columns and 2 rows"));
        assert!(field("[[0,0],[0,0,0]]").starts_with("row 1 has 3 heights"));
        assert!(field("[[0,0],[0,null]]").starts_with("no cell of the height field"));
        assert!(field("[[0,0],[0,1e91]]").contains("beyond 1e90"));
        let cell = r#"{"heightfield":{"heights":[[0,0],[0,0]],"cell":[1,0]}}"#;
        assert!(error(cell).starts_with("a cell must have a positive"));
        let without = r#"{"heightfield":{"heights":[[0,0],[0,0]]}}"#;
        assert!(error(without).starts_with("`heightfield`: the field `cell` is missing"));
        assert!(error(r#"{"points":[]}"#).contains("at least one point"));
        assert!(error(r#"{"points":[[0,0,0],[0,0,1e91]]}"#).starts_with("point 1 has a coordinate beyond"));
    }

    #[test]
    fn a_compound_says_which_part_is_wrong() {
        assert!(error(r#"{"compound":[]}"#).contains("at least one shape"));
        assert!(error(r#"{"compound":null}"#).contains("`compound` is missing"));
        let one = |part: &str| error(&format!(r#"{{"compound":[{{"shape":{{"sphere":1}}}},{part}]}}"#));
        assert!(one(r#"{"shape":{"sphere":-1}}"#).starts_with("element 1: "));
        assert_eq!(one(r#"{"shape":{"mesh":"x"}}"#), "element 1: no x None here");
        assert!(one(r#"{"shape":{"compound":[]}}"#).contains("at least one shape"));
        assert!(one(r#"{"pose":{}}"#).contains("element 1: the field `shape` is missing"));
        assert!(
            one(r#"{"shape":{"sphere":1},"pose_a":{}}"#)
                .contains("a part of a compound has no field `pose_a`")
        );
        let bent = r#"{"shape":{"sphere":1},"pose":{"rotation":[0,0,0,2]}}"#;
        assert!(one(bent).starts_with("element 1: `pose`: "));
    }

    #[test]
    fn a_compound_inside_a_compound_works() {
        let text = r#"{"compound":[{"shape":{"sphere":1.0}},{"shape":{"compound":[{"shape":{"box":[1.0,1.0,1.0]},
            "pose":{"translation":[0.0,0.0,2.0]}}]},"pose":{"translation":[3.0,0.0,0.0]}}]}"#;
        let Shape::Compound(whole) = build(text).unwrap() else { panic!("no compound") };
        let places: Vec<DVec3> = whole.parts().iter().map(|(_, pose)| pose.translation()).collect();
        assert_eq!(places, [DVec3::ZERO, DVec3::new(3.0, 0.0, 2.0)]);
        let deep = r#"{"compound":[{"shape":"#.repeat(200) + r#"{"sphere":1}"# + &"}]}".repeat(200);
        assert!(error(&deep).starts_with("brackets are nested deeper than 64"));
    }

    #[test]
    fn constructors_are_heard() {
        assert_eq!(error(r#"{"mesh":"x"}"#), "no x None here");
        assert!(error(r#"{"sphere":-1}"#).contains("positive"));
        assert_eq!(error(r#"{"mesh":"x","weld":-1}"#), "`weld`: must be 0 or more, found -1");
        assert!(error(r#"{"mesh":"x","weld":true}"#).contains("expected a number"));
        assert!(error(r#"{"sphere":"big"}"#).starts_with("`sphere`: invalid type: string"));
        assert_eq!(error(r#"{"point":[1e91,0,0]}"#), "a point must not exceed 1e90; scale the scene down");
        assert!(error(r#"{"halfspace":[0,0,0,1]}"#).contains("zero vector"));
        let one = |tail: &str| error(&format!(r#"{{"vertices":[[0,0,0],[1,0,0],[0,1,0]],{tail}}}"#));
        assert!(one(r#""triangles":[[0,1,3]]"#).contains("names vertex 3"));
        assert!(one(r#""triangles":[[0,1,-1]]"#).starts_with("`triangles`: invalid value"));
        assert!(one(r#""triangles":[]"#).contains("at least one triangle"));
        assert!(one(r#""triangles":[[0,1,2]],"solid":true"#).contains("not closed"));
        assert!(one(r#""solid":true"#).contains("`triangles` is missing"));
    }
}
