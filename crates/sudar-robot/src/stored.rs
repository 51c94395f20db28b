//! Robots as bytes: all that was read, so that no file is needed again.

use crate::{Robot, RobotError};

/// The first bytes; the number is that of the format.
const HEAD: &[u8] = b"sudar robot 2\n";

impl Robot {
    /// All that the robot is, its meshes too, for [`from_bytes`](Self::from_bytes) of the same version of this library.
    ///
    /// # Errors
    /// [`RobotError::Stored`] if a shape cannot be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>, RobotError> {
        postcard::to_extend(self, HEAD.to_vec()).map_err(|why| stored(&why))
    }

    /// The robot that was written by [`to_bytes`](Self::to_bytes): every answer about it is the same, bit for bit.
    ///
    /// # Errors
    /// [`RobotError::Stored`] for bytes that are those of no robot.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RobotError> {
        let why = |why: &str| RobotError::Stored { why: why.to_owned() };
        let rest =
            bytes.strip_prefix(HEAD).ok_or_else(|| why("they do not begin as those of this version"))?;
        let robot: Self = postcard::from_bytes(rest).map_err(|why| stored(&why))?;
        if robot.is_sound() { Ok(robot) } else { Err(why("a number or a name is out of place")) }
    }

    /// Whether all that names something by its number names something that is there, and all numbers are such.
    fn is_sound(&self) -> bool {
        let (links, joints, nodes, dof) =
            (self.links.len(), self.joints.len(), self.nodes.len(), self.dofs.len());
        let frame =
            |f: &crate::frame::Frame| [f.x, f.y, f.z, f.t].iter().all(|v| v.is_finite()) && f.shear() < 1e-6;
        let node = |(i, node): (usize, &crate::node::Node)| {
            let by = node.motion.coordinate();
            let is_moved =
                by.is_none_or(|by| (by.dof as usize) < dof && by.factor.is_finite() && by.offset.is_finite());
            (node.parent as usize) < i.max(1) && frame(&node.origin) && is_moved
        };
        let joint = |joint: &crate::Joint| {
            joint.parent < links
                && joint.child < links
                && joint.mimics.is_none_or(|mimic| mimic.joint < joints)
        };
        let rest = |whole: &crate::robot::Whole| whole.numbers.iter().all(|&i| i < whole.rest.len());
        let has_rules = |filter: &Option<crate::filter::Filter>, links: usize| {
            filter.as_ref().is_none_or(|filter| filter.has(links))
        };
        let member = |one: &crate::robot::Member| {
            one.links.start <= one.links.end
                && one.links.end <= links
                && one.node < nodes
                && has_rules(&one.filter, one.links.len())
        };
        links > 0
            && nodes > 0
            && self.nodes.iter().enumerate().all(node)
            && self.joints.iter().all(joint)
            && self.places.len() == joints
            && self.places.iter().all(|place| place.first <= place.last && place.last < nodes)
            && self
                .links
                .iter()
                .all(|link| link.node < nodes && link.joint.is_none_or(|joint| joint < joints))
            && self.is_tree()
            && self.dofs.iter().all(|dof| dof.joint < joints)
            && self.home.len() == dof
            && self.keyframes.iter().all(|frame| frame.configuration.len() == dof)
            && self.loops.iter().all(|tie| tie.links.iter().all(|link| *link < links))
            && self.members.iter().all(member)
            && self.whole.as_ref().is_none_or(rest)
            && has_rules(&self.filter, links)
    }

    /// Whether each link is carried by the joint that it says, and none by itself.
    fn is_tree(&self) -> bool {
        (0..self.links.len()).all(|link| {
            let mut steps = 0;
            let mut at = link;
            while let Some(joint) = self.links[at].joint {
                if self.joints[joint].child != at || steps > self.joints.len() {
                    return false;
                }
                (at, steps) = (self.joints[joint].parent, steps + 1);
            }
            true
        })
    }
}

fn stored(why: &postcard::Error) -> RobotError {
    RobotError::Stored { why: why.to_string() }
}

/// Bodies by their shapes.
pub(crate) mod bodies {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use sudar::query::Body;
    use sudar::{Pose, Shape};

    pub fn serialize<S: Serializer>(bodies: &[(Body, Pose)], to: S) -> Result<S::Ok, S::Error> {
        bodies.iter().map(|(body, pose)| (body.shape(), pose)).collect::<Vec<(&Shape, &Pose)>>().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(Body, Pose)>, D::Error> {
        let shapes = Vec::<(Shape, Pose)>::deserialize(from)?;
        Ok(shapes.into_iter().map(|(shape, pose)| (Body::new(shape), pose)).collect())
    }
}
