//! Is a point inside a body?

use glam::DVec3;
use thiserror::Error;

use super::Body;
use super::posed::Posed;
use crate::math::Pose;
use crate::pair::{point_halfspace, sphere_point};
use crate::shape::Shape;

/// The body has no inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "a mesh, triangle, segment or point has no inside; use a solid (a closed mesh), box, sphere or halfspace"
)]
pub struct NotSolid;

/// Whether the point is inside the posed body or on its surface. Exact: for closed meshes by parity of crossings
/// of the posed triangles. Expected cost O(log n + number of triangles on a line).
///
/// # Errors
/// [`NotSolid`] for bodies without an inside.
pub fn contains(a: &Body, pose: &Pose, point: DVec3) -> Result<bool, NotSolid> {
    match a.shape() {
        Shape::Mesh(_) | Shape::Triangle(_) | Shape::Segment(_) | Shape::Point(_) => return Err(NotSolid),
        _ => {}
    }
    Ok(match Posed::new(a, pose) {
        Posed::Flat(surface) => surface.encloses(point),
        Posed::Ball(ball) => sphere_point(&ball, point),
        Posed::Halfspace(halfspace) => point_halfspace(point, &halfspace),
    })
}
