//! What can be chosen of the arm.

use super::arm::{LIMITS, POSES};
use super::search::ROUNDS;
use super::site::Configuration;
use crate::options::{Visit, field};

/// Everything that can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Where the way begins and ends.
    pub poses: [Configuration; 2],
    /// Whether they are poses of the arm of the laboratory.
    pub is_own: bool,
    /// How far along its way the arm is.
    pub along: f64,
    pub is_playing: bool,
    /// Whether a path is searched; if not, the way is straight.
    pub plans: bool,
    pub tries: u32,
    /// Whether the straight way is checked.
    pub course: bool,
    /// Whether links are painted by their clearance.
    pub paints: bool,
    pub lines: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            poses: POSES.map(Vec::from),
            is_own: true,
            along: 0.35,
            is_playing: false,
            plans: true,
            tries: 12,
            course: true,
            paints: true,
            lines: true,
        }
    }
}

const JOINT_NAMES: [&str; 6] = ["joint-1", "joint-2", "joint-3", "joint-4", "joint-5", "joint-6"];
const GOAL_NAMES: [&str; 6] = ["goal-1", "goal-2", "goal-3", "goal-4", "goal-5", "goal-6"];

impl Settings {
    /// Shows all of it. The joints of another robot are no options: a link would not find them again.
    pub fn visit(&mut self, visit: &mut dyn Visit) {
        if self.is_own {
            visit.heading("Start, in radians");
            let about = "Angle of a joint where the way begins: keys 1 to 6, left, right, or drag the ball";
            each(visit, JOINT_NAMES, about, &mut self.poses[0]);
            visit.heading("Goal, in radians");
            let about = "Angle of a joint where the way ends: drag the ball; G takes the arm's";
            each(visit, GOAL_NAMES, about, &mut self.poses[1]);
        }
        visit.heading("Way");
        visit.number(field("along", "How far the arm is on its way to the goal"), &mut self.along, 0.0..=1.0);
        visit.switch(field("play", "The arm goes to the goal and back: Space"), &mut self.is_playing);
        let about = "Search a certified path between the poses; if not, the arm goes the straight way";
        visit.switch(field("plan", about), &mut self.plans);
        visit.overridden((!self.plans).then_some("plan"));
        let about = "Searches for a path, of which the shortest stays";
        visit.count(field("tries", about), &mut self.tries, 1..=200);
        visit.remark(format!(
            "At most one search between two pictures, of {ROUNDS} rounds of 8 samples: the window stays live in a \
             page too, which has no threads. No clock ends a search, so that equal poses have equal paths."
        ));
        visit.overridden(None);
        let about = "Check the straight way continuously, and mark the first contact";
        visit.switch(field("course", about), &mut self.course);
        visit.heading("Clearance");
        visit.switch(field("paint", "Paint each link by how near it is to anything"), &mut self.paints);
        visit.switch(field("lines", "A line to the nearest point of each link"), &mut self.lines);
    }
}

fn each(visit: &mut dyn Visit, names: [&'static str; 6], about: &'static str, pose: &mut Configuration) {
    for ((name, most), angle) in names.into_iter().zip(LIMITS).zip(pose) {
        visit.number(field(name, about), angle, -most..=most);
    }
}
