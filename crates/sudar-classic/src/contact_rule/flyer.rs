//! A body by the rule.

use sudar::dynamics::{BodyState, Flight, Inertia, RigidBody};
use sudar::query::Body;
use sudar::{DMat3, DQuat, DVec3, Pose};

use super::{ContactRule, ContactRuleError, Forces, with_triangles};

/// A centre farther away than this is lost: it is neither moved nor tested any more. In metres.
const LOST: f64 = 1e6;

pub struct Flyer {
    pub given: RigidBody,
    pub inertia: Inertia,
    pub motion: BodyState,
    /// Where it last touched nothing.
    pub free: BodyState,
}

impl Flyer {
    pub fn new(body: &RigidBody) -> Result<Self, ContactRuleError> {
        let given = with_triangles(body)?;
        let inertia = given.inertia()?;
        let (center, rotation) = (given.position + given.rotation * inertia.center, given.rotation);
        let (velocity, angular_velocity) = (given.velocity, given.angular_velocity);
        let motion = BodyState { center, rotation, velocity, angular_velocity };
        Ok(Self { given, inertia, motion, free: motion })
    }

    pub fn body(&self) -> &Body {
        &self.given.body
    }

    pub fn pose(&self) -> Pose {
        self.motion.pose(self.inertia.center)
    }

    pub fn is_lost(&self) -> bool {
        let BodyState { center, rotation, velocity, angular_velocity } = self.motion;
        let is_well = center.abs().max_element() < LOST && rotation.is_finite();
        !(is_well && velocity.is_finite() && angular_velocity.is_finite())
    }

    pub fn kinetic(&self) -> f64 {
        let spin = self.motion.rotation.inverse() * self.motion.angular_velocity;
        0.5 * (self.inertia.mass * self.motion.velocity.length_squared()
            + spin.dot(self.inertia.tensor * spin))
    }

    pub fn angular_momentum(&self) -> DVec3 {
        let turn = self.motion.rotation;
        turn * (self.inertia.tensor * (turn.inverse() * self.motion.angular_velocity))
    }

    /// Either as a rigid body does, or at an angular velocity that only drag changes.
    pub fn fly(&mut self, seconds: f64, forces: Forces, rule: ContactRule) {
        let Forces { gravity, drag } = forces;
        let acceleration = gravity * self.given.gravity_scale;
        let free = Flight::free(&self.inertia, self.motion, 0.0);
        let flight = Flight { acceleration, drag: [drag; 2], ..free };
        if !rule.has_constant_spin {
            self.motion = flight.at(seconds);
            return;
        }
        let (center, velocity) = flight.center_at(seconds);
        let (left, time) = slowed(drag, seconds);
        let turn = DQuat::from_scaled_axis(self.motion.angular_velocity * time);
        let rotation = (turn * self.motion.rotation).normalize();
        let angular_velocity = self.motion.angular_velocity * left;
        self.motion = BodyState { center, rotation, velocity, angular_velocity };
    }

    /// Back to where it last touched nothing, with the velocities of now.
    pub fn step_back(&mut self) {
        let BodyState { velocity, angular_velocity, .. } = self.motion;
        self.motion = BodyState { velocity, angular_velocity, ..self.free };
    }

    /// How an impulse at an arm turns the body.
    fn turned(&self, moment: DVec3, rule: ContactRule) -> DVec3 {
        let (turn, t) = (self.motion.rotation, self.inertia.tensor);
        let diagonal = DMat3::from_diagonal(DVec3::new(t.x_axis.x, t.y_axis.y, t.z_axis.z));
        let tensor = if rule.has_diagonal_tensor { diagonal } else { t };
        turn * (tensor.inverse() * (turn.inverse() * moment))
    }

    pub fn push(&mut self, impulse: DVec3, point: DVec3, rule: ContactRule) {
        let turned = self.turned((point - self.motion.center).cross(impulse), rule);
        self.motion.velocity += impulse / self.inertia.mass;
        self.motion.angular_velocity += turned;
    }

    /// The part of the denominator of the impulse.
    pub fn yields(&self, n: DVec3, point: DVec3, rule: ContactRule) -> f64 {
        let arm = point - self.motion.center;
        1.0 / self.inertia.mass + n.dot(self.turned(arm.cross(n), rule).cross(arm))
    }
}

/// What drag leaves of a velocity after a time, and in which time a body without drag gets as far.
fn slowed(drag: f64, seconds: f64) -> (f64, f64) {
    if drag > 0.0 {
        (libm::exp(-drag * seconds), -libm::expm1(-drag * seconds) / drag)
    } else {
        (1.0, seconds)
    }
}
