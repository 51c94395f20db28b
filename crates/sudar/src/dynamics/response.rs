//! What happens where bodies touch: the trait behind which responses stand, and the step that they are given.

use std::fmt::Debug;

use glam::DVec3;

use super::error::DynamicsError;
use super::impact::ImpactLaw;
use super::matter::{BodyState, Rigid};
use crate::query::Contact;

/// What happens where bodies touch; [`SoftContacts`] unless [`Settings::response`](super::Settings::response)
/// says otherwise.
///
/// A response advances all bodies of a world by a time, with what a [`Step`] offers: soft contacts in
/// sub-steps, impacts at the instants of contact by a law of its own, or forces between bodies that overlap.
/// The crate `sudar-classic` has six.
///
/// ```
/// use std::sync::Arc;
/// use sudar::dynamics::{DynamicsError, ImpactGroup, ImpactLaw, Response, RigidBody, Settings, Step, World};
/// use sudar::{DVec3, Sphere};
///
/// /// Bodies stop where they touch.
/// #[derive(Debug)]
/// struct Clay;
///
/// impl ImpactLaw for Clay {
///     fn strike(&self, impact: &mut ImpactGroup<'_>) {
///         impact.settle();
///     }
/// }
///
/// impl Response for Clay {
///     fn name(&self) -> &str {
///         "clay"
///     }
///
///     fn advance(&self, step: &mut dyn Step) -> Result<(), DynamicsError> {
///         step.collide(self)
///     }
/// }
///
/// let mut world = World::new(Settings { gravity: DVec3::ZERO, response: Arc::new(Clay), ..Settings::default() })?;
/// let ball = |x: f64, speed: f64| -> Result<RigidBody, sudar::shape::ShapeError> {
///     let body = RigidBody::new("ball", Sphere::new(DVec3::ZERO, 0.5)?);
///     Ok(RigidBody { position: DVec3::X * x, velocity: DVec3::X * speed, ..body })
/// };
/// world.add(ball(0.0, 3.0)?)?;
/// let second = world.add(ball(2.0, 0.0)?)?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// // Two equal balls of clay go on together at half the speed.
/// assert!((world.motion(second)?.velocity.x - 1.5).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Response: Debug + Send + Sync {
    /// The name, as in scene files.
    fn name(&self) -> &str;

    /// Parameters that differ from the default ones, in words; empty if there are none. Snapshots hold them.
    fn parameters(&self) -> String {
        String::new()
    }

    /// Whether it keeps joints, as [`Step::solve`] does. [`World::join`](super::World::join) refuses joints under one
    /// that does not.
    fn keeps_joints(&self) -> bool {
        false
    }

    /// Advances all bodies by [`Step::seconds`]. The same bits for any number of threads are its own duty.
    ///
    /// # Errors
    /// Those of the methods of [`Step`]: a body left the range of numbers.
    fn advance(&self, step: &mut dyn Step) -> Result<(), DynamicsError>;
}

/// Soft contacts in sub-steps with friction, warm start and sleep; bodies in flight that strike each other do so at the
/// instant. Stacks stand. Macklin, Storey, Lu et al. 2019, "Small steps in physics simulation"; Catto 2024, "Solver2D".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SoftContacts;

impl Response for SoftContacts {
    fn name(&self) -> &str {
        "solver"
    }

    fn keeps_joints(&self) -> bool {
        true
    }

    fn advance(&self, step: &mut dyn Step) -> Result<(), DynamicsError> {
        step.solve()
    }
}

/// The bodies of a world while a [`Response`] advances them. They are numbered from 0, walls of the room and
/// empty places of removed bodies among them.
pub trait Step {
    /// The time by which bodies are to be advanced.
    fn seconds(&self) -> f64;

    /// Number of bodies.
    fn count(&self) -> u32;

    /// A body by its number.
    fn body(&self, number: u32) -> StepBody<'_>;

    /// Advances all bodies by soft contacts.
    ///
    /// # Errors
    /// [`DynamicsError::OutOfRange`] for a body that left the range of numbers.
    fn solve(&mut self) -> Result<(), DynamicsError>;

    /// Advances all bodies from contact to contact: to certified lower bounds of the times at which pairs
    /// meet, where the law changes velocities. Bodies whose contacts last are held by the solver.
    ///
    /// # Errors
    /// [`DynamicsError::OutOfRange`] for a body that left the range of numbers.
    fn collide(&mut self, law: &dyn ImpactLaw) -> Result<(), DynamicsError>;

    /// Lets all bodies fly for a time as if they touched nothing.
    fn fly(&mut self, seconds: f64);

    /// In a closed room, puts back what is in a wall by most of its thickness; it comes out as fast as it went in.
    fn keep_inside(&mut self);

    /// Puts a body where it was, or gives it other velocities.
    fn set_motion(&mut self, number: u32, motion: BodyState);

    /// Lets a law change the motions of bodies that touch or overlap, at an instant: pair by pair in their order, or
    /// all that are connected together if the law [takes them so](ImpactLaw::takes_together). Pairs without a dynamic
    /// body are left out. Reports the touches.
    fn respond(&mut self, law: &dyn ImpactLaw, touching: &[TouchingPair]);

    /// The pairs of bodies that touch or overlap now, sorted.
    ///
    /// # Errors
    /// [`DynamicsError::OutOfRange`] for a body that left the range of numbers.
    fn touching(&mut self) -> Result<Vec<TouchingPair>, DynamicsError>;

    /// Force per contact with which two bodies stick to each other, in N.
    fn adhesion(&self, pair: [u32; 2]) -> f64;

    /// Pushes the second of two bodies by an impulse along the normal of a contact, in N·s, and the first by
    /// its opposite.
    fn push(&mut self, pair: [u32; 2], contact: &Contact, impulse: f64);

    /// Reports pairs that touched in the step, each with its normal impulse in N·s.
    fn report(&mut self, touches: Vec<([u32; 2], f64)>);

    /// Gives up a part of the step: [`World::dropped_seconds`](super::World::dropped_seconds).
    fn give_up(&mut self, seconds: f64);
}

impl dyn Step + '_ {
    /// All bodies.
    pub fn bodies(&self) -> impl Iterator<Item = StepBody<'_>> {
        (0..self.count()).map(|number| self.body(number))
    }
}

/// Two bodies that touch, by their numbers in a [`Step`], and their contacts.
#[derive(Debug, Clone)]
pub struct TouchingPair {
    /// Numbers of the first and the second body.
    pub bodies: [u32; 2],
    /// Contacts, with normals from the first body to the second.
    pub contacts: Vec<Contact>,
}

/// A body in a [`Step`].
#[derive(Debug, Clone, Copy)]
pub struct StepBody<'s> {
    pub(super) rigid: &'s Rigid,
    pub(super) gravity: DVec3,
}

impl StepBody<'_> {
    /// Whether forces and contacts move it.
    pub fn is_dynamic(&self) -> bool {
        self.rigid.is_dynamic()
    }

    /// Whether it moves at all.
    pub fn moves(&self) -> bool {
        self.rigid.moves()
    }

    /// Mass in kg; infinite for bodies that do not yield.
    pub fn mass(&self) -> f64 {
        self.rigid.inertia.mass
    }

    /// Distance of its farthest point from the centre of mass; infinite for half-spaces.
    pub fn radius(&self) -> f64 {
        self.rigid.radius
    }

    /// Where it is and how it moves.
    pub fn motion(&self) -> &BodyState {
        &self.rigid.motion
    }

    /// Bound on the speed of its points within a time in which no contact pushes it, in m/s.
    pub fn speed_within(&self, seconds: f64) -> f64 {
        let flight = self.rigid.flight(self.gravity);
        self.rigid.motion.velocity.length()
            + flight.push() * seconds
            + flight.angular_speed(seconds) * self.rigid.radius
    }
}
