//! How much is measured, and what it comes to.

use std::fmt;
use std::time::Instant;

use crate::output::figure::Figure;
pub use crate::output::file::File;
pub(crate) use crate::output::file::Result;
use crate::output::finding::Finding;
use crate::output::sheet::Sheet;

/// An error with this message unless the condition holds.
pub(crate) fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<()> {
    if holds { Ok(()) } else { Err(message().into()) }
}

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// A few seconds; figures and tables say so.
    Quick,
    /// Some minutes.
    Usual,
    /// Up to a million boxes in the experiments with broad phases, a second a frame.
    Full,
}

/// How much is measured, and who hears of it meanwhile.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    size: Size,
    tell: &'a dyn Fn(String),
}

impl fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("size", &self.size).finish_non_exhaustive()
    }
}

impl<'a> Plan<'a> {
    /// A plan of this size; `tell` receives what is being measured, in a few words.
    pub fn new(size: Size, tell: &'a dyn Fn(String)) -> Self {
        Self { size, tell }
    }

    pub(crate) fn tell(&self, what: impl Into<String>) {
        (self.tell)(what.into());
    }

    /// The same, with each time measured once.
    pub(crate) fn once(&self) -> Self {
        Self { size: Size::Quick, ..*self }
    }

    pub(crate) fn is_quick(&self) -> bool {
        self.size == Size::Quick
    }

    pub(crate) fn is_full(&self) -> bool {
        self.size == Size::Full
    }

    pub(crate) fn choose(&self, quick: usize, full: usize) -> usize {
        if self.is_quick() { quick } else { full }
    }

    /// One of three sizes.
    pub(crate) fn by_size(&self, quick: usize, usual: usize, full: usize) -> usize {
        if self.is_full() { full } else { self.choose(quick, usual) }
    }

    /// Pairs where no time is measured.
    pub(crate) fn pairs_alone(&self) -> usize {
        self.choose(200, 20_000)
    }

    pub(crate) fn repetitions(&self) -> usize {
        self.choose(1, 9)
    }

    /// Seconds that something takes, the least of several runs.
    pub(crate) fn seconds<T>(&self, mut run: impl FnMut() -> T) -> f64 {
        let once = |_| timed(&mut run).1;
        (0..self.choose(1, 5)).map(once).fold(f64::INFINITY, f64::min)
    }

    /// An output without files yet.
    pub(crate) fn output(&self, queries: usize) -> Output {
        Output { files: Vec::new(), queries, undecided: 0, findings: Vec::new(), quick: self.is_quick() }
    }
}

/// What something gives, and the seconds that it takes.
pub(crate) fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let found = std::hint::black_box(run());
    (found, start.elapsed().as_secs_f64())
}

/// What an experiment came to.
#[derive(Debug, Clone)]
pub struct Output {
    /// Tables and figures.
    pub files: Vec<File>,
    /// Number of queries.
    pub queries: usize,
    /// How many of them one of the algorithms left open.
    pub undecided: usize,
    /// What the source found beside what is found here. Empty for quick runs where they depend on times.
    pub findings: Vec<Finding>,
    pub(crate) quick: bool,
}

impl Output {
    /// The same with so many queries left open.
    pub(crate) fn leaving_open(self, undecided: usize) -> Self {
        Self { undecided, ..self }
    }

    /// Adds a table.
    pub(crate) fn sheet(self, name: &str, sheet: Sheet) -> Self {
        let text = sheet.text(self.quick);
        self.file(format!("{name}.csv"), text)
    }

    /// Adds a figure.
    pub(crate) fn figure(self, name: &str, figure: &Figure) -> Result<Self> {
        let text = if self.quick { figure.quick_svg() } else { figure.svg() }?;
        Ok(self.file(format!("{name}.svg"), text))
    }

    fn file(mut self, name: String, text: String) -> Self {
        self.files.push(File { name, text });
        self
    }
}
