//! Splitting the items of a node in two.

use sudar::glam::DVec3;

use super::Items;
use super::rules::{BuildRules, SplitAxis, SplitPoint, UnsplitRule};
use sudar::volume::Volume;

/// Splits by the rules, with buffers that are used again.
pub(super) struct Splitter<'a> {
    items: &'a Items,
    rules: BuildRules,
    points: Vec<DVec3>,
    keyed: Vec<(f64, u32)>,
}

impl<'a> Splitter<'a> {
    pub fn new(items: &'a Items, rules: BuildRules) -> Self {
        Self { items, rules, points: Vec::new(), keyed: Vec::new() }
    }

    /// All points of some items.
    pub fn gathered(&mut self, items: &Items, some: &[u32]) -> &[DVec3] {
        self.points.clear();
        some.iter().for_each(|&item| self.points.extend_from_slice(items.points(item)));
        &self.points
    }

    /// Puts at least two items into the order of their sides and returns how many are on the lower one: not
    /// all, and none only where [`UnsplitRule::Leaf`] keeps them together.
    pub fn split<V: Volume>(&mut self, some: &mut [u32], volume: &V, in_half: bool) -> usize {
        let axes = self.axes(some, volume);
        if !in_half {
            let tries = if self.rules.unsplit == UnsplitRule::NextAxis { 3 } else { 1 };
            for &axis in &axes[..tries] {
                let direction = volume.axes().col(axis);
                let middle = self.split_along(some, volume, direction);
                if middle > 0 && middle < some.len() {
                    return middle;
                }
            }
        }
        if !in_half && self.rules.unsplit == UnsplitRule::Leaf {
            return 0;
        }
        self.sort(some, volume.axes().col(axes[0]));
        some.len() / 2
    }

    /// The axes of the volume, the one to split along first, then from the longest to the shortest.
    fn axes<V: Volume>(&mut self, some: &mut [u32], volume: &V) -> [usize; 3] {
        let mut extents = volume.extents();
        if extents.x == extents.y && extents.y == extents.z {
            // A ball has no longest axis; its items mostly do.
            let range = |k: usize| {
                let (low, high) = self.range(some, volume.axes().col(k));
                high - low
            };
            extents = [0, 1, 2].map(range).into();
        }
        let score = |axis: usize| match self.rules.axis {
            SplitAxis::Longest => extents[axis],
            SplitAxis::Splatter => self.variance(some, volume.axes().col(axis)),
            SplitAxis::MostSpread => {
                let (low, high) = self.range(some, volume.axes().col(axis));
                high - low
            }
            SplitAxis::MostDeviation => self.deviation(some, volume.axes().col(axis)),
            SplitAxis::LeastSum | SplitAxis::LeastMax => 0.0,
        };
        let mut scores = [0, 1, 2].map(score);
        if matches!(self.rules.axis, SplitAxis::LeastSum | SplitAxis::LeastMax) {
            scores = [0, 1, 2].map(|axis| -self.cost(some, volume, axis));
        }
        let mut axes = [0, 1, 2];
        axes.sort_by(|&i, &j| extents[j].total_cmp(&extents[i]));
        let mut best = axes[0];
        for axis in axes {
            best = if scores[axis] > scores[best] { axis } else { best };
        }
        axes.sort_by_key(|&axis| usize::from(axis != best));
        axes
    }

    /// The volumes of the children that a split along the axis would give, added or the larger one.
    fn cost<V: Volume>(&mut self, some: &mut [u32], volume: &V, axis: usize) -> f64 {
        let middle = self.split_along(some, volume, volume.axes().col(axis));
        let items = self.items;
        let mut size = |part: &[u32]| V::fit(self.gathered(items, part)).map_or(0.0, |v| v.volume());
        let (lower, upper) = some.split_at(middle);
        let (lower, upper) = (size(lower), size(upper));
        if self.rules.axis == SplitAxis::LeastSum { lower + upper } else { lower.max(upper) }
    }

    fn split_along<V: Volume>(&mut self, some: &mut [u32], volume: &V, direction: DVec3) -> usize {
        let at = match self.rules.point {
            SplitPoint::Median => {
                self.sort(some, direction);
                return some.len() / 2;
            }
            SplitPoint::LeastOverlap => return self.least_overlap(some, direction),
            SplitPoint::SurfaceArea => return self.surface_area(some, direction),
            SplitPoint::Mean => self.mean(some, direction),
            SplitPoint::MeanOfPoints => {
                let items = self.items;
                let points = self.gathered(items, some);
                points.iter().map(|p| direction.dot(*p)).sum::<f64>() / points.len().max(1) as f64
            }
            SplitPoint::Midpoint => direction.dot(volume.middle()),
            SplitPoint::MidRange => {
                let (low, high) = self.range(some, direction);
                f64::midpoint(low, high)
            }
        };
        self.partition(some, direction, at)
    }

    /// Items below `at` first, in their order; those at it above, or in turn.
    fn partition(&mut self, some: &mut [u32], direction: DVec3, at: f64) -> usize {
        let (mut upper, mut tied, mut count) = (Vec::new(), false, 0);
        for i in 0..some.len() {
            let item = some[i];
            let height = self.height(item, direction);
            let mut below = height < at;
            if height == at && self.rules.ties_alternate {
                tied = !tied;
                below = tied;
            }
            if below {
                some[count] = item;
                count += 1;
            } else {
                upper.push(item);
            }
        }
        some[count..].copy_from_slice(&upper);
        count
    }

    /// By height, ties by number.
    fn sort(&mut self, some: &mut [u32], direction: DVec3) {
        let mut keyed = std::mem::take(&mut self.keyed);
        keyed.clear();
        keyed.extend(some.iter().map(|&item| (self.height(item, direction), item)));
        keyed.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        some.iter_mut().zip(&keyed).for_each(|(to, from)| *to = from.1);
        self.keyed = keyed;
    }

    fn least_overlap(&mut self, some: &mut [u32], direction: DVec3) -> usize {
        self.sort(some, direction);
        let ends: Vec<(f64, f64)> = some.iter().map(|&item| self.interval(item, direction)).collect();
        let n = some.len();
        let mut starts = vec![f64::INFINITY; n + 1];
        for i in (0..n).rev() {
            starts[i] = starts[i + 1].min(ends[i].0);
        }
        let mut end = f64::NEG_INFINITY;
        let mut overlaps = vec![f64::INFINITY; n];
        for i in 1..n {
            end = end.max(ends[i - 1].1);
            if i.max(n - i) <= 2 * i.min(n - i) {
                overlaps[i] = end - starts[i];
            }
        }
        least(&overlaps)
    }

    fn surface_area(&mut self, some: &mut [u32], direction: DVec3) -> usize {
        self.sort(some, direction);
        let n = some.len();
        let mut above = vec![0.0; n + 1];
        let mut around = Span::EMPTY;
        for i in (1..n).rev() {
            around.add(self.items.points(some[i]));
            above[i] = around.half_area();
        }
        let mut around = Span::EMPTY;
        let mut costs = vec![f64::INFINITY; n];
        for i in 1..n {
            around.add(self.items.points(some[i - 1]));
            costs[i] = around.half_area() * i as f64 + above[i] * (n - i) as f64;
        }
        least(&costs)
    }

    fn height(&self, item: u32, direction: DVec3) -> f64 {
        direction.dot(self.items.center(item))
    }

    fn interval(&self, item: u32, direction: DVec3) -> (f64, f64) {
        let heights = self.items.points(item).iter().map(|p| direction.dot(*p));
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)))
    }

    fn mean(&self, some: &[u32], direction: DVec3) -> f64 {
        some.iter().map(|&item| self.height(item, direction)).sum::<f64>() / some.len().max(1) as f64
    }

    fn variance(&self, some: &[u32], direction: DVec3) -> f64 {
        let mean = self.mean(some, direction);
        some.iter().map(|&item| (self.height(item, direction) - mean).powi(2)).sum()
    }

    fn deviation(&self, some: &[u32], direction: DVec3) -> f64 {
        let mean = self.mean(some, direction);
        some.iter().map(|&item| (self.height(item, direction) - mean).abs()).sum()
    }

    fn range(&self, some: &[u32], direction: DVec3) -> (f64, f64) {
        let heights = some.iter().map(|&item| self.height(item, direction));
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)))
    }
}

/// The place of the least number, or the middle where that is as good up to rounding.
fn least(costs: &[f64]) -> usize {
    let mut best = costs.len() / 2;
    let good = costs[best] - 1e-12 * costs[best].abs();
    for (i, &cost) in costs.iter().enumerate().skip(1) {
        if cost < good && cost < costs[best] {
            best = i;
        }
    }
    best
}

/// A box that grows.
struct Span {
    low: DVec3,
    high: DVec3,
}

impl Span {
    const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    fn add(&mut self, points: &[DVec3]) {
        for &p in points {
            (self.low, self.high) = (self.low.min(p), self.high.max(p));
        }
    }

    fn half_area(&self) -> f64 {
        let DVec3 { x, y, z } = self.high - self.low;
        x * y + y * z + z * x
    }
}
