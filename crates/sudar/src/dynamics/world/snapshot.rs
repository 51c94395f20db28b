//! A world written down, and taken up again.

use std::sync::Arc;

use glam::DVec3;

use super::event::Explosion;
use crate::broad::{Filter, Handle};
use crate::dynamics::DynamicsError;
use crate::dynamics::joint::{Joint, Softness};
use crate::dynamics::matter::{BodyState, Combine, ForceField, NEVER, Rigid, RigidBody, ThrusterPair};
use crate::dynamics::response::Response;
use crate::dynamics::settings::{Bounds, Settings};
use crate::dynamics::solver::{Held, Pair, Slot, WORLD};

/// Version of the format.
pub(super) const VERSION: u32 = 10;

/// Everything about a world that changes: bodies and their motions, what [`World::modify`](super::World::modify)
/// changes, settings, contacts, events. A world that is restored goes on with the same bits.
///
/// Bodies that were added since are removed again, and bodies that were removed are there again, under their handles.
/// With feature `serde` a snapshot can be written down. Then it holds all but the shapes of bodies and the response: it
/// is restored into a world in which every body of the snapshot stands where it stood, by number and name, as it does
/// if the same bodies were added and removed in the same order.
///
/// ```
/// use sudar::dynamics::{RigidBody, Settings, World};
/// use sudar::{DVec3, Sphere};
///
/// let mut world = World::new(Settings::default())?;
/// let ball = world.add(RigidBody::new("ball", Sphere::new(DVec3::ZERO, 0.5)?))?;
/// let before = world.snapshot();
/// world.step(1.0 / 60.0)?;
/// world.remove(ball)?;
/// world.restore(&before)?;
/// assert_eq!(world.motion(ball)?.velocity, DVec3::ZERO);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Snapshot {
    pub(super) version: u32,
    pub(super) settings: SavedSettings,
    pub(super) time: f64,
    pub(super) steps: u64,
    pub(super) left: f64,
    pub(super) dropped: f64,
    pub(super) fallbacks: u64,
    /// Of all places, those of removed bodies too.
    pub(super) bodies: Vec<SavedBody>,
    pub(super) explosions: Vec<Explosion>,
    pub(super) contacts: Vec<Pair>,
    /// Of all places, those of removed joints too.
    pub(super) joints: Vec<SavedJoint>,
    /// Pairs that touched in the last step, and those that rest.
    pub(super) touching: Vec<[u32; 2]>,
    pub(super) resting: Vec<[u32; 2]>,
    /// What is in sensors, and bodies that changed since the last step.
    pub(super) inside: Vec<[u32; 2]>,
    pub(super) fresh: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(super) struct SavedSettings {
    gravity: DVec3,
    bounds: Option<Bounds>,
    substeps: u32,
    sleeps: bool,
    most_events: u32,
    /// Name and parameters of the response.
    response_names: [String; 2],
    #[cfg_attr(feature = "serde", serde(skip))]
    response: Unwritten<Arc<dyn Response>>,
}

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(super) struct SavedBody {
    name: String,
    pub(super) generation: u32,
    pub(super) is_here: bool,
    pub(super) is_wall: bool,
    motion: BodyState,
    pushed: [DVec3; 2],
    slow_for: f64,
    asleep: bool,
    /// Numbers of bodies with which it does not collide; whether it stops after the next step.
    ignored: Vec<u32>,
    halts: bool,
    properties: Properties,
    #[cfg_attr(feature = "serde", serde(skip))]
    given: Unwritten<Arc<RigidBody>>,
}

/// A place for a joint.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(super) struct SavedJoint {
    generation: u32,
    held: Option<SavedTie>,
}

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
struct SavedTie {
    /// Numbers of the bodies; none of the world.
    bodies: [Option<u32>; 2],
    joint: Joint,
    turned: f64,
    reaction: [DVec3; 2],
    off: [f64; 2],
}

impl SavedJoint {
    pub(super) fn of(slot: &Slot) -> Self {
        let tie = |held: &Held| SavedTie {
            bodies: held.bodies.map(|body| (body != WORLD).then_some(body)),
            joint: Joint { bodies: [None; 2], ..held.joint.clone() },
            turned: held.turned,
            reaction: held.reaction,
            off: held.off,
        };
        Self { generation: slot.generation, held: slot.held.as_ref().map(tie) }
    }

    /// The joint of bodies as they were.
    pub(super) fn restored(&self, rigids: &[Rigid], world: u32) -> Result<Slot, DynamicsError> {
        let Some(SavedTie { bodies, joint, turned, reaction, off }) = &self.held else {
            return Ok(Slot { generation: self.generation, held: None });
        };
        let is_here =
            |body: &u32| rigids.get(*body as usize).is_some_and(|rigid| rigid.is_here && !rigid.is_wall);
        let numbers = [*turned, off[0], off[1]];
        let is_well = bodies.iter().flatten().all(is_here)
            && numbers.iter().all(|x| x.is_finite())
            && reaction.iter().all(|v| v.is_finite());
        let yields = |body: &u32| rigids[*body as usize].is_dynamic();
        if !is_well || !bodies.iter().flatten().any(yields) {
            return refuse("it holds a joint that cannot be".to_owned());
        }
        let handle = |index: u32| Handle { index, generation: rigids[index as usize].generation, world };
        let joint = Joint { bodies: bodies.map(|body| body.map(handle)), ..joint.clone() };
        joint.check()?;
        let mut held = Held::new(joint, bodies.map(|body| body.unwrap_or(WORLD)), rigids);
        (held.turned, held.reaction, held.off) = (*turned, *reaction, *off);
        Ok(Slot { generation: self.generation, held: Some(held) })
    }
}

/// A struct of some fields of a body.
macro_rules! properties {
    ($($(#[$meta:meta])* $field:ident: $kind:ty,)*) => {
        /// What of a body may change while it is in a world.
        #[derive(Debug, Clone, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
        struct Properties {
            $($(#[$meta])* $field: $kind,)*
        }

        impl Properties {
            fn of(given: &RigidBody) -> Self {
                Self { $($field: given.$field.clone(),)* }
            }

            fn given_to(&self, body: &RigidBody) -> RigidBody {
                RigidBody { $($field: self.$field.clone(),)* ..body.clone() }
            }
        }
    };
}

properties! {
    restitution: f64,
    friction: f64,
    rolling_friction: f64,
    linear_drag: f64,
    angular_drag: f64,
    adhesion: f64,
    gravity_scale: f64,
    force: DVec3,
    torque: DVec3,
    filter: Filter,
    thrusters: Vec<ThrusterPair>,
    restitution_rule: Option<Combine>,
    friction_rule: Option<Combine>,
    surface_velocity: DVec3,
    contact_softness: Softness,
    field: Option<ForceField>,
    sensor: bool,
    #[cfg_attr(feature = "serde", serde(with = "crate::dynamics::matter::large"))]
    user_data: u128,
}

/// What a snapshot holds in memory alone. Two are not told apart.
#[derive(Clone)]
struct Unwritten<T>(Option<T>);

impl<T> Default for Unwritten<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> PartialEq for Unwritten<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> std::fmt::Debug for Unwritten<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "in memory" } else { "not in memory" })
    }
}

impl SavedSettings {
    pub(super) fn of(settings: &Settings) -> Self {
        let Settings { gravity, bounds, substeps, sleeps, most_events, ref response } = *settings;
        Self {
            gravity,
            bounds,
            substeps,
            sleeps,
            most_events,
            response_names: names(&**response),
            response: Unwritten(Some(Arc::clone(response))),
        }
    }

    /// With the response of the snapshot, or with that of the world if it is the same.
    pub(super) fn settings(&self, now: &Settings) -> Result<Settings, DynamicsError> {
        let Self { gravity, bounds, substeps, sleeps, most_events, ref response_names, ref response } = *self;
        let response = match &response.0 {
            Some(response) => Arc::clone(response),
            None if names(&*now.response) == *response_names => Arc::clone(&now.response),
            None => {
                let [there, here] = [response_names, &names(&*now.response)]
                    .map(|names| names.join(" ").trim_end().to_owned());
                return refuse(format!(
                    "it is of a world with the response \"{there}\", this one has \"{here}\""
                ));
            }
        };
        let settings = Settings { gravity, bounds, substeps, sleeps, most_events, response };
        settings.check()?;
        Ok(settings)
    }
}

impl SavedBody {
    pub(super) fn of(rigid: &Rigid) -> Self {
        Self {
            name: rigid.given.name.clone(),
            generation: rigid.generation,
            is_here: rigid.is_here,
            is_wall: rigid.is_wall,
            motion: rigid.motion,
            pushed: rigid.pushed,
            slow_for: rigid.slow_for,
            asleep: rigid.asleep,
            ignored: rigid.ignored.iter().flat_map(|all| all.iter().copied()).collect(),
            halts: rigid.halts,
            properties: Properties::of(&rigid.given),
            given: Unwritten(Some(Arc::clone(&rigid.given))),
        }
    }

    fn check(&self) -> Result<(), DynamicsError> {
        let is_motion = self.motion.check().is_ok() && (self.motion.rotation.length() - 1.0).abs() <= 1e-6;
        let is_state = self.pushed.iter().all(|v| v.is_finite()) && self.slow_for >= 0.0;
        if is_motion && is_state {
            return Ok(());
        }
        refuse(format!("the motion of body \"{}\" is no motion", self.name))
    }

    /// Whether it is about a body that stands in the same place of a world.
    fn is_of(&self, rigid: &Rigid) -> bool {
        let same_as = |given: &Arc<RigidBody>| {
            let now = &rigid.given;
            given.body.identity() == now.body.identity()
                && given.kind == now.kind
                && given.matter == now.matter
        };
        rigid.is_here
            && !rigid.is_wall
            && rigid.generation == self.generation
            && rigid.given.name == self.name
            && self.given.0.as_ref().is_none_or(same_as)
    }

    /// The body as it was, given what stands in its place now.
    pub(super) fn restored(&self, now: Option<&Rigid>) -> Result<Rigid, DynamicsError> {
        let known = now.filter(|rigid| self.is_of(rigid)).cloned();
        let mut rigid = match (known, &self.given.0) {
            (Some(rigid), _) => rigid,
            (None, Some(given)) => Rigid::new((**given).clone())?,
            (None, None) => {
                let name = &self.name;
                let problem = match now.filter(|rigid| rigid.is_here) {
                    Some(other) => {
                        format!("body \"{name}\" stands where the world has \"{}\"", other.given.name)
                    }
                    None => {
                        format!("body \"{name}\" is not in the world; add the same bodies in the same order")
                    }
                };
                return refuse(problem);
            }
        };
        if let Some(given) = &self.given.0 {
            rigid.describe(Arc::clone(given));
        } else if Properties::of(&rigid.given) != self.properties {
            let given = self.properties.given_to(&rigid.given);
            given.check()?;
            rigid.describe(Arc::new(given));
        }
        (rigid.motion, rigid.pushed, rigid.left) = (self.motion, self.pushed, 1.0);
        (rigid.slow_for, rigid.asleep, rigid.stepped) = (self.slow_for, self.asleep, NEVER);
        (rigid.generation, rigid.halts) = (self.generation, self.halts);
        rigid.ignored = (!self.ignored.is_empty()).then(|| self.ignored.clone().into());
        Ok(rigid)
    }
}

fn names(response: &dyn Response) -> [String; 2] {
    [response.name().to_owned(), response.parameters()]
}

fn refuse<T>(problem: String) -> Result<T, DynamicsError> {
    Err(DynamicsError::Snapshot { problem })
}

impl Snapshot {
    /// Name and parameters of its response.
    pub(super) fn response(&self) -> [&str; 2] {
        self.settings.response_names.each_ref().map(String::as_str)
    }

    /// Of each place whether there is a body of the user's, and what it is.
    #[cfg(feature = "serde")]
    pub(super) fn given(&self) -> impl Iterator<Item = (bool, Option<&Arc<RigidBody>>)> {
        self.bodies.iter().map(|body| {
            let is_given = body.is_here && !body.is_wall;
            (is_given, body.given.0.as_ref().filter(|_| is_given))
        })
    }

    /// With what each body is.
    #[cfg(feature = "serde")]
    pub(super) fn with_given(mut self, given: Vec<Option<Arc<RigidBody>>>) -> Result<Self, DynamicsError> {
        if given.len() != self.bodies.len() {
            return refuse("it has not as many bodies as motions".to_owned());
        }
        for (body, given) in self.bodies.iter_mut().zip(given) {
            body.given = Unwritten(given);
        }
        Ok(self)
    }

    pub(super) fn check(&self) -> Result<(), DynamicsError> {
        if self.version != VERSION {
            return refuse(format!("it is of version {}, this is version {VERSION}", self.version));
        }
        self.bodies.iter().try_for_each(SavedBody::check)?;
        let count = self.bodies.len();
        let mut touching = self.touching.iter().chain(&self.resting);
        let known = touching.all(|pair| pair[0] < pair[1] && (pair[1] as usize) < count);
        let sorted = self.contacts.is_sorted_by(|a, b| a.bodies < b.bodies)
            && [&self.touching, &self.resting].iter().all(|pairs| pairs.is_sorted_by(|a, b| a < b));
        let is_body = |slot: &u32| (*slot as usize) < count;
        let sensed = self.inside.is_sorted_by(|a, b| a < b)
            && self.inside.iter().flatten().chain(&self.fresh).all(is_body);
        let ignored = self
            .bodies
            .iter()
            .all(|body| body.ignored.is_sorted_by(|a, b| a < b) && body.ignored.iter().all(is_body));
        let contacts = self.contacts.iter().all(|pair| pair.is_valid(count));
        let times = [self.time, self.left, self.dropped].iter().all(|t| *t >= 0.0 && t.is_finite());
        let events = self.explosions.iter().all(|event| event.check().is_ok());
        let walls = self.bodies.iter().filter(|body| body.is_wall).count();
        let room = walls == if self.settings.bounds.is_some() { 6 } else { 0 };
        if known && sensed && ignored && sorted && contacts && times && events && room {
            return Ok(());
        }
        refuse("it holds numbers that cannot be".to_owned())
    }
}
