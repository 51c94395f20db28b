//! Ellipsoids.

use glam::DVec3;

use super::{ShapeError, checked_length};

/// Ellipsoid: the points of the body's frame with `(x/a)² + (y/b)² + (z/c)² ≤ 1`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipsoid {
    /// The semi-axes `a`, `b`, `c`, positive.
    pub radii: DVec3,
}

impl Ellipsoid {
    /// An ellipsoid from its semi-axes.
    ///
    /// # Errors
    /// [`ShapeError::NotFinite`], [`ShapeError::TooLarge`] beyond 1e90, [`ShapeError::NotPositive`].
    pub fn new(radii: DVec3) -> Result<Self, ShapeError> {
        for axis in 0..3 {
            checked_length(radii[axis], "an ellipsoid's semi-axis")?;
        }
        Ok(Self { radii })
    }
}
