//! Rows of joints solved together: a sparse factorisation L·D·Lᵀ of J·M⁻¹·Jᵀ, of eight mechanisms side by side.
//!
//! Rows that are not active, and rows that follow from others (a closed loop holds itself in some directions twice),
//! have a pivot of zero: they are left out, and their impulses stay as they are. Davis 2006, "Direct Methods for Sparse
//! Linear Systems"; in multibody dynamics: Baraff 1996, "Linear-time dynamics using Lagrange multipliers".

#![allow(clippy::needless_range_loop, reason = "all lists of a kernel run over the same rows")]

use fearless_simd::{Simd, f64x8, prelude::*};

use super::plan::{Order, Pivot, Plan};
use super::rows::Line;
use crate::dynamics::solver::groups::lanes::Lane;
use crate::math::simd::{Level, Number, dispatch};

/// The factors of mechanisms of one plan: of eight side by side, or of a large one alone.
#[derive(Clone, Default)]
pub struct Factors {
    eight: Panels<Lane>,
    one: Panels<f64>,
    wanted: Vec<f64>,
}

/// The factors of one or of eight.
#[derive(Clone, Default)]
struct Panels<C> {
    /// The panels of the order.
    panels: Vec<C>,
    /// Inverse pivots of all rows, zero where a row is left out.
    pivots: Vec<C>,
    /// The pivots themselves.
    weights: Vec<C>,
    /// Which rows are active in any lane.
    is_active: Vec<bool>,
    /// The panels before they are factorised, where bodies are, and of which rows they have the entries.
    products: Vec<C>,
    has_products: Vec<bool>,
}

/// A number as it lies in memory, or eight of them.
trait Cell<N: Number>: Copy + Default {
    fn load(self, token: N::Token) -> N;
    fn stored(number: N) -> Self;
}

impl<S: Simd> Cell<f64x8<S>> for Lane {
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn load(self, simd: S) -> f64x8<S> {
        self.simd_into(simd)
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn stored(number: f64x8<S>) -> Self {
        number.into()
    }
}

impl Cell<Self> for f64 {
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn load(self, (): ()) -> Self {
        self
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn stored(number: Self) -> Self {
        number
    }
}

/// The rows that are factorised, by their numbers in the order.
trait Rows<N: Number> {
    /// What two rows do to each other at a body that is on the one side of the first and on the other of the second.
    fn product(&self, token: N::Token, rows: [usize; 2], sides: [usize; 2]) -> N;
    /// Whether a row is active, more than zero where it is; its weight; and how much it yields.
    fn about(&self, token: N::Token, row: usize) -> [N; 3];
}

/// Rows of eight mechanisms.
struct Eight<'l>(&'l [Line], &'l Lane);

/// Rows of one.
struct One<'l> {
    lines: &'l [Line],
    rows: &'l [[u32; 2]],
    damping: f64,
}

impl<S: Simd> Rows<f64x8<S>> for Eight<'_> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn product(&self, simd: S, [a, b]: [usize; 2], [own, its]: [usize; 2]) -> f64x8<S> {
        self.0[a].product(simd, own, &self.0[b], its)
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn about(&self, simd: S, row: usize) -> [f64x8<S>; 3] {
        let line = &self.0[row];
        let [active, weight, compliance] =
            [&line.active, &line.weight, &line.compliance].map(|lane| f64x8::from_slice(simd, lane));
        [active, weight, compliance + weight * f64x8::from_slice(simd, self.1)]
    }
}

impl Rows<f64> for One<'_> {
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn product(&self, (): (), rows: [usize; 2], [own, its]: [usize; 2]) -> f64 {
        let [[a, la], [b, lb]] = rows.map(|row| self.rows[row].map(|k| k as usize));
        let (a, b, mut sum) = (&self.lines[a], &self.lines[b], 0.0);
        for k in 0..3 {
            sum += a.straight[own][k][la] * b.pushed[its][k][lb];
            sum += a.turning[own][k][la] * b.spun[its][k][lb];
        }
        sum
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn about(&self, (): (), row: usize) -> [f64; 3] {
        let [row, lane] = self.rows[row].map(|k| k as usize);
        let line = &self.lines[row];
        let weight = line.weight[lane];
        [line.active[lane], weight, line.compliance[lane] + weight * self.damping]
    }
}

/// A pivot that has lost so much of its diagonal entry is rounding: the row follows from others.
const REDUNDANT: f64 = 1e-11;

impl Factors {
    /// Forgets the products of rows, after bodies have moved.
    pub fn forget(&mut self) {
        self.eight.has_products.fill(false);
        self.one.has_products.fill(false);
    }

    /// Makes factors of rows, by the order of the plan, of which some are active and some yield; all by a share of
    /// their weight more.
    pub fn factorise(
        &mut self,
        level: Level,
        (plan, order): (&Plan, &Order),
        lines: &[Line],
        damping: &Lane,
    ) {
        if plan.is_lone {
            self.one.begin(order, |[row, lane]| lines[row as usize].active[lane as usize] > 0.0);
            let rows = One { lines, rows: &order.rows, damping: damping[0] };
            // With the instructions of the level, for loops over panels.
            return dispatch!(level, simd => {
                let _ = simd;
                self.one.factorise_at((), order, &rows);
            });
        }
        self.eight.begin(order, |[row, _]| lines[row as usize].active != [0.0; 8]);
        dispatch!(level, simd => self.eight.factorise_at(simd, order, &Eight(lines, damping)));
    }

    /// Solves for the impulses of all rows, in place of what is to be brought about.
    pub fn solve(&mut self, level: Level, (plan, order): (&Plan, &Order), wanted: &mut [Lane]) {
        if !plan.is_lone {
            return dispatch!(level, simd => self.eight.solve_at(simd, order, wanted));
        }
        let Self { one, wanted: own, .. } = self;
        own.clear();
        own.extend(order.rows.iter().map(|[row, lane]| wanted[*row as usize][*lane as usize]));
        dispatch!(level, simd => {
            let _ = simd;
            one.solve_at((), order, own);
        });
        for ([row, lane], own) in order.rows.iter().zip(own) {
            wanted[*row as usize][*lane as usize] = *own;
        }
    }
}

impl<C: Copy + Default> Panels<C> {
    fn begin(&mut self, order: &Order, is_active: impl Fn([u32; 2]) -> bool) {
        self.pivots.resize(order.rows.len(), C::default());
        self.weights.resize(order.rows.len(), C::default());
        self.has_products.resize(order.rows.len(), false);
        self.products.resize(order.entries, C::default());
        self.is_active.clear();
        self.is_active.extend(order.rows.iter().map(|row| is_active(*row)));
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn factorise_at<N: Number>(&mut self, token: N::Token, order: &Order, rows: &impl Rows<N>)
    where
        C: Cell<N>,
    {
        if self.is_active.iter().zip(&self.has_products).any(|(needs, has)| *needs && !*has) {
            self.products.fill(C::default());
            self.has_products.clone_from(&self.is_active);
            for pivot in &order.pivots {
                self.assemble(token, order, pivot, rows);
            }
        }
        self.panels.clone_from(&self.products);
        for pivot in &order.pivots {
            self.eliminate(token, pivot, rows);
            self.update(token, order, pivot);
        }
    }

    /// The entries of a panel: products of active rows at the bodies that they share.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn assemble<N: Number>(&mut self, token: N::Token, order: &Order, pivot: &Pivot, rows: &impl Rows<N>)
    where
        C: Cell<N>,
    {
        for coupling in &pivot.couplings {
            let other = &order.pivots[coupling.pivot];
            let [own_side, its_side] = coupling.sides;
            for c in 0..pivot.rows {
                if !self.is_active[pivot.first + c] {
                    continue;
                }
                for r in 0..other.rows {
                    if !self.is_active[other.first + r] {
                        continue;
                    }
                    let product =
                        rows.product(token, [other.first + r, pivot.first + c], [its_side, own_side]);
                    let entry = &mut self.products[pivot.start + c * pivot.height + coupling.at + r];
                    *entry = C::stored(entry.load(token) + product);
                }
            }
        }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn eliminate<N: Number>(&mut self, token: N::Token, pivot: &Pivot, rows: &impl Rows<N>)
    where
        C: Cell<N>,
    {
        let (zero, one) = (N::constant(token, 0.0), N::constant(token, 1.0));
        let Pivot { first, start, height, .. } = *pivot;
        let panel = &mut self.panels[start..start + height * pivot.rows];
        for c in 0..pivot.rows {
            if !self.is_active[first + c] {
                (self.pivots[first + c], self.weights[first + c]) = (C::default(), C::default());
                continue;
            }
            let [active, whole, yields] = rows.about(token, first + c);
            let own = panel[c * height + c].load(token) + yields;
            let is_large = (whole * N::constant(token, REDUNDANT)).if_less(own, active, zero);
            let inverse = zero.if_less(is_large, one / own, zero);
            self.pivots[first + c] = C::stored(inverse);
            self.weights[first + c] = C::stored(zero.if_less(is_large, own, zero));
            for next in c + 1..pivot.rows {
                if !self.is_active[first + next] {
                    continue;
                }
                let share = panel[c * height + next].load(token) * inverse;
                let (from, to) = panel.split_at_mut(next * height);
                let from = &from[c * height + next..(c + 1) * height];
                for (to, entry) in to[next..height].iter_mut().zip(from) {
                    *to = C::stored(to.load(token) - entry.load(token) * share);
                }
            }
            for entry in &mut panel[c * height + c + 1..(c + 1) * height] {
                *entry = C::stored(entry.load(token) * inverse);
            }
        }
    }

    /// Takes the products of the blocks below from the panels of later joints.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn update<N: Number>(&mut self, token: N::Token, order: &Order, pivot: &Pivot)
    where
        C: Cell<N>,
    {
        let (own, later) = self.panels.split_at_mut(pivot.start + pivot.height * pivot.rows);
        let (own, before) = (&own[pivot.start..], pivot.start + pivot.height * pivot.rows);
        let mut targets = pivot.targets.iter();
        for (k, column) in pivot.below.iter().enumerate() {
            let height = order.pivots[column.pivot].height;
            for (row, to) in pivot.below[k..].iter().zip(targets.by_ref()) {
                let to = to - before;
                for c in 0..pivot.rows {
                    if !self.is_active[pivot.first + c] {
                        continue;
                    }
                    let weight = self.weights[pivot.first + c].load(token);
                    let panel = &own[c * pivot.height..(c + 1) * pivot.height];
                    for j in 0..column.rows {
                        let share = panel[column.at + j].load(token) * weight;
                        let target = &mut later[to + j * height..to + j * height + row.rows];
                        for (target, entry) in target.iter_mut().zip(&panel[row.at..row.at + row.rows]) {
                            *target = C::stored(target.load(token) - entry.load(token) * share);
                        }
                    }
                }
            }
        }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn solve_at<N: Number>(&self, token: N::Token, order: &Order, wanted: &mut [C])
    where
        C: Cell<N>,
    {
        for pivot in &order.pivots {
            for c in (0..pivot.rows).filter(|c| self.is_active[pivot.first + c]) {
                let panel =
                    &self.panels[pivot.start + c * pivot.height..pivot.start + (c + 1) * pivot.height];
                let value = wanted[pivot.first + c].load(token);
                let own = &mut wanted[pivot.first + c + 1..pivot.first + pivot.rows];
                for (to, entry) in own.iter_mut().zip(&panel[c + 1..]) {
                    *to = C::stored(to.load(token) - entry.load(token) * value);
                }
                for below in &pivot.below {
                    let later = &mut wanted[below.first..below.first + below.rows];
                    for (to, entry) in later.iter_mut().zip(&panel[below.at..]) {
                        *to = C::stored(to.load(token) - entry.load(token) * value);
                    }
                }
            }
        }
        for pivot in order.pivots.iter().rev() {
            for c in (0..pivot.rows).rev() {
                if !self.is_active[pivot.first + c] {
                    wanted[pivot.first + c] = C::default();
                    continue;
                }
                let panel =
                    &self.panels[pivot.start + c * pivot.height..pivot.start + (c + 1) * pivot.height];
                let inverse = self.pivots[pivot.first + c].load(token);
                let mut value = wanted[pivot.first + c].load(token) * inverse;
                for i in c + 1..pivot.rows {
                    value = value - panel[i].load(token) * wanted[pivot.first + i].load(token);
                }
                for below in &pivot.below {
                    for i in 0..below.rows {
                        value = value - panel[below.at + i].load(token) * wanted[below.first + i].load(token);
                    }
                }
                wanted[pivot.first + c] = C::stored(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DVec3};

    use super::*;
    use crate::dynamics::solver::bodies::Masses;
    use crate::dynamics::solver::groups::lanes::{LANES, got};
    use crate::dynamics::solver::joints::coordinates::Gradient;
    use crate::dynamics::solver::joints::eights::{Eight, set_body};
    use crate::dynamics::solver::joints::iterative::{Gradients, Net};
    use crate::dynamics::solver::joints::plan::{Outline, Tie};
    use crate::dynamics::solver::joints::rows::{Ends, weigh};
    use crate::math::simd::other_levels;
    use crate::testing::Random;

    /// A chain, a star, a ring, two rings that share a body, two nets, of which the second is large; joints of one to
    /// five rows.
    fn outlines() -> Vec<Outline> {
        let net = |side: u32| {
            let near = move |k: u32| {
                [
                    (k, (k % side + 1 < side).then_some(k + 1)),
                    (k, (k + side < side * side).then_some(k + side)),
                ]
            };
            (0..side * side).flat_map(near).collect()
        };
        let ends: [Vec<(u32, Option<u32>)>; 6] = [
            (0..12).map(|k| (k, (k > 0).then(|| k - 1))).collect(),
            (1..9).map(|k| (k, Some(0))).chain([(0, None)]).collect(),
            (0..6).map(|k| (k, Some((k + 1) % 6))).collect(),
            vec![
                (0, Some(1)),
                (1, Some(2)),
                (2, Some(0)),
                (2, Some(3)),
                (3, Some(4)),
                (4, Some(2)),
                (1, None),
            ],
            net(4),
            net(6),
        ];
        let outline = |(number, ends): (u32, Vec<(u32, Option<u32>)>)| {
            let bodies = 1 + ends.iter().flat_map(|(a, b)| [*a, b.unwrap_or(0)]).max().unwrap_or(0);
            let rows = |k: u32| if number >= 4 { 1 + k % 3 } else { 1 + (k * 5 + number) % 5 };
            let tie = |((a, b), k)| Tie { bodies: [Some(a), b], rows: rows(k), kind: 0 };
            Outline { bodies, joints: ends.into_iter().zip(0..).map(tie).collect() }
        };
        (0..).zip(ends).map(outline).collect()
    }

    struct System {
        plan: Plan,
        ends: Vec<Ends>,
        lines: Vec<Line>,
        masses: Vec<Masses>,
    }

    /// Rows of any direction, some of them not active, between bodies of masses from 1 to 1000.
    fn system(outline: &Outline, random: &mut Random) -> System {
        let plan = Plan::new(outline, 1);
        let count = outline.bodies as usize * LANES;
        let mass = |random: &mut Random| {
            let (mass, moment) =
                (10_f64.powf(random.within(0.0, 3.0)), 10_f64.powf(random.within(-1.0, 2.0)));
            let [a, b, c] = [0.1, 0.2, -0.1].map(|x| x / moment);
            Masses {
                inverse_mass: 1.0 / mass,
                inverse_inertia: [1.0 / moment, 0.7 / moment, 1.3 / moment, a, b, c],
            }
        };
        let mut masses: Vec<Masses> = (0..count).map(|_| mass(random)).collect();
        masses.resize(count + LANES, Masses::default());
        let mut weights = vec![[[0.0; LANES]; 7]; masses.len() / LANES];
        for (k, Masses { inverse_mass, inverse_inertia: [a, b, c, d, e, f] }) in masses.iter().enumerate() {
            set_body(&mut weights, k, [*inverse_mass, *a, *b, *c, *d, *e, *f]);
        }
        let mut ends = vec![Ends::default(); plan.nodes.len()];
        let mut lines = vec![Line::default(); plan.rows];
        for (number, node) in plan.nodes.iter().enumerate() {
            // Eight mechanisms have eight of each body, a large one has one.
            let (own, times) = (node.joints.len(), if plan.is_lone { 1 } else { LANES as u32 });
            let lanes = if plan.is_lone { own } else { LANES };
            let body = |lane: usize, side: usize| {
                let joint = node.joints[if plan.is_lone { lane.min(own - 1) } else { 0 }];
                let body = outline.joints[joint as usize].bodies[side];
                let at = if plan.is_lone { 0 } else { lane as u32 };
                body.map_or(count as u32 + lane as u32, |body| body * times + at)
            };
            ends[number].sides = [0, 1].map(|side| Eight::new(std::array::from_fn(|lane| body(lane, side))));
            let moves = |lane: usize, side: usize| u8::from((body(lane, side) as usize) < count) << lane;
            ends[number].moves = [0, 1].map(|side| (0..lanes).map(|lane| moves(lane, side)).sum());
            for lane in 0..lanes {
                for row in node.first..node.first + node.rows {
                    let mut both = || [0, 1].map(|_| random.point());
                    lines[row].set(lane, &Gradient { straight: both(), turning: both() });
                    lines[row].active[lane] = f64::from(u8::from(random.within(0.0, 1.0) < 0.85));
                    lines[row].compliance[lane] = random.within(0.0, 1e-3);
                }
            }
            let rows = &mut lines[node.first..node.first + node.rows];
            dispatch!(Level::new(), simd => weigh(simd, &ends[number], rows, &weights));
        }
        System { plan, ends, lines, masses }
    }

    impl System {
        /// The speed that impulses make along a row, body by body, of all lanes of the mechanism.
        fn made(&self, impulses: &[Lane], row: usize, lane: usize) -> f64 {
            let own = if self.plan.is_lone { 0..LANES } else { lane..lane + 1 };
            own.map(|other| self.made_by(impulses, row, [lane, other])).sum()
        }

        /// The same of one lane.
        fn made_by(&self, impulses: &[Lane], row: usize, [lane, another]: [usize; 2]) -> f64 {
            let node_of =
                |row: usize| self.plan.nodes.iter().position(|n| (n.first..n.first + n.rows).contains(&row));
            let bodies = |row: usize, lane: usize| {
                [0, 1].map(|side| self.ends[node_of(row).unwrap()].sides[side].bodies[lane])
            };
            let is_own = f64::from(u8::from(lane == another));
            let mut sum = is_own * self.lines[row].compliance[lane] * impulses[row][lane];
            for (other, impulse) in impulses.iter().enumerate() {
                for (side, body) in bodies(row, lane).into_iter().enumerate() {
                    for its in (0..2).filter(|its| bodies(other, another)[*its] == body) {
                        let masses = &self.masses[body as usize];
                        let inertia: DMat3 = masses.inverse_inertia();
                        let get = |of: &[[Lane; 3]; 2], side: usize, lane: usize| got(&of[side], lane);
                        let (j, k) = (&self.lines[row], &self.lines[other]);
                        let straight: DVec3 = get(&k.straight, its, another) * masses.inverse_mass;
                        let spun = inertia * get(&k.turning, its, another);
                        let straight = get(&j.straight, side, lane).dot(straight);
                        sum += (straight + get(&j.turning, side, lane).dot(spun)) * impulse[another];
                    }
                }
            }
            sum
        }

        /// How far impulses are from bringing about what is wanted in any active row, relative to it all.
        fn off(&self, impulses: &[Lane], wanted: &[Lane]) -> f64 {
            let mut most: f64 = 0.0;
            for lane in 0..LANES {
                let scale: f64 = wanted.iter().map(|row| row[lane].abs()).fold(0.0, f64::max);
                for row in 0..self.plan.rows {
                    if self.lines[row].active[lane] > 0.0 {
                        let off = self.made(impulses, row, lane) - wanted[row][lane];
                        most = most.max(off.abs() / scale);
                    } else {
                        assert_eq!(impulses[row][lane], 0.0);
                    }
                }
            }
            most
        }
    }

    #[test]
    fn impulses_bring_about_what_is_wanted_and_every_level_gives_the_same_bits() {
        let mut random = Random::new(7);
        let (mut direct, mut rounds): (f64, f64) = (0.0, 0.0);
        for outline in outlines() {
            let system = system(&outline, &mut random);
            let System { plan, ends, lines, .. } = &system;
            let order = plan.order.as_ref().unwrap();
            let mut wanted = vec![[0.0; LANES]; plan.rows];
            for (row, line) in wanted.iter_mut().zip(lines) {
                (0..LANES).for_each(|lane| row[lane] = random.within(-1.0, 1.0) * line.active[lane]);
            }
            let solve = |level: Level| {
                let (mut factors, mut found) = (Factors::default(), wanted.clone());
                factors.factorise(level, (plan, order), lines, &[0.0; LANES]);
                factors.solve(level, (plan, order), &mut found);
                found
            };
            let found = solve(Level::new());
            direct = direct.max(system.off(&found, &wanted));
            assert!(other_levels().into_iter().all(|level| solve(level) == found));
            let mut found = wanted.clone();
            let net = Net { plan, ends, lines, damping: &[0.0; LANES] };
            Gradients::default().solve(&net, system.masses.len() / LANES, 0, &mut found);
            rounds = rounds.max(system.off(&found, &wanted));
        }
        // Masses of one to a thousand; rounds end where a hundredth of what was wanted is left, by the energy of it.
        assert!(direct < 1e-9 && rounds < 0.5, "{direct} {rounds}");
    }

    #[test]
    fn trees_have_no_blocks_but_those_of_neighbours_and_large_nets_no_factors() {
        let tie = |a: u32, b: Option<u32>| Tie { bodies: [Some(a), b], rows: 3, kind: 0 };
        let chain = Outline { bodies: 500, joints: (0..500).map(|k| tie(k, k.checked_sub(1))).collect() };
        assert_eq!(Plan::new(&chain, 1).order.unwrap().entries, 3 * (3 * 499 * 2 + 3));
        let net = |side: u32| Outline {
            bodies: side * side,
            joints: (0..side * side)
                .flat_map(|k| {
                    let right = (k % side + 1 < side).then(|| tie(k, Some(k + 1)));
                    right.into_iter().chain((k + side < side * side).then(|| tie(k, Some(k + side))))
                })
                .collect(),
        };
        assert!(Plan::new(&net(8), 1).order.is_some() && Plan::new(&net(40), 1).order.is_none());
    }
}
