//! Control of the fighter: forces as the pilot wants them, or an autopilot that brings about velocities.
//!
//! Section 7.4.3 has both: "relative" control, where a key is a force and inertia does the rest, and one with an
//! autopilot that steadies the motion.

use sudar::DVec3;
use sudar::dynamics::{BodyState, Inertia};

use super::engines::Limits;
use super::wish::Wish;

/// How the fighter is controlled.
pub const CONTROLS: [&str; 2] = ["force", "stabilised"];

/// Seconds in which the autopilot closes all but 1/e of a gap.
const EASE: f64 = 0.12;

/// What the autopilot makes of a whole wish: metres and radians a second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cruise {
    /// Along each axis, in m/s.
    pub speed: f64,
    /// About each axis, in rad/s.
    pub spin: f64,
}

/// A force and a torque in the frame of the fighter.
pub type Wrench = [DVec3; 2];

/// Forces in proportion to the wish.
pub fn by_force(wish: &Wish, limits: &Limits) -> Wrench {
    [wish.along * limits.force, wish.about * limits.torque]
}

/// What the autopilot has to know of the fighter.
#[derive(Debug, Clone, Copy)]
pub struct Craft<'c> {
    pub inertia: &'c Inertia,
    pub motion: &'c BodyState,
    /// In 1/s.
    pub drag: f64,
}

/// The force and torque that bring velocity and spin to what is wanted, a step's share of the way, within limits: first
/// as fast as engines can, and the nearer the gentler, so that there is no overshoot.
pub fn stabilised(wish: &Wish, cruise: Cruise, craft: Craft, limits: &Limits, seconds: f64) -> Wrench {
    let Craft { inertia, motion, drag } = craft;
    let wish = if wish.brakes { &Wish::default() } else { wish };
    let into = motion.rotation.inverse();
    let (velocity, spin) = (into * motion.velocity, into * motion.angular_velocity);
    // Of the gap, divided by the time that the force acts.
    let share = -libm::expm1(-seconds / EASE) / seconds;
    let faster = (wish.along * cruise.speed - velocity) * share + velocity * drag;
    let turning = (wish.about * cruise.spin - spin) * share + spin * drag;
    let momentum = inertia.tensor * spin;
    let force = faster * inertia.mass;
    let torque = inertia.tensor * turning + spin.cross(momentum);
    [force.clamp(-limits.force, limits.force), torque.clamp(-limits.torque, limits.torque)]
}
