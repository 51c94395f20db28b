//! Random bodies, poses and oracles for integration tests, benchmarks and fuzz targets. Not published.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of this is test code")]
#![allow(missing_docs, reason = "helpers of tests are named by what they make")]

pub mod convex_bodies;
pub mod convex_pairs;
