//! What can be chosen of the arm.

use super::arm::{Cell, Configuration, JOINTS};
use crate::options::{Visit, field};

/// Everything that can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub joints: Configuration,
    /// Where the way ends.
    pub goal: Configuration,
    /// How far along its way the arm is.
    pub along: f64,
    pub is_playing: bool,
    /// Whether links are painted by their clearance.
    pub paints: bool,
    pub lines: bool,
    pub course: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            joints: [-0.75, 0.75, 0.95, 0.0, 0.7, 0.0],
            goal: [1.35, 0.55, 1.1, 0.4, -0.1, 0.8],
            along: 0.0,
            is_playing: false,
            paints: true,
            lines: true,
            course: true,
        }
    }
}

const JOINT_NAMES: [&str; JOINTS] = ["joint-1", "joint-2", "joint-3", "joint-4", "joint-5", "joint-6"];
const GOAL_NAMES: [&str; JOINTS] = ["goal-1", "goal-2", "goal-3", "goal-4", "goal-5", "goal-6"];

impl Settings {
    /// Shows all of it.
    pub fn visit(&mut self, visit: &mut dyn Visit) {
        visit.heading("Joints, in radians");
        each(
            visit,
            JOINT_NAMES,
            "Angle of a joint where the way begins: keys 1 to 6, left, right",
            &mut self.joints,
        );
        visit.heading("Way");
        visit.number(field("along", "How far the arm is on its way to the goal"), &mut self.along, 0.0..=1.0);
        visit.switch(field("play", "The arm goes to the goal and back: Space"), &mut self.is_playing);
        visit.switch(
            field("course", "Check the way continuously, and mark the first contact"),
            &mut self.course,
        );
        visit.heading("Clearance");
        visit.switch(field("paint", "Paint each link by how near it is to anything"), &mut self.paints);
        visit.switch(field("lines", "A line to the nearest point of each link"), &mut self.lines);
        visit.heading("Goal, in radians");
        each(visit, GOAL_NAMES, "Angle of a joint where the way ends: G takes the arm's", &mut self.goal);
    }
}

fn each(
    visit: &mut dyn Visit,
    names: [&'static str; JOINTS],
    about: &'static str,
    angles: &mut Configuration,
) {
    for (k, name) in names.into_iter().enumerate() {
        let [least, most] = Cell::limits(k);
        visit.number(field(name, about), &mut angles[k], least..=most);
    }
}
