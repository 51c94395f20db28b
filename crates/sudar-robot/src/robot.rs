//! A robot: links with bodies, joined in a tree by joints.

use serde::{Deserialize, Serialize};
use std::ops::Range;

use sudar::query::Body;
use sudar::{CompoundError, Interval, Pose};

use crate::RobotError;
use crate::filter::Filter;
use crate::frame::Frame;
use crate::inertial::Inertial;
use crate::node::{Node, Place};

/// A robot read from URDF or MJCF. Made once by [`Robot::load`] or [`Robot::parse`], it never changes.
///
/// A configuration is one number for each of [`joint_names`](Self::joint_names), in radians or metres; lists of n
/// configurations are n · [`dof`](Self::dof) numbers, row by row.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Robot {
    pub(crate) name: String,
    pub(crate) links: Vec<Link>,
    pub(crate) joints: Vec<Joint>,
    /// For each joint where it is among the nodes.
    pub(crate) places: Vec<Place>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) dofs: Vec<Dof>,
    pub(crate) disabled: Vec<DisabledPair>,
    pub(crate) notes: Vec<String>,
    pub(crate) home: Vec<f64>,
    pub(crate) keyframes: Vec<Keyframe>,
    /// What ties links besides joints.
    pub(crate) loops: Vec<Loop>,
    /// What MJCF says of collisions. The root link is then the world, with which everything else collides. Of several
    /// robots each has its own.
    pub(crate) filter: Option<Filter>,
    /// Of a group, the robot that it is of.
    pub(crate) whole: Option<Whole>,
    /// The robots that it is, if it is several.
    pub(crate) members: Vec<Member>,
    pub(crate) groups: Vec<JointGroup>,
}

/// A link: a rigid piece of a robot.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Link {
    /// Its name.
    pub name: String,
    /// The joint that carries it, by its number in [`Robot::joints`]; none for the root.
    pub joint: Option<usize>,
    /// Its collision geometry: bodies with their poses in the link. Empty for links without.
    #[serde(with = "crate::stored::bodies")]
    pub bodies: Vec<(Body, Pose)>,
    /// Mass and inertia in the link, if the file gives a mass.
    pub inertial: Option<Inertial>,
    /// Its frame among [`Robot::nodes`].
    pub(crate) node: usize,
    /// Whether it is nothing but what is between two joints of one body of an MJCF.
    pub(crate) is_between: bool,
}

/// A joint between two links.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// The link that it hangs on.
    pub parent: usize,
    /// The link that it carries.
    pub child: usize,
    /// The joint whose value it copies, if it does.
    pub mimics: Option<Mimic>,
    /// Its own limits, in radians or metres; infinite where there are none.
    pub limits: Interval,
    /// The most torque, in N·m, or force, in N, of its motor; zero where the file says nothing.
    pub effort: f64,
    /// How fast it may go, in rad/s or m/s; zero where the file says nothing.
    pub velocity: f64,
    /// Its friction, in N·m or N, and its damping, in N·m·s or N·s/m.
    pub friction: f64,
    /// See `friction`.
    pub damping: f64,
    /// Its spring, in N·m/rad or N/m, and the value at which that does not pull: MJCF has these.
    pub stiffness: f64,
    /// See `stiffness`.
    pub rest: f64,
}

/// How a joint moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum JointKind {
    /// Not at all.
    Fixed,
    /// It turns about an axis, within limits.
    Revolute,
    /// It turns about an axis without limits.
    Continuous,
    /// It slides along an axis.
    Prismatic,
    /// It slides along two axes of a plane and turns about its normal: three values, `name.u`, `name.v`, `name.turn`.
    Planar,
    /// It moves freely: six values, `name.x`, `.y`, `.z`, `.roll`, `.pitch`, `.yaw`, of which the angles are about
    /// fixed axes in this order, as in URDF's `rpy`.
    Floating,
    /// It turns freely: three values, `name.roll`, `.pitch`, `.yaw`.
    Spherical,
}

impl JointKind {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::Fixed,
        Self::Revolute,
        Self::Continuous,
        Self::Prismatic,
        Self::Planar,
        Self::Floating,
        Self::Spherical,
    ];

    /// What it is called in URDF.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Revolute => "revolute",
            Self::Continuous => "continuous",
            Self::Prismatic => "prismatic",
            Self::Planar => "planar",
            Self::Floating => "floating",
            Self::Spherical => "spherical",
        }
    }
}

/// Copies a joint: value = multiplier · (value of the joint) + offset.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Mimic {
    /// The joint that is copied, by its number.
    pub joint: usize,
    /// What its value is multiplied by.
    pub multiplier: f64,
    /// What is added then, in radians or metres.
    pub offset: f64,
}

/// A configuration that an MJCF file names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Keyframe {
    /// Its name; may be empty.
    pub name: String,
    /// One number for each of [`Robot::joint_names`].
    pub configuration: Vec<f64>,
}

/// Two links that are held together though no joint of the tree is between them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Loop {
    pub links: [usize; 2],
    /// In the first link; of welds in the second.
    pub anchor: sudar::DVec3,
    /// Where the second is in the first.
    pub relative: Option<Pose>,
    /// Whether they are as one; otherwise they turn about the point.
    pub is_weld: bool,
}

/// One number of a configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dof {
    /// The joint's name; of joints with several numbers followed by which it is.
    pub name: String,
    /// The joint, by its number in [`Robot::joints`].
    pub joint: usize,
    /// The limits, in radians or metres; infinite where there are none. Limits of joints that mimic this one narrow
    /// them only if [`LoadOptions::narrow_by_mimics`](crate::LoadOptions::narrow_by_mimics) says so.
    pub limits: Interval,
    /// Whether it is an angle; otherwise it is a length.
    pub is_angle: bool,
}

/// A pair of links that an SRDF leaves out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisabledPair {
    /// The names of the links.
    pub links: [String; 2],
    /// Why, as the file has it: "Adjacent", "Never" and the like; often empty.
    pub reason: String,
}

/// A group of joints that an SRDF names, such as an arm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JointGroup {
    /// Its name.
    pub name: String,
    /// The names of its numbers, for [`Robot::group`](crate::Robot::group).
    pub joints: Vec<String>,
}

/// The robot that a group is of.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Whole {
    /// Which of its numbers those of the group are.
    pub numbers: Vec<usize>,
    /// The others stand at these; those of the group are not looked at.
    pub rest: Vec<f64>,
}

/// One of several robots.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Member {
    pub name: String,
    /// Its links.
    pub links: Range<usize>,
    /// The node of its root link.
    pub node: usize,
    /// What its MJCF says of collisions, by the numbers of its own links.
    pub filter: Option<Filter>,
}

impl Robot {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many numbers a configuration has.
    pub fn dof(&self) -> usize {
        self.dofs.len()
    }

    /// The numbers of a configuration, in order: joints that move and mimic none, in the order of the file.
    pub fn dofs(&self) -> &[Dof] {
        &self.dofs
    }

    /// Their names.
    pub fn joint_names(&self) -> Vec<&str> {
        self.dofs.iter().map(|dof| dof.name.as_str()).collect()
    }

    /// Their limits, in radians or metres.
    pub fn limits(&self) -> Vec<Interval> {
        self.dofs.iter().map(|dof| dof.limits).collect()
    }

    /// The links, in the order of the file.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Their names.
    pub fn link_names(&self) -> Vec<&str> {
        self.links.iter().map(|link| link.name.as_str()).collect()
    }

    /// The number of the link of this name.
    pub fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }

    /// The joints, fixed and mimicking ones too, in the order of the file.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The pose in which the file draws the links: of URDF all numbers are 0, of MJCF a joint is at its `ref` and a
    /// body that moves freely is at its `pos`.
    pub fn home(&self) -> &[f64] {
        &self.home
    }

    /// The configurations that an MJCF file names in its `keyframe`, in the order of the file.
    pub fn keyframes(&self) -> &[Keyframe] {
        &self.keyframes
    }

    /// The groups of joints that the SRDF names.
    pub fn groups(&self) -> &[JointGroup] {
        &self.groups
    }

    /// The pairs of links that the SRDF or the MJCF leaves out by name.
    pub fn disabled_pairs(&self) -> &[DisabledPair] {
        &self.disabled
    }

    /// Where the root link stands: at the origin unless it was put elsewhere.
    pub(crate) fn base(&self) -> Pose {
        // The root is the first node, and its frame was made of a pose.
        self.nodes.first().and_then(|root| root.origin.pose()).unwrap_or_default()
    }

    pub(crate) fn set_base(&mut self, base: Pose) {
        if let Some(root) = self.nodes.first_mut() {
            root.origin = Frame::of(&base);
        }
    }

    /// What was noticed in the files and not refused.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The whole link as one body, to be posed by [`forward`](Self::forward); `None` for links without geometry.
    /// Answers about it are those about its [`bodies`](Link::bodies) one by one.
    ///
    /// # Errors
    /// [`CompoundError`], which bodies of a robot do not give.
    pub fn link_body(&self, link: usize) -> Result<Option<Body>, CompoundError> {
        match self.links.get(link).map_or(&[][..], |link| &link.bodies) {
            [] => Ok(None),
            [(body, pose)] if *pose == Pose::IDENTITY => Ok(Some(body.clone())),
            bodies => Body::compound(bodies.to_vec()).map(Some),
        }
    }

    /// Whether each configuration is within the limits of all joints, or outside by no more than a tolerance in radians
    /// and metres; ends are included, and 0 is exact. Cells allow [`LIMIT_TOLERANCE`](crate::LIMIT_TOLERANCE).
    ///
    /// # Errors
    /// As [`forward`](Self::forward), and [`RobotError::NotALength`] for a tolerance that is NaN, infinite or below 0.
    pub fn within_limits(&self, q: &[f64], tolerance: f64) -> Result<Vec<bool>, RobotError> {
        if !(0.0..=f64::MAX).contains(&tolerance) {
            return Err(RobotError::NotALength {
                what: "the tolerance of limits".to_owned(),
                value: tolerance,
            });
        }
        let rows = self.rows(q)?;
        Ok((0..rows).map(|row| self.outside_limits(self.row(q, row), tolerance).is_none()).collect())
    }

    /// The first number that is outside its limits by more than a tolerance.
    pub(crate) fn outside_limits(&self, q: &[f64], tolerance: f64) -> Option<usize> {
        let is_within =
            |dof: &Dof, q: f64| dof.limits.lower - tolerance <= q && q <= dof.limits.upper + tolerance;
        self.dofs.iter().zip(q).position(|(dof, q)| !is_within(dof, *q))
    }
}
