//! Queries with a memory and under a budget.

use super::Memory;
use crate::effort::Meter;
use crate::math::Pose;
use crate::query::answer::{Distance, Intersection, Search, Within};
use crate::query::{Body, Work};

/// Queries that begin where the last ended and may be stopped: made by [`Work::remembering`]. A query that was stopped leaves
/// the memory whole, and the next goes on from there.
#[derive(Debug)]
pub struct Remembering<'m, 'w> {
    work: &'m mut Work<'w>,
    memory: &'m mut Memory,
}

impl<'m, 'w> Remembering<'m, 'w> {
    pub(in crate::query) fn new(work: &'m mut Work<'w>, memory: &'m mut Memory) -> Self {
        Self { work, memory }
    }

    fn metered<T>(&mut self, query: impl FnOnce(&mut Memory, &mut Meter<'w>) -> T) -> T {
        let memory = &mut *self.memory;
        self.work.metered(|meter| {
            let answer = query(memory, meter);
            memory.statistics += meter.statistics();
            answer
        })
    }

    /// [`Memory::intersects`].
    pub fn intersects(&mut self, a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> Intersection {
        self.metered(|memory, meter| memory.intersects_metered(a.at(pose_a), b.at(pose_b), meter))
    }

    /// [`Memory::distance`].
    pub fn distance(
        &mut self,
        a: &Body,
        pose_a: &Pose,
        b: &Body,
        pose_b: &Pose,
        search: &Search,
    ) -> Distance {
        self.metered(|memory, meter| memory.distance_metered(a.at(pose_a), b.at(pose_b), search, meter))
    }

    /// [`Memory::within`].
    pub fn within(&mut self, a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, tolerance: f64) -> Within {
        self.metered(|memory, meter| memory.within_metered(a.at(pose_a), b.at(pose_b), tolerance, meter))
    }
}
