//! k-DOPs, and all bounding volumes around the same points side by side ([`Bounds`]).
//!
//! A [`Kdop`] of 6, 14, 18 or 26 numbers implements [`Volume`](sudar::volume::Volume). To test one against another
//! that has moved it is fitted anew, in one of four ways: [`Kdop::placed`](sudar::volume::Volume::placed),
//! [`KdopCorners`], [`KdopClimber`], [`AlignedSlabs`].

mod bounds;
mod kdop;
mod kdop_polytope;
mod kdop_refit;
mod kdop_volume;

pub use bounds::{Bounds, NamedVolume};
pub use kdop::{Dop6, Dop14, Dop18, Dop26, Kdop};
pub use kdop_polytope::Polytope;
pub use kdop_refit::{AlignedCorners, AlignedSlabs, KdopClimber, KdopCorners, SlabBound};
