//! What can be wrong with a recorded query.

use sudar::broad::BroadError;
use sudar::hull::HullError;
use sudar::mass::MassError;
use sudar::math::PoseError;
use sudar::query::NotSolid;
use sudar::shape::{
    CompoundError, HeightFieldError, MeshError, NotClosed, PointCloudError, ShapeError, WeldError,
};
use thiserror::Error;

/// Longest line accepted, in bytes.
pub const MAX_LINE: usize = 64 << 20;
/// Deepest nesting of brackets accepted; the line's own braces are the first level.
pub const MAX_NESTING: usize = 64;

/// Why a query line could not be answered. Each message is one line that says what is wrong and where.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The line is longer than [`MAX_LINE`].
    #[error("the line is longer than {} MiB; put large meshes into files", MAX_LINE >> 20)]
    TooLong,
    /// Brackets are nested deeper than [`MAX_NESTING`]: the place of the first bracket that goes too deep, from 1.
    #[error("brackets are nested deeper than {MAX_NESTING} (at character {0})")]
    TooDeep(usize),
    /// The line is not UTF-8.
    #[error("the line is not valid UTF-8 (at byte {byte})")]
    NotUtf8 {
        /// Place of the first offending byte, from 1.
        byte: usize,
    },
    /// The text is not JSON, or not of the type a field needs.
    #[error("{what}, at character {column}")]
    Json {
        /// What the parser says.
        what: String,
        /// Where, from 1: in the field's value if a field is named, otherwise in the line.
        column: usize,
    },
    /// Something inside a field, or inside an element of a list, is wrong.
    #[error("{place}: {cause}")]
    In {
        /// The field in backticks, or the word element and its index.
        place: String,
        /// What is wrong there.
        cause: Box<Self>,
    },
    /// This field occurs twice.
    #[error("the field `{0}` is given twice")]
    Twice(String),
    /// A field that must be there is not.
    #[error("the field `{field}` is missing; {owner} needs it")]
    Missing {
        /// Its name.
        field: &'static str,
        /// Who needs it, such as `the query "ray"`.
        owner: String,
    },
    /// A field that is not known there.
    #[error("{owner} has no field `{field}`; it may have: {known}")]
    UnknownField {
        /// Its name.
        field: String,
        /// The object with the field, such as `the query "ray"`.
        owner: String,
        /// The fields it has.
        known: String,
    },
    /// No query has this name; those there are.
    #[error("unknown query \"{0}\"; known: {1}")]
    UnknownQuery(String, &'static str),
    /// Not a shape; the fields that make one.
    #[error("no shape is given; a shape has one of the fields: {0}")]
    UnknownShape(String),
    /// Two ways to say the same at once.
    #[error("give either {0}, not both")]
    Both(&'static str),
    /// A number that must not be negative is this one.
    #[error("must be 0 or more, found {0}")]
    Negative(f64),
    /// The tolerance of a first contact is zero.
    #[error("must be above 0: a contact is found to within it; leave it out for a millionth of the size")]
    ZeroDelta,
    /// A point is too far away to be computed with.
    #[error("a point must not exceed 1e90 in any coordinate; scale the scene down")]
    PointTooFar,
    /// A query between meshes was given something else: what that is, with its article.
    #[error("this query needs a mesh, found {0}")]
    NeedsMesh(&'static str),
    /// A query about an inside was given a shape that has none.
    #[error(
        "this query needs a body with an inside: a closed mesh with \"solid\":true, a hull, sphere, box or other primitive, or a halfspace; or, for any mesh, \"method\":\"winding\"{}", mend(.0.closes_at)
    )]
    NeedsSolid(NotSolid),
    /// A pose was refused.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// A shape's numbers were refused.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A mesh was refused.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A mesh could not be welded.
    #[error(transparent)]
    Weld(#[from] WeldError),
    /// A mesh that should be solid is open.
    #[error(transparent)]
    NotClosed(#[from] NotClosed),
    /// Points that a hull cannot be built of.
    #[error(transparent)]
    Hull(#[from] HullError),
    /// A body without mass properties.
    #[error(transparent)]
    Mass(#[from] MassError),
    /// Shapes that cannot be put together.
    #[error(transparent)]
    Compound(#[from] CompoundError),
    /// Heights were refused.
    #[error(transparent)]
    HeightField(#[from] HeightFieldError),
    /// Points of a cloud were refused.
    #[error(transparent)]
    PointCloud(#[from] PointCloudError),
    /// The boxes of a broad phase were refused.
    #[error(transparent)]
    Broad(#[from] BroadError),
    /// The box of this number has an infinite coordinate.
    #[error("box {0} has an infinite coordinate; give six finite numbers")]
    InfiniteBox(usize),
    /// Neither a shape nor a point.
    #[error("nothing is bounded; give `a`, or one point at least in `points`")]
    NothingBounded,
    /// A half-space has no bounding volume.
    #[error("a halfspace has no bounds")]
    Unbounded,
    /// No broad phase has that name.
    #[error(transparent)]
    UnknownAlgorithm(#[from] sudar_classic::broad::UnknownBroadPhase),
    /// A mesh file could not be had.
    #[error("{0}")]
    File(String),
}

/// What was read or found, or why not.
pub(super) type Result<T, E = RecordError> = std::result::Result<T, E>;

fn mend(closes_at: Option<f64>) -> String {
    match closes_at {
        None => String::new(),
        Some(0.0) => "; this mesh is closed, so that \"solid\":true will do".to_owned(),
        Some(tolerance) => format!("; this mesh closes if welded at {tolerance:e}"),
    }
}

impl RecordError {
    /// The same error, said to be inside `field`.
    pub(super) fn inside(self, field: &str) -> Self {
        Self::In { place: format!("`{field}`"), cause: Box::new(self) }
    }

    /// The same error, said to be inside an element of a list.
    pub(super) fn inside_element(self, index: usize) -> Self {
        Self::In { place: format!("element {index}"), cause: Box::new(self) }
    }
}
