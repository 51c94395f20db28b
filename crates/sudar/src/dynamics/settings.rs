//! How a world works.

use std::sync::Arc;

use glam::DVec3;

use super::DynamicsError;
use super::response::{Response, SoftContacts};

/// A closed room along the axes, whose walls push back with the restitution and friction of the body.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Bounds {
    /// Least corner.
    pub min: DVec3,
    /// Greatest corner.
    pub max: DVec3,
}

/// Settings of a [`World`](super::World): gravity, response, sleep, bounds.
#[derive(Debug, Clone)]
pub struct Settings {
    /// In m/s².
    pub gravity: DVec3,
    /// What happens at contacts.
    pub response: Arc<dyn Response>,
    /// A closed room; nothing leaves it.
    pub bounds: Option<Bounds>,
    /// Sub-steps of the solver, 1 to 64.
    pub substeps: u32,
    /// Whether resting bodies of the solver go to sleep.
    pub sleeps: bool,
    /// Impacts of one body in one step after which its contacts count as lasting, for the responses that go
    /// from contact to contact: the solver then does the step. Impacts of less than full restitution count as
    /// lasting after eight, or where they are slower than forces bring about in a step.
    pub most_events: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            gravity: DVec3::new(0.0, 0.0, -9.81),
            response: Arc::new(SoftContacts),
            bounds: None,
            substeps: 4,
            sleeps: true,
            most_events: 256,
        }
    }
}

impl Settings {
    /// Refuses a response that does not keep joints.
    pub(super) fn check_joints(&self) -> Result<(), DynamicsError> {
        if self.response.keeps_joints() {
            return Ok(());
        }
        let problem =
            format!("\"{}\" does not keep joints; use \"solver\", or remove them", self.response.name());
        Err(DynamicsError::setting("response", problem))
    }

    pub(super) fn check(&self) -> Result<(), DynamicsError> {
        let refuse = |key, problem: String| Err(DynamicsError::setting(key, problem));
        if !self.gravity.is_finite() || self.gravity.abs().max_element() > 1e80 {
            return refuse("gravity", "must be three finite numbers".to_owned());
        }
        if !(1..=64).contains(&self.substeps) {
            return refuse("substeps", format!("must be from 1 to 64, found {}", self.substeps));
        }
        if let Some(Bounds { min, max }) = self.bounds {
            let finite = min.is_finite() && max.is_finite() && min.abs().max(max.abs()).max_element() < 1e80;
            if !finite {
                return refuse("bounds", "must be finite numbers below 1e80".to_owned());
            }
            if !min.cmplt(max).all() {
                return refuse("bounds", "min must be below max in every coordinate; swap them".to_owned());
            }
        }
        Ok(())
    }
}
