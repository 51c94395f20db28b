//! The front of a walk over two trees, kept from one query to the next.
//!
//! A best-first walk for a distance ends with pairs of children that it did not have to open: together they hold every pair
//! of triangles, and each has a lower bound. While the bodies move, a bound shrinks by no more than they can have come
//! nearer; so most pairs of this front stay out of question for many queries, and only those whose slack is used up are
//! looked at again. (Fronts of trees: Li and Chen 1998, "Incremental 3D collision detection with hierarchical data
//! structures"; as a queue in the order in which slack is used up: Mirtich 2000, "Timewarp rigid body simulation", for time
//! instead of way.)
//!
//! Pairs are kept in groups of up to eight, as they are bounded: looking at a group again costs little more than at one pair.

use std::collections::{BTreeMap, BinaryHeap};

use super::apart::{Apart, Group, Pair, PairBounds};
use super::waiting::Waiting;
use crate::effort::Meter;

/// Two bodies in their poses, as far as a front needs to know them.
pub(crate) trait Opening {
    /// Two parts of the bodies.
    type Pair: Copy;
    /// Up to eight pairs that are bounded at once.
    type Group: Copy + Ord;

    /// What a walk begins with.
    fn roots(&self) -> Vec<Self::Group>;

    /// A pair and its bounds.
    type Bounds;

    /// The pairs of a group with their bounds.
    fn bounds(&self, group: Self::Group, found: &mut Vec<Self::Bounds>);

    /// A number that the distance of what is below a pair does not fall below, and the pair.
    fn read(bounds: &Self::Bounds) -> (f64, Self::Pair);

    /// The pairs that a pair falls into; `None` if it is two leaves. Must not depend on poses.
    fn below(&self, pair: Self::Pair) -> Option<Self::Group>;
}

impl Opening for Apart<'_> {
    type Pair = Pair;
    type Group = Group;

    fn roots(&self) -> Vec<Group> {
        self.a.places(0).map(|a| Group::OfB { node: 0, a, triangles: false }).collect()
    }

    type Bounds = PairBounds;

    #[inline(always)]
    fn bounds(&self, group: Group, found: &mut Vec<PairBounds>) {
        Apart::bounds(self, group, found);
    }

    #[inline(always)]
    fn read(bounds: &PairBounds) -> (f64, Pair) {
        (bounds.lower, bounds.pair)
    }

    fn below(&self, pair: Pair) -> Option<Group> {
        Apart::below(self, pair)
    }
}

/// What was seen of two leaves.
pub(crate) struct Looked {
    /// The triangles of the leaves are at least so far apart.
    pub lower: f64,
    /// How far from now on pairs are of interest; the walk ends where all others are farther.
    pub limit: f64,
}

/// A front, and how far the bodies have come since it was begun.
#[derive(Debug, Clone)]
pub(crate) struct Front<G> {
    /// Their `bound` is a lower bound plus the way travelled when it was found.
    waiting: BinaryHeap<Waiting<Entry<G>>>,
    travelled: f64,
    begun: bool,
    /// What the walk that began it cost, and how many walks since how much together, in looks at a group.
    begun_with: u64,
    walks: u64,
    since: u64,
}

/// Some pairs of a group: those whose bit is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry<G> {
    group: G,
    pairs: u8,
}

/// All pairs of a group, however many there are.
const ALL: u8 = u8::MAX;

/// Two leaves cost about as much as so many groups.
const LEAVES: u64 = 8;

/// Most groups that are kept. A front that grows beyond is begun anew.
const MOST: usize = 1 << 15;

impl<G: Copy + Ord> Front<G> {
    /// One that begins at the roots with the next walk.
    pub fn new() -> Self {
        Self { waiting: BinaryHeap::new(), travelled: 0.0, begun: false, begun_with: 0, walks: 0, since: 0 }
    }

    /// How many groups are kept.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The groups kept, each with its pairs as bits.
    pub fn groups(&self) -> impl Iterator<Item = (G, u8)> {
        self.waiting.iter().map(|w| (w.place.group, w.place.pairs))
    }

    /// A front of groups from outside, of which nothing is believed; `None` if they do not hold all pairs of triangles, that is
    /// unless every path of a walk from the roots ends in one of their pairs.
    pub fn of<O: Opening<Group = G>>(bodies: &O, groups: impl Iterator<Item = (G, u8)>) -> Option<Self> {
        let mut known: BTreeMap<G, u8> = BTreeMap::new();
        groups.for_each(|(group, pairs)| *known.entry(group).or_default() |= pairs);
        let mut front = Self { begun: true, begun_with: u64::MAX, ..Self::new() };
        let (mut todo, mut found) = (bodies.roots(), Vec::new());
        while let Some(group) = todo.pop() {
            let pairs = known.get(&group).copied().unwrap_or(0);
            if pairs != 0 {
                front.push(0.0, group, pairs);
            }
            found.clear();
            bodies.bounds(group, &mut found);
            for (_, bounds) in found.iter().enumerate().filter(|(k, _)| pairs >> k & 1 == 0) {
                todo.push(bodies.below(O::read(bounds).1)?);
            }
            // A walk that leaves everything known behind has found a hole.
            if todo.len() > 64 * (known.len() + 64) {
                return None;
            }
        }
        Some(front)
    }

    /// Whether going on from it costs less than a walk from the roots, after every other walk.
    pub fn has_paid(&self) -> Option<bool> {
        let due = self.walks > 0 && self.walks.is_multiple_of(2);
        // Each look costs about twice as much here, where all is kept in order for later.
        due.then(|| self.since < self.walks.saturating_mul(self.begun_with) / 3)
    }

    /// The bodies have come nearer to each other by at most this.
    pub fn travel(&mut self, way: f64) {
        self.travelled = (self.travelled + way).next_up();
        if !self.travelled.is_finite() {
            *self = Self::new();
        }
    }

    /// The bound of the next group as it is now.
    #[inline(always)]
    fn next_bound(&self) -> Option<f64> {
        // The sum was rounded when it was stored, the difference is now.
        self.waiting.peek().map(|w| (w.bound - self.travelled) - 4.0 * f64::EPSILON * w.bound)
    }

    /// Looks at pairs, those with the least bounds first, while they may be no farther apart than `limit`; two leaves are
    /// shown to `leaves`, which may lower the limit. Returns a lower bound on the distance of the surfaces, which is above
    /// the last limit unless the meter ended the walk or the nearest leaves are that near.
    pub fn walk<O: Opening<Group = G>>(
        &mut self,
        bodies: &O,
        mut limit: f64,
        meter: &mut Meter,
        mut leaves: impl FnMut(O::Pair, f64, &mut Meter) -> Looked,
    ) -> f64 {
        let (fresh, before) = (!self.begun || self.waiting.len() > MOST, meter.statistics().nodes);
        if fresh {
            self.begin(bodies);
        }
        let (mut found, mut done) = (Vec::with_capacity(8), Vec::new());
        let (mut lower, mut looks) = (f64::INFINITY, 0);
        while let Some(bound) = self.next_bound().filter(|bound| *bound <= limit) {
            if meter.spend(1).is_break() {
                lower = lower.min(bound);
                break;
            }
            let Some(Waiting { place: Entry { group, pairs }, .. }) = self.waiting.pop() else { break };
            let mut parts = Parts::of(bodies, group, pairs, bound, &mut found);
            // All of them with one look at their bounds, the nearest first.
            while let Some((nearest, k)) = parts.take_nearest(limit) {
                let pair = O::read(&found[k]).1;
                match bodies.below(pair) {
                    Some(below) => self.push(nearest, below, ALL),
                    None => {
                        looks += 1;
                        let looked = leaves(pair, limit, meter);
                        limit = looked.limit;
                        lower = lower.min(looked.lower);
                        parts.seen(k, looked.lower.max(nearest));
                    }
                }
            }
            if parts.seen != 0 {
                done.push((parts.seen_lower, group, parts.seen));
            }
            // Beyond the limit: not to be looked at again in this walk, even if what rounding leaves of the bound is not.
            if let Some(nearest) = parts.nearest() {
                lower = lower.min(nearest);
                done.push((nearest, group, parts.left));
            }
        }
        lower = lower.min(self.next_bound().unwrap_or(f64::MAX));
        done.into_iter().for_each(|(bound, group, pairs)| self.push(bound, group, pairs));
        let spent = meter.statistics().nodes - before + LEAVES * looks;
        if fresh {
            (self.begun_with, self.walks, self.since) = (spent, 0, 0);
        } else {
            (self.walks, self.since) = (self.walks + 1, self.since + spent);
        }
        if !fresh && spent / 2 > self.begun_with {
            // It has been worn out: most of it is finer than it need be where the bodies are now.
            self.begun = false;
        }
        lower.max(0.0)
    }

    fn begin<O: Opening<Group = G>>(&mut self, bodies: &O) {
        self.waiting.clear();
        (self.travelled, self.begun) = (0.0, true);
        bodies.roots().into_iter().for_each(|group| self.push(0.0, group, ALL));
    }

    #[inline(always)]
    fn push(&mut self, bound: f64, group: G, pairs: u8) {
        self.waiting.push(Waiting { bound: bound + self.travelled, place: Entry { group, pairs } });
    }
}

/// The pairs of a group while they are looked at.
struct Parts {
    bounds: [f64; 8],
    /// Those that still wait.
    left: u8,
    /// Leaves that have been looked at, and how far apart they are at least.
    seen: u8,
    seen_lower: f64,
}

impl Parts {
    /// Some pairs of a group that are certainly no nearer than `least`.
    #[inline(always)]
    fn of<O: Opening>(
        bodies: &O,
        group: O::Group,
        pairs: u8,
        least: f64,
        found: &mut Vec<O::Bounds>,
    ) -> Self {
        found.clear();
        bodies.bounds(group, found);
        let mut bounds = [f64::INFINITY; 8];
        for (bound, new) in bounds.iter_mut().zip(found.iter()) {
            *bound = O::read(new).0.max(least);
        }
        let there = u8::MAX.checked_shr(8 - found.len().min(8) as u32).unwrap_or(0);
        Self { bounds, left: pairs & there, seen: 0, seen_lower: f64::INFINITY }
    }

    /// The bound of the nearest that waits.
    #[inline(always)]
    fn nearest(&self) -> Option<f64> {
        self.at_nearest().map(|k| self.bounds[k])
    }

    #[inline(always)]
    fn at_nearest(&self) -> Option<usize> {
        let waiting = (0..8).filter(|k| self.left >> k & 1 == 1);
        waiting.reduce(|best, k| if self.bounds[k] < self.bounds[best] { k } else { best })
    }

    /// The nearest that waits, if it is no farther than `limit`; it waits no more.
    #[inline(always)]
    fn take_nearest(&mut self, limit: f64) -> Option<(f64, usize)> {
        let k = self.at_nearest().filter(|&k| self.bounds[k] <= limit)?;
        self.left &= !(1 << k);
        Some((self.bounds[k], k))
    }

    #[inline(always)]
    fn seen(&mut self, k: usize, lower: f64) {
        self.seen |= 1 << k;
        self.seen_lower = self.seen_lower.min(lower);
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;

    type Rng = rand_pcg::Pcg64;

    /// Points on a line, and one more point: "distance" is the least gap. A group is a range of points, cut in up to four.
    struct Line<'a> {
        points: &'a [f64],
        from: f64,
    }

    impl Opening for Line<'_> {
        type Pair = (usize, usize);
        type Group = (usize, usize);
        type Bounds = (f64, (usize, usize));

        fn read(bounds: &Self::Bounds) -> (f64, Self::Pair) {
            *bounds
        }

        fn roots(&self) -> Vec<Self::Group> {
            vec![(0, self.points.len())]
        }

        fn bounds(&self, (start, end): Self::Group, found: &mut Vec<(f64, Self::Pair)>) {
            let n = (end - start).min(4);
            found.extend((0..n).map(|k| {
                let (first, last) = (start + (end - start) * k / n, start + (end - start) * (k + 1) / n);
                let (low, high) = (self.points[first], self.points[last - 1]);
                ((low - self.from).max(self.from - high).max(0.0), (first, last))
            }));
        }

        fn below(&self, pair: Self::Pair) -> Option<Self::Group> {
            (pair.1 - pair.0 > 1).then_some(pair)
        }
    }

    fn least(points: &[f64], from: f64) -> f64 {
        points.iter().fold(f64::INFINITY, |m, p| m.min((p - from).abs()))
    }

    #[test]
    fn a_front_finds_what_a_fresh_walk_finds_and_looks_at_less() {
        let mut rng = Rng::seed_from_u64(9);
        let mut points: Vec<f64> = (0..4000).map(|_| rng.random_range(0.0..1.0)).collect();
        points.sort_by(f64::total_cmp);
        let mut front = Front::new();
        let (mut from, mut nodes) = (-1.0, 0);
        for step in 0..2000 {
            let way =
                if step % 500 == 499 { rng.random_range(-1.0..1.0) } else { rng.random_range(0.0..0.002) };
            from += way;
            front.travel(f64::abs(way));
            let line = Line { points: &points, from };
            let (mut meter, mut best) = (Meter::unlimited(), f64::INFINITY);
            let lower = front.walk(&line, f64::INFINITY, &mut meter, |(start, _), _, _| {
                let gap = (points[start] - from).abs();
                best = best.min(gap);
                Looked { lower: gap, limit: best }
            });
            let expected = least(&points, from);
            assert_eq!((best, lower), (expected, expected), "step {step}");
            nodes += meter.statistics().nodes;
        }
        assert!(nodes < 2000 * 40, "{nodes} groups looked at in 2000 walks");
    }

    #[test]
    fn a_walk_that_is_stopped_leaves_a_front_that_holds_everything() {
        let points: Vec<f64> = (0..100).map(f64::from).collect();
        let line = Line { points: &points, from: 40.3 };
        let mut front = Front::new();
        for nodes in 0..40 {
            let mut meter = Meter::new(&crate::effort::Budget::nodes(nodes));
            let lower = front.walk(&line, f64::INFINITY, &mut meter, |(start, _), _, _| {
                let gap = (points[start] - line.from).abs();
                Looked { lower: gap, limit: gap }
            });
            assert!(lower <= 0.3000001);
            let groups: Vec<_> = front.groups().collect();
            let again = Front::of(&line, groups.iter().copied()).unwrap();
            assert_eq!(again.groups().count(), again.len());
            for k in 0..groups.len() {
                let others = groups.iter().enumerate().filter(|(l, _)| *l != k).map(|(_, g)| *g);
                // Groups that have no pair left in range hold nothing.
                let mut found = Vec::new();
                line.bounds(groups[k].0, &mut found);
                let holds = found.iter().enumerate().any(|(bit, _)| groups[k].1 >> bit & 1 == 1);
                assert_eq!(Front::of(&line, others).is_none(), holds);
            }
        }
    }
    #[test]
    fn a_way_that_swallows_all_bounds_ends_all_the_same() {
        let points: Vec<f64> = (0..100).map(|k| 1e-20 * f64::from(k)).collect();
        let line = Line { points: &points, from: 403e-21 };
        let mut front = Front::new();
        for _ in 0..10 {
            // Beside this the distances are less than an ulp.
            front.travel(1e3);
            let mut best = f64::INFINITY;
            let lower = front.walk(&line, f64::INFINITY, &mut Meter::unlimited(), |(start, _), _, _| {
                let gap = (points[start] - line.from).abs();
                best = best.min(gap);
                Looked { lower: gap, limit: best }
            });
            assert!(lower <= best && (best - 3e-21).abs() < 1e-30, "{lower} {best}");
        }
    }
}
