//! Queries down one tree against trying every triangle: rays, nearest points, triangles touched, under budgets too.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::sync::Arc;

use glam::{DVec2, DVec3};
use rand::RngExt;
use sudar::effort::Budget;
use sudar::hull::convex_hull;
use sudar::pair;
use sudar::query::{
    Body, Work, closest_point, contains, intersects, ray, ray_all, ray_any, triangles_touching,
};
use sudar::{
    Aabb, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Halfspace, HeightField, Mesh, PointCloud, Pose, Ray,
    Segment, Shape, Solid, Sphere, Triangle,
};
use sudar_testing::Random;
use sudar_testing::meshes::{self, posed, ring};

const FAR: f64 = f64::INFINITY;

/// A bumpy closed surface of 2·n² triangles over shared vertices: a torus.
fn torus(n: u32) -> Mesh {
    let mut random = Random::new(n.into());
    ring(n, n, |u, v| {
        let r = 0.3 + random.within(0.0, 0.05);
        DVec3::new((0.7 + r * v.cos()) * u.cos(), (0.7 + r * v.cos()) * u.sin(), r * v.sin())
    })
}

/// Meshes of one node, of a few, of many; with triangles of all sizes; points; at scales from tiny to huge.
fn surfaces() -> Vec<(String, Mesh)> {
    let mut rng = Random::new(11);
    let soup = |rng: &mut Random, count: usize| {
        let corner = |_| {
            let (p, size) = (rng.point(), 10f64.powf(rng.random_range(-4.0..0.0)));
            [p, p + rng.point() * size, p + rng.point() * size]
        };
        meshes::soup((0..count).flat_map(corner).collect())
    };
    let heights: Vec<f64> = (0..16 * 12).map(|_| rng.random_range(-0.1..0.1)).collect();
    let terrain = HeightField::new(16, &heights, DVec2::splat(0.05)).unwrap();
    let cloud = PointCloud::new((0..200).map(|_| rng.point()).collect()).unwrap();
    let mut all = vec![
        ("triangle".to_owned(), soup(&mut rng, 1)),
        ("soup of 20".to_owned(), soup(&mut rng, 20)),
        ("soup of 200".to_owned(), soup(&mut rng, 200)),
        ("torus".to_owned(), torus(16)),
        ("terrain".to_owned(), terrain.mesh().as_ref().clone()),
        ("cloud".to_owned(), cloud.mesh().as_ref().clone()),
    ];
    for scale in [1e-60, 1e-6, 1e7, 1e70] {
        all.push((format!("torus of size {scale:e}"), torus(8).mapped(|p| p * scale).unwrap()));
    }
    all
}

/// Posed triangles of a mesh.
/// A pose and the posed triangles, moved by up to a few sizes of the mesh, sometimes by very many.
fn placed(rng: &mut Random, mesh: &Mesh, case: usize) -> (Pose, Vec<Triangle>, f64) {
    let size = mesh.aabb().extent().max_element().max(mesh.aabb().max.abs().max_element());
    let far = if case.is_multiple_of(7) { 1e5 } else { 2.0 };
    let pose = rng.any_pose(1.0);
    let pose = Pose::from_matrix(pose.rotation(), pose.translation() * size * far).unwrap();
    let triangles = posed(mesh, &pose);
    (pose, triangles, size)
}

#[test]
fn nearest_points_agree_with_trying_every_triangle_also_from_afar() {
    let mut rng = Random::new(1);
    for (name, mesh) in surfaces() {
        let body = Body::new(mesh.clone());
        for case in 0..60 {
            let (at, triangles, size) = placed(&mut rng, &mesh, case);
            // From within to so far away that the tree cannot tell its triangles apart in f32, or hardly in f64.
            let away = [0.5, 1.0, 3.0, 100.0, 1e4, 1e6, 1e12][case % 7] * size;
            let p = at.translation() + rng.point() * away;
            let each = |t: &Triangle| pair::closest_point_triangle(p, t).distance();
            let expected = triangles.iter().map(each).fold(FAR, f64::min);
            let found = closest_point(body.at(&at), p);
            assert!(found.distance.contains(expected), "{name}: {found:?}: {expected}");
            assert_eq!(each(&triangles[found.feature as usize]), expected, "{name}: {found:?}");
            // Under any budget the interval holds the distance, and the point is one of the surface.
            for nodes in [0, 1, 2, 5] {
                let mut work = Work::new(Budget::nodes(nodes));
                let early = work.closest_point(body.at(&at), p);
                assert!(early.distance.contains(expected), "{name}: {early:?}: {expected}");
                assert!(work.statistics().nodes <= nodes);
            }
        }
    }
}

#[test]
fn rays_agree_with_trying_every_triangle_also_from_afar() {
    let mut rng = Random::new(2);
    let mut hits = 0;
    for (name, mesh) in surfaces() {
        let body = Body::new(mesh.clone());
        for case in 0..50 {
            let (at, triangles, size) = placed(&mut rng, &mesh, case);
            let target = triangles[rng.random_range(0..triangles.len())];
            let weights = rng.point() * 0.5 + 0.5;
            let target =
                (target.a * weights.x + target.b * weights.y + target.c * weights.z) / weights.element_sum();
            let away = [0.1, 1.0, 3.0, 100.0, 1e4, 1e6][case % 6] * size;
            let mut way = rng.point() * away;
            if case % 5 == 0 {
                way[case % 3] = 0.0;
            }
            if case % 11 == 0 {
                way[(case + 1) % 3] = 0.0;
            }
            let Ok(shot) = Ray::new(target - way, way * 10f64.powi(case as i32 % 9 - 4)) else { continue };
            let max = if case % 4 == 0 { rng.random_range(0.0..2.0) * 1e2 } else { FAR };
            let one = |(t, i): (&Triangle, u32)| pair::ray_triangle(&shot, t, max).map(|h| (h.t, i));
            let mut expected: Vec<_> = triangles.iter().zip(0..).filter_map(one).collect();
            expected.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let all: Vec<_> =
                ray_all(body.at(&at), &shot, max).iter().map(|hit| (hit.t, hit.feature)).collect();
            assert_eq!(all, expected, "{name}: {shot:?}");
            let first = ray(body.at(&at), &shot, max).map(|hit| (hit.t, hit.feature));
            assert_eq!(first, expected.first().copied(), "{name}");
            assert_eq!(ray_any(body.at(&at), &shot, max), !expected.is_empty(), "{name}");
            hits += expected.len();
            for nodes in [0, 1, 2, 5] {
                let mut work = Work::new(Budget::nodes(nodes));
                let some = work.ray_all(body.at(&at), &shot, max);
                assert!(some.found.iter().all(|hit| expected.contains(&(hit.t, hit.feature))));
                assert!(!some.complete || some.found.len() == expected.len());
                let any = work.ray_any(body.at(&at), &shot, max);
                assert!(
                    any.found && !expected.is_empty() || !any.found && (!any.complete || expected.is_empty())
                );
                let one = work.ray(body.at(&at), &shot, max);
                assert!(!one.complete || one.found.map(|h| (h.t, h.feature)) == first);
            }
        }
    }
    assert!(hits > 300, "{hits}");
}

/// Rays from outside to outside through points of edges and corners, with the crossings counted: each counts the
/// triangles around an edge once for every pass from front to back. With exact decisions the signed number of triangles
/// met from the front less those from the back need not cancel at corners; but a ray that misses all triangles
/// around a point of the surface would show as a hit list without that point.
#[test]
fn no_ray_slips_through_edges_and_corners_of_closed_meshes() {
    let mut rng = Random::new(3);
    let grid = |rng: &mut Random| (rng.point() * 8.0).round() / 4.0;
    let (mut tried, mut odd) = (0, 0);
    for mesh in [torus(12), Mesh::from_aabb(Aabb { min: DVec3::splat(-1.0), max: DVec3::ONE })] {
        let (body, full) = (Body::new(mesh.clone()), Body::new(Solid::new(Arc::new(mesh.clone())).unwrap()));
        for case in 0..3000 {
            let triangle = mesh.triangle(rng.random_range(0..mesh.triangles().len() as u32));
            let [p, q] = [triangle.a, triangle.b];
            let on = match case % 3 {
                0 => p,
                1 => p + (q - p) * 0.5,
                _ => p + (q - p) * rng.random_range(0.0..1.0),
            };
            let from = if case % 2 == 0 { on + grid(&mut rng) * 4.0 } else { rng.point() * 4.0 };
            let Ok(shot) = Ray::new(from, on - from) else { continue };
            tried += 1;
            let hits = ray_all(body.at(&Pose::IDENTITY), &shot, FAR);
            // The target may be off the edge by rounding; but a closed surface is met an even number of times seen from
            // outside, an odd number from inside: front faces less back faces is 0 or −1 where no corner is in the way.
            let inside = contains(full.at(&Pose::IDENTITY), from).unwrap();
            if inside {
                assert!(!hits.is_empty(), "a ray from inside hits nothing: {shot:?}");
                odd += 1;
            }
            let nearby = hits.iter().any(|hit| (hit.t - 1.0).abs() < 1e-9);
            // The target lies within rounding of the surface. Aimed from the side at a convex edge it may pass by.
            if case % 3 == 0 && (from + (on - from)) == on {
                let exact = (0..mesh.triangles().len() as u32).map(|i| mesh.triangle(i));
                let expected = exact.filter(|t| pair::ray_triangle(&shot, t, FAR).is_some()).count();
                assert_eq!(hits.len(), expected);
                assert!(nearby, "a corner was missed: {shot:?}");
            }
        }
    }
    assert!(tried > 5000 && odd > 10, "{tried} {odd}");
}

/// Rays from the centre of closed surfaces around it: each must come out, whatever edge or corner it is aimed at.
#[test]
fn rays_from_inside_through_every_edge_and_corner_come_out_once() {
    let corners: Vec<DVec3> = {
        let mut rng = Random::new(4);
        (0..200).map(|_| (rng.point().normalize() * 1024.0).round() / 1024.0).collect()
    };
    let hull = convex_hull(&corners).unwrap();
    let mesh = Body::new(hull).mesh().unwrap().as_ref().clone();
    let body = Body::new(mesh.clone());
    for [i, j, k] in mesh.triangles() {
        let [a, b, c] = [i, j, k].map(|&i| mesh.vertices()[i as usize]);
        // Sums of numbers with few digits are exact: the ray goes through the corner or the edge's middle exactly.
        for (target, shared) in [(a, 3), (a + b, 2), (b + c, 2), (a + b + c, 1)] {
            let shot = Ray::new(DVec3::ZERO, target).unwrap();
            let hits = ray_all(body.at(&Pose::IDENTITY), &shot, FAR);
            assert!(hits.len() >= shared, "{hits:?}");
            let spread = hits.last().unwrap().t - hits[0].t;
            assert!(spread <= 1e-12 * hits[0].t, "all hits are at one place: {hits:?}");
            assert!(ray_any(body.at(&Pose::IDENTITY), &shot, FAR));
        }
    }
}

#[test]
fn a_ray_enters_and_leaves_every_convex_body() {
    let mut rng = Random::new(5);
    let hull = convex_hull(&(0..40).map(|_| rng.point() * 0.8).collect::<Vec<_>>()).unwrap();
    let bodies = [
        Body::new(Sphere::new(DVec3::new(0.1, 0.0, 0.0), 0.8).unwrap()),
        Body::new(Cuboid::new(DVec3::new(0.5, 0.7, 0.9)).unwrap()),
        Body::new(Capsule::new(0.3, 0.6).unwrap()),
        Body::new(Cylinder::new(0.5, 0.4).unwrap()),
        Body::new(Cone::new(0.6, 0.5).unwrap()),
        Body::new(Ellipsoid::new(DVec3::new(0.9, 0.5, 0.3)).unwrap()),
        Body::new(hull),
    ];
    let (mut through, mut out) = (0, 0);
    for body in &bodies {
        for case in 0..300 {
            let at = rng.any_pose(0.5);
            let from = at.translation() + rng.point() * ([0.3, 2.0, 50.0][case % 3]);
            let to = at.translation() + rng.point() * 0.6;
            let shot = Ray::new(from, (to - from) * 3.0).unwrap();
            let all = ray_all(body.at(&at), &shot, FAR);
            let first = ray(body.at(&at), &shot, FAR);
            let inside = contains(body.at(&at), from).unwrap();
            assert_eq!(all.is_empty(), first.is_none(), "{:?}", body.shape());
            let precise = 1e-11 * (1.0 + (from - to).length());
            for hit in &all {
                // On the surface: nothing of the body beyond it along the normal, and the point is in it but
                // for rounding.
                let (inner, outer) = (hit.point - hit.normal * 1e-6, hit.point + hit.normal * 1e-6);
                assert!(closest_point(body.at(&at), hit.point).distance.lower < precise);
                assert!(!contains(body.at(&at), outer).unwrap(), "{:?} {hit:?}", body.shape());
                let _ = inner;
            }
            match (inside, all.as_slice()) {
                (true, [leave]) => {
                    out += 1;
                    assert!(leave.normal.dot(shot.direction) > 0.0);
                }
                (false, [enter, leave]) => {
                    through += 1;
                    assert_eq!(enter.t, first.unwrap().t);
                    assert!(
                        enter.normal.dot(shot.direction) <= 1e-9 && leave.normal.dot(shot.direction) >= -1e-9
                    );
                    let middle = shot.at((enter.t + leave.t) * 0.5);
                    assert!(closest_point(body.at(&at), middle).distance.lower < precise);
                }
                (false, []) => {}
                (true | false, _) => panic!("{:?} {inside} {all:?}", body.shape()),
            }
        }
    }
    assert!(through > 300 && out > 100, "{through} {out}");
    let below = Body::new(Halfspace::new(DVec3::Z * 2.0, 0.0).unwrap());
    let down = Ray::new(DVec3::Z * 2.0, -DVec3::Z).unwrap();
    let up = Ray::new(-DVec3::Z * 2.0, DVec3::Z).unwrap();
    for shot in [down, up] {
        let hits = ray_all(below.at(&Pose::IDENTITY), &shot, FAR);
        assert_eq!(hits.iter().map(|h| (h.t, h.normal)).collect::<Vec<_>>(), [(2.0, DVec3::Z)]);
    }
}

#[test]
fn triangles_touched_agree_with_asking_each() {
    let mut rng = Random::new(6);
    let solid = Solid::new(Arc::new(torus(10))).unwrap();
    let hull = convex_hull(&(0..30).map(|_| rng.point() * 0.5).collect::<Vec<_>>()).unwrap();
    let others: Vec<Body> = vec![
        Body::new(Sphere::new(DVec3::ZERO, 0.4).unwrap()),
        Body::new(Shape::Point(DVec3::ZERO)),
        Body::new(Segment::new(DVec3::ZERO, DVec3::X).unwrap()),
        Body::new(Triangle::new(DVec3::ZERO, DVec3::X, DVec3::Y).unwrap()),
        Body::new(Cuboid::new(DVec3::new(0.2, 0.3, 0.6)).unwrap()),
        Body::new(Capsule::new(0.1, 0.6).unwrap()),
        Body::new(Cylinder::new(0.3, 0.4).unwrap()),
        Body::new(Ellipsoid::new(DVec3::new(0.6, 0.3, 0.2)).unwrap()),
        Body::new(hull),
        Body::new(solid),
        Body::new(torus(9)),
        Body::new(Halfspace::new(DVec3::ONE, -0.3).unwrap()),
    ];
    let mesh = torus(16);
    let body = Body::new(mesh.clone());
    let mut touched = 0;
    for other in &others {
        for _ in 0..8 {
            let (at, pose) = (rng.any_pose(0.7), rng.any_pose(0.7));
            let found = triangles_touching(body.at(&at), other.at(&pose));
            let each = posed(&mesh, &at).into_iter().map(Body::new);
            let meets = |(_, t): &(u32, Body)| {
                intersects(t.at(&Pose::IDENTITY), other.at(&pose)).decided() != Some(false)
            };
            let expected: Vec<u32> = (0..).zip(each).filter(meets).map(|(i, _)| i).collect();
            assert_eq!(found, expected, "{:?}", other.shape());
            touched += found.len();
            let some = Work::new(Budget::nodes(3)).triangles_touching(body.at(&at), other.at(&pose));
            assert!(some.found.iter().all(|i| expected.contains(i)));
            assert!(!some.complete || some.found == expected);
        }
    }
    assert!(touched > 1000, "{touched}");
}
