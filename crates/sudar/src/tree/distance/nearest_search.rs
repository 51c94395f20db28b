//! The search for the distance of two posed trees: nearest boxes first.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use glam::DVec3;

use super::leaf_bounds::{Candidate, Pending};
use super::obb_pair::{ObbPair, Pair, PairBounds};
use crate::effort::Meter;
use crate::math::Interval;
use crate::search::{Queue, best_first, depth_first};

/// Where a search stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Remaining {
    /// Pairs of triangles of which one may be the nearest: all that were seen and are not certainly farther apart than
    /// `upper`.
    pub candidates: Vec<Candidate>,
    /// No pair of triangles that is not among the candidates is nearer than this.
    pub rest: f64,
    /// Some pair is no farther apart than this.
    pub upper: f64,
    /// That pair, or one of which this is believed.
    pub best: [u32; 2],
}

/// Most pairs that wait at a time: so many a triangle and some for small trees, up to a limit. Beyond, what
/// is popped is searched to its end, depth first.
fn most_waiting(apart: &ObbPair) -> usize {
    const LEAST: usize = 1 << 12;
    const MOST: usize = 1 << 20;
    (LEAST + 4 * (apart.a.tree.order.len() + apart.b.tree.order.len())).min(MOST)
}

/// More candidates than this are decided at once, and all but the nearest dropped.
const MOST_CANDIDATES: usize = 4096;

/// After so many steps directions square to edges are tried too.
const PATIENCE: u32 = 1024;

/// Bounds on the distance during a search.
#[derive(Debug, Clone, Copy)]
pub struct Standing<'s> {
    /// Holds the distance.
    pub interval: Interval,
    /// The pair of triangles that is believed to have its upper end.
    pub best: [u32; 2],
    /// All pairs of triangles seen that may be the nearest.
    pub candidates: &'s [Candidate],
}

/// What a search is for.
pub trait Judge {
    /// Whether what is known will do.
    fn is_enough(&mut self, known: &Standing) -> bool;

    /// Decides too many candidates, none of which is certainly farther apart than another: leaves those that
    /// are still needed, and returns a lower bound on the distances of all others.
    fn settle(&mut self, candidates: &mut Vec<Candidate>) -> f64;
}

/// Searches for the nearest triangles of two trees while they may be nearer than `max`, until the judge says
/// that what is known will do, or the meter that it has to. Takes some 100 bytes a triangle at most.
pub fn search(apart: &ObbPair, max: f64, meter: &mut Meter, judge: &mut dyn Judge) -> Remaining {
    let mut search = Nearest::new(apart, max);
    search.begin();
    let rest = search.run(meter, judge);
    search.end(rest)
}

/// A pair that waits to be opened, as a number: the lower bound, whose bits are in the order of the numbers, then the
/// pair, so that ties are broken the same way every time.
type Key = Reverse<u128>;

fn key(bounds: &PairBounds) -> Key {
    let Pair { a, b } = bounds.pair;
    Reverse(u128::from(bounds.lower.to_bits()) << 64 | u128::from(a) << 32 | u128::from(b))
}

fn of_key(Reverse(key): Key) -> (f64, Pair) {
    (f64::from_bits((key >> 64) as u64), Pair { a: (key >> 32) as u32, b: key as u32 })
}

struct Nearest<'a> {
    apart: ObbPair<'a>,
    max: f64,
    steps: u32,
    upper: f64,
    best: [u32; 2],
    /// About the direction between the nearest triangles so far.
    way: DVec3,
    waiting: Queue<Key>,
    most_waiting: usize,
    /// Where too many wait: what is below the pair opened last, searched to its end before any other.
    deep: Vec<(f64, Pair)>,
    /// Found by one step.
    below: Vec<PairBounds>,
    pending: Pending,
    /// No pair that is pending is nearer than this.
    pending_lower: f64,
    candidates: Vec<Candidate>,
    /// No candidate is nearer than this.
    least: f64,
    /// Nor any that was settled.
    settled: f64,
    /// How many candidates may gather before those ruled out since are dropped.
    crowd: usize,
}

impl<'a> Nearest<'a> {
    fn new(apart: &ObbPair<'a>, max: f64) -> Self {
        Self {
            apart: *apart,
            steps: 0,
            settled: f64::INFINITY,
            max,
            upper: f64::INFINITY,
            best: [0, 0],
            way: DVec3::X,
            waiting: Queue::with_capacity(512),
            most_waiting: most_waiting(apart),
            deep: Vec::new(),
            below: Vec::with_capacity(64),
            pending: Pending::default(),
            pending_lower: f64::INFINITY,
            candidates: Vec::with_capacity(64),
            least: f64::INFINITY,
            crowd: 64,
        }
    }

    /// What is farther than this is of no interest.
    #[inline(always)]
    fn limit(&self) -> f64 {
        self.upper.min(self.max)
    }

    /// Puts the roots in the queue, then goes straight down to leaves that are probably near, for a first upper bound.
    fn begin(&mut self) {
        self.apart.roots(&mut self.below);
        let mut next = self.likely();
        self.sort_in(0.0);
        while let Some(pair) = next {
            self.below.clear();
            self.apart.expand(pair, &mut self.below);
            next = self.likely();
            if next.is_none() {
                self.leaves(pair, 0.0);
                self.flush();
            }
        }
        self.below.clear();
    }

    /// Of the pairs found by one step the one that probably holds the nearest triangles.
    fn likely(&self) -> Option<Pair> {
        let first = self.below.first()?;
        let better =
            |best: &'_ PairBounds, next: &'_ PairBounds| next.lower + next.upper < best.lower + best.upper;
        Some(self.below.iter().fold(first, |best, next| if better(best, next) { next } else { best }).pair)
    }

    /// Opens pair after pair, nearest first. Returns a number that no pair of triangles falls below that was not seen.
    fn run(&mut self, meter: &mut Meter, judge: &mut dyn Judge) -> f64 {
        let ended = best_first(
            self,
            |search| &mut search.waiting,
            |search, key| {
                let (lower, pair) = of_key(key);
                // All others are as far or farther.
                if lower > search.limit() {
                    return ControlFlow::Break(f64::INFINITY);
                }
                search.step(lower, pair, meter, judge)?;
                let ended = depth_first(std::mem::take(&mut search.deep), |(bound, pair), deep| {
                    if bound > search.limit() {
                        return ControlFlow::Continue(());
                    }
                    let stopped = search.step(lower, pair, meter, judge);
                    deep.append(&mut search.deep);
                    stopped
                });
                ended.map_or(ControlFlow::Continue(()), ControlFlow::Break)
            },
        );
        ended.unwrap_or(f64::INFINITY)
    }

    /// Opens a pair, where no pair left is nearer than `lower`; breaks with that if the search ends here.
    fn step(&mut self, lower: f64, pair: Pair, meter: &mut Meter, judge: &mut dyn Judge) -> ControlFlow<f64> {
        let seen = lower.min(self.pending_lower).min(self.least);
        let interval = Interval { lower: seen.min(self.upper), upper: self.upper };
        meter.bounded(interval);
        let standing = Standing { interval, best: self.best, candidates: &self.candidates };
        if judge.is_enough(&standing) || meter.spend(1).is_break() {
            return ControlFlow::Break(lower);
        }
        self.steps = self.steps.saturating_add(1);
        if self.steps == PATIENCE {
            self.apart.by_edges = true;
        }
        self.open(lower, pair);
        if self.candidates.len() >= self.crowd {
            self.disperse(judge);
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn open(&mut self, lower: f64, pair: Pair) {
        self.below.clear();
        self.apart.expand(pair, &mut self.below);
        if self.below.is_empty() {
            self.leaves(pair, lower);
        } else {
            self.sort_in(lower);
        }
    }

    /// Keeps what was found below a pair whose triangles are no nearer than `lower`.
    #[inline(always)]
    fn sort_in(&mut self, lower: f64) {
        let apart = &self.apart;
        for found in &self.below {
            if found.upper < self.upper {
                self.upper = found.upper;
                self.best = [apart.a.triangle_below(found.pair.a), apart.b.triangle_below(found.pair.b)];
            }
        }
        let limit = self.limit();
        let full = self.waiting.len() >= self.most_waiting;
        for found in self.below.drain(..) {
            let bound = found.lower.max(lower);
            if bound > limit {
                continue;
            }
            if full {
                self.deep.push((bound, found.pair));
                continue;
            }
            self.waiting.push(key(&PairBounds { lower: bound, ..found }));
        }
    }

    fn leaves(&mut self, pair: Pair, lower: f64) {
        let from = self.candidates.len();
        let upper = self.limit();
        self.apart.leaves(pair, self.way, upper, &mut self.pending, &mut self.candidates);
        self.pending_lower =
            if self.pending.is_empty() { f64::INFINITY } else { self.pending_lower.min(lower) };
        self.look_at(from);
    }

    fn flush(&mut self) {
        let from = self.candidates.len();
        self.apart.flush(self.limit(), &mut self.pending, &mut self.candidates);
        self.pending_lower = f64::INFINITY;
        self.look_at(from);
    }

    /// Takes notice of new candidates.
    fn look_at(&mut self, from: usize) {
        for found in &self.candidates[from..] {
            self.least = self.least.min(found.lower);
            if found.upper < self.upper {
                (self.upper, self.best, self.way) = (found.upper, found.triangles, found.way);
            }
        }
    }

    /// Drops the candidates that have been ruled out, and all but the nearest if many are left.
    fn disperse(&mut self, judge: &mut dyn Judge) {
        self.drop_far();
        if self.candidates.len() >= MOST_CANDIDATES {
            self.settled = self.settled.min(judge.settle(&mut self.candidates));
            self.least = self.settled;
            self.look_at(0);
        }
        self.crowd = (64 + 2 * self.candidates.len()).min(MOST_CANDIDATES);
    }

    fn drop_far(&mut self) {
        let limit = self.limit();
        self.candidates.retain(|candidate| candidate.lower <= limit);
    }

    fn end(mut self, rest: f64) -> Remaining {
        self.flush();
        self.drop_far();
        // What was dropped on the way was beyond the limit then, and is so now.
        let rest = rest.min(self.limit().next_up()).min(self.settled);
        Remaining { candidates: self.candidates, rest, upper: self.upper, best: self.best }
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::effort::Budget;
    use crate::math::Pose;
    use crate::math::simd::Level;
    use crate::math::simd::other_levels;
    use crate::pair::disjoint_triangle_distance_bounds;
    use crate::shape::Mesh;
    use crate::testing::Random;
    use crate::tree::distance::obb_pair::tests::{Model, pose, soup};

    /// The least distance of all pairs of triangles, which must not meet.
    fn brute(a: &Model, pose_a: &Pose, b: &Model, pose_b: &Pose) -> Interval {
        let all = |model: &Model, pose: &Pose| {
            (0..model.mesh.triangles().len() as u32).map(|i| model.triangle(pose, i)).collect::<Vec<_>>()
        };
        let (ours, theirs) = (all(a, pose_a), all(b, pose_b));
        let pairs =
            ours.iter().flat_map(|t| theirs.iter().map(move |u| disjoint_triangle_distance_bounds(t, u).1));
        pairs.fold(Interval::point(f64::INFINITY), |least, next| Interval {
            lower: least.lower.min(next.lower),
            upper: least.upper.min(next.upper),
        })
    }

    /// Two clouds of triangles side by side.
    fn pair(rng: &mut Random) -> (Model, Pose, Model, Pose) {
        let (a, b) = (Model::new(soup(300, 0.1, rng)), Model::new(soup(150, 0.2, rng)));
        let away = Pose::from_translation(DVec3::new(2.6, 0.0, 0.0) + rng.point() * 0.2).unwrap();
        let turned = pose(rng, 0.0, false);
        (a, Pose::IDENTITY, b, away.after(&turned))
    }

    /// Searches until this says that it will do.
    struct Until<F>(F);

    impl<F: FnMut(&Standing) -> bool> Judge for Until<F> {
        fn is_enough(&mut self, known: &Standing) -> bool {
            (self.0)(known)
        }

        fn settle(&mut self, _: &mut Vec<Candidate>) -> f64 {
            f64::INFINITY
        }
    }

    fn exact() -> Until<impl FnMut(&Standing) -> bool> {
        Until(|_: &Standing| false)
    }

    #[test]
    fn what_is_left_holds_the_nearest_pair() {
        let mut rng = Random::new(41);
        for _ in 0..20 {
            let (a, pose_a, b, pose_b) = pair(&mut rng);
            let truth = brute(&a, &pose_a, &b, &pose_b);
            let apart = ObbPair::new(a.at(&pose_a), b.at(&pose_b));
            let found = search(&apart, f64::INFINITY, &mut Meter::unlimited(), &mut exact());
            assert!(found.upper >= truth.lower && found.upper <= truth.upper + 1e-4, "{found:?} {truth:?}");
            assert!(found.rest > found.upper && !found.candidates.is_empty());
            let nearest = found.candidates.iter().map(|candidate| {
                let [i, j] = candidate.triangles;
                disjoint_triangle_distance_bounds(&a.triangle(&pose_a, i), &b.triangle(&pose_b, j)).1.upper
            });
            assert_eq!(nearest.fold(f64::INFINITY, f64::min), truth.upper);
        }
    }

    #[test]
    fn every_simd_level_leaves_the_same_to_the_bit() {
        let mut rng = Random::new(42);
        for _ in 0..10 {
            let (a, pose_a, b, pose_b) = pair(&mut rng);
            let at = |level| {
                let apart = ObbPair::at(level, a.at(&pose_a), b.at(&pose_b));
                search(&apart, f64::INFINITY, &mut Meter::unlimited(), &mut exact())
            };
            let best = at(Level::new());
            other_levels().into_iter().for_each(|level| assert_eq!(at(level), best, "{level:?}"));
        }
    }

    #[test]
    fn a_short_queue_changes_nothing_but_the_order() {
        let mut rng = Random::new(43);
        let (a, pose_a, b, pose_b) = pair(&mut rng);
        let truth = brute(&a, &pose_a, &b, &pose_b);
        let apart = ObbPair::new(a.at(&pose_a), b.at(&pose_b));
        for most_waiting in [0, 1, 10, 100] {
            let mut search = Nearest { most_waiting, ..Nearest::new(&apart, f64::INFINITY) };
            search.begin();
            let rest = search.run(&mut Meter::unlimited(), &mut exact());
            let found = search.end(rest);
            assert!(found.upper <= truth.upper + 1e-4 && found.rest > found.upper);
        }
    }

    #[test]
    fn stopped_anywhere_the_bounds_hold() {
        let mut rng = Random::new(44);
        let (a, pose_a, b, pose_b) = pair(&mut rng);
        let truth = brute(&a, &pose_a, &b, &pose_b);
        let apart = ObbPair::new(a.at(&pose_a), b.at(&pose_b));
        let mut lowers = Vec::new();
        for nodes in 0..200 {
            let found = search(&apart, f64::INFINITY, &mut Meter::new(&Budget::nodes(nodes)), &mut exact());
            let lower = found.candidates.iter().map(|c| c.lower).fold(found.rest, f64::min);
            assert!(lower <= truth.upper && found.upper >= truth.lower);
            lowers.push(lower);
        }
        assert!(lowers[0] < 0.9 * truth.upper && lowers[199] > 0.999 * truth.lower, "{lowers:?} {truth:?}");
        // Half the distance is found to be too little, twice the distance enough, by looking at less.
        let asked = |max: f64, meter: &mut Meter| {
            let decided = |known: &Standing| known.interval.upper <= max || known.interval.lower > max;
            search(&apart, max, meter, &mut Until(decided))
        };
        let (mut little, mut much) = (Meter::unlimited(), Meter::unlimited());
        assert!(asked(0.5 * truth.lower, &mut little).rest > 0.5 * truth.lower);
        assert!(asked(2.0 * truth.upper, &mut much).upper <= 2.0 * truth.upper);
        assert_eq!(much.statistics().nodes, 0);
    }

    #[test]
    fn a_small_body_beside_large_triangles_is_not_opened_all_over() {
        // Two large triangles at right angles, whose box is as thick as they are long, and a cloud of a
        // thousand leaves a hair from one of them: by boxes every leaf would be as near as can be.
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|p| p * 2.0 - DVec3::splat(0.5));
        let a = Model::new(Mesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 1, 3]]).unwrap());
        let mut rng = Random::new(45);
        let b = Model::new(soup(3000, 0.05, &mut rng).mapped(|p| p * 1e-4).unwrap());
        let pose_b = Pose::from_translation(DVec3::new(-0.2, -0.2, -0.49)).unwrap();
        let truth = brute(&a, &Pose::IDENTITY, &b, &pose_b);
        let apart = ObbPair::new(a.at(&Pose::IDENTITY), b.at(&pose_b));
        let mut meter = Meter::unlimited();
        let found = search(&apart, f64::INFINITY, &mut meter, &mut exact());
        assert!(found.upper >= truth.lower && found.upper <= truth.upper + 1e-6, "{found:?} {truth:?}");
        assert!(meter.statistics().nodes < 300, "{} nodes", meter.statistics().nodes);
    }
}
