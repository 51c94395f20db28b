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
}

/// A pivot that has lost so much of its diagonal entry is rounding: the row follows from others.
const REDUNDANT: f64 = 1e-11;

impl Factors {
    /// Makes factors of rows, by the order of the plan, of which some are active and some yield; all by a share of
    /// their weight more.
    pub fn factorise(&mut self, plan: &Plan, lines: &[Line], damping: &Lane) {
        self.panels.resize(plan.entries, [0.0; 8]);
        self.pivots.resize(plan.rows, [0.0; 8]);
        self.weights.resize(plan.rows, [0.0; 8]);
        dispatch_to_avx2!(Level::new(), simd => self.factorise_at(simd, plan, lines, damping));
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn factorise_at<S: Simd>(&mut self, simd: S, plan: &Plan, lines: &[Line], damping: &Lane) {
        self.panels.fill([0.0; 8]);
        for node in &plan.nodes {
            self.assemble(simd, plan, node, lines);
        }
        for node in &plan.nodes {
            self.eliminate(simd, node, &lines[node.first..node.first + node.rows], damping);
            self.update(simd, plan, node);
        }
    }

    /// The entries of a panel: products of rows at the bodies that they share.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn assemble<S: Simd>(&mut self, simd: S, plan: &Plan, node: &Node, lines: &[Line]) {
        for coupling in &node.couplings {
            let other = &plan.nodes[coupling.node];
            let [own_side, its_side] = coupling.sides;
            for c in 0..node.rows {
                let column = &lines[node.first + c];
                for r in 0..other.rows {
                    let row = &lines[other.first + r];
                    let product = row.product(simd, its_side, column, own_side);
                    let entry = &mut self.panels[node.start + c * node.height + coupling.at + r];
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
    pub fn solve(&self, plan: &Plan, wanted: &mut [Lane]) {
        dispatch_to_avx2!(Level::new(), simd => self.solve_at(simd, plan, wanted));
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn solve_at<S: Simd>(&self, simd: S, plan: &Plan, wanted: &mut [Lane]) {
        for node in &plan.nodes {
            for c in 0..node.rows {
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
