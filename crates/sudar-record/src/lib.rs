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
mod body;
mod bounds;
mod boxes;
mod error;
mod fields;
mod line;
mod mass;
mod moving;
mod pair;
mod pose;
mod query;
mod shape;
mod stand;

pub use answer::{
    Answer, AnswerLine, BoundsAnswer, ContactAnswer, FirstContactAnswer, InsideMethod, KdopVolumes,
    MinimumAnswer, ObbAnswer, Outcome, Witness,
};
pub use ask::Prepared;
pub use body::BodyQuery;
pub use boxes::Boxes;
pub use error::{MAX_LINE, MAX_NESTING, RecordError};
pub use line::{BadLine, Budget, QueryLine};
pub use mass::{MassMethod, MassSpec};
pub use moving::{Corners, PassageSpec, ToleranceSpec};
pub use pair::{AccuracySpec, PairQuery};
pub use pose::PoseSpec;
pub use query::Query;
pub use shape::{Posed, ShapeSpec};
