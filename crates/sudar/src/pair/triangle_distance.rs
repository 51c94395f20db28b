//! Distance of a triangle from a segment or a triangle.

use glam::DVec3;

use super::nearest::{Nearest, at_safe_scale, in_order};
use super::point_triangle::foot_inside;
use super::segment_segment::segments_nearest;
use crate::shape::{Segment, Triangle};

/// The nearest points of two triangles that do not intersect.
///
/// They lie on two edges, or one of them is a corner and the other inside a face: nine pairs of edges and six
/// of a corner and a face (Larsen, Gottschalk, Lin and Manocha 1999, "Fast proximity queries with swept sphere
/// volumes"). The first pair that is separated by the planes through its points is the answer. Triangles of zero
/// area are treated as the segments or points they are. For triangles that do intersect the points are on
/// both boundaries, and mean nothing else: test that first.
///
/// Swapping the triangles swaps the points, to the bit. Accuracy as of
/// [`closest_points_segments`](super::closest_points_segments) and
/// [`closest_point_triangle`](super::closest_point_triangle): a few ulp of the coordinate differences.
/// [`Nearest::certified`] proves it for a given case.
pub fn disjoint_triangle_distance(first: &Triangle, second: &Triangle) -> Nearest {
    let (p, q) = (first.corners(), second.corners());
    if in_order(p, q) { nearest(p, q) } else { nearest(q, p).swapped() }
}

/// The nearest points of a segment and a triangle that do not intersect, under the same conditions.
pub fn disjoint_segment_triangle_distance(segment: &Segment, triangle: &Triangle) -> Nearest {
    let [a, b, c] = triangle.corners();
    at_safe_scale([segment.a, segment.b, a, b, c], |[p, q, a, b, c]| hulls_nearest(&[p, q], &[a, b, c]))
}

fn nearest([a, b, c]: [DVec3; 3], [d, e, f]: [DVec3; 3]) -> Nearest {
    at_safe_scale([a, b, c, d, e, f], |[a, b, c, d, e, f]| hulls_nearest(&[a, b, c], &[d, e, f]))
}

/// The nearest points of two disjoint hulls of two or three corners each, for coordinates of moderate size.
fn hulls_nearest(first: &[DVec3], second: &[DVec3]) -> Nearest {
    let mut best: Option<Nearest> = None;
    for edge in edges(first) {
        for other in edges(second) {
            let found = segments_nearest(edge, other);
            if separates(&found, first, second) {
                return found;
            }
            best = Some(best.map_or(found, |best| best.or_closer(found)));
        }
    }
    let faces = [nearest_to_face(first, second).map(Nearest::swapped), nearest_to_face(second, first)];
    let best = faces.into_iter().flatten().chain(best).reduce(Nearest::or_closer);
    best.unwrap_or(Nearest::between(first[0], second[0]))
}

/// The edges of a segment or triangle.
fn edges(corners: &[DVec3]) -> impl Iterator<Item = [DVec3; 2]> {
    let count = if corners.len() == 2 { 1 } else { corners.len() };
    (0..count).map(move |i| [corners[i], corners[(i + 1) % corners.len()]])
}

/// Whether the planes through the two points, normal to the line between them, hold the hulls apart. Then no
/// other points can be nearer.
#[inline]
fn separates(found: &Nearest, first: &[DVec3], second: &[DVec3]) -> bool {
    let direction = found.b - found.a;
    found.distance_squared > 0.0
        && first.iter().all(|&p| direction.dot(p - found.a) <= 0.0)
        && second.iter().all(|&p| direction.dot(p - found.b) >= 0.0)
}

/// The nearest pair of a corner of `corners` and a point inside `face` under it, if there is one.
fn nearest_to_face(corners: &[DVec3], face: &[DVec3]) -> Option<Nearest> {
    let &[a, b, c] = face else { return None };
    let normal = (b - a).cross(c - a);
    let over = corners.iter().filter_map(|&p| {
        let foot = foot_inside(p, [a, b, c], normal)?;
        Some(Nearest::between(foot, p))
    });
    over.reduce(Nearest::or_closer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::testing::Random;
    use crate::pair::{closest_point_triangle, closest_points_segments};

    const UNIT: Triangle = Triangle { a: DVec3::ZERO, b: DVec3::X, c: DVec3::Y };

    fn moved(t: &Triangle, by: DVec3) -> Triangle {
        Triangle { a: t.a + by, b: t.b + by, c: t.c + by }
    }

    #[test]
    fn known_distances() {
        // A corner above a face, two faces parallel, a corner to a corner, crossed edges one apart.
        let corner =
            Triangle { a: DVec3::new(0.25, 0.25, 2.0), b: DVec3::new(0.0, 0.0, 5.0), c: DVec3::Z * 6.0 };
        assert_eq!(disjoint_triangle_distance(&UNIT, &corner).distance(), 2.0);
        assert_eq!(disjoint_triangle_distance(&UNIT, &moved(&UNIT, DVec3::Z)).distance(), 1.0);
        assert_eq!(
            disjoint_triangle_distance(&UNIT, &moved(&UNIT, DVec3::new(4.0, 4.0, 0.0))).distance(),
            24.5f64.sqrt()
        );
        let wing = |a: [f64; 3], b: [f64; 3], c: [f64; 3]| Triangle { a: a.into(), b: b.into(), c: c.into() };
        let low = wing([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]);
        let high = wing([0.0, -1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 2.0]);
        let found = disjoint_triangle_distance(&low, &high);
        assert_eq!((found.a, found.b), (DVec3::ZERO, DVec3::Z));
    }

    #[test]
    fn the_certificate_confirms_random_pairs() {
        let mut random = Random::new(4);
        for case in 0..3000 {
            let p: [DVec3; 3] = random.points();
            let apart = DVec3::X * (2.0 + random.number().abs());
            let mut q: [DVec3; 3] = random.points::<3>().map(|q| q + apart);
            if case % 3 == 0 {
                q[2] = q[1]; // a segment
            }
            let (first, second) = (Triangle::from(p), Triangle::from(q));
            let found = disjoint_triangle_distance(&first, &second);
            let interval = found.certified(&p, &q, &[first.scaled_normal(), second.scaled_normal()]);
            // Sound in theory for any points; narrow only when the points are right.
            assert!(
                interval.contains(found.distance()) && interval.width() < 1e-11,
                "{interval:?} in case {case}"
            );
            assert_eq!(disjoint_triangle_distance(&second, &first), found.swapped());
        }
    }

    #[test]
    fn all_fifteen_feature_pairs_agree_with_the_early_exits() {
        let mut random = Random::new(5);
        for _ in 0..3000 {
            let p: [DVec3; 3] = random.grid_points(3);
            let q: [DVec3; 3] = random.grid_points::<3>(3).map(|q| q + DVec3::new(4.0, 3.0, 0.0));
            let (first, second) = (Triangle::from(p), Triangle::from(q));
            if crate::pair::triangles_intersect(&first, &second) {
                continue;
            }
            let mut expected = f64::INFINITY;
            for i in 0..3 {
                for j in 0..3 {
                    let (a, b) =
                        (Segment { a: p[i], b: p[(i + 1) % 3] }, Segment { a: q[j], b: q[(j + 1) % 3] });
                    expected = expected.min(closest_points_segments(&a, &b).distance());
                }
                expected = expected.min(closest_point_triangle(p[i], &second).distance());
                expected = expected.min(closest_point_triangle(q[i], &first).distance());
            }
            let found = disjoint_triangle_distance(&first, &second).distance();
            assert!((found - expected).abs() < 1e-13, "{found} {expected}");
        }
    }

    #[test]
    fn a_segment_is_a_triangle_with_a_double_corner() {
        let mut random = Random::new(6);
        for _ in 0..500 {
            let t = Triangle::from(random.points());
            let [a, b] = random.points::<2>().map(|p| p + DVec3::X * 2.5);
            let found = disjoint_segment_triangle_distance(&Segment { a, b }, &t).distance();
            let doubled = disjoint_triangle_distance(&Triangle { a, b, c: b }, &t).distance();
            assert!((found - doubled).abs() < 1e-14);
        }
    }

    #[test]
    fn scale_does_not_matter() {
        let second = Triangle::from([[3.0, 0.1, 0.2], [2.5, 1.3, 1.0], [4.0, 0.0, 3.0]].map(DVec3::from));
        let base = disjoint_triangle_distance(&UNIT, &second);
        for exponent in [-290, -200, -100, 100, 200, 290] {
            let k = f64::powi(2.0, exponent);
            let scaled = |t: &Triangle| Triangle::from(t.corners().map(|p| p * k));
            let found = disjoint_triangle_distance(&scaled(&UNIT), &scaled(&second));
            assert_eq!((found.a, found.b), (base.a * k, base.b * k));
        }
    }
}
