//! The meter of one query.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;

// The clock of the standard library panics in a browser.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use web_time::Instant;

use super::budget::{Budget, Statistics};
use crate::math::Interval;

/// How far a query has come.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Nodes opened so far.
    pub nodes: u64,
    /// Where the answer lies for certain, for queries that answer with a length; else everything.
    pub bounds: Interval,
}

/// Counts the work of one query and says when to stop.
#[derive(Clone)]
pub struct Meter<'w> {
    statistics: Statistics,
    bounds: Interval,
    /// Number of nodes at which to look at the clock and the rest again.
    next_look: u64,
    /// Number of triangles at which to do so.
    next_triangles: u64,
    most: u64,
    watch: Watch<'w>,
    stopped: bool,
    /// Whether what is done now is a part of the query, with an answer of its own.
    in_part: bool,
}

/// What can stop a query besides the number of nodes.
#[derive(Clone, Copy, Default)]
struct Watch<'w> {
    deadline: Option<Instant>,
    cancelled: Option<&'w AtomicBool>,
    report: Option<&'w dyn Fn(&Progress)>,
}

/// Nodes between two readings of the clock: some microseconds of work.
const LOOK: u64 = 256;

/// Triangles between two looks: where they lie in one plane and exact arithmetic decides, each takes some microseconds.
const LOOK_TRIANGLES: u64 = 32;

const EVERYTHING: Interval = Interval { lower: 0.0, upper: f64::INFINITY };

impl<'w> Meter<'w> {
    /// A meter without a limit.
    #[inline]
    pub const fn unlimited() -> Self {
        Self {
            statistics: Statistics { nodes: 0, triangles: 0, remembered: 0 },
            bounds: EVERYTHING,
            next_look: u64::MAX,
            next_triangles: u64::MAX,
            most: u64::MAX,
            watch: Watch { deadline: None, cancelled: None, report: None },
            stopped: false,
            in_part: false,
        }
    }

    /// For a query that begins now.
    pub fn new(budget: &Budget) -> Self {
        // A time beyond what the clock can hold is no limit.
        let deadline = budget.time.and_then(|time| Instant::now().checked_add(time));
        let watch = Watch { deadline, ..Watch::default() };
        Self { most: budget.nodes, ..Self::unlimited() }.watching(watch)
    }

    /// Stops soon after the flag is set.
    pub fn cancelled_by(self, flag: &'w AtomicBool) -> Self {
        let watch = Watch { cancelled: Some(flag), ..self.watch };
        self.watching(watch)
    }

    /// Tells `report` every few microseconds how far the query has come.
    pub fn reporting(self, report: &'w dyn Fn(&Progress)) -> Self {
        let watch = Watch { report: Some(report), ..self.watch };
        self.watching(watch)
    }

    fn watching(self, watch: Watch<'w>) -> Self {
        let next_triangles = if watch.is_idle() { u64::MAX } else { LOOK_TRIANGLES };
        Self { watch, next_look: if watch.is_idle() { self.most } else { 0 }, next_triangles, ..self }
    }

    /// Counts nodes, or pairs of nodes, that are about to be opened. `Break`: they must not be, the query stops.
    #[inline(always)]
    pub fn spend(&mut self, nodes: u64) -> ControlFlow<()> {
        // Only what is surely affordable is counted without a look.
        if nodes > self.next_look.saturating_sub(self.statistics.nodes) && self.look(nodes).is_break() {
            return ControlFlow::Break(());
        }
        self.statistics.nodes += nodes;
        ControlFlow::Continue(())
    }

    /// Counts triangles or pairs of triangles that were tested one by one. After some dozens the
    /// clock is read when the next node is opened, for each may take as long as many nodes.
    #[inline(always)]
    pub fn count_triangles(&mut self, triangles: u64) {
        self.statistics.triangles += triangles;
        if self.statistics.triangles >= self.next_triangles {
            self.next_look = 0;
        }
    }

    /// To be called before work of some microseconds that opens no nodes, on what nodes were spent for
    /// before. `Break`: stop, it must not be done. A number of nodes that is used up is no reason to.
    #[inline]
    pub fn check(&mut self) -> ControlFlow<()> {
        if self.watch.is_idle() || !self.watch.says_stop() {
            return ControlFlow::Continue(());
        }
        self.stopped = true;
        self.next_look = 0;
        ControlFlow::Break(())
    }

    /// To be called when a question was answered from memory.
    #[inline(always)]
    pub fn count_remembered(&mut self) {
        self.statistics.remembered += 1;
    }

    /// Where the answer lies for certain, for those who watch.
    #[inline(always)]
    pub fn bounded(&mut self, bounds: Interval) {
        if !self.in_part {
            self.bounds = bounds;
        }
    }

    /// Runs a part of the query, whose bounds are not those of the whole and so are not reported as progress.
    pub fn in_part<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.in_part, true);
        let answer = part(self);
        self.in_part = outer;
        answer
    }

    /// Whether the query was stopped before its end.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// What was done.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    #[cold]
    fn look(&mut self, nodes: u64) -> ControlFlow<()> {
        if let Some(report) = self.watch.report {
            report(&Progress { nodes: self.statistics.nodes, bounds: self.bounds });
        }
        let left = self.most.saturating_sub(self.statistics.nodes);
        self.stopped |= nodes > left && self.most < u64::MAX || self.watch.says_stop();
        if self.stopped {
            // Every later call ends here too.
            self.next_look = 0;
            return ControlFlow::Break(());
        }
        if self.watch.is_idle() {
            self.next_look = self.most;
        } else {
            self.next_look = (self.statistics.nodes + nodes).saturating_add(LOOK).min(self.most);
            self.next_triangles = self.statistics.triangles.saturating_add(LOOK_TRIANGLES);
        }
        ControlFlow::Continue(())
    }
}

impl Watch<'_> {
    fn is_idle(&self) -> bool {
        self.deadline.is_none() && self.cancelled.is_none() && self.report.is_none()
    }

    fn says_stop(&self) -> bool {
        self.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl std::fmt::Debug for Meter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Meter").field("statistics", &self.statistics).field("stopped", &self.stopped).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use super::*;

    #[test]
    fn exactly_the_budget_can_be_spent() {
        let mut meter = Meter::new(&Budget::nodes(10));
        assert!(meter.spend(4).is_continue() && meter.spend(6).is_continue());
        assert!(meter.spend(0).is_continue() && !meter.is_stopped());
        assert!(meter.spend(1).is_break() && meter.is_stopped());
        assert!(meter.spend(1).is_break());
        assert_eq!(meter.statistics().nodes, 10);
        assert!(Meter::new(&Budget::nodes(0)).spend(1).is_break());
    }

    #[test]
    fn a_check_looks_at_the_clock_and_spends_nothing() {
        let mut meter = Meter::new(&Budget::nodes(1));
        assert!((0..1000).all(|_| meter.check().is_continue()));
        assert!(meter.spend(1).is_continue() && meter.check().is_continue());
        // What was spent may still be used.
        assert!(meter.spend(1).is_break() && meter.check().is_continue());
        assert_eq!(meter.statistics().nodes, 1);
        assert!(Meter::new(&Budget::time(Duration::ZERO)).check().is_break());
    }

    #[test]
    fn no_limit_is_no_limit() {
        let mut meter = Meter::unlimited();
        assert!((0..1000).all(|_| meter.spend(1 << 50).is_continue()));
        assert!(!meter.is_stopped());
    }

    #[test]
    fn a_time_of_zero_a_flag_and_a_watcher_are_seen_at_once_and_later() {
        assert!(Meter::new(&Budget::time(Duration::ZERO)).spend(1).is_break());
        let flag = AtomicBool::new(false);
        let mut meter = Meter::unlimited().cancelled_by(&flag);
        assert!(meter.spend(1).is_continue());
        flag.store(true, Ordering::Relaxed);
        let more = (0..10_000).take_while(|_| meter.spend(1).is_continue()).count() as u64;
        assert!(more <= LOOK && meter.is_stopped());
        let seen = Cell::new(0);
        let count = |progress: &Progress| {
            assert_eq!(progress.bounds, Interval::new(1.0, 2.0));
            seen.set(seen.get() + 1);
        };
        let mut meter = Meter::unlimited().reporting(&count);
        meter.bounded(Interval::new(1.0, 2.0));
        assert!((0..10 * LOOK).all(|_| meter.spend(1).is_continue()));
        assert_eq!(seen.get(), 10);
    }

    #[test]
    fn the_bounds_of_a_part_are_not_those_of_the_whole() {
        let mut meter = Meter::unlimited();
        meter.bounded(Interval::new(1.0, 2.0));
        let inner = |meter: &mut Meter| meter.in_part(|meter| meter.bounded(Interval::point(5.0)));
        meter.in_part(|meter| {
            inner(meter);
            meter.bounded(Interval::point(6.0));
        });
        assert_eq!(meter.bounds, Interval::new(1.0, 2.0));
        meter.bounded(Interval::point(1.5));
        assert_eq!(meter.bounds, Interval::point(1.5));
    }

    #[test]
    fn a_watched_meter_keeps_its_budget() {
        let flag = AtomicBool::new(false);
        let mut meter = Meter::new(&Budget::nodes(1000)).cancelled_by(&flag);
        let spent = (0..5000).take_while(|_| meter.spend(1).is_continue()).count();
        assert_eq!((spent, meter.statistics().nodes), (1000, 1000));
    }
}
