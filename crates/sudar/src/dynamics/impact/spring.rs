//! The spring of Dimitrijević 2019: bodies overlap, and forces in proportion to the depth push them apart.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use super::hit::{Hit, Struck};
use crate::broad::BroadError;
use crate::dynamics::matter::{Motion, Rigid, contacts};
use crate::dynamics::near::Near;
use crate::dynamics::room::{Depth, keep_inside};
use crate::dynamics::settings::Settings;
use crate::query::{Batch, Contact};
use crate::shape::Aabb;

/// Swings a second of the lightest body on one spring.
const FREQUENCY: f64 = 30.0;
/// Sub-steps of one step, at most; what is left is given up.
const MOST: f64 = 512.0;

/// What a step came to.
#[derive(Debug, Default)]
pub struct Sprung {
    /// Pairs that touched, with the sum of their normal impulses.
    pub touches: BTreeMap<[u32; 2], f64>,
    /// Time given up.
    pub dropped: f64,
}

/// The stiffness of a world that is given none.
pub fn default_stiffness(rigids: &[Rigid]) -> f64 {
    let lightest =
        rigids.iter().filter(|r| r.is_dynamic()).map(|r| r.inertia.mass).fold(f64::INFINITY, f64::min);
    let mass = if lightest.is_finite() { lightest } else { 1.0 };
    mass * (TAU * FREQUENCY) * (TAU * FREQUENCY)
}

/// Advances all bodies by a time: half a kick, a free flight, half a kick (Verlet 1967), in sub-steps short
/// against the swing of the lightest body and the time in which the fastest crosses a fifth of itself.
pub fn spring(
    rigids: &mut [Rigid],
    near: &mut Near,
    settings: &Settings,
    until: f64,
) -> Result<Sprung, BroadError> {
    let stiffness = settings.stiffness.unwrap_or_else(|| default_stiffness(rigids));
    let mut touching = touching(rigids, near)?;
    let crowd = crowd(rigids, &touching);
    let wanted = (until / longest(rigids, settings, stiffness * crowd)).ceil().max(1.0);
    let count = wanted.min(MOST);
    // Where that is not short enough the sub-steps stay short, and time is given up.
    let step = until / wanted;
    let mut impacts = Sprung { dropped: until - step * count, ..Sprung::default() };
    let forces = Springs { stiffness, damping: settings.damping, step };
    forces.kick(rigids, &touching, 0.5, &mut impacts);
    for i in 1..=count as u32 {
        let motions: Vec<Motion> = rigids.iter().map(|r| r.flight(settings.gravity).at(step)).collect();
        rigids.iter_mut().zip(motions).for_each(|(rigid, motion)| rigid.motion = motion);
        keep_inside(rigids, Depth::Most);
        let share = if f64::from(i) == count { 0.5 } else { 1.0 };
        touching = self::touching(rigids, near)?;
        forces.kick(rigids, &touching, share, &mut impacts);
    }
    Ok(impacts)
}

/// A pair that touches, with its contacts.
type Touching = ([u32; 2], Vec<Contact>);

/// The pairs that touch.
fn touching(rigids: &[Rigid], near: &mut Near) -> Result<Vec<Touching>, BroadError> {
    let boxes: Vec<Aabb> = rigids.iter().map(|r| r.given.body.bounds(&r.pose())).collect();
    let pairs = near.pairs(rigids, &boxes)?;
    let touch = |&[i, j]: &[u32; 2]| {
        let (a, b) = (&rigids[i as usize], &rigids[j as usize]);
        contacts(a, &a.motion, b, &b.motion, 0.0)
    };
    let found: Vec<Vec<Contact>> = if pairs.len() < 64 {
        pairs.iter().map(touch).collect()
    } else {
        Batch::default().each(&pairs, |_, pair| touch(pair)).answers
    };
    Ok(pairs.into_iter().zip(found).filter(|(_, contacts)| !contacts.is_empty()).collect())
}

/// How many springs push one body at most, at least as many as a face has corners.
fn crowd(rigids: &[Rigid], touching: &[Touching]) -> f64 {
    let mut counts = vec![0; rigids.len()];
    for (pair, contacts) in touching {
        pair.iter().for_each(|&i| counts[i as usize] += contacts.len());
    }
    counts.into_iter().fold(4, usize::max) as f64
}

/// The longest sub-step, given the stiffness of all springs on one body together.
fn longest(rigids: &[Rigid], settings: &Settings, stiffness: f64) -> f64 {
    let free = || rigids.iter().filter(|r| r.is_dynamic());
    let lightest = free().map(|r| r.inertia.mass).fold(f64::INFINITY, f64::min);
    let swing = 0.2 / (stiffness / lightest).sqrt();
    let damped = 0.5 * lightest / (4.0 * settings.damping).max(f64::MIN_POSITIVE);
    let crossing = rigids.iter().filter(|r| r.radius.is_finite() && r.moves()).map(|r| {
        let flight = r.flight(settings.gravity);
        let speed = r.motion.velocity.length() + flight.push() * 0.02 + flight.angular_speed(0.02) * r.radius;
        0.2 * r.radius / speed
    });
    crossing.fold(swing.min(damped), f64::min)
}

struct Springs {
    stiffness: f64,
    damping: f64,
    step: f64,
}

impl Springs {
    /// Pushes what touches by a share of a sub-step.
    fn kick(&self, rigids: &mut [Rigid], touching: &[Touching], share: f64, impacts: &mut Sprung) {
        let before: Vec<Motion> = rigids.iter().map(|rigid| rigid.motion).collect();
        for (pair, contacts) in touching {
            let impulse = contacts.iter().map(|c| self.push(rigids, &before, *pair, c, share)).sum::<f64>();
            *impacts.touches.entry(*pair).or_insert(0.0) += impulse;
        }
    }

    fn push(
        &self,
        rigids: &mut [Rigid],
        before: &[Motion],
        pair: [u32; 2],
        contact: &Contact,
        share: f64,
    ) -> f64 {
        let [i, j] = pair.map(|k| k as usize);
        let mut list = [(0, i), (0, j)].map(|(slot, k)| Struck::new(slot, &rigids[k], rigids[k].motion));
        let middle = (contact.point_a + contact.point_b) * 0.5;
        let parting = (before[j].velocity_at(middle) - before[i].velocity_at(middle)).dot(contact.normal);
        let force = (self.stiffness * contact.depth.max(0.0) - self.damping * parting).max(0.0);
        let pull = rigids[i].adhesion(&rigids[j]);
        let impulse = (force - pull) * self.step * share;
        let hit = Hit {
            bodies: [0, 1],
            point: middle,
            normal: contact.normal,
            restitution: 0.0,
            friction: 0.0,
            depth: contact.depth,
            impulse,
        };
        hit.push(&mut list, contact.normal * impulse);
        (rigids[i].motion, rigids[j].motion) = (list[0].motion, list[1].motion);
        impulse
    }
}
