//! Walking a tree against itself: all pairs of triangles of one body that may meet.

use std::ops::ControlFlow;

use fearless_simd::{Level, Simd, dispatch, f32x8, prelude::*};

use super::frame::slack_with_itself;
use super::kernel::{EightTriangles, Near};
use super::wide::{WideNode, WideTree};
use crate::effort::Meter;
use crate::math::Pose;

/// Two leaves of one tree, or one leaf twice, with the pairs of triangles that may meet.
#[derive(Debug, Clone, Copy)]
pub struct OwnLeaves<'a> {
    /// Triangle numbers of the first leaf.
    pub a: &'a [u32],
    /// Triangle numbers of the second.
    pub b: &'a [u32],
    /// Bit j of `masks[i]` is set if triangles `a[i]` and `b[j]` may meet. In a leaf with itself each pair is named
    /// once.
    pub masks: [u32; 8],
}

/// Calls the visitor with every pair of different triangles that may meet where the body stands, each once;
/// neighbours are among them. `Break` ends the walk, and so does the meter. Deterministic.
pub fn visit_own_candidates(
    tree: &WideTree,
    pose: &Pose,
    visitor: &mut dyn FnMut(&OwnLeaves) -> ControlFlow<()>,
    meter: &mut Meter,
) {
    visit_at(Level::new(), tree, pose, visitor, meter);
}

/// The same at a given SIMD level.
fn visit_at(
    level: Level,
    tree: &WideTree,
    pose: &Pose,
    visitor: &mut dyn FnMut(&OwnLeaves) -> ControlFlow<()>,
    meter: &mut Meter,
) {
    let walk = Walk { tree, slack: slack_with_itself(tree.frame(), pose) };
    dispatch!(level, simd => walk.run(simd, visitor, meter));
}

/// A child: its node's number times eight, plus its slot.
type Place = u32;

/// Two children whose boxes may meet, or a child and itself.
#[derive(Clone, Copy)]
struct Pair {
    a: Place,
    b: Place,
}

/// The tree at rest in its own frame: a pose moves all of it alike, up to the rounding that the slack makes up for.
struct Walk<'a> {
    tree: &'a WideTree,
    slack: f32,
}

impl Walk<'_> {
    #[inline(always)]
    fn run<S: Simd>(
        &self,
        simd: S,
        visitor: &mut dyn FnMut(&OwnLeaves) -> ControlFlow<()>,
        meter: &mut Meter,
    ) {
        if meter.spend(1).is_break() {
            return;
        }
        let mut todo = Vec::with_capacity(256);
        self.open_alone(simd, 0, &mut todo);
        while let Some(pair) = todo.pop() {
            if meter.spend(1).is_break() || self.step(simd, pair, visitor, &mut todo).is_break() {
                return;
            }
        }
    }

    #[inline(always)]
    fn step<S: Simd>(
        &self,
        simd: S,
        pair: Pair,
        visitor: &mut dyn FnMut(&OwnLeaves) -> ControlFlow<()>,
        todo: &mut Vec<Pair>,
    ) -> ControlFlow<()> {
        let ((node_a, slot_a), (node_b, slot_b)) = (self.at(pair.a), self.at(pair.b));
        let (first_a, first_b) = (node_a.first[slot_a], node_b.first[slot_b]);
        match (node_a.count[slot_a], node_b.count[slot_b]) {
            (0, 0) if pair.a == pair.b => self.open_alone(simd, first_a, todo),
            (0, 0) => self.open_both(simd, pair, todo),
            (0, _) => self.open(simd, first_a, pair.b, |a| Pair { a, b: pair.b }, todo),
            (_, 0) => self.open(simd, first_b, pair.a, |b| Pair { a: pair.a, b }, todo),
            (_, _) => return self.filter(simd, pair, visitor),
        }
        ControlFlow::Continue(())
    }

    /// A node against itself: every child, and every two of them.
    #[inline(always)]
    fn open_alone<S: Simd>(&self, simd: S, node: u32, todo: &mut Vec<Pair>) {
        let children = &self.tree.nodes[node as usize];
        for slot in (0..8).filter(|&slot| children.half[0][slot] >= 0.0) {
            let a = 8 * node + slot as u32;
            let later = 0xfe << slot & self.meeting(simd, children, children, slot);
            todo.extend(bits(later).map(|slot| Pair { a, b: 8 * node + slot }));
            if children.count[slot] != 1 {
                todo.push(Pair { a, b: a });
            }
        }
    }

    /// The children of two nodes, two and two.
    #[inline(always)]
    fn open_both<S: Simd>(&self, simd: S, pair: Pair, todo: &mut Vec<Pair>) {
        let ((node_a, slot_a), (node_b, slot_b)) = (self.at(pair.a), self.at(pair.b));
        let (first_a, first_b) = (node_a.first[slot_a], node_b.first[slot_b]);
        let (below_a, below_b) = (&self.tree.nodes[first_a as usize], &self.tree.nodes[first_b as usize]);
        for slot in bits(self.meeting(simd, below_a, node_b, slot_b)) {
            let a = 8 * first_a + slot;
            let mask = self.meeting(simd, below_b, below_a, slot as usize);
            todo.extend(bits(mask).map(|slot| Pair { a, b: 8 * first_b + slot }));
        }
    }

    /// The children of a node against a leaf.
    #[inline(always)]
    fn open<S: Simd>(
        &self,
        simd: S,
        node: u32,
        leaf: Place,
        pair: impl Fn(Place) -> Pair,
        todo: &mut Vec<Pair>,
    ) {
        let (of_leaf, slot) = self.at(leaf);
        let mask = self.meeting(simd, &self.tree.nodes[node as usize], of_leaf, slot);
        todo.extend(bits(mask).map(|slot| pair(8 * node + slot)));
    }

    #[inline(always)]
    fn at(&self, place: Place) -> (&WideNode, usize) {
        (&self.tree.nodes[(place >> 3) as usize], (place & 7) as usize)
    }

    /// Which children of `eight` may meet child `slot` of `one`.
    #[inline(always)]
    fn meeting<S: Simd>(&self, simd: S, eight: &WideNode, one: &WideNode, slot: usize) -> u32 {
        let mut mask = 0xff;
        for axis in 0..3 {
            let center: f32x8<S> = eight.center[axis].simd_into(simd);
            let half: f32x8<S> = eight.half[axis].simd_into(simd);
            let apart = (center - one.center[axis][slot]).abs();
            mask &= apart.simd_le(half + (one.half[axis][slot] + self.slack)).to_bitmask() as u32;
        }
        mask
    }

    /// Passes two leaves to the visitor, less the pairs of triangles that certainly do not meet.
    #[inline(always)]
    fn filter<S: Simd>(
        &self,
        simd: S,
        pair: Pair,
        visitor: &mut dyn FnMut(&OwnLeaves) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let ((node_a, slot_a), (node_b, slot_b)) = (self.at(pair.a), self.at(pair.b));
        let ours = self.triangles(simd, node_a, slot_a);
        let theirs = self.triangles(simd, node_b, slot_b);
        let reach = 2.0 * (longest(node_a, slot_a) + longest(node_b, slot_b)) + self.slack;
        let near = Near { slack: self.slack, margin: 0.0, reach };
        let (count_a, count_b) = (node_a.count[slot_a], node_b.count[slot_b]);
        let (mut masks, mut any) = ([0; 8], 0);
        for (i, mask) in masks.iter_mut().enumerate().take(count_a.into()) {
            let named = if pair.a == pair.b { 0xfe << i } else { 0xff };
            *mask = ((1 << count_b) - 1) & named & theirs.meeting(simd, &ours, i, near);
            any |= *mask;
        }
        if any == 0 {
            return ControlFlow::Continue(());
        }
        let a = self.tree.leaf(node_a.first[slot_a], count_a);
        let b = self.tree.leaf(node_b.first[slot_b], count_b);
        visitor(&OwnLeaves { a, b, masks })
    }

    #[inline(always)]
    fn triangles<S: Simd>(&self, simd: S, node: &WideNode, slot: usize) -> EightTriangles<S> {
        let corners = &self.tree.corners[9 * node.first[slot] as usize..];
        EightTriangles::of_a(simd, corners, node.count[slot].into())
    }
}

#[inline(always)]
fn longest(node: &WideNode, slot: usize) -> f32 {
    node.half[0][slot].max(node.half[1][slot]).max(node.half[2][slot])
}

/// The set bits, least first.
#[inline(always)]
fn bits(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let bit = mask.trailing_zeros();
        mask &= mask - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::triangles_intersect;
    use crate::shape::Mesh;
    use crate::tree::build::tests::soup;
    use crate::tree::levels::other_levels;

    fn shown(level: Level, mesh: &Mesh) -> Vec<[u32; 2]> {
        let tree = WideTree::new(mesh);
        let mut pairs = Vec::new();
        let mut visitor = |leaves: &OwnLeaves| {
            for (&i, &mask) in leaves.a.iter().zip(&leaves.masks) {
                pairs.extend(bits(mask).map(|j| [i, leaves.b[j as usize]]));
            }
            ControlFlow::Continue(())
        };
        visit_at(level, &tree, &Pose::IDENTITY, &mut visitor, &mut Meter::unlimited());
        pairs
    }

    #[test]
    fn every_pair_that_meets_is_shown_once() {
        for (n, size) in [(2, 1.0), (8, 0.5), (9, 0.5), (70, 0.3), (700, 0.1)] {
            let mesh = soup(n, size, n as u64);
            let mut pairs: Vec<_> =
                shown(Level::new(), &mesh).iter().map(|[i, j]| [*i.min(j), *i.max(j)]).collect();
            pairs.sort_unstable();
            assert!(pairs.windows(2).all(|w| w[0] != w[1]) && pairs.iter().all(|[i, j]| i < j));
            for (i, j) in (0..n as u32).flat_map(|i| (0..i).map(move |j| (j, i))) {
                let meet = triangles_intersect(&mesh.triangle(i), &mesh.triangle(j));
                assert!(!meet || pairs.binary_search(&[i, j]).is_ok(), "{i} and {j} of {n}");
            }
        }
    }

    #[test]
    fn every_simd_level_walks_the_same_way() {
        let mesh = soup(3000, 0.1, 3);
        let best = shown(Level::new(), &mesh);
        assert!(best.len() > 1000);
        for level in other_levels() {
            assert!(shown(level, &mesh) == best, "{level:?} differs from {:?}", Level::new());
        }
    }

    #[test]
    fn the_meter_ends_the_walk() {
        let tree = WideTree::new(&soup(3000, 0.1, 4));
        let mut meter = Meter::new(&crate::effort::Budget::nodes(10));
        let mut calls = 0;
        let mut visitor = |_: &OwnLeaves| {
            calls += 1;
            ControlFlow::Continue(())
        };
        visit_own_candidates(&tree, &Pose::IDENTITY, &mut visitor, &mut meter);
        assert!(meter.is_stopped() && calls <= 10);
    }
}
