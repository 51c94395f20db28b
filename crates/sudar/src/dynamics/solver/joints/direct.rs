//! Rows of joints solved together: a sparse factorisation L·D·Lᵀ of J·M⁻¹·Jᵀ, of eight mechanisms side by side.
//!
//! Rows that are not active, and rows that follow from others (a closed loop holds itself in some directions twice),
//! have a pivot of zero: they are left out, and their impulses stay as they are. Davis 2006, "Direct Methods for Sparse
//! Linear Systems"; in multibody dynamics: Baraff 1996, "Linear-time dynamics using Lagrange multipliers".

#![allow(clippy::needless_range_loop, reason = "all lists of a kernel run over the same rows")]

use fearless_simd::{Simd, f64x8, prelude::*};

use super::plan::{Node, Plan};
use super::rows::Line;
use crate::dynamics::solver::groups::lanes::Lane;
use crate::math::simd::{Level, dispatch_to_avx2};

/// The factors of eight mechanisms of one plan.
#[derive(Clone, Default)]
pub struct Factors {
    /// The panels of the plan.
    panels: Vec<Lane>,
    /// Inverse pivots of all rows, zero where a row is left out.
    pivots: Vec<Lane>,
    /// The pivots themselves.
    weights: Vec<Lane>,
    /// Which rows are active in any lane.
    is_active: Vec<bool>,
    /// The panels before they are factorised, where bodies are, and of which rows they have the entries.
    products: Vec<Lane>,
    has_products: Vec<bool>,
}

/// A pivot that has lost so much of its diagonal entry is rounding: the row follows from others.
const REDUNDANT: f64 = 1e-11;

impl Factors {
    /// Forgets the products of rows, after bodies have moved.
    pub fn forget(&mut self) {
        self.has_products.fill(false);
    }

    /// Makes factors of rows, by the order of the plan, of which some are active and some yield; all by a share of
    /// their weight more.
    pub fn factorise(&mut self, level: Level, plan: &Plan, lines: &[Line], damping: &Lane) {
        self.pivots.resize(plan.rows, [0.0; 8]);
        self.weights.resize(plan.rows, [0.0; 8]);
        self.has_products.resize(plan.rows, false);
        self.products.resize(plan.entries, [0.0; 8]);
        self.is_active.clear();
        self.is_active.extend(lines.iter().map(|line| line.active != [0.0; 8]));
        dispatch_to_avx2!(level, simd => self.factorise_at(simd, plan, lines, damping));
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn factorise_at<S: Simd>(&mut self, simd: S, plan: &Plan, lines: &[Line], damping: &Lane) {
        if self.is_active.iter().zip(&self.has_products).any(|(needs, has)| *needs && !*has) {
            self.products.fill([0.0; 8]);
            self.has_products.clone_from(&self.is_active);
            for node in &plan.nodes {
                self.assemble(simd, plan, node, lines);
            }
        }
        self.panels.clone_from(&self.products);
        for node in &plan.nodes {
            self.eliminate(simd, node, &lines[node.first..node.first + node.rows], damping);
            self.update(simd, plan, node);
        }
    }

    /// The entries of a panel: products of active rows at the bodies that they share.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn assemble<S: Simd>(&mut self, simd: S, plan: &Plan, node: &Node, lines: &[Line]) {
        for coupling in &node.couplings {
            let other = &plan.nodes[coupling.node];
            let [own_side, its_side] = coupling.sides;
            for c in 0..node.rows {
                if !self.is_active[node.first + c] {
                    continue;
                }
                let column = &lines[node.first + c];
                for r in 0..other.rows {
                    if !self.is_active[other.first + r] {
                        continue;
                    }
                    let row = &lines[other.first + r];
                    let product = row.product(simd, its_side, column, own_side);
                    let entry = &mut self.products[node.start + c * node.height + coupling.at + r];
                    let before: f64x8<S> = (*entry).simd_into(simd);
                    *entry = (before + product).into();
                }
            }
        }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn eliminate<S: Simd>(&mut self, simd: S, node: &Node, lines: &[Line], damping: &Lane) {
        let (zero, one) = (f64x8::splat(simd, 0.0), f64x8::splat(simd, 1.0));
        let panel = &mut self.panels[node.start..node.start + node.height * node.rows];
        for c in 0..node.rows {
            if !self.is_active[node.first + c] {
                (self.pivots[node.first + c], self.weights[node.first + c]) = ([0.0; 8], [0.0; 8]);
                continue;
            }
            let line = &lines[c];
            let yields: f64x8<S> = line.compliance.simd_into(simd);
            let active: f64x8<S> = line.active.simd_into(simd);
            let whole: f64x8<S> = line.weight.simd_into(simd);
            let reduced: f64x8<S> = panel[c * node.height + c].simd_into(simd);
            let share: f64x8<S> = (*damping).simd_into(simd);
            let pivot = reduced + yields + whole * share;
            let stays = active.simd_gt(zero) & pivot.simd_gt(whole * REDUNDANT);
            let inverse = stays.select(one / pivot, zero);
            self.pivots[node.first + c] = inverse.into();
            self.weights[node.first + c] = stays.select(pivot, zero).into();
            for next in c + 1..node.rows {
                if !self.is_active[node.first + next] {
                    continue;
                }
                let by: f64x8<S> = panel[c * node.height + next].simd_into(simd);
                let share = by * inverse;
                for i in next..node.height {
                    let entry: f64x8<S> = panel[c * node.height + i].simd_into(simd);
                    let to: f64x8<S> = panel[next * node.height + i].simd_into(simd);
                    panel[next * node.height + i] = (to - entry * share).into();
                }
            }
            for i in c + 1..node.height {
                let entry: f64x8<S> = panel[c * node.height + i].simd_into(simd);
                panel[c * node.height + i] = (entry * inverse).into();
            }
        }
    }

    /// Takes the products of the blocks below from the panels of later joints.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn update<S: Simd>(&mut self, simd: S, plan: &Plan, node: &Node) {
        let (own, later) = self.panels.split_at_mut(node.start + node.height * node.rows);
        let (own, before) = (&own[node.start..], node.start + node.height * node.rows);
        let mut targets = node.targets.iter();
        for (k, column) in node.below.iter().enumerate() {
            let height = plan.nodes[column.node].height;
            for (row, to) in node.below[k..].iter().zip(targets.by_ref()) {
                let to = to - before;
                for c in 0..node.rows {
                    if !self.is_active[node.first + c] {
                        continue;
                    }
                    let weight: f64x8<S> = self.weights[node.first + c].simd_into(simd);
                    let panel = &own[c * node.height..(c + 1) * node.height];
                    for j in 0..column.rows {
                        let share: f64x8<S> = panel[column.at + j].simd_into(simd);
                        let share = share * weight;
                        let target = &mut later[to + j * height..to + j * height + row.rows];
                        for (target, entry) in target.iter_mut().zip(&panel[row.at..row.at + row.rows]) {
                            let (old, entry): (f64x8<S>, f64x8<S>) =
                                ((*target).simd_into(simd), (*entry).simd_into(simd));
                            *target = (old - entry * share).into();
                        }
                    }
                }
            }
        }
    }

    /// Solves for the impulses of all rows, in place of what is to be brought about.
    pub fn solve(&self, level: Level, plan: &Plan, wanted: &mut [Lane]) {
        dispatch_to_avx2!(level, simd => self.solve_at(simd, plan, wanted));
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn solve_at<S: Simd>(&self, simd: S, plan: &Plan, wanted: &mut [Lane]) {
        for node in &plan.nodes {
            for c in 0..node.rows {
                if !self.is_active[node.first + c] {
                    continue;
                }
                let panel = &self.panels[node.start + c * node.height..node.start + (c + 1) * node.height];
                let value: f64x8<S> = wanted[node.first + c].simd_into(simd);
                for i in c + 1..node.rows {
                    let entry: f64x8<S> = panel[i].simd_into(simd);
                    let to: f64x8<S> = wanted[node.first + i].simd_into(simd);
                    wanted[node.first + i] = (to - entry * value).into();
                }
                for below in &node.below {
                    for i in 0..below.rows {
                        let entry: f64x8<S> = panel[below.at + i].simd_into(simd);
                        let to: f64x8<S> = wanted[below.first + i].simd_into(simd);
                        wanted[below.first + i] = (to - entry * value).into();
                    }
                }
            }
        }
        for node in plan.nodes.iter().rev() {
            for c in (0..node.rows).rev() {
                if !self.is_active[node.first + c] {
                    wanted[node.first + c] = [0.0; 8];
                    continue;
                }
                let panel = &self.panels[node.start + c * node.height..node.start + (c + 1) * node.height];
                let value: f64x8<S> = wanted[node.first + c].simd_into(simd);
                let inverse: f64x8<S> = self.pivots[node.first + c].simd_into(simd);
                let mut value = value * inverse;
                for i in c + 1..node.rows {
                    let entry: f64x8<S> = panel[i].simd_into(simd);
                    let later: f64x8<S> = wanted[node.first + i].simd_into(simd);
                    value -= entry * later;
                }
                for below in &node.below {
                    for i in 0..below.rows {
                        let entry: f64x8<S> = panel[below.at + i].simd_into(simd);
                        let later: f64x8<S> = wanted[below.first + i].simd_into(simd);
                        value -= entry * later;
                    }
                }
                wanted[node.first + c] = value.into();
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

    /// A chain, a star, a ring, two rings that share a body, a net; joints of one to six rows.
    fn outlines() -> Vec<Outline> {
        let ends: [Vec<(u32, Option<u32>)>; 5] = [
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
            (0..16)
                .flat_map(|k| [(k, (k % 4 < 3).then_some(k + 1)), (k, (k < 12).then_some(k + 4))])
                .collect(),
        ];
        let outline = |(number, ends): (u32, Vec<(u32, Option<u32>)>)| {
            let bodies = 1 + ends.iter().flat_map(|(a, b)| [*a, b.unwrap_or(0)]).max().unwrap_or(0);
            let rows = |k: u32| if number == 4 { 1 + k % 3 } else { 1 + (k * 5 + number) % 5 };
            let tie = |((a, b), k): ((u32, Option<u32>), u32)| Tie { bodies: [Some(a), b], rows: rows(k) };
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
        let plan = Plan::new(outline);
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
            let first = |body: Option<u32>| body.map_or(count as u32, |body| body * LANES as u32);
            let sides = outline.joints[node.joint as usize].bodies;
            ends[number].sides =
                sides.map(|body| Eight::new(std::array::from_fn(|lane| first(body) + lane as u32)));
            ends[number].moves = sides.map(|body| if body.is_some() { u8::MAX } else { 0 });
            for lane in 0..LANES {
                for row in node.first..node.first + node.rows {
                    let mut both = || [0, 1].map(|_| random.point());
                    lines[row].set(lane, &Gradient { straight: both(), turning: both() });
                    lines[row].active[lane] = f64::from(u8::from(random.within(0.0, 1.0) < 0.85));
                    lines[row].compliance[lane] = random.within(0.0, 1e-3);
                }
            }
            let rows = &mut lines[node.first..node.first + node.rows];
            dispatch_to_avx2!(Level::new(), simd => weigh(simd, &ends[number], rows, &weights));
        }
        System { plan, ends, lines, masses }
    }

    impl System {
        /// The speed that impulses make along a row, body by body.
        fn made(&self, impulses: &[Lane], row: usize, lane: usize) -> f64 {
            let node_of =
                |row: usize| self.plan.nodes.iter().position(|n| (n.first..n.first + n.rows).contains(&row));
            let bodies =
                |row: usize| [0, 1].map(|side| self.ends[node_of(row).unwrap()].sides[side].bodies[lane]);
            let mut sum = self.lines[row].compliance[lane] * impulses[row][lane];
            for (other, impulse) in impulses.iter().enumerate() {
                for (side, body) in bodies(row).into_iter().enumerate() {
                    for (its, another) in bodies(other).into_iter().enumerate().filter(|(_, b)| *b == body) {
                        let _ = another;
                        let masses = &self.masses[body as usize];
                        let inertia: DMat3 = masses.inverse_inertia();
                        let get = |of: &[[Lane; 3]; 2], side: usize| got(&of[side], lane);
                        let (j, k) = (&self.lines[row], &self.lines[other]);
                        let straight: DVec3 = get(&k.straight, its) * masses.inverse_mass;
                        let spun = inertia * get(&k.turning, its);
                        let product = get(&j.straight, side).dot(straight) + get(&j.turning, side).dot(spun);
                        sum += product * impulse[lane];
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
            assert!(plan.is_direct);
            let mut wanted = vec![[0.0; LANES]; plan.rows];
            for (row, line) in wanted.iter_mut().zip(lines) {
                (0..LANES).for_each(|lane| row[lane] = random.within(-1.0, 1.0) * line.active[lane]);
            }
            let solve = |level: Level| {
                let (mut factors, mut found) = (Factors::default(), wanted.clone());
                factors.factorise(level, plan, lines, &[0.0; LANES]);
                factors.solve(level, plan, &mut found);
                found
            };
            let found = solve(Level::new());
            direct = direct.max(system.off(&found, &wanted));
            assert!(other_levels().into_iter().all(|level| solve(level) == found));
            let mut found = wanted.clone();
            let net = Net { plan, ends, lines, damping: &[0.0; LANES] };
            Gradients::default().solve(&net, outline.bodies as usize + 1, &mut found);
            rounds = rounds.max(system.off(&found, &wanted));
        }
        // Masses of one to a thousand; rounds end where a thousandth of what was wanted is left.
        assert!(direct < 1e-9 && rounds < 0.05, "{direct} {rounds}");
    }

    #[test]
    fn trees_have_no_blocks_but_those_of_neighbours_and_large_nets_no_factors() {
        let tie = |a: u32, b: Option<u32>| Tie { bodies: [Some(a), b], rows: 3 };
        let chain = Outline { bodies: 500, joints: (0..500).map(|k| tie(k, k.checked_sub(1))).collect() };
        assert_eq!(Plan::new(&chain).entries, 3 * (3 * 499 * 2 + 3));
        let net = |side: u32| Outline {
            bodies: side * side,
            joints: (0..side * side)
                .flat_map(|k| {
                    let right = (k % side + 1 < side).then(|| tie(k, Some(k + 1)));
                    right.into_iter().chain((k + side < side * side).then(|| tie(k, Some(k + side))))
                })
                .collect(),
        };
        assert!(Plan::new(&net(8)).is_direct && !Plan::new(&net(40)).is_direct);
    }
}
