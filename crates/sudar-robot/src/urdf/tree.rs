//! The tree of links, and the elementary frames that its joints are made of.

use sudar::DVec3;

use super::read::{Description, JointElement};
use crate::RobotError;
use crate::frame::Frame;
use crate::node::{Axis, Coordinate, Motion, Node, Place};
use crate::robot::{Joint, JointKind};

/// Which joint carries which link.
pub(super) struct Tree {
    /// For each link the joint that carries it.
    pub carrier: Vec<Option<usize>>,
    /// The links, each after the one that it hangs on.
    order: Vec<usize>,
}

/// The frames of a robot.
pub(super) struct Nodes {
    pub list: Vec<Node>,
    /// For each link its frame.
    pub of_link: Vec<usize>,
    /// For each joint its frames.
    pub of_joint: Vec<Place>,
}

impl Tree {
    pub fn new(links: &[&str], joints: &[Joint]) -> Result<Self, RobotError> {
        let mut carrier: Vec<Option<usize>> = vec![None; links.len()];
        for (i, joint) in joints.iter().enumerate() {
            if let Some(first) = carrier[joint.child].replace(i) {
                let [first, second] = [first, i].map(|i| joints[i].name.clone());
                return Err(RobotError::TwoParents { link: links[joint.child].to_owned(), first, second });
            }
        }
        let order = order(&carrier, joints);
        if links.is_empty() {
            return Err(RobotError::NoLinks);
        }
        let mut is_reached = vec![false; links.len()];
        order.iter().for_each(|&i| is_reached[i] = true);
        match is_reached.iter().position(|reached| !reached) {
            Some(i) => Err(RobotError::NotATree { link: links[i].to_owned() }),
            None => Ok(Self { carrier, order }),
        }
    }

    /// The frames, parents first.
    pub fn nodes(
        &self,
        described: &Description,
        joints: &[Joint],
        coordinates: &[Vec<Coordinate>],
    ) -> Result<Nodes, RobotError> {
        let of_joint = vec![Place { first: 0, last: 0, sign: 1.0, zero: 0.0 }; joints.len()];
        let mut nodes = Nodes { list: Vec::new(), of_link: vec![0; self.carrier.len()], of_joint };
        for &link in &self.order {
            let Some(i) = self.carrier[link] else {
                nodes.add(0, Frame::IDENTITY, Motion::None);
                continue;
            };
            let joint = &described.joints[i];
            let mut at = nodes.of_link[joints[i].parent];
            let (mut origin, first) = (Some(joint.origin), nodes.list.len());
            for motion in motions(joint, joints[i].kind, &coordinates[i])? {
                at = nodes.add(at, origin.take().unwrap_or(Frame::IDENTITY), motion);
            }
            nodes.of_link[link] = at;
            nodes.of_joint[i] = Place::new([first, at], joint.axis, &nodes.list[first].motion, 0.0);
        }
        Ok(nodes)
    }
}

/// The links from the root on; those that are not below it are missing.
fn order(carrier: &[Option<usize>], joints: &[Joint]) -> Vec<usize> {
    let mut below = vec![Vec::new(); carrier.len()];
    joints.iter().for_each(|joint| below[joint.parent].push(joint.child));
    // The first link without a carrier is the root.
    let mut order: Vec<usize> = carrier.iter().position(Option::is_none).into_iter().collect();
    let mut next = 0;
    while let Some(&link) = order.get(next) {
        order.extend(&below[link]);
        next += 1;
    }
    order
}

impl Nodes {
    fn add(&mut self, parent: usize, origin: Frame, motion: Motion) -> usize {
        let depth = self.list.get(parent).map_or(0, |parent| parent.depth + 1);
        self.list.push(Node { parent: parent as u32, origin, motion, depth });
        self.list.len() - 1
    }
}

/// The motions that a joint is made of, at least one.
fn motions(
    joint: &JointElement,
    kind: JointKind,
    coordinates: &[Coordinate],
) -> Result<Vec<Motion>, RobotError> {
    Ok(match (kind, coordinates) {
        (JointKind::Revolute | JointKind::Continuous, &[by]) => vec![Motion::turn(direction(joint)?, by)],
        (JointKind::Prismatic, &[by]) => vec![Motion::slide(direction(joint)?, by)],
        (JointKind::Planar, &[u, v, by]) => {
            let normal = direction(joint)?;
            let [first, second] = across(normal);
            vec![Motion::slide(first, u), Motion::slide(second, v), Motion::turn(normal, by)]
        }
        (JointKind::Floating, &[x, y, z, roll, pitch, yaw]) => {
            let slides = [Motion::Slide(Axis::X, x), Motion::Slide(Axis::Y, y), Motion::Slide(Axis::Z, z)];
            slides.into_iter().chain(Motion::turned(roll, pitch, yaw)).collect()
        }
        (JointKind::Spherical, &[roll, pitch, yaw]) => Motion::turned(roll, pitch, yaw).to_vec(),
        // Fixed joints; all others have as many coordinates as numbers.
        (_, _) => vec![Motion::None],
    })
}

/// The unit axis of a joint.
fn direction(joint: &JointElement) -> Result<DVec3, RobotError> {
    let axis = joint.axis;
    let size = axis.abs().max_element();
    if size == 0.0 {
        return Err(RobotError::NoAxis { joint: joint.name.clone() });
    }
    let axis = axis / size;
    Ok(axis / axis.length())
}

/// Two unit directions at right angles to a normal and to each other: the axes that follow where it is one of x, y, z.
fn across(normal: DVec3) -> [DVec3; 2] {
    match Axis::along(normal) {
        Axis::X => [DVec3::Y, DVec3::Z],
        Axis::Y => [DVec3::Z, DVec3::X],
        Axis::Z => [DVec3::X, DVec3::Y],
        Axis::Other(n) => {
            let least = n.abs().min_position();
            let first = DVec3::AXES[least].cross(n).normalize();
            [first, n.cross(first)]
        }
    }
}
