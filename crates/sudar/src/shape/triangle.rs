//! Triangles.

use glam::DVec3;

use super::{Aabb, ShapeError, checked};
use crate::math::Pose;

/// Triangle: the convex hull of three points. Zero area is allowed: it then is the segment or point that it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Triangle {
    /// First corner.
    pub a: DVec3,
    /// Second corner.
    pub b: DVec3,
    /// Third corner.
    pub c: DVec3,
}

impl Triangle {
    /// The triangle with corners `a`, `b`, `c`, counter-clockwise when seen from outside.
    ///
    /// # Errors
    /// [`ShapeError::NotFinite`], [`ShapeError::TooLarge`] beyond 1e90.
    pub fn new(a: DVec3, b: DVec3, c: DVec3) -> Result<Self, ShapeError> {
        let corner = |p| checked(p, "a triangle's corner");
        Ok(Self { a: corner(a)?, b: corner(b)?, c: corner(c)? })
    }

    /// The three corners.
    #[inline]
    pub fn corners(&self) -> [DVec3; 3] {
        [self.a, self.b, self.c]
    }

    /// Its image under a pose.
    #[inline(always)]
    pub(crate) fn posed(&self, pose: &Pose) -> Self {
        Self { a: pose.apply(self.a), b: pose.apply(self.b), c: pose.apply(self.c) }
    }

    /// The smallest box around it. Exact.
    #[inline]
    pub fn aabb(&self) -> Aabb {
        Aabb { min: self.a.min(self.b).min(self.c), max: self.a.max(self.b).max(self.c) }
    }

    /// `(b − a)×(c − a)`, rounded: normal to the triangle, twice its area long.
    #[inline]
    pub fn scaled_normal(&self) -> DVec3 {
        (self.b - self.a).cross(self.c - self.a)
    }
}

impl From<[DVec3; 3]> for Triangle {
    /// A triangle from corners already known to be finite.
    fn from([a, b, c]: [DVec3; 3]) -> Self {
        Self { a, b, c }
    }
}
