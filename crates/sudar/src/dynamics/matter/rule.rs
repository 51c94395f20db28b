//! Which contacts of a body count, by a function; and how the surfaces of two bodies make one coefficient.

use std::sync::Arc;

use glam::DVec3;

use super::body::RigidBody;
use super::rigid::Rigid;
use super::state::BodyState;

/// How the coefficients of two surfaces make that of a pair. Where two bodies have different rules, the later one in
/// this list counts.
///
/// ```
/// use sudar::dynamics::{Combine, RigidBody};
/// use sudar::{Cuboid, DVec3};
///
/// // Ice under everything, however rough that is.
/// let pond = RigidBody {
///     friction: 0.02,
///     friction_rule: Some(Combine::Min),
///     ..RigidBody::fixed("pond", Cuboid::new(DVec3::new(9.0, 9.0, 1.0))?)
/// };
/// # let _ = pond;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Combine {
    /// The root of the product, which is usual for friction.
    GeometricMean,
    /// Half of the sum.
    Average,
    /// The smaller one.
    Min,
    /// The product.
    Multiply,
    /// The larger one, which is usual for restitution.
    Max,
}

impl Combine {
    /// The coefficient of a pair.
    pub(super) fn of(self, [a, b]: [f64; 2]) -> f64 {
        match self {
            // The square of a large or small number may be none.
            Self::GeometricMean if a == b => a,
            Self::GeometricMean => (a * b).sqrt(),
            Self::Average => 0.5 * (a + b),
            Self::Min => a.min(b),
            Self::Multiply => a * b,
            Self::Max => a.max(b),
        }
    }
}

/// One of two bodies that are near each other, as a [`ContactRule`] sees it.
#[derive(Debug, Clone, Copy)]
pub struct PairBody<'r> {
    rigid: &'r Rigid,
}

impl<'r> PairBody<'r> {
    pub(super) fn new(rigid: &'r Rigid) -> Self {
        Self { rigid }
    }

    /// The body as it was described.
    pub fn body(&self) -> &'r RigidBody {
        &self.rigid.given
    }

    /// Where it is and how it moves.
    pub fn motion(&self) -> BodyState {
        self.rigid.motion
    }

    /// How far it reaches in a direction of length 1, from the origin, in metres; infinite of bodies without end.
    pub fn reach(&self, direction: DVec3) -> f64 {
        self.rigid.height(&self.rigid.pose(), direction).unwrap_or(f64::INFINITY)
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
pub struct ContactRule(Arc<dyn Fn(PairBody<'_>, PairBody<'_>) -> bool + Send + Sync>);

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
    /// A rule: the first argument is the body that has it, the second the other one.
    pub fn new(collide: impl Fn(PairBody<'_>, PairBody<'_>) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(collide))
    }

    /// That of a platform which holds what is above it and lets through what comes from elsewhere. `up` is a direction
    /// of the body, of any length but zero.
    pub fn one_way(up: DVec3) -> Self {
        Self::new(move |own, other| {
            let up = (own.motion().rotation * up).normalize_or(DVec3::Z);
            let (top, low, high) = (own.reach(up), -other.reach(-up), other.reach(up));
            let sunk = top - low;
            let relative = other.motion().velocity - own.motion().velocity_at(other.motion().center);
            sunk <= 0.0 || sunk <= SUNK * (high - low) && relative.dot(up) <= LEAVES
        })
    }

    pub(super) fn allows(&self, own: &Rigid, other: &Rigid) -> bool {
        (self.0)(PairBody::new(own), PairBody::new(other))
    }
}
