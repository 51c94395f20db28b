//! Which pairs to test exactly when there is not time for all (Dingliana and O'Sullivan 2000, "Graceful
//! degradation of collision handling in physically based animation"; Daneu 2002, "Algorithms for collision
//! detection").
//!
//! Pairs whose boxes overlap are *active*: each wants an exact test. What is seen better is tested first.
//! Pairs whose test found a collision are *real*. A pair that is late, or whose test ran out of its budget,
//! counts as colliding: that is on the safe side, and its turn comes in a later frame.
//!
//! ```
//! use sudar_classic::schedule::{Policy, Scheduler, Tested};
//! use sudar::effort::Budget;
//!
//! let mut scheduler = Scheduler::new(Policy::Sequential);
//! let active = [[0, 1], [0, 2], [1, 2]];
//! // Object 2 is near the eye. There is work for two tests, of ten nodes each.
//! let importance = |[_, j]: [u32; 2]| f64::from(j);
//! let apart = || Tested { collides: Some(false), nodes: 10 };
//! let frame = scheduler.run(&active, importance, &Budget::nodes(20), |_, _| apart());
//! assert_eq!(frame.late, [[0, 1]]);
//! ```

use std::cmp::Reverse;
use std::collections::BTreeMap;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;

// The clock of the standard library panics in a browser.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use web_time::Instant;

use sudar::glam::DVec3;

use sudar::effort::Budget;
use sudar::pair::{Containment, frustum_aabb};
use sudar::shape::{Aabb, Frustum};

/// In which order pairs are tested, and with how much work each.
#[derive(Debug, Clone, PartialEq)]
pub enum Policy {
    /// Perceptually sorted sequential: the most important first, each with what is left of the budget. The
    /// least important may wait for ever.
    Sequential,
    /// Priority queues with round robin: the most important queue first, and in each the pair that has waited
    /// longest. Before that come pairs that have waited for the period of their queue, those that are latest in terms
    /// of it first: where there is work for these, no pair waits longer.
    Queues(Vec<Queue>),
    /// A share of the budget for each pair, by the formula of Daneu 2002, see [`shares`].
    Shares {
        /// Number of objects: pairs name those below.
        objects: u32,
    },
}

/// A queue of pairs that are about as important.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Queue {
    /// The least importance of pairs in here. What is below that of all queues is in the last.
    pub least: f64,
    /// A pair is due once in so many frames; zero counts as one. Those that are due get equal shares of the budget,
    /// or where there is not a node for each, all that is left in turn.
    pub period: u32,
}

impl Policy {
    /// Three queues: what covers more than a twentieth of the view in every frame, a two-hundredth in every
    /// fourth, the rest in every sixteenth.
    pub fn queues() -> Self {
        let queue = |least, period| Queue { least, period };
        Self::Queues(vec![queue(0.05, 1), queue(0.005, 4), queue(0.0, 16)])
    }
}

/// What a test said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tested {
    /// Whether the two collide; `None` if the budget ran out before that was certain.
    pub collides: Option<bool>,
    /// Work that was done; at least one node is counted.
    pub nodes: u64,
}

/// What is known after a frame. All lists are sorted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frame {
    /// Pairs that collide: found in this frame, or in the last test of pairs that are late now.
    pub real: Vec<[u32; 2]>,
    /// Pairs tested in this frame without a certain answer.
    pub undecided: Vec<[u32; 2]>,
    /// Active pairs that were not tested in this frame.
    pub late: Vec<[u32; 2]>,
    /// Pairs in the order in which they were tested.
    pub tested: Vec<[u32; 2]>,
    /// Work that was done.
    pub nodes: u64,
}

impl Frame {
    /// All pairs that must be taken to collide: no pair that does is missing.
    pub fn colliding(&self) -> Vec<[u32; 2]> {
        let mut all = [&self.real[..], &self.undecided, &self.late].concat();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// Deals out the work of a frame among the active pairs.
#[derive(Debug, Clone)]
pub struct Scheduler {
    policy: Policy,
    waiting: BTreeMap<[u32; 2], Waiting>,
    number: u64,
    frame: Frame,
}

/// An active pair.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    /// Frame of the last test, or the one before it became active.
    since: u64,
    /// Whether that test found a collision.
    real: bool,
}

/// A pair whose turn it is.
#[derive(Debug, Clone, Copy)]
struct Turn {
    pair: [u32; 2],
    /// It has waited for the period of its queue.
    due: bool,
    /// Share of the whole budget; all that is left if there is none.
    share: Option<f64>,
}

impl Scheduler {
    /// One that knows of no pair yet.
    pub fn new(policy: Policy) -> Self {
        Self { policy, waiting: BTreeMap::new(), number: 0, frame: Frame::default() }
    }

    /// Runs the tests of one frame: of pairs whose boxes overlap, as
    /// [`BroadPhase::pairs`](sudar::broad::BroadPhase::pairs) lists them.
    ///
    /// `importance` says how well a pair is seen, see [`Eye::importance`]; what is not a number counts as not
    /// at all. `test` is given the work it may do. With a budget of nodes the result is the same on every
    /// machine, with one of time it is not.
    pub fn run(
        &mut self,
        active: &[[u32; 2]],
        importance: impl Fn([u32; 2]) -> f64,
        budget: &Budget,
        mut test: impl FnMut([u32; 2], &Budget) -> Tested,
    ) -> &Frame {
        self.number += 1;
        self.renew(active);
        self.frame = Frame::default();
        let begin = Instant::now();
        let turns = self.turns(&importance);
        let due = turns.iter().filter(|turn| turn.due).count();
        for turn in turns {
            let left = remaining(budget, self.frame.nodes, begin);
            let is_empty = left.nodes == 0 || left.time.is_some_and(|time| time.is_zero());
            if is_empty {
                break;
            }
            let has_share = turn.due && budget.nodes >= due as u64;
            let share = if has_share { Some(1.0 / due.max(1) as f64) } else { turn.share };
            let tested = test(turn.pair, &share.map_or(left, |share| least(part(budget, share), left)));
            self.note(turn.pair, tested);
        }
        self.close();
        &self.frame
    }

    /// The pairs that are active, sorted.
    pub fn active(&self) -> impl Iterator<Item = [u32; 2]> {
        self.waiting.keys().copied()
    }

    /// Forgets pairs that are not active any more, and takes up new ones.
    fn renew(&mut self, active: &[[u32; 2]]) {
        let fresh = Waiting { since: self.number - 1, real: false };
        let old = std::mem::take(&mut self.waiting);
        let known = |pair: &[u32; 2]| old.get(pair).copied().unwrap_or(fresh);
        self.waiting = active.iter().map(|pair| (*pair, known(pair))).collect();
    }

    fn turns(&self, importance: &dyn Fn([u32; 2]) -> f64) -> Vec<Turn> {
        let seen =
            |pair: [u32; 2]| Some(importance(pair)).filter(|x| !x.is_nan()).unwrap_or(f64::NEG_INFINITY);
        let turn = |pair: [u32; 2]| Turn { pair, due: false, share: None };
        match &self.policy {
            Policy::Sequential => {
                let mut sorted: Vec<(f64, Turn)> =
                    self.waiting.keys().map(|&pair| (seen(pair), turn(pair))).collect();
                sorted.sort_by(|(a, _), (b, _)| b.total_cmp(a));
                sorted.into_iter().map(|(_, turn)| turn).collect()
            }
            Policy::Queues(queues) => self.by_queue(queues, &seen),
            Policy::Shares { objects } => {
                let pairs: Vec<[u32; 2]> = self.waiting.keys().copied().collect();
                let shares = shares(*objects, &pairs);
                pairs
                    .into_iter()
                    .zip(shares)
                    .map(|(pair, share)| Turn { share: Some(share), ..turn(pair) })
                    .collect()
            }
        }
    }

    /// Those that are due first, the latest before others, then queue by queue, in each the one that has waited
    /// longest.
    fn by_queue(&self, queues: &[Queue], seen: &dyn Fn([u32; 2]) -> f64) -> Vec<Turn> {
        let mut turns: Vec<(bool, Reverse<u64>, usize, u64, Turn)> = Vec::new();
        for (&pair, waiting) in &self.waiting {
            let importance = seen(pair);
            let queue = queues
                .iter()
                .position(|queue| importance >= queue.least)
                .unwrap_or(queues.len().saturating_sub(1));
            let period = queues.get(queue).map_or(1, |queue| queue.period.max(1));
            // In periods; of those that are not due none.
            let late = (self.number - waiting.since) / u64::from(period);
            let due = late > 0;
            turns.push((!due, Reverse(late), queue, waiting.since, Turn { pair, due, share: None }));
        }
        turns.sort_by_key(|(later, late, queue, since, _)| (*later, *late, *queue, *since));
        turns.into_iter().map(|(.., turn)| turn).collect()
    }

    fn note(&mut self, pair: [u32; 2], tested: Tested) {
        self.frame.tested.push(pair);
        self.frame.nodes = self.frame.nodes.saturating_add(tested.nodes.max(1));
        if tested.collides.is_none() {
            self.frame.undecided.push(pair);
        }
        self.waiting.insert(pair, Waiting { since: self.number, real: tested.collides == Some(true) });
    }

    fn close(&mut self) {
        self.frame.undecided.sort_unstable();
        for (&pair, waiting) in &self.waiting {
            if waiting.real {
                self.frame.real.push(pair);
            }
            if waiting.since != self.number {
                self.frame.late.push(pair);
            }
        }
    }
}

fn remaining(budget: &Budget, spent: u64, begin: Instant) -> Budget {
    let time = budget.time.map(|time| time.saturating_sub(begin.elapsed()));
    let nodes = if budget.nodes == u64::MAX { u64::MAX } else { budget.nodes.saturating_sub(spent) };
    Budget { nodes, time }
}

/// No more than either.
fn least(a: Budget, b: Budget) -> Budget {
    let time = a.time.map_or(b.time, |time| Some(b.time.map_or(time, |other| time.min(other))));
    Budget { nodes: a.nodes.min(b.nodes), time }
}

fn part(budget: &Budget, share: f64) -> Budget {
    let nodes =
        if budget.nodes == u64::MAX { u64::MAX } else { ((budget.nodes as f64 * share) as u64).max(1) };
    Budget { nodes, time: budget.time.map(|time| time.mul_f64(share.clamp(0.0, 1.0))) }
}

/// The share of the whole budget that each of some sorted pairs gets, by the formula of the bumper cars in Daneu 2002.
///
/// Objects come in turn, each with its possible partners of greater numbers. When it is the turn of an
/// object, the budget is divided by the number of tests that may still have to be paid for: those needed
/// earlier, those needed now, and all that are possible later. For four objects these are TOTAL/(3 + needed),
/// then TOTAL/(4 − skipped + needed), then TOTAL/(6 − skipped). Shares add up to at most one.
pub fn shares(objects: u32, pairs: &[[u32; 2]]) -> Vec<f64> {
    let all = u64::from(objects) * u64::from(objects.saturating_sub(1)) / 2;
    let mut shares = Vec::with_capacity(pairs.len());
    let mut rest = pairs;
    while let [pair, ..] = rest {
        let needed = rest.iter().take_while(|other| other[0] == pair[0]).count();
        // Possible partners of this object and of those before it, none of which are tested later.
        let turns = (u64::from(pair[0]) + 1).min(u64::from(objects));
        let possible = turns * u64::from(objects.saturating_sub(1)) - turns * turns.saturating_sub(1) / 2;
        let needed_so_far = (shares.len() + needed) as u64;
        let share = 1.0 / (all - possible + needed_so_far) as f64;
        shares.extend(std::iter::repeat_n(share, needed));
        rest = &rest[needed..];
    }
    shares
}

/// The viewer of the scene.
#[derive(Debug, Clone, Copy)]
pub struct Eye {
    /// Where it is.
    pub position: DVec3,
    /// What it sees; everything if `None`.
    pub view: Option<Frustum>,
}

impl Eye {
    /// How well two objects are seen: the size of the smaller by its distance, and an eighth of that out of
    /// view. Larger and nearer objects are noticed before others.
    pub fn importance(&self, a: &Aabb, b: &Aabb) -> f64 {
        let smaller = if a.extent().length() <= b.extent().length() { a } else { b };
        let nearest = self.position.clamp(smaller.min, smaller.max);
        let size = smaller.extent().length();
        let seen = size / (self.position.distance(nearest) + size).max(f64::MIN_POSITIVE);
        let is_outside = |view: &Frustum| frustum_aabb(view, smaller) == Containment::Outside;
        if self.view.as_ref().is_some_and(is_outside) { seen / 8.0 } else { seen }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rand::RngExt;

    use super::*;
    use sudar::math::Pose;
    use sudar_testing::Random;

    #[test]
    fn the_most_important_are_tested_while_there_is_work_left() {
        let active = [[0, 1], [0, 2], [1, 2], [2, 3]];
        let importance =
            |pair: [u32; 2]| [0.1, 0.9, f64::NAN, 0.5][active.iter().position(|p| *p == pair).unwrap()];
        let mut scheduler = Scheduler::new(Policy::Sequential);
        let mut allowed = Vec::new();
        let frame = scheduler.run(&active, importance, &Budget::nodes(25), |pair, budget| {
            allowed.push(budget.nodes);
            Tested { collides: (pair != [0, 1]).then_some(pair == [2, 3]), nodes: 10 }
        });
        assert_eq!(frame.tested, [[0, 2], [2, 3], [0, 1]]);
        assert_eq!(allowed, [25, 15, 5]);
        assert_eq!(
            (&frame.real[..], &frame.undecided[..], &frame.late[..]),
            (&[[2, 3]][..], &[[0, 1]][..], &[[1, 2]][..])
        );
        assert_eq!(frame.colliding(), [[0, 1], [1, 2], [2, 3]]);
        // What was real stays so while it is late, and is forgotten when its boxes part.
        let nothing = Budget::nodes(0);
        let never = |_: [u32; 2], _: &Budget| -> Tested { panic!("no test was to be made") };
        assert_eq!(scheduler.run(&active, importance, &nothing, never).real, [[2, 3]]);
        assert_eq!(scheduler.run(&active, importance, &nothing, never).late, active);
        assert_eq!(scheduler.run(&active[..2], importance, &nothing, never).real, [[0; 2]; 0]);
        let timed = Budget::time(Duration::ZERO);
        assert_eq!(scheduler.run(&active, importance, &timed, never).late, active);
    }

    /// Runs pairs that come and go through queues with some nodes a frame; returns the longest wait of each queue, and
    /// how many pairs were late.
    fn waits(periods: [u32; 3], nodes: u64) -> ([u32; 3], usize) {
        let queue = |k: usize| Queue { least: [0.5, 0.25, 0.0][k], period: periods[k] };
        let mut scheduler = Scheduler::new(Policy::Queues(vec![queue(0), queue(1), queue(2)]));
        let mut rng = Random::new(5);
        let mut waits: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let (mut late, mut longest) = (0, [0; 3]);
        for _ in 0..400 {
            for _ in 0..6 {
                let pair = [rng.random_range(0..9), rng.random_range(9..20)];
                if rng.random_bool(0.3) {
                    waits.remove(&pair)
                } else {
                    waits.insert(pair, waits.get(&pair).copied().unwrap_or(0))
                };
            }
            let active: Vec<[u32; 2]> = waits.keys().copied().collect();
            let importance = |[i, _]: [u32; 2]| [0.9, 0.3, 0.1][i as usize % 3];
            let truth = |[i, j]: [u32; 2]| (i + j) % 4 == 0;
            let frame = scheduler.run(&active, importance, &Budget::nodes(nodes), |pair, budget| {
                assert!(budget.nodes >= 1);
                Tested { collides: (pair[1] % 2 == 0).then_some(truth(pair)), nodes: 1 }
            });
            assert!(frame.nodes <= nodes, "{} nodes of {nodes}", frame.nodes);
            let colliding = frame.colliding();
            for (pair, wait) in &mut waits {
                *wait = if frame.tested.contains(pair) { 0 } else { *wait + 1 };
                assert!(!truth(*pair) || colliding.contains(pair), "{pair:?} collides");
                let own = &mut longest[pair[0] as usize % 3];
                *own = (*own).max(*wait);
            }
            late += frame.late.len();
        }
        (longest, late)
    }

    #[test]
    fn no_pair_waits_longer_than_the_period_of_its_queue_where_there_is_work_for_that() {
        let (longest, late) = waits([1, 3, 7], 45);
        assert!(longest[0] == 0 && longest[1] <= 2 && longest[2] <= 6, "{longest:?}");
        assert!(late > 1000, "{late} late: the test lost its point");
    }

    #[test]
    fn queues_obey_their_budget_and_no_pair_waits_for_ever() {
        // At most 33 pairs in each queue: so many periods pass, on average, until there has been work for all.
        for nodes in [5, 10] {
            let periods = [1, 4, 16];
            let (longest, _) = waits(periods, nodes);
            let late = 33.0 * (1.0 + 1.0 / 4.0 + 1.0 / 16.0) / nodes as f64;
            for (wait, period) in longest.into_iter().zip(periods) {
                let most = (1.0 + late) * f64::from(period);
                assert!(f64::from(wait) <= most, "{nodes}: {longest:?}, {most}");
            }
        }
    }

    #[test]
    fn shares_are_those_of_the_bumper_cars() {
        // All six: six equal parts. One test of the first car: TOTAL/(3 + 1); then two of the second, after
        // two were skipped: TOTAL/(4 − 2 + 2); then the last, TOTAL/(6 − 2).
        let all = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        assert_eq!(shares(4, &all), [1.0 / 6.0; 6]);
        assert_eq!(shares(4, &[[0, 3], [1, 2], [1, 3], [2, 3]]), [0.25; 4]);
        // None of the first car: TOTAL/(4 − 3 + 1); then TOTAL/(6 − 4). The last car alone gets everything.
        assert_eq!(shares(4, &[[1, 3], [2, 3]]), [0.5, 0.5]);
        assert_eq!(shares(4, &[[2, 3]]), [1.0]);
        assert_eq!(shares(4, &[]), [0.0; 0]);
        // What names no object below the number gets no more than all.
        assert!(shares(2, &[[0, 1], [5, 9]]).iter().all(|share| *share <= 1.0));
        let mut scheduler = Scheduler::new(Policy::Shares { objects: 4 });
        let mut given = Vec::new();
        scheduler.run(
            &[[0, 3], [2, 3]],
            |_| 0.0,
            &Budget::nodes(600),
            |_, budget| {
                given.push(budget.nodes);
                Tested { collides: Some(true), nodes: budget.nodes }
            },
        );
        // TOTAL/(3 + 1), then TOTAL/(6 − 4).
        assert_eq!(given, [150, 300]);
    }

    #[test]
    fn larger_nearer_and_seen_is_more_important() {
        let at = |x: f64, size: f64| Aabb {
            min: DVec3::new(x, 0.0, -5.0),
            max: DVec3::new(x + size, size, size - 5.0),
        };
        let view = Frustum::perspective(&Pose::IDENTITY, [1.0, 1.0], 0.1, 100.0).unwrap();
        let eye = Eye { position: DVec3::ZERO, view: Some(view) };
        let importance = |b: &Aabb| eye.importance(b, b);
        assert!(importance(&at(0.0, 1.0)) > importance(&at(0.0, 0.5)));
        assert!(importance(&at(0.0, 1.0)) > importance(&at(3.0, 1.0)));
        assert!(importance(&at(3.0, 1.0)) > 4.0 * importance(&at(9.0, 1.0)));
        let all = Eye { view: None, ..eye };
        assert!(all.importance(&at(9.0, 1.0), &at(9.0, 2.0)) > importance(&at(9.0, 1.0)));
        assert!(importance(&Aabb { min: DVec3::ZERO, max: DVec3::ZERO }).is_finite());
    }
}
