//! Random bodies, meshes, poses and oracles for integration tests, benchmarks and fuzz targets. Not published.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "all of this is test code")]
#![allow(missing_docs, reason = "helpers of tests are named by what they make")]

pub mod convex_bodies;
pub mod convex_pairs;
pub mod hard_meshes;
pub mod ifc;
pub mod joints;
pub mod meshes;
pub mod oracle;
pub mod polyhedra;
mod random;
pub mod step;
pub mod stores;
pub mod volumes;
pub mod whole;
pub mod zoo;

use sudar::{DVec3, Pose};

pub use random::Random;

/// The pose that only moves.
pub fn at(x: f64, y: f64, z: f64) -> Pose {
    moved(DVec3::new(x, y, z))
}

/// The pose that only moves.
pub fn moved(by: DVec3) -> Pose {
    Pose::from_translation(by).unwrap()
}
