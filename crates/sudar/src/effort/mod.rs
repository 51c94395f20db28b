//! What a query may cost, and what it did cost.
//!
//! A [`Budget`] is a limit on the work of one query, a [`Meter`] counts that work while it is done. Where the meter
//! stops a query, the query answers with what is certain by then: an interval that is wider than it might be, a list
//! that says it is not complete, a question left undecided. Never with a guess.

mod budget;
mod meter;

pub use budget::{Budget, Partial, Statistics, StopReason};
pub use meter::{Meter, Progress};
