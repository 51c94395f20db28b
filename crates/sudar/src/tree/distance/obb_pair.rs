//! Lower and upper bounds on the distance of two posed trees: the operations of which a search is made.
//!
//! A *place* is a child of a tree, a *pair* a place in either. [`ObbPair::bound`] bounds the distance of what
//! lies below a pair, [`ObbPair::expand`] does so for the pairs one step below it, eight at a time, and where
//! both places are leaves [`ObbPair::leaves`] bounds the distance of each pair of their triangles. All are
//! rounded to the safe side: they propose, and `f64` decides.

use glam::{DMat3, DVec3};

use super::obb_kernel::{OneOriented, Slack, eight_bounds, eight_edge_gaps};
use super::obb_wide::{OneWide, eight_bounds_wide, point_error};
use crate::math::Pose;
use crate::math::power_of_two;
use crate::math::simd::{Level, dispatch};
use crate::tree::oriented::{Oriented, OrientedBox, OrientedNode};
use crate::tree::wide::WideTree;

/// A child of a tree: its node's number times eight, plus its slot.
pub type Place = u32;

/// A child of either of two trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// In the first tree.
    pub a: Place,
    /// In the second.
    pub b: Place,
}

/// The children of a node of one tree, each beside the same place of the other: pairs that are bounded at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Group {
    /// A node of the first tree.
    OfA {
        /// Its number.
        node: u32,
        /// The place in the second tree.
        b: Place,
        /// Whether the triangles there are compared one by one, not their box.
        triangles: bool,
    },
    /// A node of the second tree.
    OfB {
        /// Its number.
        node: u32,
        /// The place in the first tree.
        a: Place,
        /// Whether the triangles there are compared one by one, not their box.
        triangles: bool,
    },
}

/// A posed tree with its oriented boxes.
#[derive(Debug, Clone, Copy)]
pub struct Layered<'a> {
    /// The tree.
    pub tree: &'a WideTree,
    /// Its oriented boxes.
    pub boxes: &'a Oriented,
    /// Where the body is.
    pub pose: &'a Pose,
}

/// What lies below a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Below {
    /// This node.
    Node(u32),
    /// So many triangles, from this place on in the order of the leaves.
    Leaf(u32, u8),
}

impl<'a> Layered<'a> {
    /// What is below a place.
    #[inline(always)]
    pub fn below(&self, place: Place) -> Below {
        let (node, slot) = (&self.tree.nodes[(place >> 3) as usize], (place & 7) as usize);
        match node.count[slot] {
            0 => Below::Node(node.first[slot]),
            count => Below::Leaf(node.first[slot], count),
        }
    }

    /// The places in a node.
    pub fn places(&self, node: u32) -> impl ExactSizeIterator<Item = Place> + use<> {
        (0..self.boxes.nodes[node as usize].children).map(move |slot| 8 * node + slot)
    }

    /// A triangle that lies below a place.
    pub fn triangle_below(&self, place: Place) -> u32 {
        self.boxes.nodes[(place >> 3) as usize].triangle[(place & 7) as usize]
    }

    #[inline(always)]
    pub fn turned_box(&self, place: Place) -> OrientedBox {
        self.boxes.nodes[(place >> 3) as usize].get((place & 7) as usize)
    }

    /// Length of one unit of the tree's frame.
    fn unit(&self) -> f64 {
        power_of_two(-self.tree.frame.exponent)
    }
}

/// Bounds on the distance, in the world, of what lies below a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairBounds {
    /// The pair.
    pub pair: Pair,
    /// No two points are nearer than this.
    pub lower: f64,
    /// Some two points, on [`Layered::triangle_below`] of either place, are no farther apart than this.
    pub upper: f64,
}

/// Two posed trees and how they lie to each other.
///
/// Everything is measured in a working unit, a power of two, in which both bodies and the shift between them are about
/// one at most, and along the axes of one of the two bodies.
#[derive(Clone, Copy)]
pub struct ObbPair<'a> {
    /// First body.
    pub a: Layered<'a>,
    /// Second body.
    pub b: Layered<'a>,
    /// From the axes of b to those of a, and back.
    pub turn: DMat3,
    pub back: DMat3,
    /// Origin of frame b along the axes of a, as seen from the origin of frame a.
    pub shift: DVec3,
    /// Sizes of one unit of either frame in working units; at most 1.
    pub scale_a: f64,
    pub scale_b: f64,
    /// The working unit.
    unit: f64,
    /// By how much matrices of poses may stretch or shrink a length, as a fraction, with the rounding of a
    /// few operations.
    stretch: f64,
    /// How far posed points and what is computed here in `f64` may be off, in working units.
    pub rounding: f64,
    /// Whether `f32` is good enough: not if the bodies are small beside the shift between them, or one beside
    /// the other.
    pub near: bool,
    pub slack: Slack,
    pub level: Level,
    /// Whether directions square to an edge of either box are tried too: twice the work, and all that helps
    /// with long thin things.
    pub by_edges: bool,
}

impl<'a> ObbPair<'a> {
    /// Two posed trees.
    pub fn new(a: Layered<'a>, b: Layered<'a>) -> Self {
        Self::at(Level::new(), a, b)
    }

    /// The same at a given SIMD level.
    pub fn at(level: Level, a: Layered<'a>, b: Layered<'a>) -> Self {
        let (rotation_a, rotation_b) = (a.pose.rotation(), b.pose.rotation());
        let inverse_a = rotation_a.inverse();
        let turn = inverse_a * rotation_b;
        let (origin_a, origin_b) = (a.tree.frame.origin, b.tree.frame.origin);
        let from_a = (b.pose.rotate(origin_b) - a.pose.rotate(origin_a))
            + (b.pose.translation() - a.pose.translation());
        let shift = inverse_a * from_a;
        let (unit_a, unit_b) = (a.unit(), b.unit());
        let larger = unit_a.max(unit_b);
        let far = shift.abs().max_element();
        let close = far <= NEAR * larger;
        let near = close && unit_a.min(unit_b) >= SMALL * larger;
        let unit = if close { larger } else { power_of_two_above(far) };
        let reach = |side: &Layered| side.tree.frame.reach + side.pose.translation().abs().max_element();
        let stretch = stretch(&rotation_a).max(stretch(&rotation_b)) + 64.0 * f64::EPSILON;
        let rounding = 128.0 * f64::EPSILON * ((reach(&a) + reach(&b)) / unit + 8.0);
        let shift = shift / unit;
        Self {
            a,
            b,
            turn,
            back: turn.inverse(),
            shift,
            scale_a: unit_a / unit,
            scale_b: unit_b / unit,
            unit,
            stretch,
            rounding,
            near,
            slack: Slack::new(shift.abs().max_element(), stretch, rounding),
            level,
            by_edges: false,
        }
    }

    /// Directions square to an edge of either box are tried from now on.
    pub fn with_edges(self) -> Self {
        Self { by_edges: true, ..self }
    }

    /// All pairs of a child of one root and a child of the other, with their bounds.
    pub fn roots(&self, found: &mut Vec<PairBounds>) {
        for a in self.a.places(0) {
            self.against_b(a, 0, found);
        }
    }

    /// Bounds for the pairs one step below a pair, of which the larger box is opened, or for two leaves none.
    pub fn expand(&self, pair: Pair, found: &mut Vec<PairBounds>) {
        if let Some(group) = self.below(pair) {
            self.bounds(group, found);
        }
    }

    /// The pairs one step below a pair: those of the children of the larger box; `None` for two leaves.
    /// Depends on the trees alone, not on their poses.
    pub fn below(&self, pair: Pair) -> Option<Group> {
        let children_of_a = |node, triangles| Group::OfA { node, b: pair.b, triangles };
        let children_of_b = |node, triangles| Group::OfB { node, a: pair.a, triangles };
        match (self.a.below(pair.a), self.b.below(pair.b)) {
            (Below::Leaf(..), Below::Leaf(..)) => None,
            (Below::Node(a), Below::Leaf(..)) => {
                Some(children_of_a(a, self.size_b(pair.b) > MUCH_LARGER * self.size_a(pair.a)))
            }
            (Below::Leaf(..), Below::Node(b)) => {
                Some(children_of_b(b, self.size_a(pair.a) > MUCH_LARGER * self.size_b(pair.b)))
            }
            (Below::Node(a), Below::Node(b)) => {
                let larger_a = self.size_a(pair.a) >= self.size_b(pair.b);
                Some(if larger_a { children_of_a(a, false) } else { children_of_b(b, false) })
            }
        }
    }

    /// Bounds for the pairs of a group, in the order of the children.
    pub fn bounds(&self, group: Group, found: &mut Vec<PairBounds>) {
        match group {
            Group::OfA { node, b, triangles: false } => self.against_a(b, node, found),
            Group::OfA { node, b, triangles: true } => self.against_triangles_of_b(node, b, found),
            Group::OfB { node, a, triangles: false } => self.against_b(a, node, found),
            Group::OfB { node, a, triangles: true } => self.against_triangles_of_a(a, node, found),
        }
    }

    fn size_a(&self, a: Place) -> f64 {
        self.a.turned_box(a).half.max_element() * self.scale_a
    }

    fn size_b(&self, b: Place) -> f64 {
        self.b.turned_box(b).half.max_element() * self.scale_b
    }

    /// A place of a and every child of a node of b.
    fn against_b(&self, a: Place, b: u32, found: &mut Vec<PairBounds>) {
        let (one, eight) = (self.seen_by_b(&self.a.turned_box(a)), &self.b.boxes.nodes[b as usize]);
        let bounds = self.eight(&one, eight, self.scale_b);
        self.push(eight.children, &bounds, |slot| Pair { a, b: 8 * b + slot }, found);
    }

    /// A place of b and every child of a node of a.
    fn against_a(&self, b: Place, a: u32, found: &mut Vec<PairBounds>) {
        let (one, eight) = (self.seen_by_a(&self.b.turned_box(b)), &self.a.boxes.nodes[a as usize]);
        let bounds = self.eight(&one, eight, self.scale_a);
        self.push(eight.children, &bounds, |slot| Pair { a: 8 * a + slot, b }, found);
    }

    /// Which children of a node of b may be as near to a place of a as `most`, in working units.
    pub fn near_in_b(&self, a: Place, b: u32, most: f64) -> u32 {
        let one = self.seen_by_b(&self.a.turned_box(a));
        near(&self.eight(&one, &self.b.boxes.nodes[b as usize], self.scale_b), most)
    }

    /// Which children of a node of a may be as near to a place of b as `most`, in working units.
    pub fn near_in_a(&self, b: Place, a: u32, most: f64) -> u32 {
        let one = self.seen_by_a(&self.b.turned_box(b));
        near(&self.eight(&one, &self.a.boxes.nodes[a as usize], self.scale_a), most)
    }

    /// Lower and upper bounds in working units.
    #[inline(always)]
    fn eight(&self, one: &OneWide, eight: &OrientedNode, scale: f64) -> ([f64; 8], [f64; 8]) {
        if !self.near {
            let (mut lower, upper) =
                dispatch!(self.level, simd => eight_bounds_wide(simd, eight, scale, one));
            if self.by_edges {
                for (slot, lower) in lower.iter_mut().enumerate().take(eight.children as usize) {
                    *lower = lower.max(one.edge_gap(&eight.get(slot), scale));
                }
            }
            return (lower, upper);
        }
        let one = OneOriented::new(one);
        let (lower, upper) =
            dispatch!(self.level, simd => eight_bounds(simd, eight, scale as f32, &one, &self.slack));
        let (mut lower, upper) = (lower.map(f64::from), upper.map(f64::from));
        if self.by_edges {
            let gaps =
                dispatch!(self.level, simd => eight_edge_gaps(simd, eight, scale as f32, &one, &self.slack));
            for (lower, gap) in lower.iter_mut().zip(gaps) {
                *lower = lower.max(gap.into());
            }
        }
        (lower, upper)
    }

    #[inline(always)]
    fn push(
        &self,
        children: u32,
        (lower, upper): &([f64; 8], [f64; 8]),
        pair: impl Fn(u32) -> Pair,
        found: &mut Vec<PairBounds>,
    ) {
        found.extend((0..children).map(|slot| PairBounds {
            pair: pair(slot),
            lower: self.world_lower(lower[slot as usize]),
            upper: self.world_upper(upper[slot as usize]),
        }));
    }

    /// A box of a as b's boxes see it.
    #[inline(always)]
    fn seen_by_b(&self, one: &OrientedBox) -> OneWide {
        let place = |p: DVec3| self.back * (p * self.scale_a - self.shift);
        self.seen(place(one.center), self.back * one.axes, one.half * self.scale_a, place(one.point))
    }

    /// A box of b as a's boxes see it.
    #[inline(always)]
    fn seen_by_a(&self, one: &OrientedBox) -> OneWide {
        let place = |p: DVec3| self.turn * (p * self.scale_b) + self.shift;
        self.seen(place(one.center), self.turn * one.axes, one.half * self.scale_b, place(one.point))
    }

    #[inline(always)]
    fn seen(&self, center: DVec3, axes: DMat3, half: DVec3, point: DVec3) -> OneWide {
        let point_error = point_error(self.scale_a, self.scale_b);
        OneWide { center, axes, half, point, point_error, rounding: self.rounding }
    }

    /// A lower bound in working units, already rounded to the safe side, in the world.
    #[inline(always)]
    pub fn world_lower(&self, lower: f64) -> f64 {
        let x = lower * (1.0 - self.stretch) * self.unit;
        if x > 0.0 { x.min(f64::MAX) } else { 0.0 }
    }

    /// An upper bound likewise.
    #[inline(always)]
    pub fn world_upper(&self, upper: f64) -> f64 {
        upper * (1.0 + self.stretch) * self.unit + f64::MIN_POSITIVE
    }

    /// The number in working units that a length in the world is certainly not above.
    pub fn working(&self, world: f64) -> f64 {
        world / self.unit * (1.0 + 2.0 * self.stretch)
    }

    /// Bounds for one pair, in `f64` throughout: as tight at any distance.
    pub fn bound(&self, pair: Pair) -> PairBounds {
        let (a, b) = (self.a.turned_box(pair.a), self.b.turned_box(pair.b));
        let one = self.seen_by_b(&a);
        let (mut lower, upper) = one.bounds(&b, self.scale_b);
        if self.by_edges {
            lower = lower.max(one.edge_gap(&b, self.scale_b));
        }
        PairBounds { pair, lower: self.world_lower(lower), upper: self.world_upper(upper) }
    }
}

/// Which of eight lower bounds are not above `most`.
#[inline(always)]
fn near((lower, _): &([f64; 8], [f64; 8]), most: f64) -> u32 {
    (0..8).fold(0, |bits, slot| bits | u32::from(lower[slot] <= most) << slot)
}

/// A body smaller than this beside the other is not near: in the frame of that one `f32` does not resolve it.
const SMALL: f64 = 1.0 / 64.0;

/// Boxes are compared with the triangles of a leaf, not with its box, if that is this many times as large as
/// they are: the triangles may leave much of it empty. Each comparison with a triangle costs as much as eight
/// with boxes.
const MUCH_LARGER: f64 = 32.0;

/// Shifts up to this many units of the larger frame are near.
const NEAR: f64 = 16.0;

/// A power of two that is at least `x`, and at most twice that.
fn power_of_two_above(x: f64) -> f64 {
    let exponent = (x.to_bits() >> 52) as i32 - 1023;
    power_of_two(exponent + 1)
}

/// By which fraction a pose's matrix may change lengths: R keeps the square of a length up to |RᵀR − I|,
/// hence the length up to that fraction.
fn stretch(rotation: &DMat3) -> f64 {
    let gram = rotation.transpose() * *rotation - DMat3::IDENTITY;
    let row = |v: DVec3| v.x.abs() + v.y.abs() + v.z.abs();
    row(gram.x_axis).max(row(gram.y_axis)).max(row(gram.z_axis))
}

#[cfg(test)]
pub mod tests;
