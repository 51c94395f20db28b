//! Rays against built hulls: by clipping with the planes of the faces, and by the triangles of the surface.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::hull::convex_hull;
use sudar::pair::{ray_hull, ray_triangle};
use sudar::{DVec3, Hull, Ray, Triangle};

fn grid_point(random: &mut Pcg64, reach: i32) -> DVec3 {
    let mut number = || f64::from(random.random_range(-reach..=reach));
    DVec3::new(number(), number(), number())
}

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
    let mut random = Pcg64::seed_from_u64(111);
    let mut seen = [0, 0, 0];
    for case in 0..3000 {
        let points: Vec<DVec3> = (0..4 + case % 9).map(|_| grid_point(&mut random, 3)).collect();
        let hull = convex_hull(&points).unwrap();
        if hull.dimension() != 3 {
            seen[2] += 1;
            continue;
        }
        let (origin, target) = (grid_point(&mut random, 5), grid_point(&mut random, 3));
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
