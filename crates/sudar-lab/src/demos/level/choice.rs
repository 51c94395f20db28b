//! What can be chosen in the level.

use crate::options::{Visit, field};

/// What is chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// The steepest slope that is walked on, in degrees.
    pub slope: f64,
    /// The highest step that is walked up, in metres.
    pub step: f64,
    /// How fast it walks, in m/s.
    pub speed: f64,
    pub dolls: u32,
    /// Whether the computer walks.
    pub play: bool,
    /// Whether names are written at the parts of the level.
    pub names: bool,
}

impl Default for Choice {
    fn default() -> Self {
        Self { slope: 46.0, step: 0.35, speed: 3.0, dolls: 4, play: false, names: true }
    }
}

impl Choice {
    pub fn options(&mut self, visit: &mut dyn Visit) {
        visit.switch(
            field("play", "The computer walks the course: P pauses, any key that moves ends it"),
            &mut self.play,
        );
        visit.heading("Player");
        visit.number(
            field("slope", "Steepest slope that is walked on, in degrees"),
            &mut self.slope,
            0.0..=80.0,
        );
        visit.number(field("step", "Highest step that is walked up, in m"), &mut self.step, 0.0..=0.8);
        visit.number(field("speed", "Walking speed, in m/s"), &mut self.speed, 0.5..=8.0);
        visit.heading("Level");
        visit.count(
            field("dolls", "Dolls that hang in the hall; another number begins anew"),
            &mut self.dolls,
            0..=10,
        );
        visit.switch(field("names", "Names of the parts of the level: N"), &mut self.names);
    }
}
