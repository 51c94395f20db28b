//! Options and answers of queries: types alone, on which everything else in this room stands.

mod distance;
mod intersection;
mod penetration;
mod search;
mod within;

pub use crate::effort::StopReason;
pub use distance::Distance;
pub(super) use distance::{Found, rounding};
pub use intersection::Intersection;
pub use penetration::Penetration;
pub(super) use search::Aim;
pub use search::{DistanceEnd, DistanceOptions};
pub use within::Within;
