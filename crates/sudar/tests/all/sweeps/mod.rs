//! Moving bodies: when they first meet.

mod casts;
mod closed_forms;
mod every_pair;
mod exact;
mod hard;
mod keeping_distance;
mod linear;
pub mod motions;
