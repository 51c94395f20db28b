//! Many named bodies at once: which of them are in each other's way.
//!
//! A [`CollisionManager`] holds objects that move and answers for all of them: events, contacts, tolerances,
//! the nearest pair, rays and regions. [`find_clashes`] decides what the parts of an assembly are to each
//! other.

mod cells;
mod clash;
mod depth;
mod duplicate;
mod examine;
mod manager;
mod options;
mod part;
mod separate;

pub use clash::{Clash, ClashReport, find_clashes, find_clashes_under};
pub(crate) use manager::quick_box;
pub use manager::{
    Among, Answers, Collision, CollisionManager, Events, Filter, FirstImpact, Group, Near, NearPair, Object,
    SceneError,
};
pub use options::{ClashError, ClashKind, ClashOptions, PartSet};
pub use part::{Part, Scene, body_of};
