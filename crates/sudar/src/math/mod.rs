//! Poses, intervals and exact predicates: what every other room stands on.

mod close;
mod eigen;
pub(crate) mod exact;
mod fraction;
mod integers;
mod interval;
pub(crate) mod order;
pub(crate) mod par;
mod pose;
mod power;
pub(crate) mod predicates;
mod rotation;
pub(crate) mod sets;
mod sign;
pub(crate) mod simd;
mod vector;

pub(crate) use close::{Close, Number};
pub use eigen::{SymmetricEigen, symmetric_eigen};
pub use exact::{ExactVec3, FractionVec3};
pub(crate) use exact::{Rational, RationalVec3};
pub use fraction::Fraction;
pub(crate) use integers::Determinant;
pub use interval::Interval;
pub use pose::{Pose, PoseError};
pub(crate) use power::{binary_exponent, power_of_two};
pub use predicates::{orient2d, orient3d};
pub(crate) use rotation::{nearest_rotation, rotation_by, shear, shortest_turn};
pub use sign::Sign;
pub(crate) use vector::{length, outer, sized, unit};
