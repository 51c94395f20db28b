//! Round cylinders.

use super::{ShapeError, checked_length};

/// Cylinder along z: the points with `x² + y² ≤ radius²` and `|z| ≤ half_length` in the body's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder {
    /// Radius, positive.
    pub radius: f64,
    /// Half the length of the axis, positive.
    pub half_length: f64,
}

impl Cylinder {
    /// A cylinder along z.
    ///
    /// # Errors
    /// [`ShapeError::NotFinite`], [`ShapeError::TooLarge`] beyond 1e90, [`ShapeError::NotPositive`].
    pub fn new(radius: f64, half_length: f64) -> Result<Self, ShapeError> {
        Ok(Self {
            radius: checked_length(radius, "a cylinder's radius")?,
            half_length: checked_length(half_length, "a cylinder's half length")?,
        })
    }
}
