//! Queries and their answers written down: one line of JSON each, to be run again.
//!
//! A line such as `{"id":"q1","query":"intersects","a":{"mesh":"bunny.off"},"b":{"sphere":0.1}}` is a
//! [`QueryLine`]. [`QueryLine::prepare`] turns its shapes into bodies through a function that the caller supplies
//! (this library opens no file), [`Prepared::ask`] computes the [`Answer`], and [`AnswerLine`] writes it down.
//! [`Posed::of`] goes the other way: it records a shape with its pose so that replaying gives the same bits.
//!
//! Numbers are written with the fewest digits that read back to the same `f64`. Every wrong line has an error
//! that says what is wrong and where; unknown fields are errors too, because a misspelt `pose_a` would
//! otherwise silently place a body at the origin. A field `note` with any value is allowed everywhere.

mod answer;
mod ask;
mod bounds;
mod error;
mod fields;
mod found;
mod line;
mod mass;
mod moving;
mod pose;
mod query;
mod shape;

pub use answer::{
    Answer, AnswerLine, BoundsAnswer, ClosestPointAnswer, ContactAnswer, ContactsAnswer, ContainsAnswer,
    DistanceAnswer, FirstContactAnswer, HullAnswer, IntersectsAnswer, KdopVolumes, LocalMinimaAnswer,
    ManifoldAnswer, MassAnswer, MinimumAnswer, ObbAnswer, Outcome, PairsAnswer, PenetrationAnswer, RayAnswer,
    SphereAnswer, Status, WithinAnswer, Witness,
};
pub use ask::Prepared;
pub use error::{MAX_LINE, MAX_NESTING, RecordError};
pub use line::{BadLine, Budget, QueryLine};
pub use pose::PoseSpec;
pub use query::{
    AccuracySpec, BodyQuery, Boxes, Corners, InsideMethod, MassMethod, MassSpec, PairQuery, PassageSpec,
    Query, ToleranceSpec,
};
pub use shape::{Posed, ShapeSpec};
