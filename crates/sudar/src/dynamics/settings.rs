//! How a world works.

use glam::DVec3;

use super::DynamicsError;

/// What happens at contacts; n is the normal of the deepest contact, from the first body to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Response {
    /// Against what does not yield v' = v − 2(v·n)n; two dynamic bodies exchange elastically along the line
    /// of centres, by mass. Spin is untouched.
    Reflection,
    /// v₁' = |p₂|/m₁ from the contact to the centre of the first, and so for the second; |p₁|/m₁ from what
    /// does not yield. As published in 2002: keeps neither energy nor momentum in general.
    Momentum,
    /// Half the least translation each where bodies overlap, and elastic velocities along the line of centres.
    Mtv,
    /// Stiffness times depth less damping times the normal velocity, at each contact.
    Spring,
    /// An impulse at one contact after another, with the full inertia tensor, restitution and Coulomb friction.
    Impulse,
    /// Generalised reflections: all contacts of an instant at once, without friction.
    Simultaneous,
    /// Soft contacts in sub-steps with friction, warm start and sleep.
    #[default]
    Solver,
}

impl Response {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Reflection,
        Self::Momentum,
        Self::Mtv,
        Self::Spring,
        Self::Impulse,
        Self::Simultaneous,
        Self::Solver,
    ];

    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reflection => "reflection",
            Self::Momentum => "momentum",
            Self::Mtv => "mtv",
            Self::Spring => "spring",
            Self::Impulse => "impulse",
            Self::Simultaneous => "simultaneous",
            Self::Solver => "solver",
        }
    }

    /// The response of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|response| response.name() == name)
    }
}

/// A closed room along the axes, whose walls push back with the restitution and friction of the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Least corner.
    pub min: DVec3,
    /// Greatest corner.
    pub max: DVec3,
}

/// Settings of a [`World`](super::World): gravity, response, sleep, bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// In m/s².
    pub gravity: DVec3,
    /// What happens at contacts.
    pub response: Response,
    /// A closed room; nothing leaves it.
    pub bounds: Option<Bounds>,
    /// Of the spring response, in N/m. Without one, that with which the lightest body would swing thirty
    /// times a second.
    pub stiffness: Option<f64>,
    /// Of the spring response, in N·s/m.
    pub damping: f64,
    /// Sub-steps of the solver, 1 to 64.
    pub substeps: u32,
    /// Whether resting bodies of the solver go to sleep.
    pub sleeps: bool,
    /// Impacts of one body in one step after which its contacts count as lasting, for the responses that go
    /// from contact to contact: the solver then does the step. Impacts of less than full restitution count as
    /// lasting after eight, or where they are slower than forces bring about in a step.
    pub most_events: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            gravity: DVec3::new(0.0, 0.0, -9.81),
            response: Response::Solver,
            bounds: None,
            stiffness: None,
            damping: 0.0,
            substeps: 4,
            sleeps: true,
            most_events: 256,
        }
    }
}

impl Settings {
    pub(super) fn check(&self) -> Result<(), DynamicsError> {
        let refuse = |key, problem: String| Err(DynamicsError::setting(key, problem));
        if !self.gravity.is_finite() || self.gravity.abs().max_element() > 1e80 {
            return refuse("gravity", "must be three finite numbers".to_owned());
        }
        if let Some(k) = self.stiffness
            && !(k > 0.0 && k.is_finite())
        {
            return refuse("stiffness", format!("must be above 0, found {k}"));
        }
        if !(self.damping >= 0.0 && self.damping.is_finite()) {
            return refuse("damping", format!("must be 0 or more, found {}", self.damping));
        }
        if !(1..=64).contains(&self.substeps) {
            return refuse("substeps", format!("must be from 1 to 64, found {}", self.substeps));
        }
        if let Some(Bounds { min, max }) = self.bounds {
            let finite = min.is_finite() && max.is_finite() && min.abs().max(max.abs()).max_element() < 1e80;
            if !finite {
                return refuse("bounds", "must be finite numbers below 1e80".to_owned());
            }
            if !min.cmplt(max).all() {
                return refuse("bounds", "min must be below max in every coordinate; swap them".to_owned());
            }
        }
        Ok(())
    }
}
