//! Drawing a world, to look for faults in a scene.

use glam::DVec3;

use super::matter::{BodyType, Rigid};
use super::world::{StepReport, World};
use crate::shape::Aabb;

/// What a world or a manager of bodies draws itself with: lines, points and texts in world coordinates. Implemented by
/// renderers, files and tests.
pub trait DebugDraw {
    /// A line from one point to the other.
    fn line(&mut self, from: DVec3, to: DVec3, color: DebugColor);

    /// A point.
    fn point(&mut self, at: DVec3, color: DebugColor);

    /// A text beside a point.
    fn text(&mut self, _at: DVec3, _text: &str, _color: DebugColor) {}

    /// The twelve edges of a box.
    fn aabb(&mut self, aabb: &Aabb, color: DebugColor) {
        let corners = aabb.corners();
        for (i, from) in corners.iter().enumerate() {
            let along = corners[i + 1..]
                .iter()
                .filter(|to| (*from - **to).to_array().iter().filter(|x| **x != 0.0).count() == 1);
            along.for_each(|to| self.line(*from, *to, color));
        }
    }
}

/// What something drawn stands for; renderers choose its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DebugColor {
    /// A body that does not move by itself.
    Static,
    /// A body that moves.
    Moving,
    /// A body asleep.
    Asleep,
    /// A contact.
    Contact,
    /// A velocity.
    Velocity,
}

impl World {
    /// Draws the bounding boxes and names of all bodies with an end, and their velocities in m/s as lines in m.
    ///
    /// ```
    /// use sudar::dynamics::{DebugColor, DebugDraw, RigidBody, Settings, World};
    /// use sudar::{DVec3, Sphere};
    ///
    /// #[derive(Default)]
    /// struct Lines(usize);
    ///
    /// impl DebugDraw for Lines {
    ///     fn line(&mut self, _: DVec3, _: DVec3, _: DebugColor) {
    ///         self.0 += 1;
    ///     }
    ///
    ///     fn point(&mut self, _: DVec3, _: DebugColor) {}
    /// }
    ///
    /// let mut world = World::new(Settings::default())?;
    /// world.add(RigidBody::fixed("ball", Sphere::new(DVec3::ZERO, 1.0)?))?;
    /// let mut lines = Lines::default();
    /// world.draw(&mut lines);
    /// assert_eq!(lines.0, 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn draw(&self, canvas: &mut dyn DebugDraw) {
        for rigid in self.rigids().filter(|rigid| rigid.is_here && !rigid.is_wall) {
            let color = color_of(rigid);
            let (center, aabb) = (rigid.motion.center, rigid.given.body.bounds(&rigid.pose()));
            if aabb.extent().is_finite() {
                canvas.aabb(&aabb, color);
            }
            canvas.text(center, &rigid.given.name, color);
            if rigid.motion.velocity != DVec3::ZERO {
                canvas.line(center, center + rigid.motion.velocity, DebugColor::Velocity);
            }
        }
    }
}

impl StepReport {
    /// Draws the points at which bodies touched, with impulses along their normals as lines, in N·s for a metre.
    pub fn draw(&self, canvas: &mut dyn DebugDraw, per_metre: f64) {
        for point in self.touches.iter().flat_map(|touch| self.points(touch)) {
            canvas.point(point.point, DebugColor::Contact);
            canvas.line(
                point.point,
                point.point + point.normal * (point.impulse / per_metre),
                DebugColor::Contact,
            );
        }
    }
}

fn color_of(rigid: &Rigid) -> DebugColor {
    match rigid.given.kind {
        BodyType::Static => DebugColor::Static,
        BodyType::Dynamic | BodyType::Kinematic if rigid.asleep => DebugColor::Asleep,
        BodyType::Dynamic | BodyType::Kinematic => DebugColor::Moving,
    }
}
