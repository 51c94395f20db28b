//! Options and answers of queries: types alone, on which everything else in this room stands.

mod distance;
mod intersection;
mod penetration;
mod search;
mod within;

pub use distance::Distance;
pub(super) use distance::{Found, rounding};
pub use intersection::{Intersection, UndecidedReason};
pub use penetration::Penetration;
pub(super) use search::Aim;
pub use search::{DistanceOptions, StopReason};
pub use within::Within;
