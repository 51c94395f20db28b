//! A flight through a tunnel: the fighter, what it meets, and how it ends.

use sudar::Pose;
use sudar::dynamics::{
    BodyState, BodyType, DynamicsError, Filter, Handle, Inertia, MassSpec, RigidBody, StepReport,
    ThrusterPair, TouchPhase, World,
};
use sudar_scene::{fighter, fighter_parts};

use super::autopilot::{Craft, Cruise, by_force, stabilised};
use super::billboards::Billboards;
use super::course::Course;
use super::engines::Limits;
use super::missiles::{BLAST, Blast, FIGHTER, MISSILE, Missiles, THING, WALL};
use super::tally::Tally;
use super::wish::Wish;
use crate::demo::DemoError;

/// Seconds between two missiles.
const RELOAD: f64 = 0.15;

/// Half the width of the picture of an explosion, in metres.
const FIRE: f64 = 2.5;

/// How the fighter is flown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Handling {
    /// Whether the autopilot flies.
    pub is_stabilised: bool,
    pub cruise: Cruise,
    /// Most acceleration, in m/s².
    pub thrust: f64,
    /// Of everything, in 1/s.
    pub drag: f64,
    /// Of missiles against the fighter, in m/s.
    pub missile_speed: f64,
}

/// How far a flight is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Time does not count before the pilot does something.
    Ready,
    Flying,
    /// The last cube is passed.
    Passed,
    /// The fighter has exploded.
    Wrecked,
}

/// A flight through a tunnel.
pub struct Flight {
    course: Course,
    world: World,
    fighter: Handle,
    inertia: Inertia,
    /// The last one of the fighter, also when it is a wreck.
    motion: BodyState,
    engines: Vec<ThrusterPair>,
    missiles: Missiles,
    fires: Billboards,
    tally: Tally,
    phase: Phase,
    /// The farthest cube so far.
    cube: usize,
    drag: f64,
    /// Seconds until the next missile is ready.
    reload: f64,
}

impl Flight {
    /// The fighter stands in the first cube.
    pub fn new(course: Course) -> Result<Self, DemoError> {
        let mut world = course.tunnel.scene.world().map_err(DemoError::of)?;
        for (id, kind) in world.bodies().map(|(id, body)| (id, body.kind)).collect::<Vec<_>>() {
            let category = if kind == BodyType::Dynamic { THING } else { WALL };
            world.modify(id, |body| body.filter = Filter::new(category, !0)).map_err(DemoError::of)?;
        }
        let body = the_fighter(&course)?;
        let inertia = body.inertia().map_err(DemoError::of)?;
        let fighter = world.add(body).map_err(DemoError::of)?;
        let motion = world.motion(fighter).map_err(DemoError::of)?;
        let tally = Tally { cubes: course.cubes(), ..Tally::default() };
        Ok(Self {
            missiles: Missiles::new().map_err(DemoError::of)?,
            course,
            world,
            fighter,
            inertia,
            motion,
            engines: Vec::new(),
            fires: Billboards::default(),
            tally,
            phase: Phase::Ready,
            cube: 0,
            drag: 0.0,
            reload: 0.0,
        })
    }

    /// Goes on by a step.
    pub fn step(&mut self, wish: &Wish, handling: &Handling, seconds: f64) -> Result<(), DemoError> {
        if self.phase == Phase::Ready && wish.is_any() {
            self.phase = Phase::Flying;
        }
        self.go_on(wish, handling, seconds).map_err(DemoError::of)
    }

    fn go_on(&mut self, wish: &Wish, handling: &Handling, seconds: f64) -> Result<(), DynamicsError> {
        self.take_drag(handling.drag)?;
        if self.phase != Phase::Wrecked {
            self.fly(wish, handling, seconds)?;
            self.fire(wish, handling, seconds)?;
        }
        let report = self.world.step(seconds)?;
        self.fires.advance(seconds);
        let blasts = self.missiles.explode(&mut self.world, &report, seconds)?;
        for blast in &blasts {
            self.fires.show(blast.at, FIRE);
        }
        if self.phase == Phase::Wrecked {
            return Ok(());
        }
        self.motion = self.world.motion(self.fighter)?;
        if self.phase == Phase::Flying {
            self.count(&report, &blasts, seconds);
            self.end()?;
        }
        Ok(())
    }

    fn take_drag(&mut self, drag: f64) -> Result<(), DynamicsError> {
        if drag == self.drag {
            return Ok(());
        }
        for id in self.world.bodies().map(|(id, _)| id).collect::<Vec<_>>() {
            self.world.modify(id, |body| (body.linear_drag, body.angular_drag) = (drag, drag))?;
        }
        self.drag = drag;
        Ok(())
    }

    /// Sets the throttles of the engines.
    fn fly(&mut self, wish: &Wish, handling: &Handling, seconds: f64) -> Result<(), DynamicsError> {
        let wish = if self.phase == Phase::Passed { &Wish { brakes: true, ..Wish::default() } } else { wish };
        let limits = Limits::new(&self.inertia, handling.thrust);
        let craft = Craft { inertia: &self.inertia, motion: &self.motion, drag: handling.drag };
        let [force, torque] = if handling.is_stabilised || wish.brakes {
            stabilised(wish, handling.cruise, craft, &limits, seconds)
        } else {
            by_force(wish, &limits)
        };
        self.engines = limits.engines(force, torque);
        let engines = self.engines.clone();
        self.world.modify(self.fighter, |body| body.thrusters = engines)
    }

    fn fire(&mut self, wish: &Wish, handling: &Handling, seconds: f64) -> Result<(), DynamicsError> {
        self.reload -= seconds;
        if !wish.fires || self.reload > 0.0 || self.phase == Phase::Passed {
            return Ok(());
        }
        self.reload = RELOAD;
        self.missiles.fire(&mut self.world, &self.motion, handling.missile_speed)
    }

    /// Time, damage by contacts and explosions, and how far the fighter is.
    fn count(&mut self, report: &StepReport, blasts: &[Blast], seconds: f64) {
        self.tally.seconds += seconds;
        let own = |id| id == Some(self.fighter);
        let touches =
            report.touches.iter().filter(|t| t.phase != TouchPhase::Ended && (own(t.a) || own(t.b)));
        let impulse: f64 = touches.map(|touch| touch.impulse).sum();
        self.tally.hit(impulse / self.inertia.mass);
        for blast in blasts {
            let [impulse, radius] = BLAST;
            let share = 1.0 - (blast.at - self.motion.center).length() / radius;
            self.tally.hit(impulse * share.max(0.0) / self.inertia.mass);
            self.tally.destroyed += u32::from(blast.has_destroyed);
        }
        if let Some(cube) = self.course.cube_of(self.motion.center) {
            self.cube = self.cube.max(cube);
        }
    }

    fn end(&mut self) -> Result<(), DynamicsError> {
        let center = self.motion.center;
        let is_last = self.cube + 1 == self.course.cubes();
        // A tunnel of a file may be open at its end.
        let is_out = is_last && !self.course.contains(center, 1.0);
        if self.tally.is_wreck() {
            self.phase = Phase::Wrecked;
            self.fires.show(center, 2.0 * FIRE);
            self.world.remove(self.fighter)?;
            self.engines.clear();
        } else if self.course.is_passed(center) || is_out {
            self.phase = Phase::Passed;
        }
        Ok(())
    }
}

/// The fighter in the first cube of a tunnel, with its mass and inertia.
fn the_fighter(course: &Course) -> Result<RigidBody, DemoError> {
    let (place, rotation) = course.start();
    let drawn = RigidBody::new("fighter", fighter().map_err(DemoError::of)?);
    let Inertia { mass, center, tensor, .. } = drawn.inertia().map_err(DemoError::of)?;
    Ok(RigidBody {
        position: place - rotation * center,
        rotation,
        matter: MassSpec::Given { mass, inertia: tensor, center },
        restitution: 0.4,
        friction: 0.2,
        filter: Filter::new(FIGHTER, !0),
        drawn: drawn.body.mesh().cloned(),
        ..RigidBody::new("fighter", fighter_parts().map_err(DemoError::of)?)
    })
}

/// What there is to see.
impl Flight {
    pub fn course(&self) -> &Course {
        &self.course
    }

    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, for a hand that takes hold of what floats in it.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// How the fighter moves, or did before it exploded.
    pub fn motion(&self) -> &BodyState {
        &self.motion
    }

    /// The fighter and its pose, unless it is a wreck.
    pub fn fighter(&self) -> Option<(Handle, Pose)> {
        Some((self.fighter, self.world.pose(self.fighter).ok()?))
    }

    /// The engines as they are.
    pub fn engines(&self) -> &[ThrusterPair] {
        &self.engines
    }

    /// The places of missiles and their velocities.
    pub fn missiles(&self) -> impl Iterator<Item = BodyState> + '_ {
        self.missiles.flying().filter_map(|id| self.world.motion(id).ok())
    }

    pub fn fires(&self) -> &Billboards {
        &self.fires
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The farthest cube so far, from 1.
    pub fn cube(&self) -> usize {
        self.cube + 1
    }

    /// Bodies that stand and move in the tunnel, without its walls, the fighter and missiles.
    pub fn things(&self) -> impl Iterator<Item = (Handle, &RigidBody)> {
        let is_thing = |body: &RigidBody| body.filter.category & (FIGHTER | MISSILE) == 0 && !is_wall(body);
        self.world.bodies().filter(move |(_, body)| is_thing(body))
    }
}

/// Walls have names that bodies of a file cannot have: "cube 3 wall 1".
fn is_wall(body: &RigidBody) -> bool {
    body.name.contains(" wall ")
}

#[cfg(test)]
impl Flight {
    /// Gives the fighter other velocities.
    pub fn throw(&mut self, velocity: sudar::DVec3, angular_velocity: sudar::DVec3) {
        self.motion = BodyState { velocity, angular_velocity, ..self.motion };
        self.world.set_motion(self.fighter, self.motion).unwrap();
    }

    /// Goes on by a step in which nothing is counted, so that nothing ends.
    pub fn endure(&mut self, wish: &Wish, handling: &Handling, seconds: f64) {
        (self.phase, self.reload) = (Phase::Ready, self.reload.min(0.0));
        self.go_on(wish, handling, seconds).unwrap();
    }

    pub fn inertia(&self) -> &Inertia {
        &self.inertia
    }
}
