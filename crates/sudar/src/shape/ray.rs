//! Rays.

use glam::DVec3;

use super::{ShapeError, checked};

/// Ray: the points `origin + t·direction`, `t ≥ 0`. The direction is not of unit length unless you make it so:
/// every `t` reported is in units of its length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Start.
    pub origin: DVec3,
    /// Direction, not zero.
    pub direction: DVec3,
}

impl Ray {
    /// A ray from its start and a direction of any length but zero.
    ///
    /// # Errors
    /// [`ShapeError::NotFinite`], [`ShapeError::TooLarge`] beyond 1e90, [`ShapeError::ZeroVector`].
    pub fn new(origin: DVec3, direction: DVec3) -> Result<Self, ShapeError> {
        checked(origin, "the origin of a ray")?;
        checked(direction, "the direction of a ray")?;
        if direction == DVec3::ZERO {
            return Err(ShapeError::ZeroVector { what: "the direction of a ray" });
        }
        Ok(Self { origin, direction })
    }

    /// The point at `t`, rounded.
    pub fn at(&self, t: f64) -> DVec3 {
        self.origin + self.direction * t
    }
}
