//! Picking and culling as in the lecture of Igor S. Pandžić ([`PANDZIC`](crate::sources::PANDZIC)): the tests of a ray
//! and of a view frustum, each with what it computes on the way and with counters.
//!
//! | the lecture's test | here | exact or certain, in [`sudar::pair`] |
//! |---|---|---|
//! | ray and sphere, mathematical solution | [`Mathematical`] | [`ray_sphere`] |
//! | ray and sphere, optimal solution | [`Optimal`] | the same |
//! | ray and box, by slabs | [`Slabs`] | [`ray_aabb`] |
//! | ray and triangle, barycentric | [`ray_triangle_moller_trumbore`] | [`ray_triangle`] |
//! | ray and polygon, projected | [`Crossings`] | [`ray_polygon`](sudar::pair::ray_polygon) |
//! | frustum and sphere, frustum and box | [`InView`] | [`frustum_sphere`], [`frustum_aabb`] |
//! | the octant of a frustum | [`CullTest::Octants`] | [`frustum_sphere_octant`] |
//! | hierarchies, built from either end | [`RayTree`], [`cull_tree`] | [`query::ray`](fn@sudar::query::ray) |
//! | an object as rays | [`Fan`], [`RayBody`](crate::RayBody) | |
//!
//! [`ray_sphere`]: sudar::pair::ray_sphere
//! [`ray_aabb`]: sudar::pair::ray_aabb
//! [`ray_triangle_moller_trumbore`]: sudar::pair::ray_triangle_moller_trumbore
//! [`ray_triangle`]: sudar::pair::ray_triangle
//! [`frustum_sphere`]: sudar::pair::frustum_sphere
//! [`frustum_aabb`]: sudar::pair::frustum_aabb
//! [`frustum_sphere_octant`]: sudar::pair::frustum_sphere_octant
//!
//! The tests of the first column are in plain `f64`, as the lecture writes them; [`RayTree`] uses exact ones.
//!
//! ```
//! use std::sync::Arc;
//! use sudar::{Aabb, DVec3, Mesh, Ray};
//! use sudar_classic::pick::{Goal, RayTree};
//!
//! let cube = Arc::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
//! let tree = RayTree::<Aabb>::top_down(cube);
//! let down = Ray::new(DVec3::new(0.7, 0.2, 3.0), -DVec3::Z)?;
//! let mut visits = Vec::new();
//! let found = tree.search(&down, f64::INFINITY, Goal::First, &mut |visit| visits.push(visit));
//! assert_eq!(found.hits[0].hit.t, 2.0);
//! // Twelve triangles, of which few were tested.
//! assert!(found.effort.triangle_tests < 12 && !visits.is_empty());
//! # Ok::<(), sudar::ShapeError>(())
//! ```

mod cull;
mod fan;
mod ray_polygon;
mod ray_slabs;
mod ray_sphere;
mod ray_tree;

pub use cull::{CullEffort, CullTest, Culled, InView, camera, cull, cull_tree};
pub use fan::{Fan, Steering};
pub use ray_polygon::Crossings;
pub use ray_slabs::Slabs;
pub use ray_sphere::{Mathematical, Optimal, Rejected};
pub use ray_tree::{Goal, NodeFate, NodeVisit, RayTree, RayVolume, TreeFound, TreeHit};
