//! How two solids lie to each other, exactly, also where their surfaces touch.
//!
//! Both surfaces together cut space into open cells; each cell is inside or outside each solid as a whole. Which of
//! the four combinations occur is the answer. Every bounded cell has a triangle on its boundary, so it is enough
//! to look just beside the triangles: beside every open region into which the other triangles that meet a
//! triangle divide it. A triangle that meets none of the other solid looks on both sides at the same parity of the
//! other, and so does everything connected with it up to the first triangle that does meet; so one per piece
//! does for pieces that meet nothing, and the others are seen from the triangles that touch.

use std::collections::BTreeMap;

use super::facets::Facet;
use super::surface::{Surface, locate};
use super::{ExactPoint, Location};
use crate::pair::flat::coplanar_interiors_overlap;
use crate::pair::interiors_cross;
use crate::shape::has_zero_area;

/// How two solids A and B lie to each other. "Inside" means the points that an odd number of crossings makes so,
/// without the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SolidRelation {
    /// No point in common.
    Apart,
    /// The surfaces meet, but no point is inside both.
    Touch,
    /// A is contained in B; their surfaces may meet.
    AInB,
    /// B is contained in A; their surfaces may meet.
    BInA,
    /// The same points are inside both, whatever the triangles.
    Equal,
    /// Some points are inside both, some only inside A, some only inside B.
    Overlap,
}

/// How two solids lie to each other. Exact: no tolerance, whatever the triangulation, also for solids that touch
/// themselves, have coincident faces, or are nested.
///
/// `pairs` are all pairs (triangle of `a`, triangle of `b`) that intersect, sorted. Where triangles pass through each
/// other the answer is found at once; where surfaces touch, the cost is some microseconds for each pair of
/// touching triangles, and milliseconds where gaps are so thin that `f64` cannot look into them.
pub fn solid_relation(a: &dyn Surface, b: &dyn Surface, pairs: &[[u32; 2]]) -> SolidRelation {
    if overlap_for_certain(a, b, pairs) {
        return SolidRelation::Overlap;
    }
    let mut search = Search { solids: [a, b], found: Labels::default(), all_flip: true };
    let partners = [partners(pairs, 0), partners(pairs, 1)];
    for (side, touching) in partners.iter().enumerate() {
        search.look_at_free_pieces(side, touching);
    }
    for (side, touching) in partners.iter().enumerate() {
        search.look_at_touching(side, touching);
    }
    if !search.all_flip && !search.found.is_complete() {
        search.look_everywhere(&partners);
    }
    search.found.relation(!pairs.is_empty())
}

/// Which combinations of (inside A, inside B) occur, apart from neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Labels {
    both: bool,
    only_a: bool,
    only_b: bool,
}

impl Labels {
    fn is_complete(self) -> bool {
        self.both && self.only_a && self.only_b
    }

    fn add(&mut self, inside_a: bool, inside_b: bool) {
        self.both |= inside_a && inside_b;
        self.only_a |= inside_a && !inside_b;
        self.only_b |= !inside_a && inside_b;
    }

    fn relation(self, meet: bool) -> SolidRelation {
        match (self.both, self.only_a, self.only_b) {
            (false, ..) if meet => SolidRelation::Touch,
            (false, ..) => SolidRelation::Apart,
            (true, true, true) => SolidRelation::Overlap,
            (true, false, true) => SolidRelation::AInB,
            (true, true, false) => SolidRelation::BInA,
            (true, false, false) => SolidRelation::Equal,
        }
    }
}

/// The triangles of one solid that meet the other, each with those it meets.
type Partners = BTreeMap<u32, Vec<u32>>;

fn partners(pairs: &[[u32; 2]], side: usize) -> Partners {
    let mut all = Partners::new();
    for pair in pairs {
        all.entry(pair[side]).or_default().push(pair[1 - side]);
    }
    all
}

/// Whether two triangles pass through each other, each the only one of its solid there: then all four
/// combinations occur around the segment that they have in common.
fn overlap_for_certain(a: &dyn Surface, b: &dyn Surface, pairs: &[[u32; 2]]) -> bool {
    let mut crossing =
        pairs.iter().filter(|[i, j]| interiors_cross(&a.triangle(*i), &b.triangle(*j))).peekable();
    if crossing.peek().is_none() {
        return false;
    }
    let (of_a, of_b) = (partners(pairs, 0), partners(pairs, 1));
    let alone = |surface: &dyn Surface, i: u32, there: &[u32]| {
        let t = surface.triangle(i);
        there.iter().all(|&k| k == i || !coplanar_interiors_overlap(&t, &surface.triangle(k)))
    };
    crossing.any(|&[i, j]| alone(a, i, &of_b[&j]) && alone(b, j, &of_a[&i]))
}

/// The combinations found so far.
pub(super) struct Search<'a> {
    solids: [&'a dyn Surface; 2],
    found: Labels,
    /// Whether every triangle looked at has the inside of its solid on just one side.
    all_flip: bool,
}

impl Search<'_> {
    /// Takes note of a point off both surfaces; gives whether it is inside each, `None` if it is on one.
    pub(super) fn look_at<P: ExactPoint + Clone>(&mut self, point: &P) -> Option<[bool; 2]> {
        let mut inside = [false; 2];
        for (inside, solid) in inside.iter_mut().zip(self.solids) {
            *inside = match locate(point.clone(), solid) {
                Location::Inside => true,
                Location::Outside => false,
                Location::OnSurface(_) => return None,
            };
        }
        self.found.add(inside[0], inside[1]);
        Some(inside)
    }

    /// Whether all combinations were found, so that nothing more need be looked at.
    pub(super) fn is_complete(&self) -> bool {
        self.found.is_complete()
    }

    /// Takes note of the two sides of a triangle of `solids[side]`.
    pub(super) fn compare_sides(&mut self, side: usize, above: [bool; 2], below: [bool; 2]) -> Flip {
        if above[side] == below[side] {
            self.all_flip = false;
            return Flip::No;
        }
        Flip::Yes
    }

    fn look_beside(&mut self, side: usize, triangle: u32, partners: &[u32]) -> Flip {
        Facet::new(self.solids, side, triangle, partners).map_or(Flip::No, |f| f.look(self))
    }

    /// Looks beside one triangle of every piece that meets nothing: the first that divides inside from outside.
    fn look_at_free_pieces(&mut self, side: usize, touching: &Partners) {
        let surface = self.solids[side];
        let mut done: Vec<u32> = touching.keys().map(|&i| surface.piece(i)).collect();
        done.sort_unstable();
        done.dedup();
        for i in 0..surface.triangles() {
            let piece = surface.piece(i);
            let Err(place) = done.binary_search(&piece) else { continue };
            if self.found.is_complete() {
                return;
            }
            let all_flip = self.all_flip;
            if self.look_beside(side, i, &[]) == Flip::Yes {
                done.insert(place, piece);
            }
            // The piece was searched for a triangle that does, so one that does not matters nothing.
            self.all_flip = all_flip;
        }
    }

    fn look_at_touching(&mut self, side: usize, touching: &Partners) {
        for (&i, partners) in touching {
            if self.found.is_complete() {
                return;
            }
            self.look_beside(side, i, partners);
        }
    }

    /// Looks beside all triangles that do not touch: needed where faces of one solid coincide, so that those
    /// connected with them need not look at the same combinations.
    fn look_everywhere(&mut self, touching: &[Partners; 2]) {
        for (side, touching) in touching.iter().enumerate() {
            for i in 0..self.solids[side].triangles() {
                if !touching.contains_key(&i) && !self.found.is_complete() {
                    self.look_beside(side, i, &[]);
                }
            }
        }
    }
}

/// Whether a triangle divides inside from outside somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flip {
    Yes,
    No,
}

impl Flip {
    pub(super) fn or(self, other: Self) -> Self {
        if self == Self::Yes { self } else { other }
    }
}

/// Whether a triangle has an area and so belongs to the boundary of a cell.
pub(super) fn counts(surface: &dyn Surface, i: u32) -> bool {
    !has_zero_area(&surface.triangle(i))
}
