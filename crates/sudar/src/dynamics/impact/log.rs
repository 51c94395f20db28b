//! What happened in a step so far, so that it can be taken back from an instant on.
//!
//! A body whose contacts last is *cut*: the solver does the rest of the step for it, from the instant at which it
//! came to rest. Impulses that it gave and got before stay; what it did afterwards is taken back, with all that it
//! touched since, so that no impulse is left without its opposite.

use std::collections::BTreeMap;

use crate::dynamics::matter::{BodyState, Rigid};
use crate::dynamics::touches::{TouchPoint, Touches};

/// An instant after an event, by the number of the event; 0 is the start of the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instant {
    pub event: u32,
    pub time: f64,
}

impl Instant {
    pub const START: Self = Self { event: 0, time: 0.0 };
}

/// Where a flight began.
#[derive(Debug, Clone, Copy)]
pub struct Leg {
    pub from: BodyState,
    pub start: f64,
}

/// A flight that ended with an event.
#[derive(Debug, Clone, Copy)]
struct Ended {
    event: u32,
    body: u32,
    leg: Leg,
}

/// Two bodies that touched.
#[derive(Debug, Clone, Copy)]
struct Touched {
    event: u32,
    pair: [u32; 2],
    point: Option<TouchPoint>,
}

/// The events of a step, the instants at which bodies were cut, and with which others.
#[derive(Debug, Default)]
pub struct Log {
    event: u32,
    ended: Vec<Ended>,
    touched: Vec<Touched>,
    /// How often a pair was struck.
    struck: BTreeMap<[u32; 2], u32>,
    cuts: Vec<Option<Instant>>,
    joined: Vec<[u32; 2]>,
}

impl Log {
    pub fn new(bodies: usize) -> Self {
        Self { cuts: vec![None; bodies], ..Self::default() }
    }

    /// Begins an event at a time.
    pub fn begin(&mut self, time: f64) -> Instant {
        self.event += 1;
        Instant { event: self.event, time }
    }

    pub fn cut(&self, body: u32) -> Option<Instant> {
        self.cuts[body as usize]
    }

    /// Notes a flight that ends with the present event.
    pub fn end(&mut self, body: u32, leg: Leg) {
        self.ended.push(Ended { event: self.event, body, leg });
    }

    /// Notes a point at which two bodies touched, or that they touched and no more.
    pub fn touch(&mut self, pair: [u32; 2], point: Option<TouchPoint>) {
        self.touched.push(Touched { event: self.event, pair, point });
    }

    /// Counts an event of a pair.
    pub fn count(&mut self, pair: [u32; 2]) -> u32 {
        let count = self.struck.entry(pair).or_insert(0);
        *count += 1;
        *count
    }

    /// Cuts bodies at an instant, or at that at which one of them or of those that they touched since is cut already.
    /// Returns the bodies whose flights change, each with the flight that it is on at the instant, if that is not its
    /// last; and the instant. `starts` says which bodies are cut at the start of the step or not at all.
    pub fn cut_at(
        &mut self,
        rigids: &[&Rigid],
        bodies: [u32; 2],
        mut at: Instant,
        starts: impl Fn(u32) -> bool,
    ) -> (Vec<(u32, Option<Leg>)>, Instant) {
        let members = loop {
            let members = self.members(rigids, bodies, at);
            let earliest = members
                .iter()
                .filter_map(|&i| self.cut(i))
                .fold(at, |a, b| if b.event < a.event { b } else { a });
            let earliest = if members.iter().any(|&i| starts(i)) { Instant::START } else { earliest };
            if earliest.event == at.event {
                break members;
            }
            at = earliest;
        };
        let changed: Vec<u32> =
            members.into_iter().filter(|&i| self.cut(i).is_none_or(|own| own.event > at.event)).collect();
        let legs = changed.iter().map(|&i| (i, self.leg(i, at))).collect();
        for &i in &changed {
            self.cuts[i as usize] = Some(at);
        }
        let is_changed = |i: u32| changed.contains(&i);
        if at.event < self.event {
            self.ended.retain(|ended| ended.event <= at.event || !is_changed(ended.body));
            self.touched
                .retain(|touched| touched.event <= at.event || !touched.pair.into_iter().any(is_changed));
        }
        self.joined.push(bodies);
        (legs, at)
    }

    /// The bodies that are cut with some: those that they touched after the instant, and those that were cut with
    /// them at a later one, with theirs.
    fn members(&self, rigids: &[&Rigid], bodies: [u32; 2], at: Instant) -> Vec<u32> {
        let is_dynamic = |i: &u32| rigids[*i as usize].is_dynamic();
        let mut members: Vec<u32> = bodies.into_iter().filter(is_dynamic).collect();
        let mut next = 0;
        while let Some(&i) = members.get(next) {
            next += 1;
            let moves = self.cut(i).is_some_and(|own| own.event > at.event);
            let after = self
                .touched
                .iter()
                .rev()
                .take_while(|touched| touched.event > at.event)
                .map(|touched| touched.pair);
            let mates = self.joined.iter().copied().filter(|_| moves);
            for other in after.chain(mates).filter(|pair| pair.contains(&i)).flatten() {
                if is_dynamic(&other) && !members.contains(&other) {
                    members.push(other);
                }
            }
        }
        members
    }

    /// The flight of a body at an instant, if it is not the one that it is on.
    fn leg(&self, body: u32, at: Instant) -> Option<Leg> {
        let later = |ended: &&Ended| ended.body == body && ended.event > at.event;
        self.ended
            .iter()
            .rev()
            .take_while(|ended| ended.event > at.event)
            .filter(later)
            .last()
            .map(|ended| ended.leg)
    }

    /// What touched.
    pub fn touches(self) -> Touches {
        let mut sums = BTreeMap::new();
        for Touched { pair, point, .. } in &self.touched {
            *sums.entry(*pair).or_insert(0.0) += point.map_or(0.0, |point| point.impulse);
        }
        let points = self.touched.iter().filter_map(|touched| touched.point).collect();
        Touches { pairs: sums.into_iter().collect(), points }
    }
}
