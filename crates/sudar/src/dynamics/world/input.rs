//! What is done to a world from outside, as a recording holds it.

use glam::DVec3;

use super::saved::SavedWorld;
use super::snapshot::SavedSettings;
use super::{Explosion, Settings, World};
use crate::broad::Handle;
use crate::dynamics::DynamicsError;
use crate::dynamics::joint::{Joint, JointHandle};
use crate::dynamics::matter::{BodyState, RigidBody};
use crate::math::Pose;

/// One call that changed a world. Bodies and joints go by their numbers.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Input {
    Add(Box<RigidBody>),
    Remove(u32),
    Modify(u32, Box<RigidBody>),
    Motion(u32, BodyState),
    Force(u32, DVec3, DVec3),
    Impulse(u32, DVec3, DVec3),
    Wake(u32),
    Ignore(u32, u32, bool),
    /// To a pose, for a step of a length.
    Move(u32, Pose, f64),
    Join([Option<u32>; 2], Box<Joint>),
    Unjoin(u32),
    /// The bodies of a joint wake.
    Touch(u32),
    Joint(u32, Box<Joint>),
    Explode(Explosion),
    Settings(Box<SavedSettings>),
    Restore(Box<SavedWorld>),
    /// What is left of real time.
    Left(f64),
}

impl Input {
    /// The settings of a world.
    pub fn settings(settings: &Settings) -> Self {
        Self::Settings(Box::new(SavedSettings::of(settings)))
    }

    /// Does to a world what was done then.
    pub fn apply(&self, world: &mut World) -> Result<(), DynamicsError> {
        let body = |world: &World, number: u32| world.numbered(number);
        match self {
            Self::Add(given) => world.add((**given).clone()).map(|_| ()),
            Self::Remove(number) => world.remove(body(world, *number)?),
            Self::Modify(number, given) => world.modify(body(world, *number)?, |old| old.clone_from(given)),
            Self::Motion(number, motion) => world.set_motion(body(world, *number)?, *motion),
            Self::Force(number, force, torque) => world.add_force(body(world, *number)?, *force, *torque),
            Self::Impulse(number, impulse, point) => {
                world.apply_impulse(body(world, *number)?, *impulse, *point)
            }
            Self::Wake(number) => world.wake(body(world, *number)?),
            Self::Ignore(a, b, ignored) => {
                let (a, b) = (body(world, *a)?, body(world, *b)?);
                if *ignored { world.ignore(a, b) } else { world.unignore(a, b) }
            }
            Self::Move(number, pose, seconds) => world.move_to(body(world, *number)?, pose, *seconds),
            Self::Join(bodies, joint) => {
                let [a, b] = bodies.map(|end| end.map(|number| body(world, number)).transpose());
                world.join(Joint { bodies: [a?, b?], ..(**joint).clone() }).map(|_| ())
            }
            Self::Unjoin(number) => world.unjoin(world.joint_numbered(*number)?),
            Self::Touch(number) => world.joint_mut(world.joint_numbered(*number)?).map(|_| ()),
            Self::Joint(number, joint) => {
                let handle = world.joint_numbered(*number)?;
                world.joint_mut(handle)?.modify(|old| old.clone_from(joint))
            }
            Self::Explode(explosion) => world.schedule_explosion(*explosion),
            Self::Settings(written) => {
                let settings = written.settings(world.settings())?;
                world.set_settings(settings)
            }
            Self::Restore(snapshot) => world.restore(&snapshot.0),
            Self::Left(left) => {
                world.set_left(*left);
                Ok(())
            }
        }
    }
}

impl World {
    /// The body of a number.
    fn numbered(&self, number: u32) -> Result<Handle, DynamicsError> {
        let here = self.rigids.get(number as usize).is_some_and(|rigid| rigid.is_here && !rigid.is_wall);
        let unknown = DynamicsError::Unknown { index: number, generation: 0 };
        if here { Ok(self.id(number as usize)) } else { Err(unknown) }
    }

    fn joint_numbered(&self, number: u32) -> Result<JointHandle, DynamicsError> {
        let mut all = self.joints();
        let known = all.find(|(joint, _)| joint.index == number).map(|(joint, _)| joint);
        known.ok_or(DynamicsError::UnknownJoint { index: number, generation: 0 })
    }

    /// Notes what was done, if that is recorded.
    pub(super) fn note(&mut self, input: impl FnOnce(&Self) -> Input) {
        if self.tape.is_on() {
            let input = input(self);
            self.tape.note(input);
        }
    }
}
