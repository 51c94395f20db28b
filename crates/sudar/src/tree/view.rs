//! One posed tree seen from the world: nearest triangles and triangles along a segment.
//!
//! Boxes are compared in `f64` in the tree's own frame, inflated by all rounding, so that no triangle is missed;
//! what the visitor is shown it decides on the posed triangles themselves.

use std::collections::BinaryHeap;

use glam::{DMat3, DVec3};

use super::frame::power_of_two;
use super::waiting::Waiting;
use super::wide::{WideNode, WideTree};
use crate::math::Pose;
use crate::shape::Aabb;

/// A pose's matrix may be off a rotation by 1e-6 an entry; lengths measured in the body's frame are therefore
/// only known to this factor, which is taken off every lower bound.
const METRIC: f64 = 1.0 - 4e-6;

/// A posed tree, with what it takes to bring world points into its frame.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    tree: &'a WideTree,
    pose: &'a Pose,
    inverse: DMat3,
    to_tree: f64,
}

impl<'a> View<'a> {
    /// The tree at a pose.
    pub fn new(tree: &'a WideTree, pose: &'a Pose) -> Self {
        Self { tree, pose, inverse: pose.rotation().inverse(), to_tree: power_of_two(tree.frame.exponent) }
    }

    /// `p` in the tree's frame, and a bound on its error together with that of the posed triangles.
    fn place(&self, p: DVec3) -> (DVec3, f64) {
        let in_body = self.inverse * (p - self.pose.translation());
        let far = self.tree.frame.reach + self.pose.translation().abs().max_element() + p.abs().max_element();
        let slack = 64.0 * f64::EPSILON * far * self.to_tree;
        (self.tree.frame.scaled(in_body), slack)
    }

    /// Shows the visitor the leaves around `p`, nearest first, while they may hold a point nearer than `upper`
    /// (a distance in the world). The visitor returns the new upper bound. Returns a number that the distance of
    /// every triangle not shown does not fall below.
    pub fn visit_nearest(&self, p: DVec3, mut upper: f64, mut visitor: impl FnMut(&[u32]) -> f64) -> f64 {
        let (p, slack) = self.place(p);
        let gap = |node: &WideNode, slot: usize| {
            let outside = outside(node, slot, p, slack);
            outside.length() * METRIC / self.to_tree
        };
        self.best_first(&mut upper, |node, slot| Some(gap(node, slot)), &mut visitor)
    }

    /// Shows the visitor the leaves whose boxes the segment from `a` to `b` may pass, about in its order. The
    /// visitor returns the fraction of the segment that is still of interest, 1 at first.
    pub fn visit_segment(&self, a: DVec3, b: DVec3, mut visitor: impl FnMut(&[u32]) -> f64) {
        let ((a, slack_a), (b, slack_b)) = (self.place(a), self.place(b));
        let slack = slack_a.max(slack_b);
        let mut upto = 1.0;
        let enter = |node: &WideNode, slot: usize| entry(node, slot, a, b - a, slack);
        self.best_first(&mut upto, enter, &mut visitor);
    }

    /// Shows the visitor every leaf whose box may meet the region, which may reach to infinity.
    pub fn visit_box(&self, region: &Aabb, mut visitor: impl FnMut(&[u32])) {
        let Some(region) = self.clipped(region) else { return };
        let (center, slack) = self.place(region.center());
        let turn =
            DMat3::from_cols(self.inverse.x_axis.abs(), self.inverse.y_axis.abs(), self.inverse.z_axis.abs());
        let half = turn * (region.extent() * 0.5) * self.to_tree + DVec3::splat(slack);
        let mut todo = vec![0];
        while let Some(n) = todo.pop() {
            let node: &WideNode = &self.tree.nodes[n as usize];
            for slot in (0..8).filter(|&slot| outside(node, slot, center, 0.0).cmple(half).all()) {
                match node.count[slot] {
                    0 if node.half[0][slot] < 0.0 => {}
                    0 => todo.push(node.first[slot]),
                    count => visitor(self.tree.leaf(node.first[slot], count)),
                }
            }
        }
    }

    /// The part of the region that the tree can reach; `None` if there is none.
    fn clipped(&self, region: &Aabb) -> Option<Aabb> {
        let unit = 1.0 / self.to_tree;
        let origin = self.pose.apply(self.tree.frame.origin);
        // The frame is a cube of half edge 1, turned by less than any rotation can.
        let reach = 2.0 * unit + 64.0 * f64::EPSILON * (origin.abs().max_element() + self.tree.frame.reach);
        let (min, max) = (region.min.max(origin - reach), region.max.min(origin + reach));
        min.cmple(max).all().then_some(Aabb { min, max })
    }

    fn best_first(
        &self,
        upper: &mut f64,
        bound: impl Fn(&WideNode, usize) -> Option<f64>,
        visitor: &mut impl FnMut(&[u32]) -> f64,
    ) -> f64 {
        let mut heap = BinaryHeap::new();
        let open = |n: u32, heap: &mut BinaryHeap<Waiting<(u32, usize)>>, upper: f64| {
            let node = &self.tree.nodes[n as usize];
            for slot in (0..8).filter(|&i| node.half[0][i] >= 0.0) {
                if let Some(bound) = bound(node, slot).filter(|b| *b <= upper) {
                    heap.push(Waiting { bound, place: (n, slot) });
                }
            }
        };
        open(0, &mut heap, *upper);
        while let Some(next) = heap.pop() {
            if next.bound > *upper {
                return next.bound;
            }
            let (number, slot) = next.place;
            let node = &self.tree.nodes[number as usize];
            match node.count[slot] {
                0 => open(node.first[slot], &mut heap, *upper),
                count => *upper = visitor(self.tree.leaf(node.first[slot], count)).min(*upper),
            }
        }
        *upper
    }
}

/// The vector by which `p` lies outside a child's box, each coordinate at least zero and rounded down.
fn outside(node: &WideNode, slot: usize, p: DVec3, slack: f64) -> DVec3 {
    let axis = |k: usize| {
        let (center, half) = (f64::from(node.center[k][slot]), f64::from(node.half[k][slot]));
        ((p[k] - center).abs() - half - slack).max(0.0)
    };
    DVec3::new(axis(0), axis(1), axis(2))
}

/// Where the segment `a + t·d` enters a child's box, as a lower bound on `t`; `None` if it certainly misses.
fn entry(node: &WideNode, slot: usize, a: DVec3, d: DVec3, slack: f64) -> Option<f64> {
    let (mut enter, mut leave): (f64, f64) = (0.0, 1.0);
    for k in 0..3 {
        let (center, half) = (f64::from(node.center[k][slot]), f64::from(node.half[k][slot]) + slack);
        let offset = center - a[k];
        if d[k] == 0.0 || d[k].abs() < f64::MIN_POSITIVE {
            if offset.abs() > half {
                return None;
            }
            continue;
        }
        let (low, high) = ((offset - half) / d[k], (offset + half) / d[k]);
        enter = enter.max(low.min(high));
        leave = leave.min(low.max(high));
    }
    // The quotients carry three roundings each.
    let margin = 4.0 * f64::EPSILON * enter.abs().max(leave.abs());
    (enter - margin <= leave + margin).then_some((enter - margin).max(0.0))
}
