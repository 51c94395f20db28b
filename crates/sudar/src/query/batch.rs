//! Many queries at once, on all cores.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::{Body, Placed, Work};
use crate::effort::{Budget, Meter, Statistics};
use crate::math::Pose;
use crate::math::par::mapped;

/// Runs one query many times: on one pair of bodies in many poses or on many bodies against one
/// ([`Batch::others`]), on anything else through [`Batch::each`]. With feature `parallel` on the threads of
/// the rayon pool that it is called in.
///
/// The answers come in input order. Each is the same bits as that of the query alone, for any number
/// of threads, unless a time or a flag stops it: the budget is for each query.
///
/// ```
/// use sudar::query::{Batch, Body, BatchTargets, DistanceOptions};
/// use sudar::{Aabb, DVec3, Mesh, Pose};
///
/// let cube = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
/// let poses = [1.5, 2.0, 4.0].map(|x| Pose::from_translation(DVec3::X * x));
/// let poses = poses.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let others = BatchTargets::Poses(&cube, &poses);
/// let here = cube.at(&Pose::IDENTITY);
/// let found = Batch::default().others(others, |work, other| work.distance(here, other, &DistanceOptions::EXACT));
/// let found = found.answers;
/// assert!(found[0].interval.contains(0.5) && found[2].interval.contains(3.0));
/// # Ok::<(), sudar::PoseError>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Batch<'b> {
    budget: Budget,
    /// At least so many queries are done by a thread at a time.
    piece: usize,
    cancelled: Option<&'b AtomicBool>,
    report: Option<&'b (dyn Fn(usize) + Sync)>,
}

/// The bodies of a batch, one query each.
#[derive(Debug, Clone, Copy)]
pub enum BatchTargets<'o> {
    /// One other body in many poses.
    Poses(&'o Body, &'o [Pose]),
    /// Many other bodies, each in its pose.
    Bodies(&'o [(Body, Pose)]),
}

/// The answers to a batch.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BatchResult<T> {
    /// In input order.
    pub answers: Vec<T>,
    /// What all queries did together.
    pub statistics: Statistics,
}

impl<'b> Batch<'b> {
    /// Queries with this budget each.
    pub fn new(budget: Budget) -> Self {
        Self { budget, ..Self::default() }
    }

    /// Once the flag is set, running queries end soon, and later ones as soon as they open a node. Their answers are
    /// wider or less, and true.
    #[must_use]
    pub fn cancelled_by(self, flag: &'b AtomicBool) -> Self {
        Self { cancelled: Some(flag), ..self }
    }

    /// For queries that take less time than a thread takes to wake: so many at least stay together.
    pub(crate) fn in_pieces(self, piece: usize) -> Self {
        Self { piece, ..self }
    }

    /// Tells `report` how many queries are done, after each, from any thread; numbers may come out of order.
    #[must_use]
    pub fn reporting(self, report: &'b (dyn Fn(usize) + Sync)) -> Self {
        Self { report: Some(report), ..self }
    }

    /// Any query for each item, in input order.
    ///
    /// The [`Work`] that `ask` is given has the budget and the flag of the batch; queries without it have neither
    /// and are not counted.
    pub fn each<I: Sync, T: Send>(
        &self,
        items: &[I],
        ask: impl Fn(&mut Work<'_>, &I) -> T + Sync,
    ) -> BatchResult<T> {
        let done = AtomicUsize::new(0);
        gathered(mapped(items, self.piece.max(1), |item| {
            let mut work = self.work();
            let answer = ask(&mut work, item);
            self.tell(&done);
            (answer, work.statistics())
        }))
    }

    /// Any query for each item, which may change it: for items that hold a [`Memory`](super::Memory), which
    /// the [`Work`] that `ask` is given can take up by [`Work::remembering`]. In input order; `ask` gives
    /// back what that work counted as well.
    pub fn each_mut<I: Send, T: Send>(
        &self,
        items: &mut [I],
        ask: impl Fn(Work<'_>, &mut I) -> (T, Statistics) + Sync,
    ) -> BatchResult<T> {
        let done = AtomicUsize::new(0);
        gathered(mapped(items, self.piece.max(1), |item| {
            let told = ask(self.work(), item);
            self.tell(&done);
            told
        }))
    }

    /// Any query for each of the others, such as one body against each, in input order; see [`Batch::each`].
    pub fn others<T: Send>(
        &self,
        others: BatchTargets,
        ask: impl Fn(&mut Work<'_>, Placed) -> T + Sync,
    ) -> BatchResult<T> {
        match others {
            BatchTargets::Poses(body, poses) => self.each(poses, |work, pose| ask(work, body.at(pose))),
            BatchTargets::Bodies(bodies) => self.each(bodies, |work, (body, pose)| ask(work, body.at(pose))),
        }
    }

    /// The context of one query of the batch: its budget and its flag.
    pub fn work(&self) -> Work<'b> {
        self.cancelled.into_iter().fold(Work::new(self.budget), Work::cancelled_by)
    }

    /// A meter of the same budget and flag, for searches other than queries on two bodies.
    pub fn meter(&self) -> Meter<'b> {
        self.cancelled.into_iter().fold(Meter::new(&self.budget), Meter::cancelled_by)
    }

    fn tell(&self, done: &AtomicUsize) {
        if let Some(report) = self.report {
            report(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
    }
}

fn gathered<T>(told: Vec<(T, Statistics)>) -> BatchResult<T> {
    let mut all = BatchResult { answers: Vec::with_capacity(told.len()), statistics: Statistics::default() };
    for (answer, statistics) in told {
        all.answers.push(answer);
        all.statistics += statistics;
    }
    all
}

impl std::fmt::Debug for Batch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batch").field("budget", &self.budget).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    use crate::testing::Random;
    use glam::{DQuat, DVec3};
    use rand::RngExt;

    use super::*;
    use crate::query::{DistanceEnd, DistanceOptions, StopReason, distance, intersects, within};
    use crate::shape::{Aabb, Capsule, Cone, Mesh};

    fn bodies() -> [Body; 3] {
        let cube = Mesh::from_aabb(Aabb { min: -DVec3::ONE, max: DVec3::ONE });
        let round = [Body::new(Capsule::new(0.4, 1.0).unwrap()), Body::new(Cone::new(0.4, 1.0).unwrap())];
        let [capsule, cone] = round;
        [Body::new(cube), capsule, cone]
    }

    fn poses(count: usize) -> Vec<Pose> {
        let mut random = Random::new(41);
        let mut number = || random.random_range(-1.0..1.0);
        (0..count)
            .map(|_| {
                let turn = DQuat::from_xyzw(number(), number(), number(), number()).normalize();
                Pose::new(DVec3::new(number(), number(), number()) * 4.0, turn).unwrap()
            })
            .collect()
    }

    #[test]
    fn a_batch_answers_as_one_by_one() {
        let (bodies, poses) = (bodies(), poses(300));
        let here = Pose::IDENTITY;
        for (a, b) in bodies.iter().flat_map(|a| bodies.iter().map(move |b| (a, b))) {
            let others = BatchTargets::Poses(b, &poses);
            let batch = Batch::default();
            let apart = batch
                .others(others, |work, b| work.distance(a.at(&here), b, &DistanceOptions::EXACT))
                .answers;
            let meet = batch.others(others, |work, b| work.intersects(a.at(&here), b)).answers;
            let near = batch.others(others, |work, b| work.within(a.at(&here), b, 0.5)).answers;
            for (i, pose) in poses.iter().enumerate() {
                assert_eq!(apart[i], distance(a.at(&here), b.at(pose), &DistanceOptions::EXACT));
                assert_eq!(meet[i], intersects(a.at(&here), b.at(pose)));
                assert_eq!(near[i], within(a.at(&here), b.at(pose), 0.5));
            }
        }
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn any_number_of_threads_gives_the_same_bits() {
        let [cube, capsule, cone] = bodies();
        let all = [&cube, &capsule, &cone];
        let others: Vec<(Body, Pose)> =
            poses(200).into_iter().enumerate().map(|(i, pose)| (all[i % 3].clone(), pose)).collect();
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let batch = Batch::new(Budget::nodes(2));
                let (cube, others) = (cube.at(&Pose::IDENTITY), BatchTargets::Bodies(&others));
                let apart =
                    batch.others(others, |work, other| work.distance(cube, other, &DistanceOptions::EXACT));
                (apart, batch.others(others, |work, other| work.contacts(cube, other)))
            })
        };
        let one = on(1);
        assert!(one.0.statistics.nodes > 0 && one == on(2) && one == on(7));
    }

    #[test]
    fn a_flag_stops_all_and_progress_counts_to_the_end() {
        let [cube, ..] = bodies();
        let poses = vec![Pose::from_translation(DVec3::new(5.0, 0.0, 0.0)).unwrap(); 50];
        let others = BatchTargets::Poses(&cube, &poses);
        let flag = AtomicBool::new(true);
        let stopped = Batch::default().cancelled_by(&flag);
        let here = cube.at(&Pose::IDENTITY);
        let apart = stopped.others(others, |work, other| work.distance(here, other, &DistanceOptions::EXACT));
        assert_eq!((apart.answers.len(), apart.statistics.nodes), (50, 0));
        // The true distance is 5 − 2 = 3.
        assert!(
            apart
                .answers
                .iter()
                .all(|d| d.end == DistanceEnd::Stopped(StopReason::Budget) && d.interval.contains(3.0))
        );
        let seen = Mutex::new(BTreeSet::new());
        let report = |done: usize| {
            seen.lock().unwrap().insert(done);
        };
        Batch::default().reporting(&report).others(others, |work, other| work.intersects(here, other));
        assert_eq!(*seen.lock().unwrap(), (1..=50).collect());
    }
}
