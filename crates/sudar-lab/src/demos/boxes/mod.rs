//! Box–Cubes, Box–Objects and Box–Fighter (Maštera 2007): bodies that collide in a closed room.

mod choice;
mod marks;
mod room;
mod view;

use egui::Key;
use sudar::Ray;
use sudar_scene::{
    Columns, Scene as Setup, SceneError, StepRow, box_fighter, box_turned_fighters, room_of_cubes,
    room_of_objects,
};
use sudar_view::{Color, Figure, Orbit, Scene};

use crate::chart::Chart;
use crate::clock::Clock;
use crate::demo::{Demo, DemoError, Entry, Plots, Task};
use crate::demos::hand::{self, Hand};
use crate::demos::orbit;
use crate::input::Input;
use crate::options::Visit;
use choice::{Choice, GRAVITY};
use marks::Marks;
use room::Room;

const SOURCE: &str = "{Maštera 2007}, chapters 4, 7, 9 and 10";

pub const CUBES: Entry = Entry {
    name: "box-cubes",
    title: "Box – Cubes",
    about: "Boxes fly about in a closed room and strike each other and its walls, by every response there is.",
    source: SOURCE,
    make: || Box::new(Boxes::new(|choice| room_of_cubes(choice.bodies as usize), 8, None)),
    picture_at: 1.5,
};

pub const OBJECTS: Entry = Entry {
    name: "box-objects",
    title: "Box – Objects",
    about: "One body of every solid shape in a closed room: ball, box, capsule, cylinder, cone and others.",
    source: SOURCE,
    make: || Box::new(Boxes::new(|choice| room_of_objects(choice.bodies as usize), 8, None)),
    picture_at: 1.5,
};

pub const FIGHTER: Entry = Entry {
    name: "box-fighter",
    title: "Box – Fighter",
    about: "Fighters, meshes that are not convex, in a closed room: where the energy of 2007 grew, and why.",
    source: SOURCE,
    make: || Box::new(Boxes::new(fighters, 4, Some(false))),
    picture_at: 1.5,
};

/// How fast the keys T and R change the drag, in 1/s a second.
const DRAG_A_SECOND: f64 = 0.5;

/// Makes the bodies that are chosen, in a room.
type Make = fn(&Choice) -> Result<Setup, SceneError>;

fn fighters(choice: &Choice) -> Result<Setup, SceneError> {
    let make = if choice.turned == Some(true) { box_turned_fighters } else { box_fighter };
    make(choice.bodies as usize)
}

/// Kinetic energy over all energy at the start below which bodies have settled.
const SETTLED: f64 = 0.02;

/// Energy over that at the start from which on it has grown.
const GROWN: f64 = 1.4;

struct Boxes {
    make: Make,
    choice: Choice,
    room: Option<Room>,
    /// Of which choice its bodies are.
    made: Choice,
    hand: Hand<usize>,
    figures: Vec<Figure>,
    /// Of which bodies the figures are: how many, and whether with triangles for the rule.
    shown: (u32, bool),
    orbit: Orbit,
    marks: Marks,
    charts: [Chart; 3],
    problem: Option<String>,
    record: Record,
    clock: Clock,
}

/// What is written down of steps.
#[derive(Default)]
struct Record {
    is_on: bool,
    rows: Vec<String>,
    steps: u64,
    time: f64,
    start: f64,
}

impl Boxes {
    fn new(make: Make, bodies: u32, turned: Option<bool>) -> Self {
        let choice = Choice { turned, ..Choice::new(bodies) };
        Self {
            make,
            choice,
            room: None,
            made: choice,
            hand: Hand::default(),
            figures: Vec::new(),
            shown: (0, false),
            orbit: Orbit::new(sudar::DVec3::ZERO, 20.0),
            marks: Marks::default(),
            charts: [
                Chart::new("energy over that at the start", &["kinetic", "potential", "total"]),
                Chart::new("momentum in t·m/s, angular in t·m²/s", &["momentum", "angular"]),
                Chart::new("contacts in a step", &["contacts"]),
            ],
            problem: None,
            record: Record::default(),
            clock: Clock::default(),
        }
    }

    fn keys_held(&mut self, input: &Input, seconds: f64) {
        let change = input.axis(Key::T, Key::R) * DRAG_A_SECOND * seconds;
        self.choice.drag = (self.choice.drag + change).clamp(0.0, 2.0);
        if input.is_held(Key::G) && input.is_held(Key::ArrowDown) {
            self.choice.gravity = GRAVITY;
        }
        if input.is_held(Key::G) && input.is_held(Key::ArrowUp) {
            self.choice.gravity = 0.0;
        }
    }

    /// The room takes over the options; another number of bodies begins anew.
    fn take_over(&mut self) -> Result<(), DemoError> {
        match &mut self.room {
            Some(room) if self.made.has_same_bodies(&self.choice) => room.apply(&self.choice),
            _ => self.begin(),
        }
    }

    fn click(&mut self, input: &Input) -> Result<(), DemoError> {
        let (Some(room), Some(at), true) = (&mut self.room, input.pointer.at, input.pointer.clicked) else {
            return Ok(());
        };
        let camera = self.orbit.camera();
        let ray = Ray::new(camera.eye, camera.toward(at, input.pointer.aspect)).map_err(DemoError::of)?;
        room.push(&ray).map(|_| ())
    }

    /// The pointer holds a body, or turns the view.
    fn hold(&mut self, input: &Input, seconds: f64) {
        let (camera, pointer) = (self.orbit.camera(), &input.pointer);
        let holds = self.room.as_mut().is_some_and(|room| self.hand.act(pointer, &camera, room, seconds));
        if !holds {
            orbit::turn(&mut self.orbit, pointer);
        }
    }

    fn advance(&mut self, seconds: f64) -> Result<(), DemoError> {
        let Some(room) = &mut self.room else { return Ok(()) };
        if seconds <= 0.0 {
            return Ok(());
        }
        room.step(seconds)?;
        self.marks.advance(seconds, room.marks());
        self.record.add(room, seconds, self.clock);
        let (energy, time) = (room.energy(), self.record.time);
        self.charts[0].add(time, &room.shares());
        // Bodies weigh about a tonne.
        self.charts[1].add(time, &[1e-3 * energy.momentum.length(), 1e-3 * energy.angular_momentum.length()]);
        self.charts[2].add(time, &[room.marks().len() as f64]);
        Ok(())
    }
}

impl Record {
    fn add(&mut self, room: &Room, seconds: f64, clock: Clock) {
        self.steps += 1;
        self.time += seconds;
        if let Some(world) = room.world().filter(|_| self.is_on) {
            let row = Columns::new(world).row(self.steps, self.time, clock.now() - self.start, world);
            self.rows.push(row);
        }
    }
}

impl Demo for Boxes {
    fn begin(&mut self) -> Result<(), DemoError> {
        let setup = (self.make)(&self.choice).map_err(DemoError::of)?;
        let room = Room::new(&setup, &self.choice, self.clock)?;
        let half = 0.5 * room.bounds().extent().max_element();
        if self.room.as_ref().is_none_or(|old| old.bounds() != room.bounds()) {
            self.orbit.distance = 4.1 * half;
        }
        self.room = Some(room);
        (self.made, self.hand) = (self.choice, Hand::default());
        self.shown = (0, false);
        self.marks = Marks::default();
        self.charts.iter_mut().for_each(Chart::clear);
        self.problem = None;
        self.record = Record { is_on: self.record.is_on, start: self.clock.now(), ..Record::default() };
        Ok(())
    }

    fn step(&mut self, input: &Input, seconds: f64) {
        self.keys_held(input, seconds);
        self.charts[0].set_logarithmic(self.choice.log_axis);
        if self.problem.is_some() {
            orbit::turn(&mut self.orbit, &input.pointer);
            return;
        }
        let done = self.take_over().and_then(|()| self.click(input)).and_then(|()| {
            self.hold(input, seconds);
            self.advance(seconds)
        });
        self.problem = done.err().map(|error| error.0);
    }

    fn draw(&mut self, scene: &mut Scene) {
        scene.camera = self.orbit.camera();
        let Some(room) = &self.room else { return };
        let shown = (room.count() as u32, room.is_by_rule());
        if shown != self.shown {
            self.figures = room.bodies().iter().map(|(body, _)| Figure::new(body.body.shape())).collect();
            self.shown = shown;
        }
        view::draw(scene, room, &self.figures, &self.marks);
        self.hand.draw(scene);
    }

    fn options(&mut self, visit: &mut dyn Visit) {
        self.choice.options(visit);
    }

    fn ui(&mut self, ui: &mut egui::Ui) {
        if let Some(remark) = self.choice.remark().filter(|_| self.choice.rule().is_none()) {
            ui.label(remark);
        }
        ui.label(self.choice.about_faults());
        ui.add_space(4.0);
        ui.weak("Click a body to push it away from you; drag it to hold and throw it.");
        if self.choice.turned.is_some() && ui.button("Let the energy of 2007 grow").clicked() {
            self.choice.set_growing();
        }
    }

    fn plots(&self) -> Plots<'_> {
        Plots::Charts(self.charts.iter().collect())
    }

    fn tasks(&self) -> [Task; 3] {
        let energy = self.room.as_ref().map_or([0.0, 0.0, 1.0], Room::shares);
        let has_settled = self.choice.gravity > 0.0 && self.choice.restitution < 1.0 && energy[0] < SETTLED;
        let grows = self.choice.rule().is_some() && energy[2] > GROWN;
        let last = if self.choice.turned.is_some() {
            Task::new("Let the energy of 2007 grow by two fifths (the button below)", grows)
        } else {
            let is_cured = self.choice.faults == "cure" && self.record.time > 1.0;
            Task::new("Switch on the published faults, then their cure", is_cured)
        };
        [
            Task::new("Take hold of a body with the mouse, and throw it", self.hand.throws() > 0),
            Task::new("Switch on gravity, lower the restitution, and let the bodies settle", has_settled),
            last,
        ]
    }

    fn legend(&self) -> Vec<(Color, &'static str)> {
        vec![(Color::VERMILION, "contact of the last moments"), (Color::YELLOW, "its normal")]
    }

    fn status(&self) -> Vec<String> {
        let Some(room) = &self.room else { return self.problem.iter().cloned().collect() };
        let mut lines = vec![self.about_contacts(room)];
        if let Some([all, gains]) = room.collisions() {
            lines.push(format!(
                "{all} collisions, {gains} of them left more energy than there was at the start"
            ));
        }
        lines.push(format!("energy {:.4} of that at the start", room.shares()[2]));
        match room.outside() {
            0 => {}
            1 => lines.push("1 body has left the room".to_owned()),
            count => lines.push(format!("{count} bodies have left the room")),
        }
        lines.extend(self.problem.iter().map(|problem| format!("stopped: {problem}; Backspace begins anew")));
        lines
    }

    fn keys(&self) -> Vec<[&'static str; 2]> {
        let mut keys = hand::KEYS.to_vec();
        keys.extend([
            ["click", "Push a body away from you"],
            ["T, R", "More and less drag"],
            ["G + Down, G + Up", "Gravity on and off"],
        ]);
        keys.extend(orbit::KEYS);
        keys
    }

    fn columns(&self) -> Option<&'static str> {
        Some(StepRow::HEADER)
    }

    fn rows(&mut self) -> Vec<String> {
        std::mem::take(&mut self.record.rows)
    }

    fn record(&mut self, on: bool) {
        self.record.is_on = on;
    }

    fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
        if let Some(room) = &mut self.room {
            room.set_clock(clock);
        }
    }
}

impl Boxes {
    fn about_contacts(&self, room: &Room) -> String {
        let Choice { response, faults, .. } = self.choice;
        if room.is_by_rule() {
            return format!("{} bodies, contact rule of 2007: {faults}", room.count());
        }
        format!("{} bodies, {response}, {}", room.count(), self.choice.detection().name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1.0 / 60.0;

    fn begun(entry: Entry) -> Box<dyn Demo> {
        let mut demo = (entry.make)();
        demo.begin().unwrap();
        demo
    }

    fn option(demo: &mut dyn Demo, name: &str) -> String {
        let values = crate::options::values(|visit| demo.options(visit));
        values.into_iter().find(|(known, _)| known == name).unwrap().1
    }

    #[test]
    fn keys_change_drag_and_gravity() {
        for entry in [CUBES, OBJECTS, FIGHTER] {
            let mut demo = begun(entry);
            (0..60).for_each(|_| demo.step(&Input::of_held(&[Key::T]), STEP));
            let drag: f64 = option(&mut *demo, "drag").parse().unwrap();
            assert!((drag - 0.5).abs() < 1e-9, "{drag}");
            (0..90).for_each(|_| demo.step(&Input::of_held(&[Key::R]), STEP));
            assert_eq!(option(&mut *demo, "drag"), "0");
            demo.step(&Input::of_held(&[Key::G, Key::ArrowDown]), STEP);
            assert_eq!(option(&mut *demo, "gravity"), "9.81");
            demo.step(&Input::of_held(&[Key::G, Key::ArrowUp]), 0.0);
            assert_eq!(option(&mut *demo, "gravity"), "0");
        }
    }

    #[test]
    fn every_choice_runs_and_says_what_it_is() {
        let mut demo = begun(OBJECTS);
        for response in sudar_classic::ALL_RESPONSES {
            for detection in ["static", "sampled", "bisected", "continuous"] {
                for (name, text) in [("response", response), ("detection", detection)] {
                    crate::options::assign(name, text, |visit| demo.options(visit)).unwrap();
                }
                demo.step(&Input::of_held(&[]), STEP);
                let first = demo.status().remove(0);
                assert!(first.contains(response), "{first}");
            }
        }
        assert!(demo.status().iter().all(|line| !line.starts_with("stopped")));
    }

    #[test]
    fn another_number_of_bodies_begins_anew() {
        let mut demo = begun(FIGHTER);
        crate::options::assign("bodies", "9", |visit| demo.options(visit)).unwrap();
        demo.step(&Input::of_held(&[]), STEP);
        assert!(demo.status()[0].starts_with("9 bodies"));
    }

    #[test]
    fn steps_are_written_down_in_the_columns_of_the_head() {
        let mut demo = begun(CUBES);
        demo.record(true);
        (0..3).for_each(|_| demo.step(&Input::of_held(&[]), STEP));
        let (head, rows) = (demo.columns().unwrap(), demo.rows());
        assert_eq!(rows.len(), 3);
        assert!(
            rows.iter().all(|row| row.split(',').count() == head.split(',').count() && row.ends_with('\n'))
        );
        assert!(demo.rows().is_empty());
    }
}
