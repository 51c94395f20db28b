//! Ray and triangle.

use glam::DVec3;

use super::ray_segment::{EdgeSide, NearEdges, edge_side_fast, meet_plane_exactly, ray_segment};
use crate::math::predicates::{ROUNDING_3D, normal_and_size};
use crate::math::{Determinant, Sign, orient3d};
use crate::pair::triangle::point_triangle::point_triangle;
use crate::shape::{Ray, Segment, Triangle};

/// Relative error from which on the parameter and weights of a hit are computed in exact arithmetic instead.
const WORST_ERROR: f64 = 1e-9;

/// Where a ray meets a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayTriangleHit {
    /// Parameter of the point, in units of the length of the ray's direction.
    pub t: f64,
    /// Weights of the corners `a`, `b`, `c` that give the point; zero or more, their sum 1 up to rounding.
    pub weights: [f64; 3],
    /// Whether the ray comes from the front: the side from which the corners are counter-clockwise. False also
    /// for rays in the plane and triangles of zero area.
    pub front: bool,
}

/// The first point of the triangle, boundary included, on the ray, if its parameter is at most `max`.
///
/// Whether the ray meets the triangle is exact: its line passes the three edges on the same side, by the exact
/// signs of `direction · ((p − origin) × (q − origin))`, and the origin lies before the plane. So no ray slips
/// between two triangles that share an edge or corner. Rays in the plane and triangles of zero area are met where
/// the ray exactly meets an edge; a ray that starts on the triangle meets it at 0. The parameter has a relative
/// error below 1e-9, mostly a few ulp: where cancellation costs more, it is computed in exact arithmetic.
///
/// The idea to decide by signs of edges alone is that of Woop, Benthin and Wald 2013, "Watertight ray/triangle
/// intersection".
#[inline]
pub fn ray_triangle(ray: &Ray, triangle: &Triangle, max: f64) -> Option<RayTriangleHit> {
    ray_triangle_near(ray, triangle, max, &mut NearEdges::new())
}

/// The same for many triangles and one ray, whose edges are remembered.
#[inline]
pub(crate) fn ray_triangle_near(
    ray: &Ray,
    triangle: &Triangle,
    max: f64,
    near: &mut NearEdges,
) -> Option<RayTriangleHit> {
    let [a, b, c] = triangle.corners();
    let edges = [(b, c), (c, a), (a, b)];
    let fast = [edge_side_fast(ray, b, c), edge_side_fast(ray, c, a), edge_side_fast(ray, a, b)];
    let mut slope = fast.iter().flatten().try_fold(Sign::Zero, |slope, side| joint(slope, side.sign))?;
    let is_sure = fast.iter().all(Option::is_some);
    // Exact sides take longer than to see that the triangle is out of reach.
    if !is_sure && is_out_of_reach(ray, &[a, b, c], max) {
        return None;
    }
    let mut sides = [EdgeSide::ZERO; 3];
    for ((side, fast), (p, q)) in sides.iter_mut().zip(fast).zip(edges) {
        *side = fast.unwrap_or_else(|| near.side(ray, p, q));
        slope = joint(slope, side.sign)?;
    }
    if slope == Sign::Zero {
        return hit_in_plane(ray, triangle, max);
    }
    let height = orient3d(a, b, c, ray.origin);
    if height == slope {
        return None;
    }
    let (t, weights) = if height == Sign::Zero {
        (0.0, normalized(&sides))
    } else {
        parameter(ray, triangle, &sides).or_else(|| meet_plane_exactly(ray, [a, b, c]))?
    };
    (t <= max).then_some(RayTriangleHit { t, weights, front: slope == Sign::Negative })
}

/// The sign that two have in common, where zero goes with either; `None` of opposite ones.
#[inline]
fn joint(a: Sign, b: Sign) -> Option<Sign> {
    match (a, b) {
        (Sign::Zero, other) => Some(other),
        _ => (b == Sign::Zero || b == a).then_some(a),
    }
}

/// The point where the ray meets the triangle, by Möller and Trumbore 1997, "Fast, minimum storage ray/triangle
/// intersection": barycentric coordinates by Cramer's rule in plain `f64`.
///
/// The classic, for comparison: rounding may lose a ray at a shared edge, rays in the plane and triangles of
/// zero area are never met. [`ray_triangle`] has no such gaps.
///
/// ```
/// use sudar::pair::ray_triangle_moller_trumbore;
/// use sudar::{DVec3, Ray, Triangle};
///
/// let floor = Triangle { a: DVec3::ZERO, b: DVec3::X, c: DVec3::Y };
/// let down = Ray { origin: DVec3::new(0.25, 0.25, 2.0), direction: -DVec3::Z };
/// assert!(ray_triangle_moller_trumbore(&down, &floor, 9.0).is_some_and(|hit| hit.t == 2.0));
/// ```
pub fn ray_triangle_moller_trumbore(ray: &Ray, triangle: &Triangle, max: f64) -> Option<RayTriangleHit> {
    let (ab, ac) = (triangle.b - triangle.a, triangle.c - triangle.a);
    let p = ray.direction.cross(ac);
    let determinant = ab.dot(p);
    if determinant == 0.0 {
        return None;
    }
    let from_a = ray.origin - triangle.a;
    let weight_b = from_a.dot(p) / determinant;
    let q = from_a.cross(ab);
    let weight_c = ray.direction.dot(q) / determinant;
    let t = ac.dot(q) / determinant;
    let inside = weight_b >= 0.0 && weight_c >= 0.0 && weight_b + weight_c <= 1.0;
    let weights = [1.0 - weight_b - weight_c, weight_b, weight_c];
    (inside && t >= 0.0 && t <= max).then_some(RayTriangleHit { t, weights, front: determinant > 0.0 })
}

/// Parameter and weights by `f64`; `None` if they might be off by more than [`WORST_ERROR`].
fn parameter(ray: &Ray, triangle: &Triangle, sides: &[EdgeSide; 3]) -> Option<(f64, [f64; 3])> {
    const ENOUGH: f64 = WORST_ERROR / 4.0;
    let (normal, size) = normal_and_size(triangle.a, triangle.b, triangle.c);
    let way = triangle.a - ray.origin;
    let (height, height_doubt) = (normal.dot(way), ROUNDING_3D * size.dot(way.abs()));
    let height = if height_doubt < ENOUGH * height.abs() {
        height
    } else {
        -Determinant::of_points([triangle.a, triangle.b, triangle.c, ray.origin])?.value()
    };
    let slope: f64 = sides.iter().map(|side| side.value).sum();
    let doubt: f64 = sides.iter().map(|side| side.doubt + f64::EPSILON * side.value.abs()).sum();
    if doubt < ENOUGH * slope.abs() {
        return Some((height / slope, normalized(sides)));
    }
    // From afar a small triangle loses its digits in the determinants of its edges, not in its own normal.
    let (slope, doubt) = (normal.dot(ray.direction), ROUNDING_3D * size.dot(ray.direction.abs()));
    let t = height / slope;
    let weights = areas(ray.at(t), triangle);
    (doubt < ENOUGH * slope.abs() && weights[0].is_finite()).then_some((t, weights))
}

/// The weights that the edges' determinants mean: none has another sign than their sum.
fn normalized(sides: &[EdgeSide; 3]) -> [f64; 3] {
    let sum: f64 = sides.iter().map(|side| side.value).sum();
    [sides[0].value / sum, sides[1].value / sum, sides[2].value / sum]
}

/// Where the ray meets a triangle in its own plane or one without area.
fn hit_in_plane(ray: &Ray, triangle: &Triangle, max: f64) -> Option<RayTriangleHit> {
    let [a, b, c] = triangle.corners();
    let on_edge = |from: usize, to: usize, p: DVec3, q: DVec3| {
        let hit = ray_segment(ray, &Segment { a: p, b: q }, max)?;
        let mut weights = [0.0; 3];
        weights[to] = hit.s;
        weights[from] += 1.0 - hit.s;
        Some(RayTriangleHit { t: hit.t, weights, front: false })
    };
    if max >= 0.0 && point_triangle(ray.origin, triangle) {
        return Some(RayTriangleHit { t: 0.0, weights: weights_of(ray.origin, triangle), front: false });
    }
    let mut first: Option<RayTriangleHit> = None;
    for (from, to, p, q) in [(0, 1, a, b), (1, 2, b, c), (2, 0, c, a)] {
        // What is certainly farther than an edge that is met, or than is looked for, need not be met exactly.
        let upto = first.map_or(max, |hit| hit.t);
        let is_beyond = |p: DVec3| is_beyond(ray, p, upto);
        if !(is_beyond(p) && is_beyond(q)) {
            first = on_edge(from, to, p, q).filter(|hit| first.is_none_or(|best| hit.t < best.t)).or(first);
        }
    }
    first
}

/// Whether all corners are certainly beyond a parameter along the ray, or all behind its origin.
fn is_out_of_reach(ray: &Ray, corners: &[DVec3; 3], upto: f64) -> bool {
    let is_behind = |p: &DVec3| {
        let (along, room) = along(ray, *p);
        along < -room
    };
    corners.iter().all(is_behind) || corners.iter().all(|p| is_beyond(ray, *p, upto))
}

/// Whether a point is certainly beyond a parameter along the ray.
fn is_beyond(ray: &Ray, p: DVec3, upto: f64) -> bool {
    let (along, room) = along(ray, p);
    let end = upto * ray.direction.length_squared();
    along - end > room + 1e-14 * end
}

/// How far along the ray a point is, times the square of its direction, and more than what that is rounded by.
#[inline]
fn along(ray: &Ray, p: DVec3) -> (f64, f64) {
    let way = p - ray.origin;
    (ray.direction.dot(way), 1e-14 * ray.direction.abs().dot(way.abs()) + 1e-290)
}

/// The weights of the corners that give the point `p` of the triangle; of one without area, on its longest edge.
fn weights_of(p: DVec3, triangle: &Triangle) -> [f64; 3] {
    let weights = areas(p, triangle);
    if weights[0].is_finite() {
        return weights;
    }
    let corners = triangle.corners();
    let square = |(i, j): &(usize, usize)| corners[*i].distance_squared(corners[*j]);
    let longest = [(0, 1), (1, 2), (2, 0)].into_iter().max_by(|a, b| square(a).total_cmp(&square(b)));
    let (from, to) = longest.unwrap_or((0, 1));
    let (way, length) = (corners[to] - corners[from], square(&(from, to)).sqrt());
    // Of a point, all of it is at its first corner.
    let part = (p - corners[from]).dot(way / length) / length;
    let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
    let mut weights = [0.0; 3];
    (weights[from], weights[to]) = (1.0 - part, part);
    weights
}

/// The weights of the corners that give the point `p` of the triangle, which has an area.
fn areas(p: DVec3, triangle: &Triangle) -> [f64; 3] {
    let normal = triangle.scaled_normal();
    let [a, b, c] = triangle.corners().map(|corner| corner - p);
    let weights = [(b, c), (c, a), (a, b)].map(|(u, v)| normal.dot(u.cross(v)).max(0.0));
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Random, ray};

    const UNIT: Triangle = Triangle { a: DVec3::ZERO, b: DVec3::X, c: DVec3::Y };
    const FAR: f64 = f64::INFINITY;

    #[test]
    fn a_hit_says_where_and_from_which_side() {
        let down = ray([0.25, 0.5, 3.0], [0.0, 0.0, -2.0]);
        let expected = RayTriangleHit { t: 1.5, weights: [0.25, 0.25, 0.5], front: true };
        assert_eq!(ray_triangle(&down, &UNIT, FAR), Some(expected));
        assert_eq!(ray_triangle_moller_trumbore(&down, &UNIT, FAR), Some(expected));
        assert_eq!(ray_triangle(&down, &UNIT, 1.4), None);
        let up = ray([0.25, 0.5, -3.0], [0.0, 0.0, 2.0]);
        assert_eq!(ray_triangle(&up, &UNIT, FAR).map(|hit| hit.front), Some(false));
        assert_eq!(ray_triangle(&ray([0.25, 0.5, 3.0], [0.0, 0.0, 1.0]), &UNIT, FAR), None);
        let on = ray_triangle(&ray([0.25, 0.5, 0.0], [0.0, 0.0, 1.0]), &UNIT, FAR);
        assert_eq!(on.map(|hit| hit.t), Some(0.0));
    }

    #[test]
    fn a_ray_that_starts_on_a_triangle_without_area_has_weights_that_give_the_point() {
        let at = |x: f64| DVec3::new(x, 2.0 * x, -x);
        for [a, b, c] in [[0.0, 1.0, 4.0], [4.0, 0.0, 1.0], [1.0, 4.0, 0.0], [2.0, 2.0, 2.0]] {
            let needle = Triangle { a: at(a), b: at(b), c: at(c) };
            for direction in [DVec3::Z, -DVec3::X, at(1.0)] {
                let hit = ray_triangle(&Ray { origin: at(2.0), direction }, &needle, FAR).unwrap();
                let [u, v, w] = hit.weights;
                assert!(hit.t == 0.0 && u + v + w == 1.0 && u.min(v).min(w) >= 0.0, "{hit:?}");
                let point = needle.a * u + needle.b * v + needle.c * w;
                assert!(point.distance(at(2.0)) < 1e-14, "{point}");
            }
        }
    }

    #[test]
    fn rays_in_the_plane_meet_edges_and_start_inside() {
        let in_plane = |x, y, dx, dy| ray_triangle(&ray([x, y, 0.0], [dx, dy, 0.0]), &UNIT, FAR);
        assert_eq!(in_plane(-2.0, 0.25, 1.0, 0.0).map(|hit| hit.t), Some(2.0));
        assert_eq!(in_plane(-2.0, 0.0, 1.0, 0.0).map(|hit| hit.t), Some(2.0), "along an edge");
        assert_eq!(in_plane(-2.0, 1.0, 1.0, 0.0).map(|hit| hit.weights), Some([0.0, 0.0, 1.0]));
        assert_eq!(in_plane(-2.0, 1.0f64.next_up(), 1.0, 0.0), None);
        let inside = in_plane(0.25, 0.25, 1.0, 0.0);
        assert_eq!(inside, Some(RayTriangleHit { t: 0.0, weights: [0.5, 0.25, 0.25], front: false }));
        let short = ray_triangle(&ray([0.25, 0.25, 0.0], [1.0, 0.0, 0.0]), &UNIT, 0.0);
        assert_eq!(short, inside, "the edges lie beyond the end of the ray");
    }

    #[test]
    fn a_triangle_without_area_is_met_where_the_ray_exactly_meets_it() {
        let flat = Triangle { a: DVec3::X, b: DVec3::X * 3.0, c: DVec3::X * 2.0 };
        let down = |x, y| ray_triangle(&ray([x, y, 1.0], [0.0, 0.0, -1.0]), &flat, FAR).map(|hit| hit.t);
        assert_eq!(down(2.5, 0.0), Some(1.0));
        assert_eq!(down(2.5, 1e-200), None);
        assert_eq!(down(3.5, 0.0), None);
        let point = Triangle { a: DVec3::X, b: DVec3::X, c: DVec3::X };
        assert!(ray_triangle(&ray([0.0; 3], [0.1, 0.0, 0.0]), &point, FAR).is_some());
    }

    #[test]
    fn no_ray_slips_through_a_closed_fan() {
        // Rays from above aimed at points of the shared edges and at the apex of a fan around it.
        let mut random = Random::new(9);
        let mut lost_by_the_classic = 0;
        for _ in 0..5000 {
            let rim: [DVec3; 4] = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
                .map(|[x, y]| DVec3::new(x, y, 0.0) + random.point() * 0.3);
            let apex = random.point() * 0.1;
            let target = apex + (rim[0] - apex) * (random.number().abs() * 0.9);
            let origin = target + DVec3::new(random.number(), random.number(), 3.0);
            let aimed = Ray { origin, direction: target - origin };
            let fan: [Triangle; 4] =
                std::array::from_fn(|i| Triangle { a: apex, b: rim[i], c: rim[(i + 1) % 4] });
            assert!(fan.iter().any(|t| ray_triangle(&aimed, t, FAR).is_some()));
            lost_by_the_classic +=
                u32::from(fan.iter().all(|t| ray_triangle_moller_trumbore(&aimed, t, FAR).is_none()));
        }
        assert!(lost_by_the_classic > 0, "the rays are too easy to show anything");
    }

    #[test]
    fn edges_remembered_answer_as_edges_computed() {
        let mut random = Random::new(12);
        for _ in 0..3000 {
            let [origin, target, a, b, c] = random.grid_points(2);
            if origin == target {
                continue;
            }
            let ray = Ray { origin, direction: (target - origin) * 0.1 };
            let mut near = NearEdges::new();
            for [a, b, c] in [[a, b, c], [b, a, c], [c, b, a], [a, c, target], [c, a, target]] {
                let triangle = Triangle { a, b, c };
                assert_eq!(
                    ray_triangle_near(&ray, &triangle, FAR, &mut near),
                    ray_triangle(&ray, &triangle, FAR)
                );
            }
        }
    }

    #[test]
    fn small_triangles_far_away_keep_parameter_and_weights() {
        let mut random = Random::new(13);
        let mut hits = 0;
        for size in [1e-2, 1e-4, 1e-6] {
            for _ in 0..500 {
                let corner = DVec3::new(3.0, -2.0, 1.0) + random.point();
                let [a, b, c] = [corner, corner + random.point() * size, corner + random.point() * size];
                let target = (a + b + c) / 3.0;
                let origin = target + random.point() * 1e3;
                let aimed = Ray { origin, direction: target - origin };
                let Some(hit) = ray_triangle(&aimed, &Triangle { a, b, c }, FAR) else { continue };
                hits += 1;
                let exact = meet_plane_exactly(&aimed, [a, b, c]).unwrap();
                assert!((hit.t - exact.0).abs() < 1e-9 * exact.0, "{hit:?} {exact:?}");
                let [u, v, w] = hit.weights;
                assert!((u + v + w - 1.0).abs() < 1e-14 && u.min(v).min(w) >= 0.0);
                // The point is good to nine digits of the way to it.
                let there = a * u + b * v + c * w;
                let exactly = a * exact.1[0] + b * exact.1[1] + c * exact.1[2];
                assert!(there.distance(exactly) < 1e-9 * aimed.direction.length(), "{there} {exactly}");
            }
        }
        assert!(hits > 1400, "{hits}");
    }

    #[test]
    fn the_exact_definition_agrees_on_a_grid() {
        let mut random = Random::new(10);
        let mut hits = 0;
        for _ in 0..6000 {
            let [origin, target, a, b, c] = random.grid_points(2);
            if origin == target {
                continue;
            }
            let (ray, triangle) = (Ray { origin, direction: target - origin }, Triangle { a, b, c });
            let found = ray_triangle(&ray, &triangle, 1.0);
            // Up to parameter 1 the ray is the segment to the target.
            let meets = crate::pair::segment_triangle(&Segment { a: origin, b: target }, &triangle);
            assert_eq!(found.is_some(), meets, "{ray:?} {triangle:?}");
            if let Some(RayTriangleHit { t, weights: [u, v, w], .. }) = found {
                hits += 1;
                assert!(ray.at(t).distance(a * u + b * v + c * w) < 1e-13);
                assert!(u >= 0.0 && v >= 0.0 && w >= 0.0);
            }
        }
        assert!(hits > 500);
    }

    #[test]
    fn grazing_rays_keep_their_digits() {
        // Down by 1e-7 over a length of 1, from a height of 1e-7/4: meets at a quarter, however flat.
        for steep in [1e-3, 1e-7, 1e-12, 1e-100] {
            let low = ray([0.125, 0.25, steep / 4.0], [1.0, 0.0, -steep]);
            let found = ray_triangle(&low, &UNIT, FAR).map(|hit| hit.t);
            assert_eq!(found, Some(0.25));
        }
    }

    #[test]
    fn scale_does_not_matter() {
        let (origin, direction) = (DVec3::new(0.3, 0.2, 0.7), DVec3::new(-0.1, 0.05, -0.9));
        let base = ray_triangle(&Ray { origin, direction }, &UNIT, FAR);
        assert!(base.is_some());
        for exponent in [-200, -60, 60, 200] {
            let k = f64::powi(2.0, exponent);
            let scaled = Triangle { a: UNIT.a * k, b: UNIT.b * k, c: UNIT.c * k };
            assert_eq!(
                ray_triangle(&Ray { origin: origin * k, direction: direction * k }, &scaled, FAR),
                base
            );
        }
    }
}
