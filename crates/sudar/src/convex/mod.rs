//! Convex bodies: distance, depth, and contacts of two.
//!
//! A body is its support mapping: the farthest point in a direction. Every method works on the [`Difference`] of
//! two posed bodies, A − B, the set of all a − b: the bodies have a point in common if and only if that set holds the
//! origin, their distance is its distance from the origin, and the depth of their overlap is the distance of the
//! origin from its boundary.
//!
//! | query | method |
//! |---|---|
//! | do they meet? | [`gjk`], [`cuboids_meet`] |
//! | how far apart? | [`gjk`] (with Newton's method between round cores) with [`GjkMemory`], [`cuboid_distance`] |
//! | how deep? | [`expanding_polytope`], [`separating_axes`], [`cuboid_axes`], [`concentric_ellipsoids`], [`coaxial`] |
//! | where do they touch? | [`manifold()`], [`manifold_on_wall`] |
//!
//! The verbs of room [`query`](crate::query) choose among these. The methods of the sources (Lin and Canny, Chung and
//! Wang, the sub-algorithm of 2011 and others) are in the crate `sudar-classic`.

mod axes;
mod blocks;
mod boundary;
mod candidates;
#[cfg(test)]
mod classic_solids;
mod climb;
mod coaxial;
mod concentric;
mod core;
mod corners;
mod cuboid_axes;
mod cuboid_distance;
mod cuboid_points;
mod descent;
mod difference;
mod expanding;
mod expanding_faces;
mod first_tetrahedron;
mod gjk;
mod gjk_answer;
mod gjk_memory;
mod gjk_search;
mod manifold;
mod newton;
mod pair_kind;
mod penetration;
mod polytope;
mod posed;
mod refine;
mod simplex;
#[cfg(test)]
pub(crate) mod testing;

pub use self::core::{Convex, Core};
pub use axes::{AxisAnswer, AxisFeature, separating_axes};
pub use coaxial::coaxial;
pub use concentric::concentric_ellipsoids;
pub use cuboid_axes::{Meeting, cuboid_axes, cuboids_meet};
pub use cuboid_distance::{CuboidDistance, cuboid_distance};
pub use cuboid_points::cuboid_points;
pub use difference::{Difference, Vertex};
pub use expanding::expanding_polytope;
pub use gjk::gjk;
pub use gjk_answer::{Acceleration, Gjk, GjkOptions};
pub use gjk_memory::GjkMemory;
pub use manifold::{
    ContactFeature, ContactId, Manifold, ManifoldPoint, SignedDistance, Spot, manifold, manifold_on_wall,
    reduce_manifold,
};
pub(crate) use manifold::{FacetTriangle, OnFacet, OverFacet};
pub(crate) use pair_kind::PairKind;
pub use penetration::{Accuracy, Penetration};
pub use polytope::Polytope;
pub use posed::{PosedConvex, SupportPoint};
pub use simplex::Simplex;
