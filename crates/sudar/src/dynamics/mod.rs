//! Rigid bodies that move, touch and push each other.
//!
//! A [`World`] holds [`RigidBody`]s and advances them by [`World::step`]. Between contacts bodies fly as the
//! equations of motion say: parabolas, with linear drag in closed form, and the free rotation of a body of
//! any inertia ([`Flight`]). What happens at contacts is the choice of a [`Response`]:
//!
//! | response | what it does | source |
//! |---|---|---|
//! | [`Reflection`](Response::Reflection) | mirrors velocities, spin untouched | Maštera 2007 |
//! | [`Momentum`](Response::Momentum) | exchanges lengths of momenta; keeps neither energy nor momentum | Daneu 2002 |
//! | [`Mtv`](Response::Mtv) | half the least translation each, elastic velocities | Dimitrijević 2019 |
//! | [`Spring`](Response::Spring) | forces in proportion to depth | Dimitrijević 2019 |
//! | [`Impulse`](Response::Impulse) | one contact after another, full inertia tensor, Coulomb friction | Maštera 2007 |
//! | [`Simultaneous`](Response::Simultaneous) | all contacts of an instant at once, energy exact at restitution 1 | Smith et al. 2012 |
//! | [`Solver`](Response::Solver) | stacks, friction and sleep | Macklin et al. 2019; Catto 2024 |
//!
//! All but the spring go from contact to contact: bodies advance to a certified lower bound of the time of
//! their first contact, so that nothing passes through anything, however fast and thin it is. The solver does
//! so for bodies in flight that strike each other, and under every response contacts that last are the
//! solver's, so that no step takes impacts without end ([`World::fallback_steps`] counts the steps). Momenta
//! of bodies that touch nothing fixed stay to rounding, but for [`Response::Momentum`] and the angular one of
//! [`Response::Mtv`].
//!
//! ```
//! use sudar::dynamics::{Response, RigidBody, Settings, World};
//! use sudar::{DVec3, Sphere};
//!
//! let ball = |name: &str, x: f64, speed: f64| -> Result<RigidBody, sudar::shape::ShapeError> {
//!     let mut body = RigidBody::new(name, Sphere::new(DVec3::ZERO, 0.5)?);
//!     (body.position, body.velocity) = (DVec3::X * x, DVec3::X * speed);
//!     (body.restitution, body.friction) = (1.0, 0.0);
//!     Ok(body)
//! };
//! let settings = Settings { gravity: DVec3::ZERO, response: Response::Simultaneous, ..Settings::default() };
//! let mut world = World::new(settings)?;
//! let first = world.add(ball("first", 0.0, 3.0)?)?;
//! let last = world.add(ball("last", 2.0, 0.0)?)?;
//! for _ in 0..60 {
//!     world.step(1.0 / 60.0)?;
//! }
//! // Equal balls exchange their velocities.
//! assert!(world.motion(first)?.velocity.length() < 1e-12);
//! assert!((world.motion(last)?.velocity - DVec3::X * 3.0).length() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Units are metres, seconds, kilograms, radians. The same scene gives the same bits for any number of threads.

mod error;
mod impact;
mod matter;
mod near;
mod room;
pub mod scenes;
mod settings;
mod solver;
mod world;

pub use error::DynamicsError;
pub use matter::{BodyType, Flight, Inertia, MassSpec, Motion, RigidBody, ThrusterPair};
pub use world::{
    BodyId, Bounds, Cast, Energy, Explosion, Response, Settings, Snapshot, StepReport, Touch, TouchPhase,
    World,
};
