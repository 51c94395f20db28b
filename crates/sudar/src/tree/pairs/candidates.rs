//! What a traversal of two trees is given, and to whom it shows the pairs that it lets through.

use std::ops::ControlFlow;

use crate::math::Pose;
use crate::tree::distance::obb_pair::Place;
use crate::tree::wide::WideTree;

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

/// Two leaves and what the filter says of their triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeafPair<'l> {
    /// The numbers of the triangles of the leaf of the first tree.
    pub a: &'l [u32],
    /// Those of the leaf of the second.
    pub b: &'l [u32],
    /// Bit j of number i is set if triangles `a[i]` and `b[j]` may meet.
    pub may_meet: [u32; 8],
    /// Of these pairs those that certainly do, each passing through the other.
    pub cross: [u32; 8],
}

impl LeafPair<'_> {
    /// The same leaves, the second tree's first.
    pub fn swapped(&self) -> Self {
        let transposed = |masks: &[u32; 8]| {
            std::array::from_fn(|j| (0..self.a.len()).fold(0, |bits, i| bits | (masks[i] >> j & 1) << i))
        };
        Self { a: self.b, b: self.a, may_meet: transposed(&self.may_meet), cross: transposed(&self.cross) }
    }

    /// The same without the pairs that certainly cross.
    pub fn open(&self) -> Self {
        let open = std::array::from_fn(|i| self.may_meet[i] & !self.cross[i]);
        Self { may_meet: open, cross: [0; 8], ..*self }
    }

    /// The numbers of the first pair of triangles that certainly cross.
    pub fn first_crossing(&self) -> Option<[u32; 2]> {
        let i = self.cross.iter().position(|mask| *mask != 0)?;
        Some([self.a[i], self.b[self.cross[i].trailing_zeros() as usize]])
    }
}

/// What is done with the pairs that a traversal lets through.
pub trait CandidateVisitor {
    /// Whether the traversal should go first to the boxes that overlap by most: worth its cost if the first hit ends
    /// it. Such a visitor must end it at a pair that crosses: the pairs after it may be left out of two leaves.
    fn deepest_first(&self) -> bool;

    /// Every pair of triangles that meets is let through in some two leaves. `Break` ends the traversal.
    fn leaves(&mut self, leaves: &LeafPair) -> ControlFlow<()>;

    /// A number that the distance of the bodies does not fall below. Needed once a traversal is long, and may
    /// cost a look at every vertex.
    fn gap_of_wholes(&self) -> f64 {
        0.0
    }

    /// Whether nothing below two different places of one tree meets as far as the visitor cares, for a tree
    /// beside itself.
    fn is_parted(&mut self, _: [Place; 2]) -> bool {
        false
    }
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
    pub const MEETING: Self = Self { margin: 0.0, most: u32::MAX };
}
