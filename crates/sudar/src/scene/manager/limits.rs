//! Limits of the queries of a collision manager.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::CollisionManager;
use crate::effort::Budget;
use crate::query::Batch;

/// A report of progress: it is given the number of pairs done.
type Report = Arc<dyn Fn(usize) + Send + Sync>;

/// What bounds and watches queries.
#[derive(Clone, Default)]
pub(super) struct Limits {
    budget: Budget,
    cancelled: Option<Arc<AtomicBool>>,
    report: Option<Report>,
}

impl Limits {
    /// The batch that runs under them.
    pub fn batch(&self) -> Batch<'_> {
        let batch = Batch::new(self.budget);
        let batch = self.cancelled.as_deref().map_or(batch, |flag| batch.cancelled_by(flag));
        self.report.as_deref().map_or(batch, |report| batch.reporting(report))
    }
}

impl CollisionManager {
    /// Limits each query on one pair from now on; unlimited at first. What a budget leaves open is listed as undecided.
    pub fn set_budget(&mut self, budget: Budget) {
        self.limits.budget = budget;
    }

    /// Once the flag is set, queries end soon with what is certain; `None` for no flag.
    pub fn set_cancellation(&mut self, flag: Option<Arc<AtomicBool>>) {
        self.limits.cancelled = flag;
    }

    /// Calls `report` with the number of pairs done, after each, from any thread; numbers may come out of order. `None`
    /// for no report.
    pub fn set_progress(&mut self, report: Option<Report>) {
        self.limits.report = report;
    }
}
