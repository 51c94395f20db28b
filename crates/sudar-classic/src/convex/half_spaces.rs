//! Whether half-spaces through the origin have a direction in common: the sub-algorithm of Chung and Wang.

use sudar::glam::{DVec2, DVec3};

/// A unit vector w with w·r ≥ 0 for all r of `known` and for `newest`, up to rounding; `None` if there is none. All
/// are of unit length; `before` is such a vector for `known` alone, with before·newest ≤ 0.
///
/// Between `before` and a vector that serves all there is one with w·newest = 0, unless the two are opposite. So all is
/// projected along `newest`, where the two vectors with all others between them are sought one by one (Chung and Wang
/// 1996); w is halfway between those. Then it is leant towards `newest` as far as the others allow by half, so that it
/// lies inside the half-spaces and not on the boundary of one. O(number of vectors).
pub(super) fn common_direction(known: &[DVec3], newest: DVec3, before: DVec3) -> Option<DVec3> {
    match between_extremes(known, newest) {
        Some(w) => Some(leant(w, known, newest)),
        None => known.iter().all(|r| before.dot(*r).abs() <= FLAT).then_some(-before),
    }
}

/// A unit vector across `newest` with no negative product with any of `known`.
fn between_extremes(known: &[DVec3], newest: DVec3) -> Option<DVec3> {
    let (x, y) = newest.any_orthonormal_pair();
    let mut wedge = Wedge::Empty;
    let flat = || {
        let flat = known.iter().map(|r| DVec2::new(x.dot(*r), y.dot(*r)));
        flat.filter(|p| p.abs().max_element() > PARALLEL)
    };
    for p in flat() {
        wedge = wedge.with(p)?;
    }
    // A vector opposite to all before it fits at either end of the half circle. Those after it have decided which.
    for p in flat() {
        wedge = wedge.opened(p).with(p)?;
    }
    let middle = wedge.middle();
    Some(x * middle.x + y * middle.y)
}

fn leant(w: DVec3, known: &[DVec3], newest: DVec3) -> DVec3 {
    let lean = known.iter().fold(1.0, |lean: f64, r| {
        let against = -newest.dot(*r);
        if against > 0.0 { lean.min(0.5 * w.dot(*r).max(0.0) / against) } else { lean }
    });
    (w + newest * lean).normalize()
}

/// Vectors that leave a plane by less than this are taken for ones of the plane: a common vector is off by ε over the
/// angle between the vectors that it was made from. This decides where a search goes on, not what it finds.
const FLAT: f64 = 1.0 / (1u64 << 40) as f64;
/// What the cross product of two parallel vectors of at most unit length may come out as: two products rounded, of
/// coordinates that were off by a rounding or three.
const PARALLEL: f64 = 8.0 * f64::EPSILON;

/// The least part of at most half a plane that holds some vectors, by the first and the last of them counter-clockwise.
#[derive(Clone, Copy, PartialEq)]
enum Wedge {
    Empty,
    Between(DVec2, DVec2),
}

impl Wedge {
    /// With one more vector; `None` if half a plane does not hold them all.
    fn with(self, p: DVec2) -> Option<Self> {
        let Self::Between(first, last) = self else {
            return Some(Self::Between(p, p));
        };
        let (after_first, after_last) = (first.perp_dot(p), last.perp_dot(p));
        match (after_first >= -PARALLEL, after_last <= PARALLEL) {
            (true, true) => Some(self),
            (true, false) => Some(Self::Between(first, p)),
            (false, true) => Some(Self::Between(p, last)),
            (false, false) => None,
        }
    }

    /// Opened to half a plane for a vector that seems to lie inside although it is more than a right angle from both
    /// ends: opposite to all others.
    fn opened(self, p: DVec2) -> Self {
        match self {
            Self::Between(first, last)
                if first.dot(p) < 0.0 && last.dot(p) < 0.0 && self.with(p) == Some(self) =>
            {
                Self::Between(first, p)
            }
            Self::Empty | Self::Between(..) => self,
        }
    }

    /// The unit vector halfway; any if there are no vectors.
    fn middle(self) -> DVec2 {
        let Self::Between(first, last) = self else {
            return DVec2::X;
        };
        let (first, last) = (first.normalize_or(DVec2::X), last.normalize_or(DVec2::X));
        // Of opposite vectors the sum would be rounding, of equal ones the difference.
        let sum = if first.dot(last) >= 0.0 { first + last } else { (first - last).perp() };
        sum.normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use sudar_testing::Random;

    #[test]
    fn opposite_vectors_leave_the_plane_across_them() {
        // w·x = 0 is forced; y is then free, and w inside its half-space.
        let w = common_direction(&[DVec3::X, DVec3::Y], -DVec3::X, DVec3::X).unwrap();
        assert!(w.x.abs() < 1e-15 && w.y > 0.0);
        assert!(common_direction(&[DVec3::X], -DVec3::X, DVec3::X).unwrap().x.abs() < 1e-15);
    }

    #[test]
    fn vectors_to_all_sides_leave_nothing() {
        // Each of these sets has 0 as a positive combination and spans space.
        let tetrahedron =
            [DVec3::ONE, DVec3::new(1.0, -1.0, -1.0), DVec3::new(-1.0, 1.0, -1.0)].map(DVec3::normalize);
        let (fourth, before) =
            (DVec3::new(-1.0, -1.0, 1.0).normalize(), DVec3::new(1.0, 1.0, -1.0).normalize());
        assert_eq!(common_direction(&tetrahedron, fourth, before), None);
        let octahedron = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z];
        assert_eq!(common_direction(&octahedron, DVec3::NEG_Z, DVec3::Z), None);
        assert_eq!(common_direction(&octahedron[..4], DVec3::Z, DVec3::NEG_Z), Some(DVec3::Z));
    }

    #[test]
    fn a_common_direction_is_inside_all_half_spaces() {
        let mut random = Random::new(5);
        let mut number = || random.random_range(-1.0..1.0f64);
        for _ in 0..2000 {
            let hidden = DVec3::new(number(), number(), number()).normalize();
            let mut known: Vec<DVec3> = Vec::new();
            let mut w = hidden;
            for _ in 0..20 {
                let r = DVec3::new(number(), number(), number()).normalize();
                let r = if r.dot(hidden) < 0.0 { -r } else { r };
                if w.dot(r) <= 0.0 || known.is_empty() {
                    w = if known.is_empty() { r } else { common_direction(&known, r, w).unwrap() };
                }
                known.push(r);
                assert!(known.iter().all(|r| w.dot(*r) > 0.0));
            }
        }
    }
}
