//! Bodies in flight that strike each other: advanced from contact to contact, to the instant.
//!
//! The contacts of a step are found at its start, and their normals and places are those of that time. Of
//! what comes fast and touches nothing yet they are off by as much as the bodies turn about each other until
//! they meet. Where such bodies touch nothing else, they go by [`impact`](crate::dynamics::impact) instead, until their
//! contacts last: the rest of the step is the solver's.

use super::clip::encloses;
use super::contacts::{Contacts, Pair};
use super::islands::root;
use super::joints::Joints;
use super::stance::Stance;
use crate::broad::BoxTree;
use crate::dynamics::impact::{SequentialImpulses, advance};
use crate::dynamics::matter::Rigid;
use crate::dynamics::near::reaches;
use crate::dynamics::settings::Settings;
use crate::dynamics::touches::{TouchPoint, Touches};
use crate::dynamics::work::Watch;
use crate::pair::aabb_aabb;
use crate::shape::Aabb;

/// Gaps below which bodies touch, relative to the smaller one.
const CLOSED: f64 = 1e-3;

/// Advances such bodies to the end of the step and marks them; returns the pairs that touched, and where bodies went
/// that left the box that they had to themselves.
pub fn strike(
    rigids: &mut [Rigid],
    (contacts, joints): (&Contacts, &Joints),
    settings: &Settings,
    until: f64,
) -> (Touches, Vec<Aabb>) {
    let Some(mut strikes) = candidates(rigids, contacts, settings, until) else { return Default::default() };
    // What joints hold does not fly on its own.
    for &body in joints.bodies() {
        strikes.set(rigids, body as usize, false);
    }
    let known = contacts.pairs.iter().map(|pair| pair.bodies);
    let pairs: Vec<[u32; 2]> =
        known.filter(|pair| pair.iter().any(|&i| strikes.has(rigids, i as usize))).collect();
    let mut slots: Vec<u32> = pairs.iter().flatten().copied().collect();
    slots.sort_unstable();
    slots.dedup();
    let place = |i: u32| slots.binary_search(&i).unwrap_or_default() as u32;
    let local: Vec<[u32; 2]> = pairs.iter().map(|pair| pair.map(place)).collect();
    let boxes: Vec<Aabb> = slots.iter().map(|&i| contacts.stances[i as usize].reserved).collect();
    let chosen: Vec<&Rigid> = slots.iter().map(|&i| &rigids[i as usize]).collect();
    let done = advance(&chosen, &local, boxes, (settings, &SequentialImpulses, Watch::default()), until);
    let slots = slots.into_iter().map(|i| i as usize);
    let spaces: Vec<(Aabb, u32)> =
        slots.clone().zip(&done.ends).map(|(i, end)| (end.space, i as u32)).collect();
    let strayed = strikes.give_up_strays(rigids, contacts, &spaces);
    let mut counts = vec![false; rigids.len()];
    for (i, end) in slots.clone().zip(&done.ends) {
        if strikes.has(rigids, i) {
            (rigids[i].motion, rigids[i].left, counts[i]) = (end.motion, end.left, true);
        }
    }
    let numbers: Vec<u32> = slots.map(|i| i as u32).collect();
    let global = |pair: [u32; 2]| pair.map(|k| numbers[k as usize]);
    let counts = |pair: &[u32; 2]| pair.iter().any(|&i| counts[i as usize]);
    let pairs = done.touches.pairs.into_iter().map(|(pair, sum)| (global(pair), sum));
    let points =
        done.touches.points.into_iter().map(|point| TouchPoint { pair: global(point.pair), ..point });
    let touches = Touches {
        pairs: pairs.filter(|(pair, _)| counts(pair)).collect(),
        points: points.filter(|point| counts(&point.pair)).collect(),
    };
    (touches, strayed)
}

/// Which heaps of bodies near each other go from impact to impact.
struct Strikes {
    /// The least body of the heap of each.
    heaps: Vec<u32>,
    strikes: Vec<bool>,
}

impl Strikes {
    fn has(&self, rigids: &[Rigid], i: usize) -> bool {
        rigids[i].is_dynamic() && self.strikes[self.heaps[i] as usize]
    }

    fn set(&mut self, rigids: &[Rigid], i: usize, strikes: bool) {
        if rigids[i].is_dynamic() {
            self.strikes[self.heaps[i] as usize] = strikes;
        }
    }
}

impl Strikes {
    /// Leaves heaps to the solver of which a body left the box that it had to itself, and may have met another heap;
    /// returns where such bodies went.
    fn give_up_strays(&mut self, rigids: &[Rigid], contacts: &Contacts, spaces: &[(Aabb, u32)]) -> Vec<Aabb> {
        let reserved = |i: u32| &contacts.stances[i as usize].reserved;
        let is_stray =
            |(space, i): &&(Aabb, u32)| rigids[*i as usize].is_dynamic() && !encloses(reserved(*i), space);
        let strays: Vec<(Aabb, u32)> = spaces.iter().filter(is_stray).copied().collect();
        if strays.is_empty() {
            return Vec::new();
        }
        let ways = BoxTree::build(strays.clone());
        let mut met: Vec<u32> = Vec::new();
        let mut look = |space: &Aabb, j: u32| {
            ways.search(
                |way| aabb_aabb(way, space),
                |i| {
                    let is_other = self.heaps[i as usize] != self.heaps[j as usize];
                    if is_other && rigids[i as usize].meets(&rigids[j as usize]) && !is_known(contacts, i, j)
                    {
                        met.extend([i, j]);
                    }
                },
            );
        };
        spaces.iter().for_each(|(space, j)| look(space, *j));
        let is_plane = |j: &u32| rigids[*j as usize].plane().is_some();
        (0..rigids.len() as u32).filter(|j| !is_plane(j)).for_each(|j| look(reserved(j), j));
        for (j, (space, i)) in
            (0..rigids.len() as u32).filter(is_plane).flat_map(|j| strays.iter().map(move |stray| (j, stray)))
        {
            let (plane, stray) = (&rigids[j as usize], &rigids[*i as usize]);
            if stray.meets(plane) && !is_known(contacts, *i, j) && reaches(plane, space) {
                met.push(*i);
            }
        }
        met.into_iter().for_each(|i| self.set(rigids, i as usize, false));
        strays.into_iter().map(|(space, _)| space).collect()
    }
}

/// Whether a pair was near at the start, so that it was looked after.
fn is_known(contacts: &Contacts, i: u32, j: u32) -> bool {
    let bodies = [i.min(j), i.max(j)];
    contacts.pairs.binary_search_by(|pair| pair.bodies.cmp(&bodies)).is_ok()
}

/// Heaps with a pair that comes fast, and none that touches; none if there is no such pair.
fn candidates(rigids: &[Rigid], contacts: &Contacts, settings: &Settings, until: f64) -> Option<Strikes> {
    let slow = 2.0 * settings.gravity.length() * until;
    // The solver closes gaps within the sub-step after which they would be closed.
    let soon = [until, until * (1.0 + 1.0 / f64::from(settings.substeps))];
    let comes = |pair: &Pair| comes_fast(rigids, &contacts.stances, pair, slow, soon);
    let fast: Vec<bool> = contacts.pairs.iter().map(comes).collect();
    if !fast.contains(&true) {
        return None;
    }
    let mut strikes = Strikes { heaps: heaps(rigids, contacts), strikes: vec![false; rigids.len()] };
    let mut mark = |pair: &Pair, strike: bool| {
        pair.bodies.into_iter().for_each(|i| strikes.set(rigids, i as usize, strike));
    };
    let pairs = || contacts.pairs.iter().zip(&fast);
    pairs().filter(|(_, fast)| **fast).for_each(|(pair, _)| mark(pair, true));
    let held = pairs().filter(|(pair, fast)| holds(rigids, &contacts.stances, pair, **fast));
    held.for_each(|(pair, _)| mark(pair, false));
    Some(strikes)
}

/// The least body of those that are near each other, of each.
fn heaps(rigids: &[Rigid], contacts: &Contacts) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..rigids.len() as u32).collect();
    for pair in contacts.pairs.iter().map(|pair| pair.bodies) {
        if pair.iter().all(|&i| rigids[i as usize].is_dynamic()) {
            let [a, b] = pair.map(|i| root(&mut parent, i));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    (0..rigids.len() as u32).map(|i| root(&mut parent, i)).collect()
}

/// Whether a pair touches, sticks or sleeps, and needs the solver.
fn holds(rigids: &[Rigid], stances: &[Stance], pair: &Pair, comes_fast: bool) -> bool {
    let [a, b] = pair.bodies.map(|i| &rigids[i as usize]);
    let sleeps = a.asleep || b.asleep;
    let touches = pair.gap <= CLOSED * size(stances, pair) && !comes_fast;
    let [s, t] = pair.bodies.map(|i| &stances[i as usize].surface);
    sleeps || s.adhesion(t) > 0.0 || s.is_soft(t) || touches
}

fn size(stances: &[Stance], pair: &Pair) -> f64 {
    let [a, b] = pair.bodies.map(|i| stances[i as usize].radius);
    a.min(b)
}

/// Whether a pair that does not touch may do so in the step, faster than forces bring about in it.
fn comes_fast(rigids: &[Rigid], stances: &[Stance], pair: &Pair, slow: f64, [until, soon]: [f64; 2]) -> bool {
    let [a, b] = pair.bodies.map(|i| &stances[i as usize]);
    let (reach, gap) = (a.reach + b.reach, pair.gap);
    if a.speed + b.speed <= slow {
        return false;
    }
    // Where the last step ended just at the contact.
    if gap <= 0.0 {
        return gap > -CLOSED * size(stances, pair) && approaches(rigids, stances, pair, slow, soon);
    }
    // Contacts are looked for no farther than the margin.
    let far = if gap.is_finite() { gap } else { a.margin(b) };
    let turns = pair.bodies.iter().any(|&i| rigids[i as usize].turns());
    far * until < reach * soon
        && (turns || gap.is_infinite() || approaches(rigids, stances, pair, slow, soon))
}

/// Whether contacts that do not turn close so fast.
fn approaches(rigids: &[Rigid], stances: &[Stance], pair: &Pair, slow: f64, until: f64) -> bool {
    let [i, j] = pair.bodies.map(|i| i as usize);
    let (a, b) = (&rigids[i], &rigids[j]);
    pair.patches.iter().any(|patch| {
        let normal = stances[i].pose.rotation() * patch.normal;
        patch.points().iter().any(|point| {
            let at = stances[i].center + point.arm;
            let speed = (a.motion.velocity_at(at) - b.motion.velocity_at(at)).dot(normal);
            speed > slow && speed * until > point.gap
        })
    })
}
