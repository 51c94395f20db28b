//! The parts of a heap, solved side by side.
//!
//! Each part has copies of its bodies, so that threads share nothing. The contacts between parts come after
//! those within them, on copies again. As long as there is one part it has all contacts.

use super::bodies::{Bodies, End, Flying, Twist, started, velocity};
use super::conjugate::Conjugate;
use super::groups::lanes::{Group, LANES};
use super::groups::order::Order;
use super::iterate::{Iterations, once, start};
use super::joints::{Crowd, Gang, Joints, Linked};
use super::press::{Pass, note};
use super::stance::Stance;
use crate::dynamics::matter::Rigid;
use crate::dynamics::settings::Settings;
use crate::math::par::for_each;
use crate::math::simd::Level;

/// All parts, the last of which has the contacts between the others.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    parts: Vec<Part>,
    /// Part and slot of each body that contacts may move.
    homes: Vec<[u32; 2]>,
    /// The slots of the bodies of all groups, group by group.
    slots: Vec<[[u32; LANES]; 2]>,
    borders: Vec<u32>,
    /// The part and slot that a body was given last.
    given: Vec<[u32; 2]>,
}

/// Bodies that are solved together. Its own come first, then those of other parts, and last one that never moves.
#[derive(Debug, Clone, Default)]
struct Part {
    /// Numbers of the bodies in the world.
    names: Vec<u32>,
    own: usize,
    speeds: Vec<Twist>,
    shifts: Vec<Twist>,
    flying: Vec<Flying>,
    /// What the velocities of its own bodies would be without contacts in this sub-step.
    bases: Vec<Twist>,
    /// Bodies that their velocities drive.
    driven: Vec<u32>,
    conjugate: Conjugate,
    /// Mechanisms with bodies of its own.
    linked: Vec<Linked>,
    /// Which of its own bodies are in those.
    joined: Vec<bool>,
}

/// A part with its groups of contacts.
#[derive(Debug)]
struct Task<'s> {
    part: &'s mut Part,
    groups: &'s mut [Group],
    /// The most by which the last iteration changed a speed.
    change: f64,
}

/// The parts while they are solved.
#[derive(Debug)]
pub struct Work<'s> {
    tasks: Vec<Task<'s>>,
    /// The contacts between parts, and where the bodies are that they move.
    between: Option<Task<'s>>,
    homes: &'s [[u32; 2]],
}

const NONE: [u32; 2] = [u32::MAX; 2];

impl Parts {
    /// Says which bodies are where, for an order that has changed. `held` are those that contacts and joints may move.
    pub fn arrange(&mut self, order: &Order, held: &[bool]) {
        self.parts.resize_with(order.borders.len(), Part::default);
        self.parts.iter_mut().for_each(|part| part.names.clear());
        self.borders.clone_from(&order.borders);
        self.homes.clear();
        self.homes.resize(held.len(), NONE);
        for (home, part) in self
            .homes
            .iter_mut()
            .zip(&order.division.part)
            .zip(held)
            .filter(|(_, held)| **held)
            .map(|(both, _)| both)
        {
            // Bodies are put in their order below.
            home[0] = *part;
        }
        for (body, home) in (0..).zip(&mut self.homes).filter(|(_, home)| **home != NONE) {
            let names = &mut self.parts[home[0] as usize].names;
            home[1] = names.len() as u32;
            names.push(body);
        }
        self.parts.iter_mut().for_each(|part| part.own = part.names.len());
        self.assign(order);
    }

    /// Finds the slots of the bodies of all groups, and gives new ones to those that are of other parts.
    fn assign(&mut self, order: &Order) {
        self.given.clear();
        self.given.extend(&self.homes);
        self.slots.clear();
        let mut number = 0;
        for (group, items) in (0..).zip(order.groups()) {
            while self.borders[number] <= group {
                number += 1;
            }
            let mut slots = [[u32::MAX; LANES]; 2];
            for (lane, item) in items.iter().enumerate() {
                for (body, side) in item.bodies.into_iter().zip(&mut slots) {
                    let given = &mut self.given[body as usize];
                    if given[0] != number as u32 {
                        let names = &mut self.parts[number].names;
                        *given = [number as u32, names.len() as u32];
                        names.push(body);
                    }
                    side[lane] = given[1];
                }
            }
            self.slots.push(slots);
        }
    }

    /// Tells the groups where their bodies are.
    pub fn place(&self, groups: &mut [Group]) {
        let (mut rest, mut from) = (groups.iter_mut().zip(&self.slots), 0);
        for (part, &end) in self.parts.iter().zip(&self.borders) {
            let nobody = part.names.len() as u32;
            for (group, slots) in rest.by_ref().take((end - from) as usize) {
                group.slots = slots.map(|side| side.map(|slot| slot.min(nobody)));
            }
            from = end;
        }
    }

    /// Takes the mechanisms that contacts may move into the parts of their bodies, side by side within each.
    pub fn link(&mut self, joints: &mut Joints, rigids: &[Rigid], step: f64) {
        let homes = &self.homes;
        for (part, number) in self.parts.iter_mut().zip(0..) {
            let slot =
                |body: u32| Some(homes[body as usize]).filter(|home| home[0] == number).map(|home| home[1]);
            let gangs = joints.gangs(rigids, |bodies| slot(bodies[0]).is_some());
            let linked = |gang| Linked::new(gang, rigids, |body| slot(body).map(|slot| slot as usize), step);
            part.linked = gangs.into_iter().map(linked).collect();
        }
    }

    /// The mechanisms of all parts.
    pub fn linked(&mut self) -> impl Iterator<Item = &mut Linked> {
        self.parts.iter_mut().flat_map(|part| &mut part.linked)
    }

    /// Gives the mechanisms back.
    pub fn unlink(&mut self) -> impl Iterator<Item = Gang> {
        self.parts.iter_mut().flat_map(|part| std::mem::take(&mut part.linked)).map(|linked| linked.gang)
    }

    /// Copies the bodies into their parts.
    pub fn begin<'s>(
        &'s mut self,
        groups: &'s mut [Group],
        (rigids, stances): (&[Rigid], &[Stance]),
        settings: &Settings,
        step: f64,
    ) -> Work<'s> {
        let mut tasks = Vec::with_capacity(self.parts.len());
        let (mut rest, mut from) = (groups, 0);
        for (part, &end) in self.parts.iter_mut().zip(&self.borders) {
            let (groups, others) = rest.split_at_mut((end - from) as usize);
            (rest, from) = (others, end);
            tasks.push(Task { part, groups, change: 0.0 });
        }
        for_each(&mut tasks, 1, |task| task.part.begin((rigids, stances), settings, step));
        let between = tasks.pop();
        Work { tasks, between, homes: &self.homes }
    }
}

#[cfg(test)]
impl Parts {
    /// The velocities and ways of the only part.
    pub fn only(&mut self) -> (&mut Vec<Twist>, &[Twist]) {
        let part = &mut self.parts[0];
        (&mut part.speeds, &part.shifts)
    }
}

impl Part {
    fn begin(&mut self, (rigids, stances): (&[Rigid], &[Stance]), settings: &Settings, step: f64) {
        let rigid = |name: &u32| &rigids[*name as usize];
        self.speeds.clear();
        self.speeds.extend(self.names.iter().map(|name| started(rigid(name), &stances[*name as usize])));
        self.speeds.push(Twist::default());
        self.shifts.clear();
        self.shifts.resize(self.speeds.len(), Twist::default());
        self.bases.clear();
        self.bases.resize(self.own, Twist::default());
        self.flying.clear();
        let own = self.names[..self.own].iter().map(rigid);
        self.flying.extend(own.map(|rigid| Flying::new(rigid, settings, rigid.left * step)));
        self.joined.clear();
        self.joined.resize(self.own, false);
        self.linked.iter().flat_map(Linked::slots).for_each(|slot| self.joined[slot] = true);
        self.driven.clear();
        let drives = |i: u32| stances[i as usize].moves && !rigids[i as usize].is_dynamic();
        self.driven.extend((0..self.names.len() as u32).filter(|&slot| drives(self.names[slot as usize])));
    }

    /// Forces of a sub-step. From the second on with the impulses of the one before, which are the difference
    /// between the velocities with contacts and without.
    fn push(&mut self, is_first: bool) {
        for ((speed, flying), base) in self.speeds.iter_mut().zip(&self.flying).zip(&mut self.bases) {
            let next = flying.kicked(speed);
            let before = std::mem::replace(base, next);
            for k in 0..6 {
                let carried = if is_first { 0.0 } else { speed[k] - before[k] };
                speed[k] = next[k] + carried;
            }
        }
    }

    /// What the mechanisms need of the bodies, and these.
    fn crowd(&mut self) -> (Crowd<'_>, &mut [Linked]) {
        let Self { speeds, bases, shifts, flying, linked, .. } = self;
        (Crowd { speeds, bases, shifts, flying }, linked)
    }

    /// Moves the bodies by a sub-step; those of mechanisms where their joints hold.
    fn fly(&mut self, rigids: &[Rigid], step: f64) {
        let moved = self.speeds.iter_mut().zip(&mut self.shifts).zip(&mut self.bases);
        let alone = moved
            .zip(self.flying.iter_mut().zip(&self.names))
            .zip(&self.joined)
            .filter(|(_, joined)| !**joined);
        for ((((speed, shift), base), (flying, &name)), _) in alone {
            flying.fly(&rigids[name as usize], speed, shift, base);
        }
        let (mut crowd, linked) = self.crowd();
        linked.iter_mut().for_each(|linked| linked.advance(&mut crowd, rigids));
        self.drive(step);
    }

    fn drive(&mut self, step: f64) {
        for &slot in &self.driven {
            let (speed, shift) = (&self.speeds[slot as usize], &mut self.shifts[slot as usize]);
            shift.iter_mut().zip(speed).for_each(|(shift, speed)| *shift += speed * step);
        }
    }
}

impl Task<'_> {
    /// Forces, and the impulses of the step before.
    fn start(&mut self) {
        self.part.push(true);
        start(self.groups, &mut self.part.speeds);
    }

    /// An iteration with the soft push out of overlaps, the first of a sub-step after its forces.
    fn press(&mut self, sub: Sub, number: u32) -> f64 {
        if number == 0 && !sub.is_first {
            self.note();
            self.part.push(false);
        }
        if number == 0 {
            self.part.linked.iter_mut().for_each(Linked::begin);
            self.hold(Linked::press);
        }
        let change = self.once(Pass::Soft, sub, number);
        self.hold(Linked::press);
        change
    }

    /// Lets mechanisms change the velocities of their bodies.
    fn hold(&mut self, work: fn(&mut Linked, &mut Crowd)) {
        let (mut crowd, linked) = self.part.crowd();
        linked.iter_mut().for_each(|linked| work(linked, &mut crowd));
    }

    /// An iteration without the push, the first of a sub-step after the bodies have moved.
    fn relax(&mut self, sub: Sub, number: u32, rigids: &[Rigid]) -> f64 {
        if number == 0 {
            self.part.fly(rigids, sub.step);
        }
        let mut change = self.once(Pass::Relaxed, sub, number);
        self.hold(Linked::keep);
        if number == 0 && !self.part.linked.is_empty() {
            // What one end of a mechanism bears comes to the contacts at its other end by the joints alone.
            change = self.once(Pass::Relaxed, sub, 1);
            self.hold(Linked::keep);
        }
        change
    }

    fn once(&mut self, pass: Pass, sub: Sub, number: u32) -> f64 {
        let Part { speeds, shifts, conjugate, .. } = &mut *self.part;
        match (sub.is_hard, number) {
            (true, 0) => conjugate.begin(self.groups),
            (true, _) => conjugate.go_on(self.groups, speeds),
            (false, _) => {}
        }
        self.change = once(Level::new(), self.groups, speeds, shifts, pass);
        if sub.is_hard {
            conjugate.note(self.groups);
        }
        self.change
    }

    fn note(&mut self) {
        self.groups.iter_mut().for_each(note);
    }
}

/// A sub-step: its length, and whether it is the first.
#[derive(Debug, Clone, Copy)]
struct Sub {
    step: f64,
    is_first: bool,
    /// Whether contacts do not yield, and iterations go on until they hold.
    is_hard: bool,
}

impl Work<'_> {
    /// Solves all sub-steps.
    pub fn solve(&mut self, iterations: &Iterations, rigids: &[Rigid], substeps: u32, step: f64) {
        let is_apart = self.between.as_ref().is_none_or(|task| task.groups.is_empty());
        let subs = (0..substeps).map(|number| Sub { step, is_first: number == 0, is_hard: iterations.hard });
        if is_apart {
            // Parts that do not touch need not wait for each other.
            for_each(&mut self.tasks, 1, |task| {
                task.start();
                for sub in subs.clone() {
                    iterations.run(|number| task.press(sub, number));
                    iterations.run(|number| task.relax(sub, number, rigids));
                }
                task.note();
            });
            return;
        }
        for_each(&mut self.tasks, 1, Task::start);
        self.connect(|task| start(task.groups, &mut task.part.speeds));
        for sub in subs {
            self.together(iterations, rigids, sub);
        }
        for_each(&mut self.tasks, 1, Task::note);
        self.between.iter_mut().for_each(Task::note);
    }

    /// A sub-step of parts with contacts between them.
    fn together(&mut self, iterations: &Iterations, rigids: &[Rigid], sub: Sub) {
        iterations.run(|number| {
            for_each(&mut self.tasks, 1, |task| {
                task.press(sub, number);
            });
            self.connect(|task| {
                task.press(sub, number);
            });
            self.change()
        });
        iterations.run(|number| {
            for_each(&mut self.tasks, 1, |task| {
                task.relax(sub, number, rigids);
            });
            self.connect(|task| {
                task.relax(sub, number, rigids);
            });
            self.change()
        });
    }

    /// The most by which the last iteration changed a speed anywhere.
    fn change(&self) -> f64 {
        self.tasks.iter().chain(&self.between).map(|task| task.change).fold(0.0, f64::max)
    }

    /// Does something to the contacts between parts.
    fn connect(&mut self, work: impl FnOnce(&mut Task)) {
        let Some(between) = self.between.as_mut().filter(|task| !task.groups.is_empty()) else { return };
        let Part { names, speeds, shifts, .. } = &mut *between.part;
        let home = |name: &u32| Some(self.homes[*name as usize]).filter(|home| *home != NONE);
        for (slot, [part, place]) in names.iter().enumerate().filter_map(|(k, name)| Some((k, home(name)?))) {
            let from = &self.tasks[part as usize].part;
            (speeds[slot], shifts[slot]) = (from.speeds[place as usize], from.shifts[place as usize]);
        }
        work(between);
        let Part { names, speeds, .. } = &*between.part;
        for (slot, [part, place]) in names.iter().enumerate().filter_map(|(k, name)| Some((k, home(name)?))) {
            self.tasks[part as usize].part.speeds[place as usize] = speeds[slot];
        }
    }

    /// Says where the bodies are.
    pub fn end(self, bodies: &mut Bodies, (rigids, stances): (&[Rigid], &[Stance])) {
        let Bodies { speeds, held, ends, .. } = bodies;
        speeds.clear();
        speeds.extend(rigids.iter().zip(stances).map(|(rigid, stance)| started(rigid, stance)));
        speeds.push(Twist::default());
        ends.clear();
        for &name in &*held {
            let [part, slot] = self.homes[name as usize].map(|i| i as usize);
            let Part { speeds: own, shifts, flying, .. } = &*self.tasks[part].part;
            speeds[name as usize] = own[slot];
            ends.push(End { way: velocity(&shifts[slot]), rotation: flying[slot].rotation });
        }
    }
}
