//! Boxes in their own frame.

use glam::DVec3;

use super::{Aabb, ShapeError, checked_length};

/// Box with half extents `half`: the points with `|p| ≤ half` in each coordinate of the body's frame, centred
/// on its origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cuboid {
    /// Half the edge lengths, positive.
    pub half: DVec3,
}

impl Cuboid {
    /// A box from half its edge lengths.
    ///
    /// # Errors
    /// [`ShapeError::NotFinite`], [`ShapeError::TooLarge`] beyond 1e90, [`ShapeError::NotPositive`].
    pub fn new(half: DVec3) -> Result<Self, ShapeError> {
        for axis in 0..3 {
            checked_length(half[axis], "a box's half extent")?;
        }
        Ok(Self { half })
    }

    /// The same points as an axis-aligned box of the body's frame.
    pub fn aabb(&self) -> Aabb {
        Aabb { min: -self.half, max: self.half }
    }
}
