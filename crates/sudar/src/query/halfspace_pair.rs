//! Half-spaces against everything else.

use glam::DVec3;

use super::posed::{PosedBody, PosedSurface};
use crate::convex::{Core, PosedConvex};
use crate::math::Interval;
use crate::pair::{point_halfspace, sphere_halfspace, triangle_halfspace};
use crate::shape::{Halfspace, Sphere};

/// The first triangle that has a point in the half-space. Exact.
pub(super) fn mesh_halfspace(mesh: &PosedSurface, halfspace: &Halfspace) -> Option<u32> {
    (0..mesh.count()).find(|&i| triangle_halfspace(&mesh.triangle(i), halfspace))
}

/// Whether a convex body has a point in the half-space. Exact for polytopes, balls and capsules; `None` where rounding
/// hides it.
pub(super) fn convex_halfspace(body: &PosedBody, halfspace: &Halfspace) -> Option<bool> {
    let convex = &body.convex;
    let (margin, pose) = (convex.convex().margin(), convex.pose());
    let inside = |p: DVec3| {
        let point = pose.apply(p);
        if margin > 0.0 {
            sphere_halfspace(&Sphere { center: point, radius: margin }, halfspace)
        } else {
            point_halfspace(point, halfspace)
        }
    };
    match convex.convex().core() {
        Core::Point(p) => Some(inside(*p)),
        Core::Segment(ends) => Some(ends.iter().any(|&p| inside(p))),
        Core::Triangle(corners) => Some(corners.iter().any(|&p| inside(p))),
        Core::Cuboid(_, polytope) | Core::Polytope(polytope) => {
            Some(match height(convex, halfspace).height {
                Interval { lower, .. } if lower > 0.0 => false,
                Interval { upper, .. } if upper < 0.0 => true,
                Interval { .. } => polytope.hull().vertices().iter().any(|&p| inside(p)),
            })
        }
        Core::Cylinder { .. } | Core::Cone { .. } | Core::Ellipsoid(_) => {
            match height(convex, halfspace).height {
                Interval { lower, .. } if lower > 0.0 => Some(false),
                Interval { upper, .. } if upper <= 0.0 => Some(true),
                Interval { .. } => None,
            }
        }
    }
}

/// How high above the plane of a half-space a convex body reaches down.
pub(super) struct Lowest {
    /// Height of the lowest point above the plane, negative inside.
    pub height: Interval,
    /// The lowest point.
    pub point: DVec3,
    /// Unit normal of the half-space.
    pub normal: DVec3,
}

/// The point of a convex body lowest above a half-space.
pub(super) fn height(convex: &PosedConvex, halfspace: &Halfspace) -> Lowest {
    let (normal, offset) = unit(halfspace);
    let margin = convex.convex().margin();
    let deepest = convex.support(-normal).offset;
    let center = normal.dot(convex.center());
    let height = ((center - offset) + normal.dot(deepest)) - margin;
    // Each product and sum is off by half an ulp of a number below these.
    let far = convex.center().abs().element_sum() + offset.abs() + convex.convex().radius() + margin;
    let doubt = convex.slack() + 8.0 * f64::EPSILON * far;
    let point = (convex.center() + deepest) - normal * margin;
    Lowest { height: Interval::point(height).widened(doubt), point, normal }
}

/// The corner of a mesh lowest above a half-space.
pub(super) fn lowest_of_mesh(mesh: &PosedSurface, halfspace: &Halfspace) -> Lowest {
    let (normal, offset) = unit(halfspace);
    let corners = (0..mesh.count()).flat_map(|i| mesh.triangle(i).corners());
    let lower = |low: (f64, DVec3), p: DVec3| if normal.dot(p) < low.0 { (normal.dot(p), p) } else { low };
    let (height, point) = corners.fold((f64::INFINITY, DVec3::ZERO), lower);
    let doubt = 8.0 * f64::EPSILON * (2.0 * mesh.reach() + offset.abs());
    Lowest { height: Interval::point(height - offset).widened(doubt), point, normal }
}

/// The unit normal, and the height of the plane along it.
pub(super) fn unit(halfspace: &Halfspace) -> (DVec3, f64) {
    let size = halfspace.normal.abs().max_element();
    let scaled = halfspace.normal / size;
    let length = scaled.length();
    (scaled / length, halfspace.offset / size / length)
}
