//! What a rigid body is and how it flies.

mod body;
mod combine;
#[cfg(feature = "serde")]
mod drawn;
mod driven;
mod field;
mod flight;
mod inertia;
#[cfg(feature = "serde")]
pub(super) mod large;
mod reach;
mod rigid;
mod rotation;
mod rule;
mod state;
mod surface;
mod track;

pub use body::{BodyType, MassSpec, RigidBody, ThrusterPair};
pub use combine::Combine;
pub use field::ForceField;
pub use flight::Flight;
pub use inertia::Inertia;
pub(super) use reach::reach_along;
pub(super) use rigid::{NEVER, Outline, Rigid, contacts, contacts_at, swept};
pub(super) use rotation::{turn, turned_by};
pub use rule::{ContactRule, PairBody};
pub use state::BodyState;
pub(super) use surface::Surface;
pub(super) use track::Track;
