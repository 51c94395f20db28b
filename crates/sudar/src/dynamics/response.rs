//! What happens where bodies touch: the trait behind which responses stand, and the step that they are given.

use std::fmt::Debug;

use super::impact::{ImpactBody, ImpactContact, ImpactLaw, advance, reserved_boxes};
use super::matter::{Motion, Rigid, contacts};
use super::near::Near;
use super::room::{Depth, keep_inside};
use super::settings::Settings;
use super::solver::Solver;
use super::touches::{TouchPoint, Touches, merge};
use crate::broad::BroadError;
use crate::query::{Batch, Contact};
use crate::shape::Aabb;

/// What happens where bodies touch; [`SoftContacts`] unless [`Settings::response`] says otherwise.
///
/// A response advances all bodies of a world by a time, with what [`Step`] offers: soft contacts in sub-steps, impacts at
/// the instants of contact by a law of its own, or forces between bodies that overlap. The crate `sudar-classic` has six.
///
/// ```
/// use std::sync::Arc;
/// use sudar::broad::BroadError;
/// use sudar::dynamics::{Impact, ImpactLaw, Response, RigidBody, Settings, Step, World};
/// use sudar::{DVec3, Sphere};
///
/// /// Bodies stop where they touch.
/// #[derive(Debug)]
/// struct Clay;
///
/// impl ImpactLaw for Clay {
///     fn strike(&self, impact: &mut Impact<'_>) {
///         impact.settle();
///     }
/// }
///
/// impl Response for Clay {
///     fn name(&self) -> &str {
///         "clay"
///     }
///
///     fn advance(&self, step: &mut Step<'_>) -> Result<(), BroadError> {
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

    /// Advances all bodies by [`Step::seconds`]. The same bits for any number of threads are its own duty.
    ///
    /// # Errors
    /// Those of the methods of [`Step`]: a body left the range of numbers.
    fn advance(&self, step: &mut Step<'_>) -> Result<(), BroadError>;
}

/// Soft contacts in sub-steps with friction, warm start and sleep; bodies in flight that strike each other do so at the
/// instant. Stacks stand. Macklin, Storey, Lu et al. 2019, "Small steps in physics simulation"; Catto 2024, "Solver2D".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SoftContacts;

impl Response for SoftContacts {
    fn name(&self) -> &str {
        "solver"
    }

    fn advance(&self, step: &mut Step<'_>) -> Result<(), BroadError> {
        step.solve()
    }
}

/// The bodies of a world while a [`Response`] advances them.
pub struct Step<'w> {
    pub(super) rigids: &'w mut [Rigid],
    pub(super) near: &'w mut Near,
    pub(super) solver: &'w mut Solver,
    pub(super) settings: &'w Settings,
    pub(super) seconds: f64,
    pub(super) done: Done,
}

/// What a step, or a part of one, came to.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub touches: Touches,
    /// Time given up.
    pub dropped: f64,
    /// The most time for which the solver stopped a body.
    pub stopped: f64,
    /// Whether bodies that go from contact to contact had contacts that last.
    pub rests: bool,
}

/// Two bodies that touch, by their places in [`Step::body`], and their contacts.
#[derive(Debug, Clone)]
pub struct TouchingPair {
    /// Places of the first and the second body.
    pub bodies: [u32; 2],
    /// Contacts, with normals from the first body to the second.
    pub contacts: Vec<Contact>,
}

/// A body in a [`Step`].
#[derive(Debug, Clone, Copy)]
pub struct StepBody<'s> {
    rigid: &'s Rigid,
    settings: &'s Settings,
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
    pub fn motion(&self) -> &Motion {
        &self.rigid.motion
    }

    /// Bound on the speed of its points within a time in which no contact pushes it, in m/s.
    pub fn speed_within(&self, seconds: f64) -> f64 {
        let flight = self.rigid.flight(self.settings.gravity);
        self.rigid.motion.velocity.length()
            + flight.push() * seconds
            + flight.angular_speed(seconds) * self.rigid.radius
    }
}

impl Step<'_> {
    /// The time by which bodies are to be advanced.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// The bodies, walls of the room and empty places of removed bodies among them.
    pub fn bodies(&self) -> impl Iterator<Item = StepBody<'_>> {
        self.rigids.iter().map(|rigid| StepBody { rigid, settings: self.settings })
    }

    /// The body at a place of [`bodies`](Self::bodies), as pairs name it.
    pub fn body(&self, place: u32) -> StepBody<'_> {
        StepBody { rigid: &self.rigids[place as usize], settings: self.settings }
    }

    /// Advances all bodies by soft contacts.
    ///
    /// # Errors
    /// [`BroadError`] if a body left the range of numbers.
    pub fn solve(&mut self) -> Result<(), BroadError> {
        let done = self.solver.advance(self.rigids, self.near, (self.settings, None), self.seconds)?;
        self.done.touches.merge(done.touches);
        self.done.stopped = self.done.stopped.max(done.stopped);
        Ok(())
    }

    /// Advances all bodies from contact to contact: to certified lower bounds of the times at which pairs meet, where the
    /// law changes velocities. Bodies whose contacts last are held by the solver.
    ///
    /// # Errors
    /// [`BroadError`] if a body left the range of numbers.
    pub fn collide(&mut self, law: &dyn ImpactLaw) -> Result<(), BroadError> {
        let Self { rigids, near, settings, seconds, .. } = self;
        let all: Vec<&Rigid> = rigids.iter().collect();
        let boxes = reserved_boxes(&all, settings, *seconds);
        let pairs = near.pairs(rigids, &boxes)?;
        let done = advance(&all, &pairs, boxes, (settings, law), *seconds);
        let rests = done.left.contains(&true);
        for ((rigid, motion), is_left) in rigids.iter_mut().zip(&done.motions).zip(&done.left) {
            rigid.slow_for = if *is_left { 1.0 } else { 0.0 };
            // The solver moves kinematic bodies itself.
            if rigid.moves() && !is_left && (rigid.is_dynamic() || !rests) {
                (rigid.motion, rigid.has_flown) = (*motion, true);
            }
        }
        let is_done = |pair: &[u32; 2]| pair.iter().all(|&i| !done.left[i as usize]);
        self.done.touches.merge(Touches {
            pairs: done.touches.into_iter().filter(|(pair, _)| is_done(pair)).collect(),
            points: done.points.into_iter().filter(|(pair, _)| is_done(pair)).collect(),
        });
        self.done.rests |= rests;
        keep_inside(rigids, Depth::Little);
        if rests {
            let solved = self.solver.advance(rigids, near, (settings, Some(law)), *seconds)?;
            self.done.touches.merge(solved.touches);
            for (rigid, _) in rigids.iter_mut().zip(&done.left).filter(|(_, is_left)| **is_left) {
                rigid.slow_for = 1.0;
            }
        }
        Ok(())
    }

    /// Lets all bodies fly for a time as if they touched nothing. In a closed room, what is in a wall by most of its
    /// thickness is put back and comes out as fast as it went in.
    pub fn fly(&mut self, seconds: f64) {
        let gravity = self.settings.gravity;
        let motions: Vec<Motion> = self.rigids.iter().map(|r| r.flight(gravity).at(seconds)).collect();
        self.rigids.iter_mut().zip(motions).for_each(|(rigid, motion)| rigid.motion = motion);
        keep_inside(self.rigids, Depth::Most);
    }

    /// The pairs of bodies that touch or overlap now, sorted.
    ///
    /// # Errors
    /// [`BroadError`] if a body left the range of numbers.
    pub fn touching(&mut self) -> Result<Vec<TouchingPair>, BroadError> {
        let Self { rigids, near, .. } = self;
        let boxes: Vec<Aabb> = rigids.iter().map(|r| r.given.body.bounds(&r.pose())).collect();
        let pairs = near.pairs(rigids, &boxes)?;
        let touch = |&[i, j]: &[u32; 2]| {
            let (a, b) = (&rigids[i as usize], &rigids[j as usize]);
            contacts(a, &a.motion, b, &b.motion, 0.0)
        };
        let found: Vec<Vec<Contact>> = if pairs.len() < 64 {
            pairs.iter().map(touch).collect()
        } else {
            Batch::default().each(&pairs, |_, pair| touch(pair)).answers
        };
        let pairs = pairs.into_iter().zip(found).map(|(bodies, contacts)| TouchingPair { bodies, contacts });
        Ok(pairs.filter(|pair| !pair.contacts.is_empty()).collect())
    }

    /// Force per contact with which two bodies stick to each other, in N.
    pub fn adhesion(&self, [i, j]: [u32; 2]) -> f64 {
        self.rigids[i as usize].adhesion(&self.rigids[j as usize])
    }

    /// Pushes the second of two bodies by an impulse along the normal of a contact, in N·s, and the first by its opposite.
    pub fn push(&mut self, pair: [u32; 2], contact: &Contact, impulse: f64) {
        let [i, j] = pair.map(|k| k as usize);
        let mut list = [i, j].map(|k| ImpactBody::of(0, &self.rigids[k], self.rigids[k].motion));
        let hit = ImpactContact {
            bodies: [0, 1],
            point: (contact.point_a + contact.point_b) * 0.5,
            normal: contact.normal,
            restitution: 0.0,
            friction: 0.0,
            depth: contact.depth,
            impulse,
        };
        hit.push(&mut list, contact.normal * impulse);
        (self.rigids[i].motion, self.rigids[j].motion) = (list[0].motion, list[1].motion);
        self.done.touches.points.push((pair, TouchPoint { point: hit.point, normal: hit.normal, impulse }));
    }

    /// Reports pairs that touched in the step, each with a share of its normal impulse in N·s.
    pub fn report(&mut self, touches: impl IntoIterator<Item = ([u32; 2], f64)>) {
        let mut more: Vec<_> = touches.into_iter().collect();
        more.sort_by_key(|(pair, _)| *pair);
        merge(&mut self.done.touches.pairs, more);
    }

    /// Gives up a part of the step: [`World::dropped_seconds`](super::World::dropped_seconds).
    pub fn give_up(&mut self, seconds: f64) {
        self.done.dropped += seconds;
    }
}
