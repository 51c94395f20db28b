//! Verbs on whole bodies: do they touch, where, how far apart or how deep in each other are they, what does a
//! ray hit, what is inside.
//!
//! Every function takes a [`Body`] (a shape with its tree, made once) and a pose, and works for every shape.
//! Answers of yes or no are exact; distances are intervals that hold the true value.
//!
//! ```
//! use sudar::query::{Body, DistanceOptions, contacts, distance, intersects};
//! use sudar::{Aabb, DVec3, Mesh, Pose};
//!
//! let cube = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
//! let beside = Pose::from_translation(DVec3::X)?;
//! assert!(intersects(cube.at(&Pose::IDENTITY), cube.at(&beside)).is_touching());
//! // Triangles 2 and 3 of a box are its face +x, 0 and 1 its face −x.
//! assert!(contacts(cube.at(&Pose::IDENTITY), cube.at(&beside)).contains(&[2, 0]));
//!
//! let away = Pose::from_translation(DVec3::new(3.0, 0.0, 0.0))?;
//! let gap = distance(cube.at(&Pose::IDENTITY), cube.at(&away), &DistanceOptions::EXACT);
//! assert!(gap.interval.contains(2.0));
//! # Ok::<(), sudar::PoseError>(())
//! ```
//!
//! | task | functions |
//! |---|---|
//! | do they touch, and where? | [`intersects`], [`manifold`] |
//! | which of their triangles meet? | [`contacts`], [`contacts_up_to`] (some of very many), [`contacts_of_parts`] |
//! | how far apart? | [`distance`] with a [`DistanceOptions`], [`within`] a tolerance, [`local_minima`] |
//! | how deep? | [`penetration`] (least translation), [`depth_along`] a direction, [`surface_depth`] |
//! | when do moving bodies meet? | [`sweep`], [`cast_shape`], [`cast_sphere`] |
//! | the same by the naive ways | [`sweep_sampled`], [`sweep_bisected`] |
//! | a point, a ball | [`closest_point`], [`contains`], [`winding_number`], [`triangles_touching`] |
//! | a ray | [`ray`], [`ray_all`], [`ray_any`] |
//! | one mesh with itself | [`self_intersections`], [`self_intersects`] |
//!
//! Each of them runs under a budget ([`Work`]), many at a time ([`Batch`]), and some again and again for
//! bodies that move ([`Memory`]). Bodies deform ([`Body::move_vertices`]). [`prove_distance`] and
//! [`prove_apart`] make proofs for room [`proof`](crate::proof). What queries build when they first need it,
//! [`Body::prepare`] builds before.

mod answer;
mod batch;
mod bodies;
mod contacts;
mod depth;
mod distance;
mod intersects;
mod local_minima;
mod manifold;
mod memory;
mod pairs;
mod penetration;
mod penetration_bounds;
mod points;
mod prove;
#[cfg(test)]
mod same_bits;
mod self_intersection;
mod sweep;
mod touching;
mod verb;
mod within;
mod work;

pub use answer::{Distance, DistanceEnd, DistanceOptions, Intersection, Penetration, StopReason, Within};
pub use batch::{Batch, BatchResult, BatchTargets};
pub use bodies::{Body, Layer, Placed};
pub(crate) use bodies::{BoxIndex, Halving, visit_by, visit_meeting, visit_own_pairs};
pub use contacts::{PartContacts, contacts, contacts_of_parts, contacts_up_to};
pub use depth::{NoFlatFaces, SurfaceDepth, depth_along, surface_depth};
pub use distance::distance;
pub use intersects::intersects;
pub use local_minima::{LocalMinimum, local_minima, prominent_minima};
pub(crate) use manifold::manifold_from;
pub use manifold::{Contact, manifold};
pub use memory::Memory;
pub use penetration::{penetration, penetration_within};
pub use points::closest_point::{ClosestPoint, closest_point};
pub use points::contains::{NotSolid, contains, has_inside};
pub(crate) use points::ray::{RayEntry, entry as ray_entry};
pub use points::ray::{RayHit, ray, ray_any};
pub use points::ray_all::ray_all;
pub use points::winding::{ByWinding, contains_by_winding, winding_number};
pub use prove::{prove_apart, prove_distance};
pub use self_intersection::{self_intersections, self_intersects};
pub use sweep::{
    Blocked, CastError, CastHit, Impact, Moving, Other, Path, Sweep, SweepOptions, cast_shape, cast_sphere,
    first_collision_on_path, sweep, sweep_bisected, sweep_sampled,
};
pub(crate) use sweep::{FirstMet, ShapeCast};
pub use touching::triangles_touching;
pub use within::within;
pub use work::Work;
