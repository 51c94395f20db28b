//! Several shapes as one body.

use glam::DVec3;
use thiserror::Error;

use super::Shape;
use crate::math::Pose;

/// Why shapes could not be put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CompoundError {
    /// There is no shape.
    #[error("a compound needs at least one shape")]
    Empty,
    /// A part is itself a compound.
    #[error("part {part} is a compound; list its parts in the outer compound instead")]
    Nested {
        /// Its index.
        part: usize,
    },
    /// Parts are to be moved, and there are not as many poses as parts.
    #[error("{parts} parts cannot be moved by {poses} poses; give one for each part of the compound")]
    PoseCount {
        /// Parts of the body, 0 if it is no compound.
        parts: usize,
        /// Poses given.
        poses: usize,
    },
}

/// Posed shapes that move together: the union of their points. Its features are the indices of its parts.
#[derive(Debug, Clone)]
pub struct Compound {
    parts: Vec<(Shape, Pose)>,
}

impl Compound {
    /// Puts shapes together, each posed in the frame of the whole.
    ///
    /// # Errors
    /// [`CompoundError::Empty`], [`CompoundError::Nested`].
    pub fn new(parts: Vec<(Shape, Pose)>) -> Result<Self, CompoundError> {
        if parts.is_empty() {
            return Err(CompoundError::Empty);
        }
        match parts.iter().position(|(shape, _)| matches!(shape, Shape::Compound(_))) {
            Some(part) => Err(CompoundError::Nested { part }),
            None => Ok(Self { parts }),
        }
    }

    /// The parts, in the order given.
    pub fn parts(&self) -> &[(Shape, Pose)] {
        &self.parts
    }
}

impl From<DVec3> for Shape {
    fn from(point: DVec3) -> Self {
        Self::Point(point)
    }
}
