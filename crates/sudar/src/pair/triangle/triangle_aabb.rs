//! Triangle and axis-aligned box, segment and axis-aligned box.

use glam::DVec2;

use crate::math::{Sign, orient2d, orient3d};
use crate::pair::boxes::aabb_aabb::aabb_aabb;
use crate::pair::flat::{SHADOWS, Shadow};
use crate::shape::{Aabb, Segment, Triangle};

/// Whether the triangle and the box have a point in common. Exact, for boxes with finite ends.
///
/// By the 13 axes of Akenine-Möller 2001, "Fast 3D triangle-box overlap testing": the box's edges, the triangle's
/// normal, the products of an edge of each. None is computed; which side of the triangle's plane, and of each of
/// its edges seen along each axis, the corners of the box are on is decided by exact orientations.
pub fn triangle_aabb(triangle: &Triangle, aabb: &Aabb) -> bool {
    aabb_aabb(&triangle.aabb(), aabb)
        && !beyond_plane(triangle, aabb)
        && !SHADOWS.iter().any(|&shadow| beyond_an_edge(triangle, aabb, shadow))
}

/// Whether the segment and the box have a point in common. Exact, for boxes with finite ends.
pub fn segment_aabb(segment: &Segment, aabb: &Aabb) -> bool {
    triangle_aabb(&Triangle { a: segment.a, b: segment.b, c: segment.b }, aabb)
}

/// Whether the whole box lies strictly on one side of the triangle's plane.
fn beyond_plane(t: &Triangle, aabb: &Aabb) -> bool {
    let corners = aabb.corners();
    let first = orient3d(t.a, t.b, t.c, corners[0]);
    first != Sign::Zero && corners[1..].iter().all(|&corner| orient3d(t.a, t.b, t.c, corner) == first)
}

/// Whether, seen along one axis, an edge of the triangle has the whole box strictly on one side and the third
/// corner not on that side.
fn beyond_an_edge(t: &Triangle, aabb: &Aabb, shadow: Shadow) -> bool {
    let [a, b, c] = t.corners().map(shadow);
    let (min, max) = (shadow(aabb.min), shadow(aabb.max));
    let rectangle = [min, max, DVec2::new(min.x, max.y), DVec2::new(max.x, min.y)];
    [(a, b, c), (b, c, a), (c, a, b)].iter().any(|&(from, to, third)| {
        let side = orient2d(from, to, rectangle[0]);
        side != Sign::Zero
            && rectangle[1..].iter().all(|&corner| orient2d(from, to, corner) == side)
            && orient2d(from, to, third) != side
    })
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use num_traits::Signed;

    use super::*;
    use crate::math::exact::rational;
    use crate::math::{Rational, RationalVec3};
    use crate::testing::Random;

    const UNIT: Aabb = Aabb { min: DVec3::ZERO, max: DVec3::ONE };

    #[test]
    fn a_plane_that_just_touches_a_corner() {
        // x + y + z = 3 touches the corner (1, 1, 1); a bit outward it does not.
        let cut = |offset: f64| Triangle { a: DVec3::X * offset, b: DVec3::Y * offset, c: DVec3::Z * offset };
        for exponent in [-200, -60, 0, 60, 200] {
            let k = f64::powi(2.0, exponent);
            let cube = Aabb { min: DVec3::ZERO, max: DVec3::splat(k) };
            assert!(triangle_aabb(&cut(3.0 * k), &cube));
            assert!(!triangle_aabb(&cut((3.0 * k).next_up()), &cube));
        }
    }

    #[test]
    fn a_segment_that_just_touches_an_edge() {
        // In the plane z = ½ from (0, 2) to (2, 0), through the edge at (1, 1).
        let s = |up: f64| Segment { a: DVec3::new(0.0, up, 0.5), b: DVec3::new(2.0, 0.0, 0.5) };
        assert!(segment_aabb(&s(2.0), &UNIT) && !segment_aabb(&s(2.0f64.next_up()), &UNIT));
        let inside = Segment { a: DVec3::splat(0.5), b: DVec3::splat(0.5) };
        assert!(segment_aabb(&inside, &UNIT) && !segment_aabb(&inside, &Aabb::EMPTY));
    }

    /// Whether clipping the hull of the points by the six planes of the box, in exact arithmetic, leaves anything.
    fn clipped_exactly(points: &[DVec3], aabb: &Aabb) -> bool {
        let mut polygon: Vec<RationalVec3> = points.iter().map(|&p| p.into()).collect();
        for axis in 0..3 {
            for (sign, bound) in [(1.0, aabb.max[axis]), (-1.0, -aabb.min[axis])] {
                let coordinate = |p: &RationalVec3| [&p.x, &p.y, &p.z][axis].clone() * rational(sign);
                let over = |p: &RationalVec3| -> Rational { coordinate(p) - rational(bound) };
                let mut kept = Vec::new();
                for (i, p) in polygon.iter().enumerate() {
                    let q = &polygon[(i + 1) % polygon.len()];
                    let (h, k) = (over(p), over(q));
                    if !h.is_positive() {
                        kept.push(p.clone());
                    }
                    if (h.is_positive() && k.is_negative()) || (h.is_negative() && k.is_positive()) {
                        kept.push(p.towards(q, &(&h / (&h - &k))));
                    }
                }
                polygon = kept;
            }
        }
        !polygon.is_empty()
    }

    #[test]
    fn exact_clipping_agrees_on_a_grid() {
        let mut random = Random::new(12);
        let mut hits = [0, 0];
        for case in 0..6000 {
            let [a, b, mut c] = random.grid_points(4);
            if case % 4 == 0 {
                c = b;
            }
            let aabb = Aabb::around(random.grid_points::<2>(2));
            let found = triangle_aabb(&Triangle { a, b, c }, &aabb);
            assert_eq!(found, clipped_exactly(&[a, b, c], &aabb), "{a} {b} {c} {aabb:?}");
            hits[usize::from(found)] += 1;
        }
        assert!(hits.iter().all(|&n| n > 1000), "{hits:?}");
    }
}
