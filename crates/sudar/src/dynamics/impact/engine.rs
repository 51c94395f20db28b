//! From contact to contact: a queue of the times before which pairs do not touch.
//!
//! Every body flies on its own from its last impact. For each pair whose swept boxes overlap the queue holds
//! a certified lower bound of the time of its next contact (Mirtich 1996; event-driven molecular dynamics:
//! Alder and Wainwright 1959). The earliest is taken out: either it was only a bound and is made better, or
//! the pair touches and responds, and the flights of what it changed begin anew.
//!
//! Contacts that last (a body at rest on the floor) would take ever more impacts in ever less time. So a body
//! is *cut* once its impacts would come to rest in what is left of the step, or are many: what it did until then stays,
//! and the solver of resting contacts does the rest of the step from there. What meets a body that is cut is cut too,
//! at the same instant ([`log`](super::log)).

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::approach::{Meeting, Mover, band, closing, meeting};
use super::cells::Cells;
use super::cluster::{Cluster, spots};
use super::hit::{ImpactGroup, ImpactLaw};
use super::log::{Instant, Leg, Log};
use crate::dynamics::matter::{BodyState, Flight, Rigid, Track, contacts, swept};
use crate::dynamics::settings::Settings;
use crate::dynamics::touches::Touches;
use crate::dynamics::work::Watch;
use crate::query::Batch;
use crate::shape::Aabb;

/// What a step came to.
#[derive(Debug, Default)]
pub struct Impacts {
    /// Of every body.
    pub ends: Vec<End>,
    pub touches: Touches,
    /// Seconds spent on changing velocities.
    pub struck_seconds: f64,
}

/// A body after its last impact: at the end of the step, or where its contacts began to last.
#[derive(Debug, Clone, Copy)]
pub struct End {
    pub motion: BodyState,
    /// The box that it did not leave.
    pub space: Aabb,
    /// The share of the step that is left for the solver to do.
    pub left: f64,
}

/// Impacts of a body in a step, of less than full restitution, after which its contacts last.
const RESTING: u32 = 8;
/// Advancements of a pair in one flight after which its contact lasts: the bodies go beside each other at next to no
/// distance.
const LOOKS: u32 = 64;

/// The share of a step below which nothing is left of it.
const LEAST: f64 = 1e-9;

/// The boxes that bodies keep to themselves in a step.
pub fn reserved_boxes(rigids: &[&Rigid], settings: &Settings, until: f64) -> Vec<Aabb> {
    rigids.iter().map(|rigid| reserved(rigid, &rigid.flight(settings.gravity), until)).collect()
}

/// Advances bodies by a time, given the pairs whose boxes overlap.
pub fn advance(
    rigids: &[&Rigid],
    pairs: &[[u32; 2]],
    boxes: Vec<Aabb>,
    (settings, law, watch): (&Settings, &dyn ImpactLaw, Watch),
    until: f64,
) -> Impacts {
    let mut engine = Engine::new(rigids, (settings, law, watch), boxes, until);
    engine.begin(pairs);
    engine.run();
    engine.finish()
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
    /// How often bounds of this flight were made better so far.
    looks: u32,
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
    rigids: &'r [&'r Rigid],
    settings: &'r Settings,
    law: &'r dyn ImpactLaw,
    watch: Watch,
    struck_seconds: f64,
    until: f64,
    flights: Vec<Track<'r>>,
    boxes: Vec<Aabb>,
    cells: Cells,
    /// Bodies whose boxes overlap that of a body, sorted.
    partners: Vec<Vec<u32>>,
    /// Counts the flights of a body.
    stamps: Vec<u32>,
    /// Impacts of a body so far, all and those that lose speed.
    impacts: Vec<[u32; 2]>,
    log: Log,
    queue: BinaryHeap<Reverse<Event>>,
}

impl<'r> Engine<'r> {
    fn new(
        rigids: &'r [&'r Rigid],
        (settings, law, watch): (&'r Settings, &'r dyn ImpactLaw, Watch),
        boxes: Vec<Aabb>,
        until: f64,
    ) -> Self {
        let n = rigids.len();
        let track = |rigid: &&'r Rigid| Track::new(rigid.flight(settings.gravity), until);
        Self {
            rigids,
            settings,
            law,
            watch,
            struck_seconds: 0.0,
            until,
            flights: rigids.iter().map(track).collect(),
            cells: Cells::new(&boxes),
            boxes,
            partners: vec![Vec::new(); n],
            stamps: vec![0; n],
            impacts: vec![[0; 2]; n],
            log: Log::new(n),
            queue: BinaryHeap::new(),
        }
    }

    fn begin(&mut self, pairs: &[[u32; 2]]) {
        for &[i, j] in pairs {
            self.partners[i as usize].push(j);
            self.partners[j as usize].push(i);
        }
        self.partners.iter_mut().for_each(|partners| partners.sort_unstable());
        self.cut_what_holds(pairs);
        self.foresee(pairs, 0.0, 0);
    }

    fn mover(&self, i: u32) -> Mover<'_> {
        let k = i as usize;
        Mover { rigid: self.rigids[k], flight: &self.flights[k] }
    }

    /// Finds what comes next between pairs, from a time on.
    fn foresee(&mut self, pairs: &[[u32; 2]], from: f64, looks: u32) {
        let is_done = |i: u32| self.log.cut(i).is_some() || !self.rigids[i as usize].is_dynamic();
        let next = |&[i, j]: &[u32; 2]| {
            if is_done(i) && is_done(j) {
                return Meeting::Never;
            }
            meeting(self.mover(i), self.mover(j), from, self.until)
        };
        let found: Vec<Meeting> = if pairs.len() < 64 {
            pairs.iter().map(next).collect()
        } else {
            Batch::default().each(pairs, |_, pair| next(pair)).answers
        };
        for (&pair, meeting) in pairs.iter().zip(found) {
            let (time, touches, looks) = match meeting {
                Meeting::Never => continue,
                Meeting::Later(time) => (time, false, looks),
                Meeting::Beside(time) => (time, false, LOOKS),
                Meeting::Touch(time) => (time, true, looks),
            };
            let stamps = pair.map(|i| self.stamps[i as usize]);
            self.queue.push(Reverse(Event { time, pair, stamps, touches, looks }));
        }
    }

    fn run(&mut self) {
        loop {
            while let Some(Reverse(event)) = self.queue.pop() {
                self.happen(event);
            }
            if !self.cut_what_comes_near() {
                return;
            }
        }
    }

    fn happen(&mut self, Event { time, pair, stamps, touches, looks }: Event) {
        let is_cut = pair.map(|i| self.log.cut(i).is_some());
        let is_done = [0, 1].map(|k| is_cut[k] || !self.rigids[pair[k] as usize].is_dynamic());
        if stamps != pair.map(|i| self.stamps[i as usize]) || is_done == [true; 2] {
            return;
        }
        if is_cut.contains(&true) && (touches || looks >= LOOKS) {
            // At the instant at which the other was cut.
            self.cut(pair, Instant { event: u32::MAX, time });
        } else if touches {
            self.impact(pair, time, looks);
        } else if looks < LOOKS {
            self.foresee(&[pair], time, looks + 1);
        } else {
            let now = self.log.begin(time);
            self.cut(pair, now);
        }
    }

    fn finish(self) -> Impacts {
        let end = |(i, flight): (u32, &Track)| {
            let cut = self.log.cut(i).map_or(self.until, |cut| cut.time);
            let left = (self.until - cut) / self.until;
            let (time, left) = if left > LEAST { (cut, left) } else { (self.until, 0.0) };
            End { motion: flight.at(time), space: self.boxes[i as usize], left }
        };
        let ends = (0..).zip(&self.flights).map(end).collect();
        Impacts { ends, touches: self.log.touches(), struck_seconds: self.struck_seconds }
    }

    /// The pair touches.
    fn impact(&mut self, pair: [u32; 2], time: f64, looks: u32) {
        let mut cluster = self.gather(pair, time);
        let now = self.log.begin(time);
        let rests = self.rests(&cluster, pair, time);
        self.respond(&mut cluster, pair, time);
        for point in cluster.struck().filter(|point| point.impulse > 0.0) {
            self.log.touch(point.pair, Some(point));
        }
        self.log.touch(pair, None);
        let mut changed: Vec<u32> = Vec::new();
        for struck in cluster.list.iter().filter(|struck| struck.changed) {
            self.fly(struck.slot, struck.motion, time);
            changed.push(struck.slot);
        }
        if rests {
            self.cut(pair, now);
        }
        if !changed.is_empty() {
            self.foresee_changed(&mut changed, time);
        } else if !rests {
            self.foresee_after_nothing(pair, time, looks);
        }
    }

    /// Counts an impact of the pair; says whether its contact lasts from now on: impacts were many, or come to rest
    /// before the step ends. The first of a pair never does.
    fn rests(&mut self, cluster: &Cluster, pair: [u32; 2], time: f64) -> bool {
        let restitution = cluster.hits.first().map_or(0.0, |hit| hit.restitution);
        let is_lossy = restitution < 1.0 || !self.law.has_restitution();
        let mut is_many = false;
        for i in pair {
            let [all, lossy] = &mut self.impacts[i as usize];
            (*all, *lossy) = (*all + 1, *lossy + u32::from(is_lossy));
            let most = *all >= self.settings.most_events || *lossy >= RESTING;
            is_many |= most && self.rigids[i as usize].is_dynamic();
        }
        let is_first = self.log.count(pair) == 1;
        is_many || (is_lossy && !is_first && self.comes_to_rest(cluster, pair, restitution, time))
    }

    /// Whether bounces end before the step does. A bounce at a speed v and an acceleration a lasts 2 v / a, and each is
    /// shorter than the one before by the restitution.
    fn comes_to_rest(&self, cluster: &Cluster, pair: [u32; 2], restitution: f64, time: f64) -> bool {
        let fastest = cluster.hits.iter().map(|hit| -hit.speed(&cluster.list)).fold(0.0, f64::max);
        let bounces = 2.0 * restitution * fastest;
        self.law.has_restitution() && bounces <= self.push(pair) * (1.0 - restitution) * (self.until - time)
    }

    /// Cuts two bodies at an instant, or at an earlier one at which either is cut already.
    fn cut(&mut self, pair: [u32; 2], at: Instant) {
        let own = pair.iter().filter_map(|&i| self.log.cut(i)).min_by_key(|cut| cut.event);
        let at = own.filter(|own| own.event < at.event).unwrap_or(at);
        // What is driven is where it is at the start of the step or at the end.
        let drives = |j: &u32| self.rigids[*j as usize].drives();
        let starts = |i: u32| self.partners[i as usize].iter().any(drives);
        let (changed, at) = self.log.cut_at(self.rigids, pair, at, starts);
        let mut pairs = Vec::new();
        for (i, leg) in changed {
            if let Some(leg) = leg {
                self.set_off(i, leg);
            }
            self.stamps[i as usize] += 1;
            pairs.extend(self.partners[i as usize].iter().map(|&j| [i.min(j), i.max(j)]));
        }
        self.foresee(&pairs, at.time, 0);
    }

    /// Cuts what comes near a body that is cut, where that stands: contacts keep it from flying on. Says whether
    /// there was any.
    fn cut_what_comes_near(&mut self) -> bool {
        let mut any = false;
        for i in 0..self.rigids.len() as u32 {
            for k in 0..self.partners[i as usize].len() {
                let j = self.partners[i as usize][k];
                let Some(cut) = self.log.cut(i) else { break };
                if !self.rigids[j as usize].is_dynamic() {
                    continue;
                }
                let meets = match self.log.cut(j) {
                    Some(own) => own.event != cut.event,
                    None => self.comes_near(j, i, cut.time),
                };
                if meets {
                    self.cut([i, j], Instant { event: u32::MAX, time: self.until });
                    any = true;
                }
            }
        }
        any
    }

    /// Whether a body may meet another that stands where it was at a time.
    fn comes_near(&self, flier: u32, standing: u32, time: f64) -> bool {
        let k = standing as usize;
        let at = self.flights[k].at(time);
        let still = BodyState { velocity: glam::DVec3::ZERO, angular_velocity: glam::DVec3::ZERO, ..at };
        let flight = Track::new(Flight::free(&self.rigids[k].inertia, still, time), self.until);
        let there = Mover { rigid: self.rigids[k], flight: &flight };
        let flier = self.mover(flier);
        let from = time.max(flier.flight.start);
        meeting(flier, there, from, self.until) != Meeting::Never
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
        self.foresee(&pairs, time, 0);
    }

    /// Nothing approached after all: looks again a little later.
    fn foresee_after_nothing(&mut self, pair: [u32; 2], time: f64, looks: u32) {
        let later = time + (self.until - time) / 64.0;
        if later > time && later < self.until {
            let stamps = pair.map(|i| self.stamps[i as usize]);
            self.queue.push(Reverse(Event { time: later, pair, stamps, touches: false, looks }));
        }
    }

    /// The box of a flight that began anew, and partners that it brings.
    fn reserve(&mut self, i: u32) {
        let k = i as usize;
        let needed = path(self.rigids[k], &self.flights[k], self.until, 0.0);
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
            if overlaps && j != i && self.rigids[k].meets(self.rigids[j as usize]) {
                enter(&mut self.partners[k], j);
                enter(&mut self.partners[j as usize], i);
            }
        }
    }

    /// A body flies on with a new motion.
    fn fly(&mut self, i: u32, from: BodyState, start: f64) {
        let Flight { from: before, start: began, .. } = *self.flights[i as usize];
        self.log.end(i, Leg { from: before, start: began });
        self.set_off(i, Leg { from, start });
    }

    fn set_off(&mut self, i: u32, Leg { from, start }: Leg) {
        let before = *self.flights[i as usize];
        self.flights[i as usize] = Track::new(Flight { from, start, ..before }, self.until);
    }

    /// The contacts of the pair, and of all that touches it, if the law takes them together.
    fn gather(&self, pair: [u32; 2], time: f64) -> Cluster {
        let mut cluster = Cluster::default();
        self.join(&mut cluster, pair, time);
        if !self.law.takes_together() {
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
        let flown = |i: u32| self.flights[i as usize].center_at(time).0;
        let center = |i: u32| cluster.motion(i).map_or_else(|| flown(i), |m| m.center);
        if (center(j) - center(i)).length() > a.radius + b.radius + band(a, b) {
            return;
        }
        let motion = |i: u32| cluster.motion(i).copied().unwrap_or_else(|| self.flights[i as usize].at(time));
        let (at, bt) = (motion(i), motion(j));
        let found = spots(a, &at, b, &bt);
        if found.is_empty() {
            return;
        }
        cluster.join([i, j], [a, b], [at, bt], found);
    }

    fn respond(&mut self, cluster: &mut Cluster, pair: [u32; 2], time: f64) {
        let quiet = cluster.quiet();
        let [first, second] = pair.map(|i| self.rigids[i as usize]);
        let band = band(first, second);
        let remaining = self.until - time;
        let Cluster { list, hits, .. } = cluster;
        let start = self.watch.now();
        self.law.strike(&mut ImpactGroup { bodies: list, contacts: hits, quiet, remaining, band });
        self.struck_seconds += self.watch.now() - start;
    }

    /// Cuts bodies that touch and stick, and those whose contacts lasted in the step before and last in this one, at
    /// the start.
    fn cut_what_holds(&mut self, pairs: &[[u32; 2]]) {
        for &pair in pairs {
            let [a, b] = pair.map(|i| self.rigids[i as usize]);
            let lasted = a.slow_for > 0.0 || b.slow_for > 0.0;
            let sticks = a.surface().adhesion(&b.surface()) > 0.0;
            if (lasted || sticks) && self.is_held(pair, lasted) {
                self.cut(pair, Instant::START);
            }
        }
    }

    /// Whether a pair touches at the start, or, if its contacts lasted, comes together so slowly in this step
    /// that they last again.
    fn is_held(&self, pair: [u32; 2], lasted: bool) -> bool {
        let [a, b] = pair.map(|i| self.rigids[i as usize]);
        let motions = pair.map(|i| self.flights[i as usize].at(0.0));
        let slow = if lasted { self.resting_speed(pair) } else { 0.0 };
        let touches = 2.0 * band(a, b);
        // At that speed, which forces raise by half of it.
        let room = 1.5 * slow * self.until;
        let reach = touches + room;
        if (motions[1].center - motions[0].center).length() > a.radius + b.radius + reach {
            return false;
        }
        let found = contacts(a, &motions[0], b, &motions[1], reach);
        found.iter().any(|contact| contact.depth >= -touches || closing(contact, &motions).abs() <= slow)
    }

    /// The speed below which contacts of a pair last: that which its forces bring about in two steps.
    fn resting_speed(&self, pair: [u32; 2]) -> f64 {
        2.0 * self.until * self.push(pair)
    }

    /// The largest acceleration of a pair by forces.
    fn push(&self, pair: [u32; 2]) -> f64 {
        let dynamic = pair.into_iter().filter(|&i| self.rigids[i as usize].is_dynamic());
        dynamic.map(|i| self.flights[i as usize].push()).fold(0.0, f64::max)
    }
}

/// Enters a number in a sorted list without it.
fn enter(list: &mut Vec<u32>, number: u32) {
    if let Err(place) = list.binary_search(&number) {
        list.insert(place, number);
    }
}
