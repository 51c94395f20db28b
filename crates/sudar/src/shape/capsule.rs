//! Balls swept along a segment.

use glam::DVec3;

use super::{Segment, ShapeError, checked_length};

/// Capsule: the points at most `radius` from the segment between `−half_length` and `+half_length` on the z axis of the
/// body's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule {
    /// Radius, positive.
    pub radius: f64,
    /// Half the length of the axis without the round ends, positive.
    pub half_length: f64,
}

impl Capsule {
    /// A capsule along z.
    ///
    /// # Errors
    /// [`ShapeError::NotFinite`], [`ShapeError::TooLarge`] beyond 1e90, [`ShapeError::NotPositive`].
    pub fn new(radius: f64, half_length: f64) -> Result<Self, ShapeError> {
        Ok(Self {
            radius: checked_length(radius, "a capsule's radius")?,
            half_length: checked_length(half_length, "a capsule's half length")?,
        })
    }

    /// The segment from the lower centre to the upper.
    pub fn axis(&self) -> Segment {
        Segment { a: DVec3::new(0.0, 0.0, -self.half_length), b: DVec3::new(0.0, 0.0, self.half_length) }
    }
}
