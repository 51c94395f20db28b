//! Point and triangle.

use glam::DVec3;

use crate::math::{Sign, orient2d, orient3d};
use crate::pair::flat::{as_segment, shadow_of_plane};
use crate::pair::nearest::{Nearest, locally};
use crate::pair::point_segment::{foot_on_segment, point_segment};
use crate::shape::Triangle;

/// Height over the longest edge, squared, below which a triangle counts as a needle: its edges are tested even
/// when the foot seems to lie inside.
const NEEDLE: f64 = 1e-12;

/// How far a foot may seem to lie outside, as a weight, for its place to be computed more precisely.
const DOUBT: f64 = 1e-3;

/// The point of the triangle nearest to `p` (`a` of the answer is `p`).
///
/// The foot of the perpendicular on the plane if it falls inside, else the nearest point of the three edges. A
/// triangle of zero area is treated as the segment or point that it is. Regions as in Ericson 2005, "Real-Time
/// Collision Detection", §5.1.5, but without trusting signs where they are doubtful: in a needle the edges are
/// always compared, and the foot is improved from what it leaves over. The distance is right within a few ulp of
/// the largest coordinate difference; within 1e-11 of it for needles thinner than 1e-9 of their length.
pub fn closest_point_triangle(p: DVec3, triangle: &Triangle) -> Nearest {
    let [a, b, c] = triangle.corners();
    locally([p, a, b, c], |[p, a, b, c]| Nearest::between(p, foot_on_triangle(p, [a, b, c])))
}

/// Whether the point lies on the triangle, its boundary included. Exact.
pub fn point_triangle(p: DVec3, triangle: &Triangle) -> bool {
    let [a, b, c] = triangle.corners();
    if !triangle.aabb().contains(p) || orient3d(a, b, c, p) != Sign::Zero {
        return false;
    }
    if let Some(segment) = as_segment(triangle) {
        return point_segment(p, &segment);
    }
    let shadow = shadow_of_plane(triangle);
    let [a, b, c, p] = [a, b, c, p].map(shadow);
    let outside = -orient2d(a, b, c);
    [(a, b), (b, c), (c, a)].iter().all(|&(from, to)| orient2d(from, to, p) != outside)
}

/// The point of the triangle nearest to `p`, for coordinates of moderate size.
pub fn foot_on_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let normal = ab.cross(ac);
    let longest = ab.length_squared().max(ac.length_squared()).max(bc.length_squared());
    let inside = foot_inside(p, [a, b, c], normal);
    if let Some(foot) = inside
        && normal.length_squared() > NEEDLE * longest * longest
    {
        return foot;
    }
    let edges = [(a, b), (b, c), (c, a)].map(|(from, to)| foot_on_segment(p, from, to));
    edges.into_iter().chain(inside).fold(a, |best, foot| {
        if (foot - p).length_squared() < (best - p).length_squared() { foot } else { best }
    })
}

/// The foot of the perpendicular from `p` on the plane of the triangle, if it falls inside: a mean of the
/// corners weighted by the areas that `p` makes with the opposite edges, so it is on the triangle for certain.
#[inline]
pub fn foot_inside(p: DVec3, [a, b, c]: [DVec3; 3], normal: DVec3) -> Option<DVec3> {
    let (ap, bp, cp) = (p - a, p - b, p - c);
    let weight_a = normal.dot(bp.cross(cp));
    let weight_b = normal.dot(cp.cross(ap));
    let weight_c = normal.dot(ap.cross(bp));
    let sum = weight_a + weight_b + weight_c;
    let roughly_inside = sum > 0.0 && weight_a.min(weight_b).min(weight_c) >= -DOUBT * sum;
    if !roughly_inside {
        return None;
    }
    // Seen from the nearest corner, coordinates are smallest and round least.
    let (aa, bb, cc) = (ap.length_squared(), bp.length_squared(), cp.length_squared());
    if aa <= bb && aa <= cc {
        improved_foot(ap, a, (b - a, c - a), normal, (weight_b / sum, weight_c / sum))
    } else if bb <= cc {
        improved_foot(bp, b, (c - b, a - b), normal, (weight_c / sum, weight_a / sum))
    } else {
        improved_foot(cp, c, (a - c, b - c), normal, (weight_a / sum, weight_b / sum))
    }
}

/// The foot with about the weights `v` and `w` of the corners at `u1` and `u2` from the corner `base`, if inside,
/// corrected twice by what is left in the plane between it and the point at `offset`: that is small, so its weights
/// come out with small errors, however thin the triangle.
#[inline]
fn improved_foot(
    offset: DVec3,
    base: DVec3,
    (u1, u2): (DVec3, DVec3),
    normal: DVec3,
    (mut v, mut w): (f64, f64),
) -> Option<DVec3> {
    let square = normal.length_squared();
    for _ in 0..2 {
        let left = offset - (u1 * v + u2 * w);
        v += normal.dot(left.cross(u2)) / square;
        w += normal.dot(u1.cross(left)) / square;
    }
    (v >= 0.0 && w >= 0.0 && v + w <= 1.0).then(|| base + (u1 * v + u2 * w))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::exact_distance::squared_distance_to_triangle;
    use crate::testing::Random;

    const UNIT: Triangle = Triangle { a: DVec3::ZERO, b: DVec3::X, c: DVec3::Y };

    #[test]
    fn each_of_the_seven_regions_answers() {
        let at = |x, y| closest_point_triangle(DVec3::new(x, y, 2.0), &UNIT).b;
        assert_eq!(at(0.25, 0.25), DVec3::new(0.25, 0.25, 0.0));
        assert_eq!(at(-1.0, -1.0), DVec3::ZERO);
        assert_eq!(at(3.0, -1.0), DVec3::X);
        assert_eq!(at(-1.0, 3.0), DVec3::Y);
        assert_eq!(at(0.5, -1.0), DVec3::new(0.5, 0.0, 0.0));
        assert_eq!(at(-1.0, 0.5), DVec3::new(0.0, 0.5, 0.0));
        assert_eq!(at(1.0, 1.0), DVec3::new(0.5, 0.5, 0.0));
    }

    #[test]
    fn a_degenerate_triangle_is_its_longest_segment() {
        // All corners on the x axis from 0 to 2, the point 0.17 above it.
        let p = DVec3::new(1.5, 0.17, 0.0);
        for [a, b, c] in [[0.0, 1.0, 2.0], [1.0, 0.0, 2.0], [2.0, 0.0, 0.0]] {
            let flat = Triangle { a: DVec3::X * a, b: DVec3::X * b, c: DVec3::X * c };
            assert!((closest_point_triangle(p, &flat).distance() - 0.17).abs() < 1e-16);
            assert!(point_triangle(DVec3::X * 1.5, &flat) && !point_triangle(p, &flat));
        }
        let point = Triangle { a: DVec3::X, b: DVec3::X, c: DVec3::X };
        assert_eq!(closest_point_triangle(DVec3::ZERO, &point).distance_squared, 1.0);
        assert!(point_triangle(DVec3::X, &point) && !point_triangle(DVec3::ZERO, &point));
    }

    #[test]
    fn incidence_is_exact_at_the_boundary() {
        assert!(point_triangle(DVec3::new(0.5, 0.5, 0.0), &UNIT));
        assert!(!point_triangle(DVec3::new(0.5, 0.5f64.next_up(), 0.0), &UNIT));
        assert!(!point_triangle(DVec3::new(0.25, 0.25, f64::MIN_POSITIVE), &UNIT));
    }

    #[test]
    fn scale_does_not_matter() {
        let p = DVec3::new(0.3, 0.25, 0.7);
        let base = closest_point_triangle(p, &UNIT);
        for exponent in [-290, -200, -100, 100, 200, 290] {
            let k = f64::powi(2.0, exponent);
            let scaled = Triangle { a: UNIT.a * k, b: UNIT.b * k, c: UNIT.c * k };
            let found = closest_point_triangle(p * k, &scaled);
            assert_eq!((found.b, found.distance_squared), (base.b * k, base.distance_squared * k * k));
        }
    }

    #[test]
    fn the_exact_distance_agrees_however_thin_the_triangle() {
        let mut random = Random::new(21);
        for case in 0..4000 {
            let [a, b] = random.points();
            let thin = f64::powi(10.0, -(case % 18));
            let c = a + (b - a) * random.number() + random.point() * thin;
            let p = a + (b - a) * random.number() + random.point() * f64::powi(10.0, -(case / 18 % 17));
            let triangle = Triangle { a, b, c };
            let exact = squared_distance_to_triangle(p, &triangle).to_f64().sqrt();
            let found = closest_point_triangle(p, &triangle).distance();
            let bound = if thin < 1e-8 { 1e-11 } else { 5e-15 };
            assert!((found - exact).abs() < bound, "{found} {exact} in case {case}");
        }
    }

    #[test]
    fn sampling_finds_nothing_closer() {
        let mut random = Random::new(1);
        for _ in 0..500 {
            let t = Triangle::from(random.points());
            let p = random.point() * 2.0;
            let found = closest_point_triangle(p, &t).distance();
            for i in 0..=20 {
                for j in 0..=20 - i {
                    let (u, v) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
                    let q = t.a + (t.b - t.a) * u + (t.c - t.a) * v;
                    assert!(found <= q.distance(p) + 1e-14);
                }
            }
        }
    }
}
