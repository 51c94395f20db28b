//! Sphere trees by octants.

use std::sync::Arc;

use crate::tree::{Descent, Items, Siblings, TraversalOrder, VolumeTree};
use sudar::{Mesh, Pose, Sphere};

use crate::{Found, Limits, Model};

/// A tree of spheres over the octants of a cube (O'Sullivan and Dingliana 1999, "Real-time collision
/// detection and response using sphere-trees").
///
/// Up to eight children a node; a cube is split while it holds more than one triangle. The roots are tested
/// first, then the root of one against the children of the other, and so on in turn. A sphere is the same
/// from all sides, so that under rotation only its centre moves.
#[derive(Debug, Clone)]
pub struct SphereTree {
    model: Model<Sphere>,
}

impl SphereTree {
    /// Which of two nodes is opened, and which child comes first.
    pub const ORDER: TraversalOrder =
        TraversalOrder { descent: Descent::Alternate, siblings: Siblings::InOrder };

    /// Over the octants of the mesh, each sphere as tight as its triangles allow.
    pub fn new(mesh: Arc<Mesh>) -> Self {
        let tree = VolumeTree::octants(&mesh, 1).shrunk(&Items::triangles(&mesh));
        Self { model: Model::new(mesh, tree) }
    }

    /// The mesh and its tree.
    pub fn model(&self) -> &Model<Sphere> {
        &self.model
    }

    /// The pairs of triangles that meet.
    pub fn collide(&self, pose: &Pose, other: &Self, other_pose: &Pose, limits: Limits) -> Found {
        self.model.collide(pose, &other.model, other_pose, Self::ORDER, limits)
    }
}
