//! What can be chosen among the scenes of joints.

use std::ops::RangeInclusive;

use super::dog::STANCE;
use crate::options::{Visit, field};

/// What is chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// Name of the scene, one of [`SCENES`].
    pub scene: &'static str,
    /// Planks of the bridge.
    pub planks: u32,
    /// How many dolls fall.
    pub dolls: u32,
    /// Links of the chain.
    pub links: u32,
    /// Knots along a side of the cloth.
    pub knots: u32,
    /// Sub-steps of a step.
    pub substeps: u32,
    /// Whether joints are drawn over the bodies.
    pub joints: bool,
    /// Whether the motors of the robot are on.
    pub motors: bool,
    /// How far the hips of the robot are turned, in rad.
    pub crouch: f64,
    /// Whether the root of the robot is fixed.
    pub fixed: bool,
}

/// Angles of the hips of the robot, in rad.
pub const CROUCH: RangeInclusive<f64> = 0.1..=1.2;

/// The scenes by name, in the order of their keys.
pub const SCENES: [&str; 7] = ["bridge", "ragdolls", "car", "squeezer", "crane", "cloth", "robot"];

impl Default for Choice {
    fn default() -> Self {
        Self {
            scene: SCENES[0],
            planks: 24,
            dolls: 5,
            links: 16,
            knots: 6,
            substeps: 4,
            joints: true,
            motors: true,
            crouch: STANCE,
            fixed: false,
        }
    }
}

impl Choice {
    pub fn options(&mut self, visit: &mut dyn Visit) {
        visit.choice(field("scene", "What joints hold together: keys 1 to 7"), &mut self.scene, &SCENES);
        visit.switch(field("joints", "Draw anchors and axes of joints over the bodies: J"), &mut self.joints);
        let about = "Sub-steps of a step: errors fall with their square";
        visit.count(field("substeps", about), &mut self.substeps, 1..=16);
        let scene = self.scene;
        for (of, name, about, value, range) in [
            ("bridge", "planks", "Planks of the bridge", &mut self.planks, 4..=60),
            ("ragdolls", "dolls", "How many dolls fall", &mut self.dolls, 1..=12),
            ("crane", "links", "Links of the chain", &mut self.links, 4..=40),
            ("cloth", "knots", "Knots along a side of the cloth", &mut self.knots, 4..=12),
        ] {
            visit.overridden((of != scene).then_some("scene"));
            visit.count(field(name, about), value, range);
        }
        visit.overridden((scene != "robot").then_some("scene"));
        visit.switch(field("motors", "Motors hold the robot: M"), &mut self.motors);
        visit.number(field("crouch", "Angle of the hips, in rad: up and down"), &mut self.crouch, CROUCH);
        visit.switch(field("fixed", "The root of the robot is fixed"), &mut self.fixed);
        visit.overridden(None);
    }

    /// Whether the bodies of another choice are the same.
    pub fn has_same_bodies(&self, other: &Self) -> bool {
        let sizes = |choice: &Self| (choice.planks, choice.dolls, choice.links, choice.knots, choice.fixed);
        self.scene == other.scene && sizes(self) == sizes(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{assign, describe};

    #[test]
    fn sizes_are_those_of_their_scenes() {
        let mut choice = Choice::default();
        for (name, text) in [("scene", "cloth"), ("knots", "6"), ("substeps", "16"), ("joints", "off")] {
            assign(name, text, |visit| choice.options(visit)).unwrap();
        }
        let mut same = choice;
        same.joints = true;
        assert!(choice.knots == 6 && choice.has_same_bodies(&same));
        assert!(!choice.has_same_bodies(&Choice { knots: 7, ..choice }));
        assert_eq!(describe(|visit| choice.options(visit)).len(), 10);
    }
}
