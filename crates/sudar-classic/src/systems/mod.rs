//! The classic systems, one a file.

mod cd;
mod cd_patch;
mod col_det;
mod convex_pair;
mod convex_part;
mod convex_world;
mod kernels;
mod model;
mod quick_cd;
mod rapid;
mod rays;
mod solid;
mod sphere_tree;
mod swift;
mod swift_minima;
mod swift_nodes;
mod swift_search;

pub use cd::{Cd, CdError};
pub use col_det::ColDet;
pub use convex_pair::{BodyId, ConvexBody, Proximity, TestParts, proximity};
pub use convex_part::{
    ConvexPart, LinCannyPair, PairAnswer, PairMethod, PairState, PosedPart, SeparatingPair,
};
pub use convex_world::{ConvexWorld, ICollide, QCollide};
pub use kernels::{ByCorners, RefitKernel, Refitting};
pub use model::{Effort, Found, Limits, Model, Stop, brute_force};
pub use quick_cd::{QuickCd, QuickCdOptions, Refit};
pub use rapid::Rapid;
pub use rays::{ProbeRay, RayBody, RayContact};
pub use solid::Solid;
pub use sphere_tree::SphereTree;
pub use swift::{Swift, SwiftContact, SwiftContacts, SwiftDistance, SwiftMemory, SwiftOptions, SwiftOrder};
