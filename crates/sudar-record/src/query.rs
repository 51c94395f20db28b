//! Queries as they are written down.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use sudar::DVec3;
use sudar::query::Layer;

use crate::answer::InsideMethod;
use crate::body::BodyQuery;
use crate::boxes::Boxes;
use crate::error::{RecordError, Result};
use crate::fields::Fields;
use crate::moving::{Corners, PassageSpec};
use crate::pair::PairQuery;
use crate::shape::{Posed, ShapeSpec};

/// The names of all queries, as errors list them.
const KNOWN: &str = "intersects, contacts, manifold, distance, within, local_minima, penetration, sweep, \
    ccd_vertex_face, ccd_edge_edge, ray, closest_point, contains, hull, bounds, mass, pairs";

/// A question about posed shapes, or about what needs none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Query {
    /// About two shapes.
    Pair {
        /// The first shape.
        #[serde(flatten, serialize_with = "on_side::<_, 0>")]
        a: Posed,
        /// The second shape.
        #[serde(flatten, serialize_with = "on_side::<_, 1>")]
        b: Box<Posed>,
        /// The question.
        #[serde(flatten)]
        ask: PairQuery,
    },
    /// About one shape.
    Body {
        /// The shape.
        #[serde(flatten, serialize_with = "on_side::<_, 0>")]
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
            Self::Passage(PassageSpec { corners: Corners::VertexFace, .. }) => ("ccd_vertex_face", &[]),
            Self::Passage(PassageSpec { corners: Corners::EdgeEdge, .. }) => ("ccd_edge_edge", &[]),
            Self::Hull { .. } => ("hull", &[]),
            Self::Bounds { .. } => ("bounds", &[]),
            Self::Pairs { .. } => ("pairs", &[]),
        }
    }

    /// The name by which the query is written.
    pub fn name(&self) -> &'static str {
        self.facts().0
    }

    /// What is built over the triangles of its shapes before or while it is answered, see [`Body::prepare`]; for some
    /// shapes less of it is needed.
    ///
    /// [`Body::prepare`]: sudar::query::Body::prepare
    pub fn layers(&self) -> &'static [Layer] {
        self.facts().1
    }

    /// The shapes it is about, each with the field that it stands in.
    pub fn shapes(&self) -> Vec<(&'static str, &ShapeSpec)> {
        match self {
            Self::Pair { a, b, .. } => vec![("a", &a.shape), ("b", &b.shape)],
            Self::Body { a, .. } => vec![("a", &a.shape)],
            Self::Passage(_) | Self::Hull { .. } | Self::Bounds { .. } | Self::Pairs { .. } => Vec::new(),
        }
    }

    /// Takes what belongs to the query out of the fields of a line.
    pub(super) fn read(fields: &mut Fields<'_>) -> Result<Self> {
        let name: String = fields.required("query")?;
        fields.owner = format!("the query \"{name}\"");
        Ok(match name.as_str() {
            "hull" => Self::Hull { points: fields.required("points")? },
            "ccd_vertex_face" => Self::Passage(PassageSpec::read(Corners::VertexFace, fields)?),
            "ccd_edge_edge" => Self::Passage(PassageSpec::read(Corners::EdgeEdge, fields)?),
            "pairs" => {
                let (algorithm, list) = (fields.optional("algorithm")?, fields.optional("list")?);
                Self::Pairs { boxes: Boxes::read(fields)?, algorithm, list }
            }
            "bounds" => match fields.optional("points")? {
                Some(_) if fields.has("a") => return Err(RecordError::Both("`a` or `points`")),
                Some(points) => Self::Bounds { points },
                None => Self::Body { a: Posed::read(fields, SIDES[0])?, ask: BodyQuery::Bounds {} },
            },
            "ray" | "closest_point" | "contains" | "mass" => {
                Self::Body { a: Posed::read(fields, SIDES[0])?, ask: BodyQuery::read(&name, fields)? }
            }
            _ if !KNOWN.split(", ").any(|known| known == name) => {
                return Err(RecordError::UnknownQuery(name, KNOWN));
            }
            _ => {
                let (a, b) = (Posed::read(fields, SIDES[0])?, Box::new(Posed::read(fields, SIDES[1])?));
                Self::Pair { a, b, ask: PairQuery::read(&name, fields)? }
            }
        })
    }
}

/// The fields of each shape and its pose.
pub(super) const SIDES: [[&str; 2]; 2] = [["a", "pose_a"], ["b", "pose_b"]];

/// A shape and its pose, if that is any, in the two fields of a side.
fn on_side<S: Serializer, const SIDE: usize>(posed: &Posed, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry(SIDES[SIDE][0], &posed.shape)?;
    if !posed.pose.is_identity() {
        map.serialize_entry(SIDES[SIDE][1], &posed.pose)?;
    }
    map.end()
}
