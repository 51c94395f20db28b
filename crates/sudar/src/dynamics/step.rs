//! What a response advances a world with.

use std::collections::BTreeMap;

use super::error::DynamicsError;
use super::impact::{
    Cluster, ImpactBody, ImpactContact, ImpactGroup, ImpactLaw, advance, reserved_boxes, spot,
};
use super::matter::{BodyState, Rigid, contacts};
use super::near::Near;
use super::response::{Step, StepBody, TouchingPair};
use super::room::{Depth, keep_inside};
use super::settings::Settings;
use super::solver::{Solver, islands};
use super::stage::{Movers, Stage};
use super::touches::{TouchPoint, Touches, merge};
use crate::broad::BroadError;
use crate::query::{Batch, BoxIndex, Contact};
use crate::shape::Aabb;

/// The bodies of a world in the midst of a step.
pub struct Stepper<'w> {
    pub rigids: &'w mut [Rigid],
    pub near: &'w mut Near,
    pub solver: &'w mut Solver,
    pub settings: &'w Settings,
    /// Over the bodies with an end, for searches; and those that move.
    pub index: &'w mut BoxIndex,
    pub movers: &'w mut Movers,
    pub seconds: f64,
    /// The number of the step.
    pub number: u64,
    pub done: Done,
}

/// What a step, or a part of one, came to.
#[derive(Debug, Default)]
pub struct Done {
    pub touches: Touches,
    /// Time given up.
    pub dropped: f64,
    /// The most time for which the solver stopped a body.
    pub stopped: f64,
    /// Whether bodies that go from contact to contact had contacts that last.
    pub rests: bool,
    /// Whether all bodies were looked at, and not only those that move and what is near.
    pub all: bool,
}

impl Step for Stepper<'_> {
    fn seconds(&self) -> f64 {
        self.seconds
    }

    fn count(&self) -> u32 {
        self.rigids.len() as u32
    }

    fn body(&self, number: u32) -> StepBody<'_> {
        StepBody { rigid: &self.rigids[number as usize], gravity: self.settings.gravity }
    }

    fn solve(&mut self) -> Result<(), DynamicsError> {
        let few = if self.done.all { None } else { self.stage().solve() };
        let done = if let Some(done) = few {
            done
        } else {
            self.done.all = true;
            self.rigids
                .iter_mut()
                .filter(|rigid| rigid.is_dynamic())
                .for_each(|rigid| rigid.mark(self.number));
            let Self { rigids, near, solver, settings, seconds, .. } = self;
            let done = solver.advance(rigids, near, (settings, None), *seconds);
            done.map_err(|error| blame(rigids, &error))?
        };
        self.done.touches.merge(done.touches);
        self.done.stopped = self.done.stopped.max(done.stopped);
        Ok(())
    }

    fn collide(&mut self, law: &dyn ImpactLaw) -> Result<(), DynamicsError> {
        self.done.all = true;
        let Self { rigids, near, settings, seconds, .. } = self;
        let all: Vec<&Rigid> = rigids.iter().collect();
        let boxes = reserved_boxes(&all, settings, *seconds);
        let pairs = near.pairs(rigids, &boxes).map_err(|error| blame(rigids, &error))?;
        let watch = near.watch;
        let done = near.narrow(|_| advance(&all, &pairs, boxes, (settings, law, watch), *seconds));
        near.work.narrow_seconds -= done.struck_seconds;
        let rests = done.ends.iter().any(|end| end.left > 0.0);
        for (rigid, end) in rigids.iter_mut().zip(&done.ends) {
            rigid.slow_for = if end.left > 0.0 { 1.0 } else { 0.0 };
            // The solver moves kinematic bodies itself.
            if rigid.moves() && (rigid.is_dynamic() || !rests) {
                (rigid.motion, rigid.left) = (end.motion, end.left);
            }
        }
        self.done.touches.merge(done.touches);
        self.done.rests |= rests;
        keep_inside(rigids, Depth::Little);
        if rests {
            let solved = self.solver.advance(rigids, near, (settings, Some(law)), *seconds);
            let solved = solved.map_err(|error| blame(rigids, &error))?;
            self.done.touches.merge(solved.touches);
            for (rigid, end) in rigids.iter_mut().zip(&done.ends) {
                rigid.slow_for = if end.left > 0.0 { 1.0 } else { 0.0 };
            }
        }
        Ok(())
    }

    fn fly(&mut self, seconds: f64) {
        self.done.all = true;
        let gravity = self.settings.gravity;
        let motions: Vec<BodyState> = self.rigids.iter().map(|r| r.flight(gravity).at(seconds)).collect();
        self.rigids.iter_mut().zip(motions).for_each(|(rigid, motion)| rigid.motion = motion);
    }

    fn keep_inside(&mut self) {
        self.done.all = true;
        keep_inside(self.rigids, Depth::Most);
    }

    fn set_motion(&mut self, number: u32, motion: BodyState) {
        self.done.all = true;
        self.rigids[number as usize].motion = motion;
    }

    fn respond(&mut self, law: &dyn ImpactLaw, touching: &[TouchingPair]) {
        self.done.all = true;
        let islands = islands(self.rigids, touching.iter().map(|pair| pair.bodies));
        let mut groups: BTreeMap<u32, Vec<&TouchingPair>> = BTreeMap::new();
        for (number, pair) in (0..).zip(touching) {
            // Two bodies that do not yield are no matter of the law.
            let yields = pair.bodies.iter().find(|&&i| self.rigids[i as usize].is_dynamic());
            if let Some(&body) = yields {
                let group = if law.takes_together() { islands[body as usize] } else { number };
                groups.entry(group).or_default().push(pair);
            }
        }
        self.strike_all(law, &groups);
    }

    fn touching(&mut self) -> Result<Vec<TouchingPair>, DynamicsError> {
        let Self { rigids, near, .. } = self;
        let boxes: Vec<Aabb> = rigids.iter().map(|r| r.given.body.bounds(&r.pose())).collect();
        let pairs = near.pairs(rigids, &boxes).map_err(|error| blame(rigids, &error))?;
        let touch = |&[i, j]: &[u32; 2]| {
            let (a, b) = (&rigids[i as usize], &rigids[j as usize]);
            contacts(a, &a.motion, b, &b.motion, 0.0)
        };
        let all = || {
            if pairs.len() < 64 {
                return pairs.iter().map(touch).collect();
            }
            Batch::default().each(&pairs, |_, pair| touch(pair)).answers
        };
        let found: Vec<Vec<Contact>> = near.narrow(|_| all());
        let pairs = pairs.into_iter().zip(found).map(|(bodies, contacts)| TouchingPair { bodies, contacts });
        Ok(pairs.filter(|pair| !pair.contacts.is_empty()).collect())
    }

    fn adhesion(&self, [i, j]: [u32; 2]) -> f64 {
        self.rigids[i as usize].surface().adhesion(&self.rigids[j as usize].surface())
    }

    fn push(&mut self, pair: [u32; 2], contact: &Contact, impulse: f64) {
        self.done.all = true;
        let [i, j] = pair.map(|k| k as usize);
        let mut list = [i, j].map(|k| ImpactBody::of(0, &self.rigids[k], self.rigids[k].motion));
        let hit = ImpactContact {
            bodies: [0, 1],
            point: (contact.point_a + contact.point_b) * 0.5,
            normal: contact.normal,
            restitution: 0.0,
            friction: 0.0,
            depth: contact.depth,
            impulse,
        };
        hit.push(&mut list, contact.normal * impulse);
        (self.rigids[i].motion, self.rigids[j].motion) = (list[0].motion, list[1].motion);
        self.done.touches.points.push(TouchPoint { point: hit.point, normal: hit.normal, impulse, pair });
    }

    fn report(&mut self, touches: Vec<([u32; 2], f64)>) {
        merge(&mut self.done.touches.pairs, touches);
    }

    fn give_up(&mut self, seconds: f64) {
        self.done.dropped += seconds;
    }
}

/// The broad phase refuses boxes only of bodies that left the range of numbers.
fn blame(rigids: &[Rigid], error: &BroadError) -> DynamicsError {
    let lost = rigids.iter().find(|rigid| !rigid.motion.is_finite());
    let body = lost.map_or_else(|| error.to_string(), |rigid| rigid.given.name.clone());
    DynamicsError::OutOfRange { body }
}

impl Stepper<'_> {
    fn stage(&mut self) -> Stage<'_> {
        Stage {
            rigids: self.rigids,
            near: self.near,
            solver: self.solver,
            settings: self.settings,
            index: self.index,
            movers: self.movers,
            seconds: self.seconds,
            number: self.number,
        }
    }

    /// Strikes group after group, and reports.
    fn strike_all(&mut self, law: &dyn ImpactLaw, groups: &BTreeMap<u32, Vec<&TouchingPair>>) {
        let (mut pairs, mut points) = (BTreeMap::new(), Vec::new());
        for group in groups.values() {
            for point in self.strike(law, group).struck() {
                *pairs.entry(point.pair).or_insert(0.0) += point.impulse;
                points.push(point);
            }
        }
        self.done.touches.merge(Touches { pairs: pairs.into_iter().collect(), points });
    }

    /// Lets a law change the motions of bodies that touch each other.
    fn strike(&mut self, law: &dyn ImpactLaw, pairs: &[&TouchingPair]) -> Cluster {
        let mut cluster = Cluster::default();
        for TouchingPair { bodies, contacts } in pairs {
            let rigids = bodies.map(|i| &self.rigids[i as usize]);
            cluster.join(
                *bodies,
                rigids,
                rigids.map(|rigid| rigid.motion),
                contacts.iter().map(spot).collect(),
            );
        }
        let quiet = cluster.quiet();
        let Cluster { list, hits, .. } = &mut cluster;
        law.strike(&mut ImpactGroup { bodies: list, contacts: hits, quiet, remaining: 0.0, band: 0.0 });
        for body in list.iter().filter(|body| body.changed) {
            self.rigids[body.slot as usize].motion = body.motion;
        }
        cluster
    }
}
