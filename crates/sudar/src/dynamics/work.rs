//! What a step took.

use crate::broad::Counters;

/// What the last step of a [`World`](super::World) took, for measurements and recorders. Counts are the same on every
/// machine; times are 0 unless the world has a clock.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepWork {
    /// Searches for pairs of boxes that overlap: one a step, more under responses that advance bodies piece by piece.
    pub searches: u32,
    /// Pairs of bodies whose boxes overlapped in the last search.
    pub pairs: usize,
    /// Work of the broad phase in all searches.
    pub counters: Counters,
    /// Seconds in the broad phase.
    pub broad_seconds: f64,
    /// Seconds spent on contacts and times of contact between bodies.
    pub narrow_seconds: f64,
    /// All other seconds of the step: velocities at contacts, and motion.
    pub response_seconds: f64,
}

/// A clock given from outside: the library reads none by itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Watch(pub Option<fn() -> f64>);

impl Watch {
    pub fn now(self) -> f64 {
        self.0.map_or(0.0, |clock| clock())
    }
}
