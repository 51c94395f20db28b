//! What closed surfaces enclose: where a point is, and how two solids lie to each other.

mod exact_point;
mod facets;
mod facets_exact;
mod parity;
mod relation;
mod surface;

pub use exact_point::{ExactPoint, RationalPoint};
pub use parity::{Location, Parity, is_on_triangle};
pub use relation::{SolidRelation, solid_relation};
pub use surface::{ListedSurface, Surface, locate};
