//! Is a point inside a body?

use glam::DVec3;
use thiserror::Error;

use super::Body;
use super::convex_pair::{axis, ball};
use super::posed::{Posed, PosedBody, parts};
use super::round::Round;
use crate::effort::Meter;
use crate::math::Pose;
use crate::pair::{
    point_capsule, point_cone, point_cylinder, point_ellipsoid, point_halfspace, sphere_point,
};
use crate::shape::{Segment, Shape};

/// The body has no inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "a mesh, height field, point cloud, triangle, segment, point or flat hull has no inside; use a solid (a closed mesh), a primitive, a hull or a halfspace"
)]
pub struct NotSolid;

/// Whether the point is inside the posed body or on its surface. Exact: for closed meshes by parity of crossings
/// of the posed triangles; for cylinders, cones and ellipsoids it is the point brought into their frame, rounded, that is
/// asked for. Expected cost O(log n + number of triangles on a line).
///
/// # Errors
/// [`NotSolid`] for bodies without an inside, flat hulls and compounds with such a part among them.
pub fn contains(a: &Body, pose: &Pose, point: DVec3) -> Result<bool, NotSolid> {
    metered(a, pose, point, &mut Meter::unlimited()).map(|inside| inside == Some(true))
}

/// `None` if the meter stopped the search before it was known.
pub(super) fn metered(
    a: &Body,
    pose: &Pose,
    point: DVec3,
    meter: &mut Meter,
) -> Result<Option<bool>, NotSolid> {
    match a.shape() {
        Shape::Mesh(_)
        | Shape::HeightField(_)
        | Shape::PointCloud(_)
        | Shape::Triangle(_)
        | Shape::Segment(_)
        | Shape::Point(_) => return Err(NotSolid),
        Shape::Hull(hull) if hull.dimension() < 3 => return Err(NotSolid),
        Shape::Solid(_)
        | Shape::Cuboid(_)
        | Shape::Sphere(_)
        | Shape::Capsule(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Ellipsoid(_)
        | Shape::Hull(_)
        | Shape::Halfspace(_)
        | Shape::Compound(_) => {}
    }
    match Posed::new(a, pose) {
        Some(Posed::Mesh(surface)) => Ok(surface.encloses_metered(point, meter)),
        Some(Posed::Convex(convex)) => Ok(Some(in_convex(&convex, a.shape(), point))),
        Some(Posed::Halfspace(halfspace)) => Ok(Some(point_halfspace(point, &halfspace))),
        None => in_parts(a, pose, point, meter),
    }
}

/// In a compound if in any part; outside if outside of all.
fn in_parts(a: &Body, pose: &Pose, point: DVec3, meter: &mut Meter) -> Result<Option<bool>, NotSolid> {
    let (mut inside, mut known) = (false, true);
    for part in parts(a, pose) {
        let found = metered(part.body, &part.pose, point, meter)?;
        inside |= found == Some(true);
        known &= found.is_some();
    }
    Ok((inside || known).then_some(inside))
}

/// Round shapes are asked in their own frame, where the point is rounded once.
fn in_convex(body: &PosedBody, shape: &Shape, point: DVec3) -> bool {
    let there = || body.convex.pose().unapply(point);
    match Round::of(shape) {
        Some(Round::Sphere) => sphere_point(&ball(&body.convex), point),
        Some(Round::Capsule(c)) => {
            let Segment { a, b } = c.axis();
            point_capsule(point, &axis(&body.convex, [a, b]), c.radius)
        }
        Some(Round::Cylinder(c)) => point_cylinder(there(), c),
        Some(Round::Cone(c)) => point_cone(there(), c),
        Some(Round::Ellipsoid(e)) => point_ellipsoid(there(), e),
        None => body.surface().is_some_and(|s| s.encloses(point)),
    }
}
