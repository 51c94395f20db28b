//! What a step took.

use sudar::broad::Counters;

/// What the last step took. Times are 0 without a clock.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Work {
    pub pairs: usize,
    pub counters: Counters,
    /// Memory of the broad phase.
    pub bytes: usize,
    /// Seconds of the broad phase, the narrow phase, and all else.
    pub phases: [f64; 3],
}

impl Work {
    /// Seconds of the whole step.
    pub fn seconds(&self) -> f64 {
        self.phases.iter().sum()
    }
}
