//! Whether a triangle meets a convex body.

use super::certain::{certainly, expanded};
use super::sphere_capsule::Slender;
use super::sphere_curved::PointRound;
use crate::convex::{Convex, Core, Difference, GjkMemory, GjkOptions, PosedConvex, gjk};
use crate::math::Pose;
use crate::query::bodies::PosedBody;
use crate::shape::Triangle;

/// Whether a triangle has a point in common with a convex body. Exact for balls, capsules, segments and triangles; for
/// others where that is certain: unknown where they touch within rounding.
pub(crate) fn triangle_meets(t: &Triangle, body: &PosedBody) -> Option<bool> {
    match Slender::of(&body.convex) {
        Some(slender) => Some(slender.meets(t)),
        None => convex_triangle(&body.convex, t),
    }
}

/// Whether a triangle is at most `tolerance` from a ball or capsule; of others only whether it meets the body.
pub(crate) fn triangle_within(t: &Triangle, body: &PosedBody, tolerance: f64) -> Option<bool> {
    let slender = if tolerance > 0.0 { Slender::of(&body.convex) } else { None };
    match slender {
        Some(slender) => Some(slender.is_within(t, tolerance)),
        None => triangle_meets(t, body),
    }
}

/// Whether a convex body and a triangle have a point in common, if that is certain.
pub(crate) fn convex_triangle(body: &PosedConvex, triangle: &Triangle) -> Option<bool> {
    let convex = Convex::new(core_of(triangle), 0.0);
    let triangle = PosedConvex::new(&convex, &Pose::IDENTITY);
    if let Some(pair) = PointRound::new(body, &triangle) {
        return pair.meet();
    }
    let difference = Difference::unposed(*body, triangle);
    let margin = difference.margin();
    let options = GjkOptions { beyond: margin, within: margin, ..GjkOptions::DISTANCE };
    let found = gjk(&difference, &GjkMemory::NONE, &options);
    let to_the_end = || certainly(&difference, &gjk(&difference, &GjkMemory::NONE, &GjkOptions::DISTANCE));
    certainly(&difference, &found).or_else(|| expanded(&difference, &found)).or_else(to_the_end)
}

/// A triangle as the segment or point that it is if corners of it are equal.
pub(crate) fn core_of(&Triangle { a, b, c }: &Triangle) -> Core {
    match (a == b, b == c, c == a) {
        (true, true, _) => Core::Point(a),
        (true, false, _) => Core::Segment([b, c]),
        (false, true, _) | (false, false, true) => Core::Segment([a, b]),
        (false, false, false) => Core::Triangle([a, b, c]),
    }
}
