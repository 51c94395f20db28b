//! The classic collision-detection systems, each under its own name, as recipes over the public parts of [`sudar`].
//!
//! [`Solid`] here is van den Bergen's library SOLID; it has nothing to do with [`sudar::Solid`], a closed
//! mesh with an inside.
//!
//! | system | volumes | built | searched | leaf |
//! |---|---|---|---|---|
//! | [`SphereTree`] | spheres | octants | alternately | triangles |
//! | [`Solid`] | boxes along the axes | longest axis, midpoint | larger volume first | a triangle |
//! | [`Rapid`] | oriented boxes | longest axis, mean | larger volume first | a triangle |
//! | [`QuickCd`] | k-DOPs | splatter, mean | environment first, front | triangles |
//! | [`Cd`] | 18-DOPs | splatter, mean | larger volume first | a convex patch |
//! | [`Swift`] | convex hulls | most spread, median | nearest first | a convex piece |
//! | [`ICollide`] | boxes over convex parts | bottom-up | intervals, then nearest features | a convex part |
//! | [`QCollide`] | the same | the same | intervals, then separating vectors | a convex part |
//! | [`ColDet`] | boxes along the axes | most deviation, mean | larger volume first | triangles; rays, balls |
//!
//! Those that list pairs of triangles find exactly those that [`sudar::query::contacts`] finds, since they decide with
//! the same exact test; [`Cd`] alone keeps its own leaf test, and [`Cd::check_collision`] says what that may cost.
//! For work use [`sudar::query`]: it is faster than all of these.
//!
//! ```
//! use std::sync::Arc;
//! use sudar::{Aabb, DVec3, Mesh, Pose};
//! use sudar_classic::{Limits, Rapid};
//!
//! let cube = Arc::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
//! let (here, beside) = (Pose::IDENTITY, Pose::from_translation(DVec3::new(0.9, 0.2, 0.1))?);
//! let (first, second) = (Rapid::new(cube.clone()), Rapid::new(cube));
//! let found = first.collide(&here, &second, &beside, Limits::ALL);
//! assert!(found.complete && !found.pairs.is_empty());
//! # Ok::<(), sudar::PoseError>(())
//! ```

pub mod broad;
mod cells;
pub mod contact_rule;
pub mod convex;
pub mod hull;
pub mod look;
pub mod motion;
pub mod pick;
pub mod response;
pub mod schedule;
pub mod sources;
mod systems;
pub mod tree;
pub mod triangles;
pub mod volume;

pub use broad::{ALL as ALL_BROAD_PHASES, broad_phase};
pub use response::{ALL as ALL_RESPONSES, response};
pub use systems::*;
