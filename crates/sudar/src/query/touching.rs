//! The triangles of a body that another body touches.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::Body;
use super::contacts;
use super::convex_pair::ball;
use super::mesh_convex::{ball_triangle, triangle_meets};
use super::posed::{Posed, PosedBody, PosedSurface, parts};
use crate::convex::Core;
use crate::effort::{Meter, Partial};
use crate::math::Pose;
use crate::pair::triangle_halfspace;
use crate::shape::Halfspace;

/// The triangles of `a`, by their numbers in [`Body::mesh`] and in order, that have a point in common with `b`; if `b` is
/// full, also those that lie inside it.
///
/// For a ball, what ColDet calls its sphere collision with the list of triangles hit; here for every shape `b`. Exact for balls,
/// capsules, flat faces and half-spaces; of cylinders, cones and ellipsoids those triangles are listed too of which `f64`
/// cannot tell whether they touch, see [`Doubt::Precision`](super::Doubt::Precision). Empty if `a` has no triangles of its
/// own: round bodies, half-spaces, compounds. Expected cost O(log n) and what is near; half-spaces look at all triangles.
///
/// ```
/// use sudar::query::{Body, triangles_touching};
/// use sudar::{Aabb, DVec3, Mesh, Pose, Sphere};
///
/// let cube = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
/// let ball = Body::new(Sphere::new(DVec3::new(0.75, 0.25, 1.5), 0.5)?);
/// // It touches the upper face, z = 1, of triangles 10 and 11, in a point of the first.
/// assert_eq!(triangles_touching(&cube, &Pose::IDENTITY, &ball, &Pose::IDENTITY), [10]);
/// # Ok::<(), sudar::ShapeError>(())
/// ```
pub fn triangles_touching(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> Vec<u32> {
    metered(a, pose_a, b, pose_b, &mut Meter::unlimited()).found
}

/// If the meter stops the search, triangles are missing; all that are listed touch.
pub(super) fn metered(
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
    meter: &mut Meter,
) -> Partial<Vec<u32>> {
    let mut list = BTreeSet::new();
    if let Some(surface) = a.surface() {
        let surface = PosedSurface::new(surface, pose_a);
        for part in parts(b, pose_b) {
            touched((a, &surface), part.body, &part.pose, &mut list, meter);
        }
    }
    Partial { found: list.into_iter().collect(), complete: !meter.is_stopped() }
}

fn touched(
    (a, surface): (&Body, &PosedSurface),
    b: &Body,
    pose_b: &Pose,
    list: &mut BTreeSet<u32>,
    meter: &mut Meter,
) {
    match Posed::new(b, pose_b) {
        Some(Posed::Mesh(_)) => by_contacts((a, surface), b, pose_b, list, meter),
        Some(Posed::Convex(body)) => match body.convex.convex().core() {
            Core::Point(_) => by_ball(surface, &body, list, meter),
            Core::Segment(_) | Core::Cylinder { .. } | Core::Cone { .. } | Core::Ellipsoid(_) => {
                by_box(surface, &body, list, meter);
            }
            Core::Triangle(_) | Core::Cuboid(..) | Core::Polytope(_) => {
                by_contacts((a, surface), b, pose_b, list, meter);
            }
        },
        Some(Posed::Halfspace(h)) => {
            by_plane(surface, &h, list, meter);
        }
        None => {}
    }
}

/// One triangle after the other; eight cost as much as a node.
fn by_plane(surface: &PosedSurface, h: &Halfspace, list: &mut BTreeSet<u32>, meter: &mut Meter) {
    let all = 0..surface.count();
    for from in all.clone().step_by(8) {
        if meter.spend(1).is_break() {
            return;
        }
        let eight = from..all.end.min(from + 8);
        meter.count_triangles(eight.len() as u64);
        list.extend(eight.filter(|&i| triangle_halfspace(&surface.triangle(i), h)));
    }
}

fn by_ball(surface: &PosedSurface, body: &PosedBody, list: &mut BTreeSet<u32>, meter: &mut Meter) {
    let ball = ball(&body.convex);
    surface.view.visit_nearest(ball.center, ball.radius, meter, |i| {
        if ball_triangle(&ball, &surface.triangle(i)) {
            list.insert(i);
        }
        ball.radius
    });
}

fn by_box(surface: &PosedSurface, body: &PosedBody, list: &mut BTreeSet<u32>, meter: &mut Meter) {
    surface.view.visit_box(&body.aabb(), meter, |i| {
        if triangle_meets(&surface.triangle(i), body) != Some(false) {
            list.insert(i);
        }
        ControlFlow::Continue(())
    });
}

/// Triangles that meet a triangle of the other body, and of those that do not the ones inside it.
fn by_contacts(
    (a, surface): (&Body, &PosedSurface),
    b: &Body,
    pose_b: &Pose,
    list: &mut BTreeSet<u32>,
    meter: &mut Meter,
) {
    let pairs = contacts::metered(a, surface.pose, b, pose_b, meter).found;
    list.extend(pairs.into_iter().map(|[i, _]| i));
    let Some(other) = b.surface().map(|other| PosedSurface::new(other, pose_b)) else { return };
    if other.surface.solid.is_none() {
        return;
    }
    let mut near = Vec::new();
    surface.view.visit_box(&b.aabb(pose_b), meter, |i| {
        near.push(i);
        ControlFlow::Continue(())
    });
    for i in near {
        if meter.is_stopped() {
            return;
        }
        if !list.contains(&i) && other.encloses_metered(surface.triangle(i).a, meter) == Some(true) {
            list.insert(i);
        }
    }
}
