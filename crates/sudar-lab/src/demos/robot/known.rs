//! What is known of the arm, computed when something has changed.

use super::arm::{Configuration, JOINTS};
use super::clearance::Near;
use super::course::Course;

/// What is known of the arm as it stands.
#[derive(Debug, Default)]
pub struct Known {
    pub now: Configuration,
    pub nearest: [Option<Near>; JOINTS],
    pub course: Option<Course>,
    /// The nearest points where the way is blocked.
    pub at_contact: Option<Near>,
    /// Milliseconds that the clearances and the course took, if there is a clock.
    pub times: [f64; 2],
}
