//! Eight patches side by side, one a lane, as constraints of velocities.
//!
//! All contacts of a patch have one normal, so what their impulses do to each other is a small matrix, and they are solved to and fro among
//! themselves without touching the bodies: four corners of a face share what three could carry, and one sweep would give most of it to
//! the first and tilt the body. Friction acts at the middle of the patch, along two directions and about the normal (as in Box3D, Catto 2025);
//! of straight motion that is the sum of what it is at the contacts.

use glam::{DMat3, DVec3};

use super::bodies::Masses;
use super::contacts::Pair;
use super::order::Item;
use super::stance::Stance;
use crate::dynamics::matter::Rigid;

/// Patches solved together.
pub const LANES: usize = 8;

/// A number of each patch.
pub type Lane = [f64; LANES];
type Vector = [Lane; 3];

/// Patches that share no body.
#[derive(Debug, Clone)]
pub struct Group {
    pub bodies: [[u32; LANES]; 2],
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
    /// Fastest push out of an overlap.
    pub push: Lane,
    pub spots: [Spot; 4],
    /// By how much the impulse of one contact changes the speed at another: 01, 02, 03, 12, 13, 23, and at itself.
    pub coupling: [Lane; 10],
    pub rub: Rub,
}

/// How soft contacts yield: as damped springs, integrated implicitly.
#[derive(Debug, Clone, Copy, Default)]
pub struct Soft {
    pub rate: Lane,
    pub mass: Lane,
    pub impulse: Lane,
}

/// One contact of each patch.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spot {
    /// Arms from the centres of mass times the normal.
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
    pub arms: [Vector; 2],
    /// Impulses that stop the motion along the tangents and about the normal: xx, yy, zz, xy, yz, zx.
    pub masses: [Lane; 6],
    pub impulses: Vector,
}

/// Frequency and damping ratio of contacts. Twice the frequency of Catto 2024, with which a stack of twenty boxes yields by a tenth of a box.
const HERTZ: f64 = 60.0;
const DAMPING: f64 = 10.0;

/// What the constraints of a step are made from.
#[derive(Clone, Copy)]
pub struct Scene<'s> {
    pub pairs: &'s [Pair],
    pub rigids: &'s [Rigid],
    pub stances: &'s [Stance],
    pub masses: &'s [Masses],
    /// The length of a sub-step.
    pub step: f64,
    /// Whether contacts do not yield at all.
    pub hard: bool,
}

/// A patch in the world, as one lane of a group.
struct Posed<'s> {
    item: &'s Item,
    masses: [Masses; 2],
    inertias: [DMat3; 2],
    normal: DVec3,
    tangents: [DVec3; 2],
    arms: [[DVec3; 2]; 4],
    middle: [DVec3; 2],
    size: f64,
}

impl Group {
    /// Takes up at most [`LANES`] patches.
    pub fn fill(&mut self, items: &[Item], scene: &Scene) {
        self.lanes = items.len();
        for (lane, item) in items.iter().enumerate() {
            self.take(lane, &Posed::new(item, scene), scene);
        }
    }

    /// The bodies of a lane.
    pub fn pair(&self, lane: usize) -> [u32; 2] {
        [self.bodies[0][lane], self.bodies[1][lane]]
    }

    /// Lanes without a patch have the body that never moves.
    pub fn empty(nobody: u32) -> Self {
        Self {
            bodies: [[nobody; LANES]; 2],
            moves: [0; 2],
            count: 0,
            lanes: 0,
            normal: Vector::default(),
            tangent: Vector::default(),
            inverse_mass: Default::default(),
            inverse_inertia: Default::default(),
            soft: Soft::default(),
            push: Lane::default(),
            spots: Default::default(),
            coupling: Default::default(),
            rub: Rub::default(),
        }
    }

    fn take(&mut self, lane: usize, posed: &Posed, scene: &Scene) {
        let [a, b] = posed.item.bodies.map(|i| &scene.rigids[i as usize]);
        for side in 0..2 {
            let masses = &posed.masses[side];
            self.bodies[side][lane] = posed.item.bodies[side];
            self.moves[side] |= u8::from(masses.inverse_mass > 0.0) << lane;
            self.inverse_mass[side][lane] = masses.inverse_mass;
            for k in 0..6 {
                self.inverse_inertia[side][k][lane] = masses.inverse_inertia[k];
            }
        }
        put(&mut self.normal, lane, posed.normal);
        put(&mut self.tangent, lane, posed.tangents[0]);
        self.count = self.count.max(posed.item.count as usize);
        self.soften(lane, posed, scene);
        self.push[lane] = 4.0 * posed.size;
        let pull = -a.adhesion(b) * scene.step;
        let patch = &scene.pairs[posed.item.pair as usize].patches[posed.item.patch as usize];
        for (k, point) in patch.points().iter().enumerate() {
            self.spots[k].take(lane, posed, k);
            self.spots[k].impulse[lane] = point.impulse;
            let gap = posed.normal.dot(posed.apart(k, scene));
            (self.spots[k].start[lane], self.spots[k].gap[lane]) = (gap, gap);
            self.spots[k].least[lane] = if gap < 1e-3 * posed.size { pull } else { 0.0 };
        }
        for (k, [i, j]) in COUPLES.into_iter().enumerate() {
            if i.max(j) < posed.item.count as usize {
                self.coupling[k][lane] = posed.weight(i, j);
            }
        }
        self.rub.take(lane, posed, a.surface(b)[1]);
        let slides = posed.tangents.map(|t| t.dot(patch.slide));
        put(&mut self.rub.impulses, lane, DVec3::new(slides[0], slides[1], patch.twist));
    }

    fn soften(&mut self, lane: usize, posed: &Posed, scene: &Scene) {
        let fixed = posed.masses.iter().any(|masses| masses.inverse_mass == 0.0);
        let hertz = HERTZ.min(0.25 / scene.step) * if fixed { 2.0 } else { 1.0 };
        let omega = std::f64::consts::TAU * hertz;
        let a = 2.0 * DAMPING + scene.step * omega;
        let b = scene.step * omega * a;
        let c = 1.0 / (1.0 + b);
        self.soft.rate[lane] = omega / a;
        (self.soft.mass[lane], self.soft.impulse[lane]) = if scene.hard { (1.0, 0.0) } else { (b * c, c) };
    }
}

/// The pairs of contacts in the order of [`Group::coupling`].
const COUPLES: [[usize; 2]; 10] =
    [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3], [0, 0], [1, 1], [2, 2], [3, 3]];

fn put(to: &mut Vector, lane: usize, v: DVec3) {
    (to[0][lane], to[1][lane], to[2][lane]) = (v.x, v.y, v.z);
}

pub fn got(from: &Vector, lane: usize) -> DVec3 {
    DVec3::new(from[0][lane], from[1][lane], from[2][lane])
}

impl<'s> Posed<'s> {
    fn new(item: &'s Item, scene: &Scene) -> Self {
        let [i, j] = item.bodies.map(|i| i as usize);
        let (a, b) = (&scene.stances[i], &scene.stances[j]);
        let (turn_a, turn_b) = (a.pose.rotation(), b.pose.rotation());
        let patch = &scene.pairs[item.pair as usize].patches[item.patch as usize];
        let normal = turn_a * patch.normal;
        let way = b.center - a.center;
        let mut arms = [[DVec3::ZERO; 2]; 4];
        let mut middle = [DVec3::ZERO; 2];
        for (arm, point) in arms.iter_mut().zip(patch.points()) {
            let first = (turn_a * point.place_a + (turn_b * point.place_b + way)) * 0.5;
            *arm = [first, first - way];
            middle = [middle[0] + arm[0], middle[1] + arm[1]];
        }
        let masses = [scene.masses[i], scene.masses[j]];
        Self {
            item,
            masses,
            inertias: masses.map(|masses| masses.inverse_inertia()),
            normal,
            tangents: tangents(normal),
            arms,
            middle: middle.map(|sum| sum / f64::from(item.count)),
            size: a.radius.min(b.radius),
        }
    }

    /// From the point of the first body to that of the second.
    fn apart(&self, k: usize, scene: &Scene) -> DVec3 {
        let [a, b] = self.item.bodies.map(|i| &scene.stances[i as usize]);
        let point = &scene.pairs[self.item.pair as usize].patches[self.item.patch as usize].points[k];
        (b.center - a.center) + (b.pose.rotation() * point.place_b - a.pose.rotation() * point.place_a)
    }

    fn turn(&self, k: usize, side: usize) -> DVec3 {
        self.arms[k][side].cross(self.normal)
    }

    /// How much an impulse at one contact changes the normal speed at another.
    fn weight(&self, i: usize, j: usize) -> f64 {
        let spin = |side: usize| self.turn(i, side).dot(self.inertias[side] * self.turn(j, side));
        self.masses[0].inverse_mass + self.masses[1].inverse_mass + spin(0) + spin(1)
    }
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

impl Spot {
    fn take(&mut self, lane: usize, posed: &Posed, k: usize) {
        for side in 0..2 {
            put(&mut self.turns[side], lane, posed.turn(k, side));
        }
        self.mass[lane] = 1.0 / posed.weight(k, k);
        let aside = posed.arms[k][0] - posed.middle[0];
        self.lever[lane] = aside.cross(posed.normal).length();
    }
}

/// Levers shorter than this, relative to the smaller body, hold nothing against turning.
const LEVER: f64 = 1e-6;

impl Rub {
    fn take(&mut self, lane: usize, posed: &Posed, friction: f64) {
        self.friction[lane] = friction;
        for side in 0..2 {
            put(&mut self.arms[side], lane, posed.middle[side]);
        }
        let [t, u] = posed.tangents;
        let linear = posed.masses[0].inverse_mass + posed.masses[1].inverse_mass;
        let way = |side: usize| [posed.middle[side].cross(t), posed.middle[side].cross(u), posed.normal];
        let mut m = DMat3::from_diagonal(DVec3::new(linear, linear, 0.0));
        for (inertia, rows) in posed.inertias.iter().zip([way(0), way(1)]) {
            let turned = rows.map(|row| *inertia * row);
            let column = |j: usize| DVec3::from(rows.map(|row| row.dot(turned[j])));
            m += DMat3::from_cols(column(0), column(1), column(2));
        }
        let far = posed.arms[..posed.item.count as usize].iter();
        let lever = far.map(|arm| arm[0].distance(posed.middle[0])).fold(0.0, f64::max);
        if lever <= LEVER * posed.size || !(m.determinant() > 0.0) {
            m = DMat3::from_cols(m.x_axis.with_z(0.0), m.y_axis.with_z(0.0), DVec3::Z);
        }
        let k = m.inverse();
        let zz = if lever <= LEVER * posed.size { 0.0 } else { k.z_axis.z };
        let all = [k.x_axis.x, k.y_axis.y, zz, k.x_axis.y, k.y_axis.z, k.z_axis.x];
        for (mass, value) in self.masses.iter_mut().zip(all) {
            mass[lane] = value;
        }
    }
}
