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
//! | how far apart? | [`gjk`] (with Newton's method between round cores) with [`GjkMemory`] |
//! | how deep? | [`expanding_polytope`], [`separating_axes`], [`cuboid_axes`], [`coaxial`] |
//!
//! The verbs of room [`query`](crate::query) choose among these and closed forms; where two bodies touch is
//! [`manifold`](fn@crate::query::manifold). The methods of the sources (Lin and Canny, Chung and
//! Wang, the sub-algorithm of 2011 and others) are in the crate `sudar-classic`.

mod blocks;
mod candidates;
mod climb;
mod core;
mod corners;
mod cuboid;
mod depth;
mod difference;
mod distance;
mod manifold;
mod pair_kind;
mod polytope;
mod posed;

pub use self::core::{Convex, Core};
pub use cuboid::cuboid_axes::{Meeting, cuboid_axes, cuboids_meet};
pub(crate) use cuboid::cuboid_distance::cuboid_distance;
pub(crate) use cuboid::cuboid_points::cuboid_points;
pub use depth::axes::{AxisAnswer, AxisFeature, separating_axes};
pub use depth::coaxial::coaxial;
pub(crate) use depth::concentric::concentric_ellipsoids;
pub use depth::expanding::expanding_polytope;
pub use depth::penetration::{Accuracy, CorePenetration};
pub use difference::{Difference, Vertex};
pub use distance::gjk::gjk;
pub use distance::gjk_answer::{Acceleration, Gjk, GjkOptions};
pub use distance::gjk_memory::GjkMemory;
pub use distance::simplex::GjkSimplex;
pub use manifold::{ContactFeature, ContactId};
pub(crate) use manifold::{
    ContactSpot, FacetTriangle, Manifold, ManifoldPoint, OnFacet, OverFacet, SignedDistance, convex_manifold,
    manifold_on_wall, reduce_manifold,
};
pub(crate) use pair_kind::PairKind;
pub use polytope::Polytope;
pub use posed::{PosedConvex, SupportPoint};
