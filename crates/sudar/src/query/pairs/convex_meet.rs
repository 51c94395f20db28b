//! Two bounded convex bodies.

use super::certain::{certainly, expanded};
use super::meeting::meet;
use super::mesh_convex::mesh_convex;
use super::point_cuboid::PointCuboid;
use super::sphere_capsule::{Thin, ball};
use super::sphere_curved::PointRound;
use crate::convex::{Difference, GjkMemory, GjkOptions, Meeting, PairKind, cuboids_meet, gjk};
use crate::effort::Meter;
use crate::pair::sphere_sphere;
use crate::query::bodies::PosedBody;

/// Whether two convex bodies have a point in common; `None` where a round one touches within rounding.
///
/// Balls and capsules by closed forms, all else by GJK, whose answer is certain unless the bodies are within rounding
/// of touching; then polytopes, balls and capsules are decided exactly, on their triangles.
#[inline]
pub(crate) fn convex_convex(a: &PosedBody, b: &PosedBody) -> Option<bool> {
    if a.convex.convex().core().is_point() && b.convex.convex().core().is_point() {
        return Some(sphere_sphere(&ball(&a.convex), &ball(&b.convex)));
    }
    convex_convex_from(a, b, &mut GjkMemory::default())
}

/// [`convex_convex`], begun from what an earlier search left in the memory.
#[inline(never)]
pub(crate) fn convex_convex_from(a: &PosedBody, b: &PosedBody, memory: &mut GjkMemory) -> Option<bool> {
    let (p, q) = (&a.convex, &b.convex);
    let known = match PairKind::of(p, q) {
        PairKind::Points | PairKind::Segments => Thin::new(p, q).map(|thin| Some(thin.meet())),
        PairKind::PointRound => PointRound::of_pair(p, q).map(|pair| pair.meet()),
        PairKind::Cuboids => cuboids_meet(p, q).map(|meeting| match meeting {
            Meeting::Apart => Some(false),
            Meeting::Overlap => Some(true),
            Meeting::Undecided => exactly(a, b),
        }),
        PairKind::PointCuboid => PointCuboid::of_pair(p, q).and_then(|pair| pair.meet()).map(Some),
        PairKind::General => None,
    };
    if let Some(answer) = known {
        return answer;
    }
    if !memory.is_empty()
        && let Some(answer) = memory.still_decides(&a.convex, &b.convex)
    {
        return Some(answer);
    }
    let difference = Difference::unposed(a.convex, b.convex);
    let margin = difference.margin();
    let options = if memory.is_empty() || margin > 0.0 { until_decided(margin) } else { until_well_apart() };
    let found = gjk(&difference, memory, &options);
    *memory = GjkMemory::of(&difference, &found);
    certainly(&difference, &found).or_else(|| expanded(&difference, &found)).or_else(|| exactly(a, b))
}

/// The search ends as soon as the bodies certainly meet or certainly do not, and no sooner.
fn until_decided(margin: f64) -> GjkOptions {
    let (beyond, within) = (margin * (1.0 + 2.0 * f64::EPSILON), margin * (1.0 - 2.0 * f64::EPSILON));
    GjkOptions { beyond, within, relative: 0.0, ..GjkOptions::DISTANCE }
}

/// The search goes on until the gap seen is at least half the distance: bodies that move on are then still
/// apart in that direction for some time. For bodies without margins.
fn until_well_apart() -> GjkOptions {
    GjkOptions { relative: 0.5, ..GjkOptions::DISTANCE }
}

/// Bodies within rounding of touching.
#[cold]
fn exactly(a: &PosedBody, b: &PosedBody) -> Option<bool> {
    let meter = &mut Meter::unlimited();
    let found = match (a.surface(), b.surface()) {
        (Some(a), Some(b)) => return Some(meet(&a, &b, meter).is_touching()),
        (Some(a), None) => mesh_convex(&a, b, meter),
        (None, Some(b)) => mesh_convex(&b, a, meter),
        (None, None) => return None,
    };
    found.decided()
}
