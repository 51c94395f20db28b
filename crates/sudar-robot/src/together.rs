//! Several robots as one, each on a base of its own.

use sudar::{Interval, Pose};

use crate::frame::Frame;
use crate::node::{Motion, Node, Place};
use crate::robot::{Joint, JointKind, Link, Loop, Member};
use crate::{DisabledPair, JointGroup, Robot, RobotError};

/// The root link of robots that are one.
const WORLD: &str = "world";

impl Robot {
    /// Several robots as one, each by a name and with the pose of its root link in the world. Links, joints and numbers
    /// are called `name/…`, in the order of the robots; a configuration has those of all. All else takes it as any
    /// robot: a [`RobotCell`](crate::RobotCell) checks the robots with each other as it checks the links of one. The
    /// root link is `world`, and the world of an MJCF, such as its floor, is the link `name/world`. The rules of
    /// collision of an MJCF hold among its own links; those of two robots are checked whatever the rules are, unless
    /// both stand. Keyframes are left out.
    ///
    /// # Errors
    /// [`RobotError::NoLinks`] without a robot, [`RobotError::Twice`] for two of one name, [`RobotError::Member`] for
    /// robots that are several already.
    pub fn together(robots: &[(&str, &Self, Pose)]) -> Result<Self, RobotError> {
        let mut all = empty();
        for (name, robot, base) in robots {
            all.join(name, robot, base)?;
        }
        if robots.is_empty() { Err(RobotError::NoLinks) } else { Ok(all) }
    }

    fn join(&mut self, name: &str, robot: &Self, base: &Pose) -> Result<(), RobotError> {
        if self.members.iter().any(|member| member.name == name) {
            return Err(RobotError::Twice { what: "robot", name: name.to_owned() });
        }
        if !robot.members.is_empty() {
            let why = "it is several robots already; put them together at once";
            return Err(RobotError::Member { name: name.to_owned(), why });
        }
        let called = |own: &str| format!("{name}/{own}");
        let (link, node) = (self.links.len(), self.nodes.len());
        let root = robot.links.iter().position(|link| link.joint.is_none()).unwrap_or_default();
        self.add_nodes(robot, base);
        self.add_joints(robot, name, link + root);
        self.links.extend(robot.links.iter().map(|own| Link {
            name: called(&own.name),
            // The joint of the base comes first.
            joint: Some(own.joint.map_or(self.joints.len() - robot.joints.len() - 1, |joint| {
                self.joints.len() - robot.joints.len() + joint
            })),
            node: node + own.node,
            ..own.clone()
        }));
        self.home.extend(&robot.home);
        let pair = |pair: &DisabledPair| DisabledPair {
            links: pair.links.each_ref().map(|link| called(link)),
            reason: pair.reason.clone(),
        };
        self.disabled.extend(robot.disabled.iter().map(pair));
        self.groups.extend(robot.groups.iter().map(|group| JointGroup {
            name: called(&group.name),
            joints: group.joints.iter().map(|joint| called(joint)).collect(),
        }));
        self.notes.extend(robot.notes.iter().map(|note| format!("{name}: {note}")));
        // Anchors are in the frames of links, which stay as they are.
        self.loops.extend(
            robot.loops.iter().map(|own| Loop { links: own.links.map(|own| link + own), ..own.clone() }),
        );
        let (links, filter) = (link..self.links.len(), robot.filter.clone());
        self.members.push(Member { name: name.to_owned(), links, node, filter });
        Ok(())
    }

    /// The frames of a robot on its base, moved by the numbers that follow.
    fn add_nodes(&mut self, robot: &Self, base: &Pose) {
        let (first, dof) = (self.nodes.len(), self.dofs.len() as u32);
        for (i, own) in robot.nodes.iter().enumerate() {
            let mut motion = own.motion;
            if let Some(coordinate) = own.motion.coordinate() {
                motion.renumber(coordinate.dof + dof);
            }
            let (parent, origin) = match i {
                0 => (0, Frame::of(base)),
                _ => (first as u32 + own.parent, own.origin),
            };
            self.nodes.push(Node { parent, origin, motion, depth: own.depth + 1 });
        }
    }

    /// The joint of the base, then those of a robot, and their numbers; `root` is its root link.
    fn add_joints(&mut self, robot: &Self, name: &str, root: usize) {
        let (link, node) = (self.links.len(), self.nodes.len() - robot.nodes.len());
        self.joints.push(Joint { parent: 0, child: root, ..fixed(name) });
        self.places.push(Place { first: node, last: node, sign: 1.0, zero: 0.0 });
        let joint = self.joints.len();
        for own in &robot.joints {
            let mimics = own.mimics.map(|mimic| crate::Mimic { joint: joint + mimic.joint, ..mimic });
            let (parent, child) = (link + own.parent, link + own.child);
            self.joints.push(Joint {
                name: format!("{name}/{}", own.name),
                parent,
                child,
                mimics,
                ..own.clone()
            });
        }
        let place = |own: &Place| Place { first: node + own.first, last: node + own.last, ..*own };
        self.places.extend(robot.places.iter().map(place));
        self.dofs.extend(robot.dofs.iter().map(|own| crate::Dof {
            name: format!("{name}/{}", own.name),
            joint: joint + own.joint,
            ..own.clone()
        }));
    }

    /// Which of several robots a link belongs to.
    pub(crate) fn member_of(&self, link: usize) -> Option<usize> {
        self.members.iter().position(|member| member.links.contains(&link))
    }

    /// The number of one of several robots.
    pub(crate) fn member(&self, name: &str) -> Option<usize> {
        self.members.iter().position(|member| member.name == name)
    }

    /// Lets one of several robots stand elsewhere.
    pub(crate) fn set_base_of(&mut self, member: usize, base: &Pose) {
        let node = self.members.get(member).map(|member| member.node);
        if let Some(node) = node.and_then(|node| self.nodes.get_mut(node)) {
            node.origin = Frame::of(base);
        }
    }
}

/// A world without robots.
fn empty() -> Robot {
    let world = Link {
        name: WORLD.to_owned(),
        joint: None,
        bodies: Vec::new(),
        inertial: None,
        node: 0,
        is_between: false,
    };
    Robot {
        name: WORLD.to_owned(),
        links: vec![world],
        joints: Vec::new(),
        places: Vec::new(),
        nodes: vec![Node { parent: 0, origin: Frame::IDENTITY, motion: Motion::None, depth: 0 }],
        dofs: Vec::new(),
        disabled: Vec::new(),
        notes: Vec::new(),
        home: Vec::new(),
        keyframes: Vec::new(),
        loops: Vec::new(),
        filter: None,
        whole: None,
        members: Vec::new(),
        groups: Vec::new(),
    }
}

/// A joint that does not move, between links to be named.
fn fixed(name: &str) -> Joint {
    Joint {
        name: name.to_owned(),
        kind: JointKind::Fixed,
        parent: 0,
        child: 0,
        mimics: None,
        limits: Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY },
        effort: 0.0,
        velocity: 0.0,
        friction: 0.0,
        damping: 0.0,
        stiffness: 0.0,
        rest: 0.0,
    }
}
