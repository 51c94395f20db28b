//! Progress bars, for people who wait.

use std::borrow::Cow;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::report;

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar on standard error that appears after about a second, and only on a terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    start: Instant,
    shown: AtomicBool,
}

impl Progress {
    /// A bar for `total` steps, or a count without end.
    pub fn new(what: &'static str, total: Option<u64>) -> Self {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let form = if total.is_some() {
            "{msg} {wide_bar} {human_pos}/{human_len}, {eta} left"
        } else {
            "{msg} {pos} {spinner}"
        };
        if let Ok(style) = ProgressStyle::with_template(form) {
            bar.set_style(style);
        }
        bar.set_message(what);
        let never = report::is_quiet() || !std::io::stderr().is_terminal();
        Self { bar, start: Instant::now(), shown: AtomicBool::new(never) }
    }

    /// Goes on by `steps`.
    pub fn advance(&self, steps: u64) {
        self.bar.inc(steps);
        self.show();
    }

    /// So many steps are done, if it is not known already that more are.
    pub fn reach(&self, done: u64) {
        if done > self.bar.position() {
            self.bar.set_position(done);
        }
        self.show();
    }

    fn show(&self) {
        if self.start.elapsed() > PATIENCE && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

/// A line on standard error that says what is being done, for work without steps: it appears after about a second, and
/// only on a terminal.
#[derive(Debug)]
pub struct Waiting {
    bar: ProgressBar,
    /// Dropped to end the thread that shows the line.
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Waiting {
    pub fn new(what: impl Into<Cow<'static, str>>) -> Self {
        Self::with(what.into(), None, "{spinner} {msg} {elapsed}")
    }

    /// With a bar of so many steps.
    pub fn for_steps(what: impl Into<Cow<'static, str>>, total: u64) -> Self {
        Self::with(what.into(), Some(total), "{bar:24} {pos}/{len} {elapsed} {msg}")
    }

    fn with(what: Cow<'static, str>, total: Option<u64>, form: &str) -> Self {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(form) {
            bar.set_style(style);
        }
        bar.set_message(what);
        if report::is_quiet() || !std::io::stderr().is_terminal() {
            return Self { bar, done: None, thread: None };
        }
        let (done, end) = std::sync::mpsc::channel();
        let shown = bar.clone();
        let thread = std::thread::spawn(move || {
            if end.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(100));
            }
        });
        Self { bar, done: Some(done), thread: Some(thread) }
    }

    /// One step more is done.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// From here on this is done.
    pub fn now(&self, what: impl Into<Cow<'static, str>>) {
        self.bar.set_message(what);
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.done = None;
        // A thread that failed has shown nothing.
        let _ = self.thread.take().map(JoinHandle::join);
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
