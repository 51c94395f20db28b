//! Many bodies that move together.

mod cast;
mod change;
mod energy;
mod event;
#[cfg(test)]
mod few;
mod fingerprint;
mod frame;
mod input;
mod joints;
mod recording;
mod report;
mod restore;
mod saved;
mod sense;
mod sensors;
mod snapshot;
mod tape;

pub use super::settings::{Bounds, Settings};
pub use energy::Energy;
pub use event::Explosion;
pub use fingerprint::{Fingerprint, Odd};
pub use frame::{Frame, Pace};
pub use joints::{JointMut, JointState};
pub use recording::{Difference, Replay};
pub use report::{StepReport, Touch};
pub use saved::SavedWorld;
pub use sensors::Sensed;
pub use snapshot::Snapshot;
pub use tape::Recording;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use glam::{DQuat, DVec3};

use super::DynamicsError;
use super::matter::{BodyState, BodyType, Inertia, NEVER, Rigid, RigidBody};
use super::near::Near;
use super::pair_map::PairMap;
use super::solver::Solver;
use super::stage::{Movers, box_of};
use super::step::{Done, Stepper};
use super::touches::{TouchPoint, Touches};
use super::work::{StepWork, Watch};
use crate::broad::{self, BroadPhase, Handle};
use crate::math::{Pose, par};
use crate::query::BoxIndex;
use crate::shape::{Aabb, Halfspace};
use input::Input;
use sensors::Sensors;
use tape::Tape;

/// A simulation of rigid bodies, see [the module](crate::dynamics). A clone goes on with the same bits and knows the
/// same handles; shapes are shared.
///
/// ```
/// use sudar::dynamics::{RigidBody, Settings, World};
/// use sudar::{DVec3, Halfspace, Sphere};
///
/// let mut world = World::new(Settings::default())?;
/// world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0)?))?;
/// let mut ball = RigidBody::new("ball", Sphere::new(DVec3::ZERO, 0.5)?);
/// ball.position = DVec3::Z * 2.0;
/// let ball = world.add(ball)?;
/// for _ in 0..180 {
///     world.step(1.0 / 60.0)?;
/// }
/// // After three seconds the ball lies on the floor.
/// assert!((world.motion(ball)?.center.z - 0.5).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct World {
    /// By which it knows its handles; clones have the same.
    number: u32,
    settings: Settings,
    /// Walls of the room first.
    rigids: Vec<Rigid>,
    /// Places of removed bodies, the least first.
    free: BinaryHeap<Reverse<u32>>,
    near: Near,
    /// Over bodies with an end as they are, for searches.
    index: BoxIndex,
    solver: Solver,
    /// The earliest first; of equal times, in the order of scheduling.
    explosions: VecDeque<Explosion>,
    time: f64,
    steps: u64,
    /// Those that moved in the last step, sorted; and pairs that touched when they came to rest.
    touching: Vec<[u32; 2]>,
    resting: PairMap<()>,
    /// The points of the last report, whose room the next one takes if nobody reads it any more.
    points: Arc<Vec<TouchPoint>>,
    /// The bodies that move, and those with forces for the next step.
    movers: Movers,
    pushed: Vec<u32>,
    dropped: f64,
    /// Steps that ended otherwise than from contact to contact, and whether the present one does.
    fallbacks: u64,
    rests: bool,
    sensors: Sensors,
    /// Kinematic bodies that stop after the next step.
    halting: Vec<u32>,
    /// Time given to [`World::advance`] and not yet stepped.
    left: f64,
    /// Of the last step.
    work: StepWork,
    tape: Tape,
}

impl World {
    /// Creates an empty world.
    ///
    /// # Errors
    /// [`DynamicsError::Setting`].
    pub fn new(settings: Settings) -> Result<Self, DynamicsError> {
        Self::with_broad_phase(settings, broad::auto())
    }

    /// As [`new`](Self::new) over an empty broad phase, which changes the cost and never a bit of an answer.
    ///
    /// # Errors
    /// [`DynamicsError::Setting`].
    pub fn with_broad_phase(settings: Settings, phase: Box<dyn BroadPhase>) -> Result<Self, DynamicsError> {
        settings.check()?;
        static WORLDS: AtomicU32 = AtomicU32::new(1);
        let mut world = Self {
            number: WORLDS.fetch_add(1, Ordering::Relaxed),
            near: Near::new(phase),
            index: BoxIndex::default(),
            settings,
            rigids: Vec::new(),
            free: BinaryHeap::new(),
            solver: Solver::default(),
            explosions: VecDeque::new(),
            time: 0.0,
            steps: 0,
            touching: Vec::new(),
            resting: PairMap::default(),
            points: Arc::default(),
            movers: Movers::default(),
            pushed: Vec::new(),
            dropped: 0.0,
            fallbacks: 0,
            rests: false,
            sensors: Sensors::default(),
            halting: Vec::new(),
            left: 0.0,
            work: StepWork::default(),
            tape: Tape::default(),
        };
        world.build_walls()?;
        Ok(world)
    }

    fn build_walls(&mut self) -> Result<(), DynamicsError> {
        walls(&self.settings)?.into_iter().try_for_each(|wall| self.insert(wall).map(|_| ()))
    }

    /// Adds a body, in amortised constant time besides what the broad phase needs.
    ///
    /// # Errors
    /// [`DynamicsError::Body`] naming what is wrong with it; then the world is as it was.
    pub fn add(&mut self, body: RigidBody) -> Result<Handle, DynamicsError> {
        let rigid = Rigid::new(body)?;
        if let Some(bounds) = self.settings.bounds.filter(|_| rigid.is_dynamic()) {
            check_inside(&rigid, &bounds)?;
        }
        let id = self.insert(rigid)?;
        self.note(|world| Input::Add(Box::new((*world.rigids[id.index() as usize].given).clone())));
        Ok(id)
    }

    fn insert(&mut self, mut rigid: Rigid) -> Result<Handle, DynamicsError> {
        let free = self.free.peek().map(|Reverse(slot)| *slot as usize);
        let slot = free.unwrap_or(self.rigids.len());
        rigid.slot = slot as u32;
        let out_of_range = |_| DynamicsError::OutOfRange { body: rigid.given.name.clone() };
        self.near.insert(slot as u32, &rigid).map_err(out_of_range)?;
        self.index.set(slot as u32, box_of(&rigid));
        self.movers.add(slot as u32);
        if let Some(free) = free {
            self.free.pop();
            rigid.generation = self.rigids[free].generation;
            self.rigids[free] = rigid;
        } else {
            self.rigids.push(rigid);
        }
        self.sensors.change(slot as u32, &self.rigids[slot]);
        Ok(self.id(slot))
    }

    /// Removes a body and wakes what it touched.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`].
    pub fn remove(&mut self, id: Handle) -> Result<(), DynamicsError> {
        self.take_out(self.slot(id)?)?;
        self.note(|_| Input::Remove(id.index));
        Ok(())
    }

    fn take_out(&mut self, slot: usize) -> Result<(), DynamicsError> {
        let id = self.id(slot);
        self.rouse_around(slot);
        self.solver.joints.of(slot as u32).into_iter().for_each(|joint| self.solver.joints.remove(joint));
        for other in self.rigids[slot].ignored.take().iter().flat_map(|ignored| ignored.iter()) {
            self.set_ignored([*other, id.index], false);
        }
        self.sensors.forget(id.index);
        self.rigids[slot] = Rigid::vacant(id.generation + 1);
        self.free.push(Reverse(slot as u32));
        self.index.set(id.index, Aabb::EMPTY);
        self.solver.contacts.forget(id.index);
        self.touching.retain(|pair| !pair.contains(&id.index));
        self.resting.forget(id.index);
        // The broad phase knows the body as long as the world does.
        self.near.remove(id.index).map_err(|_| unknown(id))
    }

    /// All bodies, with walls and empty places.
    pub(in crate::dynamics) fn rigids(&self) -> impl Iterator<Item = &Rigid> {
        self.rigids.iter()
    }

    fn id(&self, slot: usize) -> Handle {
        Handle { index: slot as u32, generation: self.rigids[slot].generation, world: self.number }
    }

    /// The name of a body; a wall of the room has none.
    fn name(&self, slot: u32) -> Option<Handle> {
        (!self.rigids[slot as usize].is_wall).then(|| self.id(slot as usize))
    }

    fn slot(&self, id: Handle) -> Result<usize, DynamicsError> {
        if id.world != self.number {
            return Err(DynamicsError::OtherWorld { index: id.index });
        }
        let slot = id.index as usize;
        let known =
            self.rigids.get(slot).is_some_and(|r| r.is_here && r.generation == id.generation && !r.is_wall);
        if known { Ok(slot) } else { Err(unknown(id)) }
    }

    /// The bodies as they were described, in the order of their numbers.
    pub fn bodies(&self) -> impl Iterator<Item = (Handle, &RigidBody)> {
        let here = self.rigids.iter().enumerate().filter(|(_, rigid)| rigid.is_here && !rigid.is_wall);
        here.map(|(slot, rigid)| (self.id(slot), &*rigid.given))
    }

    /// A body as it was described, and [modified](World::modify).
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`].
    pub fn body(&self, id: Handle) -> Result<&RigidBody, DynamicsError> {
        Ok(&self.rigids[self.slot(id)?].given)
    }

    /// The settings of the world.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings from the next step on. Bodies wake; a room that is new, larger or smaller gets new walls.
    ///
    /// # Errors
    /// [`DynamicsError::Setting`]; [`DynamicsError::Body`] for a body that would be outside the room. Then nothing has
    /// changed.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), DynamicsError> {
        settings.check()?;
        let is_new_room = settings.bounds != self.settings.bounds;
        if let Some(bounds) = settings.bounds.filter(|_| is_new_room) {
            let dynamic = |rigid: &&Rigid| rigid.is_here && rigid.is_dynamic();
            self.rigids.iter().filter(dynamic).try_for_each(|rigid| check_inside(rigid, &bounds))?;
        }
        if !self.solver.joints.is_empty() {
            settings.check_joints()?;
        }
        self.settings = settings;
        if is_new_room {
            let walls = (0..self.rigids.len()).filter(|&slot| self.rigids[slot].is_wall).collect::<Vec<_>>();
            walls.into_iter().try_for_each(|slot| self.take_out(slot))?;
            self.build_walls()?;
        }
        (0..self.rigids.len()).for_each(|slot| self.rouse(slot));
        self.note(|world| Input::settings(&world.settings));
        Ok(())
    }

    /// Simulated time since the world was created, in seconds.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Steps since the world was created.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Time given up so far by the spring response where its sub-steps would be too many. The others give up none; see
    /// [`World::fallback_steps`] and [`StepReport::stopped`].
    pub fn dropped_seconds(&self) -> f64 {
        self.dropped
    }

    /// Steps so far in which some contact lasted, or bodies slid past each other at next to no distance, under
    /// a response that goes from contact to contact: these bodies were brought to rest against each other by
    /// the solver, without overlap, and with friction only if the law of impacts says so.
    pub fn fallback_steps(&self) -> u64 {
        self.fallbacks
    }

    /// Position of the centre of mass, rotation and velocities of a body.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`].
    pub fn motion(&self, id: Handle) -> Result<BodyState, DynamicsError> {
        Ok(self.rigids[self.slot(id)?].motion)
    }

    /// Mass, centre of mass and inertia of a body, and their inverses.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`].
    pub fn inertia(&self, id: Handle) -> Result<Inertia, DynamicsError> {
        Ok(self.rigids[self.slot(id)?].inertia)
    }

    /// The origin of the frame of a body and its rotation.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`].
    pub fn frame(&self, id: Handle) -> Result<(DVec3, DQuat), DynamicsError> {
        let rigid = &self.rigids[self.slot(id)?];
        Ok((rigid.motion.position(rigid.inertia.center), rigid.motion.rotation))
    }

    /// The pose of the frame of a body.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`].
    pub fn pose(&self, id: Handle) -> Result<Pose, DynamicsError> {
        Ok(self.rigids[self.slot(id)?].pose())
    }

    /// Whether a body is asleep.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`].
    pub fn is_asleep(&self, id: Handle) -> Result<bool, DynamicsError> {
        Ok(self.rigids[self.slot(id)?].asleep)
    }

    /// Wakes a body and all that it touched.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`].
    pub fn wake(&mut self, id: Handle) -> Result<(), DynamicsError> {
        self.rouse_around(self.slot(id)?);
        self.note(|_| Input::Wake(id.index));
        Ok(())
    }

    /// Sets the position, rotation and velocities of a body, and wakes it and what it touched.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`]; [`DynamicsError::Body`] for numbers that are none or beyond 1e80; then nothing has
    /// changed.
    pub fn set_motion(&mut self, id: Handle, motion: BodyState) -> Result<(), DynamicsError> {
        let slot = self.slot(id)?;
        let name = &self.rigids[slot].given.name;
        motion.check().map_err(|(key, problem)| DynamicsError::body(name, key, problem))?;
        self.rigids[slot].motion = BodyState { rotation: motion.rotation.normalize(), ..motion };
        self.rigids[slot].stepped = NEVER;
        self.sensors.change(slot as u32, &self.rigids[slot]);
        self.index.set(slot as u32, box_of(&self.rigids[slot]));
        self.rouse_around(slot);
        self.note(|_| Input::Motion(id.index, motion));
        Ok(())
    }

    /// Adds a force at the centre of mass, in newtons, and a torque, in N·m, both in world axes, for the next step.
    ///
    /// # Errors
    /// [`DynamicsError::Unknown`]; [`DynamicsError::Body`] for numbers that are none.
    pub fn add_force(&mut self, id: Handle, force: DVec3, torque: DVec3) -> Result<(), DynamicsError> {
        let slot = self.slot(id)?;
        self.check_vector(slot, "force", force)?;
        self.check_vector(slot, "torque", torque)?;
        self.rigids[slot].pushed[0] += force;
        self.rigids[slot].pushed[1] += torque;
        self.pushed.push(slot as u32);
        self.rouse(slot);
        self.note(|_| Input::Force(id.index, force, torque));
        Ok(())
    }

    /// Adds a force at a point, both in world coordinates, for the next step.
    ///
    /// # Errors
    /// Those of [`World::add_force`].
    pub fn add_force_at(&mut self, id: Handle, force: DVec3, point: DVec3) -> Result<(), DynamicsError> {
        let slot = self.slot(id)?;
        self.check_vector(slot, "force", point)?;
        let arm = point - self.rigids[slot].motion.center;
        self.add_force(id, force, arm.cross(force))
    }

    /// Applies an impulse, in N·s, at a point, both in world coordinates; velocities change at once.
    ///
    /// # Errors
    /// Those of [`World::add_force`].
    pub fn apply_impulse(&mut self, id: Handle, impulse: DVec3, point: DVec3) -> Result<(), DynamicsError> {
        let slot = self.slot(id)?;
        self.check_vector(slot, "impulse", impulse)?;
        self.check_vector(slot, "impulse", point)?;
        let rigid = &mut self.rigids[slot];
        let turn = (point - rigid.motion.center).cross(impulse);
        rigid.motion.velocity += impulse * rigid.inertia.inverse_mass;
        rigid.motion.angular_velocity += rigid.inertia.inverse_in_world(rigid.motion.rotation) * turn;
        self.rouse(slot);
        self.note(|_| Input::Impulse(id.index, impulse, point));
        Ok(())
    }

    fn check_vector(&self, slot: usize, key: &'static str, v: DVec3) -> Result<(), DynamicsError> {
        let fits = v.is_finite() && v.abs().max_element() < 1e80;
        let refused = || {
            DynamicsError::body(
                &self.rigids[slot].given.name,
                key,
                format!("must be finite numbers, found {v}"),
            )
        };
        if fits { Ok(()) } else { Err(refused()) }
    }

    /// Wakes a body and all that it touched: what rests on them wakes with them.
    fn rouse_around(&mut self, slot: usize) {
        let own = self.touching.iter().filter(|pair| pair.contains(&(slot as u32))).copied();
        let touched: Vec<u32> = own.chain(self.resting.of(slot as u32)).flatten().collect();
        touched.into_iter().for_each(|i| self.rouse(i as usize));
        self.rouse(slot);
    }

    fn rouse(&mut self, slot: usize) {
        let Self { rigids, movers, solver, .. } = self;
        for &i in solver.joints.together(slot as u32).iter().chain([&(slot as u32)]) {
            (rigids[i as usize].asleep, rigids[i as usize].slow_for) = (false, 0.0);
            movers.add(i);
        }
    }

    /// Stops a kinematic body that was moved to where it is.
    fn halt(&mut self, slot: u32) {
        let rigid = &mut self.rigids[slot as usize];
        if std::mem::take(&mut rigid.halts) {
            (rigid.motion.velocity, rigid.motion.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
        }
    }

    /// Schedules an explosion. One whose time has passed happens in the next step.
    ///
    /// # Errors
    /// [`DynamicsError::Event`].
    pub fn schedule_explosion(&mut self, explosion: Explosion) -> Result<(), DynamicsError> {
        explosion.check()?;
        let at = self.explosions.partition_point(|other| other.time.total_cmp(&explosion.time).is_le());
        self.explosions.insert(at, explosion);
        self.note(|_| Input::Explode(explosion));
        Ok(())
    }

    /// Advances the simulation by a time step, in seconds.
    ///
    /// # Errors
    /// [`DynamicsError::Setting`] if it is not above 0; [`DynamicsError::OutOfRange`] if a body left the
    /// range of numbers.
    pub fn step(&mut self, seconds: f64) -> Result<StepReport, DynamicsError> {
        check_step(seconds)?;
        let (watch, start) = (self.near.watch, self.near.watch.now());
        self.near.work = StepWork::default();
        let (end, number) = (self.time + seconds, self.steps + 1);
        let moving = self.movers.known().map(<[u32]>::to_vec);
        match self.movers.known() {
            Some(few) => few.iter().for_each(|&i| self.rigids[i as usize].mark(number)),
            None => self.rigids.iter_mut().for_each(|rigid| rigid.mark(number)),
        }
        if let Some(points) = Arc::get_mut(&mut self.points) {
            self.solver.spare(std::mem::take(points));
        }
        self.apply_fields(seconds);
        let mut touches = Touches::default();
        let mut stopped: f64 = 0.0;
        let mut left = seconds;
        while let Some(event) =
            self.explosions.front().copied().filter(|event| event.time < end - 1e-9 * seconds)
        {
            let before = (event.time - self.time).clamp(0.0, left);
            if before > 1e-9 * seconds {
                stopped = stopped.max(self.advance_bodies(before, &mut touches)?);
                (self.time, left) = (self.time + before, left - before);
            }
            self.explosions.pop_front();
            self.rigids.iter_mut().filter(|rigid| rigid.is_dynamic()).for_each(|rigid| event.push(rigid));
            self.movers.find(&self.rigids);
        }
        stopped = stopped.max(self.advance_bodies(left, &mut touches)?);
        self.steps += 1;
        self.fallbacks += u64::from(std::mem::take(&mut self.rests));
        self.time = end;
        for slot in self.pushed.drain(..) {
            self.rigids[slot as usize].pushed = [DVec3::ZERO; 2];
        }
        let moved = moving.zip(self.movers.known()).map(|(before, after)| [&before[..], after].concat());
        let sensed = self.sense(moved, seconds);
        for slot in std::mem::take(&mut self.halting) {
            self.halt(slot);
        }
        let report = self.report(touches, stopped);
        let mut report = self.report_joints(report);
        report.sensed = sensed;
        // Searches after the step, such as that of `deepest`, are no work of the step.
        let work = self.near.work;
        let response_seconds = watch.now() - start - work.broad_seconds - work.narrow_seconds;
        self.work = StepWork { response_seconds, ..work };
        self.note_step(seconds);
        Ok(report)
    }

    /// What the last step took.
    pub fn work(&self) -> StepWork {
        self.work
    }

    /// Times steps by a clock: seconds since any fixed moment. The library reads no clock of its own.
    ///
    /// ```
    /// use std::sync::LazyLock;
    /// use std::time::Instant;
    /// use sudar::dynamics::{Settings, World};
    ///
    /// static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    /// let mut world = World::new(Settings::default())?;
    /// world.set_clock(Some(|| START.elapsed().as_secs_f64()));
    /// world.step(1.0 / 60.0)?;
    /// assert!(world.work().response_seconds > 0.0 && world.work().pairs == 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_clock(&mut self, clock: Option<fn() -> f64>) {
        self.near.watch = Watch(clock);
    }

    /// The broad phase: its name, its memory, what an automatic one chose.
    pub fn broad_phase(&self) -> &dyn BroadPhase {
        self.near.phase()
    }

    /// Returns the most time that the solver took from a body.
    fn advance_bodies(&mut self, seconds: f64, touches: &mut Touches) -> Result<f64, DynamicsError> {
        let (number, done) = (self.steps + 1, Done::default());
        let is_small = self.rigids.len() < MANY || self.movers.known().is_some();
        let Self { rigids, near, settings, solver, index, movers, .. } = self;
        if let Some(apart) = solver.joints.sort(rigids) {
            near.set_apart(apart);
        }
        let mut step = Stepper { rigids, near, solver, settings, index, movers, seconds, number, done };
        let mut advance = || settings.response.advance(&mut step);
        let result = if is_small { advance() } else { par::inside(advance) };
        let done = step.done;
        if done.all {
            self.rigids.iter_mut().for_each(|rigid| rigid.left = 1.0);
            self.index.changed();
            self.movers.find(&self.rigids);
        }
        result?;
        touches.merge(done.touches);
        self.dropped += done.dropped;
        self.rests |= done.rests;
        // Few bodies that move have been looked at.
        match self.rigids.iter().filter(|_| done.all).find(|rigid| !rigid.motion.is_finite()) {
            Some(lost) => Err(DynamicsError::OutOfRange { body: lost.given.name.clone() }),
            None => Ok(done.stopped),
        }
    }

    /// The boxes of all bodies now.
    fn boxes(&self) -> Vec<Aabb> {
        self.rigids.iter().map(|rigid| rigid.given.body.bounds(&rigid.pose())).collect()
    }

    /// Dynamic bodies whose centre of mass is outside [`Settings::bounds`].
    pub fn out_of_bounds(&self) -> impl Iterator<Item = Handle> {
        let beyond = |(slot, rigid): (usize, &Rigid)| {
            let Bounds { min, max } = self.settings.bounds?;
            let c = rigid.motion.center;
            let inside = c.cmpge(min).all() && c.cmple(max).all();
            (rigid.is_here && rigid.is_dynamic() && !inside).then(|| self.id(slot))
        };
        self.rigids.iter().enumerate().filter_map(beyond)
    }
}

/// Bodies from which on loops over them are shared by threads.
const MANY: usize = 512;

/// The walls of the room.
fn walls(settings: &Settings) -> Result<Vec<Rigid>, DynamicsError> {
    let Some(Bounds { min, max }) = settings.bounds else { return Ok(Vec::new()) };
    let sides = DVec3::AXES.into_iter().flat_map(|axis| [(axis, -axis.dot(max)), (-axis, axis.dot(min))]);
    let wall = |(number, (out, level)): (usize, (DVec3, f64))| {
        // The half-space beyond the wall: its normal points into the room.
        let wall = Halfspace::new(-out, level)
            .map_err(|error| DynamicsError::setting("bounds", error.to_string()))?;
        let rigid = Rigid::new(RigidBody::fixed(format!("wall {number}"), wall))?;
        Ok(Rigid { is_wall: true, ..rigid })
    };
    sides.enumerate().map(wall).collect()
}

fn check_step(seconds: f64) -> Result<(), DynamicsError> {
    if seconds > 0.0 && seconds.is_finite() {
        return Ok(());
    }
    Err(DynamicsError::setting("step", format!("must be above 0 and finite, found {seconds}")))
}

fn unknown(id: Handle) -> DynamicsError {
    DynamicsError::Unknown { index: id.index, generation: id.generation }
}

/// Refuses a body that begins beyond the walls.
fn check_inside(rigid: &Rigid, bounds: &Bounds) -> Result<(), DynamicsError> {
    let own = rigid.given.body.aabb(&rigid.pose());
    let slack = DVec3::splat(1e-9 * (rigid.radius + bounds.min.abs().max(bounds.max.abs()).max_element()));
    let inside = own.min.cmpge(bounds.min - slack).all() && own.max.cmple(bounds.max + slack).all();
    let problem = format!(
        "it reaches from {} to {}, beyond the bounds of the world; move it inside or make the room larger",
        own.min, own.max
    );
    let kind_matters = rigid.given.kind == BodyType::Dynamic;
    if inside || !kind_matters {
        Ok(())
    } else {
        Err(DynamicsError::body(&rigid.given.name, "position", problem))
    }
}
