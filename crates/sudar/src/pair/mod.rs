//! Closed-form tests between two simple things, one file a pair.

mod edge_in_face;
pub(crate) mod exact_clip;
pub(crate) mod flat;
mod triangle_intersection;
mod triangle_triangle;

pub use edge_in_face::edge_in_face;
pub use triangle_intersection::{TriangleIntersection, triangle_intersection};
pub(crate) use triangle_triangle::{interiors_cross, sides};
pub use triangle_triangle::{triangles_cross, triangles_intersect};
