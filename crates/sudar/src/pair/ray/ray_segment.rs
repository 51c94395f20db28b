//! Ray and segment, ray and point: only ever met exactly.

use std::ops::{Add, Mul, Sub};

use glam::DVec3;

use crate::math::exact::in_numbers;
use crate::math::predicates::{LEAST_PERMANENT, ROUNDING_3D};
use crate::math::{Close, Determinant, ExactVec3, Fraction, Number, Sign};
use crate::shape::{Ray, Segment};

/// Where a ray meets a segment.
///
/// ```
/// use sudar::pair::{RaySegmentHit, ray_segment};
/// use sudar::{DVec3, Ray, Segment};
///
/// let ray = Ray { origin: DVec3::ZERO, direction: DVec3::X };
/// let edge = Segment { a: DVec3::new(2.0, -1.0, 0.0), b: DVec3::new(2.0, 3.0, 0.0) };
/// assert_eq!(ray_segment(&ray, &edge, 9.0), Some(RaySegmentHit { t: 2.0, s: 0.25 }));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RaySegmentHit {
    /// Parameter of the point on the ray, in units of the length of its direction.
    pub t: f64,
    /// Parameter of the point on the segment: 0 at `a`, 1 at `b`.
    pub s: f64,
}

/// The first point of the segment on the ray, if its parameter is at most `max`.
///
/// Whether they meet is exact, which in space is rare unless intended; `t` and `s` are the true values,
/// rounded. Nanoseconds for a miss that is out of the plane, else a fraction of a microsecond; more where
/// coordinates are far apart in size.
pub fn ray_segment(ray: &Ray, segment: &Segment, max: f64) -> Option<RaySegmentHit> {
    if is_passed_by(ray, segment) || edge_side(ray, segment.a, segment.b).sign != Sign::Zero {
        return None;
    }
    let hit = meet_in_plane::<Close>(ray, segment).or_else(|| meet_in_plane::<Fraction>(ray, segment));
    let hit = hit.flatten()?;
    (hit.t <= max).then_some(hit)
}

/// Whether a segment certainly lies on one side of the ray's line, or behind its origin, by plain `f64`.
fn is_passed_by(ray: &Ray, segment: &Segment) -> bool {
    let (a, b, d) = (segment.a - ray.origin, segment.b - ray.origin, ray.direction);
    let (sizes, size) = (a.length() * b.length(), d.length());
    let square = sizes * size * size;
    let is_behind = d.dot(a).max(d.dot(b)) < -1e-14 * size * a.length().max(b.length());
    // NaN and what overflows or vanishes tell nothing.
    (1e-200..1e200).contains(&square) && (is_behind || d.cross(a).dot(d.cross(b)) > 1e-13 * square)
}

/// The parameter of the point on the ray, if it lies on it and at most at `max`. Whether it lies on the ray is
/// exact; the parameter is rounded.
pub fn ray_point(ray: &Ray, point: DVec3, max: f64) -> Option<f64> {
    ray_segment(ray, &Segment { a: point, b: point }, max).map(|hit| hit.t)
}

/// On which side of a line an edge passes, and the number whose sign this is.
#[derive(Clone, Copy)]
pub struct EdgeSide {
    /// Sign of `direction · ((p − origin) × (q − origin))`. Exact.
    pub sign: Sign,
    /// That number, rounded.
    pub value: f64,
    /// Bound on the error of the value.
    pub doubt: f64,
}

impl EdgeSide {
    pub const ZERO: Self = Self { sign: Sign::Zero, value: 0.0, doubt: 0.0 };
}

/// On which side of the ray's line the edge from `p` to `q` passes.
#[inline]
pub fn edge_side(ray: &Ray, p: DVec3, q: DVec3) -> EdgeSide {
    edge_side_fast(ray, p, q).unwrap_or_else(|| edge_side_slow(ray, p, q))
}

/// The same where plain `f64` decides.
#[inline]
pub fn edge_side_fast(ray: &Ray, p: DVec3, q: DVec3) -> Option<EdgeSide> {
    let (u, v) = (p - ray.origin, q - ray.origin);
    let plus = DVec3::new(u.y * v.z, u.z * v.x, u.x * v.y);
    let minus = DVec3::new(u.z * v.y, u.x * v.z, u.y * v.x);
    let value = (plus - minus).dot(ray.direction);
    let permanent = (plus.abs() + minus.abs()).dot(ray.direction.abs());
    let doubt = ROUNDING_3D * permanent;
    (permanent > LEAST_PERMANENT && value.abs() > doubt).then(|| EdgeSide {
        sign: Sign::of(value),
        value,
        doubt,
    })
}

/// The edges that one ray passed so near that plain `f64` could not tell the side: two triangles share an edge, and a
/// ray through a vertex passes each of the edges around it.
pub(crate) struct NearEdges {
    known: [Option<(DVec3, DVec3, EdgeSide)>; 8],
    next: usize,
}

impl NearEdges {
    pub fn new() -> Self {
        Self { known: [None; 8], next: 0 }
    }

    /// The side of an edge of which [`edge_side_fast`] says nothing, looked up or computed exactly.
    pub fn side(&mut self, ray: &Ray, p: DVec3, q: DVec3) -> EdgeSide {
        for &(from, to, side) in self.known.iter().flatten() {
            if (from, to) == (p, q) {
                return side;
            }
            if (from, to) == (q, p) {
                return EdgeSide { sign: -side.sign, value: -side.value, ..side };
            }
        }
        let side = edge_side_slow(ray, p, q);
        self.known[self.next] = Some((p, q, side));
        self.next = (self.next + 1) % self.known.len();
        side
    }
}

#[cold]
#[inline(never)]
fn edge_side_slow(ray: &Ray, p: DVec3, q: DVec3) -> EdgeSide {
    if vanishes(ray.direction, p - ray.origin, q - ray.origin) || is_aimed_at(ray, p) || is_aimed_at(ray, q) {
        return EdgeSide::ZERO;
    }
    if let Some(exact) = Determinant::of_edge(ray.origin, ray.direction, p, q) {
        let sign = exact.sign();
        if sign == Sign::Zero {
            return EdgeSide::ZERO;
        }
        let value = exact.value();
        return EdgeSide { sign, value, doubt: 2.0 * f64::EPSILON * value.abs() };
    }
    side_by::<Close>(ray, p, q).or_else(|| side_by::<Fraction>(ray, p, q)).unwrap_or(EdgeSide::ZERO)
}

/// Whether each of the six products of `d · (u × v)` has a factor of zero: a ray along an axis above a
/// vertex, or above an edge along another axis. A difference of coordinates is zero only if they are equal.
fn vanishes(d: DVec3, u: DVec3, v: DVec3) -> bool {
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)].iter().all(|&(k, i, j)| {
        let is_zero = |x: f64, y: f64| x == 0.0 || y == 0.0;
        d[k] == 0.0 || (is_zero(u[i], v[j]) && is_zero(u[j], v[i]))
    })
}

/// Whether a point is exactly at parameter 1 of the ray, as where the direction is the way to a vertex.
fn is_aimed_at(ray: &Ray, p: DVec3) -> bool {
    let way = p - ray.origin;
    if way != ray.direction {
        return false;
    }
    // Knuth's error term: zero where the difference is not rounded.
    let origin = p - way;
    (p - (way + origin)) + (origin - ray.origin) == DVec3::ZERO
}

/// The side in numbers of a kind, if these are sure.
fn side_by<N: Number>(ray: &Ray, p: DVec3, q: DVec3) -> Option<EdgeSide>
where
    for<'a> &'a N: Add<&'a N, Output = N> + Sub<&'a N, Output = N> + Mul<&'a N, Output = N>,
{
    let [origin, direction, p, q] = [ray.origin, ray.direction, p, q].map(in_numbers::<N>);
    let exact = (&p - &origin).cross(&(&q - &origin)).dot(&direction);
    let (sign, (value, doubt)) = (exact.sign()?, exact.about());
    // To eleven digits, for a value that is next to nothing beside those of the other edges.
    (doubt <= 1e-11 * value.abs()).then_some(EdgeSide { sign, value, doubt })
}

/// The parameters on ray and segment of the first common point, where both lie in one plane; `None` where the
/// numbers are not sure.
fn meet_in_plane<N: Number>(ray: &Ray, segment: &Segment) -> Option<Option<RaySegmentHit>>
where
    for<'a> &'a N: Add<&'a N, Output = N> + Sub<&'a N, Output = N> + Mul<&'a N, Output = N>,
{
    let [origin, direction, a, b] = [ray.origin, ray.direction, segment.a, segment.b].map(in_numbers::<N>);
    let (to_a, to_b) = (&a - &origin, &b - &origin);
    let along = |p: &ExactVec3<N>| p.dot(&direction).over(&direction.dot(&direction));
    let (beside_a, beside_b) = (direction.cross(&to_a), direction.cross(&to_b));
    if is_zero(&beside_a)? && is_zero(&beside_b)? {
        return meet_in_line::<N>(&along(&to_a), &along(&to_b));
    }
    let change = &beside_a - &beside_b;
    for axis in 0..3 {
        let (beside, change) = (beside_a.axis(axis), change.axis(axis));
        if change.sign()? == Sign::Zero {
            continue;
        }
        // The end at s = 1 is decided by what is beside it, which is exact more often than s − 1.
        let (s, past) = (beside.over(change), beside_b.axis(axis).over(change));
        if s.sign()? == Sign::Negative || past.sign()? == Sign::Positive {
            return Some(None);
        }
        let t = along(&to_a.towards(&to_b, &s));
        if t.sign()? == Sign::Negative {
            return Some(None);
        }
        return Some(Some(RaySegmentHit { t: t.rounded()?, s: s.rounded()? }));
    }
    Some(None)
}

/// Whether a vector is zero, if that is sure.
fn is_zero<N: Number>(v: &ExactVec3<N>) -> Option<bool> {
    let signs = [v.x.sign(), v.y.sign(), v.z.sign()];
    if signs.iter().any(|sign| sign.is_some_and(|sign| sign != Sign::Zero)) {
        return Some(false);
    }
    signs.iter().all(Option::is_some).then_some(true)
}

/// The same where the segment lies in the ray's line, its ends at `a` and `b`.
fn meet_in_line<N: Number>(a: &N, b: &N) -> Option<Option<RaySegmentHit>>
where
    for<'a> &'a N: Sub<&'a N, Output = N>,
{
    let signs = [a.sign()?, b.sign()?];
    if signs == [Sign::Negative; 2] {
        return Some(None);
    }
    let way = b - a;
    let hit = |t: &N, s: f64| Some(Some(RaySegmentHit { t: t.rounded()?, s }));
    match way.sign()? {
        Sign::Positive if signs[0] != Sign::Negative => hit(a, 0.0),
        Sign::Negative if signs[1] != Sign::Negative => hit(b, 1.0),
        Sign::Zero => hit(a, 0.0),
        // The ray starts between them.
        Sign::Positive | Sign::Negative => hit(&N::from(0.0), (&N::from(0.0) - a).over(&way).rounded()?),
    }
}

/// The parameter at which the ray meets the plane through the corners, exactly computed and then rounded; and
/// the weights of the corners there. `None` if the ray is parallel to the plane.
#[cold]
#[inline(never)]
pub fn meet_plane_exactly(ray: &Ray, corners: [DVec3; 3]) -> Option<(f64, [f64; 3])> {
    meet_plane::<Close>(ray, corners).or_else(|| meet_plane::<Fraction>(ray, corners)).flatten()
}

fn meet_plane<N: Number>(ray: &Ray, corners: [DVec3; 3]) -> Option<Option<(f64, [f64; 3])>>
where
    for<'a> &'a N: Add<&'a N, Output = N> + Sub<&'a N, Output = N> + Mul<&'a N, Output = N>,
{
    let [a, b, c] = corners.map(in_numbers::<N>);
    let [origin, direction] = [ray.origin, ray.direction].map(in_numbers::<N>);
    let normal = (&b - &a).cross(&(&c - &a));
    let slope = normal.dot(&direction);
    if slope.sign()? == Sign::Zero {
        return Some(None);
    }
    let t = normal.dot(&(&a - &origin)).over(&slope);
    let [a, b, c] = [&a, &b, &c].map(|p| p - &origin);
    // Weights are at most 1: of those next to zero the last digits do not matter.
    let weight = |p: &ExactVec3<N>, q: &ExactVec3<N>| {
        let (weight, doubt) = p.cross(q).dot(&direction).over(&slope).about();
        (doubt <= f64::EPSILON).then_some(weight.max(0.0))
    };
    Some(Some((t.rounded()?, [weight(&b, &c)?, weight(&c, &a)?, weight(&a, &b)?])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::ray;

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

    #[test]
    fn rays_along_edges_and_through_corners_are_mostly_decided_without_fractions() {
        let mut random = crate::testing::Random::new(3);
        let (mut sides, mut meets, mut cases) = (0, 0, 0);
        for case in 0..4000 {
            // Tiles of width 1 and 0.1, and corners anywhere.
            let width = [1.0, 0.1, 1.0][case % 3];
            let [a, b, c] = random.grid_points(9).map(|p: DVec3| p * width);
            let [a, b, c] = if case % 3 == 2 { [a, b, c].map(|p| p + random.point()) } else { [a, b, c] };
            let s = f64::from(case as u32 % 5) * 0.25;
            let target = a + (b - a) * s;
            for origin in [a - (b - a), c, target + DVec3::Z] {
                let ray = Ray { origin, direction: target - origin };
                if a == b || ray.direction == DVec3::ZERO {
                    continue;
                }
                cases += 1;
                let exact = side_by::<Fraction>(&ray, a, b).unwrap();
                if let Some(close) = side_by::<Close>(&ray, a, b) {
                    sides += 1;
                    assert_eq!(close.sign, exact.sign, "{ray:?}");
                    assert!((close.value - exact.value).abs() <= close.doubt + exact.doubt, "{ray:?}");
                }
                let segment = Segment { a, b };
                let Some(close) = meet_in_plane::<Close>(&ray, &segment) else { continue };
                meets += 1;
                // In space they are computed only if they lie in one plane.
                if exact.sign == Sign::Zero {
                    assert_eq!(Some(close), meet_in_plane::<Fraction>(&ray, &segment), "{ray:?} {segment:?}");
                }
            }
        }
        // Left are edges in the line of the ray but for the last digits of all of their coordinates.
        assert!(
            cases > 10_000 && sides * 100 > cases * 85 && meets * 100 > cases * 90,
            "{sides} {meets} {cases}"
        );
    }
}
