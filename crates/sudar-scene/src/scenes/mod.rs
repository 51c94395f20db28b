//! Built-in scenes, shared by tests, benchmarks and the command.

mod driven;
mod elastic;
mod fighter;
mod jointed;
mod models;
mod stacks;
mod tunnel;

pub use driven::{derrick, hill_car};
pub use elastic::{
    billiard, box_cubes, box_fighter, box_objects, box_turned_fighters, cradle, gas, room_of_cubes,
    room_of_objects,
};
pub use fighter::{fighter, fighter_parts};
pub use jointed::{bridge, card_house, cars, crane, crawler, net, ragdolls, ropes};
pub use models::{UnknownModel, tunnel_model};
pub use stacks::{boxes, dominoes, hulls, incline, pyramid, pyramid_3d, stack, wall};
pub use tunnel::{Opening, TunnelPiece, tunnel, tunnel_walls};

use sudar::dynamics::{DynamicsError, Explosion, RigidBody, Settings, World};
use sudar::hull::HullError;
use sudar::shape::{CompoundError, HeightFieldError, MeshError, ShapeError};
use sudar::{DQuat, DVec3};
use sudar_classic::broad::UnknownBroadPhase;
use sudar_classic::response::{Spring, UnknownResponse};
use thiserror::Error;

use crate::actors::Actors;
use crate::joints::SceneJoint;

/// Everything that a run begins with.
#[derive(Debug, Clone)]
pub struct Scene {
    /// How the world works.
    pub settings: Settings,
    /// The spring of the response `spring`.
    pub spring: Spring,
    /// Name of the broad phase, one of [`sudar_classic::ALL_BROAD_PHASES`].
    pub broad_phase: String,
    /// Seconds a step.
    pub step: f64,
    /// The bodies.
    pub bodies: Vec<RigidBody>,
    /// What ties them together.
    pub joints: Vec<SceneJoint>,
    /// What moves by a plan.
    pub actors: Actors,
    /// What happens later.
    pub explosions: Vec<Explosion>,
}

impl Scene {
    /// An empty scene of sixty steps a second.
    pub fn new(settings: Settings) -> Self {
        let broad_phase = "auto".to_owned();
        Self {
            settings,
            spring: Spring::default(),
            broad_phase,
            step: 1.0 / 60.0,
            bodies: Vec::new(),
            joints: Vec::new(),
            actors: Actors::default(),
            explosions: Vec::new(),
        }
    }

    /// The spring that pushes bodies apart, if that is the response.
    pub fn spring(&self) -> Option<Spring> {
        (self.settings.response.name() == "spring").then_some(self.spring)
    }

    /// A world with these bodies.
    ///
    /// # Errors
    /// [`SceneError::World`] of the first that is refused, [`SceneError::BroadPhase`].
    pub fn world(&self) -> Result<World, SceneError> {
        self.world_of(self.bodies.iter().cloned())
    }

    /// The same world, which takes the bodies over: half the memory and half the time.
    ///
    /// # Errors
    /// Those of [`Scene::world`].
    pub fn into_world(mut self) -> Result<World, SceneError> {
        let bodies = std::mem::take(&mut self.bodies);
        self.world_of(bodies.into_iter())
    }

    fn world_of(&self, bodies: impl Iterator<Item = RigidBody>) -> Result<World, SceneError> {
        let phase = sudar_classic::broad_phase(&self.broad_phase)?;
        let mut world = World::with_broad_phase(self.settings.clone(), phase)?;
        let handles = bodies.map(|body| world.add(body)).collect::<Result<Vec<_>, _>>()?;
        for joint in &self.joints {
            world.join(joint.of(&handles))?;
        }
        // Each goes behind those before it; in another order it would move them.
        let mut explosions = self.explosions.clone();
        explosions.sort_by(|a, b| a.time.total_cmp(&b.time));
        for explosion in explosions {
            world.schedule_explosion(explosion)?;
        }
        Ok(world)
    }
}

/// Why a scene or its world could not be made.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SceneError {
    /// A shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A hull.
    #[error(transparent)]
    Hull(#[from] HullError),
    /// Terrain.
    #[error(transparent)]
    HeightField(#[from] HeightFieldError),
    /// A compound.
    #[error(transparent)]
    Compound(#[from] CompoundError),
    /// The world refuses a setting, a body or an event.
    #[error(transparent)]
    World(#[from] DynamicsError),
    /// No broad phase has that name.
    #[error(transparent)]
    BroadPhase(#[from] UnknownBroadPhase),
    /// No response has that name.
    #[error(transparent)]
    Response(#[from] UnknownResponse),
    /// No model has that name.
    #[error(transparent)]
    Model(#[from] UnknownModel),
}

/// A built-in scene: its name, one line about it, and what makes it.
#[derive(Debug, Clone, Copy)]
pub struct BuiltIn {
    /// What the command calls it.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    make: fn() -> Result<Scene, SceneError>,
}

impl BuiltIn {
    /// The scene.
    ///
    /// # Errors
    /// None in practice: the numbers of built-in scenes make bodies.
    pub fn scene(&self) -> Result<Scene, SceneError> {
        (self.make)()
    }

    /// The built-in scene of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        ALL.into_iter().find(|scene| scene.name == name)
    }
}

/// All built-in scenes.
pub const ALL: [BuiltIn; 18] = [
    BuiltIn {
        name: "box-cubes",
        about: "eight boxes that fly about in a closed room, elastic (Maštera 2007)",
        make: box_cubes,
    },
    BuiltIn {
        name: "box-objects",
        about: "one body of every solid shape in a closed room, elastic (Maštera 2007)",
        make: box_objects,
    },
    BuiltIn {
        name: "box-fighter",
        about: "four fighters, non-convex meshes, in a closed room, elastic (Maštera 2007)",
        make: || box_fighter(4),
    },
    BuiltIn {
        name: "cradle",
        about: "five touching balls in a row, of which the first moves: Newton's cradle",
        make: cradle,
    },
    BuiltIn { name: "billiard", about: "the break of fifteen balls, elastic", make: billiard },
    BuiltIn { name: "gas", about: "a thousand balls in a closed room, elastic", make: || gas(1000) },
    BuiltIn {
        name: "dominoes",
        about: "thirty dominoes, of which the first is tipped over",
        make: || dominoes(30),
    },
    BuiltIn { name: "pyramid", about: "a pyramid of 210 boxes, one box thick", make: || pyramid(20) },
    BuiltIn { name: "stack", about: "twenty boxes on top of each other", make: || stack(20) },
    BuiltIn {
        name: "incline",
        about: "a block on a slope of 20 degrees, held by friction of 0.5",
        make: || incline(20.0, 0.5),
    },
    BuiltIn { name: "wall", about: "a wall of bricks that a heavy ball runs into", make: wall },
    BuiltIn {
        name: "tunnel",
        about: "a fighter flies through a tunnel of cubes (Maštera 2007)",
        make: tunnel,
    },
    BuiltIn {
        name: "bridge",
        about: "a hanging bridge of forty hinged planks, and five heavy balls that fall on it",
        make: || bridge(40),
    },
    BuiltIn {
        name: "ropes",
        about: "eight ropes of thirty links, let go from the horizontal",
        make: || ropes(8, 30),
    },
    BuiltIn { name: "cloth", about: "a net of ball joints that hangs by one side", make: || net(16) },
    BuiltIn {
        name: "ragdolls",
        about: "twenty dolls of eleven parts that fall in a heap",
        make: || ragdolls(20),
    },
    BuiltIn {
        name: "cars",
        about: "nine cars on springs, driven by a motor on each rear wheel",
        make: || cars(9),
    },
    BuiltIn {
        name: "crane",
        about: "a crane that turns, whose chain carries a thousand times the mass of a link",
        make: || crane(20),
    },
];

/// The rotation by the angle |v| about v, the same bits on every platform.
fn turn(v: DVec3) -> DQuat {
    let angle = v.length();
    // sin(x/2)/x, whose series needs two terms there.
    let share = if angle < 1e-4 { 0.5 - angle * angle / 48.0 } else { libm::sin(0.5 * angle) / angle };
    DQuat::from_xyzw(v.x * share, v.y * share, v.z * share, libm::cos(0.5 * angle))
}
