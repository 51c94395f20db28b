//! Mechanisms that touch something: solved between the iterations over contacts.

use super::crew::WORLD;
use super::gang::{Gang, Sub};
use crate::dynamics::matter::Rigid;
use crate::dynamics::solver::bodies::{Flying, Twist};

/// Mechanisms side by side, and where their bodies are in a part of the heap that contacts press.
#[derive(Clone)]
pub struct Linked {
    pub gang: Gang,
    /// Places in the crew and in the part of the bodies that impulses move.
    slots: Vec<[usize; 2]>,
    sub: Sub,
}

/// Bodies of a part, by slot: their velocities, what these would be without contacts, how far the bodies came and how
/// they are turned.
pub struct Crowd<'p> {
    pub speeds: &'p mut [Twist],
    pub bases: &'p mut [Twist],
    pub shifts: &'p mut [Twist],
    pub flying: &'p mut [Flying],
}

impl std::fmt::Debug for Linked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Linked").field("slots", &self.slots).finish_non_exhaustive()
    }
}

impl Linked {
    /// At the start of a step whose sub-steps have this length.
    pub fn new(mut gang: Gang, rigids: &[Rigid], slot: impl Fn(u32) -> Option<usize>, step: f64) -> Self {
        gang.begin(rigids, step);
        let slots = gang.crew.names.iter().enumerate();
        let slots = slots.filter(|(_, name)| **name != WORLD);
        let slots = slots.filter_map(|(k, name)| Some([k, slot(*name)?])).collect();
        Self { gang, slots, sub: Sub { step, span: step } }
    }

    /// Where its bodies are in the part.
    pub fn slots(&self) -> impl Iterator<Item = usize> {
        self.slots.iter().map(|[_, slot]| *slot)
    }

    /// At the start of a sub-step.
    pub fn begin(&mut self) {
        self.gang.note();
        self.gang.forget();
    }

    /// Makes velocities such that joints hold at the end of the sub-step.
    pub fn press(&mut self, crowd: &mut Crowd) {
        self.with(crowd, |gang, sub| gang.tame(sub, Gang::press));
    }

    /// Moves bodies by the sub-step.
    pub fn advance(&mut self, crowd: &mut Crowd, rigids: &[Rigid]) {
        self.with(crowd, Gang::advance_calmly);
        self.gang.forget();
        for &[k, slot] in &self.slots {
            let (place, start) = (self.gang.crew.place(k), &rigids[self.gang.crew.names[k] as usize].motion);
            crowd.flying[slot].rotation = place.rotation;
            crowd.shifts[slot] = crowd.flying[slot].shift(place.center - start.center, start.rotation);
        }
    }

    /// Makes velocities such that joints go on to hold.
    pub fn keep(&mut self, crowd: &mut Crowd) {
        self.with(crowd, |gang, sub| gang.tame(sub, Gang::keep));
    }

    /// The same for velocities of all bodies of the world.
    pub fn keep_all(&mut self, speeds: &mut [Twist]) {
        let names = self.gang.crew.names.clone();
        for &[k, _] in &self.slots {
            self.gang.crew.set_speed(k, &speeds[names[k] as usize]);
        }
        self.gang.tame(self.sub, Gang::keep);
        for &[k, _] in &self.slots {
            speeds[names[k] as usize] = self.gang.crew.speed(k);
        }
        self.gang.note();
    }

    /// Lends the velocities of the part to the gang. What joints change of them, contacts do not carry on.
    fn with(&mut self, crowd: &mut Crowd, work: fn(&mut Gang, Sub)) {
        for &[k, slot] in &self.slots {
            self.gang.crew.set_speed(k, &crowd.speeds[slot]);
        }
        work(&mut self.gang, self.sub);
        for &[k, slot] in &self.slots {
            let (after, speed) = (self.gang.crew.speed(k), &mut crowd.speeds[slot]);
            (0..6).for_each(|i| crowd.bases[slot][i] += after[i] - speed[i]);
            *speed = after;
        }
    }
}
