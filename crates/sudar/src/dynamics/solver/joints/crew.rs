//! The bodies of mechanisms while they are solved: where they are, how they move, and where motion takes them.

use glam::{DMat3, DQuat, DVec3};

use super::coordinates::Place;
use super::eights::{NOWHERE, Places, Speeds, Weights, of_body, set_body, six};
use super::motion::Matter;
use crate::dynamics::matter::{BodyState, Flight, Inertia, Rigid, turn, turned_by};
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::bodies::{Twist, spin, twist, velocity};
use crate::dynamics::solver::groups::lanes::{LANES, Lane, Vector};
use crate::math::simd::Level;

/// The world, where a joint ties a body to it.
pub const WORLD: u32 = u32::MAX;

/// Bodies by their places in the outline of mechanisms side by side, and by these: so many of each place that all of it
/// can be solved in lanes. What nothing moves is there once for each joint that it holds.
#[derive(Clone, Default)]
pub struct Crew {
    /// Their numbers among the bodies, or [`WORLD`].
    pub names: Vec<u32>,
    /// Bodies of a place.
    pub stride: usize,
    /// Without mass scaling.
    inertias: Vec<Inertia>,
    matter: Vec<Matter>,
    /// At the start of the sub-step, and as far as they would come in it.
    pub places: Vec<Places>,
    pub ahead: Vec<Places>,
    pub speeds: Vec<Speeds>,
    /// Spins at the end of the sub-step.
    spins: Vec<Vector>,
    pub weights: Vec<Weights>,
    /// Bodies whose forces depend on where they are.
    pulled: Vec<usize>,
    /// Lanes with bodies that have got moments of inertia.
    pub is_scaled: Lanes,
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
    /// Bodies by place, so many of each.
    pub fn new(names: Vec<u32>, stride: usize) -> Self {
        let eights = names.len().div_ceil(LANES);
        Self {
            stride,
            matter: vec![Matter::default(); eights],
            places: vec![NOWHERE; eights],
            ahead: vec![NOWHERE; eights],
            speeds: vec![[[0.0; LANES]; 6]; eights],
            spins: vec![[[0.0; LANES]; 3]; eights],
            weights: vec![[[0.0; LANES]; 7]; eights],
            names,
            ..Self::default()
        }
    }

    /// Takes up bodies as they are.
    ///
    /// Tension at the arms of a body makes it swing. Where `pulls`, the stiffness of that, would make it swing
    /// more quickly than sub-steps of a length can follow, it is given moments of inertia (mass scaling) with which it
    /// does not: the swinging of a light link between heavy bodies is lost, and nothing else.
    pub fn muster(&mut self, rigids: &[Rigid], pulls: &[f64], step: f64) {
        self.inertias.clear();
        self.is_scaled = [false; LANES];
        self.matter.fill(Matter::default());
        self.places.fill(NOWHERE);
        self.speeds.fill([[0.0; LANES]; 6]);
        let nothing = Inertia::fixed(DVec3::ZERO);
        for (k, &name) in self.names.iter().enumerate() {
            let Some(rigid) = rigids.get(name as usize) else {
                self.inertias.push(nothing);
                continue;
            };
            let inertia = rigid.inertia;
            self.inertias.push(inertia);
            let BodyState { center, rotation, velocity, angular_velocity } = rigid.motion;
            if inertia.is_free() {
                self.matter[k / LANES].set(k % LANES, &inertia, center);
            }
            let ([a, b, c], [d, e, f, g]) = (center.to_array(), rotation.to_array());
            set_body(&mut self.places, k, [a, b, c, d, e, f, g]);
            let moves = rigid.moves();
            let speed = if moves { twist(velocity, angular_velocity) } else { Twist::default() };
            set_body(&mut self.speeds, k, six(&speed));
        }
        self.ahead.clone_from(&self.places);
        self.stiffen(pulls, step);
        self.weigh();
    }

    /// Gives bodies so much inertia that they do not swing more quickly than sub-steps can follow; whether any gets
    /// more than it has.
    pub fn stiffen(&mut self, pulls: &[f64], step: f64) -> bool {
        let mut any = false;
        for (k, (inertia, pull)) in self.inertias.iter().zip(pulls).enumerate() {
            let more = 2.0 * pull * (step / SWING).powi(2) - inertia.moments.min_element();
            if more > 0.0 && inertia.is_free() && self.matter[k / LANES].scale(k % LANES, more) {
                self.is_scaled[k % self.stride] = true;
                any = true;
            }
        }
        any
    }

    /// Takes back the speeds of some lanes.
    pub fn restore(&mut self, lanes: &Lanes, speeds: &[Speeds]) {
        for k in (0..self.names.len()).filter(|k| lanes[k % self.stride]) {
            set_body(&mut self.speeds, k, of_body(speeds, k));
        }
    }

    /// Takes up the forces that act in kicks of a time.
    pub fn take_forces(&mut self, rigids: &[Rigid], settings: &Settings, time: f64) {
        self.pulled.clear();
        for (k, &name) in self.names.iter().enumerate() {
            let Some(rigid) = rigids.get(name as usize).filter(|rigid| rigid.is_dynamic()) else { continue };
            let Flight { acceleration, torque, drag, .. } = rigid.flight(settings.gravity);
            if torque != DVec3::ZERO || rigid.has_thrust() {
                self.pulled.push(k);
                continue;
            }
            let left = drag.map(|c| if c == 0.0 { 1.0 } else { libm::exp(-c * time) });
            self.matter[k / LANES].pull(k % LANES, acceleration, left);
        }
    }

    /// What bodies weigh where they are.
    pub fn weigh(&mut self) {
        for ((weights, matter), places) in self.weights.iter_mut().zip(&self.matter).zip(&self.places) {
            *weights = matter.weights(Level::new(), places);
        }
    }

    pub fn place(&self, k: usize) -> Place {
        place(&self.places, k)
    }

    pub fn speed(&self, k: usize) -> Twist {
        let [a, b, c, d, e, f] = of_body(&self.speeds, k);
        [a, b, c, d, e, f, 0.0, 0.0]
    }

    pub fn set_speed(&mut self, k: usize, speed: &Twist) {
        set_body(&mut self.speeds, k, six(speed));
    }

    pub fn motion(&self, k: usize) -> BodyState {
        let (Place { center, rotation }, speed) = (self.place(k), self.speed(k));
        BodyState { center, rotation, velocity: velocity(&speed), angular_velocity: spin(&speed) }
    }

    /// Lets forces act for the time for which they were taken up.
    pub fn kick(&mut self, rigids: &[Rigid], settings: &Settings, time: f64) {
        for (matter, speeds) in self.matter.iter().zip(&mut self.speeds) {
            matter.kick(Level::new(), speeds, time);
        }
        for &k in &self.pulled {
            let motion = self.motion(k);
            let Flight { acceleration, torque, drag, .. } =
                rigids[self.names[k] as usize].flight_from(settings.gravity, motion);
            let left = drag.map(|c| if c == 0.0 { 1.0 } else { libm::exp(-c * time) });
            let spun = self.inertias[k].inverse_in_world(motion.rotation) * torque;
            let straight = (motion.velocity + acceleration * time) * left[0];
            let speed = twist(straight, (motion.angular_velocity + spun * time) * left[1]);
            set_body(&mut self.speeds, k, six(&speed));
        }
    }

    /// Whether no impulse moves a body.
    pub fn is_fixed(&self, k: usize) -> bool {
        !self.inertias[k].is_free()
    }

    pub fn mass(&self, k: usize) -> f64 {
        if self.is_fixed(k) { 0.0 } else { self.inertias[k].mass }
    }

    /// The squares of the velocity and the spin of a body that moves by itself.
    pub fn driven_squares(&self, k: usize) -> [f64; 2] {
        let speed = if self.is_fixed(k) { self.speed(k) } else { Twist::default() };
        [velocity(&speed).length_squared(), spin(&speed).length_squared()]
    }

    /// Calls `work` with each body that impulses move, and its lane.
    pub fn each(&self, mut work: impl FnMut(usize, usize)) {
        (0..self.names.len()).filter(|k| !self.is_fixed(*k)).for_each(|k| work(k, k % self.stride));
    }

    /// Energy that forces have stored in each lane since the start of the step.
    pub fn stored(&self, rigids: &[Rigid], settings: &Settings) -> Lane {
        let own = |(matter, places): (&Matter, &Places)| matter.stored(Level::new(), places);
        let mut all = self.sum(self.matter.iter().zip(&self.places).map(own));
        for &k in &self.pulled {
            let rigid = &rigids[self.names[k] as usize];
            let motion = self.motion(k);
            let flight = rigid.flight_from(settings.gravity, motion);
            let turned = motion.rotation * rigid.motion.rotation.inverse();
            let way = motion.center - rigid.motion.center;
            all[k % self.stride] -= flight.acceleration.dot(way) * rigid.inertia.mass
                + flight.torque.dot(turned_by(turned.normalize()));
        }
        all
    }

    /// The sums of lanes over numbers of all bodies.
    fn sum(&self, eights: impl Iterator<Item = Lane>) -> Lane {
        let mut all = [0.0; LANES];
        if self.stride == LANES {
            eights.for_each(|eight| (0..LANES).for_each(|lane| all[lane] += eight[lane]));
            return all;
        }
        eights.flatten().take(self.names.len()).enumerate().for_each(|(k, own)| all[k % self.stride] += own);
        all
    }

    /// The largest moment of inertia of a body that impulses move.
    pub fn moment(&self, k: usize) -> f64 {
        self.inertias[k].moments.max_element()
    }

    /// Twice the energy of motion of each lane.
    pub fn squares(&self) -> Lane {
        let bodies = self.matter.iter().zip(self.places.iter().zip(&self.speeds));
        self.sum(bodies.map(|(matter, (places, speeds))| matter.squares(Level::new(), places, speeds)))
    }

    /// Slows the bodies of a lane, of which the energy of motion and that to be had are given; of a free one the motion
    /// against the whole of it alone, such that its momenta stay. Returns the energy of motion.
    pub fn slow(&mut self, lane: usize, [kinetic, wanted]: [f64; 2], is_free: bool) -> f64 {
        let (whole, own) = if is_free { self.whole(lane) } else { (Whole::default(), 0.0) };
        let share =
            if kinetic > own { ((wanted - own).max(0.0) / (kinetic - own)).min(1.0).sqrt() } else { 1.0 };
        for k in self.own(lane).collect::<Vec<_>>() {
            let BodyState { center, velocity, angular_velocity, .. } = self.motion(k);
            let along = whole.velocity + whole.spin.cross(center - whole.center);
            let (straight, turning) = (velocity - along, angular_velocity - whole.spin);
            self.set_speed(k, &twist(along + straight * share, whole.spin + turning * share));
        }
        own + (kinetic - own) * share * share
    }

    /// The bodies of a lane that impulses move.
    fn own(&self, lane: usize) -> impl Iterator<Item = usize> {
        (lane..self.names.len()).step_by(self.stride).filter(|k| !self.is_fixed(*k))
    }

    /// The motion of a lane as if it were one rigid body, and its energy.
    fn whole(&self, lane: usize) -> (Whole, f64) {
        let own = || self.own(lane);
        let mass: f64 = own().map(|k| self.inertias[k].mass).sum();
        let mean =
            |of: &dyn Fn(usize) -> DVec3| own().map(|k| of(k) * self.inertias[k].mass).sum::<DVec3>() / mass;
        let (center, straight) = (mean(&|k| self.place(k).center), mean(&|k| velocity(&self.speed(k))));
        let (mut momentum, mut tensor) = (DVec3::ZERO, DMat3::ZERO);
        for k in own() {
            let (motion, inertia) = (self.motion(k), &self.inertias[k]);
            let (arm, turn) = (motion.center - center, DMat3::from_quat(motion.rotation));
            momentum += arm.cross(motion.velocity - straight) * inertia.mass
                + inertia.spun(motion.rotation, motion.angular_velocity);
            let far = cross(arm);
            tensor += turn * inertia.tensor * turn.transpose() - far * far * inertia.mass;
        }
        let spin = tensor.inverse() * momentum;
        let whole = Whole { center, velocity: straight, spin };
        (whole, 0.5 * (mass * straight.length_squared() + momentum.dot(spin)))
    }

    /// Looks where bodies would be after a time.
    pub fn look_ahead(&mut self, time: f64) {
        for (eight, matter) in self.matter.iter().enumerate() {
            let (places, speeds) = (&self.places[eight], &self.speeds[eight]);
            let ahead = matter.look_ahead(Level::new(), places, speeds, time);
            (self.ahead[eight], self.spins[eight]) = (ahead.places, ahead.spins);
            for lane in (0..LANES).filter(|lane| ahead.far[*lane]) {
                let k = eight * LANES + lane;
                let (from, speed) = (place(&self.places, k), of_body(&self.speeds, k));
                let spin = DVec3::from_slice(&speed[3..]);
                let (rotation, spin) = turned(&self.inertias[k], from.rotation, spin, time);
                let rotation = rotation.to_array();
                (0..4).for_each(|i| self.ahead[eight][3 + i][lane] = rotation[i]);
                (0..3).for_each(|i| self.spins[eight][i][lane] = spin[i]);
            }
        }
    }

    /// Goes there.
    pub fn go(&mut self) {
        self.places.clone_from(&self.ahead);
        for (speeds, spins) in self.speeds.iter_mut().zip(&self.spins) {
            speeds[3..].copy_from_slice(spins);
        }
    }
}

/// Where a body is.
pub fn place(all: &[Places], k: usize) -> Place {
    let [x, y, z, a, b, c, w] = of_body(all, k);
    Place { center: DVec3::new(x, y, z), rotation: DQuat::from_xyzw(a, b, c, w) }
}

/// The matrix that makes v × x of x.
fn cross(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

/// Rotation and spin of a free body after a time in which it turns far.
fn turned(inertia: &Inertia, rotation: DQuat, spin: DVec3, time: f64) -> (DQuat, DVec3) {
    if !inertia.is_free() || inertia.is_round() {
        return ((turn(spin * time) * rotation).normalize(), spin);
    }
    let from = BodyState { center: DVec3::ZERO, rotation, velocity: DVec3::ZERO, angular_velocity: spin };
    let there = Flight::free(inertia, from, 0.0).at(time);
    (there.rotation, there.angular_velocity)
}
