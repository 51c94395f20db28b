//! Shapes that are asked in their own frame, for want of triangles.

use crate::shape::{Capsule, Cone, Cylinder, Ellipsoid, Shape};

/// A convex and bounded shape without flat faces to ask.
pub(super) enum Round<'a> {
    /// A ball, which needs no frame.
    Sphere,
    Capsule(&'a Capsule),
    Cylinder(&'a Cylinder),
    Cone(&'a Cone),
    Ellipsoid(&'a Ellipsoid),
}

impl<'a> Round<'a> {
    /// The shape if it is one.
    pub fn of(shape: &'a Shape) -> Option<Self> {
        match shape {
            Shape::Sphere(_) => Some(Self::Sphere),
            Shape::Capsule(c) => Some(Self::Capsule(c)),
            Shape::Cylinder(c) => Some(Self::Cylinder(c)),
            Shape::Cone(c) => Some(Self::Cone(c)),
            Shape::Ellipsoid(e) => Some(Self::Ellipsoid(e)),
            Shape::Mesh(_)
            | Shape::HeightField(_)
            | Shape::PointCloud(_)
            | Shape::Solid(_)
            | Shape::Triangle(_)
            | Shape::Segment(_)
            | Shape::Point(_)
            | Shape::Cuboid(_)
            | Shape::Hull(_)
            | Shape::Halfspace(_)
            | Shape::Compound(_) => None,
        }
    }
}
