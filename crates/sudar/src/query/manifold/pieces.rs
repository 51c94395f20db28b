//! Meshes triangle by triangle.

use std::ops::ControlFlow;

use glam::DVec3;

use super::regions::{Piece, regions};
use super::{Contact, of_convex};
use crate::convex::{Convex, Core, PosedConvex, manifold_on_wall};
use crate::effort::Meter;
use crate::math::Pose;
use crate::query::Body;
use crate::query::halfspace_pair::unit;
use crate::query::posed::{PosedBody, PosedSurface};
use crate::shape::{Halfspace, Triangle};
use crate::tree::{Bodies, visit_nearest_pairs};

/// What stands for the corners of a body that has no triangles.
const WHOLE: [DVec3; 3] = [DVec3::ZERO; 3];

/// The triangles within the margin of a convex body, each a body by itself.
pub(super) fn mesh_convex(
    (a, mesh): (&Body, &PosedSurface),
    body: &PosedBody,
    margin: f64,
    meter: &mut Meter,
) -> Vec<Contact> {
    let mut near = Vec::new();
    let region = body.aabb().grown(margin);
    mesh.view.visit_box(&region, meter, |i| {
        near.push(i);
        ControlFlow::Continue(())
    });
    near.sort_unstable();
    let piece = |i: u32| {
        let triangle = mesh.triangle(i);
        let manifold = with_triangle(&triangle, |t| of_convex(t, &body.convex, margin));
        Piece { features: [a.feature(i), 0], manifold, corners: [triangle.corners(), WHOLE] }
    };
    regions(afforded(near.into_iter(), meter).map(piece), slack(mesh))
}

/// The pairs of triangles within the margin of each other.
pub(super) fn mesh_mesh(
    (a, left): (&Body, &PosedSurface),
    (b, right): (&Body, &PosedSurface),
    margin: f64,
    meter: &mut Meter,
) -> Vec<Contact> {
    let near = near(left, right, margin, meter);
    let piece = |[i, j]: [u32; 2]| {
        let (t, u) = (left.triangle(i), right.triangle(j));
        let manifold = with_triangle(&t, |t| with_triangle(&u, |u| of_convex(t, u, margin)));
        Piece { features: [a.feature(i), b.feature(j)], manifold, corners: [t.corners(), u.corners()] }
    };
    regions(afforded(near.into_iter(), meter).map(piece), slack(left).max(slack(right)))
}

/// The pieces for which there is budget, a node each.
fn afforded<T>(pieces: impl Iterator<Item = T>, meter: &mut Meter) -> impl Iterator<Item = T> {
    pieces.take_while(|_| {
        let affordable = meter.spend(1).is_continue();
        meter.count_triangles(u64::from(affordable));
        affordable
    })
}

/// The pairs of triangles whose boxes are within the margin of each other, in order.
fn near(a: &PosedSurface, b: &PosedSurface, margin: f64, meter: &mut Meter) -> Vec<[u32; 2]> {
    let bodies = Bodies { a: &a.surface.tree, pose_a: a.pose, b: &b.surface.tree, pose_b: b.pose };
    let mut pairs = Vec::new();
    visit_nearest_pairs(&bodies, margin, meter, |ours, theirs| {
        for &i in ours {
            let grown = a.triangle(i).aabb().grown(margin);
            let meets = |j: &u32| crate::pair::aabb_aabb(&grown, &b.triangle(*j).aabb());
            pairs.extend(theirs.iter().copied().filter(meets).map(|j| [i, j]));
        }
        margin
    });
    pairs.sort_unstable();
    pairs
}

/// The triangles that reach down to the plane or to the margin above it.
pub(super) fn mesh_halfspace(
    (a, mesh): (&Body, &PosedSurface),
    wall: &Halfspace,
    margin: f64,
    meter: &mut Meter,
) -> Vec<Contact> {
    let (normal, offset) = unit(wall);
    let piece = |i: u32| {
        let triangle = mesh.triangle(i);
        let manifold = with_triangle(&triangle, |t| manifold_on_wall(t, normal, offset, margin));
        Piece { features: [a.feature(i), 0], manifold, corners: [triangle.corners(), WHOLE] }
    };
    // All triangles are asked, eight for a node.
    let asked = (0..mesh.count()).take_while(|i| i % 8 > 0 || meter.spend(1).is_continue());
    regions(asked.map(piece), slack(mesh))
}

fn with_triangle<T>(triangle: &Triangle, ask: impl FnOnce(&PosedConvex) -> T) -> T {
    let convex = Convex::new(Core::Triangle(triangle.corners()), 0.0);
    ask(&PosedConvex::new(&convex, &Pose::IDENTITY))
}

/// Bound on the rounding of points of contact.
fn slack(mesh: &PosedSurface) -> f64 {
    64.0 * f64::EPSILON * mesh.reach()
}
