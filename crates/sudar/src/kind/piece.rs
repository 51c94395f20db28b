//! Smooth pieces of the boundary of a convex body: where a support point moves as the direction turns.
//!
//! The boundary of a box, a cylinder or a cone is made of corners, edges, rims, sides and flat faces; that of an
//! ellipsoid is one smooth piece. A corner or a rim is farthest in an open set of directions, an edge or the straight
//! line on a side in those of one circle, a flat face along its normal alone.

use glam::DVec3;

/// A piece of the boundary.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece {
    /// A vertex, or the apex of a cone, in the world as seen from the centre.
    Corner(DVec3),
    /// The points `middle + t·half` for t from −1 to 1, in the world as seen from the centre.
    Edge { middle: DVec3, half: DVec3 },
    /// A triangle between three vertices of a polytope, in the world as seen from the centre.
    Triangle([DVec3; 3]),
    /// The circle of this radius at this height on the axis of a cylinder or cone.
    Rim { radius: f64, z: f64 },
    /// The straight lines from rim to rim of a cylinder.
    Wall { radius: f64, half_length: f64 },
    /// The straight lines from the rim of a cone to its apex.
    Slope { radius: f64, half_length: f64 },
    /// The disc of a cylinder or cone.
    Disc { radius: f64, z: f64 },
    /// The face of a box across an axis, on the side of this sign.
    Face { half: DVec3, axis: usize, sign: f64 },
    /// All of an ellipsoid.
    Ellipsoid(DVec3),
}

impl Piece {
    /// The height along the axis of the normals on the side of a cone.
    #[inline]
    pub(crate) fn rise(radius: f64, half_length: f64) -> f64 {
        let height = 2.0 * half_length;
        radius / (radius * radius + height * height).sqrt()
    }
}
