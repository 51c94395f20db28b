//! RAPID.

use std::sync::Arc;

use crate::tree::{
    BuildRules, Descent, Items, Siblings, SplitAxis, SplitPoint, TraversalOrder, UnsplitRule, VolumeTree,
};
use sudar::volume::{ObbFit, fit_obb};
use sudar::{Mesh, Obb, Pose};

use crate::{Found, Limits, Model};

/// A binary tree of oriented boxes (Gottschalk, Lin and Manocha 1996, "OBBTree: a hierarchical structure for
/// rapid interference detection").
///
/// The axes of a box are the principal axes of the surface of the convex hull below it. It is split across
/// its longest axis at the mean of all points; if all triangles fall on one side, across the next longest,
/// then the shortest. Boxes are tested by fifteen axes. Two surfaces that are close and nearly parallel are
/// separated with the square root of the boxes that other volumes need.
#[derive(Debug, Clone)]
pub struct Rapid {
    model: Model<Obb>,
}

const RULES: BuildRules = BuildRules {
    axis: SplitAxis::Longest,
    point: SplitPoint::MeanOfPoints,
    unsplit: UnsplitRule::NextAxis,
    ties_alternate: false,
    leaf: 1,
};

impl Rapid {
    /// Which of two nodes is opened, and which child comes first.
    pub const ORDER: TraversalOrder =
        TraversalOrder { descent: Descent::Larger, siblings: Siblings::InOrder };

    /// As the paper fits boxes: to the surface of the hull.
    pub fn new(mesh: Arc<Mesh>) -> Self {
        Self::with_fit(mesh, ObbFit::HullSurface)
    }

    /// With another way to fit boxes.
    pub fn with_fit(mesh: Arc<Mesh>, fit: ObbFit) -> Self {
        let tree = VolumeTree::top_down_with(&Items::triangles(&mesh), &RULES, |points| fit_obb(points, fit));
        Self { model: Model::new(mesh, tree) }
    }

    /// The mesh and its tree.
    pub fn model(&self) -> &Model<Obb> {
        &self.model
    }

    /// The pairs of triangles that meet.
    pub fn collide(&self, pose: &Pose, other: &Self, other_pose: &Pose, limits: Limits) -> Found {
        self.model.collide(pose, &other.model, other_pose, Self::ORDER, limits)
    }
}
