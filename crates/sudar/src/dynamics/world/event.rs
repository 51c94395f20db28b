//! Explosions.

use glam::DVec3;

use crate::dynamics::DynamicsError;
use crate::dynamics::matter::Rigid;

/// A radial impulse at a time: on each dynamic body along the way from the place to its centre of mass,
/// falling linearly to zero at the radius. A body whose centre is at the place gets none.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Explosion {
    /// When.
    pub time: f64,
    /// Where.
    pub position: DVec3,
    /// At the place itself, in N·s.
    pub impulse: f64,
    /// How far it reaches.
    pub radius: f64,
}

impl Explosion {
    pub(super) fn check(&self) -> Result<(), DynamicsError> {
        let refuse = |key, problem: String| Err(DynamicsError::Event { key, problem });
        if !(self.time >= 0.0 && self.time.is_finite()) {
            return refuse("time", format!("must be 0 or more, found {}", self.time));
        }
        if !(self.position.is_finite() && self.position.abs().max_element() < 1e80) {
            return refuse("position", "must be three finite numbers".to_owned());
        }
        if !(self.impulse.is_finite() && self.impulse.abs() < 1e80) {
            return refuse("impulse", format!("must be a finite number, found {}", self.impulse));
        }
        if !(self.radius > 0.0 && self.radius.is_finite()) {
            return refuse("radius", format!("must be above 0, found {}", self.radius));
        }
        Ok(())
    }

    /// Pushes a body.
    pub(super) fn push(&self, rigid: &mut Rigid) {
        let away = rigid.motion.center - self.position;
        let distance = away.length();
        if distance > 0.0 && distance < self.radius {
            let impulse = self.impulse * (1.0 - distance / self.radius);
            rigid.motion.velocity += away / distance * (impulse * rigid.inertia.inverse_mass);
            (rigid.asleep, rigid.slow_for) = (false, 0.0);
        }
    }
}
