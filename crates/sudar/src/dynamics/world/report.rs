//! What happened in a step.

use super::{BodyId, Touches, World, merge};

/// What happened in a step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepReport {
    /// Pairs that touched at any time in it or that ceased to, by their numbers.
    pub touches: Vec<Touch>,
}

impl StepReport {
    /// Pairs that touched.
    pub fn contacts(&self) -> usize {
        self.touches.iter().filter(|touch| touch.phase != TouchPhase::Ended).count()
    }
}

/// Two bodies that touch. A wall of the room has no name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// The first.
    pub a: Option<BodyId>,
    /// The second.
    pub b: Option<BodyId>,
    /// Whether that is new.
    pub phase: TouchPhase,
    /// The sum of the normal impulses in the step, in N·s.
    pub impulse: f64,
}

/// Whether two bodies touched before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TouchPhase {
    /// They did not in the step before.
    Began,
    /// They did.
    Lasts,
    /// They did, and do no more.
    Ended,
}

impl World {
    pub(super) fn report(&mut self, touches: Touches) -> StepReport {
        let asleep = |(pair, _): &&([u32; 2], f64)| pair.iter().all(|&i| !self.rigids[i as usize].moves());
        // Bodies asleep touch as they did.
        let resting: Touches = self.touching.iter().filter(asleep).map(|(pair, _)| (*pair, 0.0)).collect();
        let mut now = touches;
        if !resting.is_empty() {
            merge(&mut now, resting);
        }
        let name = |i: u32| (!self.rigids[i as usize].is_wall).then(|| self.id(i as usize));
        let touch = |[i, j]: [u32; 2], phase, impulse| Touch { a: name(i), b: name(j), phase, impulse };
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
        StepReport { touches: report }
    }
}
