//! Queries as they are written down.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use sudar::DVec3;
use sudar::convex::Accuracy;
use sudar::query::{DistanceOptions, Layer};

use crate::error::RecordError;
use crate::fields::{Fields, not_negative};
use crate::pose::PoseSpec;
use crate::shape::{Posed, ShapeSpec};

/// The names of all queries, as errors list them.
const AVAILABLE: &str = "intersects, contacts, manifold, distance, within, local_minima, penetration, sweep, \
    ccd_vertex_face, ccd_edge_edge, ray, closest_point, contains, hull, bounds, mass, pairs";

/// How wide an interval may be.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct AccuracySpec {
    /// The field `abs`; 0 if absent.
    #[serde(rename = "abs", skip_serializing_if = "Option::is_none")]
    pub absolute: Option<f64>,
    /// The field `rel`, a fraction of the upper end; 1e-9 if absent.
    #[serde(rename = "rel", skip_serializing_if = "Option::is_none")]
    pub relative: Option<f64>,
}

impl AccuracySpec {
    fn read(fields: &mut Fields<'_>) -> Result<Self, RecordError> {
        Ok(Self {
            absolute: fields.nested("abs", not_negative)?,
            relative: fields.nested("rel", not_negative)?,
        })
    }

    /// Options of the distance.
    pub fn search(&self, max: Option<f64>) -> DistanceOptions {
        let Accuracy { absolute, relative } = self.accuracy();
        DistanceOptions { absolute, relative, max: max.unwrap_or(f64::INFINITY) }
    }

    /// With the values of absent fields.
    pub fn accuracy(&self) -> Accuracy {
        Accuracy { absolute: self.absolute.unwrap_or(0.0), relative: self.relative.unwrap_or(1e-9) }
    }
}

/// Method by which `contains` decides between inside and outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InsideMethod {
    /// Exactly; an error for a shape without an inside.
    Exact,
    /// Exactly where the shape has an inside; by the winding number of its triangles where it has none, such
    /// as an open mesh.
    Winding,
}

/// The least gap that counts as contact, and how much more may, as written.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct ToleranceSpec {
    /// The field `separation`; 0 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub separation: Option<f64>,
    /// The field `delta`; a millionth of the size of the scene if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<f64>,
}

impl ToleranceSpec {
    fn read(fields: &mut Fields<'_>) -> Result<Self, RecordError> {
        match fields.nested("delta", not_negative)? {
            Some(0.0) => Err(RecordError::ZeroDelta.inside("delta")),
            delta => Ok(Self { separation: fields.nested("separation", not_negative)?, delta }),
        }
    }
}

/// Which of four moving corners belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corners {
    /// A vertex, then the three corners of a face.
    VertexFace,
    /// The ends of one edge, then those of another.
    EdgeEdge,
}

impl Corners {
    /// The name of the query about them.
    pub fn name(self) -> &'static str {
        match self {
            Self::VertexFace => "ccd_vertex_face",
            Self::EdgeEdge => "ccd_edge_edge",
        }
    }
}

/// Four corners that move on straight lines.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PassageSpec {
    /// What they are corners of.
    #[serde(skip)]
    pub corners: Corners,
    /// Where they are at time 0.
    pub start: [DVec3; 4],
    /// Where they are at time 1.
    pub end: [DVec3; 4],
    /// What counts as contact.
    #[serde(flatten)]
    pub tolerance: ToleranceSpec,
}

impl PassageSpec {
    fn read(corners: Corners, fields: &mut Fields<'_>) -> Result<Self, RecordError> {
        let mut four = |name| -> Result<[DVec3; 4], RecordError> {
            let points: [DVec3; 4] = fields.required(name)?;
            let far = points.iter().any(|p| p.abs().max_element() > 1e90);
            if far { Err(RecordError::PointTooFar.inside(name)) } else { Ok(points) }
        };
        let (start, end) = (four("start")?, four("end")?);
        Ok(Self { corners, start, end, tolerance: ToleranceSpec::read(fields)? })
    }

    /// The name by which it is written.
    pub fn name(&self) -> &'static str {
        self.corners.name()
    }
}

/// How to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MassMethod {
    /// By integrals over the surface.
    #[default]
    Exact,
    /// By rays through a grid, which also does for open meshes.
    Voxel,
}

/// The fields of the query beside the shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct MassSpec {
    /// How to measure; exactly if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<MassMethod>,
    /// Cells along the longest side, for voxels; 100 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<u32>,
    /// Along how many axes rays go, for voxels; 3 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axes: Option<u32>,
}

impl MassSpec {
    fn read(fields: &mut Fields<'_>) -> Result<Self, RecordError> {
        let method = fields.optional("method")?;
        Ok(Self { method, cells: fields.optional("cells")?, axes: fields.optional("axes")? })
    }
}

/// A question about posed shapes, or about what needs none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Query {
    /// About two shapes.
    Pair {
        /// The first shape.
        #[serde(flatten, serialize_with = "as_a")]
        a: Posed,
        /// The second shape.
        #[serde(flatten, serialize_with = "as_b")]
        b: Box<Posed>,
        /// The question.
        #[serde(flatten)]
        ask: PairQuery,
    },
    /// About one shape.
    Body {
        /// The shape.
        #[serde(flatten, serialize_with = "as_a")]
        a: Posed,
        /// The question.
        #[serde(flatten)]
        ask: BodyQuery,
    },
    /// When do moving corners of a vertex and a face, or of two edges, first meet?
    Passage(PassageSpec),
    /// What is the convex hull of these points?
    Hull {
        /// Any number of points.
        points: Vec<DVec3>,
    },
    /// Which are the bounding volumes of these points?
    Bounds {
        /// One point at least.
        points: Vec<DVec3>,
    },
    /// Which of these boxes overlap?
    Pairs {
        /// The boxes.
        #[serde(flatten)]
        boxes: Boxes,
        /// Name of the algorithm, one of [`sudar_classic::ALL_BROAD_PHASES`]; `auto` if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        algorithm: Option<String>,
        /// Whether to list the pairs, which are counted in any case; they are if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        list: Option<bool>,
    },
}

/// A question about two posed shapes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum PairQuery {
    /// Do the shapes have a point in common?
    Intersects {},
    /// Which triangles of two meshes meet?
    Contacts {
        /// How many pairs to list; all if absent. They are counted in any case.
        #[serde(skip_serializing_if = "Option::is_none")]
        max: Option<usize>,
    },
    /// Where do the shapes touch, and how deep?
    Manifold {
        /// How far apart points may be and still count; 0 if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        margin: Option<f64>,
    },
    /// How far apart are the shapes?
    Distance {
        /// How exactly.
        #[serde(flatten)]
        accuracy: AccuracySpec,
        /// Beyond this, any distance will do; without limit if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        max: Option<f64>,
    },
    /// Are the shapes no farther apart than this?
    Within {
        /// The distance in question.
        tolerance: f64,
    },
    /// Where are the shapes nearer to each other than around?
    LocalMinima {
        /// Places farther apart than this are not of interest.
        tolerance: f64,
    },
    /// How far apart are the shapes, or how deep in each other?
    Penetration(AccuracySpec),
    /// When do two moving shapes first meet? The origins move at constant velocities, turning by the shortest turns.
    Sweep {
        /// The pose of the first shape at time 1; the same if absent.
        #[serde(rename = "pose_a_end", skip_serializing_if = "Option::is_none")]
        a_end: Option<Box<PoseSpec>>,
        /// The pose of the second shape at time 1; the same if absent.
        #[serde(rename = "pose_b_end", skip_serializing_if = "Option::is_none")]
        b_end: Option<Box<PoseSpec>>,
        /// What counts as contact.
        #[serde(flatten)]
        tolerance: ToleranceSpec,
    },
}

/// A question about one posed shape.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum BodyQuery {
    /// Where does a ray first meet the shape?
    Ray {
        /// Start of the ray in the world.
        origin: DVec3,
        /// Direction of the ray, of any length but zero.
        direction: DVec3,
        /// How far to go, in units of the direction's length; without end if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        max: Option<f64>,
    },
    /// Which point of the shape is closest to a point?
    ClosestPoint {
        /// The point in the world.
        point: DVec3,
    },
    /// Is a point inside the shape, a solid one unless the method is for any, or on its surface?
    Contains {
        /// The point in the world.
        point: DVec3,
        /// How to tell; exactly if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        method: Option<InsideMethod>,
    },
    /// What are volume, centre of mass and inertia tensor of the shape?
    Mass(MassSpec),
    /// Which are its bounding volumes?
    Bounds {},
}

/// The boxes of a query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Boxes {
    /// minx, miny, minz, maxx, maxy, maxz of each.
    #[serde(rename = "boxes")]
    Inline(Vec<[f64; 6]>),
    /// A file of them, which whoever reads files puts in place before the query is prepared.
    #[serde(rename = "boxes_file")]
    File(String),
}

fn as_a<S: Serializer>(posed: &Posed, serializer: S) -> Result<S::Ok, S::Error> {
    as_fields(posed, ["a", "pose_a"], serializer)
}

fn as_b<S: Serializer>(posed: &Posed, serializer: S) -> Result<S::Ok, S::Error> {
    as_fields(posed, ["b", "pose_b"], serializer)
}

/// A shape and its pose, if that is any, in two fields.
fn as_fields<S: Serializer>(posed: &Posed, names: [&str; 2], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry(names[0], &posed.shape)?;
    if !posed.pose.is_identity() {
        map.serialize_entry(names[1], &posed.pose)?;
    }
    map.end()
}

/// What is built for most queries about two bodies.
const PAIR: &[Layer] = &[Layer::Tree, Layer::OrientedBoxes, Layer::Slabs, Layer::Pieces];
const MINIMA: &[Layer] = &[Layer::Tree, Layer::OrientedBoxes, Layer::Slabs, Layer::Pieces, Layer::Stars];
const CONTACTS: &[Layer] =
    &[Layer::Tree, Layer::OrientedBoxes, Layer::Slabs, Layer::Pieces, Layer::Stars, Layer::Facets];
const TREE: &[Layer] = &[Layer::Tree];
const WINDINGS: &[Layer] = &[Layer::Tree, Layer::Windings];

impl Query {
    /// Its name, and what is built of the bodies it is about.
    fn facts(&self) -> (&'static str, &'static [Layer]) {
        match self {
            Self::Pair { ask, .. } => match ask {
                PairQuery::Intersects {} => ("intersects", PAIR),
                PairQuery::Contacts { .. } => ("contacts", PAIR),
                PairQuery::Manifold { .. } => ("manifold", CONTACTS),
                PairQuery::Distance { .. } => ("distance", PAIR),
                PairQuery::Within { .. } => ("within", PAIR),
                PairQuery::LocalMinima { .. } => ("local_minima", MINIMA),
                PairQuery::Penetration(_) => ("penetration", PAIR),
                PairQuery::Sweep { .. } => ("sweep", CONTACTS),
            },
            Self::Body { ask, .. } => match ask {
                BodyQuery::Ray { .. } => ("ray", TREE),
                BodyQuery::ClosestPoint { .. } => ("closest_point", TREE),
                BodyQuery::Contains { method: Some(InsideMethod::Winding), .. } => ("contains", WINDINGS),
                BodyQuery::Contains { .. } => ("contains", TREE),
                BodyQuery::Mass(_) => ("mass", &[]),
                BodyQuery::Bounds {} => ("bounds", &[]),
            },
            Self::Passage(spec) => (spec.name(), &[]),
            Self::Hull { .. } => ("hull", &[]),
            Self::Bounds { .. } => ("bounds", &[]),
            Self::Pairs { .. } => ("pairs", &[]),
        }
    }

    /// The name by which the query is written.
    pub fn name(&self) -> &'static str {
        self.facts().0
    }

    /// The shapes it is about, each with the field that it stands in.
    pub fn shapes(&self) -> Vec<(&'static str, &ShapeSpec)> {
        match self {
            Self::Pair { a, b, .. } => vec![("a", &a.shape), ("b", &b.shape)],
            Self::Body { a, .. } => vec![("a", &a.shape)],
            Self::Passage(_) | Self::Hull { .. } | Self::Bounds { .. } | Self::Pairs { .. } => Vec::new(),
        }
    }

    /// What is built over the triangles of its shapes before or while it is answered, see [`Body::prepare`]; for some
    /// shapes less of it is needed.
    ///
    /// [`Body::prepare`]: sudar::query::Body::prepare
    pub fn layers(&self) -> &'static [Layer] {
        self.facts().1
    }

    /// Takes what belongs to the query out of the fields of a line.
    pub(super) fn read(fields: &mut Fields<'_>) -> Result<Self, RecordError> {
        let name: String = fields.required("query")?;
        fields.owner = format!("the query \"{name}\"");
        let unknown = RecordError::UnknownQuery(name.clone(), AVAILABLE);
        match name.as_str() {
            "hull" => Ok(Self::Hull { points: fields.required("points")? }),
            "ccd_vertex_face" => PassageSpec::read(Corners::VertexFace, fields).map(Self::Passage),
            "ccd_edge_edge" => PassageSpec::read(Corners::EdgeEdge, fields).map(Self::Passage),
            "pairs" => Self::read_pairs(fields),
            "bounds" => match fields.optional("points")? {
                Some(_) if fields.has("a") => Err(RecordError::Both("`a` or `points`")),
                Some(points) => Ok(Self::Bounds { points }),
                None => Ok(Self::Body { a: one(fields)?, ask: BodyQuery::Bounds {} }),
            },
            "ray" | "closest_point" | "contains" | "mass" => {
                Ok(Self::Body { a: one(fields)?, ask: BodyQuery::read(&name, fields)? })
            }
            _ if !AVAILABLE.split(", ").any(|known| known == name) => Err(unknown),
            _ => {
                let (a, b) = (one(fields)?, Posed::read(fields, ["b", "pose_b"])?);
                Ok(Self::Pair { a, b: Box::new(b), ask: PairQuery::read(&name, fields)? })
            }
        }
    }

    fn read_pairs(fields: &mut Fields<'_>) -> Result<Self, RecordError> {
        let (algorithm, list) = (fields.optional("algorithm")?, fields.optional("list")?);
        let boxes = match fields.optional("boxes_file")? {
            Some(_) if fields.has("boxes") => return Err(RecordError::Both("`boxes` or `boxes_file`")),
            Some(path) => Boxes::File(path),
            None => Boxes::Inline(fields.required("boxes")?),
        };
        Ok(Self::Pairs { boxes, algorithm, list })
    }
}

impl PairQuery {
    fn read(name: &str, fields: &mut Fields<'_>) -> Result<Self, RecordError> {
        Ok(match name {
            "intersects" => Self::Intersects {},
            "contacts" => Self::Contacts { max: fields.optional("max")? },
            "manifold" => Self::Manifold { margin: fields.nested("margin", not_negative)? },
            "distance" => {
                let accuracy = AccuracySpec::read(fields)?;
                Self::Distance { accuracy, max: fields.nested("max", not_negative)? }
            }
            "within" => Self::Within { tolerance: fields.needed("tolerance", not_negative)? },
            "local_minima" => Self::LocalMinima { tolerance: fields.needed("tolerance", not_negative)? },
            "penetration" => Self::Penetration(AccuracySpec::read(fields)?),
            _ => Self::Sweep {
                a_end: fields.nested("pose_a_end", PoseSpec::parse)?.map(Box::new),
                b_end: fields.nested("pose_b_end", PoseSpec::parse)?.map(Box::new),
                tolerance: ToleranceSpec::read(fields)?,
            },
        })
    }
}

impl BodyQuery {
    fn read(name: &str, fields: &mut Fields<'_>) -> Result<Self, RecordError> {
        Ok(match name {
            "ray" => {
                let (origin, direction) = (fields.required("origin")?, fields.required("direction")?);
                Self::Ray { origin, direction, max: fields.nested("max", not_negative)? }
            }
            "closest_point" => Self::ClosestPoint { point: fields.required("point")? },
            "contains" => {
                Self::Contains { point: fields.required("point")?, method: fields.optional("method")? }
            }
            _ => Self::Mass(MassSpec::read(fields)?),
        })
    }
}

fn one(fields: &mut Fields<'_>) -> Result<Posed, RecordError> {
    Posed::read(fields, ["a", "pose_a"])
}
