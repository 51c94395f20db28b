//! The traversal itself: which pairs of places are opened, and by what they are separated.

use std::ops::ControlFlow;

use fearless_simd::{Simd, f32x8, prelude::*};

use super::candidates::{Bodies, CandidateVisitor, LeafPair, Vicinity};
use super::frame::{Relative, STRETCH};
use super::kernel::{EightBoxes, EightTriangles, Near, OneBox, Turn};
use super::near_leaves::retain_near;
use super::todo::{Todo, bits};
use crate::effort::Meter;
use crate::math::simd::Level;
use crate::tree::distance::obb_pair::{Layered, ObbPair, Pair, Place};
use crate::tree::slab::{EightSlabs, OneSlab};
use crate::tree::wide::{SlabNode, WideNode, WideTree};

/// A traversal of two trees, or of one tree beside itself, where a pair of a place and itself stands for all pairs
/// below it.
pub struct Traversal<'a> {
    a: &'a WideTree,
    b: &'a WideTree,
    turn: Turn,
    /// The box around all of b.
    whole_b: OneBox,
    /// What is opened alone beside that box.
    large: f32,
    bodies: Bodies<'a>,
    level: Level,
    /// What is farther apart than this in the world is left out, as by the other tests: a little more than the margin.
    beyond: f64,
    /// How many steps it may take.
    most: u32,
    /// Whether it is one tree beside itself.
    is_own: bool,
}

/// What is tested besides boxes along the axes, once a traversal has gone some steps.
#[derive(Default)]
struct Layers<'a> {
    slabs: Option<Slabs<'a>>,
    /// Large, and mostly not there.
    tight: Option<Box<Tight<'a>>>,
}

/// The slabs of both trees.
#[derive(Clone, Copy)]
struct Slabs<'a> {
    a: &'a [SlabNode],
    b: &'a [SlabNode],
}

/// The oriented boxes of both trees.
struct Tight<'a> {
    apart: ObbPair<'a>,
    /// How far apart things may be, in its working unit.
    most: f64,
}

/// How many pairs a traversal opens before it uses the slabs: bodies that are clearly apart, or of which flat faces
/// cross, are done by then and never need them. Counted anew in each traversal, so that its course does not depend on
/// earlier ones.
const PATIENCE: u32 = 3;

/// Oriented boxes, which are not fitted for less, are used after so many steps at the earliest.
const PATIENCE_FOR_BOXES: u32 = 128;

/// A node is opened alone while its box is this many times as large as the other's.
const MUCH_LARGER: f32 = 4.0;

/// The same for the box around all of tree b, which it takes one test of eight to compare with, and its children eight;
/// and where b is small beside a.
const LARGER_THAN_WHOLE: f32 = 1.0;
const LARGER_THAN_SMALL_WHOLE: f32 = 0.5;

/// So large is the box around all of a small tree b at most; that around all of a is between ½ and 1.
const SMALL: f32 = 1.0 / 8.0;

/// Added to the number of a child of a beside all of tree b.
const BESIDE_WHOLE: u32 = 64;

/// In the place of one of tree b: all of it. No tree has so many nodes.
const WHOLE: Place = Place::MAX;

impl<'a> Traversal<'a> {
    pub fn new(level: Level, bodies: &Bodies<'a>, relative: Relative, vicinity: Vicinity) -> Self {
        let Vicinity { margin, most } = vicinity;
        let beyond = (margin * STRETCH).min(f64::MAX);
        let turn = Turn::new(relative);
        let whole_b = OneBox::of_whole_b(&bodies.b.nodes[0], &turn);
        let size = whole_b.size();
        let large = size * if size < SMALL { LARGER_THAN_SMALL_WHOLE } else { LARGER_THAN_WHOLE };
        Self {
            a: bodies.a,
            b: bodies.b,
            turn,
            whole_b,
            large,
            bodies: *bodies,
            level,
            beyond,
            most,
            is_own: false,
        }
    }

    /// Of the tree beside itself.
    pub fn own(self) -> Self {
        Self { is_own: true, ..self }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    pub fn run<S: Simd>(&self, simd: S, visitor: &mut dyn CandidateVisitor, meter: &mut Meter) -> bool {
        if meter.spend(1).is_break() {
            return true;
        }
        let mut todo = Todo::new(visitor.deepest_first());
        let patience = if self.is_own { u32::MAX } else { PATIENCE };
        let mut layers = Layers::default();
        if self.is_own {
            self.open_alone(simd, 0, &layers, &mut todo);
        } else {
            self.approach(simd, 0, &layers, &mut todo);
        }
        while let Some(pair) = todo.pairs.pop() {
            todo.steps = todo.steps.saturating_add(1);
            if todo.steps == patience {
                layers.slabs = Some(self.slabs());
            }
            if todo.steps > self.most {
                return false;
            }
            if meter.spend(1).is_break() || self.step(simd, pair, &layers, visitor, &mut todo).is_break() {
                break;
            }
            if todo.steps >= todo.review && self.review(&mut todo, &mut layers, visitor).is_break() {
                break;
            }
        }
        true
    }

    #[cold]
    #[inline(never)]
    fn slabs(&self) -> Slabs<'a> {
        Slabs { a: self.a.slabs(), b: self.b.slabs() }
    }

    /// Looks whether the boxes along the axes separate enough, and takes the oriented ones if not. `Break` if
    /// the bodies are apart as wholes.
    #[cold]
    #[inline(never)]
    fn review(
        &self,
        todo: &mut Todo,
        layers: &mut Layers<'a>,
        visitor: &mut dyn CandidateVisitor,
    ) -> ControlFlow<()> {
        todo.review = todo.review.saturating_mul(2);
        if layers.tight.is_some() || !(todo.is_crowded() || todo.steps > self.long()) {
            return ControlFlow::Continue(());
        }
        if !self.is_own && visitor.gap_of_wholes() > self.beyond {
            return ControlFlow::Break(());
        }
        if todo.steps < PATIENCE_FOR_BOXES {
            return ControlFlow::Continue(());
        }
        let tight = self.tight();
        todo.pairs
            .retain(|pair| pair.b == WHOLE || (self.is_own && pair.a == pair.b) || tight.may_be_near(*pair));
        layers.tight = Some(Box::new(tight));
        ControlFlow::Continue(())
    }

    /// So many steps cost about as much as fitting oriented boxes does.
    fn long(&self) -> u32 {
        4 * (self.a.order.len() + self.b.order.len()).min(1 << 29) as u32
    }

    fn tight(&self) -> Tight<'a> {
        let Bodies { a, pose_a, b, pose_b } = self.bodies;
        let layered = |tree: &'a WideTree, pose| Layered { tree, boxes: tree.oriented(), pose };
        let apart = ObbPair::at(self.level, layered(a, pose_a), layered(b, pose_b)).with_edges();
        Tight { most: apart.working(self.beyond), apart }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn step<S: Simd>(
        &self,
        simd: S,
        pair: Pair,
        layers: &Layers<'a>,
        visitor: &mut dyn CandidateVisitor,
        todo: &mut Todo,
    ) -> ControlFlow<()> {
        let (node_a, slot_a) = at(self.a, pair.a);
        if !self.is_own && pair.b == WHOLE {
            self.approach(simd, node_a.first[slot_a], layers, todo);
            return ControlFlow::Continue(());
        }
        let (node_b, slot_b) = at(self.b, pair.b);
        let (leaf_a, leaf_b) = (node_a.count[slot_a] > 0, node_b.count[slot_b] > 0);
        if self.is_own && pair.a == pair.b && !leaf_a {
            self.open_alone(simd, node_a.first[slot_a], layers, todo);
            return ControlFlow::Continue(());
        }
        if self.is_own && pair.a != pair.b && visitor.is_parted([pair.a, pair.b]) {
            return ControlFlow::Continue(());
        }
        let (one_a, one_b) = (OneBox::of_a(node_a, slot_a, &self.turn), self.one_b(node_b, slot_b));
        let reach = 2.0 * (one_a.along_a + one_b.along_a).max_element() + self.turn.relative.slack;
        if leaf_a && leaf_b {
            let (a, b) = (Leaf::of(node_a, slot_a), Leaf::of(node_b, slot_b));
            todo.parting.is_due = layers.slabs.is_some();
            todo.parting.is_crowded = layers.tight.is_some();
            return self.filter(simd, (a, &one_a), (b, &one_b), reach, todo, visitor);
        }
        let (size_a, size_b) = (one_a.size(), one_b.size());
        if leaf_a || (!leaf_b && size_b > MUCH_LARGER * size_a) {
            if leaf_a && layers.slabs.is_some() && size_a > MUCH_LARGER * size_b {
                let leaf = Leaf::of(node_a, slot_a);
                let ours = self.triangles_a(simd, leaf);
                if !self.any_cuts(simd, &ours, leaf.count, &one_b, reach) {
                    return ControlFlow::Continue(());
                }
            }
            self.open_b(simd, (pair.a, &one_a), node_b.first[slot_b], layers, todo);
            return ControlFlow::Continue(());
        }
        if leaf_b && layers.slabs.is_some() && size_b > MUCH_LARGER * size_a {
            let leaf = Leaf::of(node_b, slot_b);
            let theirs = self.triangles_b(simd, leaf);
            if !self.any_cuts(simd, &theirs, leaf.count, &one_a, reach) {
                return ControlFlow::Continue(());
            }
        }
        let first = node_a.first[slot_a];
        let (mask, overlap) = self.meeting_a(simd, first, (pair.b, &one_b), layers);
        if leaf_b || size_a > MUCH_LARGER * size_b {
            todo.push(mask, &overlap, 0);
            todo.flush(|slot| Pair { a: 8 * first + slot, b: pair.b });
        } else {
            self.open_both(simd, [first, node_b.first[slot_b]], mask, layers, todo);
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn one_b(&self, node: &WideNode, slot: usize) -> OneBox {
        if self.is_own { OneBox::of_a(node, slot, &self.turn) } else { OneBox::of_b(node, slot, &self.turn) }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn eight_b<S: Simd>(&self, simd: S, node: u32) -> EightBoxes<S> {
        let node = &self.b.nodes[node as usize];
        if self.is_own {
            EightBoxes::of_a(simd, node, &self.turn)
        } else {
            EightBoxes::of_b(simd, node, &self.turn)
        }
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn meeting<S: Simd>(&self, simd: S, eight: &EightBoxes<S>, one: &OneBox) -> (u32, f32x8<S>) {
        if self.is_own {
            eight.meeting_aligned(simd, one, &self.turn)
        } else {
            eight.meeting(simd, one, &self.turn)
        }
    }

    /// Which children of a node of b may meet a place of a, and by how much the boxes overlap.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn meeting_b<S: Simd>(
        &self,
        simd: S,
        eight: &EightBoxes<S>,
        node: u32,
        (place, one): (Place, &OneBox),
        layers: &Layers,
    ) -> (u32, f32x8<S>) {
        let (mut mask, overlap) = self.meeting(simd, eight, one);
        if let Some(slabs) = layers.slabs.filter(|_| mask != 0) {
            let ours = OneSlab::of_a(&slabs.a[(place >> 3) as usize], (place & 7) as usize);
            let theirs = EightSlabs::of_b(simd, &slabs.b[node as usize], &self.turn);
            mask &= theirs.meeting(simd, eight, &ours, one, &self.turn);
        }
        if let Some(tight) = layers.tight.as_ref().filter(|_| mask != 0) {
            mask &= tight.near_in_b(place, node);
        }
        (mask, overlap)
    }

    /// The same of a node of a and a place of b.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn meeting_a<S: Simd>(
        &self,
        simd: S,
        node: u32,
        (place, one): (Place, &OneBox),
        layers: &Layers,
    ) -> (u32, f32x8<S>) {
        let eight = EightBoxes::of_a(simd, &self.a.nodes[node as usize], &self.turn);
        let (mut mask, overlap) = self.meeting(simd, &eight, one);
        if let Some(slabs) = layers.slabs.filter(|_| mask != 0) {
            let theirs = OneSlab::of_b(&slabs.b[(place >> 3) as usize], (place & 7) as usize, &self.turn);
            let ours = EightSlabs::of_a(simd, &slabs.a[node as usize]);
            mask &= ours.meeting(simd, &eight, &theirs, one, &self.turn);
        }
        if let Some(tight) = layers.tight.as_ref().filter(|_| mask != 0) {
            mask &= tight.near_in_a(place, node);
        }
        (mask, overlap)
    }

    /// Tests the children of a node of a against the box around all of tree b: one test, where opening its root is
    /// eight. What is much larger than that box is opened further by it, the rest beside the children of the root.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn approach<S: Simd>(&self, simd: S, n: u32, layers: &Layers, todo: &mut Todo) {
        let node = &self.a.nodes[n as usize];
        let eight_a = EightBoxes::of_a(simd, node, &self.turn);
        let (mask, overlap) = eight_a.meeting(simd, &self.whole_b, &self.turn);
        let is_large = eight_a.along_a.largest().simd_gt(f32x8::splat(simd, self.large)).to_bitmask() as u32;
        let far = mask & is_large & !leaves(node);
        todo.push(far, &overlap, BESIDE_WHOLE);
        if mask == far {
            todo.flush(|number| children([n, 0], number));
        } else {
            self.open_both(simd, [n, 0], mask & !far, layers, todo);
        }
    }

    /// Tests a place of a against the children of a node of b.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn open_b<S: Simd>(
        &self,
        simd: S,
        (place, one): (Place, &OneBox),
        node: u32,
        layers: &Layers,
        todo: &mut Todo,
    ) {
        let eight = self.eight_b(simd, node);
        let (mask, overlap) = self.meeting_b(simd, &eight, node, (place, one), layers);
        todo.push(mask, &overlap, 0);
        todo.flush(|slot| Pair { a: place, b: 8 * node + slot });
    }

    /// Tests the children in `mask` of node `a` against all of node `b`.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn open_both<S: Simd>(&self, simd: S, [a, b]: [u32; 2], mask: u32, layers: &Layers, todo: &mut Todo) {
        let node_a = &self.a.nodes[a as usize];
        let eight = self.eight_b(simd, b);
        for slot_a in bits(mask) {
            let one = OneBox::of_a(node_a, slot_a as usize, &self.turn);
            let (mask, overlap) = self.meeting_b(simd, &eight, b, (8 * a + slot_a, &one), layers);
            todo.push(mask, &overlap, 8 * slot_a);
        }
        todo.flush(|number| children([a, b], number));
    }

    /// A node beside itself: every child, and every two of them.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn open_alone<S: Simd>(&self, simd: S, node: u32, layers: &Layers, todo: &mut Todo) {
        let nodes = &self.a.nodes[node as usize];
        let eight = self.eight_b(simd, node);
        for slot in (0..8).filter(|&slot| nodes.half[0][slot] >= 0.0) {
            let a = 8 * node + slot as u32;
            let one = OneBox::of_a(nodes, slot, &self.turn);
            let (mask, overlap) = self.meeting_b(simd, &eight, node, (a, &one), layers);
            todo.push(0xfe << slot & mask, &overlap, 8 * slot as u32);
            if nodes.count[slot] != 1 {
                todo.note(0.0, 9 * slot as u32);
            }
        }
        todo.flush(|number| children([node, node], number));
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn triangles_a<S: Simd>(&self, simd: S, leaf: Leaf) -> EightTriangles<S> {
        EightTriangles::of_a(simd, &self.a.corners[9 * leaf.first as usize..], leaf.count.into())
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn triangles_b<S: Simd>(&self, simd: S, leaf: Leaf) -> EightTriangles<S> {
        if self.is_own {
            return self.triangles_a(simd, leaf);
        }
        EightTriangles::of_b(simd, &self.b.corners[9 * leaf.first as usize..], leaf.count.into(), &self.turn)
    }

    /// Whether any triangle of a leaf comes near a box much smaller than the leaf, which by its box it nearly
    /// always does.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn any_cuts<S: Simd>(
        &self,
        simd: S,
        leaf: &EightTriangles<S>,
        count: u8,
        one: &OneBox,
        reach: f32,
    ) -> bool {
        let Relative { slack, margin, corner_slack, .. } = self.turn.relative;
        leaf.cutting_box(simd, one, Near { slack, margin, corner_slack, reach }) & ((1 << count) - 1) != 0
    }

    /// Passes two leaves to the visitor, less the pairs of triangles that certainly do not meet.
    #[cfg_attr(not(opt_level_0), inline(always))]
    fn filter<S: Simd>(
        &self,
        simd: S,
        (a, box_a): (Leaf, &OneBox),
        (b, box_b): (Leaf, &OneBox),
        reach: f32,
        todo: &mut Todo,
        visitor: &mut dyn CandidateVisitor,
    ) -> ControlFlow<()> {
        let Relative { slack, margin, corner_slack, .. } = self.turn.relative;
        let near = Near { slack, margin, corner_slack, reach };
        let ours = self.triangles_a(simd, a);
        let crowded = todo.parting.is_crowded;
        let rows = ours.around(simd, box_b, near, crowded) & ((1 << a.count) - 1);
        if rows == 0 {
            return ControlFlow::Continue(());
        }
        let theirs = self.triangles_b(simd, b);
        let columns = theirs.around(simd, box_a, near, crowded) & ((1 << b.count) - 1);
        let (mut masks, mut cross, mut any) = ([0; 8], [0; 8], 0);
        for i in bits(if columns == 0 { 0 } else { rows }) {
            // In a leaf beside itself each pair is named once.
            let named = if self.is_own && a.first == b.first { columns & 0xfe << i } else { columns };
            let (may, sure) = theirs.meeting(simd, &ours, i as usize, near);
            let mut mask = named & may;
            cross[i as usize] = named & sure;
            if mask != 0 && todo.parting.is_worth_it() {
                let left = theirs.not_parted(simd, &ours, i as usize, near, mask);
                todo.parting.learn((mask & !left).count_ones());
                mask = left;
            }
            masks[i as usize] = mask;
            any |= mask;
            if cross[i as usize] != 0 && todo.deepest_first {
                break;
            }
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
        for mask in masks {
            todo.shown += u64::from(mask.count_ones());
        }
        let (a, b) = (self.a.leaf(a.first, a.count), self.b.leaf(b.first, b.count));
        visitor.leaves(&LeafPair { a, b, may_meet: masks, cross })
    }
}

impl Tight<'_> {
    fn may_be_near(&self, pair: Pair) -> bool {
        let node = pair.b >> 3;
        self.near_in_b(pair.a, node) >> (pair.b & 7) & 1 == 1
    }

    #[inline(never)]
    fn near_in_b(&self, place: Place, node: u32) -> u32 {
        self.apart.near_in_b(place, node, self.most)
    }

    #[inline(never)]
    fn near_in_a(&self, place: Place, node: u32) -> u32 {
        self.apart.near_in_a(place, node, self.most)
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

/// Which children are leaves.
#[inline(always)]
fn leaves(node: &WideNode) -> u32 {
    node.count.iter().rev().fold(0, |mask, count| mask << 1 | u32::from(*count > 0))
}

/// Two children of these nodes: eight times that of the first and that of the second.
#[inline(always)]
fn children([a, b]: [u32; 2], number: u32) -> Pair {
    match number.checked_sub(BESIDE_WHOLE) {
        None => Pair { a: 8 * a + (number >> 3), b: 8 * b + (number & 7) },
        Some(slot) => Pair { a: 8 * a + slot, b: WHOLE },
    }
}

#[inline(always)]
fn at(tree: &WideTree, place: Place) -> (&WideNode, usize) {
    (&tree.nodes[(place >> 3) as usize], (place & 7) as usize)
}
