//! The player: a character with a body that others run into.

use sudar::dynamics::{BodyType, Character, Filter, Handle, RigidBody, Walk, World};
use sudar::query::Body;
use sudar::{Capsule, DVec3, Pose};

use super::choice::Choice;
use super::rooms::{MOVER, add};
use crate::clock::Clock;
use crate::demo::DemoError;

/// Radius of the player and half its straight height, in metres: it is 1.7 m tall.
pub const RADIUS: f64 = 0.3;
pub const HALF: f64 = 0.55;

/// Where it begins: its middle.
pub const START: DVec3 = DVec3::new(0.0, -1.0, RADIUS + HALF + 0.02);

/// Speed of a jump in m/s: 2.5 m high.
const JUMP: f64 = 7.0;

/// How fast its velocity changes, in m/s², on the ground and in the air, and how fast it turns, in 1/s.
const GRIP: [f64; 2] = [25.0, 8.0];
const TURN: f64 = 12.0;

/// Running is so many times as fast as walking.
const RUN: f64 = 1.8;

/// What the player wants.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wish {
    /// Which way, of length 1 or less.
    pub way: DVec3,
    pub runs: bool,
    pub jumps: bool,
}

/// The player.
pub struct Hero {
    pub character: Character,
    pub own: Handle,
    velocity: DVec3,
    /// Where it looks, as an angle about z from x.
    pub heading: f64,
    /// What became of the last move.
    pub walk: Option<Walk>,
    /// Metres a second over the ground, of the last move.
    pub speed: f64,
    /// Seconds that the last move took by the clock.
    pub took: f64,
    /// How often it was found in something.
    pub crushed: u32,
}

impl Hero {
    pub fn new(world: &mut World) -> Result<Self, DemoError> {
        let shape = Body::new(Capsule::new(RADIUS, HALF).map_err(DemoError::of)?);
        let filter = Filter::new(MOVER, !0);
        let body = RigidBody { kind: BodyType::Kinematic, filter, ..RigidBody::new("player", shape.clone()) };
        let own = add(world, RigidBody { position: START, ..body })?;
        Ok(Self {
            character: Character::new(shape).filter(filter).with_body(own).at(START),
            own,
            velocity: DVec3::ZERO,
            heading: std::f64::consts::FRAC_PI_2,
            walk: None,
            speed: 0.0,
            took: 0.0,
            crushed: 0,
        })
    }

    /// Back to the start.
    pub fn go_back(&mut self, world: &mut World) -> Result<(), DemoError> {
        self.character.set_position(START);
        self.velocity = DVec3::ZERO;
        let mut motion = world.motion(self.own).map_err(DemoError::of)?;
        (motion.center, motion.velocity) = (START, DVec3::ZERO);
        world.set_motion(self.own, motion).map_err(DemoError::of)
    }

    /// Moves as it wants, for so many seconds.
    pub fn advance(
        &mut self,
        world: &mut World,
        wish: &Wish,
        choice: &Choice,
        seconds: f64,
        clock: Clock,
    ) -> Result<(), DemoError> {
        let character = self.character.clone().max_slope(choice.slope.to_radians()).step_height(choice.step);
        self.character = character;
        let is_grounded = self.character.is_grounded();
        if wish.jumps && is_grounded {
            self.character.jump(JUMP);
        }
        let wanted = wish.way * (choice.speed * if wish.runs { RUN } else { 1.0 });
        let grip = GRIP[usize::from(!is_grounded)] * seconds;
        self.velocity += (wanted - self.velocity).clamp_length_max(grip);
        self.turn(wish.way, seconds);
        let velocity = self.velocity;
        let (walk, took) = clock.timed(|| self.character.walk(world, velocity, seconds));
        let walk = walk.map_err(DemoError::of)?;
        (self.speed, self.took) = (walk.moved.truncate().length() / seconds, took);
        self.crushed += u32::from(walk.is_crushed);
        self.walk = Some(walk);
        Ok(())
    }

    fn turn(&mut self, way: DVec3, seconds: f64) {
        if way.length() > 0.1 {
            let off = libm::atan2(way.y, way.x) - self.heading;
            let off = libm::remainder(off, std::f64::consts::TAU);
            self.heading += off * -libm::expm1(-TURN * seconds);
        }
    }

    pub fn position(&self) -> DVec3 {
        self.character.position()
    }

    /// How high its feet are.
    pub fn feet(&self) -> f64 {
        self.position().z - RADIUS - HALF
    }

    /// Where it is, turned to where it looks.
    pub fn pose(&self) -> Pose {
        let turn =
            sudar::DQuat::from_xyzw(0.0, 0.0, libm::sin(0.5 * self.heading), libm::cos(0.5 * self.heading));
        Pose::new(self.position(), turn).unwrap_or(Pose::IDENTITY)
    }

    /// The name of what it stands on.
    pub fn stands_on<'w>(&self, world: &'w World) -> Option<&'w str> {
        Some(world.body(self.character.ground()?).ok()?.name.as_str())
    }
}
