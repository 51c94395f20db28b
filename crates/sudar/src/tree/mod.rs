//! Bounding-volume hierarchies as flat arrays.
//!
//! [`WideTree`] has eight children a node, boxes in `f32` rounded outward, and triangles packed for SIMD at the leaves.
//! It proposes: what it lets through is decided in `f64` by the caller, so its rounding can cost time and never an
//! answer. Triangles that cross by more than rounding can change it names as such.

mod construction;
mod distance;
mod fans;
mod lanes;
mod oriented;
mod pairs;
mod places;
mod posed;
mod slab;
mod whole;
mod wide;
mod winding;

pub use construction::layout::{LayoutError, TreeLayout};
pub use construction::refit::Refit;
pub(crate) use distance::leaf_bounds::Candidate;
#[cfg(test)]
pub(crate) use distance::leaf_bounds::Pending;
pub(crate) use distance::nearest_search::{Judge, Remaining, Standing, search};
pub(crate) use distance::obb_pair::{Layered, ObbPair, Place};
pub(crate) use fans::Fans;
pub(crate) use oriented::Oriented;
pub(crate) use pairs::candidates::{Bodies, CandidateVisitor, LeafPair, Vicinity};
pub(crate) use pairs::dual::{visit_candidates, visit_near_candidates};
pub(crate) use pairs::eight_pairs::EightPairs;
pub(crate) use pairs::frame_pair::{FrameBeside, FrameBox, FramePair, METRIC};
pub(crate) use pairs::near_pairs::visit_nearest_pairs;
pub(crate) use pairs::own_pairs::visit_own_candidates;
pub(crate) use pairs::todo::bits;
pub(crate) use places::EightBoxes;
pub(crate) use posed::view::{Around, View};
pub(crate) use posed::wedges::Wedges;
pub(crate) use whole::Whole;
pub use wide::{Child, LEAF_SIZE, WideTree};
pub(crate) use winding::{WindingTree, Windings};
