//! Whether balls, capsules and half-spaces are within a tolerance, where the interval of their distance holds it: by
//! comparing squares exactly.

use std::ops::ControlFlow;

use glam::DVec3;

use super::halfspace::{unit, visit_low};
use super::sphere_capsule::Slender;
use crate::effort::Meter;
use crate::pair::{capsules_within, sphere_halfspace_within};
use crate::query::bodies::{PosedBody, PosedSurface, STOP};
use crate::shape::{Aabb, Halfspace, Sphere};

/// The box around all that is at most `tolerance` away, rounded outward.
fn around(body: &Slender, tolerance: f64) -> Aabb {
    let core = Aabb::around([body.axis.a, body.axis.b]);
    let reach = body.radius + tolerance;
    core.grown(reach + 4.0 * f64::EPSILON * (reach + core.reach()))
}

/// Whether two convex bodies that are not known to meet are at most `tolerance ≥ 0` apart. Exact; `None` for
/// cylinders, cones and ellipsoids, for two bodies with flat faces, and where the meter stopped it.
pub(crate) fn convexes_within(
    a: &PosedBody,
    b: &PosedBody,
    tolerance: f64,
    meter: &mut Meter,
) -> Option<bool> {
    match (Slender::of(&a.convex), Slender::of(&b.convex)) {
        (Some(p), Some(q)) => Some(capsules_within((&p.axis, p.radius), (&q.axis, q.radius), tolerance)),
        (Some(p), None) => on_surface(&b.surface()?, &p, tolerance, meter),
        (None, Some(q)) => on_surface(&a.surface()?, &q, tolerance, meter),
        (None, None) => None,
    }
}

/// The same of a mesh and a half-space.
pub(crate) fn mesh_over(
    mesh: &PosedSurface,
    h: &Halfspace,
    tolerance: f64,
    meter: &mut Meter,
) -> Option<bool> {
    let (normal, offset) = unit(h);
    let upper = offset + tolerance;
    // The unit normal and the height are rounded.
    let upper = upper + 16.0 * f64::EPSILON * (offset.abs() + tolerance);
    let mut is_within = false;
    visit_low(mesh, normal, upper, meter, |i| {
        is_within = mesh.triangle(i).corners().into_iter().any(|p| above(p, 0.0, h, tolerance));
        if is_within { STOP } else { upper }
    });
    (is_within || !meter.is_stopped()).then_some(is_within)
}

fn on_surface(surface: &PosedSurface, body: &Slender, tolerance: f64, meter: &mut Meter) -> Option<bool> {
    let mut is_within = false;
    surface.view().visit_box(&around(body, tolerance), meter, |i| {
        is_within = body.is_within(&surface.triangle(i), tolerance);
        if is_within { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (is_within || !meter.is_stopped()).then_some(is_within)
}

/// The same of a convex body and a half-space.
pub(crate) fn convex_over(body: &PosedBody, halfspace: &Halfspace, tolerance: f64) -> Option<bool> {
    let (convex, pose) = (body.convex.convex(), body.convex.pose());
    let is_low = |&p: &DVec3| above(pose.apply(p), convex.margin(), halfspace, tolerance);
    convex.core().points().map(|points| points.iter().any(is_low))
}

fn above(center: DVec3, radius: f64, halfspace: &Halfspace, tolerance: f64) -> bool {
    sphere_halfspace_within(&Sphere { center, radius }, halfspace, tolerance)
}
