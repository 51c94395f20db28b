//! Ray and segment, ray and point: only ever met exactly.

use glam::DVec3;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::math::exact::rational;
use crate::math::exact::sign_of;
use crate::math::predicates::{LEAST_PERMANENT, ROUNDING_3D};
use crate::math::{Rational, RationalVec3, Sign, orient3d};
use crate::shape::{Ray, Segment};

/// Where a ray meets a segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RaySegmentHit {
    /// Parameter of the point on the ray, in units of the length of its direction.
    pub t: f64,
    /// Parameter of the point on the segment: 0 at `a`, 1 at `b`.
    pub s: f64,
}

/// The first point of the segment on the ray, if its parameter is at most `max`.
///
/// Whether they meet is exact, which in space is rare unless intended; `t` and `s` are the true values, rounded.
/// Nanoseconds for a miss that is out of the plane, else tens of microseconds.
pub fn ray_segment(ray: &Ray, segment: &Segment, max: f64) -> Option<RaySegmentHit> {
    if edge_side(ray, segment.a, segment.b).sign != Sign::Zero {
        return None;
    }
    let (t, s) = meet_in_plane(ray, segment)?;
    let hit = RaySegmentHit { t: rounded(&t), s: rounded(&s) };
    (hit.t <= max).then_some(hit)
}

/// The parameter of the point on the ray, if it lies on it and at most at `max`. Whether it lies on the ray is
/// exact; the parameter is rounded.
pub fn ray_point(ray: &Ray, point: DVec3, max: f64) -> Option<f64> {
    ray_segment(ray, &Segment { a: point, b: point }, max).map(|hit| hit.t)
}

/// On which side of a line an edge passes, and the number that tells it.
#[derive(Clone, Copy)]
pub(super) struct EdgeSide {
    /// Sign of `direction · ((p − origin) × (q − origin))`. Exact.
    pub sign: Sign,
    /// That number, rounded.
    pub value: f64,
    /// Bound on the error of the value.
    pub doubt: f64,
}

/// On which side of the ray's line the edge from `p` to `q` passes.
#[inline]
pub(super) fn edge_side(ray: &Ray, p: DVec3, q: DVec3) -> EdgeSide {
    let (u, v) = (p - ray.origin, q - ray.origin);
    let plus = DVec3::new(u.y * v.z, u.z * v.x, u.x * v.y);
    let minus = DVec3::new(u.z * v.y, u.x * v.z, u.y * v.x);
    let value = (plus - minus).dot(ray.direction);
    let permanent = (plus.abs() + minus.abs()).dot(ray.direction.abs());
    let doubt = ROUNDING_3D * permanent;
    if permanent > LEAST_PERMANENT && value.abs() > doubt {
        return EdgeSide { sign: Sign::of(value), value, doubt };
    }
    edge_side_slow(ray, p, q)
}

#[cold]
#[inline(never)]
fn edge_side_slow(ray: &Ray, p: DVec3, q: DVec3) -> EdgeSide {
    let none = EdgeSide { sign: Sign::Zero, value: 0.0, doubt: 0.0 };
    // Usual on grids: the differences are exact, and expansions decide without rationals.
    let zero_by_expansions = exact_difference(p, ray.origin)
        && exact_difference(q, ray.origin)
        && orient3d(DVec3::ZERO, ray.direction, p - ray.origin, q - ray.origin) == Sign::Zero;
    if zero_by_expansions {
        return none;
    }
    let [origin, direction, p, q] = [ray.origin, ray.direction, p, q].map(RationalVec3::from);
    let exact = (&p - &origin).cross(&(&q - &origin)).dot(&direction);
    let value = rounded(&exact);
    EdgeSide { sign: sign_of(&exact), value, doubt: f64::EPSILON * value.abs() }
}

/// Whether `p − q` is representable, so that subtracting does not round: Knuth's error term is zero.
fn exact_difference(p: DVec3, q: DVec3) -> bool {
    let difference = p - q;
    let q_again = p - difference;
    let p_again = difference + q_again;
    (p - p_again) + (q_again - q) == DVec3::ZERO
}

/// The parameters on ray and segment of the first common point, where both lie in one plane.
fn meet_in_plane(ray: &Ray, segment: &Segment) -> Option<(Rational, Rational)> {
    let [origin, direction, a, b] = [ray.origin, ray.direction, segment.a, segment.b].map(RationalVec3::from);
    let (to_a, to_b) = (&a - &origin, &b - &origin);
    let along = |p: &RationalVec3| p.dot(&direction) / direction.dot(&direction);
    let (beside_a, beside_b) = (direction.cross(&to_a), direction.cross(&to_b));
    if beside_a.is_zero() && beside_b.is_zero() {
        return meet_in_line(&along(&to_a), &along(&to_b));
    }
    let change = &beside_a - &beside_b;
    let pairs = [(&beside_a.x, &change.x), (&beside_a.y, &change.y), (&beside_a.z, &change.z)];
    let (beside, change) = pairs.into_iter().find(|(_, change)| !change.is_zero())?;
    let s = beside / change;
    let t = along(&to_a.towards(&to_b, &s));
    (!s.is_negative() && s <= Rational::one() && !t.is_negative()).then_some((t, s))
}

/// The same where the segment lies in the ray's line, its ends at `a` and `b`.
fn meet_in_line(a: &Rational, b: &Rational) -> Option<(Rational, Rational)> {
    if a.is_negative() && b.is_negative() {
        return None;
    }
    let t = a.min(b).max(&Rational::zero()).clone();
    let s = if a == b { Rational::zero() } else { (&t - a) / (b - a) };
    Some((t, s))
}

/// The nearest `f64`.
pub(super) fn rounded(x: &Rational) -> f64 {
    x.to_f64().unwrap_or(f64::NAN)
}

/// The parameter at which the ray meets the plane through the corners, exactly computed and then rounded; and
/// the weights of the corners there. `None` if the ray is parallel to the plane.
pub(super) fn meet_plane_exactly(ray: &Ray, corners: [DVec3; 3]) -> Option<(f64, [f64; 3])> {
    let [a, b, c] = corners.map(RationalVec3::from);
    let [origin, direction] = [ray.origin, ray.direction].map(RationalVec3::from);
    let normal = (&b - &a).cross(&(&c - &a));
    let slope = normal.dot(&direction);
    if slope == rational(0.0) {
        return None;
    }
    let t = normal.dot(&(&a - &origin)) / &slope;
    let [a, b, c] = [&a, &b, &c].map(|p| p - &origin);
    let weight = |p: &RationalVec3, q: &RationalVec3| rounded(&(p.cross(q).dot(&direction) / &slope));
    Some((rounded(&t), [weight(&b, &c), weight(&c, &a), weight(&a, &b)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ray(origin: [f64; 3], direction: [f64; 3]) -> Ray {
        Ray { origin: origin.into(), direction: direction.into() }
    }

    #[test]
    fn a_crossing_an_end_and_a_miss() {
        let upright = Segment { a: DVec3::new(4.0, -1.0, 0.0), b: DVec3::new(4.0, 3.0, 0.0) };
        let along_x = |y| ray_segment(&ray([0.0, y, 0.0], [2.0, 0.0, 0.0]), &upright, f64::INFINITY);
        assert_eq!(along_x(0.0), Some(RaySegmentHit { t: 2.0, s: 0.25 }));
        assert_eq!(along_x(3.0), Some(RaySegmentHit { t: 2.0, s: 1.0 }));
        assert_eq!(along_x(3.0f64.next_up()), None);
        assert_eq!(ray_segment(&ray([0.0; 3], [-2.0, 0.0, 0.0]), &upright, f64::INFINITY), None);
        assert_eq!(ray_segment(&ray([0.0; 3], [2.0, 0.0, 0.0]), &upright, 1.5), None);
        assert_eq!(ray_segment(&ray([0.0, 0.0, 1e-300], [2.0, 0.0, 0.0]), &upright, 9.0), None);
    }

    #[test]
    fn segments_in_the_line_of_the_ray() {
        let on_x = |from: f64, to: f64| {
            let segment = Segment { a: DVec3::X * from, b: DVec3::X * to };
            ray_segment(&ray([0.0; 3], [1.0, 0.0, 0.0]), &segment, f64::INFINITY)
        };
        assert_eq!(on_x(3.0, 2.0), Some(RaySegmentHit { t: 2.0, s: 1.0 }));
        assert_eq!(on_x(-1.0, 3.0), Some(RaySegmentHit { t: 0.0, s: 0.25 }));
        assert_eq!(on_x(-1.0, -3.0), None);
        assert_eq!(on_x(2.0, 2.0), Some(RaySegmentHit { t: 2.0, s: 0.0 }));
    }

    #[test]
    fn a_point_is_met_only_exactly() {
        let diagonal = ray([0.0; 3], [1.0, 2.0, 3.0]);
        let at = |k: f64| DVec3::new(k, 2.0 * k, 3.0 * k);
        assert_eq!(ray_point(&diagonal, at(2.5), 9.0), Some(2.5));
        assert_eq!(ray_point(&diagonal, DVec3::ZERO, 9.0), Some(0.0));
        assert_eq!(ray_point(&diagonal, at(-1.0), 9.0), None);
        assert_eq!(ray_point(&diagonal, DVec3::new(2.5f64.next_up(), 5.0, 7.5), 9.0), None);
    }
}
