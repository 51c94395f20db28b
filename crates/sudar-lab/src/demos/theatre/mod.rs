//! The broad-phase theatre: algorithms side by side, tests by perception, cells and portals.

mod perception;
mod rooms;
mod side;

use std::time::Duration;

use sudar::DVec3;
use sudar::effort::Budget;
use sudar_view::{Color, Orbit, Scene};

use crate::chart::{self, Chart};
use crate::clock::Clock;
use crate::demo::{Demo, DemoError, Entry, Plots, Task};
use crate::demos::hand::{self, Hand};
use crate::demos::orbit;
use crate::input::Input;
use crate::options::{Visit, field};
use perception::{POLICIES, Perception};
use rooms::Rooms;
use side::{Places, Side};

pub const ENTRY: Entry = Entry {
    name: "theatre",
    title: "Broad-phase theatre",
    about: "The same boxes under four algorithms side by side; tests by perception; rooms and what can be seen.",
    source: "{Daneu 2002}, section 4.1; {Dimitrijević 2019}, chapter 3",
    make: || Box::new(Theatre::new()),
    picture_at: 1.0,
};

const PLAYS: [&str; 3] = ["algorithms", "perception", "rooms"];

/// What ends the exact tests of a frame.
const LIMITS: [&str; 2] = ["work", "time"];

/// A place on the stage may stay empty.
const NAMES: [&str; 17] = crate::demos::explorer::ALGORITHMS;

#[derive(Debug, Clone, PartialEq)]
struct Settings {
    play: &'static str,
    objects: u32,
    speed: f64,
    algorithms: [&'static str; 4],
    level: u32,
    policy: &'static str,
    limit: &'static str,
    budget: u32,
    milliseconds: f64,
}

impl Settings {
    /// What the exact tests of a frame may take; without a clock, work.
    fn budget(&self, clock: Clock) -> Budget {
        if self.limit == LIMITS[1] && clock.0.is_some() {
            Budget::time(Duration::from_secs_f64(1e-3 * self.milliseconds))
        } else {
            Budget::nodes(u64::from(self.budget))
        }
    }
}

struct Theatre {
    settings: Settings,
    applied: Settings,
    play: Play,
    orbit: Orbit,
    hand: Hand<(usize, usize)>,
    aspect: f64,
    /// For which aspect the seat was chosen.
    seat: f64,
    time: f64,
    chart: Chart,
    clock: Clock,
    problem: Option<String>,
}

enum Play {
    Nothing,
    Algorithms(Side),
    Perception(Box<Perception>),
    Rooms(Rooms),
}

impl Theatre {
    fn new() -> Self {
        let settings = Settings {
            play: "algorithms",
            objects: 120,
            speed: 3.0,
            algorithms: ["octree-dup", "kd", "uniform", "bvh"],
            level: 2,
            policy: "sequential",
            limit: LIMITS[0],
            budget: 150,
            milliseconds: 0.1,
        };
        Self {
            applied: settings.clone(),
            settings,
            play: Play::Nothing,
            orbit: Orbit::new(DVec3::ZERO, 60.0),
            hand: Hand::default(),
            aspect: 1.6,
            seat: 1.6,
            time: 0.0,
            chart: Chart::timed("time in ms", &[]),
            clock: Clock::default(),
            problem: None,
        }
    }

    fn build(&mut self) -> Result<(), String> {
        let Settings { play, objects, speed, algorithms, policy, .. } = self.settings.clone();
        let names: Vec<&'static str> =
            algorithms.into_iter().filter(|name| *name != crate::demos::explorer::NONE).collect();
        self.play = match play {
            "perception" => Play::Perception(Box::new(Perception::new(objects.min(400), policy)?)),
            "rooms" => Play::Rooms(Rooms::new(objects)?),
            _ => Play::Algorithms(Side::new(&names, objects, speed)?),
        };
        self.hand = Hand::default();
        self.chart.rename(&names);
        self.chart.clear();
        Ok(())
    }

    /// Where one sees all of the play.
    fn sit_down(&mut self) {
        let tangent = libm::tan(0.5 * self.orbit.camera().field);
        // Wide things fill a wide picture, high ones a high one.
        let across = |half: f64, high: f64| (half / self.aspect).max(high) / tangent;
        let (distance, pitch) = match &self.play {
            Play::Algorithms(side) => (side.distance(self.aspect, tangent), 0.0),
            Play::Perception(_) | Play::Nothing => (across(15.0, 9.0) + 5.0, 0.35),
            Play::Rooms(_) => (across(14.5, 12.5) + 3.0, 0.95),
        };
        self.orbit = Orbit { target: DVec3::ZERO, distance, yaw: 0.0, pitch };
        self.seat = self.aspect;
    }

    /// Whether the pointer holds a box.
    fn hold(&mut self, input: &Input, seconds: f64) -> bool {
        let (camera, aspect) = (self.orbit.camera(), self.aspect);
        match &mut self.play {
            Play::Algorithms(side) => {
                self.hand.act(&input.pointer, &camera, &mut Places { side, aspect }, seconds)
            }
            Play::Perception(perception) => {
                self.hand.act(&input.pointer, &camera, &mut **perception, seconds)
            }
            Play::Nothing | Play::Rooms(_) => false,
        }
    }

    fn apply(&mut self) {
        if self.settings == self.applied {
            return;
        }
        let (old, new) = (self.applied.clone(), self.settings.clone());
        self.applied = new.clone();
        let Settings { speed, level, limit, budget, milliseconds, .. } = old;
        let same = Settings { speed, level, limit, budget, milliseconds, ..new.clone() };
        if same != old || old.speed == 0.0 {
            self.problem = self.build().err();
            if new.play != old.play {
                self.sit_down();
            }
        } else if let Play::Algorithms(side) = &mut self.play {
            side.hasten(new.speed / old.speed);
        }
    }
}

impl Demo for Theatre {
    fn begin(&mut self) -> Result<(), DemoError> {
        self.applied = self.settings.clone();
        (self.time, self.problem) = (0.0, None);
        self.build().map_err(DemoError)?;
        self.sit_down();
        Ok(())
    }

    fn step(&mut self, input: &Input, seconds: f64) {
        self.apply();
        self.aspect = input.pointer.aspect;
        // Another shape of the window is another room.
        if (self.aspect / self.seat - 1.0).abs() > 0.02 {
            self.sit_down();
        }
        if !self.hold(input, seconds) {
            orbit::turn(&mut self.orbit, &input.pointer);
        }
        if seconds <= 0.0 {
            return;
        }
        self.time += seconds;
        match &mut self.play {
            Play::Nothing => {}
            Play::Algorithms(side) => {
                side.step(seconds, self.clock);
                self.chart.add(self.time, &side.times());
            }
            Play::Perception(perception) => {
                let budget = self.applied.budget(self.clock);
                perception.step(seconds, &budget, &self.orbit.camera(), self.aspect);
            }
            Play::Rooms(rooms) => rooms.step(seconds),
        }
    }

    fn draw(&mut self, scene: &mut Scene) {
        scene.camera = self.orbit.camera();
        match &self.play {
            Play::Nothing => {}
            Play::Algorithms(side) => side.draw(scene, self.applied.level, self.aspect),
            Play::Perception(perception) => perception.draw(scene),
            Play::Rooms(rooms) => rooms.draw(scene),
        }
        self.hand.draw(scene);
    }

    fn options(&mut self, visit: &mut dyn Visit) {
        let s = &mut self.settings;
        visit.choice(field("play", "What is shown"), &mut s.play, &PLAYS);
        visit.count(field("objects", "Number of boxes, fighters or walkers"), &mut s.objects, 2..=2000);
        visit.heading("Algorithms side by side");
        visit.number(field("speed", "Speed of boxes, in m/s"), &mut s.speed, 0.0..=60.0);
        let [a, b, c, d] = &mut s.algorithms;
        visit.choice(
            field("first", "Broad phase of the first container; none: the place stays empty"),
            a,
            &NAMES,
        );
        visit.choice(field("second", "Broad phase of the second container"), b, &NAMES);
        visit.choice(field("third", "Broad phase of the third"), c, &NAMES);
        visit.choice(field("fourth", "Broad phase of the fourth"), d, &NAMES);
        visit.count(field("level", "Level of the cells or nodes that are drawn"), &mut s.level, 0..=21);
        visit.remark("first to fourth: the containers from left to right, row by row".to_owned());
        visit.heading("Tests by perception");
        visit.choice(field("policy", "Order of the exact tests"), &mut s.policy, &POLICIES);
        let limit = field("limit", "What ends the tests of a frame: work, the same everywhere, or time");
        visit.choice(limit, &mut s.limit, &LIMITS);
        visit.count(field("budget", "Work of a frame, in nodes"), &mut s.budget, 1..=100_000);
        visit.number(field("milliseconds", "Time of a frame, in ms"), &mut s.milliseconds, 0.01..=30.0);
    }

    fn ui(&mut self, ui: &mut egui::Ui) {
        if let Some(problem) = &self.problem {
            ui.colored_label(chart::of(Color::ORANGE), problem);
        }
        if let Play::Algorithms(side) = &self.play {
            let says = if side.agree() { "All list the same pairs." } else { "They list different pairs!" };
            ui.label(says);
        }
    }

    fn plots(&self) -> Plots<'_> {
        let is_side = matches!(self.play, Play::Algorithms(_));
        Plots::Charts(is_side.then_some(&self.chart).into_iter().collect())
    }

    fn tasks(&self) -> [Task; 3] {
        let is_cut = matches!(&self.play, Play::Perception(perception) if perception.is_cut_off());
        let is_fast = matches!(&self.play, Play::Algorithms(_)) && self.applied.speed >= 30.0;
        [
            Task::new("Take hold of a box or a fighter with the mouse, and throw it", self.hand.throws() > 0),
            Task::new("Make the boxes ten times as fast: which algorithm minds?", is_fast),
            Task::new("Play perception: lower the budget until tests are cut off", is_cut),
        ]
    }

    fn legend(&self) -> Vec<(Color, &'static str)> {
        match &self.play {
            Play::Nothing => Vec::new(),
            Play::Algorithms(_) => vec![
                (Color::SKY, "boxes that overlap no other"),
                (Color::VERMILION, "boxes that overlap"),
                (Color::GREEN, "cells or nodes of the level"),
            ],
            Play::Perception(_) => perception::LEGEND.to_vec(),
            Play::Rooms(_) => rooms::LEGEND.to_vec(),
        }
    }

    fn status(&self) -> Vec<String> {
        match &self.play {
            Play::Nothing => Vec::new(),
            Play::Algorithms(side) => side.lines(),
            Play::Perception(perception) => perception.lines(),
            Play::Rooms(rooms) => rooms.lines(),
        }
    }

    fn keys(&self) -> Vec<[&'static str; 2]> {
        hand::KEYS.into_iter().chain(orbit::KEYS).collect()
    }

    fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options;

    #[test]
    fn every_play_runs_and_changes_while_it_does() {
        let mut theatre = Theatre::new();
        theatre.begin().unwrap();
        let idle = Input::of_keys(&[]);
        for (name, value) in [
            ("speed", "9"),
            ("first", "none"),
            ("second", "sap"),
            ("play", "perception"),
            ("policy", "queues"),
            ("budget", "10"),
            ("limit", "time"),
            ("milliseconds", "0.01"),
            ("play", "rooms"),
            ("objects", "50"),
            ("play", "algorithms"),
        ] {
            options::assign(name, value, |visit| theatre.options(visit)).unwrap();
            (0..5).for_each(|_| theatre.step(&idle, 1.0 / 60.0));
            assert!(theatre.problem.is_none() && !theatre.status().is_empty(), "{name} {value}");
        }
        assert_eq!(theatre.status().len(), 3);
    }
}
