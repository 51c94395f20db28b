//! A mesh or solid against a convex body, through the tree of the mesh.

use super::convex_pair::{axis, ball, certainly, expanded};
use super::intersects::{Doubt, Meeting, mesh_mesh};
use super::point_round::PointRound;
use super::posed::{PosedBody, PosedSurface};
use crate::convex::{Convex, Core, Difference, GjkMemory, GjkOptions, PosedConvex, gjk};
use crate::effort::Meter;
use crate::math::Pose;
use crate::pair::{capsule_triangle, point_triangle, segment_triangle, sphere_triangle};
use crate::shape::{Segment, Sphere, Triangle};

/// Where a mesh or solid meets a convex body: a triangle of it, 0 if it is a solid with the body inside.
///
/// Exact for balls, capsules and polytopes; unknown where a cylinder, cone or ellipsoid touches within rounding.
pub(super) fn mesh_convex(mesh: &PosedSurface, body: &PosedBody, meter: &mut Meter) -> Meeting {
    match body.convex.convex().core() {
        Core::Point(_) => near_ball(mesh, &ball(&body.convex)),
        Core::Segment(ends) => near(mesh, body, &|t| {
            Some(round_segment_triangle(&axis(&body.convex, *ends), body.convex.convex().margin(), t))
        }),
        Core::Triangle(_) | Core::Cuboid(..) | Core::Polytope(_) => match body.surface() {
            Some(surface) => mesh_mesh(mesh, &surface, meter).of_first(),
            None => Meeting::Unknown(Doubt::Precision),
        },
        Core::Cylinder { .. } | Core::Cone { .. } | Core::Ellipsoid(_) => {
            near(mesh, body, &|t| convex_triangle(&body.convex, t))
        }
    }
}

fn near_ball(mesh: &PosedSurface, ball: &Sphere) -> Meeting {
    let mut hit = None;
    let meets = |t: &Triangle| {
        if ball.radius > 0.0 { sphere_triangle(ball, t) } else { point_triangle(ball.center, t) }
    };
    mesh.view.visit_nearest(ball.center, ball.radius, |triangles| {
        hit = triangles.iter().copied().find(|&i| meets(&mesh.triangle(i)));
        if hit.is_some() { f64::NEG_INFINITY } else { ball.radius }
    });
    Meeting::at(hit.or_else(|| mesh.encloses(ball.center).then_some(0)))
}

/// Asks every triangle whose box meets that of the body. `meets` says whether a triangle does, if that is known.
fn near(mesh: &PosedSurface, body: &PosedBody, meets: &dyn Fn(&Triangle) -> Option<bool>) -> Meeting {
    let (mut hit, mut unknown) = (None, false);
    mesh.view.visit_box(&body.aabb(), |triangles| {
        for &i in triangles {
            if hit.is_some() {
                return;
            }
            match meets(&mesh.triangle(i)) {
                Some(true) => hit = Some(i),
                Some(false) => {}
                None => unknown = true,
            }
        }
    });
    // A body that meets no triangle is inside as a whole, or outside.
    let inside = || mesh.encloses(body.convex.center()).then_some(0);
    match hit.or_else(inside) {
        Some(i) => Meeting::At([i, 0]),
        None if unknown => Meeting::Unknown(Doubt::Precision),
        None => Meeting::Never,
    }
}

/// Whether a convex body and a triangle have a point in common, if that is certain.
pub(super) fn convex_triangle(body: &PosedConvex, triangle: &Triangle) -> Option<bool> {
    let convex = Convex::new(core_of(triangle), 0.0);
    let triangle = PosedConvex::new(&convex, &Pose::IDENTITY);
    if let Some(pair) = PointRound::new(body, &triangle) {
        return pair.meet();
    }
    let difference = Difference::new(*body, triangle);
    let margin = difference.margin();
    let options = GjkOptions { beyond: margin, within: margin, ..GjkOptions::DISTANCE };
    let found = gjk(&difference, &GjkMemory::NONE, &options);
    certainly(&difference, &found).or_else(|| expanded(&difference, &found))
}

/// A triangle as the segment or point that it is if corners of it are equal.
fn core_of(&Triangle { a, b, c }: &Triangle) -> Core {
    match (a == b, b == c, c == a) {
        (true, true, _) => Core::Point(a),
        (true, false, _) => Core::Segment([b, c]),
        (false, true, _) | (false, false, true) => Core::Segment([a, b]),
        (false, false, false) => Core::Triangle([a, b, c]),
    }
}

/// Whether the points at most `radius` from a segment reach a triangle; the segment alone for 0. Exact.
pub(super) fn round_segment_triangle(axis: &Segment, radius: f64, triangle: &Triangle) -> bool {
    if radius > 0.0 { capsule_triangle(axis, radius, triangle) } else { segment_triangle(axis, triangle) }
}
