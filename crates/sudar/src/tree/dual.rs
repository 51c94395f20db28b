//! Walking two trees at once: all pairs of triangles that may meet.

use std::ops::ControlFlow;

use fearless_simd::{Level, Simd, dispatch};

use super::frame::{Relative, is_larger};
use super::kernel::{EightBoxes, EightTriangles, Near, OneBox, Turn};
use super::near_leaves::retain_near;
use super::slab::{EightSlabs, OneSlab, SlabNode};
use super::wide::{WideNode, WideTree};
use crate::effort::Meter;
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
    fn nearest_first(&self) -> bool;

    /// Two leaves with their triangle numbers; bit j of `masks[i]` is set if triangles `a[i]` and `b[j]` may
    /// meet. Every pair that does meet is let through. `Break` ends the walk.
    fn leaves(&mut self, a: &[u32], b: &[u32], masks: &[u32; 8]) -> ControlFlow<()>;
}

/// Calls the visitor with every pair of triangles that may meet. Deterministic; the order depends only on the
/// two trees and poses. The meter counts pairs of children and may end the walk.
pub fn visit_candidates(bodies: &Bodies, visitor: &mut dyn CandidateVisitor, meter: &mut Meter) {
    visit_at(Level::new(), bodies, Vicinity::MEETING, visitor, meter);
}

/// Calls the visitor in the same way with every pair of triangles that may be as near as the vicinity says. Whether the walk
/// was no longer than that allows; else pairs may be missing.
pub fn visit_near_candidates(
    bodies: &Bodies,
    vicinity: Vicinity,
    visitor: &mut dyn CandidateVisitor,
    meter: &mut Meter,
) -> bool {
    visit_at(Level::new(), bodies, vicinity, visitor, meter)
}

/// What is near, and how long to look for it.
#[derive(Debug, Clone, Copy)]
pub struct Vicinity {
    /// Triangles at most so far apart count as meeting: zero or more, in the unit of the world.
    pub margin: f64,
    /// Most pairs of nodes to open, and eights of pairs of triangles to measure.
    pub most: u32,
}

impl Vicinity {
    /// What meets, however long it takes.
    const MEETING: Self = Self { margin: 0.0, most: u32::MAX };
}

/// The same at a given SIMD level.
pub(super) fn visit_at(
    level: Level,
    bodies: &Bodies,
    vicinity: Vicinity,
    visitor: &mut dyn CandidateVisitor,
    meter: &mut Meter,
) -> bool {
    // The walk wants the larger body first; the visitor must not notice.
    if is_larger(bodies.a.frame(), bodies.b.frame()) {
        visit_ordered(level, bodies, vicinity, visitor, meter)
    } else {
        let Bodies { a, pose_a, b, pose_b } = *bodies;
        let swapped = Bodies { a: b, pose_a: pose_b, b: a, pose_b: pose_a };
        visit_ordered(level, &swapped, vicinity, &mut Swapped(visitor), meter)
    }
}

fn visit_ordered(
    level: Level,
    bodies: &Bodies,
    Vicinity { margin, most }: Vicinity,
    visitor: &mut dyn CandidateVisitor,
    meter: &mut Meter,
) -> bool {
    let Bodies { a, pose_a, b, pose_b } = *bodies;
    let Some(relative) = Relative::within(a.frame(), pose_a, b.frame(), pose_b, margin) else { return true };
    let walk = Walk { a, b, turn: Turn::new(relative), most };
    dispatch!(level, simd => walk.run(simd, visitor, meter))
}

/// A visitor that is shown the bodies the other way round.
struct Swapped<'v>(&'v mut dyn CandidateVisitor);

impl CandidateVisitor for Swapped<'_> {
    fn nearest_first(&self) -> bool {
        self.0.nearest_first()
    }

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
    /// How many steps it may take.
    most: u32,
}

/// The slabs of both trees, once a walk uses them.
#[derive(Clone, Copy)]
struct Slabs<'a> {
    a: &'a [SlabNode],
    b: &'a [SlabNode],
}

/// How many pairs a walk opens before it asks for the slabs: most walks for a first hit are shorter and never need them.
/// Counted anew in each walk, so that its course does not depend on earlier ones.
const PATIENCE: u32 = 16;

/// The same for walks that look at everything, which mostly are longer.
const PATIENCE_FOR_ALL: u32 = 6;

/// A node is opened alone while its box is this many times as large as the other's.
const MUCH_LARGER: f32 = 4.0;

impl Walk<'_> {
    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, visitor: &mut dyn CandidateVisitor, meter: &mut Meter) -> bool {
        if meter.spend(1).is_break() {
            return true;
        }
        let mut todo = Todo::new(visitor.nearest_first());
        let patience = if visitor.nearest_first() { PATIENCE } else { PATIENCE_FOR_ALL };
        let mut slabs = None;
        self.open_both(simd, [0, 0], 0xff, slabs, &mut todo);
        while let Some(pair) = todo.pairs.pop() {
            todo.steps = todo.steps.saturating_add(1);
            if slabs.is_none() {
                slabs = (todo.steps >= patience).then(|| self.slabs());
            }
            if todo.steps > self.most {
                return false;
            }
            if meter.spend(1).is_break() || self.step(simd, pair, slabs, visitor, &mut todo).is_break() {
                break;
            }
        }
        true
    }

    #[cold]
    #[inline(never)]
    fn slabs(&self) -> Slabs<'_> {
        Slabs { a: self.a.slabs(), b: self.b.slabs() }
    }

    #[inline(always)]
    fn step<S: Simd>(
        &self,
        simd: S,
        pair: Pair,
        slabs: Option<Slabs>,
        visitor: &mut dyn CandidateVisitor,
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
            todo.parting.is_due = slabs.is_some();
            return self.filter(simd, (a, &one_a), (b, &one_b), reach, todo, visitor);
        }
        let (size_a, size_b) = (one_a.size(), one_b.size());
        if leaf_a || (!leaf_b && size_b > MUCH_LARGER * size_a) {
            let first = node_b.first[slot_b];
            let eight = EightBoxes::of_b(simd, &self.b.nodes[first as usize], &self.turn);
            let (mut mask, distance) = eight.meeting(simd, &one_a, &self.turn);
            if let Some(slabs) = slabs.filter(|_| mask != 0) {
                let ours = OneSlab::of_a(&slabs.a[(pair.a >> 3) as usize], slot_a);
                let theirs = EightSlabs::of_b(simd, &slabs.b[first as usize], &self.turn);
                mask &= theirs.meeting(simd, &eight, &ours, &one_a, &self.turn);
            }
            todo.push(mask, &distance, |slot| Pair { a: pair.a, b: 8 * first + slot });
            todo.flush();
            return ControlFlow::Continue(());
        }
        let first = node_a.first[slot_a];
        let eight = EightBoxes::of_a(simd, &self.a.nodes[first as usize], &self.turn);
        let (mut mask, distance) = eight.meeting(simd, &one_b, &self.turn);
        if let Some(slabs) = slabs.filter(|_| mask != 0) {
            let theirs = OneSlab::of_b(&slabs.b[(pair.b >> 3) as usize], slot_b, &self.turn);
            let ours = EightSlabs::of_a(simd, &slabs.a[first as usize]);
            mask &= ours.meeting(simd, &eight, &theirs, &one_b, &self.turn);
        }
        if leaf_b || size_a > MUCH_LARGER * size_b {
            todo.push(mask, &distance, |slot| Pair { a: 8 * first + slot, b: pair.b });
            todo.flush();
        } else {
            self.open_both(simd, [first, node_b.first[slot_b]], mask, slabs, todo);
        }
        ControlFlow::Continue(())
    }

    /// Tests the children in `mask` of node `a` against all of node `b`.
    #[inline(always)]
    fn open_both<S: Simd>(
        &self,
        simd: S,
        [a, b]: [u32; 2],
        mask: u32,
        slabs: Option<Slabs>,
        todo: &mut Todo,
    ) {
        let node_a = &self.a.nodes[a as usize];
        let eight = EightBoxes::of_b(simd, &self.b.nodes[b as usize], &self.turn);
        match slabs {
            None => {
                for slot_a in bits(mask) {
                    let one = OneBox::of_a(node_a, slot_a as usize, &self.turn);
                    let (mask, distance) = eight.meeting(simd, &one, &self.turn);
                    todo.push(mask, &distance, |slot| Pair { a: 8 * a + slot_a, b: 8 * b + slot });
                }
            }
            Some(slabs) => {
                let theirs = EightSlabs::of_b(simd, &slabs.b[b as usize], &self.turn);
                for slot_a in bits(mask) {
                    let one = OneBox::of_a(node_a, slot_a as usize, &self.turn);
                    let (mut mask, distance) = eight.meeting(simd, &one, &self.turn);
                    if mask != 0 {
                        let ours = OneSlab::of_a(&slabs.a[a as usize], slot_a as usize);
                        mask &= theirs.meeting(simd, &eight, &ours, &one, &self.turn);
                    }
                    todo.push(mask, &distance, |slot| Pair { a: 8 * a + slot_a, b: 8 * b + slot });
                }
            }
        }
        todo.flush();
    }

    /// Passes two leaves to the visitor, less the pairs of triangles that certainly do not meet.
    #[inline(always)]
    fn filter<S: Simd>(
        &self,
        simd: S,
        (a, box_a): (Leaf, &OneBox),
        (b, box_b): (Leaf, &OneBox),
        reach: f32,
        todo: &mut Todo,
        visitor: &mut dyn CandidateVisitor,
    ) -> ControlFlow<()> {
        let Relative { slack, margin, .. } = self.turn.relative;
        let (wide, near) = (slack + margin, Near { slack, margin, reach });
        let ours = EightTriangles::of_a(simd, &self.a.corners[9 * a.first as usize..], a.count.into());
        let rows = ours.in_box(simd, box_b, wide) & ((1 << a.count) - 1);
        if rows == 0 {
            return ControlFlow::Continue(());
        }
        let theirs =
            EightTriangles::of_b(simd, &self.b.corners[9 * b.first as usize..], b.count.into(), &self.turn);
        let columns = theirs.in_box(simd, box_a, wide) & ((1 << b.count) - 1);
        let (mut masks, mut any) = ([0; 8], 0);
        for i in bits(if columns == 0 { 0 } else { rows }) {
            let mut mask = columns & theirs.meeting(simd, &ours, i as usize, near);
            if mask != 0 && todo.parting.is_worth_it() {
                let left = theirs.not_parted(simd, &ours, i as usize, near, mask);
                todo.parting.learn((mask & !left).count_ones());
                mask = left;
            }
            masks[i as usize] = mask;
            any |= mask;
        }
        if any != 0 && margin > 0.0 {
            let mut pairs = 0;
            for mask in masks {
                pairs += mask.count_ones();
            }
            todo.steps = todo.steps.saturating_add(pairs / 8);
            any = retain_near(simd, &ours, &theirs, &mut masks, near);
        }
        if any == 0 {
            return ControlFlow::Continue(());
        }
        visitor.leaves(self.a.leaf(a.first, a.count), self.b.leaf(b.first, b.count), &masks)
    }
}

/// Whether planes between triangles are worth trying: where surfaces just miss each other nearly every pair is told apart by
/// one, where they cross hardly any. Counted anew in each walk, so that its course does not depend on earlier ones.
struct Parting {
    /// Whether the walk is long enough for it to matter.
    is_due: bool,
    credit: i32,
}

impl Parting {
    /// Rows of triangles for which it is tried at first.
    const FIRST: i32 = 16;
    /// Most that success can add up to.
    const MOST: i32 = 64;

    #[inline(always)]
    fn is_worth_it(&self) -> bool {
        self.is_due && self.credit > 0
    }

    /// Takes notice of how many pairs of a row were told apart. An exact test of one costs about twice what a row does.
    #[inline(always)]
    fn learn(&mut self, parted: u32) {
        self.credit = (self.credit + 2 * parted as i32 - 1).min(Self::MOST);
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
    nearest_first: bool,
    /// How long the walk has been so far, see [`Vicinity::most`].
    steps: u32,
    parting: Parting,
    pairs: Vec<Pair>,
    /// Pairs found by one step, before they are put in order. The key is the squared distance of their centres,
    /// as bits: those of non-negative floats are in the order of the numbers.
    near: Vec<(u32, Pair)>,
}

impl Todo {
    fn new(nearest_first: bool) -> Self {
        let parting = Parting { is_due: false, credit: Parting::FIRST };
        Self {
            nearest_first,
            parting,
            steps: 0,
            pairs: Vec::with_capacity(256),
            near: Vec::with_capacity(64),
        }
    }

    #[inline(always)]
    fn push(&mut self, mask: u32, distance: &[f32; 8], pair: impl Fn(u32) -> Pair) {
        for slot in bits(mask) {
            if self.nearest_first {
                self.near.push((distance[slot as usize].to_bits(), pair(slot)));
            } else {
                self.pairs.push(pair(slot));
            }
        }
    }

    #[inline(always)]
    fn flush(&mut self) {
        if self.nearest_first {
            self.near.sort_unstable_by_key(|(distance, pair)| std::cmp::Reverse((*distance, pair.a, pair.b)));
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

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::shape::testing::sheet;
    use crate::tree::levels::other_levels;

    /// Everything a walk shows its visitor, in order.
    #[derive(Default, PartialEq, Debug)]
    struct Log(Vec<(Vec<u32>, Vec<u32>, [u32; 8])>);

    impl CandidateVisitor for Log {
        fn nearest_first(&self) -> bool {
            true
        }

        fn leaves(&mut self, a: &[u32], b: &[u32], masks: &[u32; 8]) -> ControlFlow<()> {
            self.0.push((a.to_vec(), b.to_vec(), *masks));
            ControlFlow::Continue(())
        }
    }

    /// A crumpled sheet of 2n² triangles about the origin.
    fn crumpled(n: u32, rng: &mut rand_pcg::Pcg64) -> WideTree {
        WideTree::new(&sheet(n, |_, _| rng.random_range(-0.2..0.2)))
    }

    #[test]
    fn every_simd_level_walks_the_same_way_to_the_bit() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(1);
        let (a, b) = (crumpled(30, &mut rng), crumpled(11, &mut rng));
        for round in 0..20 {
            let vicinity = Vicinity { margin: [0.0, 0.01][round % 2], most: 100_000 };
            let turn: [f64; 4] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
            let shift = DVec3::from_array(std::array::from_fn(|_| rng.random_range(-0.4..0.4)));
            let pose = Pose::new(shift, DQuat::from_array(turn).normalize()).unwrap();
            let bodies = Bodies { a: &a, pose_a: &Pose::IDENTITY, b: &b, pose_b: &pose };
            let mut best = Log::default();
            visit_at(Level::new(), &bodies, vicinity, &mut best, &mut Meter::unlimited());
            assert!(!best.0.is_empty());
            for level in other_levels() {
                let mut log = Log::default();
                visit_at(level, &bodies, vicinity, &mut log, &mut Meter::unlimited());
                assert!(log == best, "{level:?} differs from {:?}", Level::new());
            }
        }
    }
}
