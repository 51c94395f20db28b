//! Closed-form tests between two simple things, one file a pair.
//!
//! Names are made of the two things. Touching counts as meeting.
//!
//! | Do they meet?  | ball | point | segment | triangle |
//! |----------------|------|-------|---------|----------|
//! | **ball**       | [`sphere_sphere`] | [`sphere_point`] | [`sphere_segment`] | [`sphere_triangle`] |
//! | **point**      | | [`point_point`] | [`point_segment`] | [`point_triangle`] |
//! | **segment**    | | | [`segment_segment`] | [`segment_triangle`] |
//! | **triangle**   | | | | [`triangles_intersect`] |
//! | **capsule**    | [`sphere_capsule`] | [`point_capsule`] | [`capsule_segment`] | [`capsule_triangle`] |
//!
//! | Do they meet?  | AABB | OBB | half-space |
//! |----------------|------|-----|------------|
//! | **ball**       | [`sphere_aabb`] | [`sphere_obb`] | [`sphere_halfspace`] |
//! | **point**      | [`point_aabb`] | [`point_obb`] | [`point_halfspace`] |
//! | **segment**    | [`segment_aabb`] | [`segment_obb`] | [`segment_halfspace`] |
//! | **triangle**   | [`triangle_aabb`] | [`triangle_obb`] | [`triangle_halfspace`] |
//! | **AABB**       | [`aabb_aabb`] | [`aabb_obb`] | [`aabb_halfspace`] |
//! | **OBB**        | | [`obb_obb`] | [`obb_halfspace`] |
//! | **half-space** | | | [`halfspace_halfspace`] |
//! | **capsule**    | [`capsule_aabb`] | | [`capsule_halfspace`] |
//!
//! Which axis separates two oriented boxes: [`obb_separating_axis`]. Two triangles in plain `f64`, as Möller
//! 1997: [`triangle_intervals`], which is not exact. Two triangles of one surface:
//! [`triangles_meet_beyond_shared_corners`]. Two capsules: [`capsule_capsule`].
//!
//! All others of these are exact, decided in rational arithmetic where `f64` with error bounds cannot, except
//! those with an oriented box: its axes are rounded to begin with, so they are on the safe side instead and
//! never miss.
//!
//! | How near? | |
//! |-----------|-|
//! | to a point | [`closest_point_segment`], [`closest_point_triangle`], [`closest_point_plane`] |
//! | | [`closest_point_aabb`], [`closest_point_obb`], [`closest_point_sphere`] |
//! | | [`closest_point_halfspace`], [`closest_point_capsule`] |
//! | to a point, also from inside | [`closest_surface_point_cuboid`] |
//! | two things | [`closest_points_segments`], [`disjoint_segment_triangle_distance`], [`disjoint_triangle_distance`] |
//! | for certain | [`disjoint_triangle_distance_bounds`], [`Nearest::certified`] |
//! | as yes or no, exactly | [`triangles_within`], [`sphere_triangle_within`], [`capsule_triangle_within`] |
//! | | [`capsules_within`] (balls too), [`sphere_halfspace_within`] |
//!
//! | Where does a ray hit? | |
//! |-----------------------|-|
//! | a surface | [`ray_triangle`] (watertight), [`ray_triangle_moller_trumbore`] |
//! | a solid   | [`ray_aabb`], [`ray_obb`], [`ray_sphere`], [`ray_sphere_algebraic`], [`ray_halfspace`], [`ray_hull`] |
//! | a capsule in its own frame | [`ray_capsule`] |
//! | a polygon | [`ray_polygon`] |
//! | thin things, exactly | [`ray_segment`], [`ray_point`] |
//!
//! | On which side, inside or outside? | |
//! |----------------------------------|-|
//! | of a plane: [`Side`] | [`plane_aabb`] (exact), [`plane_obb`] |
//! | of a loop in the plane, exactly | [`point_in_polygon`] (even–odd), [`polygon_winding`] (nonzero) |
//! | of a view frustum, by its planes: [`Containment`] | [`frustum_sphere`], [`frustum_aabb`], [`frustum_obb`] |
//! | | [`frustum_sphere_octant`] with [`frustum_octant`] |
//! | of a view frustum, exactly | [`frustum_sphere_exact`], [`frustum_aabb_exact`] |
//! | of a view frustum, on the safe side | [`frustum_obb_exact`] |
//!
//! Cylinders, cones and ellipsoids with points, rays and half-spaces: [`Round`](crate::shape::Round).
//!
//! Round bodies may be of any size down to 1e-200: beyond that, quotients of coordinates leave the range of `f64`.

mod boxes;
mod exact_distance;
pub(crate) mod flat;
mod halfspace_halfspace;
mod nearest;
mod point_capsule;
mod point_halfspace;
mod point_plane;
mod point_polygon;
mod point_segment;
pub(crate) mod ray;
mod segment_segment;
mod sphere_halfspace;
mod sphere_point;
mod sphere_sphere;
pub(crate) mod surface_point;
pub(crate) mod triangle;

pub use boxes::aabb_aabb::{aabb_aabb, closest_point_aabb, point_aabb, point_point};
pub use boxes::frustum_aabb::{frustum_aabb, frustum_aabb_exact, frustum_obb, frustum_obb_exact};
pub use boxes::frustum_sphere::{
    Containment, Octant, frustum_octant, frustum_sphere, frustum_sphere_exact, frustum_sphere_octant,
};
pub use boxes::obb_obb::{aabb_obb, obb_obb, obb_separating_axis, segment_obb, triangle_obb};
pub use boxes::plane_aabb::{Side, plane_aabb, plane_obb};
pub use boxes::point_obb::{closest_point_obb, obb_halfspace, point_obb, ray_obb, sphere_obb};
pub use boxes::sphere_aabb::sphere_aabb;
pub(crate) use exact_distance::compare_squares;
pub use halfspace_halfspace::halfspace_halfspace;
pub use nearest::Nearest;
pub(crate) use nearest::{gap_along, length, locally};
pub use point_capsule::{
    capsule_capsule, capsule_halfspace, capsule_segment, capsules_within, closest_point_capsule,
    point_capsule, sphere_capsule,
};
pub use point_halfspace::{
    aabb_halfspace, closest_point_halfspace, point_halfspace, segment_halfspace, triangle_halfspace,
};
pub use point_plane::closest_point_plane;
pub use point_polygon::{point_in_polygon, polygon_winding, ray_polygon};
pub(crate) use point_segment::foot_on_segment;
pub use point_segment::{closest_point_segment, point_segment};
pub(crate) use ray::chord::{Chord, START, across_squared, in_tube, steady};
pub use ray::ray_aabb::{EntryPoint, ray_aabb};
pub use ray::ray_capsule::ray_capsule;
pub use ray::ray_hull::ray_hull;
pub(crate) use ray::ray_segment::NearEdges;
pub use ray::ray_segment::{RaySegmentHit, ray_point, ray_segment};
pub use ray::ray_sphere::{ray_halfspace, ray_sphere, ray_sphere_algebraic};
pub(crate) use ray::ray_triangle::ray_triangle_near;
pub use ray::ray_triangle::{RayTriangleHit, ray_triangle, ray_triangle_moller_trumbore};
pub use segment_segment::{closest_points_segments, segment_segment};
pub use sphere_halfspace::{sphere_halfspace, sphere_halfspace_within};
pub use sphere_point::{closest_point_sphere, sphere_point};
pub use sphere_sphere::sphere_sphere;
pub use surface_point::{SurfacePoint, closest_surface_point_cuboid};
pub use triangle::capsule_triangle::{capsule_aabb, capsule_triangle, capsule_triangle_within};
pub use triangle::edge_in_face::edge_in_face;
pub use triangle::neighbour_triangles::triangles_meet_beyond_shared_corners;
pub use triangle::point_triangle::{closest_point_triangle, point_triangle};
pub use triangle::segment_triangle::segment_triangle;
pub use triangle::sphere_triangle::{sphere_segment, sphere_triangle, sphere_triangle_within};
pub use triangle::triangle_aabb::{segment_aabb, triangle_aabb};
pub(crate) use triangle::triangle_distance::widest_direction;
pub use triangle::triangle_distance::{
    disjoint_segment_triangle_distance, disjoint_triangle_distance, disjoint_triangle_distance_bounds,
};
pub use triangle::triangle_intersection::{TriangleIntersection, triangle_intersection};
pub use triangle::triangle_intervals::{IntervalAnswer, triangle_intervals};
pub(crate) use triangle::triangle_triangle::{interiors_cross, sides};
pub use triangle::triangle_triangle::{triangles_cross, triangles_intersect};
pub use triangle::triangle_within::triangles_within;
