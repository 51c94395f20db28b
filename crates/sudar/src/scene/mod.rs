//! Many named bodies at once: which of them are in each other's way.
//!
//! A [`CollisionManager`] holds objects that move and answers for all of them: events, contacts, tolerances,
//! the nearest pair, rays and regions.

mod manager;

pub(crate) use manager::quick_box;
pub use manager::{
    Among, Answers, Collision, CollisionManager, Events, Filter, FirstImpact, Group, Near, NearPair, Object,
    SceneError,
};
