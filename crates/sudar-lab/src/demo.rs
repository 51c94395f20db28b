//! What a demo is.

use egui::Key;
use sudar_classic::sources;
use sudar_view::{Color, Scene};

use crate::chart::Chart;
use crate::clock::Clock;
use crate::input::Input;
use crate::options::Visit;

/// A sentence that says why a demo cannot begin or a file cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoError(pub String);

impl std::fmt::Display for DemoError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl DemoError {
    /// Of any error.
    pub fn of(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// A thing to try in a demo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// What to do, in one short sentence.
    pub says: &'static str,
    /// Whether it is done at this moment; the laboratory remembers it.
    pub is_done: bool,
}

impl Task {
    /// A sentence, and whether it is done at this moment.
    pub const fn new(says: &'static str, is_done: bool) -> Self {
        Self { says, is_done }
    }
}

/// Words over the middle of the picture: a countdown, the end of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Banner {
    /// Large.
    pub title: String,
    /// Below it, smaller.
    pub lines: Vec<String>,
}

/// The plots of a demo.
pub enum Plots<'d> {
    /// Curves over the last seconds; none: no plots.
    Charts(Vec<&'d Chart>),
    /// A plot of its own.
    Own(Box<dyn FnOnce(&mut egui::Ui) + 'd>),
}

/// Names of buttons for either hand, and the keys that they hold.
pub type Hands = [&'static [(&'static str, Key)]; 2];

/// One program of the laboratory. It reads no clock but the one it is given, for measurements: equal options, inputs
/// and seconds make equal pictures.
pub trait Demo {
    /// Begins anew with its options as they are.
    ///
    /// # Errors
    /// [`DemoError`], shown in the window; then the demo is as it was.
    fn begin(&mut self) -> Result<(), DemoError>;

    /// Goes on by so many seconds, a sixtieth as a rule.
    fn step(&mut self, input: &Input, seconds: f64);

    /// Fills the picture of this moment, its camera too.
    fn draw(&mut self, scene: &mut Scene);

    /// Everything that can be chosen, by name: controls at the side, options of the command line, parts of a link.
    /// Changes hold from the next step.
    fn options(&mut self, visit: &mut dyn Visit);

    /// What there is at the side besides the options: buttons, figures, lists.
    fn ui(&mut self, _ui: &mut egui::Ui) {}

    /// Plots below the picture.
    fn plots(&self) -> Plots<'_> {
        Plots::Charts(Vec::new())
    }

    /// Three things to try.
    fn tasks(&self) -> [Task; 3];

    /// The colours of the picture, and their meaning in a few words.
    fn legend(&self) -> Vec<(Color, &'static str)> {
        Vec::new()
    }

    /// Words over the middle of the picture.
    fn banner(&self) -> Option<Banner> {
        None
    }

    /// The time of a game, large at the top of the picture.
    fn timer(&self) -> Option<String> {
        None
    }

    /// Lines in the corner of the picture: what is to be known at once.
    fn status(&self) -> Vec<String> {
        Vec::new()
    }

    /// Its keys and what they do, for the help.
    fn keys(&self) -> Vec<[&'static str; 2]>;

    /// Keys that are held to move, as buttons for fingers where there is no keyboard.
    fn hands(&self) -> Hands {
        [&[], &[]]
    }

    /// A file that was dropped onto the window.
    ///
    /// # Errors
    /// [`DemoError`] that says what is wrong with the file, or that this demo takes none.
    fn open(&mut self, name: &str, _bytes: &[u8]) -> Result<(), DemoError> {
        Err(DemoError(format!("{name}: this demo takes no files")))
    }

    /// A file that is to be written now: its name and its text.
    fn file(&mut self) -> Option<(&'static str, String)> {
        None
    }

    /// The names of the columns of what [`rows`](Self::rows) gives, with commas between them; `None` if nothing is
    /// recorded.
    fn columns(&self) -> Option<&'static str> {
        None
    }

    /// The rows of the steps since the last call, if [`record`](Self::record) is on.
    fn rows(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Begins or ends recording.
    fn record(&mut self, _on: bool) {}

    /// Whether the mouse is caught and turns the view without a button.
    fn catches_mouse(&self) -> bool {
        false
    }

    /// A clock to measure steps with.
    fn set_clock(&mut self, _clock: Clock) {}

    /// A best score to be kept from one day to the next.
    fn score(&self) -> Option<f64> {
        None
    }

    /// The best score of earlier days.
    fn set_best(&mut self, _score: f64) {}
}

/// A demo in the gallery.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// What the command line and links call it.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// One sentence that says what one sees.
    pub about: &'static str,
    /// Where it comes from; sources by their keys in braces.
    pub source: &'static str,
    /// Makes it, at no cost: worlds are built by [`Demo::begin`].
    pub make: fn() -> Box<dyn Demo>,
    /// Seconds after which its picture in the gallery is taken.
    pub picture_at: f64,
}

impl Entry {
    /// Where it comes from, in words.
    pub fn origin(&self) -> String {
        sources::spelled(self.source, sources::Source::name)
    }
}
