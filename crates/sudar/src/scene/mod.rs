//! Many named bodies at once: which of them are in each other's way.

mod depth;
mod duplicate;
mod options;
mod sweep;

pub use options::{ClashError, ClashKind, ClashOptions, PartSet};
pub use sweep::candidate_pairs;
