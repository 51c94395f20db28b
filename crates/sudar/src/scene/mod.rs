//! Many named bodies at once: which of them are in each other's way.

mod cells;
mod clash;
mod depth;
mod duplicate;
mod examine;
mod options;
mod part;
mod separate;

pub use clash::{Clash, ClashReport, find_clashes};
pub use options::{ClashError, ClashKind, ClashOptions, PartSet};
pub use part::{Part, Scene, body_of};
