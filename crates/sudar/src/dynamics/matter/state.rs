//! Where a body is and how it moves.

use glam::{DQuat, DVec3};

use crate::math::Pose;

/// Place and velocities of a body at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyState {
    /// The centre of mass in the world.
    pub center: DVec3,
    /// The rotation from the frame of the body to the world, unit.
    pub rotation: DQuat,
    /// Velocity of the centre of mass, in metres a second.
    pub velocity: DVec3,
    /// Angular velocity in the world, in radians a second.
    pub angular_velocity: DVec3,
}

impl BodyState {
    /// The origin of the frame of a body whose centre of mass is at `center` in it.
    pub fn position(&self, center: DVec3) -> DVec3 {
        if center == DVec3::ZERO { self.center } else { self.center - self.rotation * center }
    }

    /// The pose of the frame of a body whose centre of mass is at `center` in it.
    pub fn pose(&self, center: DVec3) -> Pose {
        // World::step refuses motions that are out of range, so the identity never stands in.
        Pose::new(self.position(center), self.rotation).unwrap_or(Pose::IDENTITY)
    }

    /// The velocity of a point that moves with the body.
    #[inline]
    pub fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.velocity + self.angular_velocity.cross(point - self.center)
    }

    /// Refuses what is no motion, with the property by the name that scene files have for it and what is wrong.
    pub(in crate::dynamics) fn check(&self) -> Result<(), (&'static str, &'static str)> {
        let vectors = [
            ("position", self.center),
            ("velocity", self.velocity),
            ("angular_velocity", self.angular_velocity),
        ];
        if let Some((key, _)) =
            vectors.into_iter().find(|(_, v)| !(v.is_finite() && v.abs().max_element() < 1e80))
        {
            return Err((key, "must be finite numbers below 1e80"));
        }
        let length = self.rotation.length();
        if length.is_nan() || (length - 1.0).abs() > 1e-6 {
            return Err(("rotation", "must be a quaternion [x, y, z, w] of length 1; normalise it"));
        }
        Ok(())
    }

    pub(in crate::dynamics) fn is_finite(&self) -> bool {
        let limit = 1e80;
        let small = |v: DVec3| v.is_finite() && v.abs().max_element() < limit;
        small(self.center)
            && small(self.velocity)
            && small(self.angular_velocity)
            && self.rotation.is_finite()
    }
}
