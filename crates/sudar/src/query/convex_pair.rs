//! Two bounded convex bodies.

use super::intersects::{Meeting as Found, mesh_mesh};
use super::mesh_convex::mesh_convex;
use super::posed::{PosedBody, PosedSurface};
use super::thin_pair::Thin;
use crate::convex::{
    Accuracy, Core, Difference, Gjk, GjkMemory, GjkOptions, Meeting, PosedConvex, cuboids_meet, expanding_polytope, gjk,
};
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
#[inline]
pub(super) fn convex_convex_from(a: &PosedBody, b: &PosedBody, memory: &mut GjkMemory) -> Option<bool> {
    if let Some(thin) = Thin::new(&a.convex, &b.convex) {
        return Some(thin.meet());
    }
    match cuboids_meet(&a.convex, &b.convex) {
        Some(Meeting::Apart) => return Some(false),
        Some(Meeting::Overlap) => return Some(true),
        Some(Meeting::Undecided) => return exactly(a, b),
        None => {}
    }
    let difference = Difference::new(a.convex, b.convex);
    let found = gjk(&difference, memory, &until_decided(difference.margin()));
    *memory = GjkMemory::of(&difference, &found);
    certainly(&difference, &found).or_else(|| overlap(&difference, &found)).or_else(|| exactly(a, b))
}

/// Whether bodies meet whose difference has the origin on the simplex that the search ended with, as those in symmetric
/// poses have: they do if a ball around the origin fits into the difference.
///
/// The polytope first has to grow around the origin. When the interval of the depth is narrower than half the depth,
/// its lower end is above zero.
#[cold]
fn overlap(difference: &Difference, found: &Gjk) -> Option<bool> {
    let accuracy = Accuracy { absolute: 0.0, relative: 0.5 };
    let deep = expanding_polytope(difference, found.simplex.vertices(), &accuracy, 128);
    (deep.depth.lower > 0.0).then_some(true)
}

/// The search ends as soon as the bodies certainly meet or certainly do not.
fn until_decided(margin: f64) -> GjkOptions {
    GjkOptions { beyond: margin * (1.0 + 2.0 * f64::EPSILON), within: margin * (1.0 - 2.0 * f64::EPSILON), ..GjkOptions::DISTANCE }
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
        (Some(a), Some(b)) => Some(matches!(mesh_mesh(&a, &b), Found::At(_))),
        (Some(a), None) => meets(&a, b),
        (None, Some(b)) => meets(&b, a),
        (None, None) => None,
    }
}

fn meets(surface: &PosedSurface, body: &PosedBody) -> Option<bool> {
    match mesh_convex(surface, body) {
        Found::At(_) => Some(true),
        Found::Never => Some(false),
        Found::Unknown => None,
    }
}

/// A posed ball, or a point as a ball without radius.
#[inline]
pub(super) fn ball(convex: &PosedConvex) -> Sphere {
    Sphere { center: convex.center(), radius: convex.convex().margin() }
}

/// The posed axis of a capsule.
pub(super) fn axis(convex: &PosedConvex, ends: [glam::DVec3; 2]) -> Segment {
    let [a, b] = ends.map(|p| convex.pose().apply(p));
    Segment { a, b }
}
