//! What sensors of a world know.

use std::collections::BTreeSet;

use glam::{DQuat, DVec3};

use crate::broad::Handle;
use crate::dynamics::matter::{BodyState, Rigid, swept};
use crate::dynamics::touches::TouchPhase;
use crate::shape::Aabb;

/// A body in a sensor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sensed {
    /// The sensor.
    pub sensor: Handle,
    /// The body.
    pub body: Handle,
    /// Whether it came in, stays or has left.
    pub phase: TouchPhase,
    /// When it came in, as seconds since the start of the step; else the end of the step.
    pub time: f64,
}

/// What sensors of a world know.
#[derive(Debug, Clone, Default)]
pub struct Sensors {
    /// Their places, sorted.
    pub slots: Vec<u32>,
    /// The places of those with a field.
    pub fields: Vec<u32>,
    /// What is in each, sorted: places of the sensor and of the body.
    pub inside: Vec<[u32; 2]>,
    /// Bodies that were put somewhere or changed since the last step.
    pub fresh: BTreeSet<u32>,
    /// What is known of each body about sensors that stand still, by its place. Nothing here changes an answer.
    pub watches: Vec<Watch>,
}

/// What is known of a body about sensors that stand still, as long as it stays near where it was.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    center: DVec3,
    slack: f64,
    pub near: Vec<Known>,
}

/// What is known of a body and a sensor near it.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    pub sensor: u32,
    /// Where the body was, and how far its points may go from there for what was found to stay so.
    at: (DVec3, DQuat),
    margin: f64,
}

/// How far a point of a body goes at most from one place to another on the shortest way.
pub fn way(radius: f64, from: &BodyState, to: &BodyState) -> f64 {
    way_from(radius, (from.center, from.rotation), to)
}

fn way_from(radius: f64, (center, p): (DVec3, DQuat), to: &BodyState) -> f64 {
    let q = to.rotation;
    let turn = (p - q).length().min((p + q).length());
    // An angle is at most π/2 times its chord, and half of it is that of the quaternions.
    (to.center - center).length() + std::f64::consts::PI * turn * radius
}

impl Watch {
    /// Follows a body that was elsewhere before a step; shows the sensors near it for which that may change something.
    /// `near` finds those in a region.
    pub fn follow(
        &mut self,
        rigid: &Rigid,
        from: &BodyState,
        near: impl FnOnce(&Aabb) -> Vec<u32>,
    ) -> impl Iterator<Item = u32> {
        let (radius, to) = (rigid.radius, &rigid.motion);
        if !self.holds(from.center, to.center) {
            (self.center, self.slack) = (to.center, 0.5 * radius + 2.0 * (to.center - from.center).length());
            let near = near(&swept(rigid, [to.center; 2], self.slack));
            let old = std::mem::take(&mut self.near);
            let known = |sensor| old.iter().find(|known| known.sensor == sensor).copied();
            self.near = near
                .into_iter()
                .map(|sensor| known(sensor).unwrap_or_else(|| Known::nothing(sensor)))
                .collect();
        }
        let moved = if self.near.is_empty() { 0.0 } else { way(radius, from, to) };
        self.near.iter().filter(move |known| !known.lasts(radius, from, moved)).map(|known| known.sensor)
    }

    /// Whether a body on its way from one centre to another is where sensors near it are known.
    fn holds(&self, from: DVec3, to: DVec3) -> bool {
        let most = self.slack * self.slack;
        (from - self.center).length_squared() < most && (to - self.center).length_squared() < most
    }
}

impl Known {
    fn nothing(sensor: u32) -> Self {
        Self { sensor, at: (DVec3::ZERO, DQuat::IDENTITY), margin: -1.0 }
    }

    /// Whether the body certainly stays in the sensor or out of it, as it was, on its way in a step of a length.
    fn lasts(&self, radius: f64, from: &BodyState, step: f64) -> bool {
        let gone = way_from(radius, self.at, from) + step;
        gone < self.margin * (1.0 - 1e-6) - 1e-9 * radius
    }

    /// What was found of a body where it is now.
    pub fn found(&mut self, at: &BodyState, margin: f64) {
        (self.at, self.margin) = ((at.center, at.rotation), margin);
    }
}

impl Sensors {
    /// A body was added, or changed otherwise than by a step.
    pub fn change(&mut self, slot: u32, rigid: &Rigid) {
        let known = self.slots.binary_search(&slot);
        if known.is_ok() || rigid.given.sensor {
            self.watches.clear();
        } else if let Some(watch) = self.watches.get_mut(slot as usize) {
            *watch = Watch::default();
        }
        match (known, rigid.is_here && rigid.given.sensor) {
            // What rests in a new sensor is found as one that moves is.
            (Err(place), true) => self.slots.insert(place, slot),
            (Ok(place), false) => {
                self.slots.remove(place);
                self.inside.retain(|[sensor, _]| *sensor != slot);
            }
            (Ok(_), true) | (Err(_), false) => {}
        }
        self.fields.retain(|own| *own != slot);
        if rigid.is_here && rigid.given.field.is_some() {
            self.fields.push(slot);
            self.fields.sort_unstable();
        }
        if !self.slots.is_empty() {
            self.fresh.insert(slot);
        }
    }

    /// A body was removed.
    pub fn forget(&mut self, slot: u32) {
        self.slots.retain(|own| *own != slot);
        self.fields.retain(|own| *own != slot);
        self.inside.retain(|pair| !pair.contains(&slot));
        self.fresh.remove(&slot);
        self.watches.clear();
    }

    /// Those of a restored world, with what was in them and what had changed.
    pub fn restored(rigids: &[Rigid], inside: &[[u32; 2]], fresh: &[u32]) -> Self {
        let is_sensor = |rigid: &Rigid| rigid.is_here && rigid.given.sensor;
        let slots: Vec<u32> =
            (0..).zip(rigids).filter(|(_, rigid)| is_sensor(rigid)).map(|(slot, _)| slot).collect();
        let has_field = |slot: &u32| rigids[*slot as usize].given.field.is_some();
        Self {
            fields: slots.iter().copied().filter(has_field).collect(),
            slots,
            inside: inside.to_vec(),
            fresh: fresh.iter().copied().collect(),
            watches: Vec::new(),
        }
    }
}
