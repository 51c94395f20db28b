//! Two bounded convex bodies.

use glam::DVec3;

use super::intersects::{Meeting as Found, mesh_mesh};
use super::mesh_convex::mesh_convex;
use super::point_round::PointRound;
use super::posed::{PosedBody, PosedSurface};
use super::thin_pair::Thin;
use crate::convex::{
    Accuracy, Core, Difference, Gjk, GjkMemory, GjkOptions, Meeting, Penetration as Deep, PosedConvex,
    cuboids_meet, expanding_polytope, gjk,
};
use crate::effort::Meter;
use crate::pair::sphere_sphere;
use crate::shape::{Segment, Sphere};

/// Whether two convex bodies have a point in common; `None` where a round one touches within rounding.
///
/// Balls and capsules by closed forms, all else by GJK, whose answer is certain unless the bodies are within rounding
/// of touching; then polytopes, balls and capsules are decided exactly, on their triangles.
#[inline]
pub(super) fn convex_convex(a: &PosedBody, b: &PosedBody) -> Option<bool> {
    if let (Core::Point(_), Core::Point(_)) = (a.convex.convex().core(), b.convex.convex().core()) {
        return Some(sphere_sphere(&ball(&a.convex), &ball(&b.convex)));
    }
    convex_convex_from(a, b, &mut GjkMemory::default())
}

/// [`convex_convex`], begun from what an earlier search left in the memory.
#[inline(never)]
pub(super) fn convex_convex_from(a: &PosedBody, b: &PosedBody, memory: &mut GjkMemory) -> Option<bool> {
    if let Some(thin) = Thin::new(&a.convex, &b.convex) {
        return Some(thin.meet());
    }
    if let Some(pair) = PointRound::new(&a.convex, &b.convex) {
        return pair.meet();
    }
    match cuboids_meet(&a.convex, &b.convex) {
        Some(Meeting::Apart) => return Some(false),
        Some(Meeting::Overlap) => return Some(true),
        Some(Meeting::Undecided) => return exactly(a, b),
        None => {}
    }
    if !memory.is_empty()
        && let Some(answer) = memory.still_decides(&a.convex, &b.convex)
    {
        return Some(answer);
    }
    let difference = Difference::new(a.convex, b.convex);
    let margin = difference.margin();
    let options = if memory.is_empty() || margin > 0.0 { until_decided(margin) } else { until_well_apart() };
    let found = gjk(&difference, memory, &options);
    *memory = GjkMemory::of(&difference, &found);
    certainly(&difference, &found).or_else(|| expanded(&difference, &found)).or_else(|| exactly(a, b))
}

/// Whether bodies meet of which GJK could not tell: because they are symmetric, so that the origin lies on the simplex
/// that the search ended with, or because they are round and so near that its simplex was lost in rounding.
///
/// They do if a ball around the origin fits into the difference, and do not if the normal found separates them.
#[cold]
pub(super) fn expanded(difference: &Difference, found: &Gjk) -> Option<bool> {
    let close = Close::new(difference, found)?;
    if close.deep.depth.lower > 0.0 {
        Some(true)
    } else if close.gap > 0.0 && difference.margin() == 0.0 {
        Some(false)
    } else {
        None
    }
}

/// What the expanding polytope says of cores that GJK could not tell apart.
pub(super) struct Close {
    /// Their depth, to a factor of two.
    pub deep: Deep,
    /// They are apart by at least this, if it is above zero.
    pub gap: f64,
}

impl Close {
    /// `None` for cores that GJK found apart.
    pub fn new(difference: &Difference, found: &Gjk) -> Option<Self> {
        if found.distance.lower > 0.0 {
            return None;
        }
        // When the interval of the depth is narrower than half the depth, its lower end is above zero.
        let accuracy = Accuracy { absolute: 0.0, relative: 0.5 };
        let deep = expanding_polytope(difference, found.simplex.vertices(), &accuracy, EXPANSIONS);
        Some(Self { gap: gap(difference, deep.normal), deep })
    }
}

/// After so many faces have been expanded it stays unknown whether the bodies meet.
const EXPANSIONS: u32 = 256;

/// The cores are apart by at least this along a unit vector from the first to the second, if it is above zero.
pub(super) fn gap(difference: &Difference, normal: DVec3) -> f64 {
    let height = normal.dot(difference.support(normal).point);
    // The vector is off from unit length by an ulp or two, the product by as much.
    -height - (4.0 * f64::EPSILON * height.abs() + difference.slack())
}

/// The search ends as soon as the bodies certainly meet or certainly do not, and no sooner.
fn until_decided(margin: f64) -> GjkOptions {
    let (beyond, within) = (margin * (1.0 + 2.0 * f64::EPSILON), margin * (1.0 - 2.0 * f64::EPSILON));
    GjkOptions { beyond, within, relative: 0.0, ..GjkOptions::DISTANCE }
}

/// The search goes on until the gap seen is at least half the distance: bodies that move on are then still apart in that
/// direction for some time. For bodies without margins.
fn until_well_apart() -> GjkOptions {
    GjkOptions { relative: 0.5, ..GjkOptions::DISTANCE }
}

/// What a search says beyond doubt.
pub(super) fn certainly(difference: &Difference, found: &Gjk) -> Option<bool> {
    let margin = difference.margin();
    if found.distance.lower > margin * (1.0 + 2.0 * f64::EPSILON) {
        Some(false)
    } else if found.distance.upper < margin * (1.0 - 2.0 * f64::EPSILON)
        || (found.encloses && found.simplex.holds_ball(difference.slack()))
    {
        Some(true)
    } else {
        None
    }
}

/// Bodies within rounding of touching.
#[cold]
fn exactly(a: &PosedBody, b: &PosedBody) -> Option<bool> {
    match (a.surface(), b.surface()) {
        (Some(a), Some(b)) => Some(matches!(mesh_mesh(&a, &b, &mut Meter::unlimited()), Found::At(_))),
        (Some(a), None) => meets(&a, b),
        (None, Some(b)) => meets(&b, a),
        (None, None) => None,
    }
}

fn meets(surface: &PosedSurface, body: &PosedBody) -> Option<bool> {
    match mesh_convex(surface, body, &mut Meter::unlimited()) {
        Found::At(_) => Some(true),
        Found::Never => Some(false),
        Found::Unknown(_) => None,
    }
}

/// A posed ball, or a point as a ball without radius.
#[inline]
pub(super) fn ball(convex: &PosedConvex) -> Sphere {
    Sphere { center: convex.center(), radius: convex.convex().margin() }
}

/// The posed axis of a capsule.
pub(super) fn axis(convex: &PosedConvex, ends: [DVec3; 2]) -> Segment {
    let [a, b] = ends.map(|p| convex.pose().apply(p));
    Segment { a, b }
}
