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
    /// A part of a part is too far away to be computed with.
    #[error("part {part} is a compound with a part beyond 1e90 in the whole; scale the scene down")]
    TooFar {
        /// The index of the compound.
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

/// Compound shape: posed shapes that move as one, the union of their points. Its features are the indices of its parts.
///
/// A compound among the parts stands for its own parts, each at the product of both poses.
#[derive(Debug, Clone)]
pub struct Compound {
    parts: Vec<(Shape, Pose)>,
}

impl Compound {
    /// Puts shapes together, each posed in the frame of the whole.
    ///
    /// # Errors
    /// [`CompoundError::Empty`], [`CompoundError::TooFar`].
    pub fn new(parts: Vec<(Shape, Pose)>) -> Result<Self, CompoundError> {
        let own = |shape: &Shape| {
            if let Shape::Compound(inner) = shape { inner.parts().to_vec() } else { Vec::new() }
        };
        Ok(Self { parts: flattened(parts, own)? })
    }

    /// The parts, in the order given, none of them a compound.
    pub fn parts(&self) -> &[(Shape, Pose)] {
        &self.parts
    }
}

/// Posed things, those with parts of their own replaced by these, which have none.
pub(crate) fn flattened<T>(
    parts: Vec<(T, Pose)>,
    own: impl Fn(&T) -> Vec<(T, Pose)>,
) -> Result<Vec<(T, Pose)>, CompoundError> {
    let mut flat = Vec::with_capacity(parts.len());
    for (number, (part, pose)) in parts.into_iter().enumerate() {
        let own = own(&part);
        if own.is_empty() {
            flat.push((part, pose));
        }
        for (part, at) in own {
            let at = pose.after(&at);
            if Pose::from_translation(at.translation()).is_err() {
                return Err(CompoundError::TooFar { part: number });
            }
            flat.push((part, at));
        }
    }
    if flat.is_empty() { Err(CompoundError::Empty) } else { Ok(flat) }
}

impl From<DVec3> for Shape {
    fn from(point: DVec3) -> Self {
        Self::Point(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Sphere;

    /// Nested twice, the ball that is moved by 1 within, by 2 around that and by 4 in the whole stands at 7.
    #[test]
    fn a_compound_inside_a_compound_works() {
        let at = |x: f64| Pose::from_translation(DVec3::X * x).unwrap();
        let ball = || Shape::Sphere(Sphere::new(DVec3::ZERO, 1.0).unwrap());
        let inner: Shape =
            Compound::new(vec![(ball(), at(1.0)), (DVec3::Y.into(), at(10.0))]).unwrap().into();
        let middle: Shape = Compound::new(vec![(inner, at(2.0)), (ball(), at(3.0))]).unwrap().into();
        let whole = Compound::new(vec![(ball(), at(0.0)), (middle, at(4.0))]).unwrap();
        let places: Vec<f64> = whole.parts().iter().map(|(_, pose)| pose.translation().x).collect();
        assert_eq!(places, [0.0, 7.0, 16.0, 7.0]);
        let far: Shape = Compound::new(vec![(ball(), at(8e89))]).unwrap().into();
        let error = Compound::new(vec![(ball(), at(0.0)), (far, at(8e89))]).unwrap_err();
        assert_eq!(error, CompoundError::TooFar { part: 1 });
        assert_eq!(Compound::new(vec![]).unwrap_err(), CompoundError::Empty);
    }
}
