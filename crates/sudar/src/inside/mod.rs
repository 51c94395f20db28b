//! What closed surfaces enclose: where a point is, and how two solids lie to each other.

mod exact_point;
mod parity;

pub use exact_point::{ExactPoint, RationalPoint};
pub use parity::{Location, Parity, is_on_triangle};
