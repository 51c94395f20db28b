//! All pairs of triangles that meet.

use std::ops::ControlFlow;

use super::Body;
use super::posed::PosedSurface;
use crate::effort::{Meter, Partial};
use crate::math::Pose;
use crate::pair::triangles_intersect;
use crate::shape::Triangle;
use crate::tree::{Bodies, CandidateVisitor, EightPairs, visit_candidates};

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
    let mut all = AllHits::new(a, b);
    visit(&a, &b, &mut all, meter);
    all.settle();
    meter.count_triangles(all.tested);
    Partial { found: all.sorted(), complete: !meter.is_stopped() }
}

/// The pair of triangles that the walk finds first.
pub(crate) fn first_contact(a: &PosedSurface, b: &PosedSurface, meter: &mut Meter) -> Option<[u32; 2]> {
    let mut first = FirstHit { a: *a, b: *b, hit: None, tested: 0 };
    visit(a, b, &mut first, meter);
    meter.count_triangles(first.tested);
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
    tested: u64,
}

impl CandidateVisitor for FirstHit<'_> {
    fn nearest_first(&self) -> bool {
        true
    }

    fn gap_of_wholes(&self) -> f64 {
        self.a.gap_of_wholes(&self.b)
    }

    fn leaves(&mut self, a: &[u32], b: &[u32], masks: &[u32; 8]) -> ControlFlow<()> {
        let (ours, theirs) = (self.a, self.b);
        candidates(&ours, &theirs, a, b, masks, |pair, t, u| {
            self.tested += 1;
            if triangles_intersect(t, u) {
                self.hit = Some(pair);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })
    }
}

struct AllHits<'a> {
    a: PosedSurface<'a>,
    b: PosedSurface<'a>,
    /// Pairs waiting to be decided, and their numbers: both in one, for sorting.
    waiting: EightPairs,
    numbers: [u64; 8],
    /// The numbers of the pairs that meet.
    hits: Vec<u64>,
    tested: u64,
}

impl<'a> AllHits<'a> {
    fn new(a: PosedSurface<'a>, b: PosedSurface<'a>) -> Self {
        Self { a, b, waiting: EightPairs::new(), numbers: [0; 8], hits: Vec::new(), tested: 0 }
    }

    /// Decides what is waiting.
    fn settle(&mut self) {
        self.tested += self.waiting.len() as u64;
        let mut met = self.waiting.take();
        while met != 0 {
            self.hits.push(self.numbers[met.trailing_zeros() as usize]);
            met &= met - 1;
        }
    }

    /// All hits in order.
    fn sorted(mut self) -> Vec<[u32; 2]> {
        self.hits.sort_unstable();
        self.hits.into_iter().map(|key| [(key >> 32) as u32, key as u32]).collect()
    }
}

impl CandidateVisitor for AllHits<'_> {
    fn nearest_first(&self) -> bool {
        false
    }

    fn gap_of_wholes(&self) -> f64 {
        self.a.gap_of_wholes(&self.b)
    }

    fn leaves(&mut self, a: &[u32], b: &[u32], masks: &[u32; 8]) -> ControlFlow<()> {
        let (ours, theirs) = (self.a, self.b);
        candidates(&ours, &theirs, a, b, masks, |[i, j], t, u| {
            self.numbers[self.waiting.len()] = u64::from(i) << 32 | u64::from(j);
            self.waiting.push(t, u);
            if self.waiting.len() == 8 {
                self.settle();
            }
            ControlFlow::Continue(())
        })
    }
}

/// Calls `visit` with the numbers and the posed triangles of each candidate of two leaves. Each triangle is posed
/// once at most.
#[inline(always)]
fn candidates(
    left: &PosedSurface,
    right: &PosedSurface,
    a: &[u32],
    b: &[u32],
    masks: &[u32; 8],
    mut visit: impl FnMut([u32; 2], &Triangle, &Triangle) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut theirs = [const { None }; 8];
    for (&i, &mask) in a.iter().zip(masks).filter(|(_, mask)| **mask != 0) {
        let ours = left.triangle(i);
        let mut rest = mask;
        while rest != 0 {
            let j = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let other = theirs[j].get_or_insert_with(|| right.triangle(b[j]));
            visit([i, b[j]], &ours, other)?;
        }
    }
    ControlFlow::Continue(())
}
