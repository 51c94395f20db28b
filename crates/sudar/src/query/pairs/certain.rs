//! What GJK and the expanding polytope say for certain of two convex bodies.

use glam::DVec3;

use crate::convex::{Accuracy, CorePenetration as Deep, Difference, Gjk, expanding_polytope};

/// What a search says beyond doubt.
pub(crate) fn certainly(difference: &Difference, found: &Gjk) -> Option<bool> {
    let margin = difference.margin();
    if found.distance.lower > margin * (1.0 + 2.0 * f64::EPSILON) {
        Some(false)
    } else if found.distance.upper < margin * (1.0 - 2.0 * f64::EPSILON)
        || (found.encloses && found.simplex.holds_ball(difference.slack()))
    {
        Some(true)
    } else {
        None
    }
}

/// Whether bodies meet of which GJK could not tell: because they are symmetric, so that the origin lies on the simplex
/// that the search ended with, or because they are round and so near that its simplex was lost in rounding.
///
/// They do if a ball around the origin fits into the difference, and do not if the normal found separates them.
#[cold]
pub(crate) fn expanded(difference: &Difference, found: &Gjk) -> Option<bool> {
    let close = Close::new(difference, found)?;
    if close.deep.depth.lower > 0.0 {
        Some(true)
    } else if close.gap > 0.0 && difference.margin() == 0.0 {
        Some(false)
    } else {
        None
    }
}

/// What the expanding polytope says of cores that GJK could not tell apart.
pub(crate) struct Close {
    /// Their depth, to a factor of two.
    pub deep: Deep,
    /// They are apart by at least this, if it is above zero.
    pub gap: f64,
}

impl Close {
    /// `None` for cores that GJK found apart.
    pub fn new(difference: &Difference, found: &Gjk) -> Option<Self> {
        if found.distance.lower > 0.0 {
            return None;
        }
        // When the interval of the depth is narrower than half the depth, its lower end is above zero.
        let accuracy = Accuracy { absolute: 0.0, relative: 0.5 };
        let deep = expanding_polytope(difference, found.simplex.vertices(), &accuracy, EXPANSIONS);
        Some(Self { gap: gap(difference, deep.normal), deep })
    }
}

/// After so many faces have been expanded it stays unknown whether the bodies meet.
const EXPANSIONS: u32 = 256;

/// The cores are apart by at least this along a unit vector from the first to the second, if it is above zero.
pub(crate) fn gap(difference: &Difference, normal: DVec3) -> f64 {
    let height = normal.dot(difference.support(normal).point);
    // The vector is off from unit length by an ulp or two, the product by as much.
    -height - (4.0 * f64::EPSILON * height.abs() + difference.slack())
}
