//! Responses to bodies that overlap, as their sources describe them.

use sudar::dynamics::{
    BodyState, DynamicsError, ImpactGroup, ImpactLaw, Response, SequentialImpulses, Step, TouchingPair,
};

use super::Simultaneous;
use super::centers::ByCentres;
use super::detection::{Detection, Instant, advance};

/// A response at poses that were tested, [static, sampled or bisected](Detection), where bodies overlap. Velocities
/// change at every overlap, whether the bodies approach or part, but under `impulse` and `simultaneous`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Discrete {
    pub law: DiscreteLaw,
    pub detection: Detection,
}

/// What happens at an overlap.
#[derive(Debug, Clone, Copy)]
pub(super) enum DiscreteLaw {
    Centres(ByCentres),
    Impulse,
    Simultaneous,
}

impl DiscreteLaw {
    /// Whether bodies first go back to where they last were without a new contact (Maštera 2007, section 9.2, where
    /// they do so after the response and gain the energy of forces in between). Translations part bodies themselves;
    /// Daneu's velocities lead away from the contact.
    fn steps_back(self) -> bool {
        !matches!(self, Self::Centres(ByCentres::Mtv | ByCentres::Momentum))
    }
}

impl Response for Discrete {
    fn name(&self) -> &str {
        match &self.law {
            DiscreteLaw::Centres(law) => law.name(),
            DiscreteLaw::Impulse => "impulse",
            DiscreteLaw::Simultaneous => "simultaneous",
        }
    }

    fn parameters(&self) -> String {
        format!("detection {}", self.detection.name())
    }

    fn advance(&self, step: &mut dyn Step) -> Result<(), DynamicsError> {
        advance(self.detection, step, |step, Instant { touching, before, .. }| {
            if self.law.steps_back() {
                step_back(step, &touching, &before);
            }
            match self.law {
                DiscreteLaw::Centres(law) => step.respond(&AtOverlap(law), &touching),
                DiscreteLaw::Impulse => step.respond(&SequentialImpulses, &touching),
                DiscreteLaw::Simultaneous => step.respond(&Simultaneous, &touching),
            }
        })
    }
}

/// Puts bodies that touch back to where they were, as they moved there: so the step back takes no energy.
fn step_back(step: &mut dyn Step, touching: &[TouchingPair], before: &[BodyState]) {
    for number in touching.iter().flat_map(|pair| pair.bodies) {
        if step.body(number).is_dynamic() {
            step.set_motion(number, before[number as usize]);
        }
    }
}

/// A law by centres at the deepest contact of an overlap, as published: without a look at whether bodies approach.
struct AtOverlap(ByCentres);

impl ImpactLaw for AtOverlap {
    fn strike(&self, impact: &mut ImpactGroup<'_>) {
        self.0.strike_overlap(impact.bodies, impact.contacts);
    }
}
