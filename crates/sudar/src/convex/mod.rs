//! Convex bodies: what two of them have to do with each other, by every method the field knows.
//!
//! A body is its [`Support`] mapping: the farthest point in a direction. Every method works on the [`Difference`] of
//! two posed bodies, A − B, the set of all a − b: the bodies have a point in common if and only if that set holds the
//! origin, their distance is its distance from the origin, and the depth of their overlap is the distance of the
//! origin from its boundary.

mod core;
mod difference;
mod gjk;
mod polytope;
mod posed;
mod simplex;

pub use self::core::{Convex, Core};
pub use difference::{Difference, Vertex};
pub use gjk::{Acceleration, Gjk, GjkMemory, GjkOptions, gjk};
pub use polytope::Polytope;
pub use posed::{PosedConvex, SupportPoint};
pub use simplex::Simplex;
/// tmp
pub struct Accuracy { /// a
pub absolute: f64, /// r
pub relative: f64 }
/// tmp
pub struct Penetration { #[allow(missing_docs)] pub depth: crate::Interval, #[allow(missing_docs)] pub normal: glam::DVec3, #[allow(missing_docs)] pub a: glam::DVec3, #[allow(missing_docs)] pub b: glam::DVec3 }
/// tmp
pub fn expanding_polytope(_: &Difference, _: &[Vertex], _: &Accuracy, _: u32) -> Penetration { todo!() }
