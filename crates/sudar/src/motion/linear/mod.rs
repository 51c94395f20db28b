//! Vertices that move on straight lines: a vertex against a face, an edge against an edge.

mod inclusion;
mod passage;
mod planes;

pub use passage::{Passage, PassageOptions, edge_edge, vertex_face};
