//! Round cones.

use super::{ShapeError, checked_length};

/// Cone: the points of the body's frame with `|z| ≤ half_length` and
/// `√(x² + y²) ≤ radius·(half_length − z)/(2·half_length)`: the apex is at `z = +half_length`, the base disc
/// at `z = −half_length`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cone {
    /// Radius of the base, positive.
    pub radius: f64,
    /// Half the height, positive.
    pub half_length: f64,
}

impl Cone {
    /// A cone along z.
    ///
    /// # Errors
    /// [`ShapeError::NotFinite`], [`ShapeError::TooLarge`] beyond 1e90, [`ShapeError::NotPositive`].
    pub fn new(radius: f64, half_length: f64) -> Result<Self, ShapeError> {
        Ok(Self {
            radius: checked_length(radius, "a cone's radius")?,
            half_length: checked_length(half_length, "a cone's half length")?,
        })
    }
}
