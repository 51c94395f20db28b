//! Rigid bodies that move, touch and push each other.
//!
//! A [`World`] holds [`RigidBody`]s and advances them by [`World::step`]. Between contacts bodies fly as the
//! equations of motion say: parabolas, with linear drag in closed form, and the free rotation of a body of
//! any inertia ([`Flight`]). Where they touch, a [`Response`] says what happens: [`SoftContacts`] by default,
//! with stacks, friction and sleep. The responses of the sources (reflection, exchange of momenta, least
//! translation, springs, impulses, simultaneous reflections) are in the crate `sudar-classic`, and everybody
//! can write one.
//!
//! Bodies in flight advance to a certified lower bound of the time of their first contact, so that nothing
//! passes through anything, however fast and thin it is. Contacts that last are the solver's, so that no step
//! takes impacts without end ([`World::fallback_steps`] counts such steps of laws that go from contact to
//! contact). Momenta of bodies that touch nothing fixed stay to rounding.
//!
//! ```
//! use sudar::dynamics::{RigidBody, Settings, World};
//! use sudar::{DVec3, Sphere};
//!
//! let ball = |name: &str, x: f64, speed: f64| -> Result<RigidBody, sudar::shape::ShapeError> {
//!     let mut body = RigidBody::new(name, Sphere::new(DVec3::ZERO, 0.5)?);
//!     (body.position, body.velocity) = (DVec3::X * x, DVec3::X * speed);
//!     (body.restitution, body.friction) = (1.0, 0.0);
//!     Ok(body)
//! };
//! let settings = Settings { gravity: DVec3::ZERO, ..Settings::default() };
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

mod character;
mod draw;
mod error;
mod impact;
mod joint;
mod matter;
mod near;
mod pair_map;
mod response;
mod room;
mod settings;
mod solver;
mod stage;
mod step;
mod touches;
mod work;
mod world;

pub use crate::broad::{Filter, Handle, Seek};
pub use crate::many::{DebugColor, DebugDraw};
pub use character::{Character, Obstacle, Walk};
pub use error::DynamicsError;
pub use impact::{ImpactBody, ImpactContact, ImpactGroup, ImpactLaw, SequentialImpulses};
pub use joint::{Anchor, Anchors, Axis, Joint, JointHandle, Measure, Motor, Row, Softness, Spring};
pub use matter::{
    BodyState, BodyType, Combine, ContactRule, Flight, ForceField, Inertia, MassSpec, PairBody, RigidBody,
    ThrusterPair,
};
pub use response::{Response, SoftContacts, Step, StepBody, TouchingPair};
pub use settings::{Bounds, Settings};
pub use touches::{TouchPhase, TouchPoint};
pub use work::StepWork;
pub use world::{
    Difference, Energy, Explosion, Fingerprint, Frame, JointMut, JointState, Odd, Pace, Recording, Replay,
    SavedWorld, Sensed, Snapshot, StepReport, Touch, World,
};
