//! Segments.

use glam::DVec3;

use super::{ShapeError, checked};

/// Line segment: the points between two ends, both included; the ends may coincide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// One end.
    pub a: DVec3,
    /// The other end.
    pub b: DVec3,
}

impl Segment {
    /// The segment from `a` to `b`.
    ///
    /// # Errors
    /// [`ShapeError::NotFinite`], [`ShapeError::TooLarge`] beyond 1e90.
    pub fn new(a: DVec3, b: DVec3) -> Result<Self, ShapeError> {
        Ok(Self { a: checked(a, "a segment's end")?, b: checked(b, "a segment's end")? })
    }

    /// The point `a + t(b − a)`, rounded; the ends exactly for `t` = 0 and 1.
    pub fn at(&self, t: f64) -> DVec3 {
        if t == 1.0 { self.b } else { self.a + (self.b - self.a) * t }
    }
}
