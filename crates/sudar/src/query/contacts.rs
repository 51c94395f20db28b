//! Do two bodies touch, and where: first hit and all pairs of triangles.

use std::ops::ControlFlow;

use super::Body;
use super::body::{Surface, posed};
use crate::math::Pose;
use crate::pair::triangles_intersect;
use crate::shape::Triangle;
use crate::tree::{Bodies, CandidateVisitor, visit_candidates};

/// Whether two bodies have a point in common. Touching counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intersection {
    /// They have none. Certain.
    Apart,
    /// They have one. Certain. The features are triangle numbers of a pair that meets, 0 for other shapes; for
    /// a body that lies inside a solid, any of its triangles and any of the solid's.
    Touching {
        /// One of each body.
        features: [u32; 2],
    },
}

impl Intersection {
    /// Whether there is a common point.
    pub fn is_touching(self) -> bool {
        self != Self::Apart
    }
}

/// Whether two posed bodies intersect, and one pair of features that does.
///
/// Exact for every pair. A mesh is its surface; solids and primitives are full. Expected cost O(log n) for
/// bodies that intersect deeply or lie well apart, more for surfaces that run close beside each other.
pub fn intersects(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> Intersection {
    let (Some(left), Some(right)) = (a.surface(), b.surface()) else {
        return Intersection::Apart;
    };
    let mut first = FirstHit { left, pose_a, right, pose_b, hit: None };
    visit(left, pose_a, right, pose_b, &mut first);
    first.hit.map_or(Intersection::Apart, |features| Intersection::Touching { features })
}

/// All pairs of triangles that intersect, touching included, sorted by (a, b). Exact.
///
/// Only bodies with triangles have any: the list is empty if either is a ball or half-space, and a body wholly
/// inside a solid touches none of its triangles.
pub fn contacts(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> Vec<[u32; 2]> {
    let (Some(left), Some(right)) = (a.surface(), b.surface()) else { return Vec::new() };
    let mut all = AllHits { left, pose_a, right, pose_b, hits: Vec::new() };
    visit(left, pose_a, right, pose_b, &mut all);
    all.hits.sort_unstable();
    all.hits.into_iter().map(|key| [(key >> 32) as u32, key as u32]).collect()
}

fn visit<V: CandidateVisitor>(
    left: &Surface,
    pose_a: &Pose,
    right: &Surface,
    pose_b: &Pose,
    visitor: &mut V,
) {
    visit_candidates(&Bodies { a: &left.tree, pose_a, b: &right.tree, pose_b }, visitor);
}

struct FirstHit<'a> {
    left: &'a Surface,
    pose_a: &'a Pose,
    right: &'a Surface,
    pose_b: &'a Pose,
    hit: Option<[u32; 2]>,
}

impl CandidateVisitor for FirstHit<'_> {
    fn nearest_first(&self) -> bool {
        true
    }

    fn leaves(&mut self, a: &[u32], b: &[u32], masks: &[u32; 8]) -> ControlFlow<()> {
        exact_pairs(self.left, self.pose_a, self.right, self.pose_b, a, b, masks, |i, j| {
            self.hit = Some([i, j]);
            ControlFlow::Break(())
        })
    }
}

struct AllHits<'a> {
    left: &'a Surface,
    pose_a: &'a Pose,
    right: &'a Surface,
    pose_b: &'a Pose,
    hits: Vec<u64>,
}

impl CandidateVisitor for AllHits<'_> {
    fn nearest_first(&self) -> bool {
        false
    }

    fn leaves(&mut self, a: &[u32], b: &[u32], masks: &[u32; 8]) -> ControlFlow<()> {
        exact_pairs(self.left, self.pose_a, self.right, self.pose_b, a, b, masks, |i, j| {
            self.hits.push(u64::from(i) << 32 | u64::from(j));
            ControlFlow::Continue(())
        })
    }
}

/// Decides the candidates of two leaves exactly and calls `hit` for those that intersect.
#[inline(always)]
fn exact_pairs(
    left: &Surface,
    pose_a: &Pose,
    right: &Surface,
    pose_b: &Pose,
    a: &[u32],
    b: &[u32],
    masks: &[u32; 8],
    mut hit: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut theirs: [Option<Triangle>; 8] = [None; 8];
    for (&i, &mask) in a.iter().zip(masks) {
        if mask == 0 {
            continue;
        }
        let ours = posed(&left.mesh, pose_a, i);
        for (j, &feature) in b.iter().enumerate() {
            if mask >> j & 1 == 0 {
                continue;
            }
            let other = theirs[j].get_or_insert_with(|| posed(&right.mesh, pose_b, feature));
            if triangles_intersect(&ours, other) {
                hit(i, feature)?;
            }
        }
    }
    ControlFlow::Continue(())
}
