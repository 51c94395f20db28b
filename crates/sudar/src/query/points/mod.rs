//! A body and a point or a ray.

pub(super) mod closest_point;
pub(super) mod contains;
pub(super) mod ray;
pub(super) mod ray_all;
pub(super) mod winding;
