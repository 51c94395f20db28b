//! Responses that go from contact to contact, and the spring.

mod approach;
mod cells;
mod cluster;
mod engine;
mod hit;
mod pairwise;
mod reflections;
mod sequence;
mod spring;

pub use engine::{advance, reserved_boxes};
pub use spring::{Sprung, default_stiffness, spring};
