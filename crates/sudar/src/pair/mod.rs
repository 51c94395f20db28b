//! Closed-form tests between two simple things, one file a pair.

mod flat;
mod triangle_triangle;

pub use triangle_triangle::{triangles_cross, triangles_intersect};
