//! What a scene is made of.

use super::error::SceneError;
use crate::broad::{Filter, Handle, Mobility, Seek};
use crate::math::Pose;
use crate::query::{Body, Placed};
use crate::shape::Aabb;

/// A named body at its pose, with its mobility, filter and margin.
#[derive(Debug, Clone)]
pub struct Object {
    /// Name, for people; names need not differ.
    pub name: String,
    /// Its shape; clones of one body share mesh and tree.
    pub body: Body,
    /// Where it is.
    pub pose: Pose,
    /// Whether it may move. Two static objects are no pair.
    pub mobility: Mobility,
    /// Which others it forms pairs with.
    pub filter: Filter,
    /// Margin by which its box is wider on every side, 0 or more: for bodies that are to be found
    /// before they come near.
    pub margin: f64,
}

impl Object {
    /// A body that moves and forms pairs with all others.
    pub fn new(name: impl Into<String>, body: Body, pose: Pose) -> Self {
        Self { name: name.into(), body, pose, mobility: Mobility::Moving, filter: Filter::ALL, margin: 0.0 }
    }

    /// The same, but static.
    #[must_use]
    pub fn fixed(self) -> Self {
        Self { mobility: Mobility::Static, ..self }
    }

    /// The same with this filter.
    #[must_use]
    pub fn filtered(self, filter: Filter) -> Self {
        Self { filter, ..self }
    }

    /// The body where it is.
    pub fn at(&self) -> Placed<'_> {
        self.body.at(&self.pose)
    }

    /// The box for the broad phase, if it is one: wider by the margin and by half the clearance.
    pub(super) fn checked(&self, aabb: Aabb, clearance: f64) -> Result<Aabb, SceneError> {
        let name = || self.name.clone();
        if !(self.margin >= 0.0 && self.margin.is_finite()) {
            return Err(SceneError::Margin { name: name(), value: self.margin });
        }
        // Half-spaces have no bounds.
        if aabb.min.is_nan() || aabb.max.is_nan() || !self.pose.translation().is_finite() {
            return Err(SceneError::NotANumber { name: name() });
        }
        if let Some(axis) = (0..3).find(|&k| aabb.min[k] > aabb.max[k]) {
            return Err(SceneError::Inverted { name: name(), axis });
        }
        let wider = self.margin + 0.5 * clearance;
        Ok(if wider > 0.0 { aabb.grown(wider) } else { aabb })
    }
}

/// A box around the posed body, rounded outward: the smallest for convex shapes, for others what is known in O(1).
pub(crate) fn quick_box(body: &Body, pose: &Pose) -> Aabb {
    if body.convex().is_some() { body.aabb(pose) } else { body.bounds(pose) }
}

impl Seek<Object> for Filter {
    fn wants(&mut self, _: Handle, object: &Object) -> bool {
        self.finds(object.filter)
    }
}
