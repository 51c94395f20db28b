//! Limits of the queries of a collision manager.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::effort::Budget;
use crate::query::Batch;

/// A report of progress: it is given the number of pairs done.
pub(super) type Report = Arc<dyn Fn(usize) + Send + Sync>;

/// What bounds and watches queries.
#[derive(Clone, Default)]
pub(super) struct Limits {
    pub budget: Budget,
    pub cancelled: Option<Arc<AtomicBool>>,
    pub report: Option<Report>,
}

impl Limits {
    /// The batch that runs under them.
    pub fn batch(&self) -> Batch<'_> {
        let batch = Batch::new(self.budget);
        let batch = self.cancelled.as_deref().map_or(batch, |flag| batch.cancelled_by(flag));
        self.report.as_deref().map_or(batch, |report| batch.reporting(report))
    }
}
