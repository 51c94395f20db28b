//! Which contacts of a body count, by a function.

use std::sync::Arc;

use glam::DVec3;

use super::reach::reach_along;
use super::state::BodyState;
use crate::broad::Filter;
use crate::math::Pose;
use crate::query::Body;
use crate::shape::Shape;

/// One of two bodies that are near each other, as a [`ContactRule`] sees it, at the start of a step.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct PairBody<'r> {
    /// Its name.
    pub name: &'r str,
    /// Its shape.
    pub shape: &'r Body,
    /// Its groups.
    pub filter: Filter,
    /// Its number of yours.
    pub user_data: u128,
    /// Where its centre of mass is and how it moves.
    pub motion: BodyState,
    /// Where its frame is.
    pub pose: Pose,
}

impl PairBody<'_> {
    /// How far it reaches in a direction of length 1, from the origin, in metres; infinite where it has no end.
    pub fn reach(&self, direction: DVec3) -> f64 {
        if let Shape::Halfspace(plane) = self.shape.shape() {
            let length = plane.normal.length();
            let normal = self.pose.rotate(plane.normal) / length;
            let height = plane.offset / length + normal.dot(self.pose.translation());
            return if normal.dot(direction) > 1.0 - 1e-12 { height } else { f64::INFINITY };
        }
        let center = self.motion.center;
        let reach = reach_along(self.shape, &self.pose, center, direction);
        reach.map_or(f64::INFINITY, |reach| direction.dot(center) + reach)
    }
}

/// A function of a body and another, which says whether they collide: a one-way platform, a gate for the one team, a
/// shell and the gun that it leaves.
///
/// It is asked in each step about bodies that are near each other, where they are at the start of the step, on any
/// thread and any number of times, and is to depend on its arguments alone. Of a pair both rules must agree. Bodies
/// that are asleep are not asked about: wake them where what a rule says changes otherwise than by their motion.
///
/// ```
/// use sudar::dynamics::{ContactRule, RigidBody, Settings, World};
/// use sudar::{Cuboid, DVec3, Sphere};
///
/// let mut world = World::new(Settings::default())?;
/// world.add(RigidBody {
///     contact_rule: Some(ContactRule::one_way(DVec3::Z)),
///     ..RigidBody::fixed("platform", Cuboid::new(DVec3::new(2.0, 2.0, 0.1))?)
/// })?;
/// let ball = RigidBody::new("ball", Sphere::new(DVec3::ZERO, 0.3)?);
/// let ball = world.add(RigidBody { position: -DVec3::Z, velocity: DVec3::Z * 8.0, ..ball })?;
/// for _ in 0..180 {
///     world.step(1.0 / 60.0)?;
/// }
/// // It rose through the platform, and lies on it.
/// assert!((world.motion(ball)?.center.z - 0.4).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct ContactRule(Rule);

#[derive(Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
enum Rule {
    OneWay(DVec3),
    /// Code is not written down.
    #[cfg_attr(feature = "serde", serde(skip))]
    Function(Arc<Function>),
}

type Function = dyn Fn(PairBody<'_>, PairBody<'_>) -> bool + Send + Sync;

impl std::fmt::Debug for ContactRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ContactRule(..)")
    }
}

/// How deep a body may be in a one-way platform and is still on it, relative to its own height; and how fast it may
/// leave it then, in m/s.
const SUNK: f64 = 0.05;
const LEAVES: f64 = 0.1;

impl ContactRule {
    /// A rule: the first argument is the body that has it, the second the other one. It cannot be written down by
    /// serde.
    pub fn new(collide: impl Fn(PairBody<'_>, PairBody<'_>) -> bool + Send + Sync + 'static) -> Self {
        Self(Rule::Function(Arc::new(collide)))
    }

    /// That of a platform which holds what is above it and lets through what comes from elsewhere. `up` is a direction
    /// of the body, of any length but zero.
    pub fn one_way(up: DVec3) -> Self {
        Self(Rule::OneWay(up))
    }

    pub(in crate::dynamics) fn allows(&self, own: PairBody<'_>, other: PairBody<'_>) -> bool {
        match &self.0 {
            Rule::OneWay(up) => holds(*up, own, other),
            Rule::Function(collide) => collide(own, other),
        }
    }
}

/// Whether a one-way platform holds a body.
fn holds(up: DVec3, own: PairBody<'_>, other: PairBody<'_>) -> bool {
    let up = (own.motion.rotation * up).normalize_or(DVec3::Z);
    let (top, low, high) = (own.reach(up), -other.reach(-up), other.reach(up));
    let sunk = top - low;
    let relative = other.motion.velocity - own.motion.velocity_at(other.motion.center);
    sunk <= 0.0 || sunk <= SUNK * (high - low) && relative.dot(up) <= LEAVES
}
