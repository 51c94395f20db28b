//! Vertices that move on straight lines: a vertex against a face, an edge against an edge.

mod corners;
mod inclusion;
mod passage;
mod planes;

pub use corners::{Passage, PassageOptions};
pub use passage::{edge_edge, vertex_face};
