//! Static indices: which of many triangles that do not move a box or a segment meets.

mod bsp_tree;
mod delaunay;
mod finder;
mod portals;
mod static_index;
#[cfg(test)]
mod static_tests;
mod tetrahedra;
mod voxels;

pub use finder::Probe;
pub use static_index::{IndexKind, Met, StaticIndex, cells_and_portals};
