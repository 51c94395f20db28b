//! What happened in a step.

use std::sync::Arc;

use super::World;
use super::sensors::Sensed;
use crate::broad::Handle;
use crate::dynamics::joint::JointHandle;
use crate::dynamics::touches::{TouchPhase, TouchPoint, Touches};

/// Contacts that began, lasted or ended in a step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepReport {
    /// Pairs of bodies that touched at any time in the step, or that ceased to, sorted by their numbers. Those of which
    /// neither body moves, since they sleep, are not listed again and have not ended.
    pub touches: Vec<Touch>,
    /// Number of pairs that touched when they fell asleep and sleep on.
    pub resting: usize,
    points: Arc<Vec<TouchPoint>>,
    /// The most time of the step that the solver took from a body that is fast against its own thickness, by
    /// stopping it where it touches nothing yet, with the velocity that it has there. Other responses advance
    /// bodies to their contacts, and it is 0.
    pub stopped: f64,
    /// The largest gap of any joint after the step, in m, and the largest twist, in rad: by how much locks and hard
    /// limits are off. [`World::worst_joints`] names them.
    pub gap: f64,
    /// See `gap`.
    pub twist: f64,
    /// Joints that bore more than they can, and were removed.
    pub broken: Vec<JointHandle>,
    /// What came into sensors, stays in them and left them, sorted by the numbers of sensor and body: each sensor that
    /// stands or moves, against each body of which one of the two moved. What flies through a sensor within the step
    /// is there twice: it came, and it left. Of a body that is removed nothing is said.
    pub sensed: Vec<Sensed>,
}

impl StepReport {
    /// The points at which a pair of this report touched, each with its normal and impulse.
    ///
    /// ```
    /// use sudar::dynamics::{RigidBody, Settings, World};
    /// use sudar::{Cuboid, DVec3, Halfspace};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0)?))?;
    /// let cube = RigidBody::new("cube", Cuboid::new(DVec3::splat(0.5))?);
    /// world.add(RigidBody { position: DVec3::Z * 0.5, ..cube })?;
    /// let report = world.step(1.0 / 60.0)?;
    /// let points = report.points(&report.touches[0]);
    /// assert_eq!(points.len(), 4);
    /// // The floor carries the weight of a tonne for a sixtieth of a second.
    /// let impulse: f64 = points.iter().map(|point| point.impulse).sum();
    /// assert!((impulse - 1000.0 * 9.81 / 60.0).abs() < 1.0 && points[0].normal == DVec3::Z);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn points(&self, touch: &Touch) -> &[TouchPoint] {
        self.points.get(touch.points[0]..touch.points[1]).unwrap_or_default()
    }

    /// The bodies that came into a sensor in the step.
    ///
    /// ```
    /// use sudar::dynamics::{RigidBody, Settings, World};
    /// use sudar::{Cuboid, DVec3, Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let zone = RigidBody { sensor: true, ..RigidBody::fixed("zone", Cuboid::new(DVec3::splat(0.5))?) };
    /// let zone = world.add(zone)?;
    /// let bullet = RigidBody::new("bullet", Sphere::new(DVec3::ZERO, 0.01)?);
    /// let from = DVec3::X * -10.51;
    /// let bullet = world.add(RigidBody { position: from, velocity: DVec3::X * 1000.0, ..bullet })?;
    /// // It flies 17 m in a step, and through the zone.
    /// let report = world.step(1.0 / 60.0)?;
    /// assert!(report.entered(zone).eq([bullet]) && report.left(zone).eq([bullet]));
    /// assert!((report.sensed[0].time - 0.01).abs() < 1e-6);
    /// assert!(world.inside(zone)?.is_empty() && world.motion(bullet)?.velocity.x == 1000.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn entered(&self, sensor: Handle) -> impl Iterator<Item = Handle> {
        self.of_sensor(sensor, TouchPhase::Began)
    }

    /// The bodies that left a sensor in the step.
    pub fn left(&self, sensor: Handle) -> impl Iterator<Item = Handle> {
        self.of_sensor(sensor, TouchPhase::Ended)
    }

    fn of_sensor(&self, sensor: Handle, phase: TouchPhase) -> impl Iterator<Item = Handle> {
        let own = move |sensed: &&Sensed| sensed.sensor == sensor && sensed.phase == phase;
        self.sensed.iter().filter(own).map(|sensed| sensed.body)
    }

    /// Number of pairs that touched in the step, those asleep included.
    pub fn contacts(&self) -> usize {
        self.touches.iter().filter(|touch| touch.phase != TouchPhase::Ended).count() + self.resting
    }
}

/// Two bodies in contact. `None` stands for a wall of the room.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// The first body.
    pub a: Option<Handle>,
    /// The second body.
    pub b: Option<Handle>,
    /// Whether the contact is new, lasts or has ended.
    pub phase: TouchPhase,
    /// The sum of the normal impulses in the step, in N·s.
    pub impulse: f64,
    /// Range in the points of the report.
    points: [usize; 2],
}

impl World {
    pub(super) fn report(&mut self, touches: Touches, stopped: f64) -> StepReport {
        let Touches { pairs: now, points } = touches;
        let before = self.touching_before();
        let rests = |pair: [u32; 2]| pair.iter().all(|&i| !self.rigids[i as usize].moves());
        let mut resting: Vec<[u32; 2]> = Vec::new();
        let touch = |[i, j]: [u32; 2], phase, impulse, points| Touch {
            a: self.name(i),
            b: self.name(j),
            phase,
            impulse,
            points,
        };
        let mut last = 0;
        let mut report = Vec::with_capacity(now.len());
        let mut end = |pair, report: &mut Vec<Touch>| {
            if rests(pair) {
                resting.push(pair);
            } else {
                report.push(touch(pair, TouchPhase::Ended, 0.0, [0; 2]));
            }
        };
        let mut before = before.into_iter().peekable();
        for &(pair, impulse) in &now {
            while let Some(gone) = before.next_if(|before| *before < pair) {
                end(gone, &mut report);
            }
            let lasts = before.next_if_eq(&pair).is_some();
            let phase = if lasts { TouchPhase::Lasts } else { TouchPhase::Began };
            let first = last + points[last..].iter().take_while(|point| point.pair < pair).count();
            last = first + points[first..].iter().take_while(|point| point.pair == pair).count();
            report.push(touch(pair, phase, impulse, [first, last]));
        }
        before.for_each(|gone| end(gone, &mut report));
        resting.into_iter().for_each(|pair| self.resting.insert(pair, ()));
        self.touching = now.into_iter().map(|(pair, _)| pair).collect();
        self.points = Arc::new(points);
        StepReport {
            touches: report,
            resting: self.resting.len(),
            points: self.points.clone(),
            stopped,
            ..StepReport::default()
        }
    }

    /// With what became of joints.
    pub(super) fn report_joints(&mut self, report: StepReport) -> StepReport {
        if self.solver.joints.is_empty() {
            return report;
        }
        let [gap, twist] = self.solver.joints.measure(&self.rigids);
        StepReport { gap, twist, broken: self.break_joints(), ..report }
    }

    /// The pairs that touched in the step before, or rested until this one, sorted.
    fn touching_before(&mut self) -> Vec<[u32; 2]> {
        let mut before = std::mem::take(&mut self.touching);
        if self.resting.is_empty() {
            return before;
        }
        let moves = |i: &u32| self.rigids[*i as usize].moves();
        let woken: Vec<[u32; 2]> = match self.movers.known() {
            Some(movers) => movers.iter().flat_map(|&i| self.resting.of(i)).collect(),
            None => {
                self.resting.iter().map(|(pair, ())| pair).filter(|pair| pair.iter().any(moves)).collect()
            }
        };
        for pair in woken {
            before.extend(self.resting.take(pair).map(|()| pair));
        }
        before.sort_unstable();
        before
    }
}
