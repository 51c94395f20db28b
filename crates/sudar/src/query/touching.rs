//! The triangles of a body that another body touches.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::bodies::{Placed, Posed, PosedBody, PosedSurface, visit_pairs};
use super::pairs::halfspace::visit_low;
use super::pairs::meeting::all_hits;
use super::pairs::sphere_capsule::{ball, ball_triangle};
use super::pairs::triangle_convex::triangle_meets;
use crate::effort::{Meter, Partial};
use crate::pair::triangle_halfspace;
use crate::shape::Halfspace;

/// The triangles of `a`, by their numbers in [`Body::mesh`](super::Body::mesh) and in order, that have a
/// point in common with `b`; if `b` is full, also those that lie inside it.
///
/// For a ball, what ColDet calls its sphere collision with the list of triangles hit; here for every shape
/// `b`. Exact for balls, capsules, flat faces and half-spaces; of cylinders, cones and ellipsoids those
/// triangles are listed too of which `f64` cannot tell whether they touch, see
/// [`StopReason::Precision`](super::StopReason::Precision). Empty if `a` has no triangles of its own: round
/// bodies, half-spaces, compounds. Expected cost O(log n) and what is near.
///
/// ```
/// use sudar::query::{Body, triangles_touching};
/// use sudar::{Aabb, DVec3, Mesh, Pose, Sphere};
///
/// let cube = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
/// let ball = Body::new(Sphere::new(DVec3::new(0.75, 0.25, 1.5), 0.5)?);
/// // It touches the upper face, z = 1, of triangles 10 and 11, in a point of the first.
/// assert_eq!(triangles_touching(cube.at(&Pose::IDENTITY), ball.at(&Pose::IDENTITY)), [10]);
/// # Ok::<(), sudar::ShapeError>(())
/// ```
pub fn triangles_touching(a: Placed, b: Placed) -> Vec<u32> {
    metered(a, b, &mut Meter::unlimited()).found
}

/// If the meter stops the search, triangles are missing; all that are listed touch.
pub(super) fn metered(a: Placed, b: Placed, meter: &mut Meter) -> Partial<Vec<u32>> {
    let mut list = BTreeSet::new();
    if let Some(surface) = a.surface() {
        visit_pairs([a, b], 0.0, meter, |[_, part], meter| {
            touched(&surface, part.at(), &mut list, meter);
            0.0
        });
    }
    Partial { found: list.into_iter().collect(), complete: !meter.is_stopped() }
}

fn touched(surface: &PosedSurface, b: Placed, list: &mut BTreeSet<u32>, meter: &mut Meter) {
    match b.form() {
        Posed::Mesh(other) => by_contacts(surface, &other, list, meter),
        Posed::Convex(body) if body.convex.convex().core().has_faces() => {
            if let Some(other) = body.surface() {
                by_contacts(surface, &other, list, meter);
            }
        }
        Posed::Convex(body) if body.convex.convex().core().is_point() => by_ball(surface, &body, list, meter),
        Posed::Convex(body) => by_box(surface, &body, list, meter),
        Posed::Halfspace(h) => by_plane(surface, &h, list, meter),
        Posed::Compound => {}
    }
}

fn by_plane(surface: &PosedSurface, h: &Halfspace, list: &mut BTreeSet<u32>, meter: &mut Meter) {
    visit_low(surface, h.normal, h.offset, meter, |i| {
        list.extend(triangle_halfspace(&surface.triangle(i), h).then_some(i));
        h.offset
    });
}

fn by_ball(surface: &PosedSurface, body: &PosedBody, list: &mut BTreeSet<u32>, meter: &mut Meter) {
    let ball = ball(&body.convex);
    surface.view().visit_nearest(ball.center, ball.radius, meter, |i| {
        if ball_triangle(&ball, &surface.triangle(i)) {
            list.insert(i);
        }
        ball.radius
    });
}

fn by_box(surface: &PosedSurface, body: &PosedBody, list: &mut BTreeSet<u32>, meter: &mut Meter) {
    surface.view().visit_box(&body.aabb(), meter, |i| {
        if triangle_meets(&surface.triangle(i), body) != Some(false) {
            list.insert(i);
        }
        ControlFlow::Continue(())
    });
}

/// Triangles that meet a triangle of the other body, and of those that do not the ones inside it.
fn by_contacts(surface: &PosedSurface, other: &PosedSurface, list: &mut BTreeSet<u32>, meter: &mut Meter) {
    list.extend(all_hits(surface, other, meter).into_iter().map(|[i, _]| i));
    if other.surface.solid.is_none() {
        return;
    }
    for i in surface.in_box(&other.aabb(), meter) {
        if meter.is_stopped() {
            return;
        }
        if !list.contains(&i) && other.encloses_metered(surface.triangle(i).a, meter) == Some(true) {
            list.insert(i);
        }
    }
}
