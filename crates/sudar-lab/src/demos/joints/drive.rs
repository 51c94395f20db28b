//! Machines that keys drive: the car and the crane.

use egui::Key;
use sudar::DVec3;
use sudar::dynamics::{Axis, DynamicsError, Handle, JointHandle, Motor, World};

use crate::input::Input;

/// Speed of the wheels at full throttle, in rad/s, and the torque of each motor, in N·m; without throttle they brake a
/// little.
const WHEEL_SPEED: f64 = 22.0;
const TORQUE: [f64; 2] = [40.0, 500.0];

/// The torque of each brake, in N·m.
const BRAKE: f64 = 1500.0;

/// How far the front wheels are turned, in rad, and how fast, in rad/s; at the speed of the last, in m/s, half as far.
const STEERING: f64 = 0.5;
const STEERING_SPEED: f64 = 1.6;
const HALF: f64 = 4.0;

/// Speeds of the crane, of turning and of raising, in rad/s, and how fast it reaches them, in rad/s².
const CRANE_SPEEDS: [f64; 2] = [0.35, 0.18];
const CRANE_PULL: f64 = 0.4;

/// Angles between which the boom is raised, in rad, and how soon before them it slows down, in 1/s.
const RANGE: [f64; 2] = [-0.3, 0.6];
const SLOWING: f64 = 1.2;

/// What keys drive.
pub enum Drive {
    Nothing,
    Car(Car),
    Crane(Crane),
}

/// The car: its wheels, rear ones first.
pub struct Car {
    pub body: Handle,
    wheels: Vec<JointHandle>,
    steering: f64,
    /// Throttle and brake of the last step.
    pedals: [f64; 2],
    /// Metres that it has gone.
    pub way: f64,
}

/// The crane: the joints that turn it and raise its boom.
pub struct Crane {
    joints: Vec<JointHandle>,
    speeds: [f64; 2],
    load: Handle,
    /// Height of the load at the start.
    start: f64,
}

impl Drive {
    /// What there is to drive in the scene of a name.
    pub fn new(name: &str, world: &World) -> Self {
        let body = |name: &str| {
            world.bodies().find(|(_, body)| body.name.starts_with(name)).map(|(handle, _)| handle)
        };
        let joints = |count: usize| world.joints().take(count).map(|(joint, _)| joint).collect();
        match name {
            "car" => body("car").map_or(Self::Nothing, |body| {
                Self::Car(Car { body, wheels: joints(4), steering: 0.0, pedals: [0.0; 2], way: 0.0 })
            }),
            "crane" => body("load").map_or(Self::Nothing, |load| {
                let start = height(world, load);
                Self::Crane(Crane { joints: joints(2), speeds: [0.0; 2], load, start })
            }),
            _ => Self::Nothing,
        }
    }

    /// Does what the keys say for so many seconds.
    ///
    /// # Errors
    /// None in practice.
    pub fn act(&mut self, world: &mut World, input: &Input, seconds: f64) -> Result<(), DynamicsError> {
        match self {
            Self::Nothing => Ok(()),
            Self::Car(car) => car.act(world, input, seconds),
            Self::Crane(crane) => crane.act(world, input, seconds),
        }
    }

    /// What it does, in a line.
    pub fn says(&self, world: &World) -> Option<String> {
        match self {
            Self::Nothing => None,
            Self::Car(car) => {
                let speed = world.motion(car.body).ok()?.velocity.length();
                Some(format!("{:.0} km/h, {:.0} m", 3.6 * speed, car.way))
            }
            Self::Crane(crane) => Some(format!("load lifted by {:.2} m", crane.lifted(world))),
        }
    }
}

impl Car {
    fn act(&mut self, world: &mut World, input: &Input, seconds: f64) -> Result<(), DynamicsError> {
        let speed = world.motion(self.body)?.velocity.length();
        self.way += speed * seconds;
        let [throttle, left] = input.ways();
        let most = STEERING_SPEED * seconds;
        let before = self.steering;
        let wanted = STEERING * left / (1.0 + (speed / HALF) * (speed / HALF));
        self.steering += (wanted - before).clamp(-most, most);
        if self.steering != before {
            for wheel in self.wheels.iter().skip(2) {
                world.joint_mut(*wheel)?.set_steering(self.steering)?;
            }
        }
        let pedals = [throttle, f64::from(u8::from(input.is_held(Key::Space)))];
        // A joint that is changed wakes its bodies.
        if pedals != self.pedals {
            self.pedals = pedals;
            for wheel in &self.wheels {
                push(world, *wheel, pedals)?;
            }
        }
        Ok(())
    }

    /// Where it is, and the direction in which it looks.
    pub fn ahead(&self, world: &World) -> Option<[DVec3; 2]> {
        let motion = world.motion(self.body).ok()?;
        Some([motion.center, motion.rotation * DVec3::X])
    }
}

/// Throttle and brake of a wheel.
fn push(world: &mut World, wheel: JointHandle, [throttle, brake]: [f64; 2]) -> Result<(), DynamicsError> {
    let force = TORQUE[usize::from(throttle != 0.0)] * (1.0 - brake);
    world.joint_mut(wheel)?.modify(|joint| {
        let row = joint.main_row();
        row.motor = Some(Motor { speed: WHEEL_SPEED * throttle, force });
        row.friction = BRAKE * brake;
    })
}

impl Crane {
    fn act(&mut self, world: &mut World, input: &Input, seconds: f64) -> Result<(), DynamicsError> {
        let [up, left] = input.ways();
        let most = CRANE_PULL * seconds;
        let [turning, raising] = CRANE_SPEEDS;
        for (k, wanted) in [turning * left, self.slowed(world, raising * up)].into_iter().enumerate() {
            let before = self.speeds[k];
            self.speeds[k] += (wanted - before).clamp(-most, most);
            if let Some(joint) = self.joints.get(k).filter(|_| self.speeds[k] != before) {
                world.joint_mut(*joint)?.set_motor(self.speeds[k])?;
            }
        }
        Ok(())
    }

    /// A speed of the boom, less near the ends of its range: loads that stop at once would swing.
    fn slowed(&self, world: &World, speed: f64) -> f64 {
        let state = self.joints.get(1).and_then(|joint| world.joint_state(*joint).ok());
        let angle = state.map_or(0.0, |state| state.coordinates[Axis::Twist as usize]);
        let [down, up] = RANGE.map(|end| SLOWING * (end - angle));
        speed.clamp(down.min(0.0), up.max(0.0))
    }

    /// By how many metres the load is higher than at the start.
    pub fn lifted(&self, world: &World) -> f64 {
        height(world, self.load) - self.start
    }
}

fn height(world: &World, body: Handle) -> f64 {
    world.motion(body).map_or(0.0, |motion| motion.center.z)
}
