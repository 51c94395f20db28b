//! Verbs on whole bodies: do they touch, where, how far apart or how deep in each other are they, what does a ray hit, what is
//! inside.
//!
//! Every function takes a [`Body`] (a shape with its tree, made once) and a pose, and works for every shape.
//! Answers of yes or no are exact; distances are intervals that hold the true value.
//!
//! ```
//! use sudar::query::{Body, Search, contacts, distance, intersects};
//! use sudar::{Aabb, DVec3, Mesh, Pose};
//!
//! let cube = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
//! let beside = Pose::from_translation(DVec3::X)?;
//! assert!(intersects(&cube, &Pose::IDENTITY, &cube, &beside).is_touching());
//! // Triangles 2 and 3 of a box are its face +x, 0 and 1 its face −x.
//! assert!(contacts(&cube, &Pose::IDENTITY, &cube, &beside).contains(&[2, 0]));
//!
//! let away = Pose::from_translation(DVec3::new(3.0, 0.0, 0.0))?;
//! let gap = distance(&cube, &Pose::IDENTITY, &cube, &away, &Search::EXACT);
//! assert!(gap.interval.contains(2.0));
//! # Ok::<(), sudar::PoseError>(())
//! ```
//!
//! | question | functions |
//! |---|---|
//! | do they touch, and where? | [`intersects`], [`contacts`] (all pairs of triangles), [`contacts_of_parts`], [`manifold`] |
//! | how far apart? | [`distance`] with a [`Search`], [`within`] a tolerance, [`local_minima`] |
//! | how deep? | [`penetration`] (least translation), [`depth_along`] a direction, [`surface_depth`] |
//! | a point, a ball, a ray | [`closest_point`], [`contains`], [`winding_number`], [`triangles_touching`], [`ray`], [`ray_all`], [`ray_any`] |
//! | one mesh with itself | [`self_intersections`], [`self_intersects`] |
//!
//! Each of them can be asked under a budget ([`Work`]), many at a time ([`Batch`]), and some again and again of bodies that move
//! ([`Memory`]). Bodies deform ([`Body::move_vertices`]). [`prove_distance`] and [`prove_apart`] make proofs for room
//! [`proof`](crate::proof). What queries build when they first need it, [`Body::prepare`] builds before.

mod answer;
mod around;
mod batch;
mod body;
mod certain;
mod closest_point;
mod contacts;
mod contains;
mod convex_distance;
mod convex_pair;
mod convex_penetration;
mod depth;
mod distance;
mod halfspace_pair;
mod halving;
mod intersects;
mod layers;
mod local_minima;
mod manifold;
mod meeting;
mod memory;
mod mesh_convex;
mod motion;
mod near_walk;
mod nearest_pair;
mod parts;
mod penetration;
mod piecewise;
mod placed;
mod point_round;
mod prove;
mod ray;
mod ray_all;
mod round_within;
mod self_intersection;
mod side;
mod skin;
mod surface;
mod thin_pair;
mod touching;
mod triangle_convex;
mod verb;
mod winding;
mod within;
mod work;

pub use answer::{Distance, Doubt, End, Intersection, Penetration, Search, Within};
pub use batch::{Answers, Batch, Others};
pub use body::Body;
pub use closest_point::{ClosestPoint, closest_point};
pub use contacts::{PartContacts, contacts, contacts_of_parts};
pub use contains::{NotSolid, contains, has_inside};
pub use depth::{NoFlatFaces, SurfaceDepth, depth_along, surface_depth};
pub use distance::distance;
pub use intersects::intersects;
pub use layers::Layer;
pub use local_minima::{LocalMinimum, local_minima, prominent_minima};
pub use manifold::{Contact, manifold};
pub use memory::Memory;
pub(crate) use near_walk::{SurfaceGap, disjoint_surface_distance, surface_gap};
pub use penetration::{penetration, penetration_within};
pub use placed::Placed;
pub use prove::{prove_apart, prove_distance};
pub use ray::{RayHit, ray, ray_any};
pub use ray_all::ray_all;
pub use self_intersection::{self_intersections, self_intersects};
pub(crate) use surface::PosedSurface;
pub use touching::triangles_touching;
pub use winding::{ByWinding, contains_by_winding, winding_number};
pub use within::within;
pub use work::Work;
