//! The tree of boxes of joint values, and walks through it.

use std::f64::consts::{PI, TAU};

use sudar::Interval;

/// Most joint values of a map.
pub(super) const MOST: usize = 3;
/// Joints may leave their limits by a little: more than the default of cells.
const BEYOND: f64 = 1e-3;

/// A cell that is certainly free.
pub(super) const FREE: u32 = u32::MAX;
/// A cell of which nothing is known.
pub(super) const OPEN: u32 = u32::MAX - 1;

/// A joint value and the values that it may have.
#[derive(Debug, Clone, Copy)]
pub(in crate::cell) struct Axis {
    /// Its number in a configuration.
    pub dof: u32,
    /// Whether a full turn changes nothing.
    pub turns: bool,
    pub low: f64,
    pub width: f64,
}

impl Axis {
    /// Sets what the map holds of it; `None` for what has no end.
    pub fn bound(&mut self, limits: Interval) -> Option<()> {
        self.turns &= limits.upper - limits.lower > TAU;
        (self.low, self.width) = if self.turns {
            (-PI, TAU)
        } else {
            (limits.lower - BEYOND, limits.upper - limits.lower + 2.0 * BEYOND)
        };
        let is_near = self.low.abs() <= super::FARTHEST && self.width <= super::FARTHEST;
        (self.width > 0.0 && is_near).then_some(())
    }

    /// The whole turns of a value.
    fn turns_of(&self, value: f64) -> f64 {
        if self.turns { TAU * (value / TAU).round() } else { 0.0 }
    }

    /// A value as a part of the width.
    fn part(&self, value: f64) -> f64 {
        (value - self.low) / self.width
    }
}

/// Boxes of joint values, each halved along one axis or free or open as a whole.
#[derive(Debug)]
pub(in crate::cell) struct Tree {
    axes: Vec<Axis>,
    /// For each box that it is free, or open, or where its two halves are, times four, and the axis along which it is
    /// halved. The first is the whole.
    cells: Vec<u32>,
}

/// A stretch of an edge, within a box.
#[derive(Clone, Copy)]
struct Stretch {
    cell: u32,
    low: [f64; MOST],
    width: [f64; MOST],
    times: [f64; 2],
}

impl Tree {
    pub fn new(axes: Vec<Axis>, cells: Vec<u32>) -> Self {
        Self { axes, cells }
    }

    /// The share of the whole that is free.
    pub fn free(&self) -> f64 {
        let mut free = 0.0;
        let mut open = vec![(0, 1.0)];
        while let Some((cell, share)) = open.pop() {
            match self.cells[cell as usize] {
                FREE => free += share,
                OPEN => {}
                halves => open.extend([halves >> 2, (halves >> 2) + 1].map(|half| (half, 0.5 * share))),
            }
        }
        free
    }

    /// Whether two parts are certainly apart in a configuration.
    #[inline]
    pub(in crate::cell) fn is_free(&self, q: &[f64]) -> bool {
        let mut x = [0.0; MOST];
        for (x, axis) in x.iter_mut().zip(&self.axes) {
            let value = q[axis.dof as usize];
            *x = axis.part(value - axis.turns_of(value));
            if !(0.0..1.0).contains(x) {
                return false;
            }
        }
        let mut cell = self.cells[0];
        while cell < OPEN {
            let x = &mut x[(cell & 3) as usize];
            *x *= 2.0;
            let upper = u32::from(*x >= 1.0);
            *x -= f64::from(upper);
            cell = self.cells[((cell >> 2) + upper) as usize];
        }
        cell == FREE
    }

    /// The times of an edge at which two parts are not certainly apart, as intervals in order.
    pub(in crate::cell) fn open_times(&self, start: &[f64], change: &[f64], times: &mut Vec<[f64; 2]>) {
        times.clear();
        let mut breaks = vec![0.0, 1.0];
        for axis in self.axes.iter().filter(|axis| axis.turns) {
            let (from, by) = (start[axis.dof as usize], change[axis.dof as usize]);
            let [low, high] = [from.min(from + by), from.max(from + by)];
            let first = ((low - PI) / TAU).ceil() as i64;
            let last = ((high - PI) / TAU).floor() as i64;
            let at = |turn: i64| (PI + TAU * turn as f64 - from) / by;
            breaks.extend((first..=last).map(at).filter(|time| 0.0 < *time && *time < 1.0));
        }
        breaks.sort_by(f64::total_cmp);
        for ends in breaks.windows(2) {
            self.walk(start, change, [ends[0], ends[1]], times);
        }
    }

    /// The same between two times without a full turn between them.
    fn walk(&self, start: &[f64], change: &[f64], times: [f64; 2], open: &mut Vec<[f64; 2]>) {
        let middle = 0.5 * (times[0] + times[1]);
        let (mut x, mut dx) = ([0.0; MOST], [0.0; MOST]);
        for (k, axis) in self.axes.iter().enumerate() {
            let (from, by) = (start[axis.dof as usize], change[axis.dof as usize]);
            let turns = axis.turns_of(from + middle * by);
            (x[k], dx[k]) = (axis.part(from - turns), by / axis.width);
            // A whole turn is where the box ends: that is left by rounding alone.
            let rounding = if axis.turns { 1e-12 } else { 0.0 };
            let is_within = |time: f64| (-rounding..=1.0 + rounding).contains(&(x[k] + time * dx[k]));
            if !times.into_iter().all(is_within) {
                note(open, times);
                return;
            }
        }
        let mut stack = vec![Stretch { cell: 0, low: [0.0; MOST], width: [1.0; MOST], times }];
        while let Some(mut at) = stack.pop() {
            let cell = self.cells[at.cell as usize];
            if cell == FREE {
                continue;
            }
            if cell == OPEN {
                note(open, at.times);
                continue;
            }
            let (first, axis) = (cell >> 2, (cell & 3) as usize);
            at.width[axis] *= 0.5;
            let border = at.low[axis] + at.width[axis];
            let crossing = (border - x[axis]) / dx[axis];
            let [begin, end] = at.times;
            let mut below = at;
            let mut above = at;
            (below.cell, above.cell) = (first, first + 1);
            above.low[axis] = border;
            if begin < crossing && crossing < end {
                let (before, after) = ([begin, crossing], [crossing, end]);
                let is_up = dx[axis] > 0.0;
                (below.times, above.times) = if is_up { (before, after) } else { (after, before) };
                // The earlier one is to come first.
                stack.extend(if is_up { [above, below] } else { [below, above] });
            } else if x[axis] + 0.5 * (begin + end) * dx[axis] < border {
                stack.push(below);
            } else {
                stack.push(above);
            }
        }
    }
}

/// Adds an interval, as one with the last where that ends there.
fn note(open: &mut Vec<[f64; 2]>, [from, to]: [f64; 2]) {
    match open.last_mut() {
        Some(last) if last[1] >= from => last[1] = to,
        Some(_) | None => open.push([from, to]),
    }
}

#[cfg(test)]
mod tests {
    use sudar_testing::Random;

    use super::*;

    /// A tree whose boxes are halved, free or open at random.
    fn grown(random: &mut Random, axes: Vec<Axis>) -> Tree {
        let (mut cells, mut next) = (vec![OPEN], vec![(0, 0)]);
        while let Some((cell, depth)) = next.pop() {
            if depth < 3 || depth < 9 && random.below(4) > 0 {
                let first = cells.len();
                cells[cell] = (first as u32) << 2 | random.below(axes.len()) as u32;
                cells.extend([OPEN, OPEN]);
                next.extend([(first, depth + 1), (first + 1, depth + 1)]);
            } else if random.below(2) == 0 {
                cells[cell] = FREE;
            }
        }
        Tree::new(axes, cells)
    }

    /// Edges are open exactly when configurations on them are, across whole turns and beyond the limits.
    #[test]
    fn edges_are_open_where_their_configurations_are() {
        let axis = |dof, turns, [lower, upper]: [f64; 2]| {
            let mut axis = Axis { dof, turns, low: 0.0, width: 0.0 };
            axis.bound(Interval { lower, upper }).unwrap();
            axis
        };
        let endless = [f64::NEG_INFINITY, f64::INFINITY];
        let (mut open, mut free) = (0, 0);
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let axes = vec![axis(2, true, endless), axis(0, true, [-2.0, 2.0]), axis(1, false, [-0.3, 0.1])];
            let tree = grown(&mut random, axes);
            let mut q = || [random.within(-2.2, 2.2), random.within(-0.32, 0.12), random.within(-12.0, 12.0)];
            let (start, end) = (q(), q());
            let mut change = [0, 1, 2].map(|k| end[k] - start[k]);
            if seed % 5 == 0 {
                change[seed as usize % 3] = 0.0;
            }
            let mut times = Vec::new();
            tree.open_times(&start, &change, &mut times);
            assert!(times.windows(2).all(|two| two[0][1] < two[1][0]));
            for k in 0..=1000 {
                let t = f64::from(k) / 1000.0;
                let q = [0, 1, 2].map(|k| start[k] + t * change[k]);
                let is_open = times.iter().any(|[from, to]| (*from..=*to).contains(&t));
                let near = times.iter().flatten().any(|end| (end - t).abs() < 1e-9);
                // An edge that leaves the limits is open as far as the next whole turn.
                let is_outside =
                    [start, end].iter().any(|q| q[0].abs() > 2.001 || !(-0.301..0.101).contains(&q[1]));
                assert!(is_open != tree.is_free(&q) || near || is_open && is_outside, "seed {seed} at {t}");
                if is_open { open += 1 } else { free += 1 }
            }
        }
        assert!(open > 50_000 && free > 50_000, "{open} {free}");
    }

    #[test]
    fn what_has_no_end_has_no_map() {
        let slide = |lower, upper| {
            Axis { dof: 0, turns: false, low: 0.0, width: 0.0 }.bound(Interval { lower, upper })
        };
        assert_eq!(slide(f64::NEG_INFINITY, f64::INFINITY), None);
        assert_eq!(slide(5000.0, 5001.0), None);
        assert_eq!(slide(-1.0, 1.0), Some(()));
    }
}
