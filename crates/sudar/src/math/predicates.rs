//! Exact orientation predicates (Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust
//! geometric predicates"), with the scaling that keeps them exact over the whole range of coordinates.

use glam::{DVec2, DVec3};

/// The sign of a real number, known exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// Below zero.
    Negative,
    /// Exactly zero.
    Zero,
    /// Above zero.
    Positive,
}

impl Sign {
    /// The sign of `x`; NaN counts as zero.
    #[inline]
    pub fn of(x: f64) -> Self {
        if x > 0.0 {
            Self::Positive
        } else if x < 0.0 {
            Self::Negative
        } else {
            Self::Zero
        }
    }
}

impl std::ops::Neg for Sign {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        match self {
            Self::Negative => Self::Positive,
            Self::Zero => Self::Zero,
            Self::Positive => Self::Negative,
        }
    }
}

/// The sign of `(b−a)×(c−a)`: positive if `a`, `b`, `c` turn left. Exact.
#[inline]
pub fn orient2d(a: DVec2, b: DVec2, c: DVec2) -> Sign {
    let p = |v: DVec2| robust::Coord { x: v.x, y: v.y };
    Sign::of(robust::orient2d(p(a), p(b), p(c)))
}

/// The sign of `((b−a)×(c−a))·(d−a)`: positive if `d` lies on the side of the plane through `a`, `b`, `c` from
/// which they are seen counter-clockwise. Exact.
#[inline]
pub fn orient3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Sign {
    let p = |v: DVec3| robust::Coord3D { x: v.x, y: v.y, z: v.z };
    -Sign::of(robust::orient3d(p(a), p(b), p(c), p(d)))
}
