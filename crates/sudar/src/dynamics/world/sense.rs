//! Sensors: what comes into them and leaves them.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::World;
use super::sensors::{Sensed, Sensors, Watch, way};
use crate::broad::Handle;
use crate::dynamics::DynamicsError;
use crate::dynamics::matter::{BodyType, Rigid, swept};
use crate::dynamics::touches::TouchPhase;
use crate::many::Standing;
use crate::motion::Motion;
use crate::query::{DistanceOptions, SweepOptions, distance, intersects, penetration, sweep};
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
    let is_static = |rigid: &Rigid| rigid.kind() == BodyType::Static;
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
        for sensor in self.sensors.fields.clone() {
            let Some(field) = self.rigids[sensor as usize].given.field else { continue };
            if self.rigids[sensor as usize].drives() {
                self.rouse_inside(sensor);
            }
            for slot in self.slots_inside(sensor) {
                let (own, body) = (&self.rigids[sensor as usize], &self.rigids[slot as usize]);
                if !body.is_dynamic() || body.asleep {
                    continue;
                }
                let pull = body.pull(self.settings.gravity);
                let origin = own.pose().translation();
                let [force, torque] =
                    field.on((origin, &own.motion), (&body.motion, &body.inertia, pull), seconds);
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
        let fresh = std::mem::take(&mut self.sensors.fresh);
        let looks = self.near_sensors(moved, &fresh);
        let before = std::mem::take(&mut self.sensors.inside);
        let mut inside = Vec::with_capacity(before.len());
        let mut found = Vec::new();
        let (mut known, mut looks) = (before.iter().peekable(), looks.iter().peekable());
        while let Some(&pair) = [known.peek(), looks.peek()].into_iter().flatten().min() {
            let was_inside = known.next_if_eq(&pair).is_some();
            let (is_inside, time) = match looks.next_if_eq(&pair) {
                Some(_) => self.look(*pair, was_inside),
                None if pair.iter().any(|slot| self.rigids[*slot as usize].has_moved(self.steps)) => {
                    (true, None)
                }
                None => {
                    inside.push(*pair);
                    continue;
                }
            };
            let [sensor, body] = pair.map(|slot| self.id(slot as usize));
            let mut note =
                |phase, time: f64| found.push(Sensed { sensor, body, phase, time: time * seconds });
            match (was_inside, is_inside) {
                (true, true) => note(TouchPhase::Lasts, 1.0),
                (true, false) => note(TouchPhase::Ended, 1.0),
                (false, true) => note(TouchPhase::Began, time.unwrap_or(1.0)),
                // It may have come and gone.
                (false, false) => {
                    if let Some(time) = time.filter(|time| *time < 1.0) {
                        note(TouchPhase::Began, time);
                        note(TouchPhase::Ended, 1.0);
                    }
                }
            }
            inside.extend(is_inside.then_some(*pair));
        }
        self.sensors.inside = inside;
        // What acts on them begins or ends.
        let has_field = |seen: &&Sensed| self.rigids[seen.sensor.index() as usize].given.field.is_some();
        let changed = found.iter().filter(|seen| seen.phase != TouchPhase::Lasts).filter(has_field);
        let bodies: Vec<usize> = changed.map(|seen| seen.body.index() as usize).collect();
        bodies.into_iter().for_each(|slot| self.rouse(slot));
        found
    }

    /// Whether a body is in a sensor now, and when it came in if it was not in before. Notes how long that holds.
    fn look(&mut self, pair: [u32; 2], was_inside: bool) -> (bool, Option<f64>) {
        let step = self.steps;
        let both = pair.map(|slot| &self.rigids[slot as usize]);
        // What a filter no longer accepts leaves.
        let touches = senses(both[0], both[1]) && touch(both);
        let margin = margin(both, touches);
        let moved = |rigid: &Rigid| {
            if rigid.stepped == step { way(rigid.radius, &rigid.before, &rigid.motion) } else { 0.0 }
        };
        let stays_out = !touches && moved(both[0]) + moved(both[1]) < margin * (1.0 - 1e-6);
        let time = if was_inside || stays_out { None } else { first_touch(both, step) };
        let motion = both[1].motion;
        let watch = self.sensors.watches.get_mut(pair[1] as usize);
        if let Some(known) =
            watch.and_then(|watch| watch.near.iter_mut().find(|known| known.sensor == pair[0]))
        {
            known.found(&motion, margin);
        }
        (touches, time)
    }

    /// Pairs of a sensor and a body of which one moved, and whose boxes met in the step or that were together, but for
    /// those that are certainly as they were; sorted.
    fn near_sensors(&mut self, moved: Option<Vec<u32>>, fresh: &BTreeSet<u32>) -> Vec<[u32; 2]> {
        let step = self.steps;
        let has_moved =
            |rigid: &Rigid| rigid.is_here && (rigid.has_moved(step) || fresh.contains(&rigid.slot));
        let movers = self.movers_among(moved, fresh, has_moved);
        let Self { rigids, sensors: Sensors { slots, inside, watches, .. }, .. } = self;
        watches.resize_with(rigids.len(), Watch::default);
        let rigid = |slot: u32| &rigids[slot as usize];
        let (still, moving): (Vec<u32>, Vec<u32>) =
            slots.iter().partition(|slot| rigid(**slot).kind() == BodyType::Static);
        let boxed = |slots: &[u32]| slots.iter().map(|slot| space(rigid(*slot), step)).collect::<Vec<Aabb>>();
        let (of_still, of_moving) = (OnceCell::new(), boxed(&moving));
        let near = |body: &Rigid, region: &Aabb, sensors: &[u32], boxes: &[Aabb]| {
            let near = sensors.iter().zip(boxes).filter(|(_, aabb)| meet(aabb, region));
            near.map(|(slot, _)| *slot).filter(|slot| senses(rigid(*slot), body)).collect::<Vec<u32>>()
        };
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for slot in movers.into_iter().filter(|slot| slots.binary_search(slot).is_err()) {
            let body = rigid(slot);
            let from = if body.stepped == step { &body.before } else { &body.motion };
            if !moving.is_empty() {
                let region = swept(body, [from.center, body.motion.center], 0.0);
                pairs.extend(
                    near(body, &region, &moving, &of_moving).into_iter().map(|sensor| [sensor, slot]),
                );
            }
            let in_region =
                |region: &Aabb| near(body, region, &still, of_still.get_or_init(|| boxed(&still)));
            let open = watches[slot as usize].follow(body, from, in_region);
            pairs.extend(open.map(|sensor| [sensor, slot]));
        }
        let is_fresh = |pair: &[u32; 2]| pair.iter().any(|slot| fresh.contains(slot));
        let moves = |pair: &[u32; 2]| pair.iter().any(|slot| has_moved(rigid(*slot)));
        let is_moving = |sensor: u32| rigid(sensor).kind() != BodyType::Static;
        pairs.extend(inside.iter().filter(|pair| is_fresh(pair) || is_moving(pair[0]) && moves(pair)));
        pairs.extend(self.about_moving_sensors(has_moved));
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// The places of bodies that moved in the step or changed before it, in order.
    fn movers_among(
        &self,
        moved: Option<Vec<u32>>,
        fresh: &BTreeSet<u32>,
        has_moved: impl Fn(&Rigid) -> bool,
    ) -> Vec<u32> {
        let mut movers: Vec<u32> = moved.unwrap_or_else(|| (0..self.rigids.len() as u32).collect());
        movers.extend(fresh);
        movers.retain(|slot| has_moved(&self.rigids[*slot as usize]));
        movers.sort_unstable();
        movers.dedup();
        movers
    }

    /// A sensor that moves or is new meets what rests.
    fn about_moving_sensors(&self, has_moved: impl Fn(&Rigid) -> bool) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        let sensors = self.sensors.slots.iter().map(|slot| &self.rigids[*slot as usize]);
        for sensor in sensors.filter(|sensor| has_moved(sensor)) {
            let near = Standing::near(self, &space(sensor, self.steps), &mut |_| true);
            let near = near.into_iter().map(|(body, _)| body.index());
            let sensed = near.filter(|body| senses(sensor, &self.rigids[*body as usize]));
            pairs.extend(sensed.map(|body| [sensor.slot, body]));
        }
        pairs
    }
}

/// How far points of a body may go for it to stay in a sensor or out of it, as it is; 0 where that is not known.
fn margin(both: [&Rigid; 2], touches: bool) -> f64 {
    let poses = both.map(Rigid::pose);
    let [a, b] = [0, 1].map(|k| both[k].given.body.at(&poses[k]));
    if !touches {
        return distance(a, b, &DistanceOptions::default()).interval.lower;
    }
    let is_convex = both.iter().all(|rigid| rigid.given.body.convex().is_some());
    if is_convex { -penetration(a, b).signed.upper } else { 0.0 }
}

fn meet(a: &Aabb, b: &Aabb) -> bool {
    a.min.cmple(b.max).all() && b.min.cmple(a.max).all()
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use sudar_testing::Random;

    use super::super::{Settings, World};
    use crate::dynamics::{BodyType, RigidBody, TouchPhase};
    use crate::hull::convex_hull;
    use crate::query::Body;
    use crate::shape::{Aabb, Capsule, Cuboid, Halfspace, Mesh, Shape, Sphere};

    /// A heap that falls among sensors of all kinds, some of which move.
    fn heap(random: &mut Random) -> World {
        let half = DVec3::new(0.4, 0.3, 0.2);
        let shapes: [Body; 5] = [
            Cuboid::new(half).unwrap().into(),
            Sphere::new(DVec3::ZERO, 0.3).unwrap().into(),
            Capsule::new(0.2, 0.3).unwrap().into(),
            Body::new(Shape::from(convex_hull(&random.cloud(20)).unwrap())),
            Mesh::from_aabb(Aabb { min: -half, max: half }).into(),
        ];
        let mut world = World::new(Settings::default()).unwrap();
        world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap())).unwrap();
        let place = |random: &mut Random, high: f64| {
            DVec3::new(random.within(-3.0, 3.0), random.within(-3.0, 3.0), random.within(0.0, high))
        };
        for i in 0..60 {
            let (shape, position) = (shapes[i % 5].clone(), place(random, 2.0));
            let kind = [BodyType::Static, BodyType::Static, BodyType::Kinematic][i % 3];
            let velocity = if i % 3 == 2 { DVec3::X * 0.3 } else { DVec3::ZERO };
            let zone = RigidBody { kind, position, velocity, ..RigidBody::new(format!("zone {i}"), shape) };
            world.add(RigidBody { sensor: true, ..zone }).unwrap();
        }
        for i in 0..80 {
            let position = place(random, 9.0) + DVec3::Z;
            let velocity = if i % 9 == 0 { random.direction() * 60.0 } else { DVec3::ZERO };
            let body = RigidBody::new(format!("body {i}"), shapes[i % 5].clone());
            world.add(RigidBody { position, velocity, rolling_friction: 0.02, ..body }).unwrap();
        }
        world
    }

    #[test]
    fn what_is_known_of_sensors_changes_no_report() {
        let mut random = Random::new(11);
        let mut world = heap(&mut random);
        let mut others = world.clone();
        let mut seen = [0_usize; 3];
        for step in 0..400 {
            others.sensors.watches.clear();
            let (report, expected) = (world.step(1.0 / 60.0).unwrap(), others.step(1.0 / 60.0).unwrap());
            assert_eq!(report, expected, "in step {step}");
            for sensed in &report.sensed {
                let phases = [TouchPhase::Began, TouchPhase::Lasts, TouchPhase::Ended];
                let phase = phases.iter().position(|phase| *phase == sensed.phase);
                phase.iter().for_each(|k| seen[*k] += 1);
            }
            let known = world.sensors.watches.iter().flat_map(|watch| &watch.near).count();
            assert!(step < 5 || known > 0);
        }
        assert!(seen[0] > 200 && seen[1] > 5000 && seen[2] > 150, "{seen:?}");
    }
}
