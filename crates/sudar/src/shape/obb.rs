//! Boxes turned in space.

use glam::{DMat3, DVec3};

use crate::math::Pose;

/// Oriented bounding box: the points `center + axes·u` with `|u| ≤ half` in each coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Obb {
    /// Centre.
    pub center: DVec3,
    /// Columns are the orthonormal directions of the edges.
    pub axes: DMat3,
    /// Half the edge lengths, zero or more.
    pub half: DVec3,
}

impl Obb {
    /// The eight corners, rounded; bit 0, 1, 2 of the index chooses the positive side of axis 0, 1, 2.
    pub fn corners(self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            let side = |axis: usize| if i >> axis & 1 == 1 { self.half[axis] } else { -self.half[axis] };
            self.center + self.axes * DVec3::new(side(0), side(1), side(2))
        })
    }

    /// Its image under a pose.
    #[inline]
    pub(crate) fn posed(&self, pose: &Pose) -> Self {
        Self { center: pose.apply(self.center), axes: pose.rotation() * self.axes, half: self.half }
    }

    /// The box with half edges longer by `by`.
    #[must_use]
    pub fn grown(self, by: f64) -> Self {
        Self { half: self.half + DVec3::splat(by), ..self }
    }
}
