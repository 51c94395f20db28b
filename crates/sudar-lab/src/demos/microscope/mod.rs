//! The pair microscope: two bodies, and everything that is known about them.

mod answers;
mod desk;
mod difference;
mod features;
mod files;
mod gizmo;
mod hands;
mod line;
mod model;
mod panel;
mod picture;
mod settings;
mod stand;
mod trees;
mod window;

use egui::{Key, TextEdit};
use sudar_view::{Color, Scene};

use crate::demo::{Demo, DemoError, Entry, Task};
use crate::demos::orbit;
use crate::input::Input;
use crate::options::Visit;
use desk::Desk;
use files::Dropped;
use hands::Hands;
use model::FILE;
use settings::Settings;
use window::Window;

pub const ENTRY: Entry = Entry {
    name: "microscope",
    title: "Pair microscope",
    about: "Two bodies under every query, in the trees of every system, and their difference step by step. Drag the \
            arrows and rings; drop model files.",
    source: "{Daneu 2002}, chapters 2 and 3; {Huotari 2011}, chapters 4 to 6",
    make: || Box::new(Microscope::new()),
    picture_at: 0.1,
};

/// A longer line is copied, and not shown.
const LONGEST: usize = 4000;

struct Microscope {
    settings: Settings,
    desk: Option<Desk>,
    hands: Hands,
    window: Window,
    /// How many files were dropped: the first is a, the second b, and so on.
    dropped: usize,
    /// The line of the text field, and what is wrong with it.
    line: String,
    message: String,
    /// A line that is to be saved.
    saved: Option<String>,
}

impl Microscope {
    fn new() -> Self {
        Self {
            settings: Settings::default(),
            desk: None,
            hands: Hands::new(),
            window: Window::new(),
            dropped: 0,
            line: String::new(),
            message: String::new(),
            saved: None,
        }
    }

    fn load(&mut self, text: &str) -> Result<(), DemoError> {
        let loaded = line::read(text)?;
        if let Some(desk) = &mut self.desk {
            desk.load(loaded, &mut self.settings);
            desk.refresh(&self.settings);
            self.window = Window::new();
        }
        Ok(())
    }

    /// The line of the question that is chosen, of the bodies as they stand.
    fn write(&self) -> Result<String, DemoError> {
        let Some(desk) = &self.desk else { return Ok(String::new()) };
        let poses = [&desk.poses[0], &desk.poses[1]];
        let end = self.settings.end.pose();
        line::write(self.settings.query, desk.models(), poses, &end, self.settings.shown.reach)
    }

    fn save(&mut self) {
        (self.saved, self.message) = match self.write() {
            Ok(text) => (Some(text + "\n"), String::new()),
            Err(error) => (None, error.0),
        };
    }

    fn show_line(&mut self, ui: &mut egui::Ui) {
        ui.separator();
        ui.strong("Line of replay");
        ui.add(
            TextEdit::singleline(&mut self.line).hint_text("Paste a line here").desired_width(f32::INFINITY),
        );
        ui.horizontal(|ui| {
            if ui.button("Copy line").clicked() {
                self.message = match self.write() {
                    Ok(text) => {
                        let length = text.len();
                        ui.ctx().copy_text(text.clone());
                        self.line = if length <= LONGEST { text } else { String::new() };
                        format!("Copied: {length} characters")
                    }
                    Err(error) => error.0,
                };
            }
            if ui.button("Save line").on_hover_text("S").clicked() {
                self.save();
            }
            if ui.button("Load line").clicked() {
                let text = std::mem::take(&mut self.line);
                self.message = match self.load(&text) {
                    Ok(()) => "Loaded".to_owned(),
                    Err(error) => error.0,
                };
                self.line = text;
            }
        });
        if !self.message.is_empty() {
            ui.label(&self.message);
        }
        ui.weak("Drop a model: it becomes A, the next one B. Drop a .jsonl file: its first line is loaded.");
    }
}

impl Demo for Microscope {
    fn begin(&mut self) -> Result<(), DemoError> {
        self.desk = Some(Desk::new(&self.settings)?);
        (self.hands, self.window) = (Hands::new(), Window::new());
        Ok(())
    }

    fn step(&mut self, input: &Input, seconds: f64) {
        let Some(desk) = &mut self.desk else { return };
        self.hands.act(input, &mut self.settings, desk, seconds);
        desk.refresh(&self.settings);
        if input.is_struck(Key::S) {
            self.save();
        }
    }

    fn draw(&mut self, scene: &mut Scene) {
        if let Some(desk) = &self.desk {
            picture::draw(desk, &mut self.settings, &self.hands, scene);
        }
    }

    fn options(&mut self, visit: &mut dyn Visit) {
        self.settings.visit(visit);
    }

    fn tasks(&self) -> [Task; 3] {
        let (settings, desk) = (&self.settings, self.desk.as_ref());
        let is_met = desk.is_some_and(|desk| !desk.answers.curve.is_empty());
        let rounds = desk.map_or(0, hands::rounds);
        [
            Task::new("Drag b by its arrows until the curve appears in which they meet", is_met),
            Task::new(
                "Choose a system under Trees, and walk through ten pairs of its search (N)",
                settings.walks && settings.visit >= 10,
            ),
            Task::new(
                "Show the difference (D), and go to the last round of GJK (K)",
                settings.difference && rounds > 1 && settings.round == rounds,
            ),
        ]
    }

    fn legend(&self) -> Vec<(Color, &'static str)> {
        let shown = &self.settings.shown;
        let mut colors = vec![(picture::COLORS[0], "body A"), (picture::COLORS[1], "body B")];
        for (is_on, color, says) in [
            (shown.contacts || shown.first, Color::VERMILION, "triangles that meet"),
            (shown.contacts, Color::YELLOW, "the curve in which they do"),
            (shown.distance, Color::WHITE, "nearest points"),
            (shown.minima || shown.plane || shown.manifold, Color::GREEN, "minima, plane, manifold"),
            (shown.penetration, Color::PURPLE, "way out"),
            (self.settings.features, Color::WHITE.faded(0.6), "features and their Voronoi regions"),
            (shown.impact, Color::YELLOW.mix(Color::WHITE, 0.4), "B where it first meets A"),
        ] {
            colors.extend(is_on.then_some((color, says)));
        }
        colors
    }

    fn ui(&mut self, ui: &mut egui::Ui) {
        if let Some(desk) = &self.desk {
            panel::show(ui, desk, &mut self.settings);
            if let Some(shown) = desk.difference.as_ref().filter(|_| self.settings.difference) {
                self.window.show(ui.ctx(), shown, self.settings.round);
            }
        }
        self.show_line(ui);
    }

    fn status(&self) -> Vec<String> {
        let Some(desk) = &self.desk else { return Vec::new() };
        let first = |text: String| text.replace('\n', " ");
        let answers = panel::lines(&desk.answers).into_iter();
        let answers = answers.map(|[what, says]| format!("{what}: {}", first(says)));
        let features = desk.features.iter().flat_map(|walk| walk.lines(self.settings.pair));
        answers.chain(panel::walk_lines(desk, &self.settings)).chain(features).collect()
    }

    fn keys(&self) -> Vec<[&'static str; 2]> {
        let mut keys = vec![
            ["drag an arrow", "Move the body along it"],
            ["drag a ring", "Turn the body about its axis"],
            ["Tab", "Handles of a, of b, of the end of b's way, or none"],
            ["arrows, Page Up/Down", "Move the body in x, y and z; with Shift turn it"],
            ["Space", "Let b go to its end and back"],
            ["1 to 8", "Show answers: first hit, contacts, distance, ... impact"],
            ["N, B", "The next and the last pair of nodes of a search"],
            ["D", "Show the difference A - B"],
            ["K, J", "The next and the last round in the difference"],
            ["F", "Show the walk of Lin and Canny from feature to feature"],
            ["X, Z", "The next and the last pair of features"],
            ["S", "Save the pair and the question as a line of replay"],
        ];
        keys.extend(orbit::KEYS);
        keys
    }

    fn file(&mut self) -> Option<(&'static str, String)> {
        Some(("pair.jsonl", self.saved.take()?))
    }

    fn open(&mut self, name: &str, bytes: &[u8]) -> Result<(), DemoError> {
        match files::read(name, bytes)? {
            Dropped::Line(line) => self.load(&line).map_err(|error| DemoError(format!("{name}: {error}"))),
            Dropped::Model(model) => {
                let side = self.dropped % 2;
                if let Some(desk) = &mut self.desk {
                    self.dropped += 1;
                    desk.put(side, *model);
                    self.settings.models[side] = FILE;
                    desk.refresh(&self.settings);
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun() -> Microscope {
        let mut demo = Microscope::new();
        demo.begin().unwrap();
        demo
    }

    const TETRAHEDRON: &[u8] = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

    #[test]
    fn the_first_file_is_a_and_the_second_b() {
        let mut demo = begun();
        demo.open("one.obj", TETRAHEDRON).unwrap();
        demo.open("two.obj", TETRAHEDRON).unwrap();
        let names = demo.desk.as_ref().unwrap().models().map(|model| model.name.clone());
        assert_eq!(names, ["one", "two"]);
        let refused = demo.open("three.obj", b"what").unwrap_err();
        assert!(refused.0.starts_with("three.obj") && !refused.0.contains('\n'));
        demo.open("four.obj", TETRAHEDRON).unwrap();
        assert_eq!(demo.desk.as_ref().unwrap().models()[0].name, "four");
    }

    #[test]
    fn a_file_of_queries_is_loaded_and_written_again() {
        let mut demo = begun();
        let line = r#"{"query":"distance","a":{"sphere":1.0},"b":{"box":[1.0,1.0,1.0]},"pose_b":{"translation":[50.0,0.0,0.0]}}"#;
        demo.open("q.jsonl", line.as_bytes()).unwrap();
        let desk = demo.desk.as_ref().unwrap();
        assert!(desk.answers.distance.unwrap().interval.contains(48.0));
        assert_eq!(demo.settings.span, 100.0);
        let written = demo.write().unwrap();
        assert!(written.starts_with(r#"{"query":"distance","a":{"sphere":1.0},"b":{"box":[1.0,1.0,1.0]}"#));
        assert!(demo.load("nonsense").is_err());
        demo.step(&Input::of_keys(&[Key::S]), 0.0);
        assert_eq!(demo.file(), Some(("pair.jsonl", written + "\n")));
        assert_eq!(demo.file(), None);
    }

    #[test]
    fn keys_show_and_hide_answers_while_time_stands_still() {
        let mut demo = begun();
        assert!(demo.desk.as_ref().unwrap().answers.penetration.is_none());
        demo.step(&Input::of_keys(&[Key::Num7, Key::D]), 0.0);
        let desk = demo.desk.as_ref().unwrap();
        assert!(desk.answers.penetration.is_some() && desk.difference.is_some());
        assert!(demo.status().iter().any(|line| line.starts_with("penetration")));
    }
}
