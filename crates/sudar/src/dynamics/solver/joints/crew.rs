//! The bodies of mechanisms while they are solved: where they are, how they move, and where motion takes them.

use glam::{DMat3, DQuat, DVec3};

use super::coordinates::Place;
use crate::dynamics::matter::{BodyState, Flight, Inertia, Rigid, turn, turned_by};
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::bodies::{Masses, Twist, spin, twist, velocity};
use crate::dynamics::solver::groups::lanes::{LANES, Lane};

/// Bodies in an order of their own; the last one is nobody, of lanes without a joint, and the one before it the world.
#[derive(Clone, Default)]
pub struct Crew {
    /// Their numbers among the bodies; none of the world and of nobody.
    pub names: Vec<u32>,
    /// At the start of the sub-step, and as far as they would come in it.
    pub places: Vec<Place>,
    pub ahead: Vec<Place>,
    pub speeds: Vec<Twist>,
    /// Spins at the end of the sub-step.
    spins: Vec<DVec3>,
    pub masses: Vec<Masses>,
    inertias: Vec<Inertia>,
    /// The lane of each body.
    lanes: Vec<usize>,
}

/// Energy of a mechanism, in J.
#[derive(Clone, Copy, Default)]
pub struct Account {
    pub kinetic: f64,
    pub stored: f64,
}

/// Which lanes something is about.
pub type Lanes = [bool; LANES];

/// What may do work on the mechanisms side by side.
#[derive(Clone, Copy, Default)]
pub struct Drive {
    /// Energy up to which what drives them without bound on its force may bring them, in J.
    pub energy: Lane,
    /// Energy up to which gaps are closed, in J: that of a metre a second of joints of a metre.
    pub closing: Lane,
    /// Power of motors whose force is bounded, in W.
    pub power: Lane,
    /// Which of them push on nothing but themselves: their momenta stay.
    pub is_free: Lanes,
    /// Which have springs or motors.
    pub works: Lanes,
}

/// The motion of a mechanism as a whole.
#[derive(Clone, Copy, Default)]
struct Whole {
    center: DVec3,
    velocity: DVec3,
    spin: DVec3,
}

impl Account {
    pub fn total(&self) -> f64 {
        self.kinetic + self.stored
    }
}

/// Angle of a swing in a sub-step up to which it is followed.
pub const SWING: f64 = 1.0;

impl Crew {
    pub fn new(names: Vec<u32>) -> Self {
        Self { names, ..Self::default() }
    }

    /// The places of the world and of nobody.
    pub fn world(&self) -> u32 {
        self.names.len() as u32
    }

    pub fn nobody(&self) -> u32 {
        self.names.len() as u32 + 1
    }

    /// Takes up bodies as they are.
    ///
    /// Tension at the arms of a body makes it swing. Where `pulls`, the sums of forces times arms, would make it swing
    /// more quickly than sub-steps of a length can follow, it is given moments of inertia (mass scaling) with which it
    /// does not: the swinging of a light link between heavy bodies is lost, and nothing else.
    pub fn muster(&mut self, rigids: &[Rigid], pulls: &[f64], step: f64) {
        self.inertias.clear();
        for (&name, pull) in self.names.iter().zip(pulls) {
            let inertia = rigids[name as usize].inertia;
            let least = 2.0 * pull * (step / SWING).powi(2);
            let more = least - inertia.moments.min_element();
            let is_light = more > 0.0 && inertia.is_free();
            self.inertias.push(if is_light { inertia.increased(more) } else { inertia });
        }
        self.places.clear();
        self.speeds.clear();
        for &name in &self.names {
            let rigid = &rigids[name as usize];
            let BodyState { center, rotation, velocity, angular_velocity } = rigid.motion;
            self.places.push(Place { center, rotation });
            self.speeds.push(if rigid.moves() {
                twist(velocity, angular_velocity)
            } else {
                Twist::default()
            });
        }
        self.places.extend([Place::ORIGIN; 2]);
        self.speeds.extend([Twist::default(); 2]);
        self.ahead.clone_from(&self.places);
        self.spins.resize(self.places.len(), DVec3::ZERO);
        self.masses.resize(self.places.len(), Masses::default());
        self.weigh();
    }

    /// What bodies weigh where they are.
    pub fn weigh(&mut self) {
        for (k, inertia) in self.inertias.iter().enumerate().filter(|(_, inertia)| inertia.is_free()) {
            self.masses[k] = Masses::new(inertia, self.places[k].rotation);
        }
    }

    pub fn motion(&self, k: usize) -> BodyState {
        let Place { center, rotation } = self.places[k];
        let [velocity, angular_velocity] = [velocity(&self.speeds[k]), spin(&self.speeds[k])];
        BodyState { center, rotation, velocity, angular_velocity }
    }

    /// Lets forces act for a time on some bodies.
    pub fn kick(&mut self, rigids: &[Rigid], settings: &Settings, time: f64) {
        for k in 0..self.names.len() {
            let rigid = &rigids[self.names[k] as usize];
            if !rigid.is_dynamic() {
                continue;
            }
            let motion = self.motion(k);
            let Flight { acceleration, torque, drag, .. } = rigid.flight_from(settings.gravity, motion);
            let left = drag.map(|c| if c == 0.0 { 1.0 } else { libm::exp(-c * time) });
            let spun = self.masses[k].inverse_inertia() * torque;
            let straight = (motion.velocity + acceleration * time) * left[0];
            self.speeds[k] = twist(straight, (motion.angular_velocity + spun * time) * left[1]);
        }
    }

    /// The lane of each body that impulses move, given lanes of bodies.
    pub fn assign(&mut self, lanes: &[(usize, usize)]) {
        self.lanes.clear();
        self.lanes.resize(self.names.len(), usize::MAX);
        let free = lanes.iter().filter(|(body, _)| !self.is_fixed(*body)).copied().collect::<Vec<_>>();
        free.into_iter().for_each(|(body, lane)| self.lanes[body] = lane);
    }

    /// Whether no impulse moves a body.
    pub fn is_fixed(&self, k: usize) -> bool {
        self.inertias.get(k).is_none_or(|inertia| !inertia.is_free())
    }

    /// Twice the energy of motion of a body that impulses move, and its mass; zero for others.
    pub fn square(&self, k: usize) -> f64 {
        if self.is_fixed(k) {
            return 0.0;
        }
        let (speed, inertia) = (&self.speeds[k], &self.inertias[k]);
        let spin = spin(speed);
        inertia.mass * velocity(speed).length_squared()
            + inertia.spun(self.places[k].rotation, spin).dot(spin)
    }

    pub fn mass(&self, k: usize) -> f64 {
        if self.is_fixed(k) { 0.0 } else { self.inertias[k].mass }
    }

    /// The squares of the velocity and the spin of a body that moves by itself.
    pub fn driven_squares(&self, k: usize) -> [f64; 2] {
        let is_driven = k < self.names.len() && self.is_fixed(k);
        let speed = if is_driven { self.speeds[k] } else { Twist::default() };
        [velocity(&speed).length_squared(), spin(&speed).length_squared()]
    }

    /// Calls `work` with each body that impulses move, and its lane.
    pub fn each(&self, lanes: usize, mut work: impl FnMut(usize, usize)) {
        self.lanes.iter().enumerate().filter(|(_, lane)| **lane < lanes).for_each(|(k, lane)| work(k, *lane));
    }

    /// Energy that forces have stored in a body since the start of the step.
    pub fn stored(&self, k: usize, rigids: &[Rigid], settings: &Settings) -> f64 {
        let rigid = &rigids[self.names[k] as usize];
        let way = self.places[k].center - rigid.motion.center;
        let flight = rigid.flight_from(settings.gravity, self.motion(k));
        let mut stored = -flight.acceleration.dot(way) * rigid.inertia.mass;
        if flight.torque != DVec3::ZERO {
            let turned = self.places[k].rotation * rigid.motion.rotation.inverse();
            stored -= flight.torque.dot(turned_by(turned.normalize()));
        }
        stored
    }

    /// The largest moment of inertia of a body that impulses move.
    pub fn moment(&self, k: usize) -> f64 {
        self.inertias[k].moments.max_element()
    }

    /// Twice the energy of motion of each lane.
    pub fn squares(&self, lanes: usize) -> [f64; 8] {
        let mut all = [0.0; 8];
        for (k, &lane) in self.lanes.iter().enumerate().filter(|(_, lane)| **lane < lanes) {
            all[lane] += self.square(k);
        }
        all
    }

    /// Slows the bodies of a lane, of which the energy of motion and that to be had are given; of a free one the motion
    /// against the whole of it alone, such that its momenta stay. Returns the energy of motion.
    pub fn slow(&mut self, lane: usize, [kinetic, wanted]: [f64; 2], is_free: bool) -> f64 {
        let (whole, own) = if is_free { self.whole(lane) } else { (Whole::default(), 0.0) };
        let share =
            if kinetic > own { ((wanted - own).max(0.0) / (kinetic - own)).min(1.0).sqrt() } else { 1.0 };
        for k in (0..self.lanes.len()).filter(|k| self.lanes[*k] == lane) {
            let along = whole.velocity + whole.spin.cross(self.places[k].center - whole.center);
            let (straight, turning) = (velocity(&self.speeds[k]) - along, spin(&self.speeds[k]) - whole.spin);
            self.speeds[k] = twist(along + straight * share, whole.spin + turning * share);
        }
        own + (kinetic - own) * share * share
    }

    /// The motion of a lane as if it were one rigid body, and its energy.
    fn whole(&self, lane: usize) -> (Whole, f64) {
        let own = || (0..self.lanes.len()).filter(|k| self.lanes[*k] == lane);
        let mass: f64 = own().map(|k| self.inertias[k].mass).sum();
        let mean =
            |of: &dyn Fn(usize) -> DVec3| own().map(|k| of(k) * self.inertias[k].mass).sum::<DVec3>() / mass;
        let (center, straight) = (mean(&|k| self.places[k].center), mean(&|k| velocity(&self.speeds[k])));
        let (mut momentum, mut tensor) = (DVec3::ZERO, DMat3::ZERO);
        for k in own() {
            let (arm, inertia) = (self.places[k].center - center, &self.inertias[k]);
            let turn = DMat3::from_quat(self.places[k].rotation);
            momentum += arm.cross(velocity(&self.speeds[k]) - straight) * inertia.mass
                + inertia.spun(self.places[k].rotation, spin(&self.speeds[k]));
            let far = cross(arm);
            tensor += turn * inertia.tensor * turn.transpose() - far * far * inertia.mass;
        }
        let spin = tensor.inverse() * momentum;
        let whole = Whole { center, velocity: straight, spin };
        (whole, 0.5 * (mass * straight.length_squared() + momentum.dot(spin)))
    }

    /// Looks where bodies would be after a time.
    pub fn look_ahead(&mut self, time: f64) {
        for (k, inertia) in self.inertias.iter().enumerate() {
            let (speed, from) = (&self.speeds[k], self.places[k]);
            let center = from.center + velocity(speed) * time;
            let (rotation, spin) = turned(inertia, from.rotation, spin(speed), time);
            (self.ahead[k], self.spins[k]) = (Place { center, rotation }, spin);
        }
    }

    /// Goes there.
    pub fn go(&mut self) {
        self.places.clone_from(&self.ahead);
        for k in 0..self.names.len() {
            self.speeds[k] = twist(velocity(&self.speeds[k]), self.spins[k]);
        }
    }
}

/// Turns beyond this angle are those of free flight.
const FAR: f64 = 0.5;
/// Most rounds of the midpoint rule.
const ROUNDS: u32 = 6;

/// The matrix that makes v × x of x.
fn cross(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

/// Rotation and spin of a free body after a time: by the midpoint rule of the rotation at an angular momentum that
/// stays, which is of second order and the same backwards.
fn turned(inertia: &Inertia, rotation: DQuat, spin: DVec3, time: f64) -> (DQuat, DVec3) {
    if spin == DVec3::ZERO {
        return (rotation, spin);
    }
    if !inertia.is_free() || inertia.is_round() {
        return ((turn(spin * time) * rotation).normalize(), spin);
    }
    if spin.length() * time > FAR {
        let from = BodyState { center: DVec3::ZERO, rotation, velocity: DVec3::ZERO, angular_velocity: spin };
        let there = Flight::free(inertia, from, 0.0).at(time);
        return (there.rotation, there.angular_velocity);
    }
    let momentum = rotation * (inertia.tensor * (rotation.inverse() * spin));
    let after = |turned: DQuat| turned * (inertia.inverse * (turned.inverse() * momentum));
    let mut halfway = spin;
    for _ in 0..ROUNDS {
        let turned = turn(halfway * (0.5 * time)) * rotation;
        let next = after(turned);
        // Newton's method: turning on by θ changes the spin by θ × spin − I⁻¹ (θ × momentum).
        let turns = DMat3::from_quat(turned);
        let inverse = turns * inertia.inverse * turns.transpose();
        let slope = (cross(next) - inverse * cross(momentum)) * (0.5 * time);
        let change = (DMat3::IDENTITY + slope).inverse() * (next - halfway);
        halfway += change;
        if change.length_squared() <= 1e-30 * halfway.length_squared() {
            break;
        }
    }
    let end = (turn(halfway * time) * rotation).normalize();
    (end, after(end))
}
