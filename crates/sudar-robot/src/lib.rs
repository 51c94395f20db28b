//! Robots for the collision library `sudar`: URDF, MJCF, kinematics, configurations and edges checked with proof.
//!
//! A [`Robot`] is read from URDF or from MJCF, MuJoCo's XML, with the meshes of its collision geometry and the
//! disabled pairs of an SRDF. A [`RobotCell`] is a robot among objects: it checks lists of configurations
//! ([`check`](RobotCell::check), [`first_contact`](RobotCell::first_contact)), measures how far they are from contact
//! and how that changes with the joints ([`clearance`](RobotCell::clearance)), and certifies straight edges in joint
//! space over the whole motion of every link ([`check_edges`](RobotCell::check_edges),
//! [`check_path`](RobotCell::check_path)).
//!
//! ```
//! use sudar::query::{Batch, Body};
//! use sudar::{Cuboid, DVec3, Pose};
//! use sudar_robot::{CellOptions, EdgeOptions, LoadOptions, Robot, RobotCell};
//!
//! // A rod of one metre that turns about z.
//! let urdf = r#"<robot name="rod">
//!     <link name="base"/>
//!     <link name="rod"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1
//! 0.1"/></geometry></collision></link>     <joint name="turn" type="continuous"><parent link="base"/><child
//! link="rod"/><axis xyz="0 0 1"/></joint> </robot>"#;
//! let robot = Robot::parse(urdf, "rod.urdf", &LoadOptions::default())?;
//! let post = Body::new(Cuboid::new(DVec3::splat(0.05))?);
//! let scene = vec![("post".to_owned(), post, Pose::from_translation(DVec3::new(0.0, 0.8, 0.0))?)];
//! let cell = RobotCell::new(&robot, scene, &CellOptions::default())?;
//!
//! // Three configurations of one joint: true is free of contact.
//! assert_eq!(cell.check(&[0.0, 1.5, 3.0], &Batch::default())?, [true, false, true]);
//! // Both ends are free; on the way the rod meets the post.
//! let edge = cell.check_edges(&[0.0], &[3.0], &EdgeOptions::default(), &Batch::default())?;
//! assert!(!edge[0].is_free());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Lengths are metres, angles radians, poses in the frame of the root link. Lists of configurations are flat: n · dof
//! numbers, row by row. Everything has the same bits for any number of threads and on every platform.
//!
//! With the feature `parallel` (default) lists are worked on all cores.

mod ball;
mod cell;
mod certificate;
mod core;
mod error;
mod filter;
mod frame;
mod group;
mod inertial;
mod jacobian;
mod kinematics;
mod load;
mod mjcf;
mod node;
mod notes;
mod part;
mod patch;
mod pcg;
mod places;
mod plan;
mod reach;
mod robot;
mod rows;
mod sample;
mod spheres;
mod srdf;
mod stored;
mod ties;
mod together;
mod turns;
mod urdf;
mod world;
mod xml;

pub use cell::{
    CLEARANCE_CHUNK, CellOptions, Clearance, ClearanceOptions, Contact, EDGE_CHUNK, EdgeAnswer, EdgeHit,
    EdgeOptions, LIMIT_TOLERANCE, MAP_BOXES, MapReport, Nearest, NeverMet, Other, PairOptions, PairReason,
    PathAnswer, Reason, RobotCell, SelfPair, SignedDistance, SignedOptions,
};
pub use certificate::{
    CERTIFICATE_FORMAT, Certificate, CertificateBody, CertificateContent, CertificateError, CertificateJoint,
    CertificateMotion, CertificateNode, CertificateOwner, CertificateShape, LeftOut, PairProof, Verified,
};
pub use error::RobotError;
pub use inertial::Inertial;
pub use kinematics::CHUNK;
pub use load::LoadOptions;
pub use mjcf::MjcfFault;
pub use part::{Attached, Part};
pub use plan::{
    PLAN_ROUND, Plan, PlanEnd, PlanError, PlanOptions, PlanStatistics, TimingOptions, Trajectory,
    TrajectoryState,
};
pub use reach::ReachOptions;
pub use robot::{DisabledPair, Dof, Joint, JointGroup, JointKind, Keyframe, Link, Mimic, Robot};
pub use spheres::{LinkSpheres, SphereOptions};
pub use world::{RobotBodies, WorldOptions};

/// The code of the page on robots, tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/robot.md")]
struct Guide;
