//! Stacks and friction: soft contacts in sub-steps.
//!
//! Each sub-step applies forces, starts from the impulses of the last one, iterates over the contacts with a
//! soft push out of overlaps, moves the bodies, and iterates again without the push, so that it adds no
//! energy; restitution comes last. Macklin, Storey, Lu et al. 2019, "Small steps in physics simulation"; soft
//! contacts and their order: Catto 2024, "Solver2D". Contacts are known again by the features that touch.
//! Gaps count too: a body may close them in the step and no more, and bodies fast against their own thickness
//! are stopped where they certainly touch nothing yet.
//!
//! Contacts are kept while bodies rest on each other (`contacts`), put in an order in which many are
//! independent of each other (`order`), and solved eight at a time (`lanes`, `press`).

mod account;
mod bodies;
mod clip;
mod conjugate;
mod contacts;
mod flat;
mod groups;
mod islands;
mod iterate;
mod joints;
mod parts;
mod patch;
mod press;
mod result;
mod stance;
mod strike;
mod twists;
mod weigh;

pub use contacts::{Contacts, Pair};
pub use islands::{islands, rouse};
pub use joints::{Held, Joints, Slot, WORLD};
pub use stance::{Stance, resting_box};

use crate::broad::BroadError;
use crate::dynamics::impact::ImpactLaw;
use crate::dynamics::matter::{BodyState, Rigid};
use crate::dynamics::near::Near;
use crate::dynamics::room::{Depth, keep_inside};
use crate::dynamics::settings::Settings;
use crate::dynamics::touches::{TouchPoint, Touches};
use crate::math::par::for_each;
use crate::shape::Aabb;
use account::Books;
use bodies::{Bodies, Twist, spin, velocity};
use groups::PIECE;
use groups::item::Item;
use groups::lanes::{Group, Scene};
use groups::order::Order;
use islands::Pressed;
use iterate::Iterations;
use parts::Parts;

/// What a step of the solver came to.
#[derive(Debug, Default)]
pub struct Solved {
    /// Pairs that touched.
    pub touches: Touches,
    /// The most time for which a fast body was stopped before a contact.
    pub stopped: f64,
    /// Where bodies went that left the box that they had to themselves.
    pub strays: Vec<Aabb>,
}

/// How contacts act under a response: the solver also does those that last under the responses that go from
/// contact to contact.
#[derive(Debug, Clone, Copy)]
struct Manner {
    /// Whether bodies in flight that strike each other are advanced to the instant.
    strikes: bool,
    rubs: bool,
    /// Whether contacts change spins.
    turns: bool,
    is_hard: bool,
    sleeps: bool,
}

impl Manner {
    fn of(settings: &Settings, law: Option<&dyn ImpactLaw>) -> Self {
        Self {
            strikes: law.is_none(),
            rubs: law.is_none_or(ImpactLaw::rubs),
            turns: law.is_none_or(ImpactLaw::turns),
            is_hard: law.is_some(),
            sleeps: law.is_none() && settings.sleeps,
        }
    }
}

/// What a world of the solver holds: contacts from step to step, and room to work in.
#[derive(Debug, Clone, Default)]
pub struct Solver {
    pub contacts: Contacts,
    pub joints: Joints,
    order: Order,
    bodies: Bodies,
    parts: Parts,
    groups: Vec<Group>,
    moves: Vec<bool>,
    /// Bodies with contacts, at last those whose contacts pressed.
    held: Vec<bool>,
    /// Motions at the start of a step, velocities before restitution, and room for points: lists as long as the
    /// world, for which the system would give new pages in each step.
    before: Vec<BodyState>,
    relaxed: Vec<Twist>,
    points: Vec<TouchPoint>,
}

impl Solver {
    /// Advances all bodies by a time, as the response of its own, or for bodies in contacts that last under a law.
    pub fn advance(
        &mut self,
        rigids: &mut [Rigid],
        near: &mut Near,
        (settings, law): (&Settings, Option<&dyn ImpactLaw>),
        until: f64,
    ) -> Result<Solved, BroadError> {
        near.narrow(|near| {
            self.contacts.update(rigids, near, |rigids| self.joints.wake(rigids), (settings, until))
        })?;
        Ok(self.press(rigids, near, (settings, law), until))
    }

    /// Advances bodies by a time whose contacts at its start are known.
    pub fn press(
        &mut self,
        rigids: &mut [Rigid],
        near: &mut Near,
        (settings, law): (&Settings, Option<&dyn ImpactLaw>),
        until: f64,
    ) -> Solved {
        let manner = Manner::of(settings, law);
        let (struck, mut strays) = if manner.strikes {
            near.narrow(|_| {
                let struck = strike::strike(rigids, (&self.contacts, &self.joints), settings, until);
                self.contacts.follow(rigids, settings, until);
                struck
            })
        } else {
            (Touches::default(), Vec::new())
        };
        self.before.clear();
        self.before.extend(rigids.iter().map(|rigid| rigid.motion));
        self.solve(rigids, settings, &manner, until);
        let pressed = result::pressed(&self.order, &self.groups);
        let pairs = pressed.iter().map(|pressed| pressed.bodies);
        let islands = islands(rigids, pairs.chain(self.joints.pairs()));
        self.land(rigids, settings, until, &pressed);
        let Contacts { pairs, stances, .. } = &mut self.contacts;
        let room = std::mem::take(&mut self.points);
        let mut touches = result::keep(pairs, stances, &self.order, &self.groups, room);
        let start = clip::Start { motions: &self.before, held: &self.held, gravity: settings.gravity };
        let Contacts { pairs, stances, .. } = &self.contacts;
        let (stopped, went_far) = clip::clip(rigids, stances, pairs, (&start, &mut self.joints), until);
        strays.extend(went_far);
        keep_inside(rigids, Depth::Little);
        let Self { before, bodies, held, relaxed, joints, .. } = &*self;
        let (pressed, islands) = (&pressed, &islands);
        let books = Books { before, bodies, held, relaxed, pressed, islands, joints, settings, until };
        account::balance(rigids, &books);
        let support = |supported: &mut [bool]| self.joints.support(supported);
        islands::sleep(rigids, pressed, islands, manner.sleeps.then_some(support), until);
        touches.points.extend(struck.points);
        touches.pairs.extend(struck.pairs);
        Solved { touches, stopped, strays }
    }

    /// Finds impulses and velocities, and where bodies come by them.
    fn solve(&mut self, rigids: &[Rigid], settings: &Settings, manner: &Manner, until: f64) {
        let substeps = settings.substeps * self.haste(rigids, settings, until);
        let step = until / f64::from(substeps);
        let iterations = self.prepare(rigids, settings, manner, step);
        let threshold = 2.0 * settings.gravity.length() * until;
        let bounces = iterate::bounces(&self.groups, (rigids, &self.contacts.stances), threshold);
        self.substeps(rigids, (settings, substeps), &iterations, step);
        self.relaxed.clear();
        if !bounces.is_empty() {
            self.relaxed.extend(&self.bodies.speeds);
        }
        iterate::restitution(&mut self.groups, &mut self.bodies, &bounces);
        self.parts.linked().for_each(|linked| linked.keep_all(&mut self.bodies.speeds));
    }

    /// Gives back a list of points that nobody reads any more.
    pub fn spare(&mut self, points: Vec<TouchPoint>) {
        self.points = points;
    }

    /// Makes constraints of the contacts, in the order in which they are solved.
    fn prepare(&mut self, rigids: &[Rigid], settings: &Settings, manner: &Manner, step: f64) -> Iterations {
        let Contacts { pairs, stances, .. } = &self.contacts;
        self.moves.clear();
        self.moves.extend(rigids.iter().map(|rigid| rigid.is_dynamic() && rigid.moves()));
        let flown = |i: u32| rigids[i as usize].has_flown();
        let is_new = self.order.arrange(pairs, &self.moves, stances, flown, &self.joints);
        self.held.clear();
        self.held.resize(rigids.len(), false);
        for body in self.order.items.iter().flat_map(|item| item.bodies) {
            self.held[body as usize] = self.moves[body as usize];
        }
        self.joints.hold(&mut self.held);
        if is_new {
            self.parts.arrange(&self.order, &self.held);
        }
        self.parts.link(&mut self.joints, rigids, step);
        self.bodies.begin(rigids, &self.held);
        if !manner.turns {
            self.bodies.masses.iter_mut().for_each(|masses| masses.inverse_inertia = [0.0; 6]);
        }
        let pull = settings.gravity.length() * step;
        let masses = &self.bodies.masses;
        let iterations = Iterations::new((stances, masses), &self.order, [pull, step], manner.is_hard);
        let is_hard = iterations.hard;
        let scene = Scene { pairs, stances, masses, step, is_hard, rubs: manner.rubs };
        self.groups.resize_with(self.order.ends.len(), Group::empty);
        let mut work: Vec<(&mut Group, &[Item])> = self.groups.iter_mut().zip(self.order.groups()).collect();
        for_each(&mut work, PIECE, |(group, items)| {
            group.fill(items, &scene);
            weigh::weigh(group);
        });
        self.parts.place(&mut self.groups);
        iterations
    }

    /// How many times as many sub-steps mechanisms near something need.
    fn haste(&self, rigids: &[Rigid], settings: &Settings, until: f64) -> u32 {
        if self.joints.is_empty() {
            return 1;
        }
        let mut near = vec![false; rigids.len()];
        self.contacts.pairs.iter().flat_map(|pair| pair.bodies).for_each(|body| near[body as usize] = true);
        self.joints.haste(rigids, until / f64::from(settings.substeps), |body| near[body as usize])
    }

    fn substeps(
        &mut self,
        rigids: &[Rigid],
        (settings, substeps): (&Settings, u32),
        iterations: &Iterations,
        step: f64,
    ) {
        let Self { groups, bodies, contacts, parts, .. } = self;
        let world = (rigids, &contacts.stances[..]);
        let mut work = parts.begin(groups, world, settings, step);
        work.solve(iterations, rigids, substeps, step);
        work.end(bodies, world);
    }

    /// Writes back where bodies are: those whose contacts pressed as solved, the others at the end of their free
    /// flight.
    fn land(&mut self, rigids: &mut [Rigid], settings: &Settings, until: f64, pressed: &[Pressed]) {
        self.held.iter_mut().for_each(|held| *held = false);
        for i in pressed.iter().flat_map(|pressed| pressed.bodies) {
            self.held[i as usize] = self.moves[i as usize];
        }
        self.joints.hold(&mut self.held);
        // The others fly as if they were alone.
        let pressed = |body: u32| self.held.get(body as usize) == Some(&true);
        for mut gang in self.parts.unlink() {
            self.joints.take(gang.finish(), until, pressed);
            self.joints.give_back([gang]);
        }
        let flown = self.joints.fly(rigids, settings, until, |body| self.held[body as usize]);
        let is_flown = |i: usize| flown.binary_search(&(i as u32)).is_ok();
        for (i, rigid) in rigids.iter_mut().enumerate().filter(|(i, _)| !self.held[*i] && !is_flown(*i)) {
            if self.contacts.stances[i].moves && rigid.moves() {
                rigid.motion = rigid.flight(settings.gravity).at(rigid.left * until);
            }
        }
        for (&i, end) in
            self.bodies.held.iter().zip(&self.bodies.ends).filter(|(i, _)| self.held[**i as usize])
        {
            let speed = &self.bodies.speeds[i as usize];
            let motion = &mut rigids[i as usize].motion;
            *motion = BodyState {
                center: motion.center + end.way,
                rotation: end.rotation,
                velocity: velocity(speed),
                angular_velocity: spin(speed),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::patch::Patch;
    use super::press::Pass;
    use super::*;
    use crate::broad;
    use crate::dynamics::RigidBody;
    use crate::math::simd::{Level, other_levels};
    use crate::shape::{Cuboid, Halfspace};
    use glam::DVec3;

    /// A floor, and layers of boxes on it, with so many along either side of the lowest.
    fn pyramid(base: u32) -> Vec<RigidBody> {
        let mut bodies = vec![RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap())];
        for layer in 0..base {
            let side = base - layer;
            for k in 0..side * side {
                let place = |i: u32| f64::from(i) * 1.05 - 0.525 * f64::from(side - 1);
                let mut cube =
                    RigidBody::new(format!("box {}", bodies.len()), Cuboid::new(DVec3::splat(0.5)).unwrap());
                cube.position = DVec3::new(place(k % side), place(k / side), 0.5 + f64::from(layer));
                bodies.push(cube);
            }
        }
        bodies
    }

    /// A pyramid of boxes as the solver has it after some steps; from a number on they do not stand still.
    fn heap(side: u32, moves_from: usize, steps: u32) -> (Vec<Rigid>, Near, Solver, Settings) {
        let settings = Settings::default();
        let mut rigids: Vec<Rigid> =
            pyramid(side).into_iter().map(|body| Rigid::new(body).unwrap()).collect();
        rigids.iter_mut().skip(moves_from).for_each(|rigid| rigid.motion.velocity.x = 3.0);
        let mut near = Near::new(broad::auto());
        rigids.iter().zip(0..).for_each(|(rigid, i)| near.insert(i, rigid).unwrap());
        let mut solver = Solver::default();
        for _ in 0..steps {
            solver.advance(&mut rigids, &mut near, (&settings, None), 1.0 / 60.0).unwrap();
        }
        (rigids, near, solver, settings)
    }

    #[test]
    fn groups_share_no_body_that_moves_and_hold_every_patch() {
        let (_, _, solver, _) = heap(5, 40, 20);
        let mut count = 0;
        for items in solver.order.groups() {
            assert!((1..=groups::lanes::LANES).contains(&items.len()));
            count += items.len();
            let mut bodies: Vec<u32> = items.iter().flat_map(|item| item.bodies).collect();
            bodies.retain(|&i| solver.moves[i as usize]);
            bodies.sort_unstable();
            assert!(bodies.windows(2).all(|pair| pair[0] < pair[1]), "{bodies:?}");
        }
        let patches: usize = solver.contacts.pairs.iter().map(|pair| pair.patches.len()).sum();
        assert!(count == patches && patches > 100, "{count} {patches}");
    }

    #[test]
    fn every_level_gives_the_same_bits() {
        let (_, _, solver, _) = heap(5, 40, 5);
        let run = |level: Level| {
            let (mut groups, mut parts) = (solver.groups.clone(), solver.parts.clone());
            let (speeds, shifts) = parts.only();
            let changes = [Pass::Soft, Pass::Relaxed]
                .map(|pass| iterate::once(level, &mut groups, speeds, shifts, pass));
            (changes, speeds.clone())
        };
        let best = run(Level::new());
        assert!(best.0[0] > 0.0);
        for level in other_levels() {
            assert!(run(level) == best);
        }
    }

    #[test]
    fn a_heap_in_parts_stands_like_any_other() {
        // 204 boxes, each on four others.
        let (rigids, _, solver, _) = heap(8, usize::MAX, 30);
        let groups = &solver.order.borders;
        assert!(groups.len() == 3 && groups[0] > 40 && groups[1] > groups[0] + 40, "{groups:?}");
        assert!(groups[2] > groups[1] && groups[2] - groups[1] < groups[2] / 3, "{groups:?}");
        let bodies = pyramid(8);
        let moved = bodies.iter().zip(&rigids).map(|(body, rigid)| {
            assert_eq!(body.name, rigid.given.name);
            body.position.distance(rigid.motion.center)
        });
        let most = moved.fold(0.0, f64::max);
        assert!(most < 0.01, "{most}");
    }

    #[test]
    fn contacts_that_are_kept_are_those_found_anew() {
        let (mut rigids, mut near, mut solver, settings) = heap(5, 40, 60);
        let step = 1.0 / 60.0;
        solver.contacts.update(&mut rigids, &mut near, |_| {}, (&settings, step)).unwrap();
        let mut fresh = Contacts::default();
        fresh.update(&mut rigids, &mut near, |_| {}, (&settings, step)).unwrap();
        let mut checked = 0;
        for (kept, found) in solver.contacts.pairs.iter().zip(&fresh.pairs) {
            assert_eq!(kept.bodies, found.bodies);
            let deepest = |pair: &Pair| {
                let gaps = pair.patches.iter().flat_map(Patch::points).map(|point| point.gap);
                gaps.fold(f64::INFINITY, f64::min)
            };
            let (kept, found) = (deepest(kept), deepest(found));
            // Those farther than all bodies may come in a step need not be there.
            if kept.min(found) < 1e-3 {
                assert!((kept - found).abs() < 1e-3, "{kept} {found}");
                checked += 1;
            }
        }
        assert!(checked > 50, "{checked}");
    }
}
