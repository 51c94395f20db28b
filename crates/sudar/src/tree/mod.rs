//! Bounding-volume hierarchies as flat arrays.
//!
//! [`WideTree`] is the fast one: eight children a node, boxes in `f32` rounded outward, triangles packed for SIMD
//! at the leaves. It proposes: whatever it lets through is decided in `f64` by the caller, so its rounding can cost
//! time and never an answer.

mod apart;
mod build;
mod dual;
mod eight_pairs;
mod frame;
mod kernel;
#[cfg(test)]
pub(crate) mod levels;
mod oriented;
mod oriented_build;
mod slab;
mod view;
mod waiting;
mod wide;

pub use apart::visit_nearest_pairs;
pub use dual::{Bodies, CandidateVisitor, visit_candidates};
pub(crate) use eight_pairs::EightPairs;
pub use frame::{Frame, Relative};
pub use oriented::{Oriented, OrientedBox};
pub use view::View;
pub use wide::{Child, LEAF_SIZE, WideTree};
