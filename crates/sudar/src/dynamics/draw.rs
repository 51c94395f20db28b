//! Drawing a world, to look for faults in a scene.

use glam::DVec3;

use super::matter::{BodyType, Rigid};
use super::world::{StepReport, World};
use crate::many::{DebugColor, DebugDraw};

impl World {
    /// Draws the bounding boxes and names of all bodies with an end, and their velocities in m/s as lines in m; of
    /// joints the anchors, joined to the centres of mass and to each other.
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
    ///
    /// [`World::draw_shapes`] draws what the bodies are.
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
        for (bodies, points) in self.joint_lines() {
            for (body, point) in bodies.into_iter().zip(points) {
                canvas.point(point, DebugColor::Joint);
                if let Some(center) = body {
                    canvas.line(center, point, DebugColor::Joint);
                }
            }
            canvas.line(points[0], points[1], DebugColor::Joint);
        }
    }

    /// Draws the wireframes of all bodies, see [`Body::wireframe`](crate::query::Body::wireframe); sensors in the
    /// colour of contacts while something is in them.
    pub fn draw_shapes(&self, canvas: &mut dyn DebugDraw) {
        for (handle, given) in self.bodies() {
            let (Ok(pose), Ok(inside)) = (self.pose(handle), self.inside(handle)) else { continue };
            let color = match given.kind {
                _ if !inside.is_empty() => DebugColor::Contact,
                BodyType::Static => DebugColor::Static,
                BodyType::Dynamic | BodyType::Kinematic if self.is_asleep(handle) == Ok(true) => {
                    DebugColor::Asleep
                }
                BodyType::Dynamic | BodyType::Kinematic => DebugColor::Moving,
            };
            canvas.body(&given.body, &pose, color);
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
