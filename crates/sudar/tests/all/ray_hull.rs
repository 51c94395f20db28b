//! Rays against built hulls: by clipping with the planes of the faces, and by the triangles of the surface.

use sudar::hull::convex_hull;
use sudar::pair::{ray_hull, ray_triangle};
use sudar::{DVec3, Hull, Ray, Triangle};
use sudar_testing::Random;

/// The triangles between the first vertex of each face and its edges: on whole numbers the faces are exactly plane.
fn triangles(hull: &Hull) -> Vec<Triangle> {
    let mut all = Vec::new();
    for face in 0..hull.faces().len() {
        let corners: Vec<DVec3> = hull.face(face).map(|v| hull.vertices()[v as usize]).collect();
        all.extend(corners.windows(2).skip(1).map(|pair| Triangle { a: corners[0], b: pair[0], c: pair[1] }));
    }
    all
}

#[test]
fn planes_and_triangles_agree_on_a_grid() {
    let mut random = Random::new(111);
    let mut seen = [0, 0, 0];
    for case in 0..3000 {
        let points: Vec<DVec3> = (0..4 + case % 9).map(|_| random.grid_point(3)).collect();
        let hull = convex_hull(&points).unwrap();
        if hull.dimension() != 3 {
            seen[2] += 1;
            continue;
        }
        let (origin, target) = (random.grid_point(5), random.grid_point(3));
        if origin == target {
            continue;
        }
        let ray = Ray { origin, direction: target - origin };
        let surface = triangles(&hull);
        let hits = surface.iter().filter_map(|t| ray_triangle(&ray, t, f64::INFINITY));
        let first = hits.map(|hit| hit.t).reduce(f64::min);
        let outside = surface.iter().any(|t| t.scaled_normal().dot(origin - t.a) > 0.0);
        let expected = if outside { first } else { Some(0.0) };
        let found = ray_hull(&ray, &hull, f64::INFINITY);
        assert_eq!(found.is_some(), expected.is_some(), "{ray:?} {points:?}");
        if let (Some(hit), Some(t)) = (found, expected) {
            assert!((hit.t - t).abs() < 1e-14 * (1.0 + t), "{ray:?} {points:?} {hit:?} {t}");
        }
        seen[usize::from(found.is_some())] += 1;
    }
    assert!(seen[0] > 500 && seen[1] > 500, "{seen:?}");
}
