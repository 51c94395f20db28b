//! Robots.

mod error;
mod frame;
mod kinematics;
mod load;
mod robot;
mod rows;
mod srdf;
mod urdf;

pub use error::RobotError;
pub use kinematics::CHUNK;
pub use load::LoadOptions;
pub use robot::{Dof, Joint, JointKind, Link, Mimic, Robot};
pub use srdf::DisabledPair;
