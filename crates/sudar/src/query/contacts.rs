//! All pairs of triangles that meet.

use std::ops::ControlFlow;

use super::Body;
use super::posed::PosedSurface;
use crate::effort::{Meter, Partial};
use crate::math::Pose;
use crate::pair::triangles_intersect;
use crate::shape::Triangle;
use crate::tree::{Bodies, CandidateVisitor, visit_candidates};

/// All pairs of triangles that intersect, touching included, sorted by (a, b). Exact.
///
/// Only bodies with triangles have any: the list is empty if either is a ball or half-space, and a body wholly
/// inside a solid touches none of its triangles. The triangles of a primitive are those of [`Body::mesh`].
pub fn contacts(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> Vec<[u32; 2]> {
    metered(a, pose_a, b, pose_b, &mut Meter::unlimited()).found
}

pub(super) fn metered(
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
    meter: &mut Meter,
) -> Partial<Vec<[u32; 2]>> {
    let (Some(left), Some(right)) = (a.surface(), b.surface()) else {
        return Partial { found: Vec::new(), complete: true };
    };
    let (a, b) = (PosedSurface::new(left, pose_a), PosedSurface::new(right, pose_b));
    let mut all = AllHits { a, b, hits: Vec::new() };
    visit(&a, &b, &mut all, meter);
    all.hits.sort_unstable();
    let found = all.hits.into_iter().map(|key| [(key >> 32) as u32, key as u32]).collect();
    Partial { found, complete: !meter.is_stopped() }
}

/// The pair of triangles that the walk finds first.
pub(crate) fn first_contact(a: &PosedSurface, b: &PosedSurface, meter: &mut Meter) -> Option<[u32; 2]> {
    let mut first = FirstHit { a: *a, b: *b, hit: None };
    visit(a, b, &mut first, meter);
    first.hit
}

fn visit(a: &PosedSurface, b: &PosedSurface, visitor: &mut dyn CandidateVisitor, meter: &mut Meter) {
    let (tree_a, tree_b) = (&a.surface.tree, &b.surface.tree);
    visit_candidates(&Bodies { a: tree_a, pose_a: a.pose, b: tree_b, pose_b: b.pose }, visitor, meter);
}

struct FirstHit<'a> {
    a: PosedSurface<'a>,
    b: PosedSurface<'a>,
    hit: Option<[u32; 2]>,
}

impl CandidateVisitor for FirstHit<'_> {
    fn nearest_first(&self) -> bool {
        true
    }

    fn leaves(&mut self, a: &[u32], b: &[u32], masks: &[u32; 8]) -> ControlFlow<()> {
        let (ours, theirs) = (self.a, self.b);
        decide(&ours, &theirs, a, b, masks, |i, j| {
            self.hit = Some([i, j]);
            ControlFlow::Break(())
        })
    }
}

struct AllHits<'a> {
    a: PosedSurface<'a>,
    b: PosedSurface<'a>,
    /// Both numbers of each pair in one, for sorting.
    hits: Vec<u64>,
}

impl CandidateVisitor for AllHits<'_> {
    fn nearest_first(&self) -> bool {
        false
    }

    fn leaves(&mut self, a: &[u32], b: &[u32], masks: &[u32; 8]) -> ControlFlow<()> {
        let (ours, theirs) = (self.a, self.b);
        decide(&ours, &theirs, a, b, masks, |i, j| {
            self.hits.push(u64::from(i) << 32 | u64::from(j));
            ControlFlow::Continue(())
        })
    }
}

/// Decides the candidates of two leaves exactly and calls `hit` for those that intersect. Each triangle is posed
/// once at most.
#[inline(always)]
fn decide(
    left: &PosedSurface,
    right: &PosedSurface,
    a: &[u32],
    b: &[u32],
    masks: &[u32; 8],
    mut hit: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut theirs: [Option<Triangle>; 8] = [None; 8];
    for (&i, &mask) in a.iter().zip(masks).filter(|(_, mask)| **mask != 0) {
        let ours = left.triangle(i);
        for (j, &feature) in b.iter().enumerate().filter(|(j, _)| mask >> j & 1 == 1) {
            let other = theirs[j].get_or_insert_with(|| right.triangle(feature));
            if triangles_intersect(&ours, other) {
                hit(i, feature)?;
            }
        }
    }
    ControlFlow::Continue(())
}
