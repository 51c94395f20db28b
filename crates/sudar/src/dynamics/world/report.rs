//! What happened in a step.

use std::collections::BTreeMap;

use super::{BodyId, World};

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
    pub(super) fn report(&mut self, touches: BTreeMap<[u32; 2], f64>) -> StepReport {
        let asleep = |pair: &[u32; 2]| pair.iter().all(|&i| !self.rigids[i as usize].moves());
        // Bodies asleep touch as they did.
        let mut now = touches;
        for (pair, _) in self.touching.iter().filter(|(pair, _)| asleep(pair)) {
            now.entry(*pair).or_insert(0.0);
        }
        let name = |i: u32| (!self.rigids[i as usize].is_wall).then(|| self.id(i as usize));
        let touch = |[i, j]: [u32; 2], phase, impulse| Touch { a: name(i), b: name(j), phase, impulse };
        let mut report: Vec<([u32; 2], Touch)> = Vec::with_capacity(now.len());
        for (&pair, &impulse) in &now {
            let lasts = self.touching.contains_key(&pair);
            let phase = if lasts { TouchPhase::Lasts } else { TouchPhase::Began };
            report.push((pair, touch(pair, phase, impulse)));
        }
        for &pair in self.touching.keys().filter(|pair| !now.contains_key(*pair)) {
            report.push((pair, touch(pair, TouchPhase::Ended, 0.0)));
        }
        report.sort_by_key(|(pair, _)| *pair);
        self.touching = now;
        StepReport { touches: report.into_iter().map(|(_, touch)| touch).collect() }
    }
}
