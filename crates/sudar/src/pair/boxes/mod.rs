//! Boxes, along the axes and turned, and simple things; view frusta.

pub(super) mod aabb_aabb;
pub(super) mod frustum_aabb;
pub(super) mod frustum_sphere;
pub(super) mod obb_obb;
pub(super) mod plane_aabb;
pub(super) mod point_obb;
pub(super) mod sphere_aabb;
