//! What all parts of a search share: the cell, the options, the batch, the counts, and when to stop.

use sudar::effort::{Budget, Meter};
use sudar::query::{Batch, Work};

use super::answer::PlanStatistics;
use super::error::PlanEnd;
use super::options::PlanOptions;
use super::tree::distance;
use crate::cell::Scratch;
use crate::turns::Turns;
use crate::{EdgeAnswer, RobotCell};

/// A search for a plan.
pub(super) struct Task<'t> {
    pub cell: &'t RobotCell,
    pub options: &'t PlanOptions,
    pub statistics: PlanStatistics,
    pub turns: Turns,
    batch: &'t Batch<'t>,
    deadline: Meter<'static>,
}

impl<'t> Task<'t> {
    /// A search that begins now.
    pub fn new(cell: &'t RobotCell, options: &'t PlanOptions, batch: &'t Batch<'t>) -> Self {
        let budget = options.time.map_or(Budget::UNLIMITED, Budget::time);
        let statistics = PlanStatistics::default();
        let turns = Turns::of(cell.robot());
        Self { cell, options, batch, statistics, turns, deadline: Meter::new(&budget) }
    }

    /// Whether the search has to end, and why.
    pub fn end(&mut self) -> Option<PlanEnd> {
        // A meter that begins now has all its time left: only the flag stops it.
        if self.batch.meter().check().is_break() {
            return Some(PlanEnd::Cancelled);
        }
        self.deadline.check().is_break().then_some(PlanEnd::Time)
    }

    /// Answers for each item, in order, on all cores.
    pub fn each<I: Sync, T: Send>(
        &mut self,
        items: &[I],
        ask: impl Fn(&mut Checks<'_, '_>, &I) -> T + Sync,
    ) -> Vec<T> {
        let (cell, options, batch) = (self.cell, self.options, self.batch);
        let found = batch.each(items, |work, item| {
            let mut checks =
                Checks { cell, options, batch, work, scratch: Scratch::default(), tested: 0, certified: 0 };
            let answer = ask(&mut checks, item);
            (answer, [checks.tested, checks.certified])
        });
        let mut answers = Vec::with_capacity(items.len());
        for (answer, [tested, certified]) in found.answers {
            answers.push(answer);
            self.statistics.configurations += tested;
            self.statistics.certifications += certified;
        }
        answers
    }
}

/// The checks of one task, which are counted.
pub(super) struct Checks<'c, 'w> {
    cell: &'c RobotCell,
    options: &'c PlanOptions,
    batch: &'c Batch<'c>,
    work: &'c mut Work<'w>,
    scratch: Scratch,
    tested: usize,
    certified: usize,
}

impl Checks<'_, '_> {
    /// The longest edge of a tree.
    pub fn range(&self) -> f64 {
        self.options.range
    }

    /// Whether the second end and samples between are free; the first end is known to be.
    pub fn seems_free(&mut self, ends: [&[f64]; 2]) -> bool {
        self.is_free(ends[1]) && self.between_seems_free(ends)
    }

    /// Whether a configuration is certainly free.
    pub fn is_free(&mut self, q: &[f64]) -> bool {
        self.tested += 1;
        self.cell.stands_free(self.work, &mut self.scratch, q)
    }

    /// Whether samples between two configurations that are free are free as well.
    pub fn between_seems_free(&mut self, ends: [&[f64]; 2]) -> bool {
        let steps = (distance(ends[0], ends[1]) / self.options.resolution).ceil();
        // So many that the time limit ends the search first.
        let count = steps.clamp(1.0, 1e9) as usize - 1;
        let (tested, is_free) = self.cell.samples_are_free(self.work, &mut self.scratch, ends, count);
        self.tested += tested;
        is_free
    }

    /// The certified answer for an edge.
    pub fn certify(&mut self, ends: [&[f64]; 2]) -> EdgeAnswer {
        self.certified += 1;
        let limit = &mut self.batch.meter();
        self.cell.certify(self.work, limit, &mut self.scratch, ends, &self.options.edge)
    }
}
