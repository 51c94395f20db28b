//! One posed tree: triangles near a point, a ray, a box or a convex body.

pub(super) mod probe;
pub(super) mod round_core;
pub(super) mod round_probe;
pub(super) mod view;
pub(super) mod wedges;
