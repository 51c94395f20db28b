//! Motions in time: where a moving body is, how far it gets, and when moving things first meet.

mod course;
mod free;
mod linear;
mod nearest;
mod path;
mod piece;
mod travel;

pub use course::{Course, Instant};
pub use free::{Facing, Gap};
pub use linear::{Passage, PassageOptions, edge_edge, vertex_face};
pub use nearest::{Near, apart, nearest};
pub use path::Motion;
pub use piece::Piece;
pub use travel::approach;
