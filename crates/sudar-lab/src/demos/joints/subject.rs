//! The scenes: what is in them, how it moves, where it is seen from.

use sudar::dynamics::{RigidBody, World};
use sudar::{DVec3, Halfspace};
use sudar_scene::mechanisms::{Squeezer, squeezer};
use sudar_scene::{Scene as Setup, SceneError, bridge, derrick, hill_car, net, ragdolls};
use sudar_view::Orbit;

use super::choice::{Choice, SCENES};
use super::robot::{File, Held};
use crate::demo::DemoError;

/// Planks, knots and others that joints hold, the squeezer with its angles, or a robot with its motors.
pub enum Bodies {
    Scene(Box<World>),
    Squeezer(Box<Squeezer>),
    Robot(Box<Held>),
}

impl Bodies {
    pub fn world(&self) -> &World {
        match self {
            Self::Scene(world) => world,
            Self::Squeezer(squeezer) => &squeezer.mechanism.world,
            Self::Robot(held) => &held.world,
        }
    }

    pub fn world_mut(&mut self) -> &mut World {
        match self {
            Self::Scene(world) => world,
            Self::Squeezer(squeezer) => &mut squeezer.mechanism.world,
            Self::Robot(held) => &mut held.world,
        }
    }
}

/// A scene that can be chosen.
pub struct Subject {
    /// Its name, one of [`SCENES`].
    pub name: &'static str,
    /// What it shows, in a sentence or two.
    pub about: &'static str,
    make: fn(&Choice, Option<&File>) -> Result<Bodies, DemoError>,
    /// Where it is seen from: target, distance, yaw and pitch.
    view: ([f64; 3], f64, f64, f64),
    /// Half the length of an axis in the picture, in metres.
    pub axis: f64,
    /// Seconds of it in a second.
    pub pace: f64,
    /// The unit of its energy, in joules, and its name.
    pub energy: (f64, &'static str),
}

impl Subject {
    pub fn by_name(name: &str) -> &'static Self {
        ALL.iter().find(|subject| subject.name == name).unwrap_or(&ALL[0])
    }

    /// As it is chosen; the robot is that of a file if there is one.
    pub fn make(&self, choice: &Choice, file: Option<&File>) -> Result<Bodies, DemoError> {
        let mut bodies = (self.make)(choice, file)?;
        set_substeps(bodies.world_mut(), choice.substeps)?;
        Ok(bodies)
    }

    pub fn orbit(&self) -> Orbit {
        let (target, distance, yaw, pitch) = self.view;
        Orbit { target: DVec3::from_array(target), distance, yaw, pitch }
    }
}

/// Changes the number of sub-steps from the next step on.
pub fn set_substeps(world: &mut World, substeps: u32) -> Result<(), DemoError> {
    if world.settings().substeps == substeps {
        return Ok(());
    }
    let mut settings = world.settings().clone();
    settings.substeps = substeps;
    world.set_settings(settings).map_err(DemoError::of)
}

fn scene(setup: Result<Setup, SceneError>) -> Result<Bodies, DemoError> {
    let world = setup.and_then(Setup::into_world).map_err(DemoError::of)?;
    Ok(Bodies::Scene(Box::new(world)))
}

/// The same over a floor at a height, for what falls.
fn over_floor(setup: Result<Setup, SceneError>, height: f64) -> Result<Bodies, DemoError> {
    let plane = Halfspace::new(DVec3::Z, height).map_err(DemoError::of)?;
    scene(setup.map(|mut setup| {
        setup.bodies.push(RigidBody::fixed("floor", plane));
        setup
    }))
}

const KILOJOULES: (f64, &str) = (1e3, "energy in kJ");

const ALL: [Subject; 7] = [
    Subject {
        name: SCENES[0],
        about: "A bridge of hinged planks hangs between two banks; five balls of 50 kg fall on it.",
        make: |choice, _| over_floor(bridge(choice.planks), 6.5),
        view: ([0.0, 0.0, 8.9], 11.5, 0.5, 0.3),
        axis: 1.0,
        pace: 1.0,
        energy: KILOJOULES,
    },
    Subject {
        name: SCENES[1],
        about: "Dolls of eleven parts: shoulders and hips lean within cones, elbows and knees bend one way.",
        make: |choice, _| scene(ragdolls(choice.dolls)),
        view: ([0.0, 0.0, 0.9], 5.2, 0.6, 0.3),
        axis: 0.12,
        pace: 1.0,
        energy: KILOJOULES,
    },
    Subject {
        name: SCENES[2],
        about: "A car of 1200 kg among hills: four wheels on springs, each with a motor; the front ones steer.",
        make: |_, _| scene(hill_car()),
        view: ([0.0, 0.0, 1.0], 8.5, -std::f64::consts::FRAC_PI_2 - 0.35, 0.3),
        axis: 0.35,
        pace: 1.0,
        energy: KILOJOULES,
    },
    Subject {
        name: SCENES[3],
        about: "Andrews' squeezer: a torque on the crank drives seven bodies against a spring; 0.03 s in five seconds. \
                Published angles of the end are diamonds in the plots.",
        make: |choice, _| {
            let squeezer = squeezer(choice.substeps).map_err(DemoError::of)?;
            Ok(Bodies::Squeezer(Box::new(squeezer)))
        },
        view: ([-0.028, 0.02, 0.0], 0.15, 0.0, 1.35),
        axis: 0.004,
        pace: 0.006,
        energy: (1.0, "energy in J"),
    },
    Subject {
        name: SCENES[4],
        about: "A crane whose chain carries a thousand times its own mass.",
        make: |choice, _| scene(derrick(choice.links)),
        view: ([3.0, 0.0, 6.0], 19.0, 0.35, 0.2),
        axis: 0.7,
        pace: 1.0,
        energy: KILOJOULES,
    },
    Subject {
        name: SCENES[5],
        about: "A cloth of ball joints: a net of closed loops, held by points of one side. Larger nets take long.",
        make: |choice, _| over_floor(net(choice.knots), -0.4),
        view: ([2.0, 2.5, 3.4], 11.5, 1.0, 0.2),
        axis: 0.3,
        pace: 1.0,
        energy: KILOJOULES,
    },
    Subject {
        name: SCENES[6],
        about: "A robot that stands by its motors, each with a torque of its own; drop a file of yours onto the window: \
                URDF, without meshes that it names.",
        make: |choice, file| Ok(Bodies::Robot(Box::new(Held::new(file, choice.fixed)?))),
        view: ([0.0, 0.0, 0.2], 1.6, 0.75, 0.25),
        axis: 0.06,
        pace: 1.0,
        energy: (1.0, "energy in J"),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_has_its_own_entry() {
        for name in SCENES {
            assert_eq!(Subject::by_name(name).name, name);
        }
    }
}
