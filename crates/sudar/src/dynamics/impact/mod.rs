//! Bodies that go from contact to contact.

mod approach;
mod cells;
mod cluster;
mod engine;
mod hit;
mod log;
mod parting;
mod piece;
mod sequence;

pub use cluster::{Cluster, spot};
pub use engine::{advance, reserved_boxes};
pub use hit::{ImpactBody, ImpactContact, ImpactGroup, ImpactLaw};
pub use sequence::SequentialImpulses;
