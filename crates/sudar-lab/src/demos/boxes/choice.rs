//! What can be chosen in the rooms of bodies.

use std::sync::Arc;

use sudar::DVec3;
use sudar::dynamics::Response;
use sudar_classic::ALL_RESPONSES;
use sudar_classic::contact_rule::{ContactRule, Forces, StepBack};
use sudar_classic::response::{Detection, UnknownResponse, response_with};

use crate::options::{Visit, field};

/// Gravity that the key G switches on, in m/s².
pub const GRAVITY: f64 = 9.81;

const DETECTIONS: [&str; 4] = {
    let [a, b, c, d] = Detection::ALL;
    [a.name(), b.name(), c.name(), d.name()]
};

/// The rule of 2007 as published, each of its faults alone, and none.
const FAULTS: [(&str, Option<ContactRule>, &str); 8] = [
    ("off", None, "Contacts are found and answered as chosen above."),
    (
        "published",
        Some(ContactRule::PUBLISHED),
        "The rule of 2007 with all its faults: energy grows, bodies bite and leave.",
    ),
    (
        "late-step-back",
        Some(ContactRule { step_back: StepBack::AfterImpulse, ..ContactRule::CURED }),
        "Bodies go back after the impulse: an old rotation gets a new spin, and energy grows.",
    ),
    (
        "no-step-back",
        Some(ContactRule { step_back: StepBack::Never, ..ContactRule::CURED }),
        "Bodies stay in each other after the impulse, and are struck again: they bite.",
    ),
    (
        "constant-spin",
        Some(ContactRule { has_constant_spin: true, ..ContactRule::CURED }),
        "In flight the angular velocity stays, not the angular momentum: energy drifts as bodies turn.",
    ),
    (
        "diagonal-tensor",
        Some(ContactRule { has_diagonal_tensor: true, ..ContactRule::CURED }),
        "Impulses know the diagonal of the inertia tensor alone: wrong for bodies that are turned in their frame.",
    ),
    (
        "cure",
        Some(ContactRule::CURED),
        "One averaged contact, as the rule has it, but bodies go back before the impulse: energy stays.",
    ),
    (
        FREE_SPIN,
        Some(ContactRule { has_constant_spin: false, ..ContactRule::PUBLISHED }),
        "The published rule, but in flight the angular momentum stays: of turned fighters the energy grows within a minute.",
    ),
];

/// The published rule without the fault of flight.
const FREE_SPIN: &str = "free-spin";

/// What is chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// How many bodies.
    pub bodies: u32,
    /// What happens at contacts.
    pub response: &'static str,
    /// When contacts are looked for.
    pub detection: &'static str,
    /// The contact rule of 2007 in place of these.
    pub faults: &'static str,
    /// Downwards, in m/s².
    pub gravity: f64,
    /// In 1/s.
    pub drag: f64,
    /// Of all bodies and walls.
    pub restitution: f64,
    /// Whether fighters are turned in their frame; `None`: the bodies are others.
    pub turned: Option<bool>,
    /// Whether the plot of the energy is logarithmic.
    pub log_axis: bool,
}

impl Choice {
    /// Elastic, without forces.
    pub fn new(bodies: u32) -> Self {
        Self {
            bodies,
            response: "simultaneous",
            detection: Detection::Continuous.name(),
            faults: "off",
            gravity: 0.0,
            drag: 0.0,
            restitution: 1.0,
            turned: None,
            log_axis: false,
        }
    }

    /// Sets all so that the energy of 2007 grows within a minute.
    pub fn set_growing(&mut self) {
        let grows =
            Self { faults: FREE_SPIN, turned: self.turned.map(|_| true), log_axis: true, ..Self::new(12) };
        *self = Self { response: self.response, detection: self.detection, ..grows };
    }

    pub fn options(&mut self, visit: &mut dyn Visit) {
        visit.heading("Contacts");
        let is_ruled = self.faults != "off";
        visit.overridden(is_ruled.then_some("faults"));
        visit.choice(field("response", "What happens at contacts"), &mut self.response, &ALL_RESPONSES);
        visit.overridden(if is_ruled {
            Some("faults")
        } else {
            (self.response == "solver").then_some("response")
        });
        visit.choice(
            field("detection", "When contacts are looked for: at the end of steps, at eight poses of each, at halved steps, or at any time"),
            &mut self.detection,
            &DETECTIONS,
        );
        visit.overridden(None);
        visit.choice(
            field(
                "faults",
                "The contact rule of 2007 in place of these: as published, with one fault, or cured",
            ),
            &mut self.faults,
            &FAULTS.map(|(name, ..)| name),
        );
        visit.number(
            field("restitution", "Share of the speed that a contact gives back"),
            &mut self.restitution,
            0.0..=1.0,
        );
        visit.heading("Room");
        visit.count(field("bodies", "How many bodies"), &mut self.bodies, 1..=27);
        visit.number(field("gravity", "Downwards, in m/s²"), &mut self.gravity, 0.0..=20.0);
        visit.number(field("drag", "Resistance of the air, in 1/s"), &mut self.drag, 0.0..=2.0);
        if let Some(turned) = &mut self.turned {
            let about = "Fighters turned in their frame: their tensor of inertia has large products";
            visit.switch(field("turned", about), turned);
        }
        visit.switch(field("log-axis", "Powers of ten at the axis of the energy"), &mut self.log_axis);
    }

    /// Whether the bodies of another choice are the same.
    pub fn has_same_bodies(&self, other: &Self) -> bool {
        (self.bodies, self.turned) == (other.bodies, other.turned)
    }

    /// The contact rule of 2007, if it is on.
    pub fn rule(&self) -> Option<ContactRule> {
        self.fault().1
    }

    /// What the faults do, in a sentence.
    pub fn about_faults(&self) -> &'static str {
        self.fault().2
    }

    fn fault(&self) -> (&'static str, Option<ContactRule>, &'static str) {
        FAULTS.into_iter().find(|(name, ..)| *name == self.faults).unwrap_or(FAULTS[0])
    }

    /// The detection that is used: the solver knows one alone.
    pub fn detection(&self) -> Detection {
        let wanted = Detection::from_name(self.detection).unwrap_or_default();
        if self.response == "solver" { Detection::Continuous } else { wanted }
    }

    /// Why another detection is used than is chosen.
    pub fn remark(&self) -> Option<String> {
        let is_other = self.detection().name() != self.detection;
        is_other
            .then(|| format!("solver finds its contacts by itself: detection {} is left out", self.detection))
    }

    /// # Errors
    /// None for the names of the options.
    pub fn response(&self) -> Result<Arc<dyn Response>, UnknownResponse> {
        response_with(self.response, self.detection())
    }

    /// What acts on all bodies.
    pub fn forces(&self) -> Forces {
        Forces { gravity: DVec3::NEG_Z * self.gravity, drag: self.drag }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{assign, describe};

    #[test]
    fn every_response_goes_with_every_detection() {
        for response in ALL_RESPONSES {
            for detection in DETECTIONS {
                let choice = Choice { response, detection, ..Choice::new(8) };
                assert_eq!(choice.response().unwrap().name(), response);
                assert_eq!(choice.remark().is_some(), response == "solver" && detection != "continuous");
            }
        }
    }

    #[test]
    fn each_fault_is_alone_in_its_choice() {
        let of = |faults| Choice { faults, ..Choice::new(1) }.rule();
        assert_eq!((of("off"), of("published")), (None, Some(ContactRule::PUBLISHED)));
        assert_eq!(of("cure"), Some(ContactRule::CURED));
        for (name, ..) in &FAULTS[2..6] {
            let (rule, cured) = (of(name).unwrap(), ContactRule::CURED);
            let differs = [
                rule.has_constant_spin != cured.has_constant_spin,
                rule.has_diagonal_tensor != cured.has_diagonal_tensor,
                rule.step_back != cured.step_back,
            ];
            assert_eq!(differs.iter().filter(|differs| **differs).count(), 1, "{name}");
        }
    }

    #[test]
    fn options_are_set_by_their_names() {
        let mut choice = Choice::new(8);
        for (name, text) in
            [("faults", "cure"), ("response", "solver"), ("detection", "static"), ("gravity", "9.81")]
        {
            assign(name, text, |visit| choice.options(visit)).unwrap();
        }
        assert_eq!((choice.rule(), choice.gravity), (Some(ContactRule::CURED), GRAVITY));
        assert_eq!(describe(|visit| choice.options(visit)).len(), 8);
    }
}
