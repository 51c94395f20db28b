//! Progress bars, for people who wait.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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
        let form =
            if total.is_some() { "{msg} {wide_bar} {pos}/{len} {eta}" } else { "{msg} {pos} {spinner}" };
        if let Ok(style) = ProgressStyle::with_template(form) {
            bar.set_style(style);
        }
        bar.set_message(what);
        let never = !std::io::stderr().is_terminal();
        Self { bar, start: Instant::now(), shown: AtomicBool::new(never) }
    }

    /// Goes on by `steps`.
    pub fn advance(&self, steps: u64) {
        self.bar.inc(steps);
        if self.start.elapsed() > PATIENCE && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
