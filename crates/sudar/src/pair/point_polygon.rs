//! Point and polygon in the plane, ray and polygon in space.

use glam::{DVec2, DVec3};

use super::flat::SHADOWS;
use super::ray::chord::START;
use super::ray::ray_aabb::EntryPoint;
use super::ray::ray_segment::ray_segment;
use crate::math::{Sign, orient2d};
use crate::shape::{Polygon, Ray, Segment};

/// Whether the point is inside the closed loop of points, by the even–odd rule, or on its boundary. Exact.
///
/// The loop may be concave and cross itself: a point is inside if a ray from it crosses the boundary an odd number of
/// times (Shimrat 1962, "Algorithm 112: position of point relative to polygon"). The ray goes along +x; an edge counts
/// its lower end and not its upper one, so that a vertex on the ray is counted right. A loop of two points is a
/// segment, one of one a point, the empty loop holds nothing. Cost O(points).
///
/// ```
/// use sudar::glam::DVec2;
/// use sudar::pair::point_in_polygon;
///
/// let square = [DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y];
/// assert!(point_in_polygon(DVec2::new(0.5, 1.0), &square) && !point_in_polygon(DVec2::new(0.5, 1.1), &square));
/// ```
pub fn point_in_polygon(p: DVec2, polygon: &[DVec2]) -> bool {
    inside(p, edges(polygon))
}

/// How often the closed loop of points runs counter-clockwise around the point, clockwise counting as negative; `None`
/// if the point is on it. Exact. Cost O(points).
///
/// By the nonzero rule a point is inside unless this is `Some(0)`. In the order of Sunday 2001, "Inclusion of a point
/// in a polygon": upward edges to the right of the point count 1, downward ones −1.
///
/// ```
/// use sudar::glam::DVec2;
/// use sudar::pair::polygon_winding;
///
/// let square = [DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y];
/// assert_eq!(polygon_winding(DVec2::new(0.5, 0.5), &square), Some(1));
/// assert_eq!(polygon_winding(DVec2::new(0.5, 1.0), &square), None); // on the boundary
/// ```
pub fn polygon_winding(p: DVec2, polygon: &[DVec2]) -> Option<i32> {
    let mut turns = 0;
    for (a, b) in edges(polygon) {
        match crossing(p, a, b) {
            Crossing::None => {}
            Crossing::Through => return None,
            Crossing::Up => turns += 1,
            Crossing::Down => turns -= 1,
        }
    }
    Some(turns)
}

/// Where the ray meets the polygon, its boundary included, if it does so at a parameter of at most `max`: from either
/// side, inside by the even–odd rule. The normal is that against the ray, zero if the ray starts on the polygon.
///
/// The point where the ray meets the plane is rounded; then whether it is inside, seen along [`Polygon::axis`], is
/// exact. So a ray that passes an edge within a few ulp of the coordinates may go either way. A ray in the plane,
/// within rounding, meets the polygon where it starts inside or exactly meets an edge; its normal is zero.
///
/// ```
/// use sudar::pair::ray_polygon;
/// use sudar::shape::Polygon;
/// use sudar::{DVec3, Ray};
///
/// let square = Polygon::new(vec![DVec3::ZERO, DVec3::X, DVec3::X + DVec3::Y, DVec3::Y])?;
/// let down = Ray { origin: DVec3::new(0.5, 0.5, 3.0), direction: -DVec3::Z };
/// assert!(ray_polygon(&down, &square, 10.0).is_some_and(|entry| entry.t == 3.0));
/// # Ok::<(), sudar::shape::PolygonError>(())
/// ```
pub fn ray_polygon(ray: &Ray, polygon: &Polygon, max: f64) -> Option<EntryPoint> {
    let from_middle = ray.origin - polygon.middle();
    let (height, height_doubt) = component(from_middle, polygon.normal());
    let (slope, slope_doubt) = component(ray.direction, polygon.normal());
    let on_plane = height.abs() <= height_doubt;
    if on_plane && holds(polygon, ray.origin) {
        return (max >= 0.0).then_some(START);
    }
    if slope.abs() <= slope_doubt {
        return if on_plane { first_edge(ray, polygon, max) } else { None };
    }
    let t = -height / slope;
    let hits = t >= 0.0 && t <= max && holds(polygon, ray.at(t));
    hits.then(|| EntryPoint { t, normal: polygon.normal() * -slope.signum() })
}

/// The component of `v` along a unit vector, and a bound on its error: the unit vector is off by two ε in each
/// coordinate, the sum of products by two more.
fn component(v: DVec3, unit: DVec3) -> (f64, f64) {
    (unit.dot(v), 4.0 * f64::EPSILON * v.abs().element_sum())
}

fn holds(polygon: &Polygon, p: DVec3) -> bool {
    let shadow = SHADOWS[polygon.axis()];
    inside(shadow(p), polygon.edges().map(|(a, b)| (shadow(a), shadow(b))))
}

fn first_edge(ray: &Ray, polygon: &Polygon, max: f64) -> Option<EntryPoint> {
    let hits = polygon.edges().filter_map(|(a, b)| ray_segment(ray, &Segment { a, b }, max));
    let t = hits.map(|hit| hit.t).reduce(f64::min)?;
    Some(EntryPoint { t, normal: DVec3::ZERO })
}

fn inside(p: DVec2, edges: impl Iterator<Item = (DVec2, DVec2)>) -> bool {
    let mut odd = false;
    for (a, b) in edges {
        match crossing(p, a, b) {
            Crossing::None => {}
            Crossing::Through => return true,
            Crossing::Up | Crossing::Down => odd = !odd,
        }
    }
    odd
}

fn edges(polygon: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    polygon.iter().copied().zip(polygon.iter().copied().cycle().skip(1))
}

/// How an edge crosses the ray along +x.
enum Crossing {
    None,
    /// It goes through the start of the ray.
    Through,
    Up,
    Down,
}

/// How the edge from `a` to `b` crosses the ray from `p` along +x. Exact.
fn crossing(p: DVec2, a: DVec2, b: DVec2) -> Crossing {
    let along = a.y == p.y && b.y == p.y && a.x.min(b.x) <= p.x && p.x <= a.x.max(b.x);
    if p == a || p == b || along {
        return Crossing::Through;
    }
    let (a_above, b_above) = (a.y > p.y, b.y > p.y);
    if a_above == b_above {
        return Crossing::None;
    }
    match (orient2d(a, b, p), b_above) {
        (Sign::Zero, _) => Crossing::Through,
        (Sign::Positive, true) => Crossing::Up,
        (Sign::Negative, false) => Crossing::Down,
        (Sign::Positive, false) | (Sign::Negative, true) => Crossing::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn points(all: &[[f64; 2]]) -> Vec<DVec2> {
        all.iter().map(|&p| p.into()).collect()
    }

    #[test]
    fn inside_and_outside_a_u() {
        let u = points(&[
            [0.0, 0.0],
            [5.0, 0.0],
            [5.0, 4.0],
            [3.0, 4.0],
            [3.0, 2.0],
            [2.0, 2.0],
            [2.0, 4.0],
            [0.0, 4.0],
        ]);
        let is_in = |x, y| point_in_polygon(DVec2::new(x, y), &u);
        assert!(is_in(1.0, 3.0) && is_in(4.0, 3.0) && is_in(2.5, 1.0) && !is_in(2.5, 3.0));
        // On the level of the vertices at y = 2 and 4.
        assert!(
            is_in(1.0, 2.0) && is_in(2.5, 2.0) && !is_in(-1.0, 2.0) && !is_in(-1.0, 4.0) && !is_in(6.0, 4.0)
        );
        // The boundary, and beside it.
        assert!(is_in(0.0, 1.0) && is_in(5.0, 4.0) && is_in(2.0, 3.0) && is_in(4.0, 4.0) && !is_in(2.5, 4.0));
        assert!(!is_in(5.0f64.next_up(), 1.0) && !is_in(2.0f64.next_up(), 3.0));
        assert!(!point_in_polygon(DVec2::ZERO, &[]) && point_in_polygon(DVec2::ONE, &[DVec2::ONE]));
    }

    #[test]
    fn a_pentagram_is_hollow_by_one_rule_and_solid_by_the_other() {
        // Every second corner of a regular pentagon, counter-clockwise, which runs round the middle twice.
        let star: Vec<DVec2> =
            (0..5).map(|i| DVec2::from_angle(f64::from(i) * std::f64::consts::TAU * 0.4)).collect();
        assert!(!point_in_polygon(DVec2::ZERO, &star));
        assert_eq!(polygon_winding(DVec2::ZERO, &star), Some(2));
        assert_eq!(polygon_winding(DVec2::X * 0.8, &star), Some(1));
        assert!(point_in_polygon(DVec2::X * 0.8, &star));
        assert_eq!(polygon_winding(DVec2::X * -0.8, &star), Some(0));
        let turned: Vec<DVec2> = star.iter().rev().copied().collect();
        assert_eq!(polygon_winding(DVec2::ZERO, &turned), Some(-2));
        assert_eq!(polygon_winding(star[3], &star), None);
    }

    /// Whether the segments have a point in common, for small whole numbers, by orientations in `f64`.
    fn on_edge(p: DVec2, a: DVec2, b: DVec2) -> bool {
        (b - a).perp_dot(p - a) == 0.0 && (p - a).dot(p - b) <= 0.0
    }

    #[test]
    fn angles_and_a_slanted_ray_agree() {
        let mut random = Random::new(71);
        let mut seen = [0, 0, 0];
        for case in 0..8000 {
            let n = 3 + case % 7;
            let polygon: Vec<DVec2> = (0..n).map(|_| random.grid_point(4).truncate()).collect();
            let p = random.grid_point(4).truncate();
            let found = point_in_polygon(p, &polygon);
            let turns = polygon_winding(p, &polygon);
            if edges(&polygon).any(|(a, b)| on_edge(p, a, b)) {
                assert!(found && turns.is_none());
                seen[2] += 1;
                continue;
            }
            // In this direction the ray meets no other grid point: 1000 x = 1009 y only far out.
            let way = DVec2::new(1009.0, 1000.0);
            let crossed = edges(&polygon).filter(|&(a, b)| {
                let (u, v) = (way.perp_dot(a - p), way.perp_dot(b - p));
                // The crossing a + (b − a)·u/(u − v) is ahead of p.
                u * v < 0.0 && way.dot((a - p) * v - (b - p) * u) * (v - u) > 0.0
            });
            assert_eq!(found, crossed.count() % 2 == 1, "{p} {polygon:?}");
            let angle: f64 = edges(&polygon).map(|(a, b)| (a - p).angle_to(b - p)).sum();
            assert_eq!(turns, Some((angle / std::f64::consts::TAU).round() as i32));
            seen[usize::from(found)] += 1;
        }
        assert!(seen.iter().all(|&n| n > 400), "{seen:?}");
    }

    #[test]
    fn rays_from_both_sides_through_holes_and_in_the_plane() {
        for k in [-200, 0, 200].map(|e| f64::powi(2.0, e)) {
            let u = [
                [0.0, 0.0],
                [5.0, 0.0],
                [5.0, 4.0],
                [3.0, 4.0],
                [3.0, 2.0],
                [2.0, 2.0],
                [2.0, 4.0],
                [0.0, 4.0],
            ];
            let polygon = Polygon::new(u.iter().map(|&[x, y]| DVec3::new(x, 1.0, -y) * k).collect()).unwrap();
            let hit = |origin: [f64; 3], direction: [f64; 3]| {
                let ray = Ray { origin: DVec3::from(origin) * k, direction: direction.into() };
                ray_polygon(&ray, &polygon, f64::INFINITY)
            };
            assert_eq!(
                hit([1.0, 5.0, -3.0], [0.0, -2.0, 0.0]),
                Some(EntryPoint { t: 2.0 * k, normal: DVec3::Y })
            );
            assert_eq!(
                hit([1.0, -5.0, -3.0], [0.0, 2.0, 0.0]),
                Some(EntryPoint { t: 3.0 * k, normal: -DVec3::Y })
            );
            assert_eq!(hit([2.5, 5.0, -3.0], [0.0, -2.0, 0.0]), None);
            assert_eq!(hit([1.0, 5.0, -3.0], [0.0, 2.0, 0.0]), None);
            assert_eq!(hit([1.0, 1.0, -3.0], [0.0, 2.0, 0.0]), Some(START));
            assert_eq!(
                hit([-1.0, 1.0, -3.0], [2.0, 0.0, 0.0]),
                Some(EntryPoint { t: 0.5 * k, normal: DVec3::ZERO })
            );
            assert_eq!(
                hit([2.5, 1.0, -3.0], [1.0, 0.0, 0.0]),
                Some(EntryPoint { t: 0.5 * k, normal: DVec3::ZERO })
            );
            assert_eq!(hit([-1.0, 2.0, -3.0], [2.0, 0.0, 0.0]), None);
        }
    }

    #[test]
    fn a_convex_polygon_is_its_triangles() {
        let mut random = Random::new(72);
        let mut seen = [0, 0];
        for _ in 0..4000 {
            let [a, u, v, origin, target] = random.points();
            let corners = [a, a + u, a + u + v * 2.0, a + v];
            let polygon = Polygon::new(corners.to_vec()).unwrap();
            let ray = Ray { origin: origin * 3.0, direction: target - origin * 3.0 };
            let found = ray_polygon(&ray, &polygon, f64::INFINITY);
            let halves = [[0, 1, 2], [0, 2, 3]].map(|t| crate::shape::Triangle::from(t.map(|i| corners[i])));
            let expected = halves.iter().find_map(|t| crate::pair::ray_triangle(&ray, t, f64::INFINITY));
            assert_eq!(found.is_some(), expected.is_some());
            if let (Some(found), Some(expected)) = (found, expected) {
                assert!((found.t - expected.t).abs() < 1e-9 * (1.0 + expected.t));
                assert!(found.normal.dot(ray.direction) < 0.0);
            }
            seen[usize::from(found.is_some())] += 1;
        }
        assert!(seen.iter().all(|&n| n > 200), "{seen:?}");
    }
}
