//! Distance of a triangle from a segment or a triangle.

use glam::DVec3;

use super::point_triangle::foot_inside;
use crate::math::{Interval, sized};
use crate::pair::nearest::{Nearest, gap_along, in_order, locally, restored};
use crate::pair::segment_segment::segments_nearest;
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
/// [`closest_points_segments`](crate::pair::closest_points_segments) and
/// [`closest_point_triangle`](crate::pair::closest_point_triangle): a few ulp of the coordinate differences.
/// [`disjoint_triangle_distance_bounds`] proves it for a given case.
pub fn disjoint_triangle_distance(first: &Triangle, second: &Triangle) -> Nearest {
    let (p, q) = (first.corners(), second.corners());
    if in_order(p, q) { nearest(p, q) } else { nearest(q, p).swapped() }
}

/// [`disjoint_triangle_distance`], and an interval that surely holds the true distance, for triangles that do not
/// intersect.
///
/// The interval reaches from a gap seen along some direction to the distance of the points. The directions
/// are the one between the points and, where that leaves more than rounding open, the normals of the
/// triangles, of all pairs of their edges, and of each edge in the direction between the points. So it is
/// narrow, some 1e-14 of the largest coordinate difference, also for triangles so close that this direction
/// is mostly rounding. Half a microsecond more, mostly less.
pub fn disjoint_triangle_distance_bounds(first: &Triangle, second: &Triangle) -> (Nearest, Interval) {
    let (p, q) = (first.corners(), second.corners());
    if in_order(p, q) {
        return bounds(p, q);
    }
    let (found, bounds) = bounds(q, p);
    (found.swapped(), bounds)
}

fn bounds([a, b, c]: [DVec3; 3], [d, e, f]: [DVec3; 3]) -> (Nearest, Interval) {
    let points = [a, b, c, d, e, f];
    // Shifted corners are off by half an ulp of the differences, for which the certificate leaves room.
    let local = points.map(|p| p - a);
    let [a, b, c, d, e, f] = local;
    let found = nearest([a, b, c], [d, e, f]);
    (restored(&found, &local, &points), certify(&found, &[a, b, c], &[d, e, f]))
}

/// An interval this wide, in coordinate differences, is mostly what [`Nearest::certified`] allows for
/// rounding, which is up to 8√3 + 16 + 32 times epsilon: no other direction makes it much narrower.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

fn certify(found: &Nearest, p: &[DVec3; 3], q: &[DVec3; 3]) -> Interval {
    let direct = found.certified(p, q, &[]);
    let reach = p.iter().chain(q).fold(0.0, |m: f64, x| m.max(x.abs().max_element()));
    if direct.width() <= ROUNDING * reach {
        return direct;
    }
    found.certified(p, q, &hints(found, p, q))
}

/// Directions along which two triangles may be seen apart, besides the one between their nearest points.
fn hints(found: &Nearest, p: &[DVec3; 3], q: &[DVec3; 3]) -> [DVec3; 17] {
    let directions = |t: &[DVec3; 3]| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let (u, v) = (directions(p), directions(q));
    let mut hints = [DVec3::ZERO; 17];
    for (i, hint) in hints[..9].iter_mut().enumerate() {
        *hint = sized(u[i / 3]).cross(sized(v[i % 3]));
    }
    hints[9] = sized(u[0]).cross(sized(u[1]));
    hints[10] = sized(v[0]).cross(sized(v[1]));
    // Where an edge and a corner are nearest, what counts is that the direction be normal to the edge.
    let way = sized(found.b - found.a);
    for (i, edge) in u.into_iter().chain(v).enumerate() {
        let edge = sized(edge);
        hints[11 + i] = way - edge * (way.dot(edge) / edge.length_squared().max(1.0));
    }
    hints
}

/// The direction, of any length, along which the widest gap is seen between triangles that do not intersect,
/// whose nearest points are given. It leads from the first to the second.
pub(crate) fn widest_direction(first: &Triangle, second: &Triangle, found: &Nearest) -> DVec3 {
    let (p, q) = (first.corners(), second.corners());
    let (seen_p, seen_q) = (p.map(|x| x - p[0]), q.map(|x| x - p[0]));
    let way = found.b - found.a;
    let (mut best, mut widest) = (way, gap_along(&seen_p, &seen_q, seen_p[0], way));
    for hint in hints(found, &seen_p, &seen_q) {
        let gap = gap_along(&seen_p, &seen_q, seen_p[0], hint);
        if gap > widest {
            (best, widest) = (hint, gap);
        }
    }
    if best.dot(seen_q[0]) < 0.0 { -best } else { best }
}

/// The nearest points of a segment and a triangle that do not intersect, under the same conditions.
pub fn disjoint_segment_triangle_distance(segment: &Segment, triangle: &Triangle) -> Nearest {
    let [a, b, c] = triangle.corners();
    locally([segment.a, segment.b, a, b, c], |[p, q, a, b, c]| hulls_nearest(&[p, q], &[a, b, c]))
}

fn nearest([a, b, c]: [DVec3; 3], [d, e, f]: [DVec3; 3]) -> Nearest {
    locally([a, b, c, d, e, f], |[a, b, c, d, e, f]| hulls_nearest(&[a, b, c], &[d, e, f]))
}

/// The nearest points of two disjoint hulls of two or three corners each, seen from near by.
fn hulls_nearest(first: &[DVec3], second: &[DVec3]) -> Nearest {
    let reach = first.iter().chain(second).fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
    let mut best: Option<Nearest> = None;
    for (edge, third) in edges(first) {
        for (other, other_third) in edges(second) {
            let found = segments_nearest(edge, other);
            if separates(&found, third, other_third, reach) {
                return found;
            }
            best = Some(best.map_or(found, |best| best.or_closer(found)));
        }
    }
    let faces = [nearest_to_face(first, second).map(Nearest::swapped), nearest_to_face(second, first)];
    let best = faces.into_iter().flatten().chain(best).reduce(Nearest::or_closer);
    best.unwrap_or(Nearest::between(first[0], second[0]))
}

/// The edges of a segment or triangle, each with the third corner (of a segment: its first end).
fn edges(corners: &[DVec3]) -> impl Iterator<Item = ([DVec3; 2], DVec3)> {
    let count = corners.len();
    let edges = if count == 2 { 1 } else { count };
    (0..edges).map(move |i| ([corners[i], corners[(i + 1) % count]], corners[(i + 2) % count]))
}

/// Whether the planes through the nearest points of two edges, normal to the line between them, surely have the
/// third corners on the far sides. Then no other points of the triangles are nearer, as none of the edges are.
///
/// The direction between points that are close is known only roughly, as they are rounded. Then the corners must
/// be beyond by more than this may amount to; else an error in it costs no more than the rounding anyway.
#[inline]
fn separates(found: &Nearest, third: DVec3, other_third: DVec3, reach: f64) -> bool {
    let close = found.distance_squared < 0.01 * reach * reach;
    let margin = if close { 64.0 * f64::EPSILON * reach * reach } else { 0.0 };
    let direction = found.b - found.a;
    direction.dot(third - found.a) <= -margin && direction.dot(other_third - found.b) >= margin
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
    use crate::pair::exact_distance::{squared_distance_of_segments, squared_distance_to_triangle};
    use crate::pair::{closest_point_triangle, closest_points_segments};
    use crate::testing::Random;

    const UNIT: Triangle = Triangle { a: DVec3::ZERO, b: DVec3::X, c: DVec3::Y };

    fn moved(t: &Triangle, by: DVec3) -> Triangle {
        Triangle { a: t.a + by, b: t.b + by, c: t.c + by }
    }

    #[test]
    fn known_distances() {
        // A corner over a face, two faces parallel, a corner to a corner, crossed edges one apart.
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

    fn exact_distance(p: &[DVec3; 3], q: &[DVec3; 3]) -> f64 {
        let mut best = squared_distance_to_triangle(p[0], &Triangle::from(*q));
        for i in 0..3 {
            best = best.min(squared_distance_to_triangle(p[i], &Triangle::from(*q)));
            best = best.min(squared_distance_to_triangle(q[i], &Triangle::from(*p)));
            for j in 0..3 {
                best = best.min(squared_distance_of_segments([p[i], p[(i + 1) % 3]], [q[j], q[(j + 1) % 3]]));
            }
        }
        best.to_f64().sqrt()
    }

    #[test]
    fn the_exact_distance_agrees_close_by_and_far_from_the_origin() {
        let mut random = Random::new(22);
        let mut seen = 0;
        for case in 0..450 {
            // Almost parallel triangles at a small gap, the first tilted against the second by a small angle.
            let gap = f64::powi(10.0, -(case % 15));
            let tilt = f64::powi(10.0, -(case / 15 % 15));
            let away = if case % 2 == 0 { DVec3::ZERO } else { random.point() * 1e6 };
            let mut flat = |z: f64| random.points::<3>().map(|p| DVec3::new(p.x, p.y, z + p.z * tilt) + away);
            let (p, q) = (flat(0.0), flat(gap));
            let (first, second) = (Triangle::from(p), Triangle::from(q));
            if crate::pair::triangles_intersect(&first, &second) {
                continue;
            }
            seen += 1;
            let (nearest, bounds) = disjoint_triangle_distance_bounds(&first, &second);
            let (found, exact) = (nearest.distance(), exact_distance(&p, &q));
            assert_eq!(nearest, disjoint_triangle_distance(&first, &second));
            assert!(bounds.contains(exact) && bounds.width() < 5e-14, "{bounds:?} {exact} in case {case}");
            assert!((found - exact).abs() < 5e-15, "{found} {exact} in case {case}");
        }
        assert!(seen > 150, "{seen}");
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
