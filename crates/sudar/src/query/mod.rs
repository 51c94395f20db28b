//! Verbs on whole bodies.

mod body;
mod contacts;

pub use body::Body;
pub use contacts::{Intersection, contacts, intersects};
