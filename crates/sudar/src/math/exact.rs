//! Exact rational arithmetic, for the few decisions that floating point with error bounds leaves open.

use glam::DVec3;
use num_rational::BigRational;
use num_traits::Zero;

/// An exact rational number of any size.
pub type Rational = BigRational;

/// A point or vector with exact rational coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct RationalVec3 {
    /// First coordinate.
    pub x: Rational,
    /// Second coordinate.
    pub y: Rational,
    /// Third coordinate.
    pub z: Rational,
}

impl From<DVec3> for RationalVec3 {
    /// The same point, exactly. A coordinate that is not finite (no validated type holds one) counts as zero.
    fn from(p: DVec3) -> Self {
        let exact = |x: f64| Rational::from_float(x).unwrap_or_else(Rational::zero);
        Self { x: exact(p.x), y: exact(p.y), z: exact(p.z) }
    }
}
