//! Balls.

use glam::DVec3;

use super::{ShapeError, checked, checked_length};

/// Solid ball: the points at most `radius` from `center`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sphere {
    /// Centre.
    pub center: DVec3,
    /// Radius, positive.
    pub radius: f64,
}

impl Sphere {
    /// A ball around `center`.
    ///
    /// # Errors
    /// [`ShapeError::NotFinite`], [`ShapeError::TooLarge`] beyond 1e90, [`ShapeError::NotPositive`].
    pub fn new(center: DVec3, radius: f64) -> Result<Self, ShapeError> {
        Ok(Self {
            center: checked(center, "a sphere's centre")?,
            radius: checked_length(radius, "a sphere's radius")?,
        })
    }
}
