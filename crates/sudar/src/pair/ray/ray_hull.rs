//! Ray and convex hull.

use std::cmp::Ordering;

use glam::DVec3;
use num_traits::Zero;

use super::chord::START;
use super::ray_aabb::EntryPoint;
use super::ray_segment::{ray_point, ray_segment};
use super::ray_triangle::ray_triangle;
use crate::math::exact::{rounded, sign_of};
use crate::math::predicates::{LEAST_PERMANENT, ROUNDING_3D, normal_and_size};
use crate::math::{Rational, RationalVec3, Sign, orient3d};
use crate::pair::nearest::length;
use crate::shape::{Hull, Ray, Segment, Triangle};

/// Relative error from which on a parameter is computed in exact arithmetic instead.
const WORST_ERROR: f64 = 1e-9;

/// Where the ray enters the hull, if it does so at a parameter of at most `max`.
///
/// The ray is inside all planes of faces from the last entry to the first exit (Cyrus and Beck 1978, "Generalized two-
/// and three-dimensional clipping"). Whether it hits is exact, at edges and corners and along faces too, the faces
/// being in the planes of their first three vertices; the parameter has nine digits at least, mostly all. At an edge
/// the normal is that of the first face.
///
/// A hull that is flat is met as a polygon, segment or point, exactly too. The normal of a polygon is that against the
/// ray; it is zero for rays in the plane, and for segments and points. Cost O(faces).
pub fn ray_hull(ray: &Ray, hull: &Hull, max: f64) -> Option<EntryPoint> {
    let thin = |t: f64| EntryPoint { t, normal: DVec3::ZERO };
    match (hull.dimension(), hull.vertices()) {
        (3, _) => ray_polyhedron(ray, hull, max),
        (2, _) => ray_flat(ray, hull, max),
        (1, &[a, b]) => ray_segment(ray, &Segment { a, b }, max).map(|hit| thin(hit.t)),
        (_, &[p, ..]) => ray_point(ray, p, max).map(thin),
        (_, []) => None,
    }
}

fn ray_polyhedron(ray: &Ray, hull: &Hull, max: f64) -> Option<EntryPoint> {
    let (mut enter, mut exit): (Option<Crossing>, Option<Crossing>) = (None, None);
    let mut outside = false;
    for corners in (0..hull.faces().len()).filter_map(|face| first_corners(hull, face)) {
        let [a, b, c] = corners;
        let beyond = orient3d(a, b, c, ray.origin) == Sign::Positive;
        outside |= beyond;
        match slope(ray, corners) {
            Sign::Negative if beyond => later(&mut enter, Crossing::new(ray, corners), ray),
            Sign::Negative => {}
            Sign::Zero | Sign::Positive if beyond => return None,
            Sign::Positive => sooner(&mut exit, Crossing::new(ray, corners), ray),
            Sign::Zero => {}
        }
    }
    if !outside {
        return (max >= 0.0).then_some(START);
    }
    let enter = enter?;
    let missed = exit.is_some_and(|exit| enter.compare(&exit, ray) == Ordering::Greater);
    (!missed && enter.t <= max).then(|| EntryPoint { t: enter.t, normal: unit_normal(enter.corners) })
}

fn later(enter: &mut Option<Crossing>, other: Crossing, ray: &Ray) {
    if enter.is_none_or(|enter| other.compare(&enter, ray) == Ordering::Greater) {
        *enter = Some(other);
    }
}

fn sooner(exit: &mut Option<Crossing>, other: Crossing, ray: &Ray) {
    if exit.is_none_or(|exit| other.compare(&exit, ray) == Ordering::Less) {
        *exit = Some(other);
    }
}

/// A polygon by the triangles between its first corner and the others: edges in common are watertight.
fn ray_flat(ray: &Ray, hull: &Hull, max: f64) -> Option<EntryPoint> {
    let mut corners_left = hull.face(0).filter_map(|v| hull.vertices().get(v as usize).copied());
    let (a, mut b) = (corners_left.next()?, corners_left.next()?);
    let mut best: Option<EntryPoint> = None;
    for c in corners_left {
        let triangle = Triangle { a, b, c };
        b = c;
        let Some(hit) = ray_triangle(ray, &triangle, max) else { continue };
        if best.is_none_or(|best| hit.t < best.t) {
            best = Some(EntryPoint { t: hit.t, normal: against(ray, hit.t, triangle.corners()) });
        }
    }
    best
}

/// The unit normal of a plane that the ray comes to, on the side it comes from; zero if it starts on or runs in it.
fn against(ray: &Ray, t: f64, corners: [DVec3; 3]) -> DVec3 {
    let way = if t > 0.0 { slope(ray, corners) } else { Sign::Zero };
    match way {
        Sign::Negative => unit_normal(corners),
        Sign::Zero => DVec3::ZERO,
        Sign::Positive => -unit_normal(corners),
    }
}

fn first_corners(hull: &Hull, face: usize) -> Option<[DVec3; 3]> {
    let mut corners = hull.face(face).filter_map(|v| hull.vertices().get(v as usize).copied());
    Some([corners.next()?, corners.next()?, corners.next()?])
}

/// The unit normal of the plane through three corners, also of tiny and huge ones.
fn unit_normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    let (u, v) = (b - a, c - a);
    let normal = (u / length(u)).cross(v / length(v));
    normal / length(normal)
}

/// Whether the ray's direction has the plane's normal as a component. Exact.
fn slope(ray: &Ray, [a, b, c]: [DVec3; 3]) -> Sign {
    let (normal, size) = normal_and_size(a, b, c);
    let (value, permanent) = (normal.dot(ray.direction), size.dot(ray.direction.abs()));
    if permanent > LEAST_PERMANENT && value.abs() > ROUNDING_3D * permanent {
        return Sign::of(value);
    }
    let [a, b, c, direction] = [a, b, c, ray.direction].map(RationalVec3::from);
    sign_of(&(&b - &a).cross(&(&c - &a)).dot(&direction))
}

/// Where a ray crosses the plane through three corners, to which it is not parallel.
#[derive(Clone, Copy)]
struct Crossing {
    corners: [DVec3; 3],
    t: f64,
    /// Bound on the error of `t`.
    doubt: f64,
}

impl Crossing {
    fn new(ray: &Ray, corners: [DVec3; 3]) -> Self {
        let [a, b, c] = corners;
        let (normal, size) = normal_and_size(a, b, c);
        let way = a - ray.origin;
        let (height, slope) = (normal.dot(way), normal.dot(ray.direction));
        let (far, fast) = (size.dot(way.abs()), size.dot(ray.direction.abs()));
        let error = ROUNDING_3D * (far / height.abs() + fast / slope.abs()) + 2.0 * f64::EPSILON;
        let t = height / slope;
        if far.min(fast) > LEAST_PERMANENT && error < WORST_ERROR && t.is_normal() {
            return Self { corners, t, doubt: 2.0 * error * t.abs() };
        }
        let t = rounded(&exact_parameter(ray, corners));
        Self { corners, t, doubt: f64::EPSILON * t.abs() + f64::MIN_POSITIVE }
    }

    /// Which crossing comes first. Exact.
    fn compare(&self, other: &Self, ray: &Ray) -> Ordering {
        let difference = self.t - other.t;
        if difference.abs() > self.doubt + other.doubt {
            return self.t.total_cmp(&other.t);
        }
        exact_parameter(ray, self.corners).cmp(&exact_parameter(ray, other.corners))
    }
}

fn exact_parameter(ray: &Ray, corners: [DVec3; 3]) -> Rational {
    let [a, b, c] = corners.map(RationalVec3::from);
    let [origin, direction] = [ray.origin, ray.direction].map(RationalVec3::from);
    let normal = (&b - &a).cross(&(&c - &a));
    let slope = normal.dot(&direction);
    if slope.is_zero() { slope } else { normal.dot(&(&a - &origin)) / slope }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::ray_aabb;
    use crate::shape::Cuboid;
    use crate::testing::Random;

    const FAR: f64 = f64::INFINITY;

    /// The corners (±3, 0, 0), (0, ±3, 0), (0, 0, ±3).
    fn octahedron() -> Hull {
        let corners = [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z].map(|p| p * 3.0);
        let top = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4]];
        let loops: Vec<Vec<u32>> = top.iter().flat_map(|&[a, b, _]| [vec![a, b, 4], vec![b, a, 5]]).collect();
        Hull::from_loops(corners.to_vec(), (0..6).collect(), &loops)
    }

    #[test]
    fn a_box_as_a_hull_is_a_box() {
        let mut random = Random::new(41);
        let mut seen = [0, 0];
        for _ in 0..3000 {
            let (origin, target) = (random.grid_point(4), random.grid_point(3));
            if origin == target {
                continue;
            }
            let cuboid = Cuboid { half: random.grid_point(1).abs() + DVec3::ONE };
            let ray = Ray { origin, direction: target - origin };
            let (found, expected) =
                (ray_hull(&ray, &Hull::from(cuboid), FAR), ray_aabb(&ray, &cuboid.aabb(), FAR));
            assert_eq!(found.map(|hit| hit.t), expected.map(|hit| hit.t), "{ray:?} {cuboid:?}");
            seen[usize::from(found.is_some())] += 1;
        }
        assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
    }

    #[test]
    fn stepping_along_the_ray_through_an_octahedron_agrees() {
        let hull = octahedron();
        let mut random = Random::new(42);
        for case in 0..3000 {
            let (origin, target) = (random.grid_point(4), random.grid_point(2));
            if origin == target {
                continue;
            }
            let k = f64::powi(2.0, case % 300 - 150);
            let vertices: Vec<_> = hull.vertices().iter().map(|p| *p * k).collect();
            let scaled = Hull { vertices, ..hull.clone() };
            let found = ray_hull(&Ray { origin: origin * k, direction: (target - origin) * k }, &scaled, 1.0);
            // The planes are crossed at fractions with denominators of at most 18, of which 12252240 is a multiple. The
            // sum of the coordinates' sizes is convex and linear between the crossings of coordinate planes.
            let size = |t: f64| (origin + (target - origin) * t).abs().element_sum() - 3.0;
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..120 {
                let (p, q) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                if size(p) < size(q) { high = q } else { low = p }
            }
            let least = size(low).min(size(0.0)).min(size(1.0));
            assert_eq!(found.is_some(), least < 1e-9, "{origin} {target} {least}");
            if let Some(hit) = found.filter(|hit| hit.t > 0.0) {
                assert!(size(hit.t).abs() < 1e-14);
                let p = origin + (target - origin) * hit.t;
                assert!((hit.normal.dot(p) - 3f64.sqrt()).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn flat_hulls_are_polygons_segments_and_points() {
        let square = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
        let vertices = square.map(|[x, y]| DVec3::new(x, y, 0.0)).to_vec();
        let loops = [vec![0, 1, 2, 3], vec![3, 2, 1, 0]];
        let flat = Hull { dimension: 2, ..Hull::from_loops(vertices.clone(), (0..4).collect(), &loops) };
        let hit = |origin: [f64; 3], direction: [f64; 3], hull: &Hull| {
            ray_hull(&Ray { origin: origin.into(), direction: direction.into() }, hull, FAR)
        };
        assert_eq!(
            hit([0.5, 0.5, 4.0], [0.0, 0.0, -2.0], &flat),
            Some(EntryPoint { t: 2.0, normal: DVec3::Z })
        );
        assert_eq!(
            hit([0.5, 0.5, -4.0], [0.0, 0.0, 2.0], &flat),
            Some(EntryPoint { t: 2.0, normal: -DVec3::Z })
        );
        assert_eq!(hit([1.0, 1.0, 4.0], [0.0, 0.0, -2.0], &flat).map(|hit| hit.t), Some(2.0), "a corner");
        assert_eq!(hit([1.0f64.next_up(), 1.0, 4.0], [0.0, 0.0, -2.0], &flat), None);
        assert_eq!(
            hit([-3.0, 0.5, 0.0], [1.0, 0.0, 0.0], &flat),
            Some(EntryPoint { t: 2.0, normal: DVec3::ZERO })
        );
        assert_eq!(hit([0.5, 0.5, 0.0], [1.0, 0.0, 0.0], &flat), Some(START));
        let thin = |count: usize| Hull {
            vertices: vertices[..count].to_vec(),
            sources: vec![0; count],
            half_edges: vec![],
            faces: vec![],
            dimension: count as u8 - 1,
        };
        assert_eq!(hit([0.5, -2.0, 0.0], [0.0, 1.5, 0.0], &thin(2)).map(|hit| hit.t), Some(2.0));
        assert_eq!(hit([1.0, -2.0, 0.0], [0.0, 1.5, 0.0], &thin(1)).map(|hit| hit.t), Some(2.0));
        assert_eq!(hit([0.9, -2.0, 0.0], [0.0, 1.5, 0.0], &thin(1)), None);
    }
}
