//! Steps of one length in real time, and where bodies are drawn between them.

use super::input::Input;
use super::{StepReport, World, check_step};
use crate::broad::Handle;
use crate::dynamics::DynamicsError;
use crate::dynamics::matter::BodyState;
use crate::math::Pose;

/// How [`World::advance`] divides real time into steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Length of a step, in seconds.
    pub step: f64,
    /// Steps at most in one call: where they take longer than the time that they stand for, more would be due in every
    /// frame.
    pub most: u32,
}

impl Default for Pace {
    /// 60 steps a second, and at most 8 in a frame.
    fn default() -> Self {
        Self { step: 1.0 / 60.0, most: 8 }
    }
}

/// What [`World::advance`] came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Of each step.
    pub reports: Vec<StepReport>,
    /// The interpolation factor: the time since the last step in steps, 0 to 1, for [`World::interpolated_pose`].
    pub between: f64,
    /// Time given up, in seconds, a multiple of the step: more steps were due than [`Pace::most`].
    pub skipped: f64,
}

impl World {
    /// Does as many steps of a fixed length as are due after so many seconds of real time: for a game, which draws when
    /// it can. What is left of a step is kept for the next call.
    ///
    /// ```
    /// use sudar::dynamics::{Pace, RigidBody, Settings, World};
    /// use sudar::{DVec3, Sphere};
    ///
    /// let mut world = World::new(Settings { gravity: DVec3::ZERO, ..Settings::default() })?;
    /// let ball = RigidBody::new("ball", Sphere::new(DVec3::ZERO, 0.5)?);
    /// let ball = world.add(RigidBody { velocity: DVec3::X, ..ball })?;
    /// let frame = world.advance(0.25, &Pace { step: 0.1, most: 8 })?;
    /// assert!(frame.reports.len() == 2 && (frame.between - 0.5).abs() < 1e-9);
    /// // Drawn half-way from where it was at 0.1 s to where it is at 0.2 s.
    /// let drawn = world.interpolated_pose(ball, frame.between)?;
    /// assert!((drawn.translation() - DVec3::X * 0.15).length() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DynamicsError::Setting`] for times that are none; those of [`World::step`].
    pub fn advance(&mut self, passed: f64, pace: &Pace) -> Result<Frame, DynamicsError> {
        let Pace { step, most } = *pace;
        if !(passed >= 0.0 && passed.is_finite()) {
            return Err(DynamicsError::setting("step", format!("time must be 0 or more, found {passed}")));
        }
        check_step(step)?;
        self.left += passed;
        let mut reports = Vec::new();
        while self.left >= step && reports.len() < most as usize {
            reports.push(self.step(step)?);
            self.left -= step;
        }
        let rest = self.left % step;
        let skipped = self.left - rest;
        self.left = rest;
        self.note(|_| Input::Left(rest));
        Ok(Frame { reports, between: (rest / step).min(1.0), skipped })
    }

    /// Has so much of real time left.
    pub(super) fn set_left(&mut self, left: f64) {
        self.left = left;
    }

    /// The pose of the frame of a body for drawing: so much of the way from where it was before the last step to where
    /// it is, 0 to 1; of a body that did not move in it where it is.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`].
    pub fn interpolated_pose(&self, id: Handle, between: f64) -> Result<Pose, DynamicsError> {
        let rigid = &self.rigids[self.slot(id)?];
        let (from, to) = (&rigid.before, &rigid.motion);
        if rigid.stepped != self.steps {
            return Ok(rigid.pose());
        }
        let center = from.center.lerp(to.center, between);
        let rotation = from.rotation.lerp(to.rotation, between);
        Ok(rigid.pose_of(&BodyState { center, rotation, ..*to }))
    }

    /// The frame of a body between the last step and the next, for drawing: as much further on its flight as
    /// [`World::advance`] has time left.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`].
    pub fn extrapolated_pose(&self, id: Handle) -> Result<Pose, DynamicsError> {
        let rigid = &self.rigids[self.slot(id)?];
        if !rigid.moves() {
            return Ok(rigid.pose());
        }
        Ok(rigid.pose_of(&rigid.flight(self.settings.gravity).at(self.left)))
    }
}
