//! Joints of a world.

use glam::DVec3;

use super::World;
use super::input::Input;
use crate::broad::Handle;
use crate::dynamics::DynamicsError;
use crate::dynamics::joint::{Anchor, Anchors, Axis, Joint, JointHandle, Motor};
use crate::dynamics::matter::Rigid;
use crate::dynamics::solver::{Held, WORLD};

/// How a joint is after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointState {
    /// Its coordinates, in the order of [`Axis::ALL`].
    pub coordinates: [f64; 6],
    /// Its anchors in the world.
    pub points: [DVec3; 2],
    /// How far its locks and hard limits are off: displacements, in m, and angles, in rad.
    pub gap: f64,
    /// See `gap`.
    pub twist: f64,
    /// The mean force on the second body in the last step, in N, and torque about the anchor, in N·m, in the world.
    pub force: DVec3,
    /// See `force`.
    pub torque: DVec3,
}

/// A joint that is to be changed, see [`World::joint_mut`]. Its bodies wake.
#[derive(Debug)]
pub struct JointMut<'w> {
    world: &'w mut World,
    number: u32,
}

impl JointMut<'_> {
    /// Changes anything of the joint but its bodies.
    ///
    /// # Errors
    /// [`DynamicsError::Joint`] for numbers that are none; then nothing has changed.
    pub fn modify(&mut self, change: impl FnOnce(&mut Joint)) -> Result<(), DynamicsError> {
        let World { solver, rigids, .. } = &mut *self.world;
        let Some(held) = solver.joints.get_mut(self.number) else { return Ok(()) };
        let mut joint = held.joint.clone();
        change(&mut joint);
        joint.bodies = held.joint.bodies;
        joint.check()?;
        held.change(joint.clone(), rigids);
        let number = self.number;
        self.world.note(|_| Input::Joint(number, Box::new(joint)));
        Ok(())
    }

    /// The speed of the motor about the main coordinate; one that has none gets one of any force.
    ///
    /// # Errors
    /// Those of [`JointMut::modify`].
    pub fn set_motor(&mut self, speed: f64) -> Result<(), DynamicsError> {
        self.modify(|joint| {
            let row = joint.main_row();
            row.motor = Some(Motor { speed, force: row.motor.map_or(f64::INFINITY, |motor| motor.force) });
        })
    }

    /// Where the spring or servo about the main coordinate pulls to.
    ///
    /// # Errors
    /// Those of [`JointMut::modify`].
    pub fn set_target(&mut self, target: f64) -> Result<(), DynamicsError> {
        self.modify(|joint| {
            if let Some(spring) = &mut joint.main_row().spring {
                spring.target = target;
            }
        })
    }

    /// The bounds of the main coordinate.
    ///
    /// # Errors
    /// Those of [`JointMut::modify`].
    pub fn set_limits(&mut self, lower: f64, upper: f64) -> Result<(), DynamicsError> {
        self.modify(|joint| {
            let row = joint.main_row();
            (row.lower, row.upper) = (lower, upper);
        })
    }

    /// The angle at which the steering of a wheel is held.
    ///
    /// # Errors
    /// Those of [`JointMut::modify`].
    pub fn set_steering(&mut self, angle: f64) -> Result<(), DynamicsError> {
        self.modify(|joint| {
            let row = &mut joint.rows[Axis::SwingZ as usize];
            (row.lower, row.upper) = (angle, angle);
        })
    }

    /// The most torque of the brake of a wheel, or of friction about the main coordinate.
    ///
    /// # Errors
    /// Those of [`JointMut::modify`].
    pub fn set_friction(&mut self, force: f64) -> Result<(), DynamicsError> {
        self.modify(|joint| joint.main_row().friction = force)
    }

    /// Moves the anchor on the first body, in its frame; of the world, in the world: what drags a body.
    ///
    /// # Errors
    /// Those of [`JointMut::modify`].
    pub fn set_anchor(&mut self, point: DVec3) -> Result<(), DynamicsError> {
        self.modify(|joint| {
            if let Anchors::Bodies([Anchor { point: first, .. }, _]) = &mut joint.anchors {
                *first = point;
            }
        })
    }
}

impl World {
    /// Ties two bodies together, or one to the world; both wake.
    ///
    /// # Errors
    /// [`DynamicsError::Joint`] for numbers that are none and where neither body moves; [`DynamicsError::Unknown`] for
    /// bodies that are none; [`DynamicsError::Setting`] under a response that knows no joints. Then nothing has
    /// changed.
    pub fn join(&mut self, joint: Joint) -> Result<JointHandle, DynamicsError> {
        joint.check()?;
        self.settings.check_joints()?;
        let slot = |body: Option<Handle>| body.map_or(Ok(WORLD), |body| Ok(self.slot(body)? as u32));
        let bodies = [slot(joint.bodies[0])?, slot(joint.bodies[1])?];
        let yields = |body: u32| self.rigids.get(body as usize).is_some_and(Rigid::is_dynamic);
        if !bodies.iter().any(|&body| yields(body)) {
            return Err(DynamicsError::joint("bodies", "one of the two must be dynamic"));
        }
        let held = Held::new(joint.clone(), bodies, &self.rigids);
        let [index, generation] = self.solver.joints.insert(held);
        self.rouse_joined(bodies);
        self.note(|_| {
            let ends = joint.bodies.map(|body| body.map(Handle::index));
            Input::Join(ends, Box::new(joint))
        });
        Ok(JointHandle { index, generation, world: self.number })
    }

    /// Removes a joint and wakes its bodies.
    ///
    /// # Errors
    /// [`DynamicsError::UnknownJoint`].
    pub fn unjoin(&mut self, joint: JointHandle) -> Result<(), DynamicsError> {
        let bodies = self.held(joint)?.bodies;
        self.rouse_joined(bodies);
        self.solver.joints.remove(joint.index);
        self.note(|_| Input::Unjoin(joint.index));
        Ok(())
    }

    fn rouse_joined(&mut self, bodies: [u32; 2]) {
        bodies.into_iter().filter(|body| *body != WORLD).for_each(|body| self.rouse_around(body as usize));
    }

    fn held(&self, joint: JointHandle) -> Result<&Held, DynamicsError> {
        let JointHandle { index, generation, world } = joint;
        let known = self.solver.joints.get(index, generation).filter(|_| world == self.number);
        known.ok_or(DynamicsError::UnknownJoint { index, generation })
    }

    /// A joint as it is now, with its anchors in the frames of its bodies.
    ///
    /// # Errors
    /// [`DynamicsError::UnknownJoint`].
    pub fn joint(&self, joint: JointHandle) -> Result<&Joint, DynamicsError> {
        Ok(&self.held(joint)?.joint)
    }

    /// A joint to be changed; its bodies wake.
    ///
    /// # Errors
    /// [`DynamicsError::UnknownJoint`].
    pub fn joint_mut(&mut self, joint: JointHandle) -> Result<JointMut<'_>, DynamicsError> {
        let bodies = self.held(joint)?.bodies;
        self.rouse_joined(bodies);
        self.note(|_| Input::Touch(joint.index));
        Ok(JointMut { world: self, number: joint.index })
    }

    /// The joints, in the order of their numbers.
    pub fn joints(&self) -> impl Iterator<Item = (JointHandle, &Joint)> {
        let world = self.number;
        let all = self.solver.joints.iter();
        all.map(move |(index, generation, held)| (JointHandle { index, generation, world }, &held.joint))
    }

    /// Coordinates, gap and force of a joint.
    ///
    /// # Errors
    /// [`DynamicsError::UnknownJoint`].
    pub fn joint_state(&self, joint: JointHandle) -> Result<JointState, DynamicsError> {
        let held = self.held(joint)?;
        let [gap, twist] = held.off;
        Ok(JointState {
            coordinates: held.coordinates(&self.rigids),
            points: held.points(&self.rigids),
            gap,
            twist,
            force: held.reaction[0],
            torque: held.reaction[1],
        })
    }

    /// Of each joint the centres of its bodies, none of the world, and its anchors.
    pub(in crate::dynamics) fn joint_lines(&self) -> impl Iterator<Item = ([Option<DVec3>; 2], [DVec3; 2])> {
        let center = |body: u32| self.rigids.get(body as usize).map(|rigid| rigid.motion.center);
        self.solver
            .joints
            .iter()
            .map(move |(_, _, held)| (held.bodies.map(center), held.points(&self.rigids)))
    }

    /// The joint with the largest gap and that with the largest twist after the last step, as far as any is off.
    pub fn worst_joints(&self) -> [Option<JointHandle>; 2] {
        [0, 1].map(|k| {
            let off = self.solver.joints.iter().filter(|(_, _, held)| held.off[k] > 0.0);
            let worst = off.max_by(|a, b| a.2.off[k].total_cmp(&b.2.off[k]).then(b.0.cmp(&a.0)));
            worst.map(|(index, generation, _)| JointHandle { index, generation, world: self.number })
        })
    }

    /// Removes joints that bore too much in the last step; returns them.
    pub(super) fn break_joints(&mut self) -> Vec<JointHandle> {
        let broken = self.solver.joints.iter().filter(|(_, _, held)| {
            let [force, torque] = held.reaction.map(DVec3::length);
            force > held.joint.breaks[0] || torque > held.joint.breaks[1]
        });
        let world = self.number;
        let broken: Vec<JointHandle> =
            broken.map(|(index, generation, _)| JointHandle { index, generation, world }).collect();
        for joint in &broken {
            if let Ok(bodies) = self.held(*joint).map(|held| held.bodies) {
                self.rouse_joined(bodies);
            }
            self.solver.joints.remove(joint.index);
        }
        broken
    }
}
