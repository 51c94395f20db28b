//! Broad phases: which of many boxes overlap, and which of many triangles may be met.
//!
//! A [`BroadPhase`] holds n boxes that move and lists the pairs that overlap; there is one for every
//! [`Algorithm`], and all list the same pairs. [`Algorithm::Auto`] chooses among them. [`candidate_pairs`]
//! lists the pairs of boxes that do not move.
//!
//! | algorithm | cost of a frame | good for |
//! |-----------|-----------------|----------|
//! | [`BruteForce`](Algorithm::BruteForce) | n² / 8 | up to some hundred boxes; nothing to go wrong |
//! | [`Axis`](Algorithm::Axis) | n log n + overlaps on one axis | long rows of boxes |
//! | [`Intervals`](Algorithm::Intervals) | n + swaps, memory n^(5/3) | some thousand boxes that move little |
//! | [`SweepAndPrune`](Algorithm::SweepAndPrune) | n + swaps | many boxes that move very little |
//! | [`Grid2d`](Algorithm::Grid2d), [`Grid3d`](Algorithm::Grid3d) | n + neighbours | boxes of equal size |
//! | [`UniformGrid`](Algorithm::UniformGrid) | n + cells | boxes of similar size, evenly spread |
//! | [`HashGrid`](Algorithm::HashGrid) | n + cells | the same, without bounds |
//! | [`QuadTree`](Algorithm::QuadTree), [`Octree`](Algorithm::Octree) | n log n + boxes on high middles | scenes that stand still for the most part |
//! | [`OctreeDuplicates`](Algorithm::OctreeDuplicates) | the same + copies | small boxes |
//! | [`KdTree`](Algorithm::KdTree), [`BspTree`](Algorithm::BspTree) | n log n, built anew | clusters, sizes of all kinds |
//! | [`DynamicBvh`](Algorithm::DynamicBvh) | moved · log n + pairs | few that move, sizes of all kinds, many queries |
//! | [`Strips`](Algorithm::Strips) | n log n at the speed of memory | everything that moves |
//!
//! A [`StaticIndex`] holds triangles that do not move and tells which of them a moving box or a segment
//! meets; there is one for every [`IndexKind`].
//!
//! Where there is not time to test all pairs exactly, [`schedule`] says which are next.
//!
//! Boxes are compared exactly. Ends may be infinite; a coordinate that is not a number, or a box that ends
//! before it begins, is refused and changes nothing. Results are the same bits for any number of threads.

mod active_pairs;
mod algorithm;
mod auto;
mod axis;
mod box_tree;
mod boxes;
mod brute;
mod bsp_tree;
mod centre_grid;
mod delaunay;
mod dynamic_bvh;
mod end_points;
mod error;
mod finder;
mod hash_grid;
mod intervals;
mod lattice;
mod orthtree;
mod pair_flags;
mod pairs;
mod partition;
mod phase;
mod portals;
mod region;
mod rows;
pub mod schedule;
mod static_index;
#[cfg(test)]
mod static_tests;
mod strips;
mod sweep_and_prune;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod tetrahedra;
mod threads;
mod uniform_grid;
mod voxels;

pub use algorithm::{Algorithm, Listing, Tuning};
pub use boxes::{Handle, Mobility};
pub use error::BroadError;
pub use finder::Probe;
pub use phase::{BroadPhase, Changes, Counters};
pub use region::Region;
pub use static_index::{IndexKind, Met, StaticIndex, cells_and_portals};
pub use strips::candidate_pairs;
