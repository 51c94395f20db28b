//! Poses, intervals and exact predicates: what every other room stands on.

mod eigen;
pub(crate) mod exact;
mod interval;
mod pose;
pub(crate) mod predicates;

pub use eigen::{SymmetricEigen, symmetric_eigen};
pub use exact::{Rational, RationalVec3};
pub use interval::Interval;
pub use pose::{Pose, PoseError};
pub use predicates::{Sign, orient2d, orient3d, orient3d_fast};
