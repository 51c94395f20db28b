//! Whether two bodies are within a tolerance.

use glam::DVec3;

use super::StopReason;
use super::distance::Found;
use crate::shape::Plane;

/// Whether the distance of two bodies is at most a tolerance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Within {
    /// It is. Certain.
    Yes {
        /// A point of the first body.
        point_a: DVec3,
        /// A point of the second, at most the tolerance away, but for rounding of the two.
        point_b: DVec3,
        /// The triangles these lie on, 0 for other shapes.
        features: [u32; 2],
    },
    /// It is more. Certain.
    No {
        /// A number that the distance does not fall below: the tolerance or more. How much more depends on
        /// what proved it, and says nothing: [`distance`](fn@crate::query::distance) computes the distance
        /// itself.
        lower: f64,
        /// A plane with the first body on its negative side and the second beyond it by more than the tolerance, if one
        /// was found: convex bodies that are apart have one, others need not.
        plane: Option<Plane>,
    },
    /// Not known.
    Undecided(StopReason),
}

impl Within {
    /// Whether the distance is at most the tolerance, if that is known.
    pub fn decided(&self) -> Option<bool> {
        match self {
            Self::Yes { .. } => Some(true),
            Self::No { .. } => Some(false),
            Self::Undecided(_) => None,
        }
    }

    pub(in crate::query) fn yes(found: &Found) -> Self {
        Self::Yes { point_a: found.nearest.a, point_b: found.nearest.b, features: found.features }
    }

    /// The same with other features.
    pub(in crate::query) fn named(self, name: impl FnOnce([u32; 2]) -> [u32; 2]) -> Self {
        match self {
            Self::Yes { point_a, point_b, features } => {
                Self::Yes { point_a, point_b, features: name(features) }
            }
            Self::No { .. } | Self::Undecided(_) => self,
        }
    }

    pub(in crate::query) fn swapped(self) -> Self {
        match self {
            Self::Yes { point_a, point_b, features: [i, j] } => {
                Self::Yes { point_a: point_b, point_b: point_a, features: [j, i] }
            }
            // Planes are given of two convex bodies alone, whose order stays.
            Self::No { .. } | Self::Undecided(_) => self,
        }
    }
}
