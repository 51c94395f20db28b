//! Surfaces cut into convex parts.

mod patches;
mod pieces;

pub use patches::convex_patches;
pub use pieces::{ConvexPiece, FaceKind, convex_pieces};
