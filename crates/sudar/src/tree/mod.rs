//! Bounding-volume hierarchies as flat arrays.
//!
//! [`WideTree`] has eight children a node, boxes in `f32` rounded outward, and triangles packed for SIMD at the leaves.
//! It proposes: what it lets through is decided in `f64` by the caller, so its rounding can cost time and never an
//! answer.

mod build;
mod candidates;
mod dual;
mod eight_pairs;
mod fans;
mod frame;
mod frame_pair;
mod kernel;
mod lanes;
mod leaf_bounds;
mod leaf_kernel;
mod near_leaves;
mod near_pairs;
mod nearest_search;
mod obb_kernel;
mod obb_pair;
mod obb_wide;
mod oriented;
mod oriented_build;
mod own_pairs;
mod places;
mod probe;
mod refit;
mod round_core;
mod round_probe;
mod slab;
mod todo;
mod traversal;
mod view;
mod wedges;
mod whole;
mod wide;
mod winding;

pub(crate) use candidates::{Bodies, CandidateVisitor, Vicinity};
pub(crate) use dual::{visit_candidates, visit_near_candidates};
pub(crate) use eight_pairs::EightPairs;
pub(crate) use fans::Fans;
pub(crate) use frame_pair::{FrameBox, FramePair};
pub(crate) use leaf_bounds::Candidate;
#[cfg(test)]
pub(crate) use leaf_bounds::Pending;
pub(crate) use near_pairs::visit_nearest_pairs;
pub(crate) use nearest_search::{Judge, Remaining, Standing, search};
pub(crate) use obb_pair::{Layered, ObbPair, Place};
pub(crate) use oriented::Oriented;
pub(crate) use own_pairs::visit_own_candidates;
pub(crate) use places::EightBoxes;
pub use refit::Refit;
pub(crate) use view::{Around, View};
pub(crate) use wedges::Wedges;
pub(crate) use whole::Whole;
pub use wide::{Child, LEAF_SIZE, WideTree};
pub(crate) use winding::{WindingTree, Windings};
