//! The front of a walk over two trees, kept from one query to the next.
//!
//! A best-first walk for a distance ends with pairs of children that it did not have to open: together they hold every pair
//! of triangles, and each has a lower bound. While the bodies move, a bound shrinks by no more than they can have come
//! nearer; so most pairs of this front stay out of question for many queries, and only those whose slack is used up are
//! looked at again. (Fronts of trees: Li and Chen 1998, "Incremental 3D collision detection with hierarchical data
//! structures"; as a queue in the order in which slack is used up: Mirtich 2000, "Timewarp rigid body simulation", for time
//! instead of way.)

use std::collections::{BTreeSet, BinaryHeap};

use super::apart::{Apart, Pair, PairBounds};
use super::waiting::Waiting;
use crate::effort::Meter;

/// Two bodies in their poses, as far as a front needs to know them.
pub(crate) trait Opening {
    /// A pair of children.
    type Pair: Copy + Ord;

    /// What a walk begins with: the bounds of the first pairs.
    fn roots(&self, out: &mut Vec<(f64, Self::Pair)>);

    /// A number that the distance of the triangles below the pair does not fall below.
    fn bound(&self, pair: Self::Pair) -> f64;

    /// The pairs that a pair falls into, with their bounds; `false` if it is two leaves.
    fn open(&self, pair: Self::Pair, out: &mut Vec<(f64, Self::Pair)>) -> bool;
}

impl Opening for Apart<'_> {
    type Pair = Pair;

    fn roots(&self, out: &mut Vec<(f64, Pair)>) {
        let mut found = Vec::with_capacity(64);
        Apart::roots(self, &mut found);
        out.extend(found.iter().map(|bounds| (bounds.lower, bounds.pair)));
    }

    fn bound(&self, pair: Pair) -> f64 {
        Apart::bound(self, pair).lower
    }

    fn open(&self, pair: Pair, out: &mut Vec<(f64, Pair)>) -> bool {
        let mut found: Vec<PairBounds> = Vec::with_capacity(8);
        self.expand(pair, &mut found);
        out.extend(found.iter().map(|bounds| (bounds.lower, bounds.pair)));
        !found.is_empty()
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
pub(crate) struct Front<P> {
    /// Their `bound` is a lower bound plus the way travelled when it was found.
    waiting: BinaryHeap<Waiting<Entry<P>>>,
    travelled: f64,
    /// Number of the walk.
    walk: u32,
    begun: bool,
    /// How many pairs the walk that began it looked at.
    begun_with: u64,
}

/// A pair and the walk that last looked at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry<P> {
    pair: P,
    walk: u32,
}

/// Most pairs that are kept. A front that grows beyond is begun anew.
const MOST: usize = 1 << 16;

impl<P: Copy + Ord> Front<P> {
    /// One that begins at the roots with the next walk.
    pub fn new() -> Self {
        Self { waiting: BinaryHeap::new(), travelled: 0.0, walk: 0, begun: false, begun_with: 0 }
    }

    /// How many pairs are kept.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The pairs kept.
    pub fn pairs(&self) -> impl Iterator<Item = P> {
        self.waiting.iter().map(|w| w.place.pair)
    }

    /// A front of pairs that hold everything, of which nothing else is known.
    pub fn of(pairs: impl Iterator<Item = P>) -> Self {
        let waiting = pairs.map(|pair| Waiting { bound: 0.0, place: Entry { pair, walk: 0 } });
        Self { waiting: waiting.collect(), travelled: 0.0, walk: 0, begun: true, begun_with: u64::MAX }
    }

    /// The bodies have come nearer to each other by at most this.
    pub fn travel(&mut self, way: f64) {
        self.travelled = (self.travelled + way).next_up();
        // Far beyond the sizes of the bodies rounding would eat all bounds.
        if !self.travelled.is_finite() {
            *self = Self::new();
        }
    }

    /// Whether these pairs hold all pairs of triangles, which is to be asked of pairs from outside: whether a walk from the
    /// roots meets one of them on every path.
    pub fn holds_everything<O: Opening<Pair = P>>(bodies: &O, pairs: &BTreeSet<P>) -> bool {
        let mut todo = Vec::with_capacity(64);
        bodies.roots(&mut todo);
        // Each pair stands for one path at most, and the rest of a walk is shorter than these.
        while let Some((_, pair)) = todo.pop() {
            if !pairs.contains(&pair)
                && (todo.len() > 64 * (pairs.len() + 64) || !bodies.open(pair, &mut todo))
            {
                return false;
            }
        }
        true
    }

    /// The bound of the next pair as it is now.
    fn next_bound(&self) -> Option<f64> {
        self.waiting.peek().map(|w| self.now(w.bound))
    }

    fn now(&self, bound: f64) -> f64 {
        // The sum was rounded when it was stored, the difference is now.
        (bound - self.travelled) - 4.0 * f64::EPSILON * bound
    }

    /// Looks at pairs, those with the least bounds first, while they may be no farther apart than `limit`; two leaves are
    /// shown to `leaves`, which may lower the limit. Returns a lower bound on the distance of the surfaces, which is above
    /// the last limit unless the meter ended the walk or the nearest leaves are that near.
    pub fn walk<O: Opening<Pair = P>>(
        &mut self,
        bodies: &O,
        mut limit: f64,
        meter: &mut Meter,
        mut leaves: impl FnMut(P, f64, &mut Meter) -> Looked,
    ) -> f64 {
        self.walk = self.walk.wrapping_add(1);
        let mut opened = Vec::with_capacity(64);
        let (fresh, before) = (!self.begun || self.waiting.len() > MOST, meter.statistics().nodes);
        if fresh {
            self.begin(bodies, &mut opened);
        }
        let mut done = Vec::new();
        let mut lower = f64::INFINITY;
        while let Some(bound) = self.next_bound().filter(|bound| *bound <= limit) {
            if meter.spend(1).is_break() {
                lower = lower.min(bound);
                break;
            }
            let Some(next) = self.waiting.pop() else { break };
            let pair = next.place.pair;
            if next.place.walk != self.walk {
                let bound = bodies.bound(pair).max(bound);
                if bound > limit {
                    self.push(bound, pair);
                    continue;
                }
            }
            if bodies.open(pair, &mut opened) {
                opened.drain(..).for_each(|(bound, pair)| self.push(bound, pair));
            } else {
                let looked = leaves(pair, limit, meter);
                limit = looked.limit;
                lower = lower.min(looked.lower);
                done.push((looked.lower, pair));
            }
        }
        lower = lower.min(self.next_bound().unwrap_or(f64::MAX));
        done.into_iter().for_each(|(bound, pair)| self.push(bound, pair));
        let spent = meter.statistics().nodes - before;
        if fresh {
            self.begun_with = spent;
        } else if spent / 2 > self.begun_with {
            // It has been worn out: most of it is finer than it need be where the bodies are now.
            self.begun = false;
        }
        lower.max(0.0)
    }

    fn begin<O: Opening<Pair = P>>(&mut self, bodies: &O, opened: &mut Vec<(f64, P)>) {
        self.waiting.clear();
        (self.travelled, self.begun) = (0.0, true);
        bodies.roots(opened);
        opened.drain(..).for_each(|(bound, pair)| self.push(bound, pair));
    }

    fn push(&mut self, bound: f64, pair: P) {
        let place = Entry { pair, walk: self.walk };
        self.waiting.push(Waiting { bound: bound + self.travelled, place });
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;

    type Rng = rand_pcg::Pcg64;

    /// Points on a line, and one more point: "distance" is the least gap. A pair is a range of points.
    struct Line<'a> {
        points: &'a [f64],
        from: f64,
    }

    impl Opening for Line<'_> {
        type Pair = (usize, usize);

        fn roots(&self, out: &mut Vec<(f64, Self::Pair)>) {
            let all = (0, self.points.len());
            out.push((self.bound(all), all));
        }

        fn bound(&self, (start, end): Self::Pair) -> f64 {
            let (low, high) = (self.points[start], self.points[end - 1]);
            (low - self.from).max(self.from - high).max(0.0)
        }

        fn open(&self, (start, end): Self::Pair, out: &mut Vec<(f64, Self::Pair)>) -> bool {
            if end - start == 1 {
                return false;
            }
            let middle = start.midpoint(end);
            out.extend([(start, middle), (middle, end)].map(|part| (self.bound(part), part)));
            true
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
        assert!(nodes < 2000 * 20, "{nodes} nodes looked at in 2000 walks");
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
            let pairs: BTreeSet<_> = front.pairs().collect();
            assert!(Front::holds_everything(&line, &pairs));
            for pair in &pairs {
                let mut others = pairs.clone();
                others.remove(pair);
                assert!(!Front::holds_everything(&line, &others));
            }
            let mut held: Vec<usize> = front.pairs().flat_map(|(start, end)| start..end).collect();
            held.sort_unstable();
            assert_eq!(held, (0..100).collect::<Vec<_>>());
        }
    }
}
