//! Convex bodies: what two of them have to do with each other, by every method the field knows.
//!
//! A body is its support mapping: the farthest point in a direction. Every method works on the [`Difference`] of
//! two posed bodies, A − B, the set of all a − b: the bodies have a point in common if and only if that set holds the
//! origin, their distance is its distance from the origin, and the depth of their overlap is the distance of the
//! origin from its boundary.
//!
//! | query | method |
//! |---|---|
//! | do they meet? | [`gjk_cases`], [`chung_wang`], [`SeparatingVector`] (Q-COLLIDE), [`cuboids_meet`], [`brute_force_separating_plane`] |
//! | how far apart? | [`gjk`] (with Newton's method between round cores) with [`GjkMemory`], [`ClosestFeatures`] (I-COLLIDE), [`cuboid_distance`] |
//! | how deep? | [`expanding_polytope`], [`separating_axes`], [`cuboid_axes`], [`concentric_ellipsoids`], [`coaxial`] |
//! | is a point inside? | [`pseudo_voronoi_penetration`] (I-COLLIDE) |
//! | where do they touch? | [`manifold()`], [`manifold_on_wall`] |
//!
//! Whoever has two bodies and a question asks room [`query`](crate::query), which picks.

mod axes;
mod blocks;
mod boundary;
mod candidates;
mod chung_wang;
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
mod enclosure;
mod expanding;
mod expanding_faces;
mod face_planes;
mod first_tetrahedron;
mod gjk;
mod gjk_answer;
mod gjk_cases;
mod gjk_memory;
mod gjk_search;
mod half_spaces;
mod lin_canny;
mod manifold;
mod newton;
mod penetration;
mod polytope;
mod posed;
mod refine;
mod separating_vector;
mod simplex;
#[cfg(test)]
pub(crate) mod testing;

pub use self::core::{Convex, Core};
pub use axes::{AxisAnswer, AxisFeature, separating_axes};
pub use chung_wang::{ChungWang, Separation, chung_wang, chung_wang_reflections_only};
pub use coaxial::coaxial;
pub use concentric::concentric_ellipsoids;
pub use cuboid_axes::{Meeting, cuboid_axes, cuboids_meet};
pub use cuboid_distance::{CuboidDistance, cuboid_distance};
pub use cuboid_points::cuboid_points;
pub use difference::{Difference, Vertex};
pub use expanding::expanding_polytope;
pub use face_planes::{SeparatingPlane, brute_force_face_plane, brute_force_separating_plane};
pub use gjk::gjk;
pub use gjk_answer::{Acceleration, Gjk, GjkOptions};
pub use gjk_cases::{GjkCases, gjk_cases, gjk_cases_moving};
pub use gjk_memory::GjkMemory;
pub use lin_canny::{
    Closest, ClosestFeatures, Feature, FeatureAnswer, FeatureMap, FeatureOutcome, PosedFeatures,
    PseudoVoronoi, pseudo_voronoi_penetration,
};
pub use manifold::{
    ContactFeature, ContactId, Manifold, ManifoldPoint, SignedDistance, Spot, manifold, manifold_on_wall,
    reduce_manifold,
};
pub(crate) use manifold::{FacetTriangle, OnFacet, OverFacet};
pub use penetration::{Accuracy, Penetration};
pub use polytope::Polytope;
pub use posed::{PosedConvex, SupportPoint};
pub use separating_vector::{SeparatingStatistics, SeparatingVector};
pub use simplex::Simplex;
