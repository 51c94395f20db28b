//! Motions in time: where a moving body is, how far it gets, and when moving things first meet.

mod approach;
mod boxes;
mod cast;
mod coaxial;
mod course;
mod eight;
mod free;
mod nearest;
mod path;
mod piece;
mod spheres;
mod travel;

pub(crate) use approach::approach_of_poses;
pub(crate) use boxes::{BoxCast, BoxesMeet};
pub(crate) use cast::gjk_ray_beside;
pub use cast::{Cast, CastOutcome, gjk_ray};
pub(crate) use coaxial::{Coaxial, Profile};
pub use course::{Course, Instant};
pub(crate) use eight::{Ahead, thin_box};
pub use free::{Facing, Gap};
pub(crate) use nearest::ray;
pub use nearest::{NearestPoints, apart, nearest};
pub use path::Motion;
pub use piece::Piece;
pub use spheres::moving_spheres;
pub(crate) use spheres::{Entry, certain_entry};
pub use travel::approach;
