//! Rays and simple things.

pub(crate) mod chord;
pub(super) mod ray_aabb;
pub(super) mod ray_capsule;
pub(super) mod ray_hull;
pub(super) mod ray_segment;
pub(super) mod ray_sphere;
pub(super) mod ray_triangle;
