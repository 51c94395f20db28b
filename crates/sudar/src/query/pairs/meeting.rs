//! Surfaces that meet: the first pair of triangles found, all pairs, and points in common.

use std::ops::ControlFlow;

use glam::DVec3;

use crate::effort::Meter;
use crate::pair::{triangle_intersection, triangles_intersect};
use crate::query::answer::{Intersection, StopReason};
use crate::query::bodies::PosedSurface;
use crate::shape::Triangle;
use crate::tree::{Bodies, CandidateVisitor, EightPairs, LeafPair, bits, visit_candidates};

/// Whether two surfaces meet, or one lies inside the other.
pub(crate) fn meet(a: &PosedSurface, b: &PosedSurface, meter: &mut Meter) -> Intersection {
    match first_hit(a, b, meter) {
        Some(pair) => Intersection::Touching { features: pair },
        None if meter.is_stopped() => Intersection::Undecided(StopReason::Budget),
        None => enclosed_pieces(a, b),
    }
}

/// Where one of two surfaces that do not meet lies inside the other.
pub(crate) fn enclosed_pieces(a: &PosedSurface, b: &PosedSurface) -> Intersection {
    let pair = enclosed_piece(a, b).map(|i| [i, 0]).or_else(|| enclosed_piece(b, a).map(|j| [0, j]));
    pair.map_or(Intersection::Apart, |features| Intersection::Touching { features })
}

/// A triangle of a piece of `inner` that lies inside the solid `outer`, for surfaces that do not meet: each piece
/// then is inside or outside as a whole.
fn enclosed_piece(inner: &PosedSurface, outer: &PosedSurface) -> Option<u32> {
    outer.surface.solid.as_ref()?;
    let is_inside = |t: u32| outer.encloses(inner.vertex(inner.surface.mesh.triangles()[t as usize][0]));
    let firsts = inner.surface.first_of_each_piece();
    if firsts.len() <= FEW_PIECES {
        return firsts.iter().copied().find(|&t| is_inside(t));
    }
    let region = outer.surface.mesh.aabb().posed(outer.pose);
    let mut found = None;
    inner.view().visit_box(&region, &mut Meter::unlimited(), |t| {
        // The first triangles of the pieces are in order.
        if firsts.binary_search(&t).is_ok() && is_inside(t) {
            found = Some(t);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found
}

/// More pieces than this, such as the points of a cloud, are found through the tree.
const FEW_PIECES: usize = 8;

/// All pairs of triangles that meet, sorted.
pub(crate) fn all_hits(a: &PosedSurface, b: &PosedSurface, meter: &mut Meter) -> Vec<[u32; 2]> {
    hits_up_to(a, b, usize::MAX, meter)
}

/// The pairs of triangles that meet which the traversal finds first, sorted: all of them, or as many as are wanted.
pub(crate) fn hits_up_to(
    a: &PosedSurface,
    b: &PosedSurface,
    most: usize,
    meter: &mut Meter,
) -> Vec<[u32; 2]> {
    let mut hits = Hits::new(*a, *b, most);
    visit(a, b, &mut hits, meter);
    hits.settle();
    meter.count_triangles(hits.tested);
    hits.sorted()
}

/// The pair of triangles that the traversal finds first.
fn first_hit(a: &PosedSurface, b: &PosedSurface, meter: &mut Meter) -> Option<[u32; 2]> {
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
    fn deepest_first(&self) -> bool {
        true
    }

    fn gap_of_wholes(&self) -> f64 {
        self.a.gap_of_wholes(&self.b)
    }

    fn leaves(&mut self, leaves: &LeafPair) -> ControlFlow<()> {
        let (ours, theirs) = (self.a, self.b);
        if let Some(pair) = leaves.first_crossing() {
            self.hit = Some(pair);
            return ControlFlow::Break(());
        }
        candidates(&ours, &theirs, leaves, |pair, t, u| {
            self.tested += 1;
            if triangles_intersect(t, u) {
                self.hit = Some(pair);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })
    }
}

/// Both numbers of a pair in one.
fn number([i, j]: [u32; 2]) -> u64 {
    u64::from(i) << 32 | u64::from(j)
}

struct Hits<'a> {
    a: PosedSurface<'a>,
    b: PosedSurface<'a>,
    /// How many are wanted.
    most: usize,
    /// Pairs waiting to be decided, and their numbers: both in one, for sorting.
    waiting: EightPairs,
    numbers: [u64; 8],
    /// The numbers of the pairs that meet.
    hits: Vec<u64>,
    tested: u64,
}

impl<'a> Hits<'a> {
    fn new(a: PosedSurface<'a>, b: PosedSurface<'a>, most: usize) -> Self {
        Self { a, b, most, waiting: EightPairs::new(), numbers: [0; 8], hits: Vec::new(), tested: 0 }
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

    fn sorted(mut self) -> Vec<[u32; 2]> {
        // Pairs are decided eight at a time, so that there may be a few more.
        self.hits.truncate(self.most);
        self.hits.sort_unstable();
        self.hits.into_iter().map(|key| [(key >> 32) as u32, key as u32]).collect()
    }
}

impl CandidateVisitor for Hits<'_> {
    fn deepest_first(&self) -> bool {
        false
    }

    fn gap_of_wholes(&self) -> f64 {
        self.a.gap_of_wholes(&self.b)
    }

    fn leaves(&mut self, leaves: &LeafPair) -> ControlFlow<()> {
        let (ours, theirs) = (self.a, self.b);
        for (i, mask) in leaves.cross.iter().enumerate() {
            self.hits.extend(bits(*mask).map(|j| number([leaves.a[i], leaves.b[j as usize]])));
        }
        if self.hits.len() >= self.most {
            return ControlFlow::Break(());
        }
        candidates(&ours, &theirs, &leaves.open(), |pair, t, u| {
            self.numbers[self.waiting.len()] = number(pair);
            self.waiting.push(t, u);
            if self.waiting.len() == 8 {
                self.settle();
                if self.hits.len() >= self.most {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        })
    }
}

/// Calls `visit` with the numbers and the posed triangles of each candidate of two leaves. Each triangle is posed
/// once at most.
#[inline(always)]
pub(crate) fn candidates(
    left: &PosedSurface,
    right: &PosedSurface,
    leaves: &LeafPair,
    mut visit: impl FnMut([u32; 2], &Triangle, &Triangle) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut theirs = [const { None }; 8];
    for (&i, &mask) in leaves.a.iter().zip(&leaves.may_meet).filter(|(_, mask)| **mask != 0) {
        let ours = left.triangle(i);
        for j in bits(mask).map(|j| j as usize) {
            let other = theirs[j].get_or_insert_with(|| right.triangle(leaves.b[j]));
            visit([i, leaves.b[j]], &ours, other)?;
        }
    }
    ControlFlow::Continue(())
}

/// A point that two surfaces have in common; the given triangles say so.
pub(crate) fn common_point(a: &PosedSurface, b: &PosedSurface, [i, j]: [u32; 2]) -> DVec3 {
    let (t, u) = (a.triangle(i), b.triangle(j));
    match triangle_intersection(&t, &u) {
        Some(common) => common.middle(),
        // One lies inside the other: the triangle that says so is of the inner one.
        None if b.encloses(t.a) => t.a,
        None => u.a,
    }
}

/// A point that a triangle has in common with the faces of a body.
pub(crate) fn in_triangle_surface(t: &Triangle, surface: &PosedSurface) -> Option<DVec3> {
    let mut point = None;
    surface.view().visit_box(&t.aabb(), &mut Meter::unlimited(), |j| {
        point = triangle_intersection(t, &surface.triangle(j)).map(|common| common.middle());
        if point.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    point
}
