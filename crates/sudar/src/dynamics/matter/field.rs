//! What acts on bodies in a region.

use glam::DVec3;

use super::inertia::Inertia;
use super::state::BodyState;

/// What acts on bodies that are in a sensor, from the step after they came in to the step in which they leave: at the
/// centre of mass of each, all of it, however much of the body is inside.
///
/// ```
/// use sudar::dynamics::{ForceField, RigidBody, Settings, World};
/// use sudar::{Cuboid, DVec3, Sphere};
///
/// // A lift shaft of wind that bears what is in it, and slows it down.
/// let mut world = World::new(Settings::default())?;
/// let wind = ForceField { acceleration: DVec3::Z * 9.81, drag: 2.0, ..ForceField::default() };
/// let shaft = RigidBody::fixed("shaft", Cuboid::new(DVec3::new(1.0, 1.0, 5.0))?);
/// world.add(RigidBody { sensor: true, field: Some(wind), ..shaft })?;
/// let ball = RigidBody::new("ball", Sphere::new(DVec3::ZERO, 0.3)?);
/// let ball = world.add(RigidBody { velocity: DVec3::Z * 2.0, ..ball })?;
/// for _ in 0..300 {
///     world.step(1.0 / 60.0)?;
/// }
/// // It comes to rest after v / drag, but for the step before it was noticed.
/// assert!((world.motion(ball)?.center.z - 1.0).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ForceField {
    /// In the axes of the world, in m/s².
    pub acceleration: DVec3,
    /// Force in the axes of the world, in newtons: the same on light and heavy bodies.
    pub force: DVec3,
    /// Acceleration towards the origin of the sensor's frame, in m/s²; below zero away from it.
    pub attraction: f64,
    /// Drag against the sensor: c in dv/dt = −c·v and likewise for turning, in 1/s, 0 or more.
    pub drag: f64,
}

impl ForceField {
    /// The key and the problem of what cannot be.
    pub(super) fn fault(&self, sensor: bool) -> Option<(&'static str, &'static str)> {
        let numbers = [self.acceleration.length(), self.force.length(), self.attraction.abs(), self.drag];
        if !numbers.iter().all(|x| (0.0..1e80).contains(x)) {
            return Some(("field", "must be finite numbers below 1e80, and its drag 0 or more"));
        }
        (!sensor).then_some(("field", "is of a sensor; set `sensor` to true"))
    }

    /// Force and torque, for a step, on a body of an inertia which other forces accelerate by `pull`, in a sensor whose
    /// origin is at a place.
    pub fn on(
        &self,
        (origin, sensor): (DVec3, &BodyState),
        (body, inertia, pull): (&BodyState, &Inertia, DVec3),
        seconds: f64,
    ) -> [DVec3; 2] {
        let Self { acceleration, force, attraction, drag } = *self;
        let (at, mass) = (body.center, inertia.mass);
        let towards = (origin - at).normalize_or_zero();
        // As much as takes e^(−c·t) of the speed in the step, so that no drag is too much.
        let slows = -libm::expm1(-drag * seconds) / seconds;
        // With it all forces are less, so that the final speed is their acceleration over the drag.
        let push = if drag > 0.0 { slows / drag } else { 1.0 };
        let speed = body.velocity - sensor.velocity_at(at);
        let spin = body.angular_velocity - sensor.angular_velocity;
        let turn = inertia.spun(body.rotation, spin);
        let all = pull + acceleration + towards * attraction + force * inertia.inverse_mass;
        [(all * push - pull - speed * slows) * mass, turn * -slows]
    }
}
