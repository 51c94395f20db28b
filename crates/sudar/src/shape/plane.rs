//! Oriented planes.

use glam::DVec3;

/// Plane: the points `p` with `normal·p = offset`. The normal need not be of unit length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    /// Direction of the positive side.
    pub normal: DVec3,
    /// Value of `normal·p` on the plane.
    pub offset: f64,
}

impl Plane {
    /// The plane through `a`, `b`, `c`, seen counter-clockwise from its positive side, with a normal of twice
    /// the triangle's area; rounded. Collinear points give a zero normal.
    pub fn through(a: DVec3, b: DVec3, c: DVec3) -> Self {
        let normal = (b - a).cross(c - a);
        Self { normal, offset: normal.dot(a) }
    }

    /// `normal·p − offset`, rounded: the signed distance times the length of the normal.
    pub fn value(self, p: DVec3) -> f64 {
        self.normal.dot(p) - self.offset
    }
}
