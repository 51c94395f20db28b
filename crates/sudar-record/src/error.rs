//! What can be wrong with a recorded query.

use sudar::broad::BroadError;
use sudar::hull::HullError;
use sudar::mass::MassError;
use sudar::math::PoseError;
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
    /// Brackets are nested deeper than [`MAX_NESTING`].
    #[error("brackets are nested deeper than {MAX_NESTING} (at character {column})")]
    TooDeep {
        /// Place of the first bracket that goes too deep, from 1.
        column: usize,
    },
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
    /// Something inside a field is wrong.
    #[error("`{field}`: {cause}")]
    In {
        /// The field.
        field: &'static str,
        /// What is wrong with it.
        cause: Box<Self>,
    },
    /// Something inside an element of a list is wrong.
    #[error("element {index}: {cause}")]
    InElement {
        /// Its index.
        index: usize,
        /// What is wrong with it.
        cause: Box<Self>,
    },
    /// A field occurs twice.
    #[error("the field `{field}` is given twice")]
    Twice {
        /// Its name.
        field: String,
    },
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
    /// No such query.
    #[error("unknown query \"{name}\"; known: {known}")]
    UnknownQuery {
        /// The name given.
        name: String,
        /// The queries there are.
        known: String,
    },
    /// Not a shape.
    #[error("no shape is given; a shape has one of the fields: {known}")]
    UnknownShape {
        /// The shapes there are.
        known: String,
    },
    /// Two ways to give a pose at once.
    #[error("give either `matrix` or `translation` and `rotation`, not both")]
    TwoPoses,
    /// A number that must not be negative is.
    #[error("must be 0 or more, found {value}")]
    Negative {
        /// Its value.
        value: f64,
    },
    /// The tolerance of a first contact is zero.
    #[error("must be above 0: a contact is found to within it; leave it out for a millionth of the size")]
    ZeroDelta,
    /// A point is too far away to be computed with.
    #[error("a point must not exceed 1e90 in any coordinate; scale the scene down")]
    PointTooFar,
    /// A query between meshes was given something else.
    #[error("this query needs a mesh, found {kind}")]
    NeedsMesh {
        /// What was found, with its article.
        kind: &'static str,
    },
    /// A query about an inside was given a shape that has none.
    #[error(
        "this query needs a body with an inside: a closed mesh with \"solid\":true, a hull, sphere, box or other primitive, or a halfspace; or, for any mesh, \"method\":\"winding\"{}", mend(*closes_at)
    )]
    NeedsSolid {
        /// For a mesh, the tolerance that closes it if it is welded, if a small one does; 0 if it is closed already.
        closes_at: Option<f64>,
    },
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
    /// A box has an infinite coordinate.
    #[error("box {index} has an infinite coordinate; give six finite numbers")]
    InfiniteBox {
        /// Its number.
        index: usize,
    },
    /// Two lists of boxes at once.
    #[error("give either `boxes` or `boxes_file`, not both")]
    TwoBoxes,
    /// A shape and points at once.
    #[error("give either `a` or `points`, not both")]
    ShapeAndPoints,
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

fn mend(closes_at: Option<f64>) -> String {
    match closes_at {
        None => String::new(),
        Some(0.0) => "; this mesh is closed, so that \"solid\":true will do".to_owned(),
        Some(tolerance) => format!("; this mesh closes if welded at {tolerance:e}"),
    }
}

impl RecordError {
    /// The same error, said to be inside `field`.
    pub(super) fn inside(self, field: &'static str) -> Self {
        Self::In { field, cause: Box::new(self) }
    }

    /// The same error, said to be inside an element of a list.
    pub(super) fn inside_element(self, index: usize) -> Self {
        Self::InElement { index, cause: Box::new(self) }
    }
}
