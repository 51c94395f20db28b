//! How far apart two bounded convex bodies are.

use glam::DVec3;

use super::certain::{Close, certainly};
use super::convex_meet::convex_convex as touching;
use super::cores::{in_cores, of_cores};
use super::meeting::{common_point, meet};
use super::point_cuboid::PointCuboid;
use super::sphere_capsule::Thin;
use super::sphere_curved::PointRound;
use super::triangle_convex::core_of;
use crate::convex::{
    Convex, Difference, Gjk, GjkMemory, GjkOptions, PairKind, PosedConvex, cuboid_distance, gjk,
};
use crate::effort::Meter;
use crate::math::{Interval, Pose, length, unit};
use crate::pair::Nearest;
use crate::query::answer::{Found, Intersection};
use crate::query::bodies::{PosedBody, PosedSurface};
use crate::shape::Triangle;

/// The distance of two convex bodies, and a common point if they have one.
#[inline]
pub(crate) fn convex_convex(a: &PosedBody, b: &PosedBody) -> Found {
    if a.convex.convex().core().is_point() && b.convex.convex().core().is_point() {
        return balls(&a.convex, &b.convex);
    }
    convex_convex_from(a, b, &mut GjkMemory::default())
}

/// [`convex_convex`], begun from what an earlier search left in the memory.
#[inline(never)]
pub(crate) fn convex_convex_from(a: &PosedBody, b: &PosedBody, memory: &mut GjkMemory) -> Found {
    let (p, q) = (&a.convex, &b.convex);
    let known = match PairKind::of(p, q) {
        PairKind::Points => Some(balls(p, q)),
        PairKind::Segments => Thin::new(p, q).map(|thin| thin.distance()),
        PairKind::PointRound => PointRound::of_pair(p, q).map(|pair| pair.distance()),
        PairKind::PointCuboid => PointCuboid::of_pair(p, q).and_then(|pair| pair.distance()),
        PairKind::Cuboids => of_cuboids(p, q),
        PairKind::General => None,
    };
    if let Some(found) = known {
        return found;
    }
    let difference = Difference::unposed(a.convex, b.convex);
    let found = gjk(&difference, memory, &GjkOptions::DISTANCE);
    *memory = GjkMemory::of(&difference, &found);
    match certainly(&difference, &found).or_else(|| touching(a, b)) {
        Some(false) => close(&difference, &found, outside(&difference, apart(&difference, &found))),
        Some(true) => within((a, b), &difference, &found),
        None => {
            let far = close(&difference, &found, apart(&difference, &found));
            Found { interval: Interval { lower: 0.0, ..far.interval }, ..far }
        }
    }
}

/// Bounds by which two convex bodies are at most `tolerance` apart or not: an interval for their distance that is
/// as wide as may be, unless it would hold the tolerance.
pub(crate) fn convex_convex_until(a: &PosedBody, b: &PosedBody, tolerance: f64) -> Found {
    if is_closed_form(a, b) {
        return convex_convex(a, b);
    }
    let difference = Difference::unposed(a.convex, b.convex);
    let cores = tolerance + difference.margin();
    let (beyond, within) = (cores * (1.0 + 4.0 * f64::EPSILON), cores * (1.0 - 4.0 * f64::EPSILON));
    let search = gjk(&difference, &GjkMemory::NONE, &GjkOptions { beyond, within, ..GjkOptions::DISTANCE });
    let found = match certainly(&difference, &search) {
        Some(true) => common(&difference, &search),
        // Points of bodies without margins are as far apart as the interval says, whether these meet or not.
        // A tetrahedron too thin to be sure that it holds the origin says nothing.
        None if difference.margin() > 0.0 || search.encloses => return convex_convex(a, b),
        Some(false) | None => apart(&difference, &search),
    };
    let decides = found.interval.upper <= tolerance || found.interval.lower > tolerance;
    if decides { found } else { convex_convex(a, b) }
}

/// Whether the distance is found without a search.
fn is_closed_form(a: &PosedBody, b: &PosedBody) -> bool {
    match PairKind::of(&a.convex, &b.convex) {
        PairKind::Points | PairKind::Segments | PairKind::PointCuboid | PairKind::Cuboids => true,
        PairKind::PointRound => PointRound::of_pair(&a.convex, &b.convex).is_some(),
        PairKind::General => false,
    }
}

/// The distance of bodies that are certainly apart, be it by less than the search could tell: it is not zero, and what
/// rounding hides is not more than the slack.
fn outside(difference: &Difference, found: Found) -> Found {
    let least = if found.interval.upper > 0.0 { 0.0 } else { difference.slack() };
    Found { interval: Interval { upper: found.interval.upper.max(least), ..found.interval }, ..found }
}

/// Boxes clearly apart or clearly overlapping; `None` for others.
#[inline]
fn of_cuboids(a: &PosedConvex, b: &PosedConvex) -> Option<Found> {
    let found = cuboid_distance(a, b)?;
    let (p, q) = (a.center() + found.a, b.center() + found.b);
    if found.distance.upper == 0.0 {
        return Some(at(p));
    }
    Some(Found { nearest: Nearest::between(p, q), interval: found.distance, features: [0, 0] })
}

/// The distance of bodies so close that GJK left open whether they are apart: the better of its answer and
/// that of the expanding polytope. A tetrahedron that holds the origin but no ball around it is too thin for
/// witnesses, and says that the bodies are no farther apart than the slack.
fn close(difference: &Difference, search: &Gjk, found: Found) -> Found {
    if difference.margin() > 0.0 || (difference.is_polytope() && !search.encloses) {
        return found;
    }
    let Some(close) = Close::new(difference, search) else { return found };
    let (p, q) = (close.deep.a, close.deep.b);
    // The points are coordinates in the world, which far from the origin are coarser than the bodies.
    let coarse = 2.0 * f64::EPSILON * (p.abs().max_element() + q.abs().max_element());
    let apart = length(p - q) + difference.rounding() + coarse;
    let Interval { lower, upper } = found.interval;
    let lower = lower.max(close.gap);
    if search.encloses || apart < upper {
        let interval = Interval { lower: lower.min(apart), upper: apart };
        return Found { nearest: Nearest::between(p, q), interval, ..found };
    }
    Found { interval: Interval { lower: lower.min(upper), upper }, ..found }
}

/// A point of two bodies that meet: where GJK left a gap between its points, that of the expanding polytope
/// if it is better, or one of two triangles.
fn within((a, b): (&PosedBody, &PosedBody), difference: &Difference, search: &Gjk) -> Found {
    let found = common(difference, search);
    let (p, q) = witnesses(difference, search);
    let (gap, enough) = (length(p - q), 4.0 * difference.slack());
    if difference.margin() > 0.0 || gap <= enough {
        return found;
    }
    let deep = Close::new(difference, search).map(|close| (close.deep.a, close.deep.b));
    match deep.filter(|(p, q)| length(*p - *q) < gap) {
        Some((p, q)) if length(p - q) <= enough => at(p + (q - p) * 0.5),
        better => match (a.surface(), b.surface()) {
            (Some(a), Some(b)) => common_of_surfaces(&a, &b).map_or(found, at),
            _ => better.map_or(found, |(p, q)| at(p + (q - p) * 0.5)),
        },
    }
}

/// A point of two triangles that meet.
#[cold]
fn common_of_surfaces(a: &PosedSurface, b: &PosedSurface) -> Option<DVec3> {
    match meet(a, b, &mut Meter::unlimited()) {
        Intersection::Touching { features } => Some(common_point(a, b, features)),
        Intersection::Apart | Intersection::Undecided(_) => None,
    }
}

/// Balls and points, those far from touching and of moderate size by the short way.
#[inline]
fn balls(a: &PosedConvex, b: &PosedConvex) -> Found {
    let (r, s) = (a.convex().margin(), b.convex().margin());
    let between = b.center() - a.center();
    let (square, sum) = (between.length_squared(), r + s);
    let length = square.sqrt();
    let distance = length - sum;
    let doubt = 4.0 * f64::EPSILON * (length + sum);
    if !(distance.abs() > doubt && (1e-250..1e250).contains(&square)) {
        return Thin::of_points(a, b).distance();
    }
    if distance < 0.0 {
        return at(a.center() + between * (r / sum));
    }
    let normal = between * (1.0 / length);
    Found {
        nearest: Nearest {
            a: a.center() + normal * r,
            b: b.center() - normal * s,
            distance_squared: distance * distance,
        },
        interval: Interval { lower: distance - doubt, upper: distance + doubt },
        features: [0, 0],
    }
}

fn at(point: DVec3) -> Found {
    Found::at(point, [0, 0])
}

/// The distance of bodies that are certainly apart, from what a search found of their cores.
pub(crate) fn apart(difference: &Difference, found: &Gjk) -> Found {
    let witnesses = witnesses(difference, found);
    let normal = if difference.margin() > 0.0 { normal(found) } else { DVec3::ZERO };
    of_cores(bodies(difference), found.distance, witnesses, normal)
}

/// A point of two bodies that certainly meet.
pub(crate) fn common(difference: &Difference, found: &Gjk) -> Found {
    at(in_cores(bodies(difference), witnesses(difference, found)))
}

fn bodies<'d>(difference: &'d Difference<'_>) -> [&'d PosedConvex<'d>; 2] {
    [&difference.a, &difference.b]
}

/// The nearest points of the cores in the world.
fn witnesses(difference: &Difference, found: &Gjk) -> (DVec3, DVec3) {
    let (a, b) = found.simplex.witnesses();
    (difference.a.center() + a, difference.b.center() + b)
}

/// The unit direction from the first core to the second.
pub(crate) fn normal(found: &Gjk) -> DVec3 {
    unit(-found.nearest).unwrap_or(DVec3::ZERO)
}

/// The distance of a convex body and a triangle, the triangle second; zero if they certainly meet.
pub(crate) fn convex_triangle(body: &PosedConvex, triangle: &Triangle) -> Found {
    let convex = Convex::new(core_of(triangle), 0.0);
    let triangle = PosedConvex::new(&convex, &Pose::IDENTITY);
    if let Some(pair) = PointRound::new(body, &triangle) {
        return pair.distance();
    }
    let difference = Difference::unposed(*body, triangle);
    let found = gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE);
    match certainly(&difference, &found) {
        Some(true) => common(&difference, &found),
        Some(false) => outside(&difference, apart(&difference, &found)),
        None if difference.is_polytope() => outside(&difference, apart(&difference, &found)),
        None => {
            let far = close(&difference, &found, outside(&difference, apart(&difference, &found)));
            Found { interval: Interval { lower: 0.0, ..far.interval }, ..far }
        }
    }
}
