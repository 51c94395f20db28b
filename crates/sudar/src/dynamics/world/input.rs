//! What is done to a world from outside, as a recording holds it.

use glam::DVec3;

use super::event::Explosion;
use super::saved::SavedWorld;
use super::snapshot::SavedSettings;
use crate::dynamics::joint::Joint;
use crate::dynamics::matter::{BodyState, RigidBody};
use crate::dynamics::settings::Settings;
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
}
