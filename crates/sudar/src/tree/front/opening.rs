//! What a front needs to know of two bodies and of who asks, and two posed trees as such.

use crate::effort::Meter;
use crate::tree::apart::{Group, Pair, PairBounds};
use crate::tree::apart_along::{Along, LeafReach};

/// Two bodies in their poses, as far as a front needs to know them.
pub(crate) trait Opening {
    /// Two parts of the bodies.
    type Pair: Copy;
    /// Up to eight pairs that are bounded at once.
    type Group: Copy + Ord;

    /// What a walk begins with.
    fn roots(&self) -> Vec<Self::Group>;

    /// How many pairs a group has. Must not depend on poses, as the next two.
    fn count(&self, group: Self::Group) -> usize;

    /// A pair of a group.
    fn pair(&self, group: Self::Group, k: usize) -> Self::Pair;

    /// The pairs that a pair falls into; `None` if it is two leaves.
    fn below(&self, pair: Self::Pair) -> Option<Self::Group>;

    /// Lower bounds on the distances of the pairs of a group, as cheap as can be. What is beyond their number means nothing.
    fn roughly(&self, group: Self::Group) -> Option<[f64; 8]>;

    /// Lower bounds on the distances of the pairs of a group, as good as can be.
    fn bounds(&mut self, group: Self::Group) -> [f64; 8];

    /// The same for one pair.
    fn bound(&self, pair: Self::Pair) -> f64;

    /// What it takes to compare a leaf with many others.
    type Leaf: Copy;

    /// The places in either body of a pair.
    fn places(pair: Self::Pair) -> [u32; 2];

    /// A leaf of the first or second body.
    fn leaf(&self, side: usize, place: u32) -> Self::Leaf;

    /// How far apart two leaves are, at least.
    fn gap(&self, leaves: [&Self::Leaf; 2]) -> f64;
}

/// The pairs of two posed trees, bounded along a direction first.
pub(crate) struct Pairs<'s, 'a> {
    along: Along<'s, 'a>,
    found: Vec<PairBounds>,
}

impl<'s, 'a> Pairs<'s, 'a> {
    pub fn new(along: Along<'s, 'a>) -> Self {
        Self { along, found: Vec::with_capacity(8) }
    }
}

impl Opening for Pairs<'_, '_> {
    type Pair = Pair;
    type Group = Group;

    fn roots(&self) -> Vec<Group> {
        self.along.apart.a.places(0).map(|a| Group::OfB { node: 0, a, triangles: false }).collect()
    }

    #[inline(always)]
    fn count(&self, group: Group) -> usize {
        let apart = self.along.apart;
        match group {
            Group::OfA { node, .. } => apart.a.places(node).len(),
            Group::OfB { node, .. } => apart.b.places(node).len(),
        }
    }

    #[inline(always)]
    fn pair(&self, group: Group, k: usize) -> Pair {
        match group {
            Group::OfA { node, b, .. } => Pair { a: 8 * node + k as u32, b },
            Group::OfB { node, a, .. } => Pair { a, b: 8 * node + k as u32 },
        }
    }

    #[inline(always)]
    fn below(&self, pair: Pair) -> Option<Group> {
        self.along.apart.below(pair)
    }

    #[inline(always)]
    fn roughly(&self, group: Group) -> Option<[f64; 8]> {
        self.along.group(group)
    }

    #[inline(always)]
    fn bounds(&mut self, group: Group) -> [f64; 8] {
        self.found.clear();
        self.along.apart.bounds(group, &mut self.found);
        let mut bounds = [f64::INFINITY; 8];
        bounds.iter_mut().zip(&self.found).for_each(|(bound, found)| *bound = found.lower);
        bounds
    }

    #[inline(always)]
    fn bound(&self, pair: Pair) -> f64 {
        self.along.apart.bound(pair).lower
    }

    type Leaf = LeafReach;

    #[inline(always)]
    fn places(pair: Pair) -> [u32; 2] {
        [pair.a, pair.b]
    }

    #[inline(always)]
    fn leaf(&self, side: usize, place: u32) -> LeafReach {
        self.along.leaf(side, place)
    }

    #[inline(always)]
    fn gap(&self, [a, b]: [&LeafReach; 2]) -> f64 {
        self.along.leaf_gap(a, b)
    }
}

/// Who looks at leaves.
pub(crate) trait Look<O: Opening> {
    /// How far apart pairs may be to be of interest. Must not grow.
    fn limit(&self) -> f64;

    /// Takes notice of the triangles of two leaves that may be as near as the limit, now or at the next [`Look::settle`]; returns
    /// how many pairs these are.
    fn leaves(&mut self, pair: O::Pair, leaves: [&O::Leaf; 2], meter: &mut Meter) -> u64;

    /// Looks at what was left for later, which may lower the limit.
    fn settle(&mut self, meter: &mut Meter);
}
