//! What sensors of a world know.

use std::collections::BTreeSet;

use crate::broad::Handle;
use crate::dynamics::matter::Rigid;
use crate::dynamics::touches::TouchPhase;

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
    /// What is in each, sorted: places of the sensor and of the body.
    pub inside: Vec<[u32; 2]>,
    /// Bodies that were put somewhere or changed since the last step.
    pub fresh: BTreeSet<u32>,
}

impl Sensors {
    /// A body was added, or changed otherwise than by a step.
    pub fn change(&mut self, slot: u32, rigid: &Rigid) {
        let known = self.slots.binary_search(&slot);
        match (known, rigid.is_here && rigid.given.sensor) {
            // What rests in a new sensor is found as one that moves is.
            (Err(place), true) => self.slots.insert(place, slot),
            (Ok(place), false) => {
                self.slots.remove(place);
                self.inside.retain(|[sensor, _]| *sensor != slot);
            }
            (Ok(_), true) | (Err(_), false) => {}
        }
        if !self.slots.is_empty() {
            self.fresh.insert(slot);
        }
    }

    /// A body was removed.
    pub fn forget(&mut self, slot: u32) {
        self.slots.retain(|own| *own != slot);
        self.inside.retain(|pair| !pair.contains(&slot));
        self.fresh.remove(&slot);
    }

    /// Those of a restored world, with what was in them and what had changed.
    pub fn restored(rigids: &[Rigid], inside: &[[u32; 2]], fresh: &[u32]) -> Self {
        let is_sensor = |rigid: &Rigid| rigid.is_here && rigid.given.sensor;
        let slots: Vec<u32> =
            (0..).zip(rigids).filter(|(_, rigid)| is_sensor(rigid)).map(|(slot, _)| slot).collect();
        Self { slots, inside: inside.to_vec(), fresh: fresh.iter().copied().collect() }
    }
}
