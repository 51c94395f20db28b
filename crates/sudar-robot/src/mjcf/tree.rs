//! From bodies to the links, joints and frames of a robot.
//!
//! A body is a link. Of a body with several joints each but the last carries a link without mass between them. A joint
//! turns about an anchor in the frame of the body: its frame goes there, turns, and comes back.

use std::collections::HashSet;

use sudar::{DVec3, Interval};

use super::bodies::{Body, unique};
use super::joints::{self, Kind};
use super::orientation::roll_pitch_yaw;
use crate::RobotError;
use crate::frame::Frame;
use crate::node::{Coordinate, Motion, Node, Place};
use crate::robot::{Joint, JointKind, Link};

/// The tree before equalities couple joints.
pub(super) struct Tree {
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    /// For each body its link.
    pub link_of: Vec<usize>,
    /// For each joint that moves the place among [`Body::joints`]: the body and the joint; none of fixed ones.
    pub source: Vec<Option<(usize, usize)>>,
}

const NONE: Interval = Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

impl Tree {
    pub fn new(bodies: &mut [Body]) -> Result<Self, RobotError> {
        let mut tree =
            Self { links: Vec::new(), joints: Vec::new(), link_of: Vec::new(), source: Vec::new() };
        let mut links: HashSet<String> = bodies.iter().map(|body| body.name.clone()).collect();
        let mut joints = joint_names(bodies)?;
        for (number, body) in bodies.iter_mut().enumerate() {
            if number > 0 {
                let parent = tree.link_of[body.parent];
                tree.hang((number, body), parent, (&mut links, &mut joints));
            }
            let shapes = body.geoms.iter_mut().filter_map(|geom| geom.body.take()).collect();
            let link = tree.add_link(body.name.clone(), shapes, false);
            tree.links[link].inertial = body.inertial;
            tree.link_of.push(link);
        }
        Ok(tree)
    }

    /// The joints of a body, and the links between them; the link of the body itself comes next.
    fn hang(
        &mut self,
        (number, body): (usize, &Body),
        mut parent: usize,
        (links, joints): (&mut HashSet<String>, &mut HashSet<String>),
    ) {
        if body.joints.is_empty() {
            let name = unique(format!("{}_fixed", body.name), joints);
            self.add_joint(fixed(name, parent, self.links.len()), None);
        }
        let mut before: Option<&str> = None;
        for (which, joint) in body.joints.iter().enumerate() {
            if let Some(before) = before {
                parent = self.add_link(unique(format!("{}.{before}", body.name), links), Vec::new(), true);
            }
            let name = joint.name.clone().unwrap_or_default();
            self.add_joint(moving(joint, name, parent, self.links.len()), Some((number, which)));
            before = joint.name.as_deref();
        }
    }

    fn add_joint(&mut self, joint: Joint, source: Option<(usize, usize)>) {
        self.joints.push(joint);
        self.source.push(source);
    }

    fn add_link(
        &mut self,
        name: String,
        bodies: Vec<(sudar::query::Body, sudar::Pose)>,
        is_between: bool,
    ) -> usize {
        let number = self.links.len();
        let joint = self.joints.iter().rposition(|joint| joint.child == number);
        self.links.push(Link { name, joint, bodies, inertial: None, node: 0, is_between });
        number
    }

    /// The frames of all links, which then know their own; the places of joints.
    pub fn nodes(&mut self, bodies: &[Body], coordinates: &[Vec<Coordinate>]) -> (Vec<Node>, Vec<Place>) {
        let mut nodes = Nodes { list: Vec::new() };
        nodes.add(0, Frame::IDENTITY, Motion::None);
        let mut places = Vec::with_capacity(self.joints.len());
        let mut body = 0;
        for (number, joint) in self.joints.iter().enumerate() {
            let above = self.links[joint.parent].node;
            let Some((of, which)) = self.source[number] else {
                body += 1;
                let node = nodes.add(above, bodies[body].frame, Motion::None);
                self.links[joint.child].node = node;
                places.push(Place::new([node; 2], DVec3::ZERO, &Motion::None, 0.0));
                continue;
            };
            body = of;
            let all = &bodies[of].joints;
            let before = if which == 0 { DVec3::ZERO } else { all[which - 1].anchor };
            let origin = match (all[which].kind, which) {
                // The numbers of a free joint are those of the pose in the world.
                (Kind::Free, _) => Frame::IDENTITY,
                (_, 0) => bodies[of].frame.after(&step(all[which].anchor)),
                (_, _) => step(all[which].anchor - before),
            };
            let motions = motions(&all[which], &coordinates[number]);
            let (first, last) = nodes.chain(above, origin, &motions);
            let is_last = which + 1 == all.len();
            let back = is_last && all[which].anchor != DVec3::ZERO;
            let end = if back { nodes.add(last, step(-all[which].anchor), Motion::None) } else { last };
            self.links[joint.child].node = end;
            places.push(Place::new([first, last], all[which].axis, &motions[0], all[which].reference));
        }
        (nodes.list, places)
    }
}

/// Joints without a name get one; all are of their own.
fn joint_names(bodies: &mut [Body]) -> Result<HashSet<String>, RobotError> {
    let mut known = HashSet::new();
    for joint in bodies.iter().flat_map(|body| &body.joints) {
        if let Some(name) = joint.name.clone()
            && !known.insert(name.clone())
        {
            return Err(joint.place.refuse(super::fault::MjcfFault::Twice { what: "joints", name }));
        }
    }
    for (number, joint) in bodies.iter_mut().flat_map(|body| &mut body.joints).enumerate() {
        if joint.name.is_none() {
            joint.name = Some(unique(format!("joint{number}"), &mut known));
        }
    }
    Ok(known)
}

fn fixed(name: String, parent: usize, child: usize) -> Joint {
    Joint {
        name,
        kind: JointKind::Fixed,
        parent,
        child,
        mimics: None,
        limits: NONE,
        effort: 0.0,
        velocity: 0.0,
        friction: 0.0,
        damping: 0.0,
        stiffness: 0.0,
        rest: 0.0,
    }
}

fn moving(joint: &joints::Joint, name: String, parent: usize, child: usize) -> Joint {
    let is_limited = joint.limits != NONE;
    let kind = match joint.kind {
        Kind::Free => JointKind::Floating,
        Kind::Ball => JointKind::Spherical,
        Kind::Slide => JointKind::Prismatic,
        Kind::Hinge if is_limited => JointKind::Revolute,
        Kind::Hinge => JointKind::Continuous,
    };
    let is_single = matches!(joint.kind, Kind::Slide | Kind::Hinge);
    let of = |x: f64| if is_single { x } else { 0.0 };
    Joint {
        kind,
        limits: joint.limits,
        friction: of(joint.friction),
        damping: of(joint.damping),
        stiffness: of(joint.stiffness),
        rest: of(joint.rest),
        ..fixed(name, parent, child)
    }
}

fn step(t: DVec3) -> Frame {
    Frame { t, ..Frame::IDENTITY }
}

/// What a joint is made of. At its reference it does not move.
fn motions(joint: &joints::Joint, by: &[Coordinate]) -> Vec<Motion> {
    match (joint.kind, by) {
        (Kind::Slide, &[by]) => vec![Motion::slide(joint.axis, shifted(by, joint.reference))],
        (Kind::Hinge, &[by]) => vec![Motion::turn(joint.axis, shifted(by, joint.reference))],
        (Kind::Ball, &[roll, pitch, yaw]) => Motion::turned(roll, pitch, yaw).to_vec(),
        (Kind::Free, &[x, y, z, roll, pitch, yaw]) => {
            let slides = [(DVec3::X, x), (DVec3::Y, y), (DVec3::Z, z)];
            let slides = slides.map(|(axis, by)| Motion::slide(axis, by));
            slides.into_iter().chain(Motion::turned(roll, pitch, yaw)).collect()
        }
        // All joints have as many coordinates as numbers.
        (_, _) => vec![Motion::None],
    }
}

fn shifted(by: Coordinate, reference: f64) -> Coordinate {
    Coordinate { offset: by.offset - reference, ..by }
}

/// The numbers of a joint in the pose of the file.
pub(super) fn home(body: &Body, which: usize) -> Vec<f64> {
    let joint = &body.joints[which];
    match joint.kind {
        Kind::Free => [body.frame.t.to_array(), roll_pitch_yaw(&body.frame)].concat(),
        Kind::Ball => vec![0.0; 3],
        Kind::Slide | Kind::Hinge => vec![joint.reference],
    }
}

struct Nodes {
    list: Vec<Node>,
}

impl Nodes {
    fn add(&mut self, parent: usize, origin: Frame, motion: Motion) -> usize {
        let depth = self.list.get(parent).map_or(0, |parent| parent.depth + 1);
        self.list.push(Node { parent: parent as u32, origin, motion, depth });
        self.list.len() - 1
    }

    /// One motion after the other; the first and the last node.
    fn chain(&mut self, above: usize, origin: Frame, motions: &[Motion]) -> (usize, usize) {
        let first = self.list.len();
        let (mut at, mut origin) = (above, Some(origin));
        for motion in motions {
            at = self.add(at, origin.take().unwrap_or(Frame::IDENTITY), *motion);
        }
        (first, at)
    }
}
