//! Named bodies in their places.

use std::sync::Arc;

use crate::math::Pose;
use crate::query::Body;
use crate::shape::{Mesh, Shape, Solid};

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
///
/// ```
/// use sudar::scene::{ClashKind, ClashOptions, Part, Scene, body_of, find_clashes};
/// use sudar::{Aabb, DVec3, Mesh, Pose};
///
/// let brick = body_of(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::new(2.0, 1.0, 1.0) }).into());
/// let part = |name: &str, x| {
///     let pose = Pose::from_translation(DVec3::new(x, 0.0, 0.0))?;
///     Ok::<_, sudar::PoseError>(Part { name: name.into(), body: brick.clone(), pose })
/// };
/// let scene = Scene { parts: vec![part("left", 0.0)?, part("middle", 1.5)?, part("right", 3.5)?] };
/// let report = find_clashes(&scene, &ClashOptions::default(), &|_, _| {})?;
/// let found: Vec<_> = report.clashes.iter().map(|clash| (clash.a, clash.b, clash.kind)).collect();
/// assert_eq!(found, [(0, 1, ClashKind::Hard), (1, 2, ClashKind::Touch)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// The parts.
    pub parts: Vec<Part>,
}

/// The body that a mesh stands for in a scene: a [`Solid`] if the mesh is closed, otherwise its surface.
/// O(n log n).
pub fn body_of(mesh: Arc<Mesh>) -> Body {
    let topology = mesh.topology();
    // Asked before, since a mesh that is not closed is searched for a tolerance that closes it.
    let solid = if topology.is_closed() { Solid::with_topology(mesh.clone(), &topology).ok() } else { None };
    solid.map_or_else(|| Body::new(Shape::Mesh(mesh)), Body::new)
}
