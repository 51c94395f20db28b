//! Half-spaces.

use glam::DVec3;

use super::{ShapeError, checked};
use crate::math::Pose;

/// Half-space: the points `p` with `normal·p ≤ offset`, everything on and below a plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Halfspace {
    /// Direction out of the half-space, not zero, of any length.
    pub normal: DVec3,
    /// Value of `normal·p` on the boundary.
    pub offset: f64,
}

impl Halfspace {
    /// The half-space `normal·p ≤ offset`.
    ///
    /// # Errors
    /// [`ShapeError::NotFinite`], [`ShapeError::TooLarge`] beyond 1e90, [`ShapeError::ZeroVector`].
    pub fn new(normal: DVec3, offset: f64) -> Result<Self, ShapeError> {
        checked(normal, "a halfspace's normal")?;
        checked(DVec3::splat(offset), "a halfspace's offset")?;
        if normal == DVec3::ZERO {
            return Err(ShapeError::ZeroVector { what: "a halfspace's normal" });
        }
        Ok(Self { normal, offset })
    }

    /// The half-space at the pose: `n·x ≤ d` becomes `(R n)·x ≤ d + (R n)·t`, rounded.
    pub fn posed(&self, pose: &Pose) -> Self {
        let normal = pose.rotate(self.normal);
        Self { normal, offset: self.offset + normal.dot(pose.translation()) }
    }
}
