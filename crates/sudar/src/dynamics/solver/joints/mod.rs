//! The joints of a world, and how they are solved.
//!
//! Bodies that joints tie together are a mechanism. All rows of a mechanism are solved together ([`direct`]): up to
//! eight mechanisms of one outline side by side, or the joints of a large one ([`gang`]). Large nets are solved by
//! rounds instead ([`iterative`]). Between contacts that press, the bodies of a mechanism move by joints and forces
//! alone, to second order; with contacts, these are iterated over around it.

mod asking;
mod calm;
mod closing;
mod coordinates;
mod crew;
mod demand;
mod direct;
mod eights;
mod fixtures;
mod gang;
mod iterative;
mod linked;
mod motion;
mod plan;
mod rows;
mod turns;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use glam::DVec3;

use super::islands::{root, rouse};
use crate::dynamics::joint::{Anchor, Anchors, Axis, Joint, Measure};
use crate::dynamics::matter::Rigid;
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::groups::lanes::LANES;
use crate::math::par::for_each;
use coordinates::{Geometry, Kind, Place, Since};
pub use crew::WORLD;
use crew::{Crew, SWING};
use demand::{Demand, demands};
pub use gang::Gang;
use gang::{Member, turns_back};
pub use linked::{Crowd, Linked};
use plan::{Node, Outline, Plan, Tie};

/// Most times that sub-steps are divided.
const MOST: u32 = 4;

/// All joints of a world, by their numbers.
#[derive(Clone, Default)]
pub struct Joints {
    slots: Vec<Slot>,
    free: BinaryHeap<Reverse<u32>>,
    /// Pairs that do not collide, sorted.
    apart: Vec<[u32; 2]>,
    mechanisms: Vec<Mechanism>,
    /// The mechanism of each body that joints hold.
    homes: Vec<Option<u32>>,
    /// Whether mechanisms are those of the joints that there are.
    is_sorted: bool,
    /// Of all outlines that there have been, and whether of many mechanisms.
    plans: Vec<(Outline, bool, Arc<Plan>)>,
    /// Whether all plans that are needed are there: those of the world that these joints are of.
    is_cast: bool,
    spare: Spare,
}

/// Gangs of the last step and of this one by their mechanisms, with the room that they work in.
#[derive(Default)]
struct Spare {
    old: BTreeMap<Vec<u32>, Gang>,
    new: BTreeMap<Vec<u32>, Gang>,
}

impl Clone for Spare {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// A place for a joint.
#[derive(Clone)]
pub struct Slot {
    pub generation: u32,
    pub held: Option<Held>,
}

/// A joint in a world.
#[derive(Clone)]
pub struct Held {
    pub joint: Joint,
    /// Numbers of its bodies, or [`WORLD`].
    pub bodies: [u32; 2],
    geometry: Geometry,
    demands: Arc<[Demand]>,
    /// What counts turns.
    pub turned: f64,
    /// Mean force and torque on the second body at its anchor in the last step, in the world.
    pub reaction: [DVec3; 2],
    /// The gap, in m, and the twist, in rad, of its locks and hard limits after the last step.
    pub off: [f64; 2],
}

/// Bodies that joints tie together.
#[derive(Clone)]
struct Mechanism {
    /// Those that move, in order.
    bodies: Vec<u32>,
    /// Slots of its joints, in order.
    joints: Vec<u32>,
    /// The number of its plan.
    plan: usize,
    /// Bodies that it holds on to and no impulse moves, in order; and whether there are such, or the world.
    ends: Vec<u32>,
    is_tied: bool,
}

/// What a joint does to the accounts of momentum and energy.
#[derive(Clone, Copy)]
pub struct Effect {
    /// Whether it pushes on the world.
    pub holds_the_world: bool,
    /// Whether springs or motors do work.
    pub works: bool,
}

impl Held {
    fn effect(&self) -> Effect {
        let is_between = matches!(self.geometry.measure, Measure::Axes | Measure::Distance | Measure::Cone);
        Effect {
            holds_the_world: self.bodies.contains(&WORLD) || !is_between,
            works: self.demands.iter().any(Demand::works),
        }
    }

    /// A joint of bodies where they are.
    pub fn new(joint: Joint, bodies: [u32; 2], rigids: &[Rigid]) -> Self {
        let mut held = Self {
            geometry: geometry(&joint, bodies, rigids),
            demands: demands(&joint).into(),
            bodies,
            turned: 0.0,
            reaction: [DVec3::ZERO; 2],
            off: [0.0; 2],
            joint,
        };
        held.change(held.joint.clone(), rigids);
        held.begin(rigids);
        held
    }

    /// Begins to count turns.
    fn begin(&mut self, rigids: &[Rigid]) {
        self.turned = 0.0;
        let places = self.bodies.map(|body| place(rigids, body));
        self.turned = self.geometry.at([&places[0], &places[1]], self.since(&places)).turned();
    }

    fn since<'p>(&self, places: &'p [Place; 2]) -> Since<'p> {
        Since { places: [&places[0], &places[1]], turned: self.turned }
    }

    /// The frames on its bodies.
    fn anchors(&self, rigids: &[Rigid]) -> [Anchor; 2] {
        [0, 1].map(|k| Anchor {
            point: self.geometry.arms[k] + center(rigids, self.bodies[k]),
            rotation: self.geometry.turns[k],
        })
    }

    /// After the joint has been changed.
    pub fn change(&mut self, joint: Joint, rigids: &[Rigid]) {
        let measures = joint.measure == self.joint.measure;
        self.geometry = geometry(&joint, self.bodies, rigids);
        self.demands = demands(&joint).into();
        self.joint = joint;
        if let Anchors::World(_) = self.joint.anchors {
            // Always by the anchors that it is known by, so that it is the same when these are read again.
            self.joint.anchors = Anchors::Bodies(self.anchors(rigids));
            self.geometry = geometry(&self.joint, self.bodies, rigids);
        }
        if !measures {
            self.begin(rigids);
        }
    }

    /// Its coordinates.
    pub fn coordinates(&self, rigids: &[Rigid]) -> [f64; 6] {
        let places = self.bodies.map(|body| place(rigids, body));
        let posed = self.geometry.at([&places[0], &places[1]], self.since(&places));
        Axis::ALL.map(|axis| posed.coordinate(axis))
    }

    /// Its anchors in the world.
    pub fn points(&self, rigids: &[Rigid]) -> [DVec3; 2] {
        [0, 1].map(|k| {
            let Place { center, rotation } = place(rigids, self.bodies[k]);
            center + rotation * self.geometry.arms[k]
        })
    }

    /// The energy of its springs, in J.
    pub fn energy(&self, rigids: &[Rigid]) -> f64 {
        let values = self.coordinates(rigids);
        let energy =
            |demand: &Demand| demand.energy(values[demand.axis as usize], self.weight(demand, rigids));
        self.demands.iter().map(energy).sum()
    }

    /// The speed that a unit impulse makes along a coordinate.
    fn weight(&self, demand: &Demand, rigids: &[Rigid]) -> f64 {
        let places = self.bodies.map(|body| place(rigids, body));
        let gradient = self.geometry.at([&places[0], &places[1]], self.since(&places)).gradient(demand.axis);
        let side = |k: usize| {
            let Some(rigid) = rigids.get(self.bodies[k] as usize).filter(|rigid| rigid.is_dynamic()) else {
                return 0.0;
            };
            let spun = rigid.inertia.inverse_in_world(rigid.motion.rotation) * gradient.turning[k];
            gradient.straight[k].length_squared() * rigid.inertia.inverse_mass + gradient.turning[k].dot(spun)
        };
        side(0) + side(1)
    }

    /// What its rows measure.
    fn kinds(&self) -> Vec<Option<Kind>> {
        let kind = |demand: &Demand| Kind::of(self.geometry.measure, demand.axis);
        self.demands.iter().map(kind).collect()
    }

    fn asks_for_angles(&self) -> bool {
        self.demands.iter().any(|demand| demand.axis.is_angle())
    }

    /// Measures how far locks and hard bounds are off, and counts turns that no row asks for.
    fn measure(&mut self, rigids: &[Rigid]) {
        let places = self.bodies.map(|body| place(rigids, body));
        let posed = self.geometry.at([&places[0], &places[1]], self.since(&places));
        if !self.asks_for_angles() && !self.geometry.counts_turns() {
            self.turned = posed.turned();
        }
        let values = Axis::ALL.map(|axis| posed.coordinate(axis));
        let off = |is_angle: bool| {
            let own = self.demands.iter().filter(|demand| demand.axis.is_angle() == is_angle);
            let square: f64 = own.map(|demand| demand.violation(values[demand.axis as usize]).powi(2)).sum();
            square.sqrt()
        };
        self.off = [off(false), off(true)];
    }

    /// The stiffness with which the force of the last step turns its bodies back, in N·m.
    fn pulls(&self, rigids: &[Rigid]) -> [f64; 2] {
        let force = self.reaction[0];
        let arm = |k: usize| place(rigids, self.bodies[k]).rotation * self.geometry.arms[k];
        [turns_back(-force, arm(0)), turns_back(force, arm(1))]
    }

    /// Length at which its gaps count.
    fn size(&self) -> f64 {
        let arms = self.geometry.arms.map(DVec3::length);
        // Of two bodies at one point, a metre.
        if arms[0] + arms[1] > 0.0 { (arms[0] + arms[1]).min(1.0) } else { 1.0 }
    }
}

/// The number of something in a list, to which it is added if need be.
fn number_of<T: PartialEq>(all: &mut Vec<T>, one: T) -> u32 {
    let known = all.iter().position(|other| *other == one);
    known.unwrap_or_else(|| {
        all.push(one);
        all.len() - 1
    }) as u32
}

/// The lanes of a node of so many mechanisms: the joint, the places of its bodies, and the mechanism of each.
fn lanes_of(node: &Node, mechanisms: usize) -> Vec<(usize, u32, [u32; 2], usize)> {
    let joints = node.joints.iter().zip(&node.places).map(|(joint, places)| (*joint, *places));
    match mechanisms {
        1 => joints.enumerate().map(|(lane, (joint, places))| (lane, joint, places, 0)).collect(),
        _ => joints.flat_map(|(joint, places)| (0..mechanisms).map(move |k| (k, joint, places, k))).collect(),
    }
}

fn place(rigids: &[Rigid], body: u32) -> Place {
    let rigid = rigids.get(body as usize);
    rigid
        .map_or(Place::ORIGIN, |rigid| Place { center: rigid.motion.center, rotation: rigid.motion.rotation })
}

/// The centre of mass in the frame of a body.
fn center(rigids: &[Rigid], body: u32) -> DVec3 {
    rigids.get(body as usize).map_or(DVec3::ZERO, |rigid| rigid.inertia.center)
}

fn geometry(joint: &Joint, bodies: [u32; 2], rigids: &[Rigid]) -> Geometry {
    let own = |k: usize, anchor: Anchor| {
        let Place { center, rotation } = place(rigids, bodies[k]);
        let back = rotation.inverse();
        (back * (anchor.point - center), (back * anchor.rotation).normalize())
    };
    let [a, b] = match joint.anchors {
        Anchors::World([a, b]) => [own(0, a), own(1, b)],
        Anchors::Bodies(both) => {
            [0, 1].map(|k| (both[k].point - center(rigids, bodies[k]), both[k].rotation.normalize()))
        }
    };
    Geometry { measure: joint.measure, arms: [a.0, b.0], turns: [a.1, b.1], has_angles: true }
}

impl std::fmt::Debug for Joints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Joints").field("count", &self.iter().count()).finish_non_exhaustive()
    }
}

impl Joints {
    pub fn is_empty(&self) -> bool {
        self.slots.len() == self.free.len()
    }

    /// All places, those of removed joints too.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The joints in all places, as a snapshot had them.
    pub fn restored(slots: Vec<Slot>) -> Self {
        let free = (0..)
            .zip(&slots)
            .filter(|(_, slot)| slot.held.is_none())
            .map(|(number, _)| Reverse(number))
            .collect();
        Self { slots, free, ..Self::default() }
    }

    /// All joints, by their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, &Held)> {
        let all = (0..).zip(&self.slots);
        all.filter_map(|(number, slot)| Some((number, slot.generation, slot.held.as_ref()?)))
    }

    pub fn get(&self, number: u32, generation: u32) -> Option<&Held> {
        self.slots.get(number as usize).filter(|slot| slot.generation == generation)?.held.as_ref()
    }

    /// Changes a joint.
    pub fn get_mut(&mut self, number: u32) -> Option<&mut Held> {
        self.is_sorted = false;
        self.slots.get_mut(number as usize)?.held.as_mut()
    }

    /// Adds a joint; returns its number and generation.
    pub fn insert(&mut self, held: Held) -> [u32; 2] {
        self.is_sorted = false;
        if let Some(Reverse(number)) = self.free.pop() {
            let slot = &mut self.slots[number as usize];
            slot.held = Some(held);
            return [number, slot.generation];
        }
        self.slots.push(Slot { generation: 0, held: Some(held) });
        [self.slots.len() as u32 - 1, 0]
    }

    pub fn remove(&mut self, number: u32) {
        let slot = &mut self.slots[number as usize];
        if slot.held.take().is_some() {
            slot.generation += 1;
            self.free.push(Reverse(number));
            self.is_sorted = false;
        }
    }

    /// The joints of a body.
    pub fn of(&self, body: u32) -> Vec<u32> {
        self.iter().filter(|(_, _, held)| held.bodies.contains(&body)).map(|(number, _, _)| number).collect()
    }

    /// The bodies that move with a body: itself, and all of its mechanism.
    pub fn together(&self, body: u32) -> &[u32] {
        let home = self.homes.get(body as usize).copied().flatten();
        home.map_or(&[], |home| &self.mechanisms[home as usize].bodies)
    }

    /// The mechanism of each body.
    pub fn homes(&self) -> &[Option<u32>] {
        &self.homes
    }

    /// Puts the bodies of each mechanism in one part.
    pub fn unite(&self, parts: &mut [u32]) {
        for mechanism in &self.mechanisms {
            let first = parts[mechanism.bodies[0] as usize];
            mechanism.bodies.iter().for_each(|body| parts[*body as usize] = first);
        }
    }

    /// Bodies that joints hold and impulses move.
    pub fn bodies(&self) -> impl Iterator<Item = &u32> {
        self.mechanisms.iter().flat_map(|mechanism| &mechanism.bodies)
    }

    /// The bodies of each joint, and what it does to accounts.
    pub fn ties(&self) -> impl Iterator<Item = ([u32; 2], Effect)> {
        self.iter().map(|(_, _, held)| (held.bodies, held.effect()))
    }

    /// Wakes mechanisms of which a body moves.
    pub fn wake(&self, rigids: &mut [Rigid]) {
        for Mechanism { bodies, ends, .. } in &self.mechanisms {
            let is = |asleep: bool| bodies.iter().any(|body| rigids[*body as usize].asleep == asleep);
            if is(true) && (is(false) || ends.iter().any(|end| rigids[*end as usize].moves())) {
                bodies.iter().for_each(|body| rouse(&mut rigids[*body as usize]));
            }
        }
    }

    /// Marks all bodies of mechanisms that something holds up: a body that is marked, or what nothing moves.
    pub fn support(&self, supported: &mut [bool]) {
        for mechanism in &self.mechanisms {
            if mechanism.is_tied || mechanism.bodies.iter().any(|body| supported[*body as usize]) {
                mechanism.bodies.iter().for_each(|body| supported[*body as usize] = true);
            }
        }
    }

    /// Closes the gaps of mechanisms with bodies that were stopped on their way.
    pub fn mend(&mut self, rigids: &mut [Rigid], stopped: impl Fn(u32) -> bool) {
        for mut gang in self.gangs(rigids, |bodies| bodies.iter().any(|body| stopped(*body))) {
            gang.mend(rigids);
            gang.write(rigids);
            self.give_back([gang]);
        }
    }

    /// Joints of the mechanisms of some bodies, which are sorted, and of those that hold on to them; sorted.
    fn joints_of(&self, bodies: &[u32]) -> Vec<u32> {
        let homes = bodies.iter().filter_map(|body| self.homes.get(*body as usize).copied().flatten());
        let mut homes: Vec<u32> = homes.collect();
        let holds =
            |mechanism: &Mechanism| mechanism.ends.iter().any(|end| bodies.binary_search(end).is_ok());
        homes.extend(
            (0..).zip(&self.mechanisms).filter(|(_, mechanism)| holds(mechanism)).map(|(home, _)| home),
        );
        homes.sort_unstable();
        homes.dedup();
        let mut joints: Vec<u32> = homes
            .into_iter()
            .flat_map(|home| self.mechanisms[home as usize].joints.iter().copied())
            .collect();
        joints.sort_unstable();
        joints
    }

    /// All bodies that joints tie to some bodies, what nothing moves among them.
    pub fn tied(&self, bodies: &[u32]) -> Vec<u32> {
        let joints = self.joints_of(bodies);
        let held = joints.iter().filter_map(|joint| self.held(*joint));
        held.flat_map(|held| held.bodies).filter(|body| *body != WORLD).collect()
    }

    /// The joints of some bodies alone, by the places that `place` says, and their numbers here.
    pub fn cast(&self, bodies: &[u32], place: impl Fn(u32) -> u32) -> (Self, Vec<u32>) {
        let numbers = self.joints_of(bodies);
        let place = |body: u32| if body == WORLD { WORLD } else { place(body) };
        let slot = |number: &u32| {
            let held = self.held(*number).cloned();
            let held = held.map(|held| Held { bodies: held.bodies.map(place), ..held });
            Slot { generation: 0, held }
        };
        let slots = numbers.iter().map(slot).collect();
        // Solved as here, though there are fewer of them.
        let is_used = |plan: usize| self.mechanisms.iter().any(|mechanism| mechanism.plan == plan);
        let plans = (0..self.plans.len()).filter(|plan| is_used(*plan)).map(|plan| self.plans[plan].clone());
        (Self { slots, plans: plans.collect(), is_cast: true, ..Self::default() }, numbers)
    }

    /// Takes what became of joints that were cast.
    pub fn replace(&mut self, cast: Self, numbers: &[u32]) {
        for (slot, number) in cast.slots.into_iter().zip(numbers) {
            if let (Some(held), Some(own)) = (slot.held, &mut self.slots[*number as usize].held) {
                (own.turned, own.reaction) = (held.turned, held.reaction);
            }
        }
    }

    /// Marks all bodies of mechanisms of which any is marked.
    pub fn hold(&self, held: &mut [bool]) {
        for mechanism in &self.mechanisms {
            if mechanism.bodies.iter().any(|body| held[*body as usize]) {
                mechanism.bodies.iter().for_each(|body| held[*body as usize] = true);
            }
        }
    }

    /// Pairs that joints tie.
    pub fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        self.iter().map(|(_, _, held)| held.bodies).filter(|bodies| !bodies.contains(&WORLD))
    }

    /// Whether two bodies, in order, do not collide since a joint ties them.
    pub fn keep_apart(&self, bodies: [u32; 2]) -> bool {
        self.apart.binary_search(&bodies).is_ok()
    }

    /// Finds the mechanisms, after joints were changed; returns the pairs that do not collide, if they are others now.
    pub fn sort(&mut self, rigids: &[Rigid]) -> Option<&[[u32; 2]]> {
        self.spare.old = std::mem::take(&mut self.spare.new);
        if std::mem::replace(&mut self.is_sorted, true) && self.homes.len() == rigids.len() {
            return None;
        }
        self.spare = Spare::default();
        let apart = self.iter().filter(|(_, _, held)| !held.joint.collides && !held.bodies.contains(&WORLD));
        let mut apart: Vec<[u32; 2]> = apart
            .map(|(_, _, held)| [held.bodies[0].min(held.bodies[1]), held.bodies[0].max(held.bodies[1])])
            .collect();
        apart.sort_unstable();
        self.apart = apart;
        let yields = |body: u32| rigids.get(body as usize).is_some_and(Rigid::is_dynamic);
        let mut parent: Vec<u32> = (0..rigids.len() as u32).collect();
        for pair in self.pairs().filter(|pair| pair.iter().all(|body| yields(*body))) {
            let [a, b] = pair.map(|body| root(&mut parent, body));
            parent[a.max(b) as usize] = a.min(b);
        }
        let mut joints: Vec<[u32; 2]> = Vec::new();
        for (number, _, held) in self.iter() {
            if let Some(&body) = held.bodies.iter().find(|body| yields(**body)) {
                joints.push([root(&mut parent, body), number]);
            }
        }
        joints.sort_unstable();
        self.homes = vec![None; rigids.len()];
        self.mechanisms.clear();
        let mut counts: Vec<(Outline, usize)> = Vec::new();
        for own in joints.chunk_by(|a, b| a[0] == b[0]) {
            let (mechanism, outline) = self.mechanism(own.iter().map(|joint| joint[1]).collect(), yields);
            let known = counts.iter().position(|(known, _)| *known == outline);
            let number = known.unwrap_or(counts.len());
            if number == counts.len() {
                counts.push((outline, 0));
            }
            counts[number].1 += 1;
            self.mechanisms.push(Mechanism { plan: number, ..mechanism });
        }
        let plans: Vec<usize> =
            counts.into_iter().map(|(outline, count)| self.plan(outline, count)).collect();
        for (mechanism, home) in self.mechanisms.iter_mut().zip(0..) {
            mechanism.plan = plans[mechanism.plan];
            for &body in &mechanism.bodies {
                self.homes[body as usize] = Some(home);
            }
        }
        Some(&self.apart)
    }

    fn held(&self, number: u32) -> Option<&Held> {
        self.slots[number as usize].held.as_ref()
    }

    /// The number of the plan of so many mechanisms of an outline, which is made where there is none.
    fn plan(&mut self, outline: Outline, count: usize) -> usize {
        let is_many = outline.is_many(count);
        let is = |(known, many, _): &(Outline, bool, Arc<Plan>)| {
            (self.is_cast || *many == is_many) && *known == outline
        };
        self.plans.iter().position(is).unwrap_or_else(|| {
            let made = Arc::new(Plan::new(&outline, count));
            self.plans.push((outline, is_many, made));
            self.plans.len() - 1
        })
    }

    /// A mechanism that has no plan yet, and its outline.
    fn mechanism(&self, joints: Vec<u32>, yields: impl Fn(u32) -> bool) -> (Mechanism, Outline) {
        let held = || joints.iter().filter_map(|&number| self.held(number));
        let mut bodies: Vec<u32> = held().flat_map(|held| held.bodies).filter(|body| yields(*body)).collect();
        bodies.sort_unstable();
        bodies.dedup();
        let mut kinds: Vec<Vec<Option<Kind>>> = Vec::new();
        let tie = |held: &Held| Tie {
            bodies: held.bodies.map(|body| bodies.binary_search(&body).ok().map(|place| place as u32)),
            rows: held.demands.len() as u32,
            kind: number_of(&mut kinds, held.kinds()),
        };
        let outline = Outline { bodies: bodies.len() as u32, joints: held().map(tie).collect() };
        let is_tied = held().any(|held| !held.bodies.iter().all(|body| yields(*body)));
        let mut ends: Vec<u32> =
            held().flat_map(|held| held.bodies).filter(|body| *body != WORLD && !yields(*body)).collect();
        ends.sort_unstable();
        ends.dedup();
        (Mechanism { bodies, joints, plan: 0, ends, is_tied }, outline)
    }

    /// Gathers mechanisms of one outline, up to eight at a time, of those that `wanted` says.
    pub fn gangs(&mut self, rigids: &[Rigid], wanted: impl Fn(&[u32]) -> bool) -> Vec<Gang> {
        let homes = (0..).zip(&self.mechanisms).filter(|(_, mechanism)| wanted(&mechanism.bodies));
        let homes = homes.map(|(home, _)| home).collect();
        self.gather(rigids, homes)
    }

    /// The same of mechanisms by their numbers.
    fn gather(&mut self, rigids: &[Rigid], mut homes: Vec<u32>) -> Vec<Gang> {
        let plan = |home: u32| self.mechanisms[home as usize].plan;
        homes.sort_unstable_by_key(|home| (plan(*home), *home));
        let most = |home: u32| if self.plans[plan(home)].2.is_lone { 1 } else { LANES };
        let alike = homes.chunk_by(|a, b| plan(*a) == plan(*b)).flat_map(|own| own.chunks(most(own[0])));
        let eights: Vec<Vec<u32>> = alike.map(<[u32]>::to_vec).collect();
        eights.into_iter().map(|homes| self.take_gang(rigids, homes)).collect()
    }

    /// A gang that has been there before, or a new one.
    fn take_gang(&mut self, rigids: &[Rigid], homes: Vec<u32>) -> Gang {
        let Spare { old, new } = &mut self.spare;
        let Some(mut gang) = new.remove(&homes).or_else(|| old.remove(&homes)) else {
            return self.gang(rigids, homes);
        };
        for k in 0..gang.members.len() {
            if let Some(held) = self.held(gang.members[k].slot) {
                gang.renew(k, held.turned, held.pulls(rigids));
            }
        }
        gang
    }

    /// Takes back gangs that are done.
    pub fn give_back(&mut self, gangs: impl IntoIterator<Item = Gang>) {
        self.spare.new.extend(gangs.into_iter().map(|gang| (gang.homes.clone(), gang)));
    }

    fn gang(&self, rigids: &[Rigid], homes: Vec<u32>) -> Gang {
        let mechanisms: Vec<&Mechanism> = homes.iter().map(|home| &self.mechanisms[*home as usize]).collect();
        let plan = &self.plans[mechanisms[0].plan].2;
        // Eight lanes are quicker than five to seven.
        let stride = if mechanisms.len() > 4 { LANES } else { mechanisms.len() };
        let mut names = vec![WORLD; plan.places as usize * stride];
        let mut members = Vec::with_capacity(plan.nodes.len() * mechanisms.len());
        for (number, node) in plan.nodes.iter().enumerate() {
            for (lane, joint, places, mechanism) in lanes_of(node, mechanisms.len()) {
                let slot = mechanisms[mechanism].joints[joint as usize];
                let Some(held) = self.held(slot) else { continue };
                let bodies = places.map(|place| place * stride as u32 + mechanism as u32);
                for (place, body) in bodies.into_iter().zip(held.bodies) {
                    names[place as usize] = body;
                }
                members.push(Member {
                    slot,
                    node: number,
                    lane,
                    mechanism,
                    bodies,
                    geometry: Geometry { has_angles: held.asks_for_angles(), ..held.geometry },
                    demands: Arc::clone(&held.demands),
                    turned: held.turned,
                    reaction: [DVec3::ZERO; 2],
                    pulls: held.pulls(rigids),
                    size: held.size(),
                });
            }
        }
        let crew = Crew::new(names, stride);
        Gang::new(Arc::clone(plan), homes, crew, members)
    }

    /// How many times as many sub-steps, a power of two, mechanisms need to follow the swinging that their tension
    /// makes.
    pub fn haste(&self, rigids: &[Rigid], step: f64, held: impl Fn(u32) -> bool) -> u32 {
        // Sleepers that are near something do not hurry it.
        let moves = |mechanism: &&Mechanism| rigids[mechanism.bodies[0] as usize].moves();
        let own = self.mechanisms.iter().filter(moves);
        let own = own.filter(|mechanism| mechanism.bodies.iter().any(|body| held(*body)));
        own.map(|mechanism| self.haste_of(mechanism, rigids, step)).max().unwrap_or(1)
    }

    fn haste_of(&self, mechanism: &Mechanism, rigids: &[Rigid], step: f64) -> u32 {
        let mut pulls = vec![0.0; mechanism.bodies.len()];
        for held in mechanism.joints.iter().filter_map(|&joint| self.held(joint)) {
            for (body, pull) in held.bodies.iter().zip(held.pulls(rigids)) {
                if let Ok(place) = mechanism.bodies.binary_search(body) {
                    pulls[place] += pull;
                }
            }
        }
        let swing = |(body, pull): (&u32, &f64)| pull / rigids[*body as usize].inertia.moments.min_element();
        let quickest = mechanism.bodies.iter().zip(&pulls).map(swing).fold(0.0, f64::max);
        let times = (step * (2.0 * quickest).sqrt() / SWING).clamp(1.0, f64::from(MOST));
        (times.ceil() as u32).next_power_of_two()
    }

    /// Moves the bodies of mechanisms that touch nothing by a time; returns these bodies, sorted.
    pub fn fly(
        &mut self,
        rigids: &mut [Rigid],
        settings: &Settings,
        until: f64,
        touches: impl Fn(u32) -> bool,
    ) -> Vec<u32> {
        if self.is_empty() {
            return Vec::new();
        }
        let flies = |mechanism: &Mechanism| {
            let mut bodies = mechanism.bodies.iter();
            bodies.clone().any(|&body| rigids[body as usize].moves()) && !bodies.any(|&body| touches(body))
        };
        let step = until / f64::from(settings.substeps);
        let flying = (0..).zip(&self.mechanisms).filter(|(_, mechanism)| flies(mechanism));
        let hasty: Vec<[u32; 2]> =
            flying.map(|(home, mechanism)| [self.haste_of(mechanism, rigids, step), home]).collect();
        let mut all = Vec::new();
        for times in (0..).map(|doublings| 1 << doublings).take_while(|times| *times <= MOST) {
            let own = hasty.iter().filter(|[haste, _]| *haste == times).map(|[_, home]| *home).collect();
            all.extend(self.gather(rigids, own).into_iter().map(|gang| (gang, settings.substeps * times)));
        }
        let bodies = &*rigids;
        for_each(&mut all, 1, |(gang, substeps)| gang.fly(bodies, settings, until, *substeps));
        let mut flown = Vec::new();
        for (mut gang, _) in all {
            flown.extend(gang.write(rigids));
            self.take(gang.finish(), until, |_| true);
            self.give_back([gang]);
        }
        flown.sort_unstable();
        flown
    }

    /// Takes what became of joints in a time, of those of bodies that `is_done` says.
    pub fn take(&mut self, members: &[Member], until: f64, is_done: impl Fn(u32) -> bool) {
        for member in members {
            let own = self.slots[member.slot as usize].held.as_mut();
            if let Some(held) = own.filter(|held| held.bodies.iter().any(|body| is_done(*body))) {
                (held.turned, held.reaction) =
                    (member.turned, member.reaction.map(|impulse| impulse / until));
            }
        }
    }

    /// Measures the gaps of all joints that moved, and returns the largest gap and the largest twist of any.
    pub fn measure(&mut self, rigids: &[Rigid]) -> [f64; 2] {
        let mut most = [0.0; 2];
        for held in self.slots.iter_mut().filter_map(|slot| slot.held.as_mut()) {
            let moves = |body: &u32| rigids.get(*body as usize).is_some_and(Rigid::moves);
            if held.bodies.iter().any(moves) {
                held.measure(rigids);
            }
            most = [0, 1].map(|k| f64::max(most[k], held.off[k]));
        }
        most
    }
}
