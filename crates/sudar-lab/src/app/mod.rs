//! The program around the demos.

mod bar;
mod gallery;
mod help;
mod link;
mod pace;
mod pad;
mod settings;
mod tasks;
mod tour;

pub use link::{Link, LinkError};

use egui::{Key, Panel};

use crate::chart;
use crate::clock::Clock;
use crate::demo::{Demo, DemoError, Entry, Plots};
use crate::demos;
use crate::input::Input;
use crate::options::{self, Controls};
use crate::{signs, stage};
use gallery::Gallery;
use pace::{Pace, STEP};
use pad::Pad;
use settings::Settings;
use tasks::Tasks;
use tour::{Tour, Wish};

/// A window narrower than this, in points, shows the picture first and the options on demand.
const NARROW: f32 = 640.0;

/// More steps than this are not made up for in one frame: then a slow machine shows slow motion.
const MOST_STEPS: u32 = 4;

/// The laboratory: what its window shows, and what happens in it. Time comes with the input of `egui`.
pub struct Lab {
    gallery: Gallery,
    open: Option<Open>,
    tour: Option<Tour>,
    settings: Settings,
    clock: Clock,
    input: Input,
    pad: Pad,
    message: Option<String>,
    is_help_shown: bool,
    are_panels_hidden: bool,
    /// Whether the options are beside the picture; `None`: where there is room for both.
    has_options: Option<bool>,
    rows: Vec<String>,
    /// The demo whose steps are recorded.
    recorded: Option<&'static str>,
    is_mouse_caught: bool,
    /// Steps of demos so far.
    steps: u64,
}

/// A demo that is open.
struct Open {
    entry: Entry,
    demo: Box<dyn Demo>,
    pace: Pace,
    tasks: Tasks,
    /// Whether a link said what is chosen.
    is_told: bool,
}

impl std::fmt::Debug for Lab {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lab")
            .field("open", &self.open.as_ref().map(|open| open.entry.name))
            .finish_non_exhaustive()
    }
}

impl Default for Lab {
    fn default() -> Self {
        Self::new(Clock::default())
    }
}

impl Lab {
    /// The gallery, with a clock to measure by.
    pub fn new(clock: Clock) -> Self {
        Self {
            gallery: Gallery::default(),
            open: None,
            tour: None,
            settings: Settings::default(),
            clock,
            input: Input::of_keys(&[]),
            pad: Pad::default(),
            message: None,
            is_help_shown: false,
            are_panels_hidden: false,
            has_options: None,
            rows: Vec::new(),
            recorded: None,
            is_mouse_caught: false,
            steps: 0,
        }
    }

    /// Opens what a link names, with its options and no others; one by its name alone as it was left.
    ///
    /// # Errors
    /// [`LinkError`]; then nothing is opened.
    pub fn go(&mut self, link: &Link) -> Result<(), LinkError> {
        self.open(link, |wrong| Err(LinkError::Option(wrong)))
    }

    /// The same for a link that a page was opened with: options that do not fit are left out, and said.
    ///
    /// # Errors
    /// [`LinkError`] where there is no such demo, or it cannot begin; then nothing is opened.
    pub fn go_as_far(&mut self, link: &Link) -> Result<(), LinkError> {
        let mut left_out = Vec::new();
        self.open(link, |wrong| {
            left_out.push(wrong);
            Ok(())
        })?;
        if !left_out.is_empty() {
            self.say(format!("The link was followed but for what does not fit: {}.", left_out.join("; ")));
        }
        Ok(())
    }

    fn open(
        &mut self,
        link: &Link,
        mut refuse: impl FnMut(String) -> Result<(), LinkError>,
    ) -> Result<(), LinkError> {
        let Some(name) = &link.demo else {
            self.open = None;
            return Ok(());
        };
        let entry = demos::by_name(name).ok_or_else(|| LinkError::Demo(name.clone()))?;
        let mut demo = (entry.make)();
        demo.set_clock(self.clock);
        let is_told = !link.options.is_empty();
        for (option, value) in self.settings.options(name).iter().filter(|_| !is_told) {
            // An option of an earlier version may be unknown today.
            let _ = options::assign(option, value, |visit| demo.options(visit));
        }
        for (option, value) in &link.options {
            options::assign(option, value, |visit| demo.options(visit)).or_else(&mut refuse)?;
        }
        if let Some(best) = self.settings.best(name) {
            demo.set_best(best);
        }
        demo.begin().map_err(|error| LinkError::Begin(error.0))?;
        demo.record(self.recorded == Some(entry.name));
        let tasks = Tasks::new(self.settings.done(name));
        self.open = Some(Open { entry: *entry, demo, pace: Pace::default(), tasks, is_told });
        self.is_help_shown = false;
        Ok(())
    }

    /// Begins the tour of a minute through the demos.
    pub fn begin_tour(&mut self) {
        self.settings.has_toured = true;
        self.tour = Some(Tour::default());
    }

    /// The same for a visitor who has not seen it.
    pub fn greet(&mut self) {
        if !self.settings.has_toured {
            self.begin_tour();
        }
    }

    /// What is open, with all that its options say; during the tour nothing.
    pub fn link(&mut self) -> Link {
        if self.tour.is_some() {
            return Link::default();
        }
        let Some(open) = &mut self.open else { return Link::default() };
        let fresh = options::values(|visit| (open.entry.make)().options(visit));
        let mut options = options::values(|visit| open.demo.options(visit));
        options.retain(|option| !fresh.contains(option));
        Link { demo: Some(open.entry.name.to_owned()), options }
    }

    /// The name of the demo that is open.
    pub fn name(&self) -> Option<&'static str> {
        self.open.as_ref().map(|open| open.entry.name)
    }

    /// The demo that is open.
    pub fn demo(&mut self) -> Option<&mut dyn Demo> {
        self.open.as_mut().map(|open| &mut *open.demo as &mut dyn Demo)
    }

    /// Shows a sentence until it is closed.
    pub fn say(&mut self, message: impl Into<String>) {
        self.message = Some(message.into());
    }

    /// Steps of demos so far: for those who measure.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Hides everything but the picture, for pictures.
    pub fn hide_panels(&mut self, hidden: bool) {
        self.are_panels_hidden = hidden;
    }

    /// Begins to record steps of the demo that is open; the head of the table, with every option in a line before the
    /// names of the columns, or `None` if nothing is recorded of it.
    pub fn record(&mut self) -> Option<String> {
        let open = self.open.as_mut()?;
        let (name, columns) = (open.entry.name, open.demo.columns()?);
        open.demo.record(true);
        self.recorded = Some(name);
        let values = options::values(|visit| open.demo.options(visit));
        let values: Vec<String> = values.into_iter().map(|(name, value)| format!("{name} {value}")).collect();
        Some(format!("# sudar-lab {}; {name}; {}\n{columns}\n", env!("CARGO_PKG_VERSION"), values.join("; ")))
    }

    /// Rows of the steps since the last call.
    pub fn rows(&mut self) -> Vec<String> {
        std::mem::take(&mut self.rows)
    }

    /// What is to be kept until the next time, as text.
    pub fn keep(&mut self) -> String {
        self.remember();
        self.settings.text()
    }

    /// Takes over what was kept; text that is none is passed over. A demo that was opened by its name alone begins anew
    /// with it, unless its steps are recorded.
    pub fn recall(&mut self, text: &str) {
        self.settings = Settings::read(text);
        if self.tour.is_some() {
            return;
        }
        let Some(open) = &mut self.open else { return };
        let name = open.entry.name;
        open.tasks = Tasks::new(self.settings.done(name));
        if let Some(best) = self.settings.best(name) {
            open.demo.set_best(best);
        }
        if !open.is_told && self.recorded.is_none() {
            // What has begun stays where this cannot begin.
            let _ = self.go(&Link { demo: Some(name.to_owned()), options: Vec::new() });
        }
    }

    /// A file that was dropped.
    pub fn open_file(&mut self, name: &str, bytes: &[u8]) {
        let refused = match &mut self.open {
            Some(open) => open.demo.open(name, bytes).err(),
            None => {
                Some(DemoError(format!("{name}: open a demo that takes files first, the pair microscope")))
            }
        };
        if let Some(error) = refused {
            self.say(error.0);
        }
    }

    /// A file that the demo wants to be written: its name and its text.
    pub fn file(&mut self) -> Option<(&'static str, String)> {
        self.open.as_mut()?.demo.file()
    }

    /// One frame of the window.
    pub fn frame(&mut self, ui: &mut egui::Ui) {
        self.keys(ui);
        let passed = f64::from(ui.input(|state| state.unstable_dt)).clamp(0.0, 0.25);
        self.guide(passed);
        if self.open.is_some() {
            self.advance(passed);
            self.show_demo(ui);
        } else {
            match gallery::show(ui, &mut self.gallery, &mut self.input, passed) {
                Some(gallery::Chosen::Tour) => self.begin_tour(),
                Some(gallery::Chosen::Demo(name)) => {
                    self.visit(&Link { demo: Some(name.to_owned()), options: Vec::new() });
                }
                None => {}
            }
        }
        if self.is_help_shown {
            let keys = self.open.as_ref().map(|open| (open.entry, open.demo.keys()));
            self.is_help_shown = help::show(ui.ctx(), keys);
        }
        self.show_message(ui.ctx());
        ui.ctx().request_repaint();
    }

    /// Opens what a link names, or says why not.
    fn visit(&mut self, link: &Link) {
        if let Err(error) = self.go(link) {
            self.say(error.to_string());
        }
    }

    /// Goes on with the tour.
    fn guide(&mut self, passed: f64) {
        let Some(tour) = &mut self.tour else { return };
        let wish = tour.advance(passed, &self.input);
        // The demo gets no keys but those of the tour.
        self.input.release();
        Tour::turn(&mut self.input, passed);
        self.follow(wish);
    }

    fn follow(&mut self, wish: Wish) {
        match wish {
            Wish::Same => {}
            Wish::Open(stop) => self.visit(&Link::read(stop.link)),
            Wish::Stay => self.tour = None,
            Wish::End => {
                (self.tour, self.open) = (None, None);
                self.input = Input::of_keys(&[]);
            }
        }
    }

    fn keys(&mut self, ui: &egui::Ui) {
        let is_typing = ui.ctx().text_edit_focused();
        if is_typing {
            self.input.release();
            return;
        }
        ui.input(|state| {
            self.input.read_keys(state);
            self.pad.read(&state.events, &mut self.input);
        });
        if self.tour.is_some() {
            return;
        }
        let [help, alone, pause] = [Key::F1, Key::F11, Key::P].map(|key| self.input.toggles(key));
        self.is_help_shown ^= help ^ (self.open.is_some() && self.input.toggles(Key::H));
        self.are_panels_hidden ^= alone;
        // A list that is open closes itself.
        if !egui::Popup::is_any_open(ui.ctx()) {
            (0..self.input.strikes(Key::Escape)).for_each(|_| self.escape());
        }
        if self.input.is_struck(Key::Backspace) {
            self.restart();
        }
        if let Some(open) = &mut self.open {
            open.pace.is_paused ^= pause;
            let singles = self.input.strikes(Key::Period) as u32;
            open.pace.is_paused |= singles > 0;
            open.pace.single += singles;
        }
    }

    /// Closes what is in front: help and message, then the demo.
    fn escape(&mut self) {
        if self.is_help_shown || self.message.is_some() {
            (self.is_help_shown, self.message) = (false, None);
        } else if self.open.is_some() {
            self.close();
        }
    }

    fn restart(&mut self) {
        let Some(open) = &mut self.open else { return };
        if let Err(error) = open.demo.begin() {
            self.say(error.0);
        }
    }

    /// Back to the gallery.
    fn close(&mut self) {
        self.remember();
        self.open = None;
        self.input = Input::of_keys(&[]);
        self.pad.hide();
    }

    fn remember(&mut self) {
        // What the tour chose nobody wants to find again.
        if self.tour.is_some() {
            return;
        }
        let link = self.link();
        let Some(open) = &self.open else { return };
        self.settings.set_options(open.entry.name, link.options);
        self.settings.set_done(open.entry.name, open.tasks.done);
        if let Some(score) = open.demo.score() {
            self.settings.set_best(open.entry.name, score);
        }
    }

    fn advance(&mut self, passed: f64) {
        let Some(open) = &mut self.open else { return };
        let pace = &mut open.pace;
        let mut steps = std::mem::take(&mut pace.single).min(MOST_STEPS);
        if !pace.is_paused {
            pace.left += passed * pace.speed;
            // A frame of a sixtieth, measured a little short, is one step too.
            steps += ((pace.left / STEP + 0.02) as u32).min(MOST_STEPS);
            // After a frame that took long the next ones make up for it, as far as that is no burden.
            pace.left = (pace.left - f64::from(steps) * STEP).clamp(0.0, f64::from(MOST_STEPS) * STEP);
        }
        for _ in 0..steps {
            open.demo.step(&self.input, STEP);
            self.input.pass();
            open.tasks.note(&*open.demo);
        }
        self.steps += u64::from(steps);
        if self.recorded.is_some() {
            self.rows.extend(open.demo.rows());
        }
        if pace_is_still(&open.pace) {
            // What is struck while everything stands still acts on the options alone.
            open.demo.step(&self.input, 0.0);
            self.input.pass();
            open.tasks.note(&*open.demo);
        }
    }

    fn show_demo(&mut self, ui: &mut egui::Ui) {
        let is_bare = self.are_panels_hidden || self.tour.is_some();
        let wanted = if is_bare { bar::Wanted::default() } else { self.bar(ui) };
        let is_narrow = ui.ctx().content_rect().width() < NARROW;
        if wanted.options {
            self.has_options = Some(!self.has_options.unwrap_or(!is_narrow));
        }
        let Some(open) = &mut self.open else { return };
        if !is_bare && self.has_options.unwrap_or(!is_narrow) {
            Panel::left("options").default_size(270.0).resizable(true).show(ui, |ui| {
                egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                    ui.label(open.entry.about);
                    open.tasks.show(ui, &*open.demo);
                    open.demo.options(&mut Controls::new(ui));
                    ui.separator();
                    open.demo.ui(ui);
                });
            });
        }
        if !is_bare {
            plots(ui, &*open.demo, self.clock);
        }
        let mut guided = Wish::Same;
        egui::CentralPanel::no_frame().show(ui, |ui| {
            let rect = ui.available_rect_before_wrap();
            stage::show(ui, &mut *open.demo, &mut self.input);
            if let Some(tour) = &self.tour {
                guided = tour.show(ui, rect);
            }
            self.pad.show(ui, rect, open.demo.hands());
            if !is_bare {
                signs::show(ui, rect, &*open.demo);
            }
        });
        self.catch_mouse(ui.ctx());
        self.follow(guided);
        if wanted.restart {
            self.restart();
        }
        if wanted.gallery {
            self.close();
        }
        self.is_help_shown |= wanted.help;
    }

    /// Holds the mouse within the window and hides it as long as the demo wants that.
    fn catch_mouse(&mut self, ctx: &egui::Context) {
        let wanted = self.open.as_ref().is_some_and(|open| open.demo.catches_mouse());
        if wanted != self.is_mouse_caught {
            self.is_mouse_caught = wanted;
            let grab = if wanted { egui::CursorGrab::Locked } else { egui::CursorGrab::None };
            ctx.send_viewport_cmd(egui::ViewportCommand::CursorGrab(grab));
            ctx.send_viewport_cmd(egui::ViewportCommand::CursorVisible(!wanted));
        }
    }

    fn bar(&mut self, ui: &mut egui::Ui) -> bar::Wanted {
        let Some(open) = &mut self.open else { return bar::Wanted::default() };
        Panel::top("bar").show(ui, |ui| bar::show(ui, &open.entry, &mut open.pace)).inner
    }

    fn show_message(&mut self, ctx: &egui::Context) {
        let Some(message) = &self.message else { return };
        let mut is_open = true;
        egui::Window::new("Message")
            .collapsible(false)
            .resizable(false)
            .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
            .show(ctx, |ui| {
                ui.label(message);
                is_open = !ui.button("Close").clicked();
            });
        if !is_open {
            self.message = None;
        }
    }
}

/// Plots below the picture, if there are any.
fn plots(ui: &mut egui::Ui, demo: &dyn Demo, clock: Clock) {
    let panel = Panel::bottom("plots").resizable(true);
    match demo.plots() {
        Plots::Own(plot) => drop(panel.show(ui, plot)),
        Plots::Charts(mut charts) => {
            charts.retain(|chart| chart.is_shown(clock.0.is_some()));
            if !charts.is_empty() {
                panel.show(ui, |ui| chart::row(ui, &charts));
            }
        }
    }
}

fn pace_is_still(pace: &Pace) -> bool {
    pace.is_paused
}
