//! Fronts over points on a line.

use rand::{RngExt, SeedableRng};

use super::*;

type Rng = rand_pcg::Pcg64;

/// Points on a line, and one more point: "distance" is the least gap. A group is a range of points, cut in up to four.
struct Line<'a> {
    points: &'a [f64],
    from: f64,
}

impl Line<'_> {
    fn gap_of(&self, (first, last): (usize, usize)) -> f64 {
        let (low, high) = (self.points[first], self.points[last - 1]);
        (low - self.from).max(self.from - high).max(0.0)
    }

    fn gaps(&self, group: (usize, usize)) -> [f64; 8] {
        std::array::from_fn(|k| if k < self.count(group) { self.gap_of(self.pair(group, k)) } else { 0.0 })
    }
}

/// The nearest point shown.
struct Nearest<'a> {
    points: &'a [f64],
    from: f64,
    best: f64,
}

impl<'l> Look<Line<'l>> for Nearest<'_> {
    fn limit(&self) -> f64 {
        self.best
    }

    fn leaves(&mut self, (start, _): (usize, usize), [point, _]: [&usize; 2], _: &mut Meter) -> u64 {
        assert_eq!(*point, start);
        self.best = self.best.min((self.points[start] - self.from).abs());
        1
    }

    fn settle(&mut self, _: &mut Meter) {}
}

impl Opening for Line<'_> {
    type Pair = (usize, usize);
    type Group = (usize, usize);
    type Leaf = usize;

    fn roots(&self) -> Vec<Self::Group> {
        vec![(0, self.points.len())]
    }

    fn count(&self, (start, end): Self::Group) -> usize {
        (end - start).min(4)
    }

    fn pair(&self, (start, end): Self::Group, k: usize) -> Self::Pair {
        let n = (end - start).min(4);
        (start + (end - start) * k / n, start + (end - start) * (k + 1) / n)
    }

    fn roughly(&self, group: Self::Group) -> Option<[f64; 8]> {
        // Half of what is known, where anything is.
        (group.0 % 3 != 0).then(|| self.gaps(group).map(|gap| 0.5 * gap))
    }

    fn bounds(&mut self, group: Self::Group) -> [f64; 8] {
        self.gaps(group)
    }

    fn bound(&self, pair: Self::Pair) -> f64 {
        self.gap_of(pair)
    }

    fn places((start, _): Self::Pair) -> [u32; 2] {
        [start as u32, 0]
    }

    fn leaf(&self, side: usize, place: u32) -> usize {
        if side == 0 { place as usize } else { 0 }
    }

    fn gap(&self, [point, _]: [&usize; 2]) -> f64 {
        0.9 * self.gap_of((*point, *point + 1))
    }

    fn below(&self, pair: Self::Pair) -> Option<Self::Group> {
        (pair.1 - pair.0 > 1).then_some(pair)
    }
}

/// The least gap shown, and a lower bound on all others.
fn walk(front: &mut Front<(usize, usize)>, line: &mut Line, meter: &mut Meter) -> (f64, f64) {
    let mut look = Nearest { points: line.points, from: line.from, best: f64::INFINITY };
    let lower = front.walk(line, &mut look, (0.004, 40), meter);
    (look.best, lower)
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
        let way = if step % 500 == 499 { rng.random_range(-1.0..1.0) } else { rng.random_range(0.0..0.002) };
        from += way;
        front.travel(f64::abs(way));
        let mut meter = Meter::unlimited();
        let (best, lower) = walk(&mut front, &mut Line { points: &points, from }, &mut meter);
        let expected = least(&points, from);
        assert_eq!(best, expected, "step {step}");
        assert!(lower >= expected, "{lower} {expected} in step {step}");
        nodes += meter.statistics().nodes;
    }
    assert!(nodes < 2000 * 40, "{nodes} groups looked at in 2000 walks");
}

#[test]
fn a_walk_that_is_stopped_leaves_a_front_that_holds_everything() {
    let points: Vec<f64> = (0..100).map(f64::from).collect();
    let mut line = Line { points: &points, from: 40.3 };
    let mut front = Front::new();
    for nodes in 0..40 {
        let mut meter = Meter::new(&crate::effort::Budget::nodes(nodes));
        let (best, lower) = walk(&mut front, &mut line, &mut meter);
        // Either it was found, or it is known not to be far.
        assert!(lower.min(best) <= 0.3000001, "{lower} {best}");
        let groups: Vec<_> = front.groups().collect();
        let again = Front::of(&line, groups.iter().copied()).unwrap();
        assert_eq!(again.groups().count(), again.len());
        for k in 0..groups.len() {
            let others = groups.iter().enumerate().filter(|(l, _)| *l != k).map(|(_, g)| *g);
            // Groups that have no pair left in range hold nothing.
            let holds = (0..line.count(groups[k].0)).any(|bit| groups[k].1 >> bit & 1 == 1);
            assert_eq!(Front::of(&line, others).is_none(), holds);
        }
    }
}

#[test]
fn a_walk_without_any_nodes_shows_nothing_that_is_close_either() {
    let points: Vec<f64> = (0..100).map(f64::from).collect();
    let mut line = Line { points: &points, from: 40.3 };
    let mut front = Front::new();
    for _ in 0..2 {
        walk(&mut front, &mut line, &mut Meter::unlimited());
    }
    let kept: Vec<_> = front.groups().collect();
    let (best, lower) = walk(&mut front, &mut line, &mut Meter::new(&crate::effort::Budget::nodes(0)));
    assert_eq!(best, f64::INFINITY);
    assert!(lower <= 0.3000001, "{lower}");
    let sorted = |mut groups: Vec<_>| {
        groups.sort_unstable();
        groups
    };
    assert_eq!(sorted(front.groups().collect()), sorted(kept));
}

#[test]
fn a_way_that_swallows_all_bounds_ends_all_the_same() {
    let points: Vec<f64> = (0..100).map(|k| 1e-20 * f64::from(k)).collect();
    let mut line = Line { points: &points, from: 403e-21 };
    let mut front = Front::new();
    for _ in 0..10 {
        // Beside this the distances are less than an ulp.
        front.travel(1e3);
        let (best, _) = walk(&mut front, &mut line, &mut Meter::unlimited());
        assert!((best - 3e-21).abs() < 1e-30, "{best}");
    }
}
