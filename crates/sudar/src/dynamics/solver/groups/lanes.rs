//! Eight patches side by side, one a lane, as constraints of velocities.
//!
//! All contacts of a patch have one normal, so what their impulses do to each other is a small matrix, and
//! they are solved to and fro among themselves without touching the bodies: four corners of a face share what
//! three could carry, and one sweep would give most of it to the first and tilt the body. Friction acts at
//! the middle of the patch, along two directions and about the normal (as in Box3D, Catto 2025); of straight
//! motion that is the sum of what it is at the contacts.

use std::f64::consts::TAU;

use glam::DVec3;

use super::item::Item;
use crate::dynamics::solver::bodies::Masses;
use crate::dynamics::solver::contacts::Pair;
use crate::dynamics::solver::stance::Stance;

/// Patches solved together.
pub const LANES: usize = 8;

/// A number of each patch.
pub type Lane = [f64; LANES];
pub type Vector = [Lane; 3];

/// Patches that share no body.
#[derive(Debug, Clone)]
pub struct Group {
    pub bodies: [[u32; LANES]; 2],
    /// Where the bodies are in their part.
    pub slots: [[u32; LANES]; 2],
    /// Which bodies move: bit by lane.
    pub moves: [u8; 2],
    /// Patches in it.
    pub lanes: usize,
    /// Contacts in the fullest patch.
    pub count: usize,
    pub normal: Vector,
    pub tangent: Vector,
    pub inverse_mass: [Lane; 2],
    pub inverse_inertia: [[Lane; 6]; 2],
    pub soft: Soft,
    /// One over the length of a sub-step.
    pub pace: Lane,
    /// Fastest push out of an overlap.
    pub push: Lane,
    pub spots: [Spot; 4],
    /// By how much the impulse of one contact changes the speed at another: 01, 02, 03, 12, 13, 23, and at itself.
    pub coupling: [Lane; 10],
    pub rub: Rub,
    /// Whether any patch has friction against rolling, and that.
    pub rolls: bool,
    pub roll: Roll,
}

/// How soft contacts yield: as damped springs, integrated implicitly.
#[derive(Debug, Clone, Copy, Default)]
pub struct Soft {
    pub rate: Lane,
    pub mass: Lane,
    pub impulse: Lane,
    /// 1; 0 of what yields by the wish of a body, which nothing makes hard after bodies have moved.
    pub relaxes: Lane,
}

/// One contact of each patch.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spot {
    /// Arms from the centres of mass times the normal; until they are weighed, the arms.
    pub turns: [Vector; 2],
    /// The gap at the start of the step, and in this sub-step; below zero where the bodies overlap.
    pub start: Lane,
    pub gap: Lane,
    pub mass: Lane,
    pub impulse: Lane,
    /// The least impulse of a sub-step where bodies stick: zero or less.
    pub least: Lane,
    /// Distance from the middle of the patch.
    pub lever: Lane,
    /// Largest impulse of a sub-step, and the sum of all.
    pub most: Lane,
    pub total: Lane,
}

/// Friction of each patch.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rub {
    pub friction: Lane,
    /// The shortest lever that counts.
    pub least: Lane,
    pub arms: [Vector; 2],
    /// Impulses that stop the motion along the tangents, xx, yy and xy, and that about the normal, zz: xx, yy, zz, xy.
    pub masses: [Lane; 4],
    /// How an impulse about the normal changes the motion along the tangents: zx, yz.
    pub mixed: [Lane; 2],
    /// How fast the first surface runs along the tangents against the second, beyond the motion of the bodies.
    pub drift: [Lane; 2],
    pub impulses: Vector,
}

/// Friction against rolling of each patch.
#[derive(Debug, Clone, Copy, Default)]
pub struct Roll {
    /// The most torque for each newton that presses, in metres.
    pub lever: Lane,
    /// Impulses that stop turning about the tangents: xx, yy, xy.
    pub masses: [Lane; 3],
    pub impulses: [Lane; 2],
}

/// Frequency and damping ratio of contacts, the same for steps of any length, so that what rests stays where it is
/// when the step changes. Twice the frequency of Catto 2024, with which a stack of twenty boxes yields by a tenth of
/// a box.
const HERTZ: f64 = 60.0;
const DAMPING: f64 = 10.0;

/// What the constraints of a step are made from.
#[derive(Clone, Copy)]
pub struct Scene<'s> {
    pub pairs: &'s [Pair],
    pub stances: &'s [Stance],
    pub masses: &'s [Masses],
    /// The length of a sub-step of a whole step.
    pub step: f64,
    /// Whether contacts do not yield.
    pub is_hard: bool,
    /// Whether there is friction.
    pub rubs: bool,
}

impl Scene<'_> {
    /// The friction of two bodies, and the force with which they stick.
    fn surface(&self, i: usize, j: usize) -> (f64, f64) {
        let [a, b] = [i, j].map(|i| &self.stances[i].surface);
        (if self.rubs { a.friction(b) } else { 0.0 }, a.adhesion(b))
    }

    /// The lever of the friction of two bodies against rolling.
    fn lever(&self, i: usize, j: usize) -> f64 {
        let [a, b] = [i, j].map(|i| &self.stances[i].surface);
        if self.rubs { a.rolling_friction(b) } else { 0.0 }
    }

    /// The larger acceleration of two bodies by forces.
    fn pull(&self, bodies: [usize; 2]) -> f64 {
        let [a, b] = bodies.map(|i| self.stances[i].pull);
        a.max(b)
    }

    /// The length of a sub-step of two bodies; those that contacts move have as much of the step left.
    fn step(&self, bodies: [usize; 2]) -> f64 {
        let left = bodies.map(|i| if self.masses[i].inverse_mass > 0.0 { self.stances[i].left } else { 1.0 });
        self.step * left[0].min(left[1])
    }
}

/// By how much a contact may yield to the pull on a body, relative to the smaller one. Contacts of small bodies are
/// stiffer than [`HERTZ`] for that.
const YIELD: f64 = 5e-4;

/// How a contact yields: rate, mass and impulse. Against what nothing moves it is stiffer. `least` is the square of
/// the least angular frequency.
fn softness(step: f64, is_hard: bool, is_fixed: bool, least: f64) -> [f64; 3] {
    let omega = (TAU * HERTZ * if is_fixed { 2.0 } else { 1.0 }).max(least.sqrt());
    let a = 2.0 * DAMPING + step * omega;
    let b = step * omega * a;
    let c = 1.0 / (1.0 + b);
    if is_hard { [omega / a, 1.0, 0.0] } else { [omega / a, b * c, c] }
}

impl Group {
    /// Without patches.
    pub fn empty() -> Self {
        Self {
            bodies: Default::default(),
            slots: Default::default(),
            moves: [0; 2],
            lanes: 0,
            count: 0,
            normal: Vector::default(),
            tangent: Vector::default(),
            inverse_mass: Default::default(),
            inverse_inertia: Default::default(),
            soft: Soft::default(),
            pace: [1.0; LANES],
            push: Lane::default(),
            spots: Default::default(),
            coupling: Default::default(),
            rub: Rub::default(),
            rolls: false,
            roll: Roll::default(),
        }
    }

    /// Takes up at most [`LANES`] patches, which are still to be weighed. Lanes without one have a body that
    /// never moves.
    pub fn fill(&mut self, items: &[Item], scene: &Scene) {
        (self.lanes, self.count, self.moves, self.rolls) = (items.len(), 0, [0; 2], false);
        let nobody = scene.stances.len() as u32;
        for lane in 0..LANES {
            match items.get(lane) {
                Some(item) => self.take(lane, item, scene),
                None => {
                    self.take_bodies(lane, [nobody; 2], [&Masses::default(); 2]);
                    put(&mut self.rub.impulses, lane, DVec3::ZERO);
                    self.rub.drift.iter_mut().for_each(|drift| drift[lane] = 0.0);
                    (self.roll.lever[lane], self.roll.impulses[0][lane], self.roll.impulses[1][lane]) =
                        (0.0, 0.0, 0.0);
                }
            }
            let count = items.get(lane).map_or(0, |item| item.count);
            self.spots[count as usize..].iter_mut().for_each(|spot| spot.vacate(lane));
        }
    }

    /// The bodies of a lane.
    pub fn pair(&self, lane: usize) -> [u32; 2] {
        [self.bodies[0][lane], self.bodies[1][lane]]
    }

    fn take_bodies(&mut self, lane: usize, bodies: [u32; 2], masses: [&Masses; 2]) {
        for side in 0..2 {
            self.bodies[side][lane] = bodies[side];
            self.moves[side] |= u8::from(masses[side].inverse_mass > 0.0) << lane;
            self.inverse_mass[side][lane] = masses[side].inverse_mass;
            for k in 0..6 {
                self.inverse_inertia[side][k][lane] = masses[side].inverse_inertia[k];
            }
        }
    }

    fn take(&mut self, lane: usize, item: &Item, scene: &Scene) {
        let [i, j] = item.bodies.map(|i| i as usize);
        let (a, b) = (&scene.stances[i], &scene.stances[j]);
        let masses = [&scene.masses[i], &scene.masses[j]];
        let patch = &scene.pairs[item.pair as usize].patches[item.patch as usize];
        let (size, way) = (a.radius.min(b.radius), b.center - a.center);
        let ((friction, pull), step) = (scene.surface(i, j), scene.step([i, j]));
        self.take_bodies(lane, item.bodies, masses);
        self.count = self.count.max(item.count as usize);
        let normal = a.pose.rotation() * patch.normal;
        let tangents = tangents(normal);
        put(&mut self.normal, lane, normal);
        put(&mut self.tangent, lane, tangents[0]);
        let is_fixed = masses.iter().any(|masses| masses.inverse_mass == 0.0);
        let inverse_mass = masses[0].inverse_mass + masses[1].inverse_mass;
        let wanted = a.surface.spring(&b.surface, inverse_mass);
        let soft = match wanted {
            // Shared among the contacts when these are weighed.
            Some([omega, damping]) => {
                let a = 2.0 * damping + step * omega;
                [omega / a, step * omega * a, 0.0]
            }
            None => softness(step, scene.is_hard, is_fixed, scene.pull([i, j]) / (YIELD * size)),
        };
        (self.soft.relaxes[lane], self.push[lane]) =
            if wanted.is_some() { (0.0, f64::INFINITY) } else { (1.0, 4.0 * size) };
        self.pace[lane] = 1.0 / step;
        (self.soft.rate[lane], self.soft.mass[lane], self.soft.impulse[lane]) = (soft[0], soft[1], soft[2]);
        let mut middle = DVec3::ZERO;
        for (point, spot) in patch.points().iter().zip(&mut self.spots) {
            put(&mut spot.turns[0], lane, point.arm);
            put(&mut spot.turns[1], lane, point.arm - way);
            (spot.start[lane], spot.gap[lane]) = (point.gap, point.gap);
            (spot.impulse[lane], spot.mass[lane]) = (point.force * step, 1.0);
            spot.least[lane] = if point.gap < 1e-3 * size { -pull * step } else { 0.0 };
            (spot.most[lane], spot.total[lane]) = (0.0, 0.0);
            middle += point.arm;
        }
        middle /= f64::from(item.count);
        self.rub.friction[lane] = friction;
        self.rub.least[lane] = LEVER * size;
        put(&mut self.rub.arms[0], lane, middle);
        put(&mut self.rub.arms[1], lane, middle - way);
        let slides = tangents.map(|t| t.dot(patch.slide));
        put(&mut self.rub.impulses, lane, DVec3::new(slides[0], slides[1], patch.twist) * step);
        let runs = [a, b].map(|stance| stance.surface.velocity);
        let still = runs == [DVec3::ZERO; 2];
        let drift = if still { DVec3::ZERO } else { a.rotation * runs[0] - b.rotation * runs[1] };
        for (own, tangent) in self.rub.drift.iter_mut().zip(tangents) {
            own[lane] = if still { 0.0 } else { tangent.dot(drift) };
        }
        let lever = scene.lever(i, j);
        self.rolls |= lever > 0.0;
        self.roll.lever[lane] = lever;
        let rolls = if lever > 0.0 { tangents.map(|t| t.dot(patch.roll) * step) } else { [0.0; 2] };
        (self.roll.impulses[0][lane], self.roll.impulses[1][lane]) = (rolls[0], rolls[1]);
    }
}

impl Spot {
    /// No contact in this lane: it has no mass, so that impulses stay zero.
    fn vacate(&mut self, lane: usize) {
        for side in &mut self.turns {
            put(side, lane, DVec3::ZERO);
        }
        (self.mass[lane], self.impulse[lane], self.least[lane]) = (0.0, 0.0, 0.0);
        (self.start[lane], self.gap[lane]) = (0.0, 0.0);
        (self.most[lane], self.total[lane]) = (0.0, 0.0);
    }
}

/// Levers shorter than this, relative to the smaller body, hold nothing against turning.
const LEVER: f64 = 1e-6;

pub fn put(to: &mut Vector, lane: usize, v: DVec3) {
    (to[0][lane], to[1][lane], to[2][lane]) = (v.x, v.y, v.z);
}

pub fn got(from: &Vector, lane: usize) -> DVec3 {
    DVec3::new(from[0][lane], from[1][lane], from[2][lane])
}

/// Two unit directions across the normal.
pub fn tangents(n: DVec3) -> [DVec3; 2] {
    let least = if n.x.abs() <= n.y.abs() && n.x.abs() <= n.z.abs() {
        DVec3::X
    } else if n.y.abs() <= n.z.abs() {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let first = n.cross(least).normalize();
    [first, n.cross(first)]
}
