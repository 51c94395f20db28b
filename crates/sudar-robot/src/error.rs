//! Why a robot, a scene or a list of configurations is refused.

use sudar::dynamics::DynamicsError;
use thiserror::Error;

use crate::mjcf::MjcfFault;

/// What is wrong, on one line, with what to do about it.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RobotError {
    /// A file cannot be read.
    #[error("{file}: cannot be read ({why}); check the name and the rights")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        why: String,
    },
    /// A file that is no XML, or nested too deep to be a robot.
    #[error("{file}: is no {what} file: {why}")]
    NotXml {
        /// The file.
        file: String,
        /// URDF, MJCF or SRDF.
        what: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A file of macros.
    #[error("{file}, line {line}: has {what} of xacro, which is not expanded; run xacro and name its output")]
    Xacro {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The element or the expression.
        what: String,
    },
    /// Elements that do not describe a robot.
    #[error("{file}: {why}")]
    Description {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// An element of an MJCF file.
    #[error("{file}, line {line}: {fault}")]
    Mjcf {
        /// The file, which another may include.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        fault: MjcfFault,
    },
    /// Bytes that are those of no robot, or a shape that has none.
    #[error("are no stored robot of this version: {why}; load the files again")]
    Stored {
        /// What is wrong with them.
        why: String,
    },
    /// A mesh of a link cannot be read.
    #[error("link '{link}': {why}")]
    Mesh {
        /// The link.
        link: String,
        /// What the reader says.
        why: String,
    },
    /// An element of a geometry that URDF does not have.
    #[error(
        "{file}, line {line}: link '{link}': geometry {what} is not read; have missing meshes skipped, or replace it"
    )]
    NoGeometry {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The link.
        link: String,
        /// The element.
        what: String,
    },
    /// A mesh of a link is nowhere.
    #[error(
        "link '{link}': mesh {uri} is not found; name the folder of its package, or have missing meshes skipped"
    )]
    NoMesh {
        /// The link.
        link: String,
        /// The mesh as the file names it.
        uri: String,
    },
    /// A primitive with a size that is none.
    #[error("link '{link}': {why}")]
    Geometry {
        /// The link.
        link: String,
        /// What is wrong with it.
        why: String,
    },
    /// Two links or two joints have one name.
    #[error("two {what}s are named '{name}'; rename one")]
    Twice {
        /// link or joint.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A name that belongs to nothing.
    #[error("{by} names the {what} '{name}', which does not exist")]
    Unknown {
        /// Who names it.
        by: String,
        /// link, joint, part or object.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A name that is that of a part and of an object where either may be meant.
    #[error("'{name}' is a part and an object; name it part:{name} or object:{name}")]
    Ambiguous {
        /// The name.
        name: String,
    },
    /// A robot that cannot be put together with others.
    #[error("robot '{name}': {why}")]
    Member {
        /// The robot.
        name: String,
        /// Why not.
        why: &'static str,
    },
    /// A group with some of the numbers of a joint that has several.
    #[error("a group has some numbers of joint '{joint}'; name all of them or none")]
    PartOfJoint {
        /// The joint.
        joint: String,
    },
    /// A link that hangs on two joints.
    #[error("link '{link}' is the child of joints '{first}' and '{second}'; links form a tree")]
    TwoParents {
        /// The link.
        link: String,
        /// One of the joints.
        first: String,
        /// The other.
        second: String,
    },
    /// No link is free of a parent, or some are not below the one that is.
    #[error("link '{link}' is not below the root: its joints run in a circle, or the robot is in two pieces")]
    NotATree {
        /// A link that is not reached.
        link: String,
    },
    /// There is no link.
    #[error("the robot has no links")]
    NoLinks,
    /// Mimicking joints that copy each other, or one without a single value.
    #[error("joint '{joint}' mimics '{of}': {why}")]
    Mimic {
        /// The joint.
        joint: String,
        /// What it mimics.
        of: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A number of the description that is NaN, infinite or too large.
    #[error("{of}: a number is NaN, infinite or beyond 1e80")]
    Number {
        /// The link or joint.
        of: String,
    },
    /// An axis without a direction.
    #[error("joint '{joint}': its axis is the zero vector")]
    NoAxis {
        /// The joint.
        joint: String,
    },
    /// A world refuses a body or a joint.
    #[error("{0}")]
    World(DynamicsError),
    /// A list of configurations that is not rows of as many numbers as there are joints.
    #[error("{found} numbers are no whole configurations of {dof} joints; give n × {dof}, row by row")]
    Rows {
        /// How many numbers there are.
        found: usize,
        /// How many a configuration has.
        dof: usize,
    },
    /// Two lists of configurations that should be of one length, or one of them a single configuration.
    #[error("{first} starts and {second} ends are no edges; give as many of each, or one")]
    Edges {
        /// Configurations of the first list.
        first: usize,
        /// Configurations of the second.
        second: usize,
    },
    /// A value of a joint that is NaN, infinite or too large.
    #[error("configuration {row}: joint '{joint}' is {value}; values must be finite and within 1e80")]
    Value {
        /// The row, from 0.
        row: usize,
        /// The joint.
        joint: String,
        /// The value.
        value: f64,
    },
    /// A padding, tolerance or the like that is no length.
    #[error("{what} must be a finite number of 0 or more, found {value}")]
    NotALength {
        /// What.
        what: String,
        /// Its value.
        value: f64,
    },
}
