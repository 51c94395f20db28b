//! The spring of Dimitrijević 2019: bodies overlap, and forces in proportion to the depth push them apart.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use super::detection::{Detection, Instant, advance};
use sudar::dynamics::{BodyState, BodyType, DynamicsError, Response, Step, StepBody, TouchingPair, World};

/// Swings a second of the lightest body on one spring.
const FREQUENCY: f64 = 30.0;
/// The same where forces are taken at given instants only: four springs on one body swing a quarter as often as there
/// are steps, sixty a second.
const SAMPLED_FREQUENCY: f64 = 7.5;
/// Sub-steps of one step, at most; what is left is given up.
const MOST: f64 = 512.0;

/// At each contact a force of stiffness times depth less damping times the normal velocity. The only response without
/// events; time is given up where its sub-steps would be too many.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spring {
    stiffness: Option<f64>,
    damping: f64,
    detection: Detection,
}

impl Spring {
    /// Of a stiffness in N/m, above 0, and a damping in N·s/m, 0 or more. Without a stiffness, that with which the
    /// lightest body swings thirty times a second.
    ///
    /// # Errors
    /// [`DynamicsError::Setting`].
    pub fn new(stiffness: Option<f64>, damping: f64) -> Result<Self, DynamicsError> {
        let refuse = |key, problem| Err(DynamicsError::Setting { key, problem });
        match stiffness {
            Some(k) if !(k > 0.0 && k.is_finite()) => {
                refuse("stiffness", format!("must be above 0, found {k}"))
            }
            _ if !(damping >= 0.0 && damping.is_finite()) => {
                refuse("damping", format!("must be 0 or more, found {damping}"))
            }
            _ => Ok(Self { stiffness, damping, detection: Detection::Continuous }),
        }
    }

    /// The same with forces that are taken at these instants only, each for all the time since the one before. Where
    /// that is long against the swing of a body on its spring, energy grows; without a stiffness, the lightest body
    /// swings seven and a half times a second.
    pub fn with_detection(self, detection: Detection) -> Self {
        Self { detection, ..self }
    }

    /// Stiffness in N/m in a world as it is now.
    pub fn stiffness_in(&self, world: &World) -> f64 {
        let dynamic = world.bodies().filter(|(_, body)| body.kind == BodyType::Dynamic);
        let masses = dynamic.filter_map(|(_, body)| body.inertia().ok().map(|inertia| inertia.mass));
        self.stiffness.unwrap_or_else(|| self.default_stiffness(masses))
    }

    fn default_stiffness(&self, masses: impl Iterator<Item = f64>) -> f64 {
        let lightest = masses.fold(f64::INFINITY, f64::min);
        let mass = if lightest.is_finite() { lightest } else { 1.0 };
        let continuous = self.detection == Detection::Continuous;
        let swing = TAU * if continuous { FREQUENCY } else { SAMPLED_FREQUENCY };
        mass * swing * swing
    }

    /// Damping in N·s/m.
    pub fn damping(&self) -> f64 {
        self.damping
    }
}

impl Response for Spring {
    fn name(&self) -> &str {
        "spring"
    }

    fn parameters(&self) -> String {
        if *self == Self::default() {
            return String::new();
        }
        let stiffness =
            self.stiffness.map_or_else(|| "by the lightest body".to_owned(), |k| format!("{k} N/m"));
        let sampled = match self.detection {
            Detection::Continuous => String::new(),
            other @ (Detection::Static | Detection::Sampled | Detection::Bisected) => {
                format!(", detection {}", other.name())
            }
        };
        format!("stiffness {stiffness}, damping {} N·s/m{sampled}", self.damping)
    }

    /// Half a kick, a free flight, half a kick (Verlet 1967), in sub-steps short against the swing of the lightest
    /// body and the time in which the fastest crosses a fifth of itself.
    fn advance(&self, step: &mut dyn Step) -> Result<(), DynamicsError> {
        let masses = step.bodies().filter(StepBody::is_dynamic).map(|body| body.mass());
        let stiffness = self.stiffness.unwrap_or_else(|| self.default_stiffness(masses));
        if self.detection != Detection::Continuous {
            return self.advance_sampled(step, stiffness);
        }
        let mut touching = step.touching()?;
        let until = step.seconds();
        let wanted = (until / self.longest(step, stiffness * crowd(step, &touching))).ceil().max(1.0);
        let count = wanted.min(MOST);
        // Where that is not short enough the sub-steps stay short, and time is given up.
        let seconds = until / wanted;
        step.give_up(until - seconds * count);
        let forces = Forces { stiffness, damping: self.damping, seconds };
        let mut impulses = BTreeMap::new();
        forces.kick(step, &touching, 0.5, &mut impulses);
        for i in 1..=count as u32 {
            step.fly(seconds);
            step.keep_inside();
            touching = step.touching()?;
            let share = if f64::from(i) == count { 0.5 } else { 1.0 };
            forces.kick(step, &touching, share, &mut impulses);
        }
        step.report(impulses.into_iter().collect());
        Ok(())
    }
}

impl Spring {
    /// A force at each instant at which bodies are tested.
    fn advance_sampled(&self, step: &mut dyn Step, stiffness: f64) -> Result<(), DynamicsError> {
        let mut impulses = BTreeMap::new();
        advance(self.detection, step, |step, Instant { touching, seconds, .. }| {
            let forces = Forces { stiffness, damping: self.damping, seconds };
            forces.kick(step, &touching, 1.0, &mut impulses);
        })?;
        step.report(impulses.into_iter().collect());
        Ok(())
    }

    /// The longest sub-step, given the stiffness of all springs on one body together.
    fn longest(&self, step: &dyn Step, stiffness: f64) -> f64 {
        let masses = step.bodies().filter(StepBody::is_dynamic).map(|body| body.mass());
        let lightest = masses.fold(f64::INFINITY, f64::min);
        let swing = 0.2 / (stiffness / lightest).sqrt();
        let damped = 0.5 * lightest / (4.0 * self.damping).max(f64::MIN_POSITIVE);
        let moving = step.bodies().filter(|body| body.radius().is_finite() && body.moves());
        let crossing = moving.map(|body| 0.2 * body.radius() / body.speed_within(0.02));
        crossing.fold(swing.min(damped), f64::min)
    }
}

/// How many springs push one body at most, at least as many as a face has corners.
fn crowd(step: &dyn Step, touching: &[TouchingPair]) -> f64 {
    let mut counts = vec![0; step.bodies().count()];
    for pair in touching {
        pair.bodies.iter().for_each(|&i| counts[i as usize] += pair.contacts.len());
    }
    counts.into_iter().fold(4, usize::max) as f64
}

struct Forces {
    stiffness: f64,
    damping: f64,
    seconds: f64,
}

impl Forces {
    /// Pushes what touches by a share of a sub-step.
    fn kick(
        &self,
        step: &mut dyn Step,
        touching: &[TouchingPair],
        share: f64,
        impulses: &mut BTreeMap<[u32; 2], f64>,
    ) {
        let before: Vec<BodyState> = step.bodies().map(|body| *body.motion()).collect();
        for TouchingPair { bodies, contacts } in touching {
            let [a, b] = bodies.map(|i| &before[i as usize]);
            let pull = step.adhesion(*bodies);
            let mut sum = 0.0;
            for contact in contacts {
                let middle = (contact.point_a + contact.point_b) * 0.5;
                let parting = (b.velocity_at(middle) - a.velocity_at(middle)).dot(contact.normal);
                let force = (self.stiffness * contact.depth.max(0.0) - self.damping * parting).max(0.0);
                let impulse = (force - pull) * self.seconds * share;
                step.push(*bodies, contact, impulse);
                sum += impulse;
            }
            *impulses.entry(*bodies).or_insert(0.0) += sum;
        }
    }
}
