//! Many named objects that move: a collision manager.
//!
//! A [`CollisionManager`] holds objects that move and answers for all of them: events, contacts, tolerances,
//! the nearest pair, rays and regions. Assemblies of parts, and what their parts are to each other, are the
//! crate `sudar-clash`.

mod against;
mod among;
mod boxes;
mod cache;
mod cast;
mod collisions;
mod deepest;
mod draw;
mod error;
mod events;
mod group;
mod ignored;
mod limits;
mod manager;
mod nearest;
mod object;
mod objects;
mod standing;

pub use self::against::NearObject;
pub use self::among::{Among, Answers};
pub use self::collisions::{Collision, NearPair};
pub use self::deepest::DeepPair;
pub use self::draw::{DebugColor, DebugDraw};
pub use self::error::SceneError;
pub use self::events::Events;
pub use self::group::Group;
pub use self::manager::CollisionManager;
pub(crate) use self::nearest::Best;
pub use self::object::Object;
pub(crate) use self::object::quick_box;
pub(crate) use self::standing::{Standing, Wants};
pub use crate::broad::{Filter, Seek};
