//! Half-space and point, half-space and hulls of corners.

use glam::DVec3;

use super::nearest::{Nearest, length};
use crate::math::exact::rational;
use crate::math::exact::{rounded, sign_of};
use crate::math::{Rational, RationalVec3, Sign};
use crate::shape::{Aabb, Halfspace, Segment, Triangle};

/// Whether the point lies in the half-space or on its plane. Exact.
pub fn point_halfspace(p: DVec3, halfspace: &Halfspace) -> bool {
    side(p, halfspace) != Sign::Positive
}

/// Whether the segment and the half-space have a point in common: if an end is inside. Exact.
pub fn segment_halfspace(segment: &Segment, halfspace: &Halfspace) -> bool {
    point_halfspace(segment.a, halfspace) || point_halfspace(segment.b, halfspace)
}

/// Whether the triangle and the half-space have a point in common: if a corner is inside. Exact.
pub fn triangle_halfspace(triangle: &Triangle, halfspace: &Halfspace) -> bool {
    triangle.corners().iter().any(|&p| point_halfspace(p, halfspace))
}

/// Whether the box and the half-space have a point in common: if the corner that is deepest along the normal is
/// inside. Exact for boxes with finite ends.
pub fn aabb_halfspace(aabb: &Aabb, halfspace: &Halfspace) -> bool {
    let deepest = DVec3::select(halfspace.normal.cmpgt(DVec3::ZERO), aabb.min, aabb.max);
    !aabb.is_empty() && point_halfspace(deepest, halfspace)
}

/// The point of the half-space nearest to `p` (`a` of the answer is `p`): `p` itself if inside, else its foot on
/// the plane, off by a few ulp of the coordinates and of the plane's distance from the origin.
pub fn closest_point_halfspace(p: DVec3, halfspace: &Halfspace) -> Nearest {
    if point_halfspace(p, halfspace) {
        return Nearest::between(p, p);
    }
    let unit = length(halfspace.normal);
    let normal = halfspace.normal / unit;
    Nearest::between(p, p - normal * (height(p, halfspace) / unit))
}

/// The sign of `normal·p − offset`. Exact.
pub(super) fn side(p: DVec3, halfspace: &Halfspace) -> Sign {
    let (value, doubt) = height_and_doubt(p, halfspace);
    if value.abs() > doubt { Sign::of(value) } else { sign_of(&exact_height(p, halfspace)) }
}

/// `normal·p − offset` with at least six correct digits, more unless cancellation is heavy.
pub(super) fn height(p: DVec3, halfspace: &Halfspace) -> f64 {
    let (value, doubt) = height_and_doubt(p, halfspace);
    if value.abs() > 1e6 * doubt { value } else { rounded(&exact_height(p, halfspace)) }
}

/// `normal·p − offset` and a bound on its error: four products and sums, each rounded once, and underflow.
fn height_and_doubt(p: DVec3, halfspace: &Halfspace) -> (f64, f64) {
    let size = halfspace.normal.abs().dot(p.abs()) + halfspace.offset.abs();
    (halfspace.normal.dot(p) - halfspace.offset, 4.0 * f64::EPSILON * size + f64::MIN_POSITIVE)
}

pub(super) fn exact_height(p: DVec3, halfspace: &Halfspace) -> Rational {
    RationalVec3::from(halfspace.normal).dot(&RationalVec3::from(p)) - rational(halfspace.offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points with 3x + 4y ≤ 10.
    const SLANTED: Halfspace = Halfspace { normal: DVec3::new(3.0, 4.0, 0.0), offset: 10.0 };

    #[test]
    fn the_plane_belongs_to_the_half_space_to_the_last_bit() {
        assert!(point_halfspace(DVec3::new(2.0, 1.0, 7.0), &SLANTED));
        assert!(!point_halfspace(DVec3::new(2.0f64.next_up(), 1.0, 7.0), &SLANTED));
        // 0.1 + 0.2 in exact numbers exceeds the f64 nearest to 0.3, though not the rounded sum.
        let sum = Halfspace { normal: DVec3::new(1.0, 1.0, 0.0), offset: 0.3 };
        assert!(!point_halfspace(DVec3::new(0.1, 0.2, 0.0), &sum));
    }

    #[test]
    fn one_corner_on_the_plane_suffices() {
        let touching = DVec3::new(2.0, 1.0, 0.0);
        let beyond = DVec3::new(3.0, 3.0, 0.0);
        let near = DVec3::new(2.0f64.next_up(), 1.0, 0.0);
        assert!(segment_halfspace(&Segment { a: beyond, b: touching }, &SLANTED));
        assert!(!segment_halfspace(&Segment { a: beyond, b: near }, &SLANTED));
        assert!(triangle_halfspace(&Triangle { a: beyond, b: beyond, c: touching }, &SLANTED));
        assert!(!triangle_halfspace(&Triangle { a: beyond, b: near, c: near }, &SLANTED));
        assert!(aabb_halfspace(&Aabb { min: touching, max: beyond }, &SLANTED));
        assert!(!aabb_halfspace(&Aabb { min: near, max: beyond }, &SLANTED));
        let flipped = Halfspace { normal: -SLANTED.normal, offset: -SLANTED.offset };
        assert!(aabb_halfspace(&Aabb { min: DVec3::ZERO, max: touching }, &flipped));
        assert!(!aabb_halfspace(
            &Aabb { min: DVec3::ZERO, max: DVec3::new(2.0f64.next_down(), 1.0, 0.0) },
            &flipped
        ));
        assert!(!aabb_halfspace(&Aabb::EMPTY, &SLANTED));
    }

    #[test]
    fn the_foot_of_a_point_outside() {
        // (2, 1) on the plane plus 2 units of the normal (3, 4)/5.
        let p = DVec3::new(2.0 + 1.2, 1.0 + 1.6, 5.0);
        let found = closest_point_halfspace(p, &SLANTED);
        assert!((found.b - DVec3::new(2.0, 1.0, 5.0)).length() < 1e-15);
        assert_eq!(closest_point_halfspace(DVec3::ZERO, &SLANTED).distance(), 0.0);
        for exponent in [-200, 200] {
            let k = f64::powi(2.0, exponent);
            let scaled = Halfspace { normal: SLANTED.normal * k, offset: SLANTED.offset * k * k };
            assert_eq!(closest_point_halfspace(p * k, &scaled).b, found.b * k);
        }
    }
}
