//! Bodies as contacts see them: what is needed of each at the start of a step, close together in memory.

use glam::{DQuat, DVec3};

use crate::dynamics::matter::{BodyState, Flight, Outline, Rigid, Surface, swept};
use crate::dynamics::settings::Settings;
use crate::many::quick_box;
use crate::math::Pose;
use crate::shape::Aabb;

/// A body at the start of a step.
#[derive(Debug, Clone, Copy)]
pub struct Stance {
    pub pose: Pose,
    pub center: DVec3,
    pub rotation: DQuat,
    pub radius: f64,
    /// How fast any point of it is, at most, and how far it may go in the step.
    pub speed: f64,
    pub reach: f64,
    /// The box that the body keeps to itself in the step.
    pub reserved: Aabb,
    pub form: Form,
    pub surface: Surface,
    /// Acceleration by forces.
    pub pull: f64,
    /// The share of the step that is still to be done.
    pub left: f64,
    pub moves: bool,
}

/// What contacts are found by.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// A ball of this radius about the centre of mass.
    Ball(f64),
    Wall {
        normal: DVec3,
        offset: f64,
    },
    /// Another convex body.
    Convex,
    /// A mesh, or a body of several parts.
    Mesh,
}

/// Gaps of resting bodies that count, relative to the smaller body.
pub const MARGIN: f64 = 0.02;
/// Most of the way to come that counts towards the gaps of meshes, relative to the smaller body.
const MESH: f64 = 0.05;

impl Stance {
    /// A body at the start of a step, or of what is left of one of this length.
    pub fn new(rigid: &Rigid, settings: &Settings, until: f64) -> Self {
        let until = rigid.left * until;
        let form = match (rigid.ball, rigid.form) {
            (Some(radius), _) => Form::Ball(radius),
            (None, Outline::Wall { normal, offset }) => Form::Wall { normal, offset },
            (None, Outline::Convex) => Form::Convex,
            (None, Outline::Other) => Form::Mesh,
        };
        let (pose, BodyState { center, rotation, .. }) = (rigid.pose(), rigid.motion);
        let still = Self {
            pose,
            center,
            rotation,
            radius: rigid.radius,
            speed: 0.0,
            reach: 0.0,
            reserved: Aabb::EVERYTHING,
            form,
            surface: rigid.surface(),
            pull: 0.0,
            left: rigid.left,
            moves: rigid.moves(),
        };
        if !still.moves {
            return Self { reserved: resting_box(rigid, &pose), ..still };
        }
        let flight = rigid.flight(settings.gravity);
        let still = Self { pull: rigid.pull(settings.gravity).length(), ..still };
        let (speed, reach) = travel(rigid, &flight, until);
        let still = Self { speed, ..still };
        if reach < 0.25 * rigid.radius {
            return Self { reach, reserved: resting_box(rigid, &pose).grown(reach), ..still };
        }
        let way = flight.center_at(until).0 - center;
        let turned = flight.angular_speed(until) * until * rigid.radius;
        Self { reach, reserved: still.along(rigid, way, turned), ..still }
    }

    /// The box around the body on its way, with room for being pushed aside, while no point of it turns
    /// farther than this.
    fn along(&self, rigid: &Rigid, way: DVec3, turned: f64) -> Aabb {
        let more = 0.25 * self.radius;
        if turned < 0.5 * self.radius {
            let Aabb { min, max } = resting_box(rigid, &self.pose).grown(more + turned);
            return Aabb { min: min + way.min(DVec3::ZERO), max: max + way.max(DVec3::ZERO) };
        }
        let swept = swept(rigid, [self.center, self.center + way], MARGIN * self.radius + more);
        if self.radius.is_finite() { swept } else { Aabb::EVERYTHING }
    }

    /// Gaps up to which contacts between two bodies count in this step.
    pub fn margin(&self, other: &Self) -> f64 {
        let size = self.radius.min(other.radius);
        // Meshes have a contact for every feature within the margin. Where theirs is too small, bodies stop
        // on their way.
        let is_mesh = matches!(self.form, Form::Mesh) || matches!(other.form, Form::Mesh);
        let far = if is_mesh { MESH * size } else { size.max(self.reach.max(other.reach).min(4.0 * size)) };
        MARGIN * size + (self.reach + other.reach).min(far)
    }
}

/// The box that a body keeps to itself where it rests; all there is of one without end.
pub fn resting_box(rigid: &Rigid, pose: &Pose) -> Aabb {
    if !rigid.radius.is_finite() {
        return Aabb::EVERYTHING;
    }
    quick_box(&rigid.given.body, pose).grown(MARGIN * rigid.radius)
}

/// How fast any point of it is, and how far it may go in a step.
fn travel(rigid: &Rigid, flight: &Flight, until: f64) -> (f64, f64) {
    let spin = flight.angular_speed(until) * if rigid.radius.is_finite() { rigid.radius } else { 0.0 };
    let speed = rigid.motion.velocity.length() + spin;
    (speed, (speed + flight.push() * until) * until)
}
