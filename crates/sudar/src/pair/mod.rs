//! Closed-form tests between two simple things, one file a pair.

mod exact_distance;
mod flat;
mod nearest;
mod point_segment;
mod point_triangle;
mod ray_aabb;
mod ray_segment;
mod ray_triangle;
mod segment_segment;
mod segment_triangle;
#[cfg(test)]
mod testing;
mod triangle_distance;
mod triangle_triangle;

pub use nearest::Nearest;
pub use point_segment::{closest_point_segment, point_segment};
pub use point_triangle::{closest_point_triangle, point_triangle};
pub use ray_aabb::{RayHit, ray_aabb};
pub use ray_segment::{RaySegmentHit, ray_point, ray_segment};
pub use ray_triangle::{RayTriangleHit, ray_triangle, ray_triangle_moller_trumbore};
pub use segment_segment::{closest_points_segments, segment_segment};
pub use segment_triangle::segment_triangle;
pub use triangle_distance::{disjoint_segment_triangle_distance, disjoint_triangle_distance};
pub use triangle_triangle::{triangles_cross, triangles_intersect};
