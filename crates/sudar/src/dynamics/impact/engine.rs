//! From contact to contact: a queue of the times before which pairs do not touch.
//!
//! Every body flies on its own from its last impact. For each pair whose swept boxes overlap the queue holds a certified lower bound of the time
//! of its next contact (Mirtich 1996; event-driven molecular dynamics: Alder and Wainwright 1959). The earliest is taken out: either
//! it was only a bound and is made better, or the pair touches and responds, and the flights of what it changed begin anew.
//!
//! Contacts that go on (a body at rest on the floor) would take ever more impacts in ever less time. A body that had several in a step
//! gets the push of its forces for the rest of the step at once; from then on it flies straight, and impacts as slow as such a push
//! end without a bounce. If that does not end them either, the body keeps its place and velocity until the end of the step,
//! and the time it gives up is reported.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap};

use glam::DVec3;

use super::approach::{Meeting, Mover, band, meeting};
use super::cells::Cells;
use super::cluster::{Cluster, spots};
use super::hit::Hit;
use super::pairwise::{answer, part};
use super::reflections::reflect;
use super::sequence::{sequence, settle};
use crate::broad::BroadError;
use crate::dynamics::matter::{Flight, Motion, Rigid, Track, swept};
use crate::dynamics::near::Near;
use crate::dynamics::settings::{Response, Settings};
use crate::query::Batch;
use crate::shape::Aabb;

/// What a step came to.
#[derive(Debug, Default)]
pub struct Impacts {
    /// Of every body, at the end.
    pub motions: Vec<Motion>,
    /// Bodies that rested on others.
    pub resting: Vec<bool>,
    /// Pairs that touched, with the sum of their normal impulses.
    pub touches: BTreeMap<[u32; 2], f64>,
    /// Most time that a body gave up.
    pub dropped: f64,
}

/// Impacts of a body in a step after which it counts as resting.
const RESTING: u32 = 8;

/// Advances all bodies by a time.
pub fn advance(
    rigids: &[Rigid],
    near: &mut Near,
    settings: &Settings,
    until: f64,
) -> Result<Impacts, BroadError> {
    let flights: Vec<Flight> = rigids.iter().map(|rigid| rigid.flight(settings.gravity)).collect();
    let boxes: Vec<Aabb> = rigids.iter().zip(&flights).map(|(r, f)| reserved(r, f, until)).collect();
    let pairs = near.pairs(rigids, &boxes)?;
    let mut engine = Engine::new(rigids, settings, flights, boxes, until);
    engine.begin(&pairs);
    engine.run();
    Ok(engine.finish())
}

/// The box that a body will not leave in the step if no impact makes it much faster.
fn reserved(rigid: &Rigid, flight: &Flight, until: f64) -> Aabb {
    if !rigid.radius.is_finite() {
        return Aabb::EVERYTHING;
    }
    let reach = (flight.from.velocity.length() + flight.push() * until) * until;
    path(rigid, flight, until, reach.min(0.25 * rigid.radius))
}

/// The box around a flight until the end of the step.
fn path(rigid: &Rigid, flight: &Flight, until: f64, more: f64) -> Aabb {
    let time = until - flight.start;
    let ends = [flight.from.center, flight.center_at(until).0];
    // A curve leaves its chord by at most an eighth of its bend.
    swept(rigid, ends, more + 0.125 * flight.push() * time * time + band(rigid, rigid))
}

/// Something that may happen to a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Event {
    time: f64,
    pair: [u32; 2],
    stamps: [u32; 2],
    touches: bool,
}

impl Eq for Event {}

impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time).then(self.pair.cmp(&other.pair)).then(self.stamps.cmp(&other.stamps))
    }
}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

struct Engine<'r> {
    rigids: &'r [Rigid],
    settings: &'r Settings,
    until: f64,
    flights: Vec<Track<'r>>,
    boxes: Vec<Aabb>,
    cells: Cells,
    /// Bodies whose boxes overlap that of a body, sorted.
    partners: Vec<Vec<u32>>,
    /// Counts the flights of a body.
    stamps: Vec<u32>,
    impacts: Vec<u32>,
    resting: Vec<bool>,
    /// Bodies that gave up time, with the motion they keep.
    kept: Vec<Option<Motion>>,
    queue: BinaryHeap<Reverse<Event>>,
    touches: BTreeMap<[u32; 2], f64>,
    dropped: f64,
}

impl<'r> Engine<'r> {
    fn new(
        rigids: &'r [Rigid],
        settings: &'r Settings,
        flights: Vec<Flight<'r>>,
        boxes: Vec<Aabb>,
        until: f64,
    ) -> Self {
        let n = rigids.len();
        Self {
            rigids,
            settings,
            until,
            flights: flights.into_iter().map(|flight| Track::new(flight, until)).collect(),
            cells: Cells::new(&boxes),
            boxes,
            partners: vec![Vec::new(); n],
            stamps: vec![0; n],
            // What rested in the last step does so from its first contact on.
            impacts: rigids.iter().map(|r| if r.slow_for > 0.0 { RESTING - 1 } else { 0 }).collect(),
            resting: vec![false; n],
            kept: vec![None; n],
            queue: BinaryHeap::new(),
            touches: BTreeMap::new(),
            dropped: 0.0,
        }
    }

    fn begin(&mut self, pairs: &[[u32; 2]]) {
        for &[i, j] in pairs {
            self.partners[i as usize].push(j);
            self.partners[j as usize].push(i);
        }
        self.partners.iter_mut().for_each(|partners| partners.sort_unstable());
        self.adhere(pairs);
        self.foresee(pairs, 0.0);
    }

    fn mover(&self, i: u32) -> Mover<'_> {
        let k = i as usize;
        Mover { rigid: &self.rigids[k], flight: &self.flights[k], rests: self.resting[k] }
    }

    /// Finds what comes next between pairs, from a time on.
    fn foresee(&mut self, pairs: &[[u32; 2]], from: f64) {
        let next = |&[i, j]: &[u32; 2]| meeting(self.mover(i), self.mover(j), from, self.until);
        let found: Vec<Meeting> = if pairs.len() < 64 {
            pairs.iter().map(next).collect()
        } else {
            Batch::default().each(pairs, |_, pair| next(pair)).answers
        };
        for (&pair, meeting) in pairs.iter().zip(found) {
            let (time, touches) = match meeting {
                Meeting::Never => continue,
                Meeting::Later(time) => (time, false),
                Meeting::Touch(time) => (time, true),
            };
            let stamps = pair.map(|i| self.stamps[i as usize]);
            self.queue.push(Reverse(Event { time, pair, stamps, touches }));
        }
    }

    fn run(&mut self) {
        while let Some(Reverse(event)) = self.queue.pop() {
            let Event { time, pair, stamps, touches } = event;
            if stamps != pair.map(|i| self.stamps[i as usize]) {
                continue;
            }
            if touches {
                self.impact(pair, time);
            } else {
                self.foresee(&[pair], time);
            }
        }
    }

    fn finish(self) -> Impacts {
        let until = self.until;
        let end = |(flight, kept): (&Track, &Option<Motion>)| kept.unwrap_or_else(|| flight.at(until));
        let motions = self.flights.iter().zip(&self.kept).map(end).collect();
        Impacts { motions, resting: self.resting, touches: self.touches, dropped: self.dropped }
    }

    fn motion(&self, i: u32, time: f64) -> Motion {
        self.kept[i as usize].unwrap_or_else(|| self.flights[i as usize].at(time))
    }

    fn center(&self, i: u32, time: f64) -> DVec3 {
        let k = i as usize;
        self.kept[k].map_or_else(|| self.flights[k].center_at(time).0, |motion| motion.center)
    }

    /// The pair touches.
    fn impact(&mut self, pair: [u32; 2], time: f64) {
        let mut changed: Vec<u32> = Vec::new();
        for i in pair.into_iter().filter(|&i| self.rigids[i as usize].is_dynamic()) {
            let k = i as usize;
            self.impacts[k] += 1;
            if self.impacts[k] >= RESTING && !self.resting[k] {
                self.push_ahead(i, time);
                changed.push(i);
            }
        }
        let mut cluster = self.gather(pair, time);
        self.respond(&mut cluster, pair, time);
        self.rise(&mut cluster, pair);
        for hit in cluster.hits.iter().filter(|hit| hit.impulse > 0.0) {
            let [a, b] = hit.bodies.map(|k| cluster.list[k].slot);
            *self.touches.entry([a.min(b), a.max(b)]).or_insert(0.0) += hit.impulse;
        }
        self.touches.entry(pair).or_insert(0.0);
        for struck in cluster.list.iter().filter(|struck| struck.changed) {
            self.fly(struck.slot, struck.motion, time);
            changed.push(struck.slot);
        }
        for i in pair {
            let tired =
                self.impacts[i as usize] >= self.settings.most_events && self.kept[i as usize].is_none();
            if tired && self.rigids[i as usize].is_dynamic() {
                self.give_up(i, time);
                changed.push(i);
            }
        }
        if changed.is_empty() {
            self.foresee_after_nothing(pair, time);
        } else {
            self.foresee_changed(&mut changed, time);
        }
    }

    /// What comes next to bodies whose flights began anew.
    fn foresee_changed(&mut self, changed: &mut Vec<u32>, time: f64) {
        changed.sort_unstable();
        changed.dedup();
        let mut pairs = Vec::new();
        for &i in changed.iter() {
            self.stamps[i as usize] += 1;
            self.reserve(i);
        }
        for &i in changed.iter() {
            let twice = |j: &u32| *j < i && changed.binary_search(j).is_ok();
            let partners = self.partners[i as usize].iter().filter(|j| !twice(j));
            pairs.extend(partners.map(|&j| [i.min(j), i.max(j)]));
        }
        self.foresee(&pairs, time);
    }

    /// Nothing approached after all: looks again a little later.
    fn foresee_after_nothing(&mut self, pair: [u32; 2], time: f64) {
        let later = time + (self.until - time) / 64.0;
        if later > time && later < self.until {
            let stamps = pair.map(|i| self.stamps[i as usize]);
            self.queue.push(Reverse(Event { time: later, pair, stamps, touches: false }));
        }
    }

    /// The box of a flight that began anew, and partners that it brings.
    fn reserve(&mut self, i: u32) {
        let k = i as usize;
        let needed = path(&self.rigids[k], &self.flights[k], self.until, 0.0);
        let held = self.boxes[k];
        if needed.min.cmpge(held.min).all() && needed.max.cmple(held.max).all() {
            return;
        }
        let wider = held.union(needed);
        self.boxes[k] = wider;
        self.cells.grow(i, &held, &wider);
        for j in self.cells.near(&wider, self.rigids.len() as u32) {
            let other = &self.boxes[j as usize];
            let overlaps = wider.min.cmple(other.max).all() && other.min.cmple(wider.max).all();
            if overlaps && j != i && self.rigids[k].meets(&self.rigids[j as usize]) {
                enter(&mut self.partners[k], j);
                enter(&mut self.partners[j as usize], i);
            }
        }
    }

    /// A body flies on with a new motion.
    fn fly(&mut self, i: u32, motion: Motion, time: f64) {
        let k = i as usize;
        if self.kept[k].is_some() {
            self.kept[k] = Some(motion);
            return;
        }
        let before = *self.flights[k];
        self.flights[k] = Track::new(Flight { from: motion, start: time, ..before }, self.until);
    }

    /// Gives a resting body the push of its forces for the rest of the step; from here on it flies without.
    fn push_ahead(&mut self, i: u32, time: f64) {
        let k = i as usize;
        let flight = &self.flights[k];
        let (now, end) = (flight.at(time), flight.at(self.until));
        self.resting[k] = true;
        let spins = flight.torque != DVec3::ZERO || flight.drag[1] != 0.0;
        let angular_velocity = if spins { end.angular_velocity } else { now.angular_velocity };
        let from = Motion { velocity: end.velocity, angular_velocity, ..now };
        self.flights[k] = Track::new(Flight::free(flight.inertia, from, time), self.until);
    }

    fn give_up(&mut self, i: u32, time: f64) {
        let k = i as usize;
        let motion = self.flights[k].at(time);
        self.kept[k] = Some(if self.resting[k] { self.without_gain(i, motion) } else { motion });
        let still = Motion { velocity: DVec3::ZERO, angular_velocity: DVec3::ZERO, ..motion };
        self.flights[k] = Track::new(Flight::free(self.flights[k].inertia, still, time), self.until);
        self.dropped = self.dropped.max(self.until - time);
    }

    /// A resting body got the push of the whole step and gives up a part of it: slowed to the energy that it had, and what its forces did
    /// on the way that it went.
    fn without_gain(&self, i: u32, motion: Motion) -> Motion {
        let rigid = &self.rigids[i as usize];
        let energy = |m: &Motion| {
            let spun = rigid.inertia.spun(m.rotation, m.angular_velocity);
            0.5 * (rigid.inertia.mass * m.velocity.length_squared() + spun.dot(m.angular_velocity))
        };
        let force = rigid.flight(self.settings.gravity).acceleration * rigid.inertia.mass;
        let allowed = (energy(&rigid.motion) + force.dot(motion.center - rigid.motion.center)).max(0.0);
        let now = energy(&motion);
        if now <= allowed {
            return motion;
        }
        let share = (allowed / now).sqrt();
        let (velocity, angular_velocity) = (motion.velocity * share, motion.angular_velocity * share);
        Motion { velocity, angular_velocity, ..motion }
    }

    /// The contacts of the pair, and of all that touches it, if the response takes them together.
    fn gather(&self, pair: [u32; 2], time: f64) -> Cluster {
        let mut cluster = Cluster::default();
        let rests = pair.into_iter().any(|i| self.resting[i as usize]);
        let contacts_of_all = match self.settings.response {
            Response::Simultaneous => true,
            Response::Impulse => rests,
            Response::Reflection
            | Response::Momentum
            | Response::Mtv
            | Response::Spring
            | Response::Solver => false,
        };
        self.join(&mut cluster, pair, time);
        if !contacts_of_all {
            return cluster;
        }
        let mut next = 0;
        while next < cluster.list.len() {
            let slot = cluster.list[next].slot;
            next += 1;
            if !self.rigids[slot as usize].is_dynamic() {
                continue;
            }
            for &other in &self.partners[slot as usize] {
                let known = [slot.min(other), slot.max(other)];
                // Pairs of two bodies before are there already.
                let done = cluster.list[..next - 1]
                    .iter()
                    .any(|s| s.slot == other && self.rigids[other as usize].is_dynamic());
                if known != pair && !done {
                    self.join(&mut cluster, known, time);
                }
            }
        }
        cluster
    }

    /// Adds the contacts of a pair, if it touches.
    fn join(&self, cluster: &mut Cluster, [i, j]: [u32; 2], time: f64) {
        let (a, b) = (&self.rigids[i as usize], &self.rigids[j as usize]);
        let center = |i: u32| cluster.motion(i).map_or_else(|| self.center(i, time), |m| m.center);
        if (center(j) - center(i)).length() > a.radius + b.radius + band(a, b) {
            return;
        }
        let motion = |i: u32| cluster.motion(i).copied().unwrap_or_else(|| self.motion(i, time));
        let (at, bt) = (motion(i), motion(j));
        let found = spots(a, &at, b, &bt);
        if found.is_empty() {
            return;
        }
        let bodies = [cluster.place(i, a, || at), cluster.place(j, b, || bt)];
        let [restitution, friction] = a.surface(b);
        let slow = self.slow([i, j]);
        for (point, normal, depth) in found {
            let mut hit = Hit { bodies, point, normal, restitution, friction, depth, impulse: 0.0 };
            if slow > 0.0 && hit.speed(&cluster.list) >= -slow {
                hit.restitution = 0.0;
            }
            cluster.hits.push(hit);
        }
    }

    /// The speed up to which a pair that rests does not bounce: twice what its forces make of it in a step.
    fn slow(&self, pair: [u32; 2]) -> f64 {
        let rests = pair.into_iter().any(|i| self.resting[i as usize]);
        let pull = |i: u32| self.rigids[i as usize].flight(self.settings.gravity).push();
        if rests { 2.0 * self.until * pair.into_iter().map(pull).fold(0.0, f64::max) } else { 0.0 }
    }

    fn respond(&self, cluster: &mut Cluster, pair: [u32; 2], time: f64) {
        let Cluster { list, hits, .. } = cluster;
        let speeds = list.iter().map(|s| {
            let radius = self.rigids[s.slot as usize].radius;
            let spin = if radius.is_finite() { s.motion.angular_velocity.length() * radius } else { 0.0 };
            s.motion.velocity.length() + spin
        });
        let quiet = 1e-12 * speeds.fold(0.0, f64::max);
        let rests = pair.into_iter().any(|i| self.resting[i as usize]);
        match self.settings.response {
            Response::Simultaneous => reflect(list, hits, quiet),
            Response::Impulse if rests => {
                sequence(list, hits, self.slow(pair).max(quiet));
                settle(list, hits, quiet);
            }
            Response::Impulse => sequence(list, hits, quiet),
            response @ (Response::Reflection
            | Response::Momentum
            | Response::Mtv
            | Response::Spring
            | Response::Solver) => self.respond_by_centers(response, cluster, time),
        }
    }

    /// Lifts a resting body out of what it sank into between two looks.
    fn rise(&self, cluster: &mut Cluster, pair: [u32; 2]) {
        let rests = pair.into_iter().any(|i| self.resting[i as usize]);
        let deepest = cluster.hits.iter().copied().reduce(|m, hit| if hit.depth > m.depth { hit } else { m });
        if let Some(hit) = deepest.filter(|hit| rests && hit.depth > 0.0) {
            part(&mut cluster.list, &hit, hit.depth);
        }
    }

    /// Responses that know no spin: where spin alone brings the bodies together they are moved apart by as much.
    fn respond_by_centers(&self, response: Response, cluster: &mut Cluster, time: f64) {
        let Cluster { list, hits, .. } = cluster;
        let deepest = (0..hits.len()).reduce(|m, i| if hits[i].depth > hits[m].depth { i } else { m });
        let Some(deepest) = deepest else { return };
        answer(response, list, &mut hits[deepest]);
        let hit = hits[deepest];
        if response == Response::Mtv {
            part(list, &hit, hit.depth);
        }
        let approach = hits.iter().map(|hit| -hit.speed(list)).fold(0.0, f64::max);
        if approach > 0.0 {
            let [a, b] = hit.bodies.map(|k| &self.rigids[list[k].slot as usize]);
            let most = 0.05 * a.radius.min(b.radius);
            part(list, &hit, (approach * (self.until - time) + 4.0 * band(a, b)).min(most));
        }
    }

    /// Pulls bodies that touch and stick together by the impulse of their adhesion in this step.
    fn adhere(&mut self, pairs: &[[u32; 2]]) {
        for &[i, j] in pairs {
            let (a, b) = (&self.rigids[i as usize], &self.rigids[j as usize]);
            let pull = a.adhesion(b);
            if pull == 0.0 {
                continue;
            }
            let mut cluster = Cluster::default();
            self.join(&mut cluster, [i, j], 0.0);
            for hit in cluster.hits.clone() {
                hit.push(&mut cluster.list, hit.normal * (-pull * self.until));
            }
            for struck in cluster.list.iter().filter(|struck| struck.changed) {
                self.fly(struck.slot, struck.motion, 0.0);
            }
        }
    }
}

/// Enters a number in a sorted list without it.
fn enter(list: &mut Vec<u32>, number: u32) {
    if let Err(place) = list.binary_search(&number) {
        list.insert(place, number);
    }
}
