//! Triangles and simple things, triangles among them.

pub(super) mod capsule_triangle;
pub(super) mod edge_in_face;
pub(crate) mod exact_clip;
pub(super) mod neighbour_triangles;
pub(super) mod point_triangle;
pub(super) mod segment_triangle;
pub(super) mod sphere_triangle;
pub(super) mod triangle_aabb;
pub(super) mod triangle_distance;
pub(super) mod triangle_intersection;
pub(super) mod triangle_intervals;
pub(super) mod triangle_triangle;
pub(super) mod triangle_within;
