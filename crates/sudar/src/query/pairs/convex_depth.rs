//! How deep two bounded convex bodies are in each other.

use glam::DVec3;

use super::certain::gap;
use super::convex_distance::normal;
use super::point_hull::point_in_hull;
use super::sphere_capsule::Thin;
use super::sphere_curved::PointRound;
use crate::convex::{
    Accuracy, AxisAnswer, CorePenetration as Deep, Difference, Gjk, GjkMemory, GjkOptions, PairKind,
    PosedConvex, coaxial, concentric_ellipsoids, cuboid_axes, cuboid_distance, cuboid_points,
    expanding_polytope, gjk,
};
use crate::math::{Interval, unit};
use crate::query::answer::Penetration;
use crate::query::bodies::PosedBody;

/// An interval so wide, relative to the smaller body, may be narrower when searched for anew.
const ROUGH: f64 = 1e-9;

/// After so many faces have been expanded the interval is given as it is.
const EXPANSIONS: u32 = 512;

/// The signed distance of two convex bodies.
///
/// The least translation that separates two cores with margins is that of the cores plus the margins: either the cores
/// are apart, and it is their distance less the margins; or they meet, and it is their depth and the margins.
#[inline]
pub(crate) fn convex_convex(a: &PosedBody, b: &PosedBody, accuracy: &Accuracy) -> Penetration {
    if a.convex.convex().core().is_point() && b.convex.convex().core().is_point() {
        return balls(&a.convex, &b.convex);
    }
    convex_convex_from(a, b, accuracy, &mut GjkMemory::default())
}

/// [`convex_convex`], begun from what an earlier search left in the memory.
#[inline(never)]
pub(crate) fn convex_convex_from(
    a: &PosedBody,
    b: &PosedBody,
    accuracy: &Accuracy,
    memory: &mut GjkMemory,
) -> Penetration {
    let (p, q) = (&a.convex, &b.convex);
    let known = match PairKind::of(p, q) {
        PairKind::Points => Some(balls(p, q)),
        PairKind::Segments => Thin::new(p, q).map(|thin| thin.penetration()),
        PairKind::PointRound | PairKind::PointCuboid => {
            PointRound::of_pair(p, q).map(|pair| pair.penetration())
        }
        PairKind::Cuboids => cuboid_axes(p, q).and_then(|axis| along_axis(p, q, &axis)),
        PairKind::General => None,
    };
    known.unwrap_or_else(|| of_cores(&Difference::new(*p, *q), accuracy, memory))
}

/// [`convex_convex`] of two cores with their margins, of any kinds.
pub(crate) fn of_pair(a: &PosedConvex, b: &PosedConvex, accuracy: &Accuracy) -> Penetration {
    of_cores(&Difference::new(*a, *b), accuracy, &mut GjkMemory::default())
}

/// Whether two cores with their margins may be no farther apart than this; no search for how deep they are.
pub(crate) fn pair_is_near(a: &PosedConvex, b: &PosedConvex, max: f64) -> bool {
    let difference = Difference::new(*a, *b);
    let relative = Accuracy::default().relative.max(4.0 * f64::EPSILON);
    let options = GjkOptions { relative, ..GjkOptions::DISTANCE };
    gjk(&difference, &GjkMemory::default(), &options).distance.lower - difference.margin() <= max
}

/// Balls, those with centres well apart and of moderate size by the short way.
#[inline]
fn balls(a: &PosedConvex, b: &PosedConvex) -> Penetration {
    let (r, s) = (a.convex().margin(), b.convex().margin());
    let between = b.center() - a.center();
    let square = between.length_squared();
    if !(1e-250..1e250).contains(&square) || r + s == 0.0 {
        return Thin::of_points(a, b).penetration();
    }
    let length = square.sqrt();
    let (normal, distance) = (between / length, length - (r + s));
    let doubt = 4.0 * f64::EPSILON * (length + (r + s));
    Penetration {
        signed: Interval { lower: distance - doubt, upper: distance + doubt },
        normal,
        point_a: a.center() + normal * r,
        point_b: b.center() - normal * s,
    }
}

/// [`convex_convex`], begun from what an earlier search left in the memory, unless boxes, or what the memory parts, are
/// certainly farther apart than `max`: that is `None`.
pub(crate) fn convex_convex_up_to(
    a: &PosedBody,
    b: &PosedBody,
    accuracy: &Accuracy,
    max: f64,
    memory: &mut GjkMemory,
) -> Option<Penetration> {
    let Some(axis) = cuboid_axes(&a.convex, &b.convex) else {
        if !memory.is_empty() && memory.parts(&Difference::unposed(a.convex, b.convex), max) {
            return None;
        }
        let begins_from_simplex = memory.count > 0;
        let found = convex_convex_from(a, b, accuracy, memory);
        // A simplex left by another pose may end in rounding where a new one does not.
        let is_rough =
            found.signed.width() > ROUGH * a.convex.convex().radius().min(b.convex.convex().radius());
        return Some(if begins_from_simplex && is_rough { convex_convex(a, b, accuracy) } else { found });
    };
    if axis.gap.lower > max {
        return None;
    }
    let found = along_axis(&a.convex, &b.convex, &axis);
    Some(found.unwrap_or_else(|| of_pair(&a.convex, &b.convex, accuracy)))
}

/// Boxes by their fifteen axes; `None` where these do not say where they are nearest.
fn along_axis(a: &PosedConvex, b: &PosedConvex, axis: &AxisAnswer) -> Option<Penetration> {
    if axis.gap.upper <= 0.0 {
        let [point_a, point_b] = cuboid_points(a, b, axis)?;
        return Some(Penetration { signed: axis.gap, normal: axis.normal, point_a, point_b });
    }
    let found = cuboid_distance(a, b).filter(|found| found.distance.lower > 0.0)?;
    let way = ((b.center() - a.center()) + found.b) - found.a;
    let normal = unit(way)?;
    let (point_a, point_b) = (a.center() + found.a, b.center() + found.b);
    Some(Penetration { signed: found.distance, normal, point_a, point_b })
}

/// Signed distance, unit normal and witnesses (as seen from the world) of the cores.
struct Cores {
    signed: Interval,
    normal: DVec3,
    a: DVec3,
    b: DVec3,
}

fn of_cores(difference: &Difference, accuracy: &Accuracy, memory: &mut GjkMemory) -> Penetration {
    // What is left of a distance without its margins is less than it, and as accurate only if that is more so.
    let share = if difference.margin() > 0.0 { 1e-3 } else { 1.0 };
    let relative = (accuracy.relative * share).max(4.0 * f64::EPSILON);
    let options = GjkOptions { absolute: accuracy.absolute, relative, ..GjkOptions::DISTANCE };
    let found = gjk(difference, memory, &options);
    *memory = GjkMemory::of(difference, &found);
    let cores = if found.distance.lower > 0.0 {
        apart(difference, &found)
    } else {
        overlapping(difference, &found, accuracy)
    };
    let margin = difference.margin();
    let doubt = 2.0 * f64::EPSILON * margin;
    let signed = if margin > 0.0 {
        Interval { lower: cores.signed.lower - margin - doubt, upper: cores.signed.upper - margin + doubt }
    } else {
        cores.signed
    };
    let (margin_a, margin_b) = (difference.a.convex().margin(), difference.b.convex().margin());
    Penetration {
        signed,
        normal: cores.normal,
        point_a: cores.a + cores.normal * margin_a,
        point_b: cores.b - cores.normal * margin_b,
    }
}

fn apart(difference: &Difference, found: &Gjk) -> Cores {
    let (a, b) = found.simplex.witnesses();
    Cores {
        signed: found.distance,
        normal: parting(difference, found),
        a: difference.a.center() + a,
        b: difference.b.center() + b,
    }
}

/// The unit direction along which the cores are certainly apart by the lower end. Of polytopes it is that
/// between the nearest points; of round cores the two differ by as much as the root of what the distance is
/// off.
fn parting(difference: &Difference, found: &Gjk) -> DVec3 {
    unit(found.axis).filter(|_| !difference.is_polytope()).unwrap_or_else(|| normal(found))
}

fn overlapping(difference: &Difference, found: &Gjk, accuracy: &Accuracy) -> Cores {
    let deep = concentric_ellipsoids(&difference.a, &difference.b)
        .or_else(|| coaxial(&difference.a, &difference.b))
        .or_else(|| point_in_hull(difference))
        .unwrap_or_else(|| expanding_polytope(difference, found.simplex.vertices(), accuracy, EXPANSIONS));
    if deep.depth.lower > 0.0 {
        let signed = Interval { lower: -deep.depth.upper, upper: -deep.depth.lower };
        return Cores { signed, normal: deep.normal, a: deep.a, b: deep.b };
    }
    touching(difference, found, &deep)
}

/// Cores within rounding of touching may be apart by as much as the searches could not exclude; the points that came
/// nearest to each other are their witnesses.
fn touching(difference: &Difference, found: &Gjk, deep: &Deep) -> Cores {
    let (a, b) = found.simplex.witnesses();
    let (a, b) = (difference.a.center() + a, difference.b.center() + b);
    let (by_gjk, by_expansion) = ((a - b).length(), (deep.a - deep.b).length());
    // A tetrahedron that holds the origin, but no ball around it, does so within rounding.
    let by_search = if found.encloses { difference.slack() } else { found.distance.upper };
    let upper = by_search.min(by_expansion + difference.rounding());
    let lower = if deep.depth.upper > 0.0 {
        -deep.depth.upper
    } else {
        gap(difference, deep.normal).clamp(0.0, upper)
    };
    let (a, b) = if by_gjk < by_expansion { (a, b) } else { (deep.a, deep.b) };
    Cores { signed: Interval { lower, upper }, normal: deep.normal, a, b }
}
