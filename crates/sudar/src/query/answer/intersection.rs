//! Whether two bodies meet.

use crate::effort::StopReason;

/// Whether two bodies have a point in common. Touching counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intersection {
    /// They have none. Certain.
    Apart,
    /// They have one. Certain.
    Touching {
        /// One feature of each: triangle numbers of meshes that meet, the numbers of parts of compounds, 0 for other
        /// shapes. Where one body lies inside a solid, a triangle of it, and 0 for the solid.
        features: [u32; 2],
    },
    /// Not known. [`StopReason::Precision`] only where a cylinder, cone or ellipsoid takes part.
    Undecided(StopReason),
}

impl Intersection {
    /// Whether there is certainly a common point.
    pub fn is_touching(self) -> bool {
        matches!(self, Self::Touching { .. })
    }

    /// Whether there is a common point, if that is known.
    pub fn decided(self) -> Option<bool> {
        match self {
            Self::Apart => Some(false),
            Self::Touching { .. } => Some(true),
            Self::Undecided(_) => None,
        }
    }

    /// From whether bodies without numbered features meet, if that is known.
    #[inline]
    pub(in crate::query) fn of(touching: Option<bool>) -> Self {
        match touching {
            Some(true) => Self::Touching { features: [0, 0] },
            Some(false) => Self::Apart,
            None => Self::Undecided(StopReason::Precision),
        }
    }

    /// The same with other features.
    pub(in crate::query) fn named(self, name: impl FnOnce([u32; 2]) -> [u32; 2]) -> Self {
        match self {
            Self::Touching { features } => Self::Touching { features: name(features) },
            Self::Apart | Self::Undecided(_) => self,
        }
    }

    pub(in crate::query) fn swapped(self) -> Self {
        self.named(|[i, j]| [j, i])
    }
}
