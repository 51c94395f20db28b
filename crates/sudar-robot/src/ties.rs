//! The joints of a robot as joints of a world.
//!
//! A joint of the robot is a joint of the world, but for rows of joints of one MJCF body, which are as few as can be:
//!
//! - Two hinges through one point with axes at right angles are one joint. Turned by a about y first and by b about the
//!   x axis of what is turned then, a body has the swing (a, 0) and the twist b, as [`Axis`] counts them.
//! - Slides at right angles to each other and then a hinge along or across them are one joint: a displacement is
//!   measured in the frame that does not turn.
//!
//! Where a row is neither, a body between its joints takes part in the motion.

use std::ops::Range;

use sudar::dynamics::{
    Anchor, Anchors, Axis, DynamicsError, Handle, Joint as Tie, JointHandle, Row, Softness, Spring, World,
};
use sudar::{DMat3, DQuat, DVec3};

use crate::frame::Frame;
use crate::node::Motion;
use crate::robot::JointKind;
use crate::world::{RobotBodies, WorldOptions};
use crate::{Robot, RobotError};

/// Which coordinate of a joint of a world a number of the configuration is, and its sign.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Along {
    pub joint: JointHandle,
    pub axis: Axis,
    pub sign: f64,
}

impl Along {
    /// How far the number has moved since the robot was added.
    pub fn moved(&self, world: &World) -> Result<f64, DynamicsError> {
        Ok(self.sign * world.joint_state(self.joint)?.coordinates[self.axis as usize])
    }

    /// Has the motor or spring of the coordinate go so far from where the robot was added.
    pub fn aim(&self, world: &mut World, way: f64) -> Result<(), DynamicsError> {
        world.joint_mut(self.joint)?.modify(|joint| {
            if let Some(spring) = &mut joint.rows[self.axis as usize].spring {
                spring.target = self.sign * way;
            }
        })
    }
}

/// A joint that copies a number of the configuration, so many times.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Copied {
    pub along: Along,
    pub dof: usize,
    pub factor: f64,
}

/// Joints that are one in the world: the frame that it has now, and for each the coordinate and its sign.
struct Group {
    joints: Range<usize>,
    rotation: DMat3,
    axes: Vec<(Axis, f64)>,
}

/// A swing is an angle below half a turn; hinges that may go farther keep a joint of their own.
const MOST_SWING: f64 = 3.0;
/// Cosine of axes that count as at right angles.
const RIGHT: f64 = 1e-9;

/// What a joint with one number does where the robot stands.
#[derive(Clone, Copy)]
struct Single {
    turns: bool,
    pivot: DVec3,
    axis: DVec3,
    value: f64,
}

/// A frame with the x axis along one direction and, if there is another, the y axis along that.
fn frame_of(x: DVec3, y: Option<DVec3>) -> DMat3 {
    let least = DVec3::AXES[x.abs().min_position()];
    let y = y.unwrap_or(least.cross(x)).reject_from_normalized(x).normalize();
    DMat3::from_cols(x, y, x.cross(y))
}

/// Slides along the axes of a frame, whose x axis is that of the hinge if there is one.
fn sliding(slides: &[Single], hinge: Option<&Single>) -> Option<(DMat3, Vec<(Axis, f64)>)> {
    let x = hinge.map_or(slides[0].axis, |hinge| hinge.axis);
    let y = slides.iter().map(|slide| slide.axis).find(|axis| axis.dot(x).abs() < RIGHT);
    let rotation = frame_of(x, y);
    let mut axes: Vec<(Axis, f64)> = Vec::new();
    for slide in slides {
        let along = [rotation.x_axis, rotation.y_axis, rotation.z_axis].map(|axis| axis.dot(slide.axis));
        let which = along.iter().position(|along| along.abs() > 1.0 - RIGHT)?;
        if axes.iter().any(|(axis, _)| *axis == Axis::ALL[which]) {
            return None;
        }
        axes.push((Axis::ALL[which], along[which].signum()));
    }
    axes.extend(hinge.map(|_| (Axis::Twist, 1.0)));
    Some((rotation, axes))
}

/// Where the robot stands while it is put into a world.
pub(crate) struct Stance<'s> {
    pub q: &'s [f64],
    /// The frames of all nodes, in the world.
    pub frames: Vec<Frame>,
    pub options: &'s WorldOptions,
}

impl Robot {
    /// The rows of joints of one body: those of URDF have one each.
    fn rows_of_joints(&self) -> Vec<Range<usize>> {
        let mut rows = Vec::new();
        let mut first = 0;
        for number in 0..self.joints.len() {
            if !self.links[self.joints[number].child].is_between {
                rows.push(first..number + 1);
                first = number + 1;
            }
        }
        rows
    }

    /// The joints that are one in the world, in order.
    pub(crate) fn tied(&self, stance: &Stance<'_>) -> Vec<Range<usize>> {
        let mut groups = Vec::new();
        for row in self.rows_of_joints() {
            let mut first = row.start;
            while first < row.end {
                let longest =
                    (first + 1..=row.end).rev().find(|end| self.grouped(first..*end, stance).is_some());
                let end = longest.unwrap_or(first + 1);
                groups.push(first..end);
                first = end;
            }
        }
        groups
    }

    fn single(&self, number: usize, stance: &Stance<'_>) -> Option<Single> {
        let node = self.places[number].first;
        let (frame, motion) = (&stance.frames[node], &self.nodes[node].motion);
        let turns = match self.joints[number].kind {
            JointKind::Revolute | JointKind::Continuous => true,
            JointKind::Prismatic => false,
            JointKind::Fixed | JointKind::Planar | JointKind::Floating | JointKind::Spherical => return None,
        };
        let (Motion::Turn(axis, by) | Motion::Slide(axis, by)) = motion else { return None };
        let place = &self.places[number];
        let axis = frame.rotate(axis.direction()).normalize() * place.sign;
        Some(Single { turns, pivot: frame.t, axis, value: place.sign * by.value(stance.q) + place.zero })
    }

    /// Several joints as one, if they can be.
    fn grouped(&self, joints: Range<usize>, stance: &Stance<'_>) -> Option<Group> {
        let all = joints.clone().map(|number| self.single(number, stance)).collect::<Option<Vec<_>>>()?;
        let slides = all.iter().take_while(|single| !single.turns).count();
        let (rotation, axes) = match (&all[..slides], &all[slides..]) {
            ([], [hinge]) => (frame_of(hinge.axis, None), vec![(Axis::Twist, 1.0)]),
            ([], [outer, inner]) if inner.turns => {
                let limits = self.joints[joints.start].limits;
                let span = (limits.upper - outer.value).max(outer.value - limits.lower);
                let is_near = (outer.pivot - inner.pivot).length() <= RIGHT * (1.0 + outer.pivot.length());
                if !(span < MOST_SWING && is_near && outer.axis.dot(inner.axis).abs() < RIGHT) {
                    return None;
                }
                (frame_of(inner.axis, Some(outer.axis)), vec![(Axis::SwingY, 1.0), (Axis::Twist, 1.0)])
            }
            (slides, []) => sliding(slides, None)?,
            (slides, [hinge]) if hinge.turns => sliding(slides, Some(hinge))?,
            (_, _) => return None,
        };
        Some(Group { joints, rotation, axes })
    }

    /// Ties bodies by joints that are one in the world.
    pub(crate) fn tie(
        &self,
        joints: Range<usize>,
        stance: &Stance<'_>,
        world: &mut World,
        made: &mut RobotBodies,
    ) -> Result<(), RobotError> {
        let (first, last) = (joints.start, joints.end - 1);
        let ends = [self.joints[first].parent, self.joints[last].child].map(|link| made.links[link]);
        let pivot = stance.frames[self.places[last].last].t;
        let locked = Row::LOCKED;
        let (mut tie, axes) = match (self.joints[first].kind, self.grouped(joints.clone(), stance)) {
            (JointKind::Fixed | JointKind::Floating, _) => return Ok(()),
            (JointKind::Spherical, _) => (Tie::ball(ends[0], ends[1], pivot), Vec::new()),
            (JointKind::Planar, _) => {
                let frame = &stance.frames[self.places[first].last];
                let axis = match &self.nodes[self.places[first].last].motion {
                    Motion::Turn(axis, _) | Motion::Slide(axis, _) => frame.rotate(axis.direction()),
                    Motion::None => DVec3::Z,
                };
                let free = Tie::generic(ends[0], ends[1], pivot, axis);
                let held = free.row(Axis::X, locked).row(Axis::SwingY, locked).row(Axis::SwingZ, locked);
                (held, Vec::new())
            }
            (_, Some(group)) => (self.of_group(&group, ends, pivot, stance), group.axes),
            (_, None) => return Ok(()),
        };
        // The world of an MJCF collides with what hangs on it.
        tie.collides = self.has_rules(self.joints[last].child) && ends[0] == made.links[0];
        let handle = world.join(tie).map_err(RobotError::World)?;
        for (number, (axis, sign)) in joints.clone().zip(axes) {
            let place = &self.places[number];
            let Some(by) = self.nodes[place.first].motion.coordinate() else { continue };
            let along = Along { joint: handle, axis, sign };
            if self.joints[number].mimics.is_none() {
                made.axes[by.dof as usize] = Some(along);
            } else {
                made.copies.push(Copied { along, dof: by.dof as usize, factor: by.factor * place.sign });
            }
        }
        joints.for_each(|number| made.joints[number] = Some(handle));
        Ok(())
    }

    /// All coordinates locked but those of the group.
    fn of_group(&self, group: &Group, ends: [Handle; 2], pivot: DVec3, stance: &Stance<'_>) -> Tie {
        let anchor = Anchor { point: pivot, rotation: DQuat::from_mat3(&group.rotation).normalize() };
        let mut tie = Tie::generic(ends[0], ends[1], pivot, group.rotation.x_axis);
        tie.anchors = Anchors::World([anchor; 2]);
        tie.rows = [Row::LOCKED; 6];
        for (number, (axis, sign)) in group.joints.clone().zip(&group.axes) {
            let now = self.single(number, stance).map_or(0.0, |single| single.value);
            tie.rows[*axis as usize] = self.row_of(number, now, *sign, stance.options);
            tie.main = *axis;
        }
        tie
    }

    /// The limits, the friction and the motor or spring of the file, from a value on.
    fn row_of(&self, number: usize, now: f64, sign: f64, options: &WorldOptions) -> Row {
        let joint = &self.joints[number];
        let mut row = Row { friction: joint.friction, ..Row::FREE };
        if joint.kind != JointKind::Continuous
            && (joint.limits.lower.is_finite() || joint.limits.upper.is_finite())
        {
            // Limits that the configuration is beyond begin there.
            let (lower, upper) = (joint.limits.lower - now, joint.limits.upper - now);
            let ends = [lower.min(0.0) * sign, upper.max(0.0) * sign];
            (row.lower, row.upper) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        }
        let most = if joint.effort > 0.0 { joint.effort } else { f64::INFINITY };
        row.spring = match options.hold {
            Some(softness) => Some(Spring { target: 0.0, softness, force: most }),
            None if joint.damping > 0.0 || joint.stiffness > 0.0 => {
                let softness = Softness::Stiffness { stiffness: joint.stiffness, damping: joint.damping };
                Some(Spring { target: (joint.rest - now) * sign, softness, force: f64::INFINITY })
            }
            None => None,
        };
        row
    }
}
