//! Drawing, to look for faults in a scene.

use glam::DVec3;

use super::manager::CollisionManager;
use super::object::quick_box;
use crate::broad::Mobility;
use crate::math::Pose;
use crate::query::Body;
use crate::shape::{Aabb, Shape};

/// A canvas for debugging: lines, points and texts in world coordinates. Implemented by renderers, files and tests;
/// [`CollisionManager::draw`] and [`World::draw`](crate::dynamics::World::draw) draw on it.
pub trait DebugDraw {
    /// A line from one point to the other.
    fn line(&mut self, from: DVec3, to: DVec3, color: DebugColor);

    /// A point.
    fn point(&mut self, at: DVec3, color: DebugColor);

    /// A text beside a point.
    fn text(&mut self, _at: DVec3, _text: &str, _color: DebugColor) {}

    /// A body by its [wireframe](Body::wireframe); of a point cloud the points.
    fn body(&mut self, body: &Body, pose: &Pose, color: DebugColor) {
        if let Shape::PointCloud(cloud) = body.shape() {
            cloud.points().iter().for_each(|point| self.point(pose.apply(*point), color));
        }
        if let Shape::Point(point) = body.shape() {
            self.point(pose.apply(*point), color);
        }
        for [from, to] in body.wireframe() {
            self.line(pose.apply(from), pose.apply(to), color);
        }
    }

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

/// Meaning of something drawn; renderers choose its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DebugColor {
    /// A body that does not move by itself.
    Static,
    /// A body that moves.
    Moving,
    /// A body asleep.
    Asleep,
    /// A contact, or an object that is together with another.
    Contact,
    /// A velocity.
    Velocity,
    /// A joint: from the centres of its bodies to its anchors.
    Joint,
}

impl CollisionManager {
    /// Draws the bounding boxes and names of all bounded objects; those that were together in the last
    /// [`step`](Self::step) as contacts. O(n).
    pub fn draw(&self, canvas: &mut dyn DebugDraw) {
        let mut together: Vec<_> = self.together.iter().flatten().collect();
        together.sort_unstable();
        for (handle, object) in self.iter() {
            let color = match object.mobility {
                _ if together.binary_search(&&handle).is_ok() => DebugColor::Contact,
                Mobility::Static => DebugColor::Static,
                Mobility::Moving => DebugColor::Moving,
            };
            let aabb = quick_box(&object.body, &object.pose);
            if aabb.extent().is_finite() {
                canvas.aabb(&aabb, color);
            }
            canvas.text(object.pose.translation(), &object.name, color);
        }
    }
}
