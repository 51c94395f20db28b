//! Methods for two convex bodies as their authors describe them, to study and to compare with [`sudar::convex`].
//!
//! | query | method |
//! |---|---|
//! | do they meet? | [`gjk_cases`], [`chung_wang`], [`SeparatingVector`], [`brute_force_separating_plane`] |
//! | how far apart? | [`ClosestFeatures`] (I-COLLIDE) |
//! | step by step, to be drawn | [`trace`], [`ClosestFeatures::trace`] with [`VoronoiRegion`] |
//! | is a point inside? | [`pseudo_voronoi_penetration`] (I-COLLIDE) |

mod chung_wang;
mod enclosure;
mod face_planes;
mod gjk_cases;
mod half_spaces;
mod lin_canny;
mod separating_vector;
pub mod trace;

pub use chung_wang::{ChungWang, Separation, chung_wang, chung_wang_reflections_only};
pub use face_planes::{SeparatingPlane, brute_force_face_plane, brute_force_separating_plane};
pub use gjk_cases::{GjkCases, gjk_cases, gjk_cases_moving};
pub use lin_canny::{
    Closest, ClosestFeatures, Feature, FeatureAnswer, FeatureMap, FeatureOutcome, PosedFeatures,
    PseudoVoronoi, VoronoiRegion, pseudo_voronoi_penetration,
};
pub use separating_vector::{SeparatingStatistics, SeparatingVector};
