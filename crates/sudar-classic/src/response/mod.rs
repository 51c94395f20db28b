//! The responses of the sources, behind the trait of [`sudar::dynamics`].
//!
//! | name | what it does | source |
//! |---|---|---|
//! | `reflection` | mirrors velocities, spin untouched: [`ByCentres`] | Maštera 2007 |
//! | `momentum` | exchanges lengths of momenta; keeps neither energy nor momentum: [`ByCentres`] | Daneu 2002 |
//! | `mtv` | half the least translation each, elastic velocities: [`ByCentres`] | Dimitrijević 2019 |
//! | `spring` | forces in proportion to depth: [`Spring`] | Dimitrijević 2019 |
//! | `impulse` | one contact after another, full inertia tensor, Coulomb friction: [`Impulse`] | Maštera 2007 |
//! | `simultaneous` | all contacts of an instant, energy exact at restitution 1: [`Simultaneous`] | Smith et al. 2012 |
//! | `solver` | stacks, friction and sleep: [`SoftContacts`] | Macklin et al. 2019; Catto 2024 |
//!
//! All but the spring and the solver go from contact to contact; under each, contacts that last are the solver's.
//! Momenta of bodies that touch nothing fixed stay to rounding, but for `momentum` and the angular one of `mtv`.

mod centers;
mod simultaneous;
mod spring;

use std::sync::Arc;

use sudar::broad::BroadError;
use sudar::dynamics::{Response, SequentialImpulses, SoftContacts, Step};

pub use centers::ByCentres;
pub use simultaneous::Simultaneous;
pub use spring::Spring;

/// The names of all responses.
pub const ALL: [&str; 7] = ["reflection", "momentum", "mtv", "spring", "impulse", "simultaneous", "solver"];

/// An impulse at one contact after another, with the full inertia tensor, restitution and Coulomb friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Impulse;

impl Response for Impulse {
    fn name(&self) -> &str {
        "impulse"
    }

    fn advance(&self, step: &mut dyn Step) -> Result<(), BroadError> {
        step.collide(&SequentialImpulses)
    }
}

/// No response has that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" is unknown; known are {}", ALL.join(", "))]
pub struct UnknownResponse {
    /// The name that was given.
    pub name: String,
}

/// The response of that name, one of [`ALL`].
///
/// # Errors
/// [`UnknownResponse`], which lists the names.
///
/// ```
/// use sudar::dynamics::{Settings, World};
///
/// let response = sudar_classic::response("simultaneous")?;
/// let world = World::new(Settings { response, ..Settings::default() })?;
/// assert_eq!(world.settings().response.name(), "simultaneous");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn response(name: &str) -> Result<Arc<dyn Response>, UnknownResponse> {
    Ok(match name {
        "reflection" => Arc::new(ByCentres::Reflection),
        "momentum" => Arc::new(ByCentres::Momentum),
        "mtv" => Arc::new(ByCentres::Mtv),
        "spring" => Arc::new(Spring::default()),
        "impulse" => Arc::new(Impulse),
        "simultaneous" => Arc::new(Simultaneous),
        "solver" => Arc::new(SoftContacts),
        _ => return Err(UnknownResponse { name: name.to_owned() }),
    })
}
