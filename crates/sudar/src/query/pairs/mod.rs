//! Kinds of pairs: what surfaces, convex bodies and half-spaces are to each other. They know nothing of verbs.

pub(super) mod certain;
pub(super) mod convex_depth;
pub(super) mod convex_distance;
pub(super) mod convex_meet;
mod cores;
pub(super) mod exact_within;
pub(super) mod halfspace;
pub(super) mod meeting;
pub(super) mod mesh_convex;
pub(super) mod mesh_round;
mod point_cuboid;
mod point_hull;
pub(super) mod sphere_capsule;
pub(super) mod sphere_curved;
pub(super) mod surface_distance;
pub(super) mod surface_within;
pub(super) mod triangle_convex;
