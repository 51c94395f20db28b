//! Queries as they are written down.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize};
use sudar::DVec3;
use sudar::convex::Accuracy;
use sudar::query::{DistanceOptions, Layer};

use crate::fields::{Fields, not_negative};
use crate::moving::{Corners, PassageSpec, ToleranceSpec};
use crate::posed::{Posed, is_identity};
use crate::{BoundsOf, MassSpec, PoseSpec, RecordError, ShapeSpec};

const AVAILABLE: [&str; 17] = [
    "intersects",
    "contacts",
    "manifold",
    "distance",
    "within",
    "local_minima",
    "penetration",
    "sweep",
    "ccd_vertex_face",
    "ccd_edge_edge",
    "ray",
    "closest_point",
    "contains",
    "hull",
    "bounds",
    "mass",
    "pairs",
];

/// How wide an interval may be.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AccuracySpec {
    /// The field `abs`; 0 if absent.
    pub absolute: Option<f64>,
    /// The field `rel`, a fraction of the upper end; 1e-9 if absent.
    pub relative: Option<f64>,
}

impl AccuracySpec {
    fn read(fields: &mut Fields<'_>) -> Result<Self, RecordError> {
        Ok(Self { absolute: not_negative(fields, "abs")?, relative: not_negative(fields, "rel")? })
    }

    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        entry(map, "abs", self.absolute.as_ref())?;
        entry(map, "rel", self.relative.as_ref())
    }

    /// What it asks of a distance.
    pub fn search(&self, max: Option<f64>) -> DistanceOptions {
        let Accuracy { absolute, relative } = self.accuracy();
        DistanceOptions { absolute, relative, max: max.unwrap_or(f64::INFINITY) }
    }

    /// With the values of absent fields.
    pub fn accuracy(&self) -> Accuracy {
        Accuracy { absolute: self.absolute.unwrap_or(0.0), relative: self.relative.unwrap_or(1e-9) }
    }
}

/// How `contains` tells inside from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InsideMethod {
    /// Exactly; an error for a shape without an inside.
    Exact,
    /// Exactly where the shape has an inside; by the winding number of its triangles where it has none, such
    /// as an open mesh.
    Winding,
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
    /// Where do the shapes touch, and how deep?
    Manifold {
        /// The first shape.
        a: Posed,
        /// The second shape.
        b: Posed,
        /// How far apart points may be and still count; 0 if absent.
        margin: Option<f64>,
    },
    /// How far apart are the shapes?
    Distance {
        /// The first shape.
        a: Posed,
        /// The second shape.
        b: Posed,
        /// How exactly.
        accuracy: AccuracySpec,
        /// Beyond this, any distance will do; without limit if absent.
        max: Option<f64>,
    },
    /// Are the shapes no farther apart than this?
    Within {
        /// The first shape.
        a: Posed,
        /// The second shape.
        b: Posed,
        /// The distance in question.
        tolerance: f64,
    },
    /// Where are the shapes nearer to each other than around?
    LocalMinima {
        /// The first shape.
        a: Posed,
        /// The second shape.
        b: Posed,
        /// Places farther apart than this are not of interest.
        tolerance: f64,
    },
    /// How far apart are the shapes, or how deep in each other?
    Penetration {
        /// The first shape.
        a: Posed,
        /// The second shape.
        b: Posed,
        /// How exactly.
        accuracy: AccuracySpec,
    },
    /// When do two moving shapes first meet? The origins move at constant velocities, turning by the shortest turns.
    Sweep {
        /// The first shape at time 0.
        a: Posed,
        /// The second shape at time 0.
        b: Posed,
        /// The pose of the first shape at time 1; the same if absent.
        a_end: Option<Box<PoseSpec>>,
        /// The pose of the second shape at time 1; the same if absent.
        b_end: Option<Box<PoseSpec>>,
        /// What counts as contact.
        tolerance: ToleranceSpec,
    },
    /// When do moving corners of a vertex and a face, or of two edges, first meet?
    Passage(PassageSpec),
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
        /// The shape, a solid one unless the method is for any.
        a: Posed,
        /// The point in the world.
        point: DVec3,
        /// How to tell; exactly if absent.
        method: Option<InsideMethod>,
    },
    /// What are volume, centre of mass and inertia tensor of the shape?
    Mass {
        /// The shape.
        a: Posed,
        /// How to measure.
        spec: MassSpec,
    },
    /// What is the convex hull of these points?
    Hull {
        /// Any number of points.
        points: Vec<DVec3>,
    },
    /// Which are the bounding volumes?
    Bounds {
        /// Of what.
        of: BoundsOf,
    },
    /// Which of these boxes overlap?
    Pairs {
        /// The boxes.
        boxes: Boxes,
        /// Name of the algorithm, one of [`sudar_classic::ALL_BROAD_PHASES`]; `auto` if absent.
        algorithm: Option<String>,
        /// Whether to list the pairs, which are counted in any case; they are if absent.
        list: Option<bool>,
    },
}

/// The boxes of a query.
#[derive(Debug, Clone, PartialEq)]
pub enum Boxes {
    /// minx, miny, minz, maxx, maxy, maxz of each.
    Inline(Vec<[f64; 6]>),
    /// A file of them, which whoever reads files puts in place before the query is prepared.
    File(String),
}

impl Boxes {
    fn read(fields: &mut Fields<'_>, owner: &str) -> Result<Self, RecordError> {
        match fields.optional("boxes_file")? {
            Some(_) if fields.has("boxes") => Err(RecordError::TwoBoxes),
            Some(path) => Ok(Self::File(path)),
            None => Ok(Self::Inline(fields.required("boxes", owner)?)),
        }
    }
}

impl Query {
    /// The name by which the query is written.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Intersects { .. } => "intersects",
            Self::Contacts { .. } => "contacts",
            Self::Manifold { .. } => "manifold",
            Self::Distance { .. } => "distance",
            Self::Within { .. } => "within",
            Self::LocalMinima { .. } => "local_minima",
            Self::Penetration { .. } => "penetration",
            Self::Sweep { .. } => "sweep",
            Self::Passage(spec) => spec.name(),
            Self::Ray { .. } => "ray",
            Self::ClosestPoint { .. } => "closest_point",
            Self::Contains { .. } => "contains",
            Self::Mass { .. } => "mass",
            Self::Hull { .. } => "hull",
            Self::Bounds { .. } => "bounds",
            Self::Pairs { .. } => "pairs",
        }
    }

    /// The shapes it is about, each with the field that it stands in.
    pub fn shapes(&self) -> Vec<(&'static str, &ShapeSpec)> {
        match self {
            Self::Intersects { a, b }
            | Self::Contacts { a, b, .. }
            | Self::Manifold { a, b, .. }
            | Self::Distance { a, b, .. }
            | Self::Within { a, b, .. }
            | Self::LocalMinima { a, b, .. }
            | Self::Sweep { a, b, .. }
            | Self::Penetration { a, b, .. } => vec![("a", &a.shape), ("b", &b.shape)],
            Self::Ray { a, .. }
            | Self::ClosestPoint { a, .. }
            | Self::Contains { a, .. }
            | Self::Mass { a, .. }
            | Self::Bounds { of: BoundsOf::Shape(a) } => {
                vec![("a", &a.shape)]
            }
            Self::Hull { .. }
            | Self::Bounds { of: BoundsOf::Points(_) }
            | Self::Pairs { .. }
            | Self::Passage(_) => Vec::new(),
        }
    }

    /// What is built over the triangles of its shapes before or while it is answered, see [`Body::prepare`]; for some
    /// shapes less of it is needed.
    ///
    /// [`Body::prepare`]: sudar::query::Body::prepare
    pub fn layers(&self) -> &'static [Layer] {
        match self {
            Self::Intersects { .. }
            | Self::Contacts { .. }
            | Self::Distance { .. }
            | Self::Within { .. }
            | Self::Penetration { .. } => &[Layer::Tree, Layer::OrientedBoxes, Layer::Slabs, Layer::Pieces],
            Self::Manifold { .. } | Self::Sweep { .. } => {
                &[Layer::Tree, Layer::OrientedBoxes, Layer::Slabs, Layer::Pieces, Layer::Stars, Layer::Facets]
            }
            Self::LocalMinima { .. } => {
                &[Layer::Tree, Layer::OrientedBoxes, Layer::Slabs, Layer::Pieces, Layer::Stars]
            }
            Self::Ray { .. } | Self::ClosestPoint { .. } => &[Layer::Tree],
            Self::Contains { method: Some(InsideMethod::Winding), .. } => &[Layer::Tree, Layer::Windings],
            Self::Contains { .. } => &[Layer::Tree],
            Self::Mass { .. }
            | Self::Hull { .. }
            | Self::Bounds { .. }
            | Self::Pairs { .. }
            | Self::Passage(_) => &[],
        }
    }

    /// Takes what belongs to the query `name` out of the fields of a line.
    pub(super) fn read(name: &str, fields: &mut Fields<'_>) -> Result<Self, RecordError> {
        let owner = owner(name);
        let known = || AVAILABLE.join(", ");
        if !AVAILABLE.contains(&name) {
            return Err(RecordError::UnknownQuery { name: name.to_owned(), known: known() });
        }
        if name == "pairs" {
            let (algorithm, list) = (fields.optional("algorithm")?, fields.optional("list")?);
            return Ok(Self::Pairs { boxes: Boxes::read(fields, &owner)?, algorithm, list });
        }
        if name == "hull" {
            return Ok(Self::Hull { points: fields.required("points", &owner)? });
        }
        for corners in [Corners::VertexFace, Corners::EdgeEdge] {
            if name == corners.name() {
                return Ok(Self::Passage(PassageSpec::read(corners, fields, &owner)?));
            }
        }
        if name == "bounds" {
            return Ok(Self::Bounds { of: BoundsOf::read(fields, &owner)? });
        }
        let a = Posed::read(fields, "a", "pose_a", &owner)?;
        match name {
            "ray" | "mass" | "closest_point" | "contains" => Self::read_of_one(name, a, fields, &owner),
            _ => {
                let b = Posed::read(fields, "b", "pose_b", &owner)?;
                Self::read_of_two(name, [a, b], fields, &owner)
            }
        }
    }

    /// The rest of a query about one body.
    fn read_of_one(name: &str, a: Posed, fields: &mut Fields<'_>, owner: &str) -> Result<Self, RecordError> {
        Ok(match name {
            "ray" => {
                let (origin, direction) =
                    (fields.required("origin", owner)?, fields.required("direction", owner)?);
                Self::Ray { a, origin, direction, max: not_negative(fields, "max")? }
            }
            "mass" => Self::Mass { a, spec: MassSpec::read(fields)? },
            "closest_point" => Self::ClosestPoint { a, point: fields.required("point", owner)? },
            _ => Self::Contains {
                a,
                point: fields.required("point", owner)?,
                method: fields.optional("method")?,
            },
        })
    }

    /// The rest of a query about two bodies.
    fn read_of_two(
        name: &str,
        [a, b]: [Posed; 2],
        fields: &mut Fields<'_>,
        owner: &str,
    ) -> Result<Self, RecordError> {
        Ok(match name {
            "intersects" => Self::Intersects { a, b },
            "contacts" => Self::Contacts { a, b, max: fields.optional("max")? },
            "manifold" => Self::Manifold { a, b, margin: not_negative(fields, "margin")? },
            "distance" => {
                let accuracy = AccuracySpec::read(fields)?;
                Self::Distance { a, b, accuracy, max: not_negative(fields, "max")? }
            }
            "within" => Self::Within { a, b, tolerance: tolerance(fields, owner)? },
            "local_minima" => Self::LocalMinima { a, b, tolerance: tolerance(fields, owner)? },
            "penetration" => Self::Penetration { a, b, accuracy: AccuracySpec::read(fields)? },
            _ => {
                let mut end =
                    |name| Ok::<_, RecordError>(fields.nested(name, PoseSpec::parse)?.map(Box::new));
                let (a_end, b_end) = (end("pose_a_end")?, end("pose_b_end")?);
                Self::Sweep { a, b, a_end, b_end, tolerance: ToleranceSpec::read(fields)? }
            }
        })
    }

    /// Writes what belongs to the query into a line.
    pub(super) fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("query", self.name())?;
        self.write_bodies(map)?;
        self.write_rest(map)
    }

    fn write_bodies<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let mut posed = |shape, pose, posed: &Posed| {
            map.serialize_entry(shape, &posed.shape)?;
            if is_identity(&posed.pose) { Ok(()) } else { map.serialize_entry(pose, &posed.pose) }
        };
        match self {
            Self::Intersects { a, b }
            | Self::Contacts { a, b, .. }
            | Self::Manifold { a, b, .. }
            | Self::Distance { a, b, .. }
            | Self::Within { a, b, .. }
            | Self::LocalMinima { a, b, .. }
            | Self::Sweep { a, b, .. }
            | Self::Penetration { a, b, .. } => {
                posed("a", "pose_a", a)?;
                posed("b", "pose_b", b)
            }
            Self::Ray { a, .. }
            | Self::ClosestPoint { a, .. }
            | Self::Contains { a, .. }
            | Self::Mass { a, .. }
            | Self::Bounds { of: BoundsOf::Shape(a) } => posed("a", "pose_a", a),
            Self::Hull { .. }
            | Self::Bounds { of: BoundsOf::Points(_) }
            | Self::Pairs { .. }
            | Self::Passage(_) => Ok(()),
        }
    }

    /// What is neither its name nor a body.
    fn write_rest<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        match self {
            Self::Intersects { .. } => Ok(()),
            Self::Contacts { max, .. } => entry(map, "max", max.as_ref()),
            Self::Manifold { margin, .. } => entry(map, "margin", margin.as_ref()),
            Self::Distance { accuracy, max, .. } => {
                accuracy.write(map)?;
                entry(map, "max", max.as_ref())
            }
            Self::Within { tolerance, .. } | Self::LocalMinima { tolerance, .. } => {
                map.serialize_entry("tolerance", tolerance)
            }
            Self::Penetration { accuracy, .. } => accuracy.write(map),
            Self::Sweep { a_end, b_end, tolerance, .. } => {
                entry(map, "pose_a_end", a_end.as_ref())?;
                entry(map, "pose_b_end", b_end.as_ref())?;
                tolerance.write(map)
            }
            Self::Passage(spec) => spec.write(map),
            Self::Ray { origin, direction, max, .. } => {
                map.serialize_entry("origin", origin)?;
                map.serialize_entry("direction", direction)?;
                entry(map, "max", max.as_ref())
            }
            Self::ClosestPoint { point, .. } => map.serialize_entry("point", point),
            Self::Contains { point, method, .. } => {
                map.serialize_entry("point", point)?;
                entry(map, "method", method.as_ref())
            }
            Self::Mass { spec, .. } => spec.write(map),
            Self::Hull { points } | Self::Bounds { of: BoundsOf::Points(points) } => {
                map.serialize_entry("points", points)
            }
            Self::Bounds { of: BoundsOf::Shape(_) } => Ok(()),
            Self::Pairs { boxes, algorithm, list } => {
                match boxes {
                    Boxes::Inline(boxes) => map.serialize_entry("boxes", boxes)?,
                    Boxes::File(path) => map.serialize_entry("boxes_file", path)?,
                }
                entry(map, "algorithm", algorithm.as_ref())?;
                entry(map, "list", list.as_ref())
            }
        }
    }
}

/// How errors call a query.
pub(super) fn owner(name: &str) -> String {
    format!("the query \"{name}\"")
}

/// The field `tolerance`, which must be there.
fn tolerance(fields: &mut Fields<'_>, owner: &str) -> Result<f64, RecordError> {
    let missing = || RecordError::Missing { field: "tolerance", owner: owner.to_owned() };
    not_negative(fields, "tolerance")?.ok_or_else(missing)
}

fn entry<M: SerializeMap>(
    map: &mut M,
    name: &'static str,
    value: Option<&impl Serialize>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(name, value))
}
