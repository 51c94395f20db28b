//! Tests across rooms, in one program: linking one takes less time than linking thirty.
//! `cargo test -p sudar --test all mesh_queries` runs those of one module.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "all of this is test code")]

mod budgets;
mod changing_settings;
mod characters;
mod compounds;
mod convex_stress;
mod deformation;
mod depths;
mod examples;
mod hard_budgets;
mod hard_geometry;
mod hulls;
mod joints;
mod living;
mod local_minima;
mod manifolds;
mod memories;
mod mesh_distance;
mod mesh_pairs;
mod mesh_queries;
mod moving_scenes;
mod pairs;
mod proofs;
mod query_shapes;
mod ray_hull;
#[cfg(feature = "serde")]
mod recordings;
mod regressions;
mod round_bodies;
mod round_meshes;
mod self_intersections;
mod solid_relation_oracle;
mod spatial_queries;
mod sweeps;
mod tessellation;
mod triangle_triangle_oracle;
mod volumes;
mod winding_numbers;
