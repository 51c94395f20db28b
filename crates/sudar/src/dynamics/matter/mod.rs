//! What a rigid body is and how it flies.

mod body;
mod driven;
mod flight;
mod inertia;
mod rigid;
mod rotation;
mod rule;
mod state;
mod surface;
mod track;

pub use body::{BodyType, MassSpec, RigidBody, ThrusterPair};
pub use flight::Flight;
pub use inertia::Inertia;
pub(super) use rigid::{NEVER, Outline, Rigid, contacts, contacts_at, reach_along, swept};
pub(super) use rotation::{turn, turned_by};
pub use rule::{Combine, ContactRule, PairBody};
pub use state::BodyState;
pub(super) use surface::Surface;
pub(super) use track::Track;
