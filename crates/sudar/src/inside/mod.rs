//! What surfaces enclose: where a point is, how two solids lie to each other, how often an open surface winds
//! around a point.

mod exact_point;
mod facets;
mod facets_exact;
mod labels;
mod moments;
mod parity;
mod relation;
mod solid_angle;
mod surface;

pub use exact_point::{ExactPoint, RationalPoint};
pub use moments::Moments;
pub use parity::{Location, Parity, is_on_triangle};
pub use relation::{SolidRelation, overlap_for_certain, solid_relation};
pub use solid_angle::winding_of_triangle;
pub use surface::{ListedSurface, Surface, locate};
