//! The explorer (Dimitrijević 2019, chapter 4): walk among boxes that bounce in a container, and watch every broad
//! phase follow them.

mod bodies;
mod crowd;
mod engine;
mod figures;
mod observer;
mod settings;
mod sweep;
#[cfg(test)]
mod tests;
mod work;

pub use settings::{ALGORITHMS, NONE};

use egui::Key;
use sudar::{Aabb, DVec3};
use sudar_scene::StepRow;
use sudar_view::{Color, Lamp, Scene};

use crate::chart::{self, Chart};
use crate::clock::Clock;
use crate::demo::{Demo, DemoError, Entry, Hands, Plots, Task};
use crate::demos::hand::{self, Hand};
use crate::demos::overlay;
use crate::input::Input;
use crate::options::Visit;
use bodies::Bodies;
use crowd::Crowd;
use engine::{Engine, draw_crowd};
use figures::Shown;
use observer::Observer;
use settings::Settings;
use work::Work;

pub const ENTRY: Entry = Entry {
    name: "explorer",
    title: "Explorer",
    about: "Walk among a thousand or a million boxes that bounce in a container, and watch fifteen broad phases follow them.",
    source: "{Dimitrijević 2019}, chapter 4",
    make: || Box::new(Explorer::new()),
    picture_at: 1.0,
};

/// More objects than this are drawn without shadows.
const MOST_SHADOWS: usize = 4000;

/// Steps of a measured time are no longer than this, in seconds.
const LONGEST: f64 = 0.5;

struct Explorer {
    settings: Settings,
    /// As they were at the last step.
    applied: Settings,
    engine: Engine,
    blocks: Vec<Aabb>,
    /// Where lamps hang besides those on blocks.
    hung: Vec<DVec3>,
    observer: Observer,
    hand: Hand<usize>,
    catches: bool,
    work: Work,
    /// Seconds of the last step, of filling the last picture, and from the picture before to that one: all of a frame.
    taken: [f64; 3],
    /// When the last picture was filled, and whether since the last step.
    drawn_at: f64,
    is_drawn: bool,
    step: u64,
    time: f64,
    started: f64,
    charts: [Chart; 4],
    clock: Clock,
    rows: Option<Vec<String>>,
    figure: Option<Shown>,
    problem: Option<String>,
}

impl Explorer {
    fn new() -> Self {
        Self {
            settings: Settings::default(),
            applied: Settings::default(),
            engine: Engine::Nothing,
            blocks: Vec::new(),
            hung: Vec::new(),
            observer: Observer::new(20.0),
            hand: Hand::default(),
            catches: false,
            work: Work::default(),
            taken: [0.0; 3],
            drawn_at: 0.0,
            is_drawn: false,
            step: 0,
            time: 0.0,
            started: 0.0,
            charts: [
                Chart::timed("time in ms", &["frame", "broad phase", "narrow", "rest"]),
                Chart::new("pairs", &["pairs"]),
                Chart::new("counters", &["tests", "visits", "swaps"]),
                Chart::new("memory in MB", &["MB"]),
            ],
            clock: Clock::default(),
            rows: None,
            figure: None,
            problem: None,
        }
    }

    fn room(&self) -> Aabb {
        let half = DVec3::splat(0.5 * self.applied.width());
        Aabb { min: -half, max: half }
    }

    /// Four pillars, on which lamps hang.
    fn place_blocks(&mut self) {
        let width = self.settings.width();
        let (side, half) = (0.03 * width, 0.5 * width);
        let pillar = |x: f64, y: f64| {
            let (min, max) =
                (DVec3::new(x - side, y - side, -half), DVec3::new(x + side, y + side, -0.2 * half));
            Aabb { min, max }
        };
        self.blocks = [[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]]
            .map(|[x, y]: [f64; 2]| pillar(x * half, y * half))
            .to_vec();
    }

    fn build(&mut self) -> Result<(), String> {
        self.place_blocks();
        // The old objects go before the new ones come, for their memory.
        self.engine = Engine::Nothing;
        self.engine = if self.settings.is_of_boxes() {
            let mut crowd = Crowd::new(&self.settings, &self.blocks);
            crowd.follow(&self.settings)?;
            Engine::Crowd(crowd)
        } else {
            Engine::Bodies(Box::new(Bodies::new(&self.settings, &self.blocks)?))
        };
        Ok(())
    }

    /// Lets changes of the options hold: as little is made anew as can be.
    fn apply(&mut self) {
        if self.settings == self.applied {
            return;
        }
        let (old, new) = (self.applied.clone(), self.settings.clone());
        self.applied = new.clone();
        // From standing still there is no way to go: then all begin anew.
        let speed = if old.speed > 0.0 { new.speed / old.speed } else { 1.0 };
        let size = new.size / old.size;
        let is_scaled = size != 1.0 || new.width() != old.width();
        let is_fresh = new.differs_in_objects(&old) || (old.speed == 0.0 && new.speed > 0.0);
        let result = match &mut self.engine {
            Engine::Crowd(crowd) if !is_fresh => {
                crowd.container.scale(size, speed);
                crowd.container.set_width(new.width());
                if new.differs_in_algorithm(&old) { crowd.follow(&new) } else { Ok(()) }
            }
            Engine::Bodies(bodies) if !is_fresh && !is_scaled && !new.differs_in_algorithm(&old) => {
                bodies.redirect(None, speed);
                bodies.set_rules(&new)
            }
            Engine::Nothing | Engine::Crowd(_) | Engine::Bodies(_) => self.build(),
        };
        self.problem = result.err();
    }

    fn advance(&mut self, seconds: f64) {
        let result = match &mut self.engine {
            Engine::Nothing => return,
            Engine::Crowd(crowd) => Ok(crowd.step(self.applied.resolution, seconds, self.clock)),
            Engine::Bodies(bodies) => bodies.step(seconds, self.clock),
        };
        match result {
            Ok(work) => self.work = work,
            Err(problem) => self.problem = Some(problem),
        }
        (self.step, self.time) = (self.step + 1, self.time + seconds);
    }

    fn note(&mut self) {
        let Work { pairs, counters, bytes, phases: [broad, narrow, rest] } = self.work;
        let frame = self.taken[2];
        self.charts[0].add(self.time, &[frame, broad, narrow, rest].map(|seconds| seconds * 1e3));
        self.charts[1].add(self.time, &[pairs as f64]);
        self.charts[2].add(self.time, &[counters.tests, counters.visits, counters.swaps].map(|n| n as f64));
        self.charts[3].add(self.time, &[bytes as f64 * 1e-6]);
        if self.rows.is_none() {
            return;
        }
        let choice = self.engine.choice();
        let row = StepRow {
            step: self.step,
            time: self.time,
            wall_time: self.clock.now() - self.started,
            objects: self.applied.count() as usize,
            size: self.applied.size,
            algorithm: &choice.algorithm,
            pairs,
            counters,
            bytes,
            phases: self.work.phases,
        }
        .to_string();
        self.rows.get_or_insert_default().push(row);
    }

    /// What the observer may meet.
    fn near(&self) -> Vec<Aabb> {
        let reach = self.observer.aabb().grown(2.0 * self.applied.size + 1.0);
        let meets = |aabb: &&Aabb| (reach.max.min(aabb.max) - reach.min.max(aabb.min)).min_element() >= 0.0;
        let mut near: Vec<Aabb> = self.blocks.iter().filter(meets).copied().collect();
        if let Engine::Crowd(crowd) = &self.engine {
            near.extend(crowd.boxes().iter().filter(meets));
        } else if self.applied.count() <= 2000 {
            near.extend(self.engine.boxes().iter().filter(meets));
        }
        near
    }

    fn gather(&mut self) {
        self.engine.gather(self.observer.at);
    }

    /// Hangs a lamp where the observer is, or takes all of these down.
    fn hang_lamp(&mut self) {
        if self.hung.len() + self.settings.lamps as usize >= 8 {
            self.hung.clear();
        } else {
            self.hung.push(self.observer.at);
        }
    }

    fn draw_overlays(&self, scene: &mut Scene) {
        let (shown, room) = (&self.applied, self.room());
        let boxes = if shown.boxes || shown.ends { self.engine.boxes() } else { Vec::new() };
        if shown.boxes {
            overlay::boxes(scene, &boxes);
        }
        if shown.ends {
            overlay::ends(scene, &boxes, &room);
        }
        if let Some(phase) = self.engine.phase().filter(|_| shown.cells) {
            overlay::cells(scene, &phase.cells(), shown.level, &room);
        }
        if shown.pairs {
            overlay::pairs(scene, self.engine.middles().into_iter());
        }
    }
}

/// Lamps on the blocks, then those that were hung.
fn lamps(blocks: &[Aabb], hung: &[DVec3], settings: &Settings) -> Vec<Lamp> {
    const COLORS: [[f32; 3]; 4] = [[1.0, 0.85, 0.6], [0.6, 0.8, 1.0], [0.7, 1.0, 0.8], [1.0, 0.7, 0.8]];
    let reach = 0.12 * settings.width();
    let on_blocks = blocks.iter().flat_map(|block| {
        let top = DVec3::new(block.center().x, block.center().y, block.max.z + 0.03 * reach);
        [top, top + DVec3::Z * 2.5 * reach]
    });
    let places = on_blocks.take(settings.lamps as usize).chain(hung.iter().copied());
    places.zip(COLORS.iter().cycle()).take(8).map(|(at, color)| Lamp { at, reach, color: *color }).collect()
}

impl Demo for Explorer {
    fn begin(&mut self) -> Result<(), DemoError> {
        self.applied = self.settings.clone();
        self.observer = Observer::new(self.settings.width());
        (self.step, self.time, self.work, self.problem) = (0, 0.0, Work::default(), None);
        self.started = self.clock.now();
        self.drawn_at = self.started;
        self.charts.iter_mut().for_each(Chart::clear);
        self.hung.clear();
        self.build().map_err(DemoError)
    }

    fn step(&mut self, input: &Input, seconds: f64) {
        self.apply();
        self.catches ^= input.toggles(Key::M);
        if input.is_struck(Key::T) {
            self.gather();
        }
        (0..input.strikes(Key::L)).for_each(|_| self.hang_lamp());
        // While a figure is measured nothing is held.
        let camera = self.observer.camera();
        let is_holding =
            self.figure.is_none() && self.hand.act(&input.pointer, &camera, &mut self.engine, seconds);
        let near = self.near();
        self.observer.step(input, is_holding, seconds, self.applied.width(), &near);
        let is_drawn = std::mem::take(&mut self.is_drawn);
        if let Some(shown) = &mut self.figure {
            shown.step(self.clock, is_drawn.then_some(self.taken[2]));
            return;
        }
        if seconds <= 0.0 {
            return;
        }
        let last = self.taken[0] + self.taken[1];
        let seconds = if self.applied.time_step == "measured" { last.clamp(1e-4, LONGEST) } else { seconds };
        let clock = self.clock;
        let ((), taken) = clock.timed(|| self.advance(seconds));
        self.taken[0] = taken;
        self.note();
    }

    fn draw(&mut self, scene: &mut Scene) {
        let start = self.clock.now();
        // From picture to picture, so that what the graphics card takes counts too.
        (self.taken[2], self.drawn_at) = (start - self.drawn_at, start);
        self.is_drawn = true;
        scene.camera = self.observer.camera();
        scene.lamps = lamps(&self.blocks, &self.hung, &self.applied);
        scene.fog = 1.6 * self.applied.width();
        let room = self.room();
        overlay::room(scene, &room);
        self.blocks.iter().for_each(|block| scene.aabb(block, Color::STONE));
        scene.lamps.clone().iter().for_each(|lamp| scene.dot(lamp.at, 6.0, Color::rgb(255, 240, 200)));
        if let Some(crowd) = self.figure.as_ref().and_then(Shown::crowd) {
            draw_crowd(scene, crowd);
        } else if self.applied.drawing {
            self.engine.draw(scene);
        }
        self.draw_overlays(scene);
        self.hand.draw(scene);
        if scene.solids() < MOST_SHADOWS {
            scene.sun.shadows = Some((DVec3::ZERO, 0.87 * self.applied.width()));
        }
        self.taken[1] = self.clock.now() - start;
    }

    fn options(&mut self, visit: &mut dyn Visit) {
        self.settings.visit(visit);
    }

    fn ui(&mut self, ui: &mut egui::Ui) {
        ui.horizontal_wrapped(|ui| {
            if ui.button("All toward me").on_hover_text("T").clicked() {
                self.gather();
            }
            if ui.button("Hang a lamp here").on_hover_text("L; after the eighth all are taken down").clicked()
            {
                self.hang_lamp();
            }
        });
        ui.add_space(6.0);
        ui.label(format!("Broad phase: {}", self.engine.choice().reason));
        if let Some(problem) = &self.problem {
            ui.colored_label(chart::of(Color::ORANGE), problem);
        }
        ui.separator();
        figures::choose(ui, &mut self.figure);
    }

    fn plots(&self) -> Plots<'_> {
        match &self.figure {
            Some(shown) => Plots::Own(Box::new(|ui| figures::show(ui, shown))),
            None => Plots::Charts(self.charts.iter().collect()),
        }
    }

    fn tasks(&self) -> [Task; 3] {
        let shown = &self.applied;
        let is_octree = shown.algorithm.starts_with("octree") && shown.cells;
        let is_many = self.work.pairs > 0 && shown.count() >= 100_000;
        [
            Task::new("Take hold of a box with the mouse, and throw it", self.hand.throws() > 0),
            Task::new("Let an octree do the work, and draw its cells", is_octree),
            Task::new("Let 100 000 boxes bounce", is_many),
        ]
    }

    fn legend(&self) -> Vec<(Color, &'static str)> {
        let shown = &self.applied;
        let mut colors =
            vec![(Color::SKY, "boxes that overlap no other"), (Color::VERMILION, "boxes that overlap")];
        for (is_on, color, says) in [
            (shown.boxes, Color::YELLOW, "box that the broad phase sees"),
            (shown.cells, Color::GREEN, "cell or node"),
            (shown.ends, Color::SKY, "a box begins on the axis"),
            (shown.ends, Color::ORANGE, "a box ends on the axis"),
        ] {
            colors.extend(is_on.then_some((color, says)));
        }
        colors
    }

    fn status(&self) -> Vec<String> {
        let (count, wanted) = (self.applied.count(), self.applied.objects);
        let mut lines = vec![format!(
            "{count} objects of {:.2} m, {:.1} m/s, in {:.0} m; resolution {}",
            self.applied.size,
            self.applied.speed,
            self.applied.width(),
            self.applied.resolution
        )];
        if count < wanted {
            lines.push(format!("{wanted} objects are too many for these choices: {count} are used"));
        }
        lines.push(format!("{}, {} pairs", self.engine.choice().reason, self.work.pairs));
        if self.clock.0.is_some() {
            let [step, picture, frame] = self.taken;
            let rate = 1.0 / frame.max(1e-4);
            let [step, picture] = [step, picture].map(|seconds| seconds * 1e3);
            lines.push(format!("{rate:.0} frames a second; step {step:.2} ms, picture {picture:.2} ms"));
        }
        lines
    }

    fn keys(&self) -> Vec<[&'static str; 2]> {
        let mut keys = vec![
            ["W S A D", "Walk ahead, back, left, right"],
            ["E Q", "Up, down"],
            ["Shift", "Faster"],
            ["drag, right drag", "Look around"],
            ["M", "Catch the mouse to look around, or let it go"],
            ["T", "All objects toward me"],
            ["L", "Hang a lamp here"],
        ];
        keys.extend(hand::KEYS);
        keys
    }

    fn hands(&self) -> Hands {
        [
            &[("ahead", Key::W), ("back", Key::S), ("left", Key::A), ("right", Key::D)],
            &[("up", Key::E), ("down", Key::Q)],
        ]
    }

    fn catches_mouse(&self) -> bool {
        self.catches
    }

    fn columns(&self) -> Option<&'static str> {
        Some(StepRow::HEADER)
    }

    fn rows(&mut self) -> Vec<String> {
        self.rows.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn record(&mut self, on: bool) {
        self.rows = on.then(Vec::new);
    }

    fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }
}
