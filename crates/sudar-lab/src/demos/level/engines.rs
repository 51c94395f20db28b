//! The lift, the plate with its gate, and the goal.

use std::f64::consts::PI;

use sudar::dynamics::{BodyType, Filter, Handle, RigidBody, StepReport, World};
use sudar::query::Body;
use sudar::{Cuboid, DVec3, Pose};

use super::rooms::{GALLERY, GATE, LANDING, MOVER, SENSOR, TERRACE, YARD, add, block, still};
use crate::demo::DemoError;

/// Seconds of a ride of the lift, and of its wait at either end.
const RIDE: f64 = 3.5;
const WAIT: f64 = 2.5;

/// Half the thickness of the lift, and its middle.
const THICK: f64 = 0.1;
const SHAFT: [f64; 2] = [0.0, 19.3];

/// Seconds that the gate stays open after the plate was left, and that it takes to open.
pub const HOLD: f64 = 12.0;
const SLIDE: f64 = 1.0;

/// A kinematic platform between two floors.
pub struct Lift {
    pub body: Handle,
    /// From 0, below, to 1, above, in even time.
    part: f64,
    rises: bool,
    wait: f64,
    /// What must be free for it to come down, and whether it is not.
    below: Body,
    pub is_blocked: bool,
}

/// A plate that opens a gate, a gate, and the place behind it.
pub struct Gate {
    pub body: Handle,
    pub plate: Handle,
    pub goal: Handle,
    doorway: Body,
    /// How far it is open, from 0 to 1.
    open: f64,
    /// Seconds until it shuts.
    pub left: f64,
    /// Whether something is on the plate.
    pub is_pressed: bool,
    /// How often the plate went down, and the goal was reached by what is counted.
    pub presses: u32,
    pub goals: u32,
}

fn cuboid(half: [f64; 3]) -> Result<Body, DemoError> {
    Cuboid::new(half.into()).map(Body::new).map_err(DemoError::of)
}

fn translation(at: DVec3) -> Result<Pose, DemoError> {
    Pose::from_translation(at).map_err(DemoError::of)
}

/// Moves on rails, whatever is in its way.
fn on_rails(body: RigidBody) -> RigidBody {
    RigidBody { kind: BodyType::Kinematic, ..still(body) }
}

fn sensor(body: RigidBody) -> RigidBody {
    RigidBody { sensor: true, filter: Filter::new(SENSOR, MOVER), ..body }
}

/// Finds what is pushed.
const PUSHED: Filter = Filter::new(MOVER, MOVER);

impl Lift {
    pub fn new(world: &mut World) -> Result<Self, DemoError> {
        let [x, y] = SHAFT;
        let ranges = [[x - 0.98, x + 0.98], [y - 1.28, y + 1.28], [TERRACE - 2.0 * THICK, TERRACE]];
        let body = add(world, on_rails(block("lift", ranges)?))?;
        let below = cuboid([0.95, 1.25, 0.85])?;
        Ok(Self { body, part: 0.0, rises: true, wait: WAIT, below, is_blocked: false })
    }

    /// How high its floor is, in metres.
    pub fn height(&self) -> f64 {
        // Even where it begins and ends, so that what stands on it stays there.
        TERRACE + (GALLERY - TERRACE) * 0.5 * (1.0 - libm::cos(PI * self.part))
    }

    /// Whether it waits below or above.
    pub fn waits(&self) -> [bool; 2] {
        [self.part == 0.0, self.part == 1.0]
    }

    /// Goes on for so many seconds; not down onto somebody.
    pub fn advance(&mut self, world: &mut World, seconds: f64) -> Result<(), DemoError> {
        let [x, y] = SHAFT;
        let under = translation(DVec3::new(x, y, self.height() - 2.0 * THICK - 0.87))?;
        self.is_blocked = !self.rises && !world.touching(self.below.at(&under), PUSHED).is_empty();
        if self.wait > 0.0 {
            self.wait -= seconds;
        } else if !self.is_blocked {
            let way = if self.rises { seconds } else { -seconds };
            self.part = (self.part + way / RIDE).clamp(0.0, 1.0);
            if self.waits() != [false; 2] {
                (self.rises, self.wait) = (self.part == 0.0, WAIT);
            }
        }
        let to = translation(DVec3::new(x, y, self.height() - THICK))?;
        world.move_to(self.body, &to, seconds).map_err(DemoError::of)
    }
}

impl Gate {
    pub fn new(world: &mut World) -> Result<Self, DemoError> {
        let [x, width, height] = GATE;
        let half = 0.5 * width;
        let slab = [[x - half, x + half], [YARD - 0.25, YARD - 0.12], [0.02, height + 0.1]];
        let body = add(world, on_rails(block("gate", slab)?))?;
        let plate = [[x - 0.8, x + 0.8], [3.7, 5.3], [LANDING, LANDING + 0.1]];
        let goal = [[x - 1.5, x + 1.5], [-10.5, -8.0], [0.0, 2.0]];
        Ok(Self {
            body,
            plate: add(world, sensor(block("plate", plate)?))?,
            goal: add(world, sensor(block("goal", goal)?))?,
            doorway: cuboid([half, 0.5, 0.5 * height])?,
            open: 0.0,
            left: 0.0,
            is_pressed: false,
            presses: 0,
            goals: 0,
        })
    }

    /// Opens while something is on the plate, for a while after it, and from within; it shuts on nobody.
    pub fn advance(&mut self, world: &mut World, seconds: f64) -> Result<(), DemoError> {
        let [x, width, height] = GATE;
        let inside = |sensor: Handle| world.inside(sensor).map_err(DemoError::of);
        self.is_pressed = !inside(self.plate)?.is_empty();
        let is_held = self.is_pressed || !inside(self.goal)?.is_empty();
        self.left = if is_held { HOLD } else { (self.left - seconds).max(0.0) };
        let doorway = translation(DVec3::new(x, YARD, 0.5 * height))?;
        let is_passed = self.open > 0.0 && !world.touching(self.doorway.at(&doorway), PUSHED).is_empty();
        let way = if self.left > 0.0 || is_passed { seconds } else { -seconds };
        self.open = (self.open + way / SLIDE).clamp(0.0, 1.0);
        let to = DVec3::new(x + self.open * (width - 0.1), YARD - 0.185, 0.5 * (height + 0.12));
        world.move_to(self.body, &translation(to)?, seconds).map_err(DemoError::of)
    }

    /// Counts what came onto the plate, and how often one body came to the goal.
    pub fn count(&mut self, report: &StepReport, who: Handle) {
        self.presses += report.entered(self.plate).count() as u32;
        self.goals += report.entered(self.goal).filter(|body| *body == who).count() as u32;
    }
}
