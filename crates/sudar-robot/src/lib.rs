//! Robots: URDF, kinematics, configurations and edges checked with proof.

mod ball;
mod cell;
mod core;
mod error;
mod frame;
mod kinematics;
mod load;
mod part;
mod pcg;
mod places;
mod robot;
mod rows;
mod sample;
mod srdf;
mod urdf;

pub use cell::{
    CellOptions, Clearance, ClearanceOptions, Contact, EDGE_CHUNK, EdgeAnswer, EdgeHit, EdgeOptions, Nearest, NeverMet,
    Other, PairOptions, PairReason, PathAnswer, RobotCell, SelfPair,
};
pub use error::RobotError;
pub use kinematics::CHUNK;
pub use load::LoadOptions;
pub use part::{Attached, Part};
pub use robot::{Dof, Joint, JointKind, Link, Mimic, Robot};
pub use srdf::DisabledPair;
