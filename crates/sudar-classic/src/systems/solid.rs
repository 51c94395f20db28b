//! Van den Bergen's SOLID. Not [`sudar::Solid`], which is a closed mesh.

use std::sync::Arc;

use crate::tree::{BuildRules, Descent, Siblings, SplitAxis, SplitPoint, TraversalOrder, UnsplitRule};
use sudar::{Aabb, Mesh, Pose};

use crate::{Found, Limits, Model};

/// A binary tree of boxes along the axes of the body (van den Bergen 1997, "Efficient collision detection of
/// complex deformable models using AABB trees").
///
/// Split across the longest axis, best at its middle, by the median where all triangles fall on one side; one
/// triangle a leaf. Of two nodes the larger is opened; boxes of two bodies are tested by separating axes.
/// After a deformation the tree is re-fitted, which is quicker than building it.
#[derive(Debug, Clone)]
pub struct Solid {
    model: Model<Aabb>,
}

impl Solid {
    /// Which of two nodes is opened, and which child comes first.
    pub const ORDER: TraversalOrder =
        TraversalOrder { descent: Descent::Larger, siblings: Siblings::InOrder };

    /// Split at the middle, which its author found best.
    pub fn new(mesh: Arc<Mesh>) -> Self {
        Self::with_split(mesh, SplitPoint::Midpoint)
    }

    /// Split at another point: the median, where the children overlap least, or the midpoint.
    pub fn with_split(mesh: Arc<Mesh>, point: SplitPoint) -> Self {
        let rules = BuildRules {
            axis: SplitAxis::Longest,
            point,
            unsplit: UnsplitRule::Median,
            ties_alternate: false,
            leaf: 1,
        };
        Self { model: Model::top_down(mesh, &rules) }
    }

    /// The mesh and its tree.
    pub fn model(&self) -> &Model<Aabb> {
        &self.model
    }

    /// The pairs of triangles that meet.
    pub fn collide(&self, pose: &Pose, other: &Self, other_pose: &Pose, limits: Limits) -> Found {
        self.model.collide(pose, &other.model, other_pose, Self::ORDER, limits)
    }

    /// The mesh has moved its vertices: the boxes are fitted anew from the leaves up. Triangles stay the same ones.
    pub fn refit(&mut self, mesh: Arc<Mesh>) {
        self.model.refit(mesh);
    }
}
