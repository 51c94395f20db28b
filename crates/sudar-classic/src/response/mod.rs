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
//! With a [`Detection`] other than continuous they respond to overlap at poses that were tested, as their sources do.
//! Momenta of bodies that touch nothing fixed stay to rounding, but for `momentum` and the angular one of `mtv`.

mod centers;
mod detection;
mod discrete;
mod simultaneous;
mod spring;

use std::sync::Arc;

use sudar::dynamics::{DynamicsError, Response, SequentialImpulses, SoftContacts, Step};

use discrete::{Discrete, DiscreteLaw};

pub use centers::{ByCentres, exchanged_velocity};
pub use detection::Detection;
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

    fn advance(&self, step: &mut dyn Step) -> Result<(), DynamicsError> {
        step.collide(&SequentialImpulses)
    }
}

/// There is no such response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownResponse {
    /// No response has that name.
    #[error("\"{name}\" is unknown; known are {}", ALL.join(", "))]
    Name {
        /// The name that was given.
        name: String,
    },
    /// The solver advances bodies by itself.
    #[error("\"solver\" takes no detection but continuous, found {}; leave it out or choose another response", detection.name())]
    Solver {
        /// The detection that was given.
        detection: Detection,
    },
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
    response_with(name, Detection::Continuous)
}

/// The same, to contacts found in a way of its source. `reflection`, `impulse` and `simultaneous` then put bodies that
/// overlap back to where they last did not; `mtv` moves each by half the least translation; `momentum` moves none.
///
/// # Errors
/// [`UnknownResponse`] if the name is unknown, or `solver` with another detection than continuous.
///
/// ```
/// use sudar_classic::response::{Detection, response_with};
///
/// assert_eq!(response_with("mtv", Detection::Static)?.parameters(), "detection static");
/// assert!(response_with("solver", Detection::Static).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn response_with(name: &str, detection: Detection) -> Result<Arc<dyn Response>, UnknownResponse> {
    let continuous = detection == Detection::Continuous;
    let discrete = |law| -> Arc<dyn Response> { Arc::new(Discrete { law, detection }) };
    let centres = |law| -> Arc<dyn Response> {
        if continuous { Arc::new(law) } else { discrete(DiscreteLaw::Centres(law)) }
    };
    Ok(match name {
        "reflection" => centres(ByCentres::Reflection),
        "momentum" => centres(ByCentres::Momentum),
        "mtv" => centres(ByCentres::Mtv),
        "spring" => Arc::new(Spring::default().with_detection(detection)),
        "impulse" if continuous => Arc::new(Impulse),
        "impulse" => discrete(DiscreteLaw::Impulse),
        "simultaneous" if continuous => Arc::new(Simultaneous),
        "simultaneous" => discrete(DiscreteLaw::Simultaneous),
        "solver" if continuous => Arc::new(SoftContacts),
        "solver" => return Err(UnknownResponse::Solver { detection }),
        _ => return Err(UnknownResponse::Name { name: name.to_owned() }),
    })
}
