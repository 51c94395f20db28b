//! What the rows of a gang are where its bodies are, and what they ask for.

use std::ops::Range;

use fearless_simd::{Simd, f64x8, prelude::*};

use super::coordinates::{Framed, Numbers, Posed};
use super::crew::Lanes;
use super::demand::{Asked, Now, YIELDS};
use super::gang::{Found, Gang, Member, Part, Row, Sub};
use super::rows::{Line, weigh};
use crate::dynamics::solver::groups::lanes::{LANES, Lane};
use crate::math::simd::{Level, dispatch};

/// Gaps, relative to the size of a joint, and twists that are closed: in sub-steps of `USUAL` seconds or more, and in
/// the shortest. Between these they go with the square of the sub-step, as the error of the motion does.
const CLOSED: [f64; 2] = [1e-9, 1e-11];
const USUAL: f64 = 1.0 / 240.0;
/// What rounding leaves of a coordinate of a metre.
const ROUNDING: f64 = 1e-15;

impl Gang {
    /// The rows where bodies are.
    pub fn take_rows(&mut self) {
        dispatch!(Level::new(), simd => self.take_rows_at(simd));
        self.factors.forget();
        self.is_factorised = false;
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn take_rows_at<S: Simd>(&mut self, simd: S) {
        for eight in 0..self.fixtures.len() {
            let (framed, far) = self.fixtures[eight].at(simd, &self.crew.places);
            self.fixtures[eight].turned = framed.turned.into();
            let rounding: Lane = (far * f64x8::splat(simd, ROUNDING)).into();
            let numbers = self.numbers_of(eight, &framed);
            let far = (framed.arms[1].stored(), rounding);
            if self.is_by_node {
                (self.levers[eight], self.rounding[eight]) = far;
                let Range { start, end } = self.rows_of(eight);
                for k in start..end {
                    if let Some(kind) = self.rows[k].kind {
                        self.lines[k].put(&framed.slope(simd, kind));
                        self.from[k] = framed.coordinate(kind).into();
                    }
                }
            }
            if let Some(numbers) = numbers {
                self.take_members(eight, &numbers, &far);
            }
        }
        for (number, node) in self.plan.nodes.iter().enumerate() {
            let lines = &mut self.lines[node.first..node.first + node.rows];
            weigh(simd, &self.ends[number], lines, &self.crew.weights);
        }
    }

    fn rows_of(&self, node: usize) -> Range<usize> {
        let node = &self.plan.nodes[node];
        node.first..node.first + node.rows
    }

    /// The numbers of joints, where not all of their rows are solved eight at once.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn numbers_of<S: Simd>(&self, eight: usize, framed: &Framed<f64x8<S>>) -> Option<Numbers<Lane>> {
        let is_same = self.is_by_node && self.rows[self.rows_of(eight)].iter().all(|row| row.kind.is_some());
        if is_same { None } else { Some(framed.numbers().map(Into::into)) }
    }

    /// Joints of an eight: where they are in that, and their numbers among the members.
    fn joints_of(&self, eight: usize) -> Vec<[usize; 2]> {
        if self.is_by_node {
            return (0..).zip(self.of_node(eight)).map(Into::into).collect();
        }
        let (stride, lanes) = (self.crew.stride, self.homes.len());
        let joints = self.plan.nodes.len() * stride;
        (eight * LANES..joints.min((eight + 1) * LANES))
            .filter(|joint| joint % stride < lanes)
            .map(|joint| [joint % LANES, joint / stride * lanes + joint % stride])
            .collect()
    }

    /// A joint of an eight.
    fn posed(&self, at: usize, member: usize, numbers: &Numbers<Lane>, is_ahead: bool) -> Posed {
        let member = &self.members[member];
        if member.geometry.has_axes() {
            let framed = Framed::of_numbers(&numbers.map(|all| all[at]));
            return Posed::with_axes(member.geometry.measure, framed);
        }
        member.posed(if is_ahead { &self.crew.ahead } else { &self.crew.places }, &self.crew.places)
    }

    /// Rows of joints one by one.
    fn take_members(
        &mut self,
        eight: usize,
        numbers: &Numbers<Lane>,
        (levers, rounding): &([Lane; 3], Lane),
    ) {
        for [at, number] in self.joints_of(eight) {
            let posed = self.posed(at, number, numbers, false);
            let Member { node, lane, .. } = self.members[number];
            if !self.members[number].geometry.has_axes() {
                self.members[number].turned = posed.turned();
            }
            (0..3).for_each(|k| self.levers[node][k][lane] = levers[k][at]);
            self.rounding[node][lane] = rounding[at];
            let first = self.plan.nodes[node].first;
            for (demand, k) in self.members[number].demands.iter().zip(first..) {
                self.lines[k].set(lane, &posed.gradient(demand.axis));
                self.from[k][lane] = posed.coordinate(demand.axis);
            }
        }
    }

    /// Coordinates where bodies would come.
    pub fn find_coordinates(&mut self) {
        dispatch!(Level::new(), simd => self.find_coordinates_at(simd));
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn find_coordinates_at<S: Simd>(&mut self, simd: S) {
        for eight in 0..self.fixtures.len() {
            let (framed, _) = self.fixtures[eight].at(simd, &self.crew.ahead);
            let numbers = self.numbers_of(eight, &framed);
            if self.is_by_node {
                for k in self.rows_of(eight) {
                    if let Some(kind) = self.rows[k].kind {
                        self.to[k] = framed.coordinate(kind).into();
                    }
                }
            }
            if let Some(numbers) = numbers {
                self.find_members(eight, &numbers);
            }
        }
    }

    /// Coordinates of joints one by one.
    fn find_members(&mut self, eight: usize, numbers: &Numbers<Lane>) {
        for [at, number] in self.joints_of(eight) {
            let posed = self.posed(at, number, numbers, true);
            let Member { node, lane, .. } = self.members[number];
            let first = self.plan.nodes[node].first;
            for (demand, k) in self.members[number].demands.iter().zip(first..) {
                self.to[k][lane] = posed.coordinate(demand.axis);
            }
        }
    }

    /// Asks all rows of open lanes what is missing.
    pub fn ask(&mut self, open: Lanes, sub: Sub, part: Part) -> Found {
        self.asked_part = part;
        let mut found = dispatch!(Level::new(), simd => self.ask_at(simd, open, sub, part));
        if self.plan.is_lone {
            found.off = [found.off.iter().copied().fold(0.0, f64::max); LANES];
            found.changed = [found.changed.contains(&true); LANES];
        }
        self.is_factorised &= !found.changed.contains(&true);
        found
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn ask_at<S: Simd>(&mut self, simd: S, open: Lanes, sub: Sub, part: Part) -> Found {
        let closed = CLOSED[0].min((CLOSED[0] * (sub.step / USUAL).powi(2)).max(CLOSED[1]));
        let mut found = Found::default();
        let mut off = f64x8::splat(simd, 0.0);
        self.has_bounds = false;
        for node in 0..self.plan.nodes.len() {
            let rounding: f64x8<S> = self.rounding[node].simd_into(simd);
            let Range { start, end } = self.rows_of(node);
            let own = self.of_node(node).len();
            let open: Lanes = std::array::from_fn(|lane| lane < own && open[lane]);
            for k in start..end {
                if !self.rows[k].are_locks {
                    self.ask_each(node, k, (open, closed), (sub, part), &mut found);
                    continue;
                }
                let (row, line) = (&self.rows[k], &mut self.lines[k]);
                let speed = if part == Part::After { None } else { Some(sub.step) };
                let [excess, changed] = lock(simd, row, line, &open, &self.to[k], speed);
                let (size, rounds): (f64x8<S>, f64x8<S>) =
                    (row.size.simd_into(simd), row.rounds.simd_into(simd));
                let counts = f64x8::splat(simd, closed) * size + rounding * rounds;
                off = off.max(excess.abs() * f64x8::splat(simd, sub.step) / counts);
                self.wanted[k] = (f64x8::splat(simd, 0.0) - excess).into();
                self.bounds[k] = [[f64::NEG_INFINITY; LANES], [f64::INFINITY; LANES]];
                let changed: Lane = changed.into();
                (0..LANES).for_each(|lane| found.changed[lane] |= changed[lane] > 0.0);
            }
        }
        let off: Lane = off.into();
        (0..LANES).for_each(|lane| found.off[lane] = found.off[lane].max(off[lane]));
        found
    }

    /// The same of a row, lane by lane.
    fn ask_each(
        &mut self,
        node: usize,
        k: usize,
        (open, closed): (Lanes, f64),
        (sub, part): (Sub, Part),
        found: &mut Found,
    ) {
        let row = k - self.plan.nodes[node].first;
        self.wanted[k] = [0.0; LANES];
        for number in self.of_node(node) {
            let Member { lane, ref demands, .. } = self.members[number];
            if !open[lane] {
                continue;
            }
            let demand = &demands[row];
            let line = &mut self.lines[k];
            let now = Now {
                from: self.from[k][lane],
                to: self.to[k][lane],
                impulse: line.impulse[lane],
                weight: line.weight[lane],
                step: sub.step,
                span: sub.span,
            };
            let asked = match part {
                Part::Gap if !demand.is_hard() => Asked::NOTHING,
                Part::End | Part::Gap => demand.at_the_end(&now),
                Part::After => demand.after(&now, self.before[k][lane], sub.is_halved()),
            };
            let active = f64::from(u8::from(asked.is_active));
            found.changed[lane] |= line.active[lane] != active || line.compliance[lane] != asked.compliance;
            (line.active[lane], line.compliance[lane]) = (active, asked.compliance);
            (self.bounds[k][0][lane], self.bounds[k][1][lane]) = (asked.bounds[0], asked.bounds[1]);
            if asked.is_active {
                self.has_bounds |= asked.bounds != Asked::NOTHING.bounds;
                self.wanted[k][lane] = -asked.excess;
                let counts =
                    closed * self.rows[k].size[lane] + self.rounding[node][lane] * self.rows[k].rounds[lane];
                found.off[lane] = f64::max(found.off[lane], asked.excess.abs() * sub.step / counts);
            }
        }
    }
}

/// Asks locks: for their places at the end of a sub-step of a length, or that speeds be none; returns what there is too
/// much, and 1 where they were not active before or yielded otherwise.
#[cfg_attr(not(opt_level_0), inline(always))]
fn lock<S: Simd>(
    simd: S,
    row: &Row,
    line: &mut Line,
    open: &Lanes,
    to: &Lane,
    step: Option<f64>,
) -> [f64x8<S>; 2] {
    let (zero, one) = (f64x8::splat(simd, 0.0), f64x8::splat(simd, 1.0));
    let open: f64x8<S> = open.map(|open| f64::from(u8::from(open))).simd_into(simd);
    let open = open.simd_gt(zero);
    let (to, target): (f64x8<S>, f64x8<S>) = ((*to).simd_into(simd), row.target.simd_into(simd));
    let weight: f64x8<S> = line.weight.simd_into(simd);
    let impulse: f64x8<S> = line.impulse.simd_into(simd);
    let (active, yields): (f64x8<S>, f64x8<S>) =
        (line.active.simd_into(simd), line.compliance.simd_into(simd));
    let compliance = f64x8::splat(simd, YIELDS) * weight;
    let speed = match step {
        Some(step) => (to - target) / f64x8::splat(simd, step),
        None => to,
    };
    let excess = open.select(speed + compliance * impulse, zero);
    let changed = open & !(active.simd_eq(one) & yields.simd_eq(compliance));
    line.active = open.select(one, active).into();
    line.compliance = open.select(compliance, yields).into();
    [excess, changed.select(one, zero)]
}
