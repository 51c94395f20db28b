//! What a broad phase refuses.

use super::handle::Handle;
use crate::shape::Aabb;

/// Why a box or an object was refused. The broad phase is unchanged after an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BroadError {
    /// A coordinate is not a number.
    #[error("the box of object {object} has a coordinate that is not a number; give six numbers")]
    NotANumber {
        /// Number of the object, see [`Handle::index`]; that of the next one if it was to be inserted.
        object: u32,
    },
    /// The least coordinate on an axis is above the greatest.
    #[error("the box of object {object} ends before it begins on axis {axis}; swap its ends")]
    Inverted {
        /// Number of the object, see [`Handle::index`]; that of the next one if it was to be inserted.
        object: u32,
        /// 0 for x, 1 for y, 2 for z.
        axis: usize,
    },
    /// A corner of a triangle is infinite or beyond 1e90.
    #[error("triangle {object} reaches beyond 1e90; scale the scene down")]
    TooFar {
        /// Number of the triangle.
        object: u32,
    },
    /// The object was removed, or belongs to another broad phase.
    #[error("object {} of generation {} is not here; it was removed", .handle.index(), .handle.generation())]
    Unknown {
        /// The handle that was given.
        handle: Handle,
    },
    /// As many handles as boxes are needed.
    #[error("{handles} handles and {boxes} boxes were given; give one box a handle")]
    Lengths {
        /// Number of handles.
        handles: usize,
        /// Number of boxes.
        boxes: usize,
    },
    /// There is no number left for another object.
    #[error("a broad phase holds at most 2147483648 objects; use several")]
    Full,
}

impl BroadError {
    /// Whether `aabb` may be a box of a broad phase; `object` is its number in the error.
    ///
    /// # Errors
    /// [`BroadError::NotANumber`], [`BroadError::Inverted`].
    #[inline]
    pub fn check(object: u32, aabb: &Aabb) -> Result<(), Self> {
        if aabb.min.cmple(aabb.max).all() {
            return Ok(());
        }
        if aabb.min.is_nan() || aabb.max.is_nan() {
            return Err(Self::NotANumber { object });
        }
        let axis = (0..3).find(|&k| aabb.min[k] > aabb.max[k]).unwrap_or(0);
        Err(Self::Inverted { object, axis })
    }
}
