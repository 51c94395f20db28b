//! How time passes.

/// Seconds of a step.
pub const STEP: f64 = 1.0 / 60.0;

/// How time passes in a demo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    pub is_paused: bool,
    /// Seconds of the demo in a second.
    pub speed: f64,
    /// Seconds that no step has made up for.
    pub left: f64,
    /// Steps asked for while paused.
    pub single: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self { is_paused: false, speed: 1.0, left: 0.0, single: 0 }
    }
}
