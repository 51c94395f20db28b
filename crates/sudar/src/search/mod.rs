//! Searches of hierarchies: nearest first ([`best_first`]) and depth first ([`depth_first`]).
//!
//! Each is one loop; what is opened, and what is done with it, is the caller's. Only the two traversals of
//! the wide tree that run as one vectorised kernel ([`tree`](crate::tree)) have loops of their own.

mod best_first;
mod stack;

pub(crate) use best_first::{Queue, Waiting, best_first};
pub(crate) use stack::depth_first;
