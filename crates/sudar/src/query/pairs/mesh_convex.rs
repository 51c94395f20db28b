//! A mesh or solid against a convex body, through the tree of the mesh.

use glam::{DMat3, DVec3};

use super::meeting::meet;
use super::sphere_capsule::axis;
use super::triangle_convex::triangle_within;
use crate::convex::{Core, PosedConvex};
use crate::effort::Meter;
use crate::kind::Profile;
use crate::math::{length, unit};
use crate::query::answer::{Intersection, StopReason};
use crate::query::bodies::{PosedBody, PosedSurface};
use crate::shape::Segment;
use crate::tree::Around;

/// Where a mesh or solid meets a convex body: a triangle of it, 0 if it is a solid with the body inside.
///
/// Exact for balls, capsules and polytopes; unknown where a cylinder, cone or ellipsoid touches within rounding.
pub(crate) fn mesh_convex(mesh: &PosedSurface, body: &PosedBody, meter: &mut Meter) -> Intersection {
    let core = body.convex.convex().core();
    if core.has_faces() {
        return match body.surface() {
            Some(surface) => meet(mesh, &surface, meter).named(|[i, _]| [i, 0]),
            None => Intersection::Undecided(StopReason::Precision),
        };
    }
    let (hit, unknown) = first_met(mesh, body, 0.0, meter).unwrap_or((None, true));
    answer(mesh, body.convex.center(), hit, unknown, meter)
}

/// What is known when triangles have been tested. A body that meets none is inside as a whole, or outside.
fn answer(
    mesh: &PosedSurface,
    center: DVec3,
    hit: Option<u32>,
    unknown: bool,
    meter: &mut Meter,
) -> Intersection {
    if let Some(i) = hit {
        return Intersection::Touching { features: [i, 0] };
    }
    match mesh.encloses_metered(center, meter) {
        Some(true) => Intersection::Touching { features: [0, 0] },
        None | Some(false) if meter.is_stopped() => Intersection::Undecided(StopReason::Budget),
        None | Some(false) if unknown => Intersection::Undecided(StopReason::Precision),
        None | Some(false) => Intersection::Apart,
    }
}

/// The first triangle found that a body meets, or of a ball or capsule is at most `tolerance` away, and whether others
/// may touch it; `None` for a body that is not of simple form.
pub(crate) fn first_met(
    mesh: &PosedSurface,
    body: &PosedBody,
    tolerance: f64,
    meter: &mut Meter,
) -> Option<(Option<u32>, bool)> {
    let form = if body.convex.convex().core().is_point() { None } else { Some(form(&body.convex)?) };
    let margin = body.convex.convex().margin();
    let reach = if tolerance == 0.0 { margin } else { (margin + tolerance).next_up() };
    let (mut hit, mut unknown) = (None, false);
    let mut look = |i: u32| {
        match triangle_within(&mesh.triangle(i), body, tolerance) {
            Some(true) => {
                hit = Some(i);
                return -1.0;
            }
            Some(false) => {}
            None => unknown = true,
        }
        reach
    };
    match form {
        None => mesh.view().visit_nearest(body.convex.center(), reach, meter, look),
        Some(form) => mesh.view().visit_around(&form, reach, meter, |i, _| look(i)),
    };
    Some((hit, unknown))
}

/// The core of a body as a tree sees it, the margin left aside; `None` for other bodies.
pub(crate) fn form(convex: &PosedConvex) -> Option<Around> {
    let axes = convex.pose().rotation();
    let posed = |profile| Around { center: convex.center(), axes, profile, points: Vec::new() };
    match convex.convex().core() {
        Core::Point(_) => Some(posed(Profile::segment(0.0))),
        Core::Segment(ends) => Some(around_segment(&axis(convex, *ends))),
        Core::Round(round) => Some(posed(round.into())),
        Core::Triangle(_) | Core::Cuboid(..) | Core::Polytope(_) => None,
    }
}

fn around_segment(axis: &Segment) -> Around {
    let way = axis.b - axis.a;
    let z = unit(way).unwrap_or(DVec3::Z);
    let (x, y) = z.any_orthonormal_pair();
    let profile = Profile::segment(0.5 * length(way));
    Around { center: axis.a + way * 0.5, axes: DMat3::from_cols(x, y, z), profile, points: Vec::new() }
}
