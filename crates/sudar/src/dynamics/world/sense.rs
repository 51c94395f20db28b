//! Sensors: what comes into them and leaves them.

use std::collections::BTreeSet;

use super::World;
use super::sensors::Sensed;
use crate::broad::Handle;
use crate::dynamics::DynamicsError;
use crate::dynamics::matter::{BodyType, Rigid, swept};
use crate::dynamics::touches::TouchPhase;
use crate::many::Standing;
use crate::motion::Motion;
use crate::query::{SweepOptions, intersects, sweep};
use crate::shape::Aabb;

/// Distance at which a body is in a sensor on its way, in metres.
const REACH: f64 = 1e-9;

/// The space that a sensor takes in a step.
fn space(sensor: &Rigid, step: u64) -> Aabb {
    let now = sensor.given.body.bounds(&sensor.pose());
    let moved = sensor.stepped == step && sensor.before != sensor.motion;
    if moved { now.union(sensor.given.body.bounds(&sensor.pose_of(&sensor.before))) } else { now }
}

/// When two first touched in a step, as a share of it.
fn first_touch(both: [&Rigid; 2], step: u64) -> Option<f64> {
    let motions = both.map(|rigid| {
        let now = rigid.pose();
        let moved = rigid.stepped == step;
        if moved { Motion::between(&rigid.pose_of(&rigid.before), &now) } else { Motion::still(&now) }
    });
    let [a, b] = [0, 1].map(|k| both[k].given.body.moving(&motions[k]));
    sweep(a, b, &SweepOptions::within(REACH)).impact().map(|impact| impact.time.upper)
}

fn touch(both: [&Rigid; 2]) -> bool {
    let poses = both.map(Rigid::pose);
    intersects(both[0].given.body.at(&poses[0]), both[1].given.body.at(&poses[1])).is_touching()
}

/// Whether a sensor is about a body: not another sensor, nor where neither can move.
fn senses(sensor: &Rigid, body: &Rigid) -> bool {
    let is_static = |rigid: &Rigid| rigid.given.kind == BodyType::Static;
    let is_out = body.is_wall || body.given.sensor || is_static(sensor) && is_static(body);
    body.is_here && !is_out && sensor.given.filter.accepts(body.given.filter)
}

impl World {
    /// The bodies that are in a sensor since the last step, by their numbers.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`].
    pub fn inside(&self, sensor: Handle) -> Result<Vec<Handle>, DynamicsError> {
        let slot = self.slot(sensor)? as u32;
        Ok(self.slots_inside(slot).into_iter().map(|slot| self.id(slot as usize)).collect())
    }

    /// The places of the bodies in a sensor.
    fn slots_inside(&self, sensor: u32) -> Vec<u32> {
        let from = self.sensors.inside.partition_point(|pair| pair[0] < sensor);
        let own = self.sensors.inside[from..].iter().take_while(|pair| pair[0] == sensor);
        own.map(|pair| pair[1]).collect()
    }

    /// Wakes what is in a sensor.
    pub(super) fn rouse_inside(&mut self, sensor: u32) {
        self.slots_inside(sensor).into_iter().for_each(|slot| self.rouse(slot as usize));
    }

    /// Has fields of sensors act on what is in them for a step.
    pub(super) fn apply_fields(&mut self, seconds: f64) {
        for sensor in self.sensors.slots.clone() {
            let Some(field) = self.rigids[sensor as usize].given.field else { continue };
            if self.rigids[sensor as usize].drives() {
                self.rouse_inside(sensor);
            }
            for slot in self.slots_inside(sensor) {
                let (own, body) = (&self.rigids[sensor as usize], &self.rigids[slot as usize]);
                if !body.is_dynamic() || body.asleep {
                    continue;
                }
                let [force, torque] = field.on(own, body, seconds);
                let pushed = &mut self.rigids[slot as usize].pushed;
                *pushed = [pushed[0] + force, pushed[1] + torque];
                self.pushed.push(slot);
            }
        }
    }

    /// Looks what came into sensors in the step, and what left them. `moved` are the bodies that may have moved, if
    /// they are known.
    pub(super) fn sense(&mut self, moved: Option<Vec<u32>>, seconds: f64) -> Vec<Sensed> {
        if self.sensors.slots.is_empty() {
            self.sensors.fresh.clear();
            return Vec::new();
        }
        let step = self.steps;
        let fresh = std::mem::take(&mut self.sensors.fresh);
        let pairs = self.near_sensors(moved, &fresh);
        let mut inside = std::mem::take(&mut self.sensors.inside);
        let mut found = Vec::new();
        for pair in pairs {
            let both = pair.map(|slot| &self.rigids[slot as usize]);
            // What a filter no longer accepts leaves.
            let (before, touches) = (inside.binary_search(&pair), senses(both[0], both[1]) && touch(both));
            let handles = pair.map(|slot| self.id(slot as usize));
            let mut note = |phase, time: f64| {
                found.push(Sensed { sensor: handles[0], body: handles[1], phase, time: time * seconds });
            };
            match (before, touches) {
                (Ok(_), true) => note(TouchPhase::Lasts, 1.0),
                (Ok(place), false) => {
                    note(TouchPhase::Ended, 1.0);
                    inside.remove(place);
                }
                (Err(place), true) => {
                    note(TouchPhase::Began, first_touch(both, step).unwrap_or(1.0));
                    inside.insert(place, pair);
                }
                // It may have come and gone.
                (Err(_), false) => {
                    if let Some(time) = first_touch(both, step).filter(|time| *time < 1.0) {
                        note(TouchPhase::Began, time);
                        note(TouchPhase::Ended, 1.0);
                    }
                }
            }
        }
        self.sensors.inside = inside;
        // What acts on them begins or ends.
        let has_field = |seen: &&Sensed| self.rigids[seen.sensor.index() as usize].given.field.is_some();
        let changed = found.iter().filter(|seen| seen.phase != TouchPhase::Lasts).filter(has_field);
        let bodies: Vec<usize> = changed.map(|seen| seen.body.index() as usize).collect();
        bodies.into_iter().for_each(|slot| self.rouse(slot));
        found
    }

    /// Pairs of a sensor and a body of which one moved, and whose boxes met in the step or that were together, sorted.
    fn near_sensors(&self, moved: Option<Vec<u32>>, fresh: &BTreeSet<u32>) -> Vec<[u32; 2]> {
        let step = self.steps;
        let has_moved = |slot: &u32| {
            let rigid = &self.rigids[*slot as usize];
            rigid.is_here && (fresh.contains(slot) || rigid.stepped == step && rigid.before != rigid.motion)
        };
        let all = || (0..self.rigids.len() as u32).collect();
        let mut movers: Vec<u32> = moved.unwrap_or_else(all);
        movers.extend(fresh);
        movers.retain(has_moved);
        movers.sort_unstable();
        movers.dedup();
        let sensors = &self.sensors.slots;
        let boxes: Vec<Aabb> = sensors.iter().map(|slot| space(&self.rigids[*slot as usize], step)).collect();
        let whole = boxes.iter().fold(Aabb::EMPTY, |whole, aabb| whole.union(*aabb));
        let mut pairs = Vec::new();
        let mut add = |sensor: u32, body: u32| {
            if senses(&self.rigids[sensor as usize], &self.rigids[body as usize]) {
                pairs.push([sensor, body]);
            }
        };
        for &body in movers.iter().filter(|slot| !self.rigids[**slot as usize].given.sensor) {
            let rigid = &self.rigids[body as usize];
            let from = if rigid.stepped == step { rigid.before.center } else { rigid.motion.center };
            let own = swept(rigid, [from, rigid.motion.center], 0.0);
            if !meet(&whole, &own) {
                continue;
            }
            for (sensor, _) in sensors.iter().zip(&boxes).filter(|(_, aabb)| meet(aabb, &own)) {
                add(*sensor, body);
            }
        }
        // A sensor that moves meets what rests.
        for (sensor, aabb) in sensors.iter().zip(&boxes).filter(|(sensor, _)| has_moved(sensor)) {
            let near = Standing::near(self, aabb, &mut |_| true);
            near.into_iter().for_each(|(body, _)| add(*sensor, body.index()));
        }
        let known = self.sensors.inside.iter().filter(|pair| pair.iter().any(has_moved));
        pairs.extend(known);
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

fn meet(a: &Aabb, b: &Aabb) -> bool {
    a.min.cmple(b.max).all() && b.min.cmple(a.max).all()
}
