//! Walking two trees at once: all pairs of triangles that may meet.

use std::ops::ControlFlow;

use fearless_simd::{Level, Simd, dispatch};

use super::frame::{Relative, is_larger};
use super::kernel::{EightBoxes, EightTriangles, OneBox, Turn};
use super::wide::{WideNode, WideTree};
use crate::math::Pose;

/// Two posed trees.
#[derive(Debug, Clone, Copy)]
pub struct Bodies<'a> {
    /// First tree.
    pub a: &'a WideTree,
    /// Pose of the first.
    pub pose_a: &'a Pose,
    /// Second tree.
    pub b: &'a WideTree,
    /// Pose of the second.
    pub pose_b: &'a Pose,
}

/// What is done with the pairs a walk lets through.
pub trait CandidateVisitor {
    /// Whether the walk should go to the nearest boxes first: worth its cost if the first hit ends it.
    const NEAREST_FIRST: bool;

    /// Two leaves with their triangle numbers; bit j of `masks[i]` is set if triangles `a[i]` and `b[j]` may
    /// meet. Every pair that does meet is let through. `Break` ends the walk.
    fn leaves(&mut self, a: &[u32], b: &[u32], masks: &[u32; 8]) -> ControlFlow<()>;
}

/// Calls the visitor with every pair of triangles that may meet. Deterministic; the order depends only on the
/// two trees and poses.
pub fn visit_candidates<V: CandidateVisitor>(bodies: &Bodies, visitor: &mut V) {
    visit_at(Level::new(), bodies, visitor);
}

/// The same at a given SIMD level.
pub(super) fn visit_at<V: CandidateVisitor>(level: Level, bodies: &Bodies, visitor: &mut V) {
    // The walk wants the larger body first; the visitor must not notice.
    if is_larger(bodies.a.frame(), bodies.b.frame()) {
        visit_ordered(level, bodies, visitor);
    } else {
        let Bodies { a, pose_a, b, pose_b } = *bodies;
        visit_ordered(level, &Bodies { a: b, pose_a: pose_b, b: a, pose_b: pose_a }, &mut Swapped(visitor));
    }
}

fn visit_ordered<V: CandidateVisitor>(level: Level, bodies: &Bodies, visitor: &mut V) {
    let Bodies { a, pose_a, b, pose_b } = *bodies;
    let Some(relative) = Relative::new(a.frame(), pose_a, b.frame(), pose_b) else { return };
    let walk = Walk { a, b, turn: Turn::new(relative) };
    dispatch!(level, simd => walk.run(simd, visitor));
}

/// A visitor that is shown the bodies the other way round.
struct Swapped<'v, V>(&'v mut V);

impl<V: CandidateVisitor> CandidateVisitor for Swapped<'_, V> {
    const NEAREST_FIRST: bool = V::NEAREST_FIRST;

    fn leaves(&mut self, a: &[u32], b: &[u32], masks: &[u32; 8]) -> ControlFlow<()> {
        let column = |j: usize| (0..a.len()).fold(0, |bits, i| bits | (masks[i] >> j & 1) << i);
        self.0.leaves(b, a, &std::array::from_fn(column))
    }
}

/// A child: its node's number times eight, plus its slot.
type Place = u32;

/// A pair of children whose boxes may meet.
#[derive(Clone, Copy)]
struct Pair {
    a: Place,
    b: Place,
}

struct Walk<'a> {
    a: &'a WideTree,
    b: &'a WideTree,
    turn: Turn,
}

/// A node is opened alone while its box is this many times as large as the other's.
const MUCH_LARGER: f32 = 4.0;

impl Walk<'_> {
    #[inline(always)]
    fn run<S: Simd, V: CandidateVisitor>(&self, simd: S, visitor: &mut V) {
        let mut todo = Todo { pairs: Vec::with_capacity(256), near: Vec::new() };
        self.open_both::<S, V>(simd, 0, 0, 0xff, &mut todo);
        while let Some(pair) = todo.pairs.pop() {
            if self.step(simd, pair, visitor, &mut todo).is_break() {
                return;
            }
        }
    }

    #[inline(always)]
    fn step<S: Simd, V: CandidateVisitor>(
        &self,
        simd: S,
        pair: Pair,
        visitor: &mut V,
        todo: &mut Todo,
    ) -> ControlFlow<()> {
        let (node_a, slot_a) = at(self.a, pair.a);
        let (node_b, slot_b) = at(self.b, pair.b);
        let (one_a, one_b) =
            (OneBox::of_a(node_a, slot_a, &self.turn), OneBox::of_b(node_b, slot_b, &self.turn));
        let (leaf_a, leaf_b) = (node_a.count[slot_a] > 0, node_b.count[slot_b] > 0);
        if leaf_a && leaf_b {
            let (a, b) = (Leaf::of(node_a, slot_a), Leaf::of(node_b, slot_b));
            let reach = 2.0 * (one_a.along_a + one_b.along_a).max_element() + self.turn.relative.slack;
            return self.filter(simd, a, b, reach, visitor);
        }
        let (size_a, size_b) = (one_a.size(), one_b.size());
        if leaf_a || (!leaf_b && size_b > MUCH_LARGER * size_a) {
            let first = node_b.first[slot_b];
            let eight = EightBoxes::of_b(simd, &self.b.nodes[first as usize], &self.turn);
            let (mask, distance) = eight.meeting(simd, &one_a, &self.turn);
            todo.push::<V>(mask, &distance, |slot| Pair { a: pair.a, b: 8 * first + slot });
            todo.flush::<V>();
            return ControlFlow::Continue(());
        }
        let first = node_a.first[slot_a];
        let eight = EightBoxes::of_a(simd, &self.a.nodes[first as usize], &self.turn);
        let (mask, distance) = eight.meeting(simd, &one_b, &self.turn);
        if leaf_b || size_a > MUCH_LARGER * size_b {
            todo.push::<V>(mask, &distance, |slot| Pair { a: 8 * first + slot, b: pair.b });
            todo.flush::<V>();
        } else {
            self.open_both::<S, V>(simd, first, node_b.first[slot_b], mask, todo);
        }
        ControlFlow::Continue(())
    }

    /// Tests the children in `mask` of node `a` against all of node `b`.
    #[inline(always)]
    fn open_both<S: Simd, V: CandidateVisitor>(&self, simd: S, a: u32, b: u32, mask: u32, todo: &mut Todo) {
        let node_a = &self.a.nodes[a as usize];
        let eight = EightBoxes::of_b(simd, &self.b.nodes[b as usize], &self.turn);
        for slot_a in bits(mask) {
            let one = OneBox::of_a(node_a, slot_a as usize, &self.turn);
            let (mask, distance) = eight.meeting(simd, &one, &self.turn);
            todo.push::<V>(mask, &distance, |slot| Pair { a: 8 * a + slot_a, b: 8 * b + slot });
        }
        todo.flush::<V>();
    }

    /// Passes two leaves to the visitor, less the pairs of triangles that certainly do not meet.
    #[inline(always)]
    fn filter<S: Simd, V: CandidateVisitor>(
        &self,
        simd: S,
        a: Leaf,
        b: Leaf,
        reach: f32,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        let ours = EightTriangles::of_a(simd, &self.a.corners[9 * a.first as usize..], a.count.into());
        let theirs =
            EightTriangles::of_b(simd, &self.b.corners[9 * b.first as usize..], b.count.into(), &self.turn);
        let valid = (1 << b.count) - 1;
        let (mut masks, mut any) = ([0; 8], 0);
        for i in 0..a.count as usize {
            masks[i] = valid & theirs.meeting(simd, &ours, i, self.turn.relative.slack, reach);
            any |= masks[i];
        }
        if any == 0 {
            return ControlFlow::Continue(());
        }
        visitor.leaves(self.a.leaf(a.first, a.count), self.b.leaf(b.first, b.count), &masks)
    }
}

#[derive(Clone, Copy)]
struct Leaf {
    first: u32,
    count: u8,
}

impl Leaf {
    #[inline(always)]
    fn of(node: &WideNode, slot: usize) -> Self {
        Self { first: node.first[slot], count: node.count[slot] }
    }
}

#[inline(always)]
fn at(tree: &WideTree, place: Place) -> (&WideNode, usize) {
    (&tree.nodes[(place >> 3) as usize], (place & 7) as usize)
}

/// Pairs still to be opened; the last one comes first.
struct Todo {
    pairs: Vec<Pair>,
    /// Pairs found by one step with the squared distance of their centres, before they are put in order.
    near: Vec<(f32, Pair)>,
}

impl Todo {
    #[inline(always)]
    fn push<V: CandidateVisitor>(&mut self, mask: u32, distance: &[f32; 8], pair: impl Fn(u32) -> Pair) {
        for slot in bits(mask) {
            if V::NEAREST_FIRST {
                self.near.push((distance[slot as usize], pair(slot)));
            } else {
                self.pairs.push(pair(slot));
            }
        }
    }

    #[inline(always)]
    fn flush<V: CandidateVisitor>(&mut self) {
        if V::NEAREST_FIRST {
            self.near.sort_by(|p, q| q.0.total_cmp(&p.0));
            self.pairs.extend(self.near.drain(..).map(|(_, pair)| pair));
        }
    }
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
