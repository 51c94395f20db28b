//! Named bodies in their places.

use std::sync::Arc;

use sudar::query::Body;
use sudar::{Mesh, Pose, Shape, Solid};

/// A named body in its place. Names are for people and need not differ; parts are identified by their numbers.
#[derive(Debug, Clone)]
pub struct Part {
    /// What it is called.
    pub name: String,
    /// Its shape; instances of one shape are clones of one body, which share mesh and tree.
    pub body: Body,
    /// Where it is.
    pub pose: Pose,
}

/// Many parts, numbered from 0 in their order.
#[derive(Debug, Clone, Default)]
pub struct Assembly {
    /// The parts.
    pub parts: Vec<Part>,
}

/// The body that a mesh stands for in an assembly: a [`Solid`] if the mesh is closed, otherwise its surface.
/// O(n log n).
pub fn body_of(mesh: Arc<Mesh>) -> Body {
    let topology = mesh.topology();
    // Asked before, since a mesh that is not closed is searched for a tolerance that closes it.
    let solid = if topology.is_closed() { Solid::with_topology(mesh.clone(), &topology).ok() } else { None };
    solid.map_or_else(|| Body::new(Shape::Mesh(mesh)), Body::new)
}
