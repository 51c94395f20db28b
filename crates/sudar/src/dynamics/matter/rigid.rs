//! A body in a world: what was given, and what steps need to know.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::body::{BodyType, RigidBody};
use super::flight::Flight;
use super::inertia::Inertia;
use super::reach::{extent, reach_along};
use super::rule::PairBody;
use super::state::BodyState;
use super::surface::Surface;
use crate::broad::Filter;
use crate::convex::GjkMemory;
use crate::dynamics::DynamicsError;
use crate::math::Pose;
use crate::query::Contact;
use crate::query::{Body, Layer, Penetration, manifold_from, penetration};
use crate::shape::{Aabb, Shape};

/// A body in a world.
#[derive(Debug, Clone)]
pub struct Rigid {
    /// As it was described, which snapshots share.
    pub given: Arc<RigidBody>,
    /// What of that is asked of every body in every step.
    pub(in crate::dynamics) traits: Traits,
    pub inertia: Inertia,
    pub motion: BodyState,
    /// No point of the body is farther from the centre of mass.
    pub radius: f64,
    /// About half of how thin it is.
    pub thin: f64,
    /// The radius of a ball around the centre of mass.
    pub ball: Option<f64>,
    pub form: Outline,
    /// Forces and torques until the end of the next step.
    pub pushed: [DVec3; 2],
    /// For how long it has been slow; where bodies go from contact to contact, whether contacts of it lasted
    /// in the last step, as 1.
    pub slow_for: f64,
    pub asleep: bool,
    /// The share of the step that is being done which is still to be done.
    pub left: f64,
    /// The number of the last step in which it may have moved, and where it was before; for drawing.
    pub stepped: u64,
    pub before: BodyState,
    /// A wall of the closed room.
    pub is_wall: bool,
    /// Its number in the world, and those of the bodies with which it does not collide, sorted.
    pub slot: u32,
    pub ignored: Option<Arc<[u32]>>,
    /// Whether it stops after the next step, as it is moved from place to place.
    pub halts: bool,
    pub generation: u32,
    pub is_here: bool,
}

/// What a body is, copied next to its motion: how it was described is far away in memory.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics) struct Traits {
    kind: BodyType,
    filter: Filter,
    is_sensor: bool,
    has_rule: bool,
}

impl Traits {
    fn of(given: &RigidBody) -> Self {
        Self {
            kind: given.kind,
            filter: given.filter,
            is_sensor: given.sensor,
            has_rule: given.contact_rule.is_some(),
        }
    }
}

/// Vertices and parts that a support function may look at one by one.
const FEW: usize = 512;

/// The step of a body that has not moved in one.
pub const NEVER: u64 = u64::MAX;

/// What bounds on its motion can build on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outline {
    /// A plane that does not move.
    Wall {
        normal: DVec3,
        offset: f64,
    },
    Convex,
    Other,
}

impl Rigid {
    pub fn new(given: RigidBody) -> Result<Self, DynamicsError> {
        given.check()?;
        let given = given.solidified();
        let inertia = given.inertia()?;
        let motion = given.motion(&inertia);
        // The first contact would pay for what every contact needs.
        if given.body.mesh().is_some() || !given.body.parts().is_empty() {
            given.body.prepare(&[Layer::Facets]);
        }
        let (radius, thin) = extent(&given.body, inertia.center);
        let ball = if let Shape::Sphere(s) = given.body.shape() {
            (s.center == inertia.center).then_some(s.radius)
        } else {
            None
        };
        let mut rigid = Self {
            form: if given.body.convex().is_some() { Outline::Convex } else { Outline::Other },
            traits: Traits::of(&given),
            given: Arc::new(given),
            inertia,
            motion,
            radius,
            thin,
            ball,
            pushed: [DVec3::ZERO; 2],
            slow_for: 0.0,
            asleep: false,
            left: 1.0,
            stepped: NEVER,
            before: motion,
            is_wall: false,
            slot: 0,
            ignored: None,
            halts: false,
            generation: 0,
            is_here: true,
        };
        if let (Shape::Halfspace(h), BodyType::Static) = (rigid.given.body.shape(), rigid.given.kind) {
            let (pose, length) = (rigid.pose(), h.normal.length());
            let normal = pose.rotate(h.normal) / length;
            let offset = h.offset / length + normal.dot(pose.translation());
            rigid.form = Outline::Wall { normal, offset };
        }
        Ok(rigid)
    }

    /// Whether it is as much of the broad phase as another.
    pub fn is_same(&self, other: &Self) -> bool {
        let (a, b) = (&self.given, &other.given);
        self.is_wall == other.is_wall
            && self.generation == other.generation
            && a.kind == b.kind
            && a.body.identity() == b.body.identity()
    }

    /// A place where a body was.
    pub fn vacant(generation: u32) -> Self {
        let point = RigidBody { filter: Filter::NONE, ..RigidBody::fixed("", DVec3::ZERO) };
        let inertia = Inertia::fixed(DVec3::ZERO);
        let motion = point.motion(&inertia);
        Self {
            motion,
            traits: Traits::of(&point),
            given: Arc::new(point),
            inertia,
            radius: 0.0,
            thin: 0.0,
            ball: None,
            form: Outline::Convex,
            pushed: [DVec3::ZERO; 2],
            slow_for: 0.0,
            asleep: false,
            left: 1.0,
            stepped: NEVER,
            before: motion,
            is_wall: false,
            slot: 0,
            ignored: None,
            halts: false,
            generation,
            is_here: false,
        }
    }

    /// Takes another description, of the same shape, kind and mass.
    pub fn describe(&mut self, given: Arc<RigidBody>) {
        self.traits = Traits::of(&given);
        self.given = given;
    }

    pub fn kind(&self) -> BodyType {
        self.traits.kind
    }

    /// Remembers where it is before the step of a number.
    pub fn mark(&mut self, step: u64) {
        if self.stepped != step {
            (self.before, self.stepped) = (self.motion, step);
        }
    }

    /// Whether it is elsewhere than before the step of a number, which was the last one.
    pub fn has_moved(&self, step: u64) -> bool {
        self.stepped == step && self.before != self.motion
    }

    pub fn is_dynamic(&self) -> bool {
        self.traits.kind == BodyType::Dynamic
    }

    /// Whether it moves in this step, by velocities that nothing changes or by what acts on it.
    pub fn moves(&self) -> bool {
        match self.traits.kind {
            BodyType::Static => false,
            BodyType::Kinematic => self.left > 0.0 && self.drives(),
            BodyType::Dynamic => self.left > 0.0 && !self.asleep,
        }
    }

    /// Whether it is already where it is at the end of the step that is being done.
    pub fn has_flown(&self) -> bool {
        self.is_dynamic() && self.left == 0.0
    }

    /// The acceleration by gravity and constant forces; none of what forces do not move.
    pub fn pull(&self, gravity: DVec3) -> DVec3 {
        if !self.is_dynamic() {
            return DVec3::ZERO;
        }
        gravity * self.given.gravity_scale + (self.given.force + self.pushed[0]) * self.inertia.inverse_mass
    }

    /// Whether contacts of it move as it turns.
    pub fn turns(&self) -> bool {
        self.moves() && self.ball.is_none() && self.motion.angular_velocity != DVec3::ZERO
    }

    /// Whether it moves by velocities that nothing changes.
    pub fn drives(&self) -> bool {
        let moves = self.motion.velocity != DVec3::ZERO || self.motion.angular_velocity != DVec3::ZERO;
        self.traits.kind == BodyType::Kinematic && moves
    }

    pub fn pose(&self) -> Pose {
        self.motion.pose(self.inertia.center)
    }

    pub fn pose_of(&self, motion: &BodyState) -> Pose {
        motion.pose(self.inertia.center)
    }

    /// The plane of a body that is a wall.
    pub fn plane(&self) -> Option<(DVec3, f64)> {
        match self.form {
            Outline::Wall { normal, offset } => Some((normal, offset)),
            Outline::Convex | Outline::Other => None,
        }
    }

    /// How far the body at a pose reaches in a direction, from the origin; none if that is not known.
    pub fn height(&self, pose: &Pose, direction: DVec3) -> Option<f64> {
        if let Some((normal, offset)) = self.plane() {
            return (normal.dot(direction) > 1.0 - 1e-12).then_some(offset);
        }
        Some(direction.dot(self.motion.center) + self.reach_along(pose, self.motion.center, direction)?)
    }

    /// The largest (p − c)·m over the points p of the body at a pose, for a centre c and a direction m of any length;
    /// none of bodies without end.
    pub fn reach_along(&self, pose: &Pose, center: DVec3, m: DVec3) -> Option<f64> {
        reach_along(&self.given.body, pose, center, m)
    }

    /// Whether [`reach_along`](Self::reach_along) costs little beside a distance.
    pub fn has_few_points(&self) -> bool {
        let count = |body: &Body| {
            body.mesh().filter(|_| body.convex().is_none()).map_or(1, |mesh| mesh.vertices().len())
        };
        let parts = self.given.body.parts();
        (if parts.is_empty() {
            count(&self.given.body)
        } else {
            parts.iter().map(|(part, _)| count(part)).sum()
        }) <= FEW
    }

    /// Whether it has forces that turn with it.
    pub fn has_thrust(&self) -> bool {
        self.given.thrusters.iter().any(|engine| engine.throttle > 0.0)
    }

    /// Force at the centre and torque, all together.
    fn wrench(&self, rotation: DQuat) -> [DVec3; 2] {
        let mut sum = [self.given.force + self.pushed[0], self.given.torque + self.pushed[1]];
        for engine in self.given.thrusters.iter().filter(|engine| engine.throttle > 0.0) {
            let [force, torque] = engine.wrench();
            sum[0] += rotation * force;
            sum[1] += rotation * torque;
        }
        sum
    }

    /// Its flight from now on, which begins at time 0.
    pub fn flight(&self, gravity: DVec3) -> Flight<'_> {
        self.flight_from(gravity, self.motion)
    }

    /// The same from another motion.
    pub fn flight_from(&self, gravity: DVec3, from: BodyState) -> Flight<'_> {
        let free = Flight::free(&self.inertia, from, 0.0);
        match self.traits.kind {
            BodyType::Kinematic => free,
            BodyType::Static => {
                let from = BodyState { velocity: DVec3::ZERO, angular_velocity: DVec3::ZERO, ..from };
                Flight { from, ..free }
            }
            BodyType::Dynamic => {
                let [force, torque] = self.wrench(from.rotation);
                Flight {
                    acceleration: gravity * self.given.gravity_scale + force * self.inertia.inverse_mass,
                    torque,
                    drag: [self.given.linear_drag, self.given.angular_drag],
                    ..free
                }
            }
        }
    }

    /// Whether contacts between the two count.
    pub fn meets(&self, other: &Self) -> bool {
        let groups = self.traits.filter.accepts(other.traits.filter);
        (groups || self.is_wall || other.is_wall)
            && (self.is_dynamic() || other.is_dynamic())
            && self.is_here
            && other.is_here
            && !(self.traits.is_sensor || other.traits.is_sensor || self.ignores(other))
            && self.allows(other)
            && other.allows(self)
    }

    pub fn ignores(&self, other: &Self) -> bool {
        self.ignored.as_ref().is_some_and(|ignored| ignored.binary_search(&other.slot).is_ok())
    }

    fn allows(&self, other: &Self) -> bool {
        !self.traits.has_rule
            || self
                .given
                .contact_rule
                .as_ref()
                .is_none_or(|rule| rule.allows(self.in_pair(), other.in_pair()))
    }

    /// As a contact rule sees it.
    fn in_pair(&self) -> PairBody<'_> {
        let RigidBody { ref name, ref body, filter, user_data, .. } = *self.given;
        PairBody { name, shape: body, filter, user_data, motion: self.motion, pose: self.pose() }
    }

    /// Whether it does work on what touches it: by its own motion, or that of its surface.
    pub fn carries(&self) -> bool {
        self.drives() || self.given.surface_velocity != DVec3::ZERO
    }

    pub fn surface(&self) -> Surface {
        Surface::new(&self.given, self.is_wall)
    }
}

/// The contacts of two bodies in motion, of depth at least `−margin`.
pub fn contacts(a: &Rigid, at: &BodyState, b: &Rigid, bt: &BodyState, margin: f64) -> Vec<Contact> {
    contacts_at([a, b], [&a.pose_of(at), &b.pose_of(bt)], margin, &mut GjkMemory::default())
}

/// The contacts of two posed bodies, of depth at least `−margin`, with a memory of an earlier search.
///
/// A triangle or segment reaches far below the planes of facets that it crosses, and leaves a solid by
/// another: of these only the contacts count that are no deeper than it is.
pub fn contacts_at(
    [a, b]: [&Rigid; 2],
    [p, q]: [&Pose; 2],
    margin: f64,
    memory: &mut GjkMemory,
) -> Vec<Contact> {
    let (body_a, body_b) = (&a.given.body, &b.given.body);
    let mut found = manifold_from(body_a.at(p), body_b.at(q), margin, memory);
    let is_flat = |body: &Body| matches!(body.shape(), Shape::Triangle(_) | Shape::Segment(_));
    let overlaps = found.iter().any(|contact| contact.depth > 0.0);
    if !overlaps || !(is_flat(body_a) || is_flat(body_b)) {
        return found;
    }
    let deepest = penetration(body_a.at(p), body_b.at(q));
    let (depth, first) = (-deepest.signed.lower, found[0]);
    let least = depth + 1e-6 * (depth.abs() + a.radius.min(b.radius));
    found.retain(|contact| contact.depth <= least);
    if found.is_empty() {
        let Penetration { normal, point_a, point_b, .. } = deepest;
        found.push(Contact { point_a, point_b, normal, depth: normal.dot(point_a - point_b), ..first });
    }
    found
}

/// The box around a body while its centre goes from one place to the other, with its radius about the centre.
pub fn swept(rigid: &Rigid, centers: [DVec3; 2], more: f64) -> Aabb {
    Aabb::around(centers).grown(rigid.radius + more)
}
