//! Moving bodies: when they first meet.

mod casts;
mod closed_forms;
mod every_pair;
mod hard;
mod keeping_distance;
pub mod motions;
mod straight;
