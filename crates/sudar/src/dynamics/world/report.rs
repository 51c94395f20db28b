//! What happened in a step.

use super::{BodyId, World};
use crate::dynamics::touches::{Touches, merge};

/// Contacts that began, lasted or ended in a step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepReport {
    /// Pairs of bodies that touched at any time in the step, or that ceased to, sorted by their numbers.
    pub touches: Vec<Touch>,
    /// The most time of the step that the solver took from a body that is fast against its own thickness, by
    /// stopping it where it touches nothing yet; its velocity stays. Other responses advance bodies to their
    /// contacts, and it is 0.
    pub stopped: f64,
}

impl StepReport {
    /// Number of pairs that touched in the step.
    pub fn contacts(&self) -> usize {
        self.touches.iter().filter(|touch| touch.phase != TouchPhase::Ended).count()
    }
}

/// Two bodies in contact. `None` stands for a wall of the room.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// The first body.
    pub a: Option<BodyId>,
    /// The second body.
    pub b: Option<BodyId>,
    /// Whether the contact is new, lasts or has ended.
    pub phase: TouchPhase,
    /// The sum of the normal impulses in the step, in N·s.
    pub impulse: f64,
}

/// Phase of a contact in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TouchPhase {
    /// The bodies began to touch in this step.
    Began,
    /// The bodies touched in the step before and in this one.
    Lasts,
    /// The bodies touched in the step before and no longer do.
    Ended,
}

impl World {
    pub(super) fn report(&mut self, touches: Touches, stopped: f64) -> StepReport {
        let asleep = |(pair, _): &&([u32; 2], f64)| pair.iter().all(|&i| !self.rigids[i as usize].moves());
        // Bodies asleep touch as they did.
        let resting: Touches = self.touching.iter().filter(asleep).map(|(pair, _)| (*pair, 0.0)).collect();
        let mut now = touches;
        if !resting.is_empty() {
            merge(&mut now, resting);
        }
        let touch =
            |[i, j]: [u32; 2], phase, impulse| Touch { a: self.name(i), b: self.name(j), phase, impulse };
        let mut report = Vec::with_capacity(now.len());
        let mut before = self.touching.iter().map(|(pair, _)| *pair).peekable();
        for &(pair, impulse) in &now {
            while let Some(ended) = before.next_if(|before| *before < pair) {
                report.push(touch(ended, TouchPhase::Ended, 0.0));
            }
            let lasts = before.next_if_eq(&pair).is_some();
            report.push(touch(pair, if lasts { TouchPhase::Lasts } else { TouchPhase::Began }, impulse));
        }
        report.extend(before.map(|ended| touch(ended, TouchPhase::Ended, 0.0)));
        self.touching = now;
        StepReport { touches: report, stopped }
    }
}
