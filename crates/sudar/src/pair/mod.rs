//! Closed-form tests between two simple things, one file a pair.

mod triangle_triangle;

pub use triangle_triangle::triangles_intersect;
