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

/// What is done with the pairs that a traversal lets through.
pub trait CandidateVisitor {
    /// Whether the traversal should go to the nearest boxes first: worth its cost if the first hit ends it.
    fn nearest_first(&self) -> bool;

    /// Two leaves with their triangle numbers; bit j of `masks[i]` is set if triangles `a[i]` and `b[j]` may
    /// meet. Every pair that does meet is let through. `Break` ends the traversal.
    fn leaves(&mut self, a: &[u32], b: &[u32], masks: &[u32; 8]) -> ControlFlow<()>;

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
