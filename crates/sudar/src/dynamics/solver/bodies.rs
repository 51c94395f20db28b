//! Bodies before and after contacts are solved: velocities, and what has moved since the step began.

use glam::{DMat3, DQuat, DVec3};

use super::stance::Stance;
use crate::dynamics::matter::{BodyState, Flight, Inertia, Rigid, turn};
use crate::dynamics::settings::Settings;

/// Velocity and spin, or how far a body has moved and turned: six numbers of each body, padded to a line of the cache.
pub type Twist = [f64; 8];

/// All bodies, and one more that never moves, for lanes without a body.
#[derive(Debug, Clone, Default)]
pub struct Bodies {
    pub masses: Vec<Masses>,
    /// Those that contacts may move.
    pub held: Vec<u32>,
    /// Velocities after the step.
    pub speeds: Vec<Twist>,
    /// Where those that are held are after it, in their order.
    pub ends: Vec<End>,
}

/// How far a body has come since the step began, and how it is turned.
#[derive(Debug, Clone, Copy)]
pub struct End {
    pub way: DVec3,
    pub rotation: DQuat,
}

/// What resists impulses: none for bodies that nothing moves.
#[derive(Debug, Clone, Copy, Default)]
pub struct Masses {
    pub inverse_mass: f64,
    /// xx, yy, zz, xy, yz, zx of the inverse inertia in the world.
    pub inverse_inertia: [f64; 6],
}

/// How a held body moves in a sub-step.
#[derive(Debug, Clone, Copy)]
pub struct Flying {
    pub rotation: DQuat,
    /// What forces add to the velocities, and what drag leaves of them.
    kick: [DVec3; 2],
    left: [f64; 2],
    /// The length of the sub-step.
    step: f64,
}

impl Flying {
    /// A body at the start of a sub-step of this length.
    pub fn new(rigid: &Rigid, settings: &Settings, step: f64) -> Self {
        let flight = rigid.flight(settings.gravity);
        let rotation = rigid.motion.rotation;
        let left = flight.drag.map(|c| if c == 0.0 { 1.0 } else { libm::exp(-c * step) });
        let spun = if flight.torque == DVec3::ZERO {
            DVec3::ZERO
        } else {
            rigid.inertia.inverse_in_world(rotation) * flight.torque
        };
        Self { rotation, kick: [flight.acceleration * step, spun * step], left, step }
    }

    /// The velocities after the forces of a sub-step.
    pub fn kicked(&self, speed: &Twist) -> Twist {
        let [v, w] = [velocity(speed), spin(speed)];
        twist((v + self.kick[0]) * self.left[0], (w + self.kick[1]) * self.left[1])
    }

    /// Moves a body by a sub-step. `base` is its velocity without contacts, which changes with that which
    /// turning changes.
    pub fn fly(&mut self, rigid: &Rigid, speed: &mut Twist, shift: &mut Twist, base: &mut Twist) {
        let ((v, w), step) = ((velocity(speed), spin(speed)), self.step);
        for k in 0..3 {
            shift[k] += speed[k] * step;
        }
        if w == DVec3::ZERO {
            return;
        }
        let angle = w.length() * step;
        if rigid.inertia.is_round() || angle <= SLOW {
            self.rotation = (turn(w * step) * self.rotation).normalize();
        } else {
            let (rotation, next) = spun(rigid, self.rotation, w, angle, step);
            self.rotation = rotation;
            *speed = twist(v, next);
            *base = twist(velocity(base), spin(base) + (next - w));
        }
        let way = DVec3::new(shift[0], shift[1], shift[2]);
        *shift = self.shift(way, rigid.motion.rotation);
    }

    /// How far it has come since it was turned like this.
    pub fn shift(&self, way: DVec3, before: DQuat) -> Twist {
        let turned = self.rotation * before.inverse();
        twist(way, turned.xyz() * (2.0 * turned.w))
    }
}

pub fn velocity(twist: &Twist) -> DVec3 {
    DVec3::new(twist[0], twist[1], twist[2])
}

pub fn spin(twist: &Twist) -> DVec3 {
    DVec3::new(twist[3], twist[4], twist[5])
}

pub fn twist(velocity: DVec3, spin: DVec3) -> Twist {
    [velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z, 0.0, 0.0]
}

impl Masses {
    /// Those of a body that is turned like this.
    pub fn new(inertia: &Inertia, rotation: DQuat) -> Self {
        let m = inertia.inverse_in_world(rotation);
        let inverse_inertia = [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.y_axis.z, m.z_axis.x];
        Self { inverse_mass: inertia.inverse_mass, inverse_inertia }
    }

    /// The inverse inertia in the world.
    pub fn inverse_inertia(&self) -> DMat3 {
        let [xx, yy, zz, xy, yz, zx] = self.inverse_inertia;
        DMat3::from_cols(DVec3::new(xx, xy, zx), DVec3::new(xy, yy, yz), DVec3::new(zx, yz, zz))
    }
}

/// Turns by less than this in a sub-step are so slow that a body's own axes hardly matter.
const SLOW: f64 = 1e-3;
/// Turns by more than this in a sub-step are computed as those of free flight.
const FAST: f64 = 0.1;

impl Bodies {
    /// Those `held` move with the contacts.
    pub fn begin(&mut self, rigids: &[Rigid], held: &[bool]) {
        self.masses.clear();
        self.masses.resize(rigids.len() + 1, Masses::default());
        self.held.clear();
        for (i, rigid) in rigids.iter().enumerate().filter(|(i, _)| held[*i]) {
            self.masses[i] = Masses::new(&rigid.inertia, rigid.motion.rotation);
            self.held.push(i as u32);
        }
    }
}

/// The velocities of a body at the start of a step; none of what stands.
pub fn started(rigid: &Rigid, stance: &Stance) -> Twist {
    let BodyState { velocity, angular_velocity, .. } = rigid.motion;
    if stance.moves { twist(velocity, angular_velocity) } else { Twist::default() }
}

/// The rotation and spin of a free body after a sub-step. Of one that turns little, the angular momentum
/// stays exactly and the energy to second order in the angle.
fn spun(rigid: &Rigid, rotation: DQuat, spin: DVec3, angle: f64, step: f64) -> (DQuat, DVec3) {
    if angle > FAST {
        let from = BodyState { center: DVec3::ZERO, rotation, velocity: DVec3::ZERO, angular_velocity: spin };
        let there = Flight::free(&rigid.inertia, from, 0.0).at(step);
        return (there.rotation, there.angular_velocity);
    }
    let inertia = &rigid.inertia;
    let momentum = rotation * (inertia.tensor * (rotation.inverse() * spin));
    let after = |turned: DQuat| turned * (inertia.inverse * (turned.inverse() * momentum));
    // With the spin in the middle of the sub-step.
    let halfway = after((turn(spin * (0.5 * step)) * rotation).normalize());
    let end = (turn(halfway * step) * rotation).normalize();
    (end, after(end))
}
