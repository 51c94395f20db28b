//! Two boxes in closed form.

pub(super) mod cuboid_axes;
pub(super) mod cuboid_distance;
pub(super) mod cuboid_points;
