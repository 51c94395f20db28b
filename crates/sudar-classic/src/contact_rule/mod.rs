//! Bodies that fly and collide as Maštera 2007 describes it, with the faults of the description as values.
//!
//! Petr Maštera 2007, "Simulation of collisions on a physical model" (a thesis, in Czech). [`Flyers`] are rigid bodies
//! in a closed room. They move one after another, and each is tested at once with all others and the room (section
//! 7.5.1). Of two bodies whose triangles meet there is **one contact**: at the mean of the points of intersection that
//! are found more than once (9.3.1), with the mean normal of the triangles of one side (9.3.2). There the impulse of
//! formula 4.20 acts, whether the bodies approach or not; then both go back to where they last touched nothing (9.2).
//!
//! The rule itself cannot be mended without being another: contacts at several places become one between them, mean
//! normals of round ends cancel, and what passes through a wall within a step is out. What can be chosen are the
//! faults around it, the fields of [`ContactRule`]. For work use [`sudar::dynamics::World`], which has none of them.
//!
//! ```
//! use sudar::dynamics::RigidBody;
//! use sudar::{Aabb, Cuboid, DVec3};
//! use sudar_classic::contact_rule::{ContactRule, Flyers};
//!
//! let cube = RigidBody::new("cube", Cuboid::new(DVec3::splat(0.5))?);
//! let cube = RigidBody { velocity: DVec3::new(3.0, 1.0, 0.0), restitution: 1.0, ..cube };
//! let room = Aabb { min: DVec3::splat(-2.0), max: DVec3::splat(2.0) };
//! let mut flyers = Flyers::new(&[cube], room, ContactRule::CURED)?;
//! let first = flyers.energy().kinetic;
//! for _ in 0..600 {
//!     flyers.step(1.0 / 60.0);
//! }
//! // Ten seconds later it has struck the walls many times, and its energy is what it was.
//! assert!(flyers.collisions() > 10 && flyers.outside().next().is_none());
//! assert!((flyers.energy().kinetic / first - 1.0).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contact;
mod flyer;
mod flyers;
mod surface;

pub use flyers::{Flyers, RuleContact};
pub use surface::{NoSurface, with_triangles};

use sudar::DVec3;
use sudar::dynamics::DynamicsError;
use thiserror::Error;

/// What is wrong in the description, each fault by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContactRule {
    /// In flight the angular velocity stays, as formulas 4.8 to 4.20 have it, as if the tensor did not turn with the
    /// body; else the angular momentum stays.
    pub has_constant_spin: bool,
    /// Impulses reckon with the diagonal of the inertia tensor alone: section 10.1 takes its products for rounding.
    pub has_diagonal_tensor: bool,
    /// Where bodies go after a collision.
    pub step_back: StepBack,
}

/// When bodies that collide go back to where they last touched nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepBack {
    /// After the impulse, with the velocities of now (section 9.2). It joins an earlier rotation with a later angular
    /// velocity: the energy of bodies that turn grows.
    AfterImpulse,
    /// Before the impulse, with the velocities of then: the cure.
    BeforeImpulse,
    /// Not at all: bodies bite into each other (section 10.3).
    Never,
}

impl ContactRule {
    /// As published.
    pub const PUBLISHED: Self =
        Self { has_constant_spin: true, has_diagonal_tensor: true, step_back: StepBack::AfterImpulse };

    /// Without the faults that can be taken out: elastic bodies keep their energy.
    pub const CURED: Self =
        Self { has_constant_spin: false, has_diagonal_tensor: false, step_back: StepBack::BeforeImpulse };
}

/// What acts on all bodies: the force and the damping that the source keeps for the whole scene (section 7.4).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Forces {
    /// In m/s².
    pub gravity: DVec3,
    /// Drag: c in dv/dt = −c·v, and so for the angular momentum, in 1/s, 0 or more.
    pub drag: f64,
}

/// Why bodies cannot fly by the rule.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ContactRuleError {
    /// A body without mass or inertia.
    #[error(transparent)]
    Body(#[from] DynamicsError),
    /// A body without a surface of triangles.
    #[error(transparent)]
    Surface(#[from] NoSurface),
}
