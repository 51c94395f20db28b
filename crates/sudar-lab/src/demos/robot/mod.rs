//! An arm of six joints among obstacles: clearances, and ways that are checked at every moment.

mod arm;
mod clearance;
mod course;
mod known;
mod picture;
mod settings;

use egui::Key;
use sudar::DVec3;
use sudar_view::{Color, Orbit, Scene};

use crate::clock::Clock;
use crate::demo::{Demo, DemoError, Entry, Task};
use crate::demos::orbit;
use crate::input::Input;
use crate::options::Visit;
use arm::{Cell, JOINTS, LINKS};
use known::Known;
use picture::Picture;
use settings::Settings;

pub const ENTRY: Entry = Entry {
    name: "robot-arm",
    title: "Robot arm",
    about: "How near an arm of six joints is to what is around it, and whether a way is free at every moment of it.",
    source: "An arm of our own; dynamic tests as {Daneu 2002}, chapter 1, has them",
    make: || Box::new(Robot::new()),
    picture_at: 0.1,
};

/// Seconds to the goal.
const WAY: f64 = 5.0;

/// Radians a second that keys turn a joint.
const PACE: f64 = 0.8;

struct Robot {
    settings: Settings,
    asked: Option<Settings>,
    cell: Option<(Cell, Picture)>,
    known: Known,
    orbit: Orbit,
    clock: Clock,
    /// The joint that keys turn.
    joint: usize,
    sense: f64,
}

fn view() -> Orbit {
    Orbit { target: DVec3::new(0.3, 0.15, 0.75), distance: 4.4, yaw: -0.5, pitch: 0.42 }
}

impl Robot {
    fn new() -> Self {
        Self {
            settings: Settings::default(),
            asked: None,
            cell: None,
            known: Known::default(),
            orbit: view(),
            clock: Clock::default(),
            joint: 0,
            sense: 1.0,
        }
    }

    fn keys_and_time(&mut self, input: &Input, seconds: f64) {
        const NUMBERS: [Key; JOINTS] = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6];
        if let Some(joint) = NUMBERS.into_iter().position(|key| input.is_struck(key)) {
            self.joint = joint;
        }
        let turn = input.axis(Key::ArrowRight, Key::ArrowLeft);
        if turn != 0.0 {
            let [least, most] = Cell::limits(self.joint);
            let by = PACE * turn * if seconds > 0.0 { seconds } else { 1.0 / 60.0 };
            let angle = &mut self.settings.joints[self.joint];
            *angle = (*angle + by).clamp(least, most);
        }
        if input.is_struck(Key::G) {
            self.settings.goal = self.known.now;
        }
        self.settings.is_playing ^= input.toggles(Key::Space);
        if self.settings.is_playing {
            let along = self.settings.along + self.sense * seconds / WAY;
            if !(0.0..=1.0).contains(&along) {
                self.sense = -along.signum();
            }
            self.settings.along = along.clamp(0.0, 1.0);
        }
    }

    fn refresh(&mut self) {
        let Some((cell, _)) = &self.cell else { return };
        let (settings, before) = (&self.settings, self.asked.replace(self.settings.clone()));
        if before.as_ref() == Some(settings) {
            return;
        }
        let now = course::at(&settings.joints, &settings.goal, settings.along);
        let (nearest, took) = self.clock.timed(|| clearance::clearances(cell, &now));
        self.known.now = now;
        self.known.nearest = nearest;
        self.known.times[0] = took * 1e3;
        let is_same = before.is_some_and(|before| {
            (before.joints, before.goal, before.course) == (settings.joints, settings.goal, settings.course)
        });
        if is_same {
            return;
        }
        let (found, took) = self.clock.timed(|| course::check(cell, &settings.joints, &settings.goal));
        self.known.course = settings.course.then_some(found);
        self.known.times[1] = took * 1e3;
        self.known.at_contact = found.blocked.and_then(|blocked| {
            let there = course::at(&settings.joints, &settings.goal, blocked.time);
            clearance::clearances(cell, &there)[blocked.link]
        });
    }

    fn course_says(&self) -> Option<String> {
        let found = self.known.course?;
        Some(match found.blocked {
            None => format!("way: free at every moment, by {} pieces", found.pieces),
            Some(blocked) => {
                let (cell, _) = self.cell.as_ref()?;
                let near = self.known.at_contact.map_or(String::new(), |near| picture::says(cell, &near));
                format!("way: free until {:.4}; then {near}", blocked.time)
            }
        })
    }
}

impl Demo for Robot {
    fn begin(&mut self) -> Result<(), DemoError> {
        let cell = Cell::new()?;
        let picture = Picture::new(&cell);
        self.cell = Some((cell, picture));
        self.orbit = view();
        self.asked = None;
        self.refresh();
        Ok(())
    }

    fn step(&mut self, input: &Input, seconds: f64) {
        orbit::turn(&mut self.orbit, &input.pointer);
        self.keys_and_time(input, seconds);
        self.refresh();
    }

    fn draw(&mut self, scene: &mut Scene) {
        if let Some((cell, picture)) = &self.cell {
            picture.draw(cell, &self.known, &self.settings, &self.orbit, scene);
        }
    }

    fn options(&mut self, visit: &mut dyn Visit) {
        self.settings.visit(visit);
    }

    fn tasks(&self) -> [Task; 3] {
        let touches = clearance::least(&self.known.nearest).is_some_and(|near| near.interval.upper <= 0.0);
        let is_far = self.settings.joints != self.settings.goal;
        let is_free = self.known.course.as_ref().is_some_and(|course| course.blocked.is_none());
        let is_under_way = self.settings.is_playing && self.settings.along > 0.5;
        [
            Task::new("Turn joints until the arm touches something (it turns red)", touches),
            Task::new("Move the goal until the whole way there is free", is_free && is_far),
            Task::new("Let the arm go its way (Space)", is_under_way),
        ]
    }

    fn legend(&self) -> Vec<(Color, &'static str)> {
        picture::LEGEND.to_vec()
    }

    fn ui(&mut self, ui: &mut egui::Ui) {
        ui.horizontal(|ui| {
            if ui.button("Goal here").on_hover_text("The way ends where the arm is: G").clicked() {
                self.settings.goal = self.known.now;
            }
            if ui.button("Swap").on_hover_text("The way the other way round").clicked() {
                std::mem::swap(&mut self.settings.joints, &mut self.settings.goal);
            }
        });
        ui.separator();
        ui.strong("Nearest of each link");
        let Some((cell, _)) = &self.cell else { return };
        for near in self.known.nearest.iter().flatten() {
            let color = picture::paint(near.interval.upper);
            ui.colored_label(crate::chart::of(color), picture::says(cell, near));
        }
        if let Some(found) = &self.known.course {
            ui.separator();
            ui.label(format!(
                "The way is cut into {} pieces, in each of which links are within {:.2} mm of motions that are swept; \
                 separations are larger by as much. Nothing is sampled.",
                found.pieces,
                found.slack * 1e3
            ));
        }
        if self.clock.0.is_some() {
            let [near, way] = self.known.times;
            ui.weak(format!("Clearances {near:.2} ms, way {way:.1} ms"));
        }
    }

    fn status(&self) -> Vec<String> {
        let least = clearance::least(&self.known.nearest);
        let near = least.zip(self.cell.as_ref()).map(|(near, (cell, _))| picture::says(cell, &near));
        let joint = format!("keys turn joint {} ({})", self.joint + 1, LINKS[self.joint]);
        near.into_iter().chain(self.course_says()).chain([joint]).collect()
    }

    fn keys(&self) -> Vec<[&'static str; 2]> {
        let mut keys = vec![
            ["1 to 6", "Choose a joint"],
            ["Left, Right", "Turn it"],
            ["G", "The way ends here"],
            ["Space", "Go to the goal and back"],
        ];
        keys.extend(orbit::KEYS);
        keys
    }

    fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_turn_the_joint_that_is_chosen_within_its_limits() {
        let mut robot = Robot::new();
        robot.begin().unwrap();
        robot.step(&Input::of_keys(&[Key::Num3]), 0.0);
        let before = robot.settings.joints[2];
        (0..60).for_each(|_| robot.step(&Input::of_held(&[Key::ArrowRight]), 1.0 / 60.0));
        assert!((robot.settings.joints[2] - before - PACE).abs() < 1e-9);
        (0..600).for_each(|_| robot.step(&Input::of_held(&[Key::ArrowRight]), 1.0 / 60.0));
        assert_eq!(robot.settings.joints[2], Cell::limits(2)[1]);
    }

    #[test]
    fn the_first_look_shows_a_way_that_is_blocked_by_the_pillar() {
        let mut robot = Robot::new();
        robot.begin().unwrap();
        let blocked = robot.known.course.unwrap().blocked.unwrap();
        assert!((0.05..0.95).contains(&blocked.time));
        assert!(robot.status().iter().any(|line| line.contains("pillar")), "{:?}", robot.status());
        // A way to where the arm is is free.
        robot.step(&Input::of_keys(&[Key::G]), 0.0);
        robot.settings.joints = robot.settings.goal;
        robot.step(&Input::of_held(&[]), 0.0);
        assert_eq!(robot.known.course.unwrap().blocked, None);
    }
}
