//! Proofs of answers, and the checker that verifies them.
//!
//! A [`Proof`] is data that shows why a distance lies between two numbers: [`Upper`] names two points, one of
//! each body; [`Lower`] covers all pairs of pieces of the two bodies by blocks, each with a direction along
//! which its two sides are far enough apart. [`Proof::check`] verifies it from the shapes and poses alone.
//! How a proof was found plays no part, and nothing of the rooms that answer queries is used here: pose
//! formula, support functions, membership and exact arithmetic are written a second time, as simply as can
//! be. What the checker accepts is proved in exact rational arithmetic; floating point with an error bound
//! only spares it where the margin is wide.
//!
//! The *pieces* of a body, numbered from 0, are the triangles of a mesh, in their order; any other shape is
//! one piece; a compound has the pieces of its parts one after another. Their geometry is that of the
//! library: corners are the points that the pose formula gives in `f64`; balls and capsules have posed
//! centres and exact radii; cylinders, cones and ellipsoids are the images of their definition under the
//! pose's matrix as a real map, so that proof and query may differ there by the rounding of a few
//! coordinates; of half-spaces normal and offset are posed in `f64`.
//!
//! After McConnell, Mehlhorn, Näher and Schweitzer 2011, "Certifying algorithms": an answer comes with a witness that a
//! simple program can check.

mod certificate;
mod check;
mod enclosure;
mod error;
mod exact;
mod gap;
mod membership;
mod placed;
mod round;
mod simplex;
mod tiling;

pub use certificate::{Block, Certified, Footing, Lower, Near, PROOF_FORMAT, Proof, Spot, Upper};
pub(crate) use check::{stray, upper_bound, upper_holds};
pub use error::ProofError;
pub(crate) use gap::{block_gap, heights};
pub(crate) use membership::in_piece;
pub(crate) use placed::{Form, Placed};
pub(crate) use round::{extent_of_round, farthest_of_round};
