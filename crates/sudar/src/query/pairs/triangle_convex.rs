//! Whether a triangle meets a convex body.

use super::certain::{certainly, expanded};
use super::sphere_capsule::{axis, ball};
use super::sphere_curved::PointRound;
use crate::convex::{Convex, Core, Difference, GjkMemory, GjkOptions, PosedConvex, gjk};
use crate::math::Pose;
use crate::pair::{capsule_triangle, point_triangle, segment_triangle, sphere_triangle};
use crate::query::bodies::PosedBody;
use crate::shape::{Segment, Sphere, Triangle};

/// Whether a triangle has a point in common with a convex body. Exact for balls, capsules, segments and triangles; for
/// others where that is certain: unknown where they touch within rounding.
pub(crate) fn triangle_meets(t: &Triangle, body: &PosedBody) -> Option<bool> {
    match body.convex.convex().core() {
        Core::Point(_) => Some(ball_triangle(&ball(&body.convex), t)),
        Core::Segment(ends) => {
            let axis = axis(&body.convex, *ends);
            Some(round_segment_triangle(&axis, body.convex.convex().margin(), t))
        }
        Core::Triangle(_)
        | Core::Cuboid(..)
        | Core::Polytope(_)
        | Core::Cylinder { .. }
        | Core::Cone { .. }
        | Core::Ellipsoid(_) => convex_triangle(&body.convex, t),
    }
}

/// Whether a ball, or a point as a ball without radius, and a triangle have a point in common. Exact.
pub(crate) fn ball_triangle(ball: &Sphere, t: &Triangle) -> bool {
    if ball.radius > 0.0 { sphere_triangle(ball, t) } else { point_triangle(ball.center, t) }
}

/// Whether a convex body and a triangle have a point in common, if that is certain.
pub(crate) fn convex_triangle(body: &PosedConvex, triangle: &Triangle) -> Option<bool> {
    let convex = Convex::new(core_of(triangle), 0.0);
    let triangle = PosedConvex::new(&convex, &Pose::IDENTITY);
    if let Some(pair) = PointRound::new(body, &triangle) {
        return pair.meet();
    }
    let difference = Difference::new(*body, triangle);
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

/// Whether the points at most `radius` from a segment reach a triangle; the segment alone for 0. Exact.
pub(crate) fn round_segment_triangle(axis: &Segment, radius: f64, triangle: &Triangle) -> bool {
    if radius > 0.0 { capsule_triangle(axis, radius, triangle) } else { segment_triangle(axis, triangle) }
}
