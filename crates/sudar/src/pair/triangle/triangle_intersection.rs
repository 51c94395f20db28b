//! What two triangles have in common.

use glam::DVec3;

use super::exact_clip::{hull, inside_triangle};
use super::triangle_triangle::{lone_corners, one_sided, sides};
use crate::math::predicates::{LEAST_PERMANENT, ROUNDING_3D, normal_and_size};
use crate::math::{FractionVec3, Sign, orient3d};
use crate::shape::{Segment, Triangle};

/// The common part of two triangles.
#[derive(Debug, Clone, PartialEq)]
pub enum TriangleIntersection {
    /// They touch at one point.
    Point(DVec3),
    /// They meet in a segment, of positive length before rounding.
    Segment(Segment),
    /// They lie in one plane and overlap in a convex polygon; its corners in order.
    Polygon(Vec<DVec3>),
}

impl TriangleIntersection {
    /// A point of it.
    pub(crate) fn middle(&self) -> DVec3 {
        match self {
            Self::Point(p) => *p,
            Self::Segment(s) => s.at(0.5),
            Self::Polygon(corners) => {
                corners.iter().fold(DVec3::ZERO, |sum, p| sum + *p) / corners.len() as f64
            }
        }
    }
}

/// The common part of two closed triangles; `None` if [`crate::pair::triangles_intersect`] says that they do not meet.
///
/// Which kind it is, and which edges end it, is decided exactly. The coordinates of its corners are within
/// 2⁻⁴⁰ times the largest coordinate of both triangles of the true ones. About 0.3 µs; where the triangles are
/// coplanar, have no area or meet at an angle of less than about a quarter of a degree, tens of
/// microseconds.
pub fn triangle_intersection(a: &Triangle, b: &Triangle) -> Option<TriangleIntersection> {
    let (sides_a, sides_b) = (sides(b, &a.corners()), sides(a, &b.corners()));
    if one_sided(sides_a) || one_sided(sides_b) {
        return None;
    }
    match lone_corners(a, sides_a, b, sides_b) {
        Some((p, q)) => {
            on_common_line(&Arranged { triangle: a, corners: p }, &Arranged { triangle: b, corners: q })
        }
        None => flat(a, b),
    }
}

/// A triangle with its corners as [`lone_corners`] arranges them.
struct Arranged<'a> {
    triangle: &'a Triangle,
    corners: [DVec3; 3],
}

/// Two triangles in different planes. Along the line common to both planes, `a` covers the interval from its edge
/// p₀p₂ to p₀p₁, and `b` that from q₀q₁ to q₀q₂; of the edges p₀x and q₀y the former cuts the line no earlier exactly
/// if (p₀, x, q₀, y) is not positively oriented.
fn on_common_line(a: &Arranged, b: &Arranged) -> Option<TriangleIntersection> {
    let (p, q) = (a.corners, b.corners);
    let order = |x: usize, y: usize| -orient3d(p[0], p[x], q[0], q[y]);
    let (end_a_start_b, start_a_end_b) = (order(1, 1), order(2, 2));
    if end_a_start_b == Sign::Negative || start_a_end_b == Sign::Positive {
        return None;
    }
    let starts_with_a = order(2, 1) != Sign::Negative;
    let ends_with_b = order(1, 2) != Sign::Negative;
    let start = if starts_with_a { cut(p[0], p[2], b.triangle) } else { cut(q[0], q[1], a.triangle) };
    let single = match (starts_with_a, ends_with_b) {
        (true, true) => start_a_end_b == Sign::Zero,
        (false, false) => end_a_start_b == Sign::Zero,
        (true, false) => side(p[0], b.triangle) == Sign::Zero,
        (false, true) => side(q[0], a.triangle) == Sign::Zero,
    };
    if single {
        return Some(TriangleIntersection::Point(start));
    }
    let end = if ends_with_b { cut(q[0], q[2], a.triangle) } else { cut(p[0], p[1], b.triangle) };
    Some(TriangleIntersection::Segment(Segment { a: start, b: end }))
}

fn side(p: DVec3, plane: &Triangle) -> Sign {
    orient3d(plane.a, plane.b, plane.c, p)
}

/// Where the edge from `p` to `q`, which are not strictly on one side, cuts the plane of a triangle.
fn cut(p: DVec3, q: DVec3, plane: &Triangle) -> DVec3 {
    cut_fast(p, q, plane).unwrap_or_else(|| cut_exact(p, q, plane))
}

/// The cut in plain arithmetic if that is accurate enough.
///
/// With heights h and k of the ends, both wrong by at most β, the parameter h/(h − k) is wrong by less than
/// 2β/|h − k| + 3ε for small β, and the point on the edge by that times the edge plus two roundings.
fn cut_fast(p: DVec3, q: DVec3, plane: &Triangle) -> Option<DVec3> {
    const ACCURACY: f64 = 1.0 / (1_u64 << 41) as f64;
    let (normal, size) = normal_and_size(plane.a, plane.b, plane.c);
    let (v, w) = (p - plane.a, q - plane.a);
    let permanent = size.dot(v.abs().max(w.abs()));
    let (h, k) = (normal.dot(v), normal.dot(w));
    let bound = ROUNDING_3D * permanent;
    let (reach, length) = (p.abs().max(q.abs()).max_element(), (q - p).abs().max_element());
    let accurate = 2.0 * bound * (length / reach) < ACCURACY * (h - k).abs();
    let opposite = h.abs() > bound && k.abs() > bound && (h > 0.0) != (k > 0.0);
    (permanent > LEAST_PERMANENT && accurate && opposite).then(|| p + (q - p) * (h / (h - k)))
}

#[cold]
#[inline(never)]
fn cut_exact(p: DVec3, q: DVec3, plane: &Triangle) -> DVec3 {
    let [a, b, c] = plane.corners().map(FractionVec3::from);
    let (p, q) = (FractionVec3::from(p), FractionVec3::from(q));
    let normal = (&b - &a).cross(&(&c - &a));
    let (h, k) = (normal.dot(&(&p - &a)), normal.dot(&(&q - &a)));
    if h == k { p.rounded() } else { p.towards(&q, &(&h / &(&h - &k))).rounded() }
}

/// Two triangles that are coplanar or of which one has no area.
fn flat(a: &Triangle, b: &Triangle) -> Option<TriangleIntersection> {
    let corners: Vec<DVec3> = inside_triangle(hull(a), b).iter().map(FractionVec3::rounded).collect();
    match corners[..] {
        [] => None,
        [p] => Some(TriangleIntersection::Point(p)),
        [a, b] => Some(TriangleIntersection::Segment(Segment { a, b })),
        _ => Some(TriangleIntersection::Polygon(corners)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::triangle;

    const FLOOR: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    fn common(p: [[f64; 3]; 3]) -> Option<TriangleIntersection> {
        triangle_intersection(&triangle(FLOOR), &triangle(p))
    }

    #[test]
    fn a_wall_cuts_the_floor_in_a_segment() {
        // The wall x = 1 meets the floor from y = −1 to 5, the floor reaches from y = 0 to 3 there.
        let wall = [[1.0, -1.0, 0.0], [1.0, 5.0, 0.0], [1.0, 0.0, 7.0]];
        let Some(TriangleIntersection::Segment(s)) = common(wall) else { panic!() };
        let mut ends = [s.a, s.b];
        ends.sort_by(|p, q| p.y.total_cmp(&q.y));
        assert_eq!(ends, [DVec3::new(1.0, 0.0, 0.0), DVec3::new(1.0, 3.0, 0.0)]);
    }

    #[test]
    fn a_foot_on_the_floor_is_a_point() {
        let foot = [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [1.0, 2.0, 1.0]];
        assert_eq!(common(foot), Some(TriangleIntersection::Point(DVec3::new(1.0, 1.0, 0.0))));
        assert_eq!(common(foot.map(|[x, y, z]| [x, y, z + 1.0])), None);
    }

    #[test]
    fn two_floors_share_a_polygon() {
        // The floor moved by (−1, −1): x ≥ 0, y ≥ 0 and (x+1) + (y+1) ≤ 4 leave the triangle with legs of 2.
        let moved = FLOOR.map(|[x, y, z]| [x - 1.0, y - 1.0, z]);
        let Some(TriangleIntersection::Polygon(corners)) = common(moved) else { panic!() };
        assert_eq!(corners.len(), 3);
        for p in [DVec3::ZERO, DVec3::X * 2.0, DVec3::Y * 2.0] {
            assert!(corners.contains(&p));
        }
    }

    #[test]
    fn planes_at_a_tiny_angle_are_cut_accurately() {
        // Heights ±1e-12 over x from 0 to 3: z = 0 where x = 1, with ends at y = 0 and 1.
        let ramp = [[0.0, 0.0, -1e-12], [3.0, 0.0, 2e-12], [0.0, 1.5, -1e-12]];
        let Some(TriangleIntersection::Segment(s)) = common(ramp) else { panic!() };
        for end in [s.a, s.b] {
            assert!((end.x - 1.0).abs() < 1e-14 && end.z == 0.0, "{end}");
        }
        assert!((s.a.y - s.b.y).abs() - 1.0 < 1e-14);
    }
}
