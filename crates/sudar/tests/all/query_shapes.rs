//! Queries on every pair of shapes, against closed forms and brute force over triangles.

use glam::DVec3;
use rand::RngExt;
use sudar::pair;
use sudar::query::{
    Body, DistanceEnd, DistanceOptions, Intersection, Memory, closest_point, contacts, contains, distance,
    intersects, manifold, penetration, ray,
};
use sudar::{Cuboid, Mesh, PointCloud, Pose, Ray, Sphere};
use sudar_testing::Random;
use sudar_testing::meshes::{ball, cube, posed, solid};
use sudar_testing::zoo::{corners, name, zoo};

#[test]
fn every_pair_agrees_with_itself_swapped_and_with_its_distance() {
    let zoo = zoo();
    assert!(zoo.iter().all(|(n, body)| *n == name(body.shape())));
    let mut rng = Random::new(1);
    let mut counted = 0;
    for (name_a, a) in &zoo {
        for (name_b, b) in &zoo {
            counted += 1;
            let (mut met, mut apart) = (0, 0);
            let round = |n: &str| n == "cylinder" || n == "cone" || n == "ellipsoid";
            for _ in 0..60 {
                let (pose_a, pose_b) = (rng.any_pose(1.5), rng.any_pose(1.5));
                let hit = intersects(a.at(&pose_a), b.at(&pose_b)).is_touching();
                assert_eq!(intersects(b.at(&pose_b), a.at(&pose_a)).is_touching(), hit, "{name_a}-{name_b}");
                let d = distance(a.at(&pose_a), b.at(&pose_b), &DistanceOptions::EXACT);
                let back = distance(b.at(&pose_b), a.at(&pose_a), &DistanceOptions::EXACT);
                let what = format!("{name_a}-{name_b}: {d:?} and {back:?}");
                assert_eq!(d.interval.upper == 0.0, hit, "{what}");
                assert!((d.interval.upper - back.interval.upper).abs() < 1e-11, "{what}");
                // Round bodies: as far as GJK comes in `f64`.
                let wide = if round(name_a) || round(name_b) { 1e-9 } else { 1e-12 };
                assert!(d.interval.width() <= wide && d.interval.lower >= 0.0, "{what}");
                assert!(((d.point_a - d.point_b).length() - d.interval.upper).abs() < 1e-12, "{what}");
                // The points lie on the bodies.
                for (body, pose, p) in [(a, &pose_a, d.point_a), (b, &pose_b, d.point_b)] {
                    assert!(closest_point(body.at(pose), p).distance.lower < 1e-12, "{what}");
                }
                if hit { met += 1 } else { apart += 1 }
            }
            // Points and segments practically never meet each other or a surface in random poses.
            let thin = |n: &str| {
                n == "point"
                    || n == "segment"
                    || n == "triangle"
                    || n == "mesh"
                    || n == "height field"
                    || n == "point cloud"
            };
            assert!(met > 0 || thin(name_a) || thin(name_b), "{name_a}-{name_b} never met");
            assert!(
                apart > 0 || (*name_a == "halfspace" && *name_b == "halfspace"),
                "{name_a}-{name_b} always met"
            );
        }
    }
    assert_eq!(counted, 256);
}

#[test]
fn a_cloud_answers_as_its_points_do_one_by_one() {
    let points = corners(40, 7);
    let cloud = Body::new(PointCloud::new(points.clone()).unwrap());
    let single: Vec<Body> = points.iter().map(|&p| Body::new(p)).collect();
    let mut rng = Random::new(8);
    let (mut met, mut apart) = (0, 0);
    for (name, body) in zoo() {
        for _ in 0..30 {
            let (at, pose) = (rng.any_pose(1.0), rng.any_pose(1.0));
            let touching = |p: &Body| intersects(p.at(&at), body.at(&pose)).is_touching();
            let hit = intersects(cloud.at(&at), body.at(&pose));
            assert_eq!(hit.is_touching(), single.iter().any(touching), "{name}");
            if let Some(true) = hit.decided() {
                met += 1;
                let Intersection::Touching { features } = hit else { panic!("{hit:?}") };
                assert!(touching(&single[features[0] as usize]), "{name}: {features:?}");
            }
            let d = distance(cloud.at(&at), body.at(&pose), &DistanceOptions::EXACT);
            let each =
                single.iter().map(|p| distance(p.at(&at), body.at(&pose), &DistanceOptions::EXACT).interval);
            let (lower, upper) = each.fold((f64::INFINITY, f64::INFINITY), |(lower, upper), d| {
                (d.lower.min(lower), d.upper.min(upper))
            });
            assert!(
                d.interval.lower <= upper && lower <= d.interval.upper,
                "{name}: {d:?}, {lower} to {upper}"
            );
            if upper > 0.0 {
                apart += 1;
                assert!(
                    (d.point_a - at.apply(points[d.features[0] as usize])).length() < 1e-14,
                    "{name}: {d:?}"
                );
            }
        }
    }
    assert!(contains(cloud.at(&Pose::IDENTITY), points[0]).is_err());
    // Along an axis the line goes through the point exactly.
    let down = Ray::new(points[3] + DVec3::Z * 4.0, -DVec3::Z).unwrap();
    let hit = ray(cloud.at(&Pose::IDENTITY), &down, f64::INFINITY).unwrap();
    assert!(hit.feature == 3 && (hit.point - points[3]).length() < 1e-15, "{hit:?}");
    assert!(met > 30 && apart > 30, "{met} met, {apart} apart");
}

#[test]
fn the_other_verbs_answer_for_every_pair_too() {
    let mut rng = Random::new(9);
    let zoo = zoo();
    for (name_a, a) in &zoo {
        for (name_b, b) in &zoo {
            for _ in 0..3 {
                let (pose_a, pose_b) = (rng.any_pose(0.6), rng.any_pose(0.6));
                let what = format!("{name_a}-{name_b}");
                let hit = intersects(a.at(&pose_a), b.at(&pose_b)).is_touching();
                let found = penetration(a.at(&pose_a), b.at(&pose_b));
                assert_eq!(found.signed.lower > 0.0, !hit, "{what}: {found:?}");
                let contacts = manifold(a.at(&pose_a), b.at(&pose_b), 0.0);
                assert!(contacts.is_empty() || hit, "{what}: {contacts:?}");
                for c in contacts {
                    assert!((c.normal.length() - 1.0).abs() < 1e-9 && c.depth.is_finite(), "{what}: {c:?}");
                }
            }
        }
    }
}

#[test]
fn balls_and_boxes_answer_as_their_closed_forms() {
    let mut rng = Random::new(2);
    for _ in 0..300 {
        let (r, s) = (rng.random_range(0.1..1.0), rng.random_range(0.1..1.0));
        let (p, q) = (rng.point() * 1.5, rng.point() * 1.5);
        let (a, b) = (Sphere::new(DVec3::ZERO, r).unwrap(), Sphere::new(DVec3::ZERO, s).unwrap());
        let at = |p| Pose::from_translation(p).unwrap();
        let d = distance(Body::new(a).at(&at(p)), Body::new(b).at(&at(q)), &DistanceOptions::EXACT);
        let expected = ((p - q).length() - r - s).max(0.0);
        assert!((d.interval.upper - expected).abs() < 1e-13, "{d:?}");
        // A box moved along its axes: the gaps along the axes, in quadrature.
        let half = DVec3::new(0.3, 0.4, 0.5);
        let cuboid = Body::new(Cuboid::new(half).unwrap());
        let d = distance(cuboid.at(&at(p)), cuboid.at(&at(q)), &DistanceOptions::EXACT);
        let expected = ((p - q).abs() - 2.0 * half).max(DVec3::ZERO).length();
        assert!((d.interval.upper - expected).abs() < 1e-13, "{d:?}");
        // A ball and the box.
        let d = distance(Body::new(a).at(&at(p)), cuboid.at(&at(q)), &DistanceOptions::EXACT);
        let expected = (((p - q).abs() - half).max(DVec3::ZERO).length() - r).max(0.0);
        assert!((d.interval.upper - expected).abs() < 1e-13, "{d:?}");
    }
}

#[test]
fn a_solid_holds_what_is_inside_and_a_surface_does_not() {
    let small = Body::new(cube(0.1));
    let (shell, full) = (Body::new(cube(1.0)), solid(cube(1.0)));
    let id = Pose::IDENTITY;
    assert!(!intersects(shell.at(&id), small.at(&id)).is_touching());
    assert!(intersects(full.at(&id), small.at(&id)).is_touching());
    assert!(intersects(small.at(&id), full.at(&id)).is_touching());
    assert!(contacts(full.at(&id), small.at(&id)).is_empty());
    assert_eq!(distance(full.at(&id), small.at(&id), &DistanceOptions::EXACT).interval.upper, 0.0);
    let gap = distance(shell.at(&id), small.at(&id), &DistanceOptions::EXACT).interval;
    assert!(gap.contains(0.9), "{gap:?}");
    // A second piece of the inner body outside does not hide the first.
    let two = cube(0.1);
    let far = two.mapped(|p| p + DVec3::splat(5.0)).unwrap();
    let pieces = Body::new(Mesh::joined([&far, &two]).unwrap());
    assert!(intersects(pieces.at(&id), full.at(&id)).is_touching());
}

#[test]
fn mesh_queries_agree_with_trying_every_triangle() {
    let mut rng = Random::new(3);
    let mesh = ball(3, DVec3::new(1.0, 0.5, 0.2));
    let (surface, full) = (Body::new(mesh.clone()), solid(mesh.clone()));
    let (mut hits, mut inside) = (0, 0);
    for _ in 0..200 {
        let at = rng.any_pose(1.0);
        let triangles = posed(&mesh, &at);
        let p = at.translation() + rng.point() * 0.8;
        let nearest = triangles.iter().map(|t| pair::closest_point_triangle(p, t).distance());
        let expected = nearest.fold(f64::INFINITY, f64::min);
        let found = closest_point(surface.at(&at), p);
        assert!(found.distance.contains(expected), "{found:?}: {expected}");

        let direction = at.apply(rng.point() * 0.5) - p;
        let shot = Ray::new(p, direction).unwrap();
        let first = triangles.iter().filter_map(|t| pair::ray_triangle(&shot, t, f64::INFINITY).map(|h| h.t));
        let expected = first.reduce(f64::min);
        let hit = ray(surface.at(&at), &shot, f64::INFINITY);
        assert_eq!(hit.map(|h| h.t), expected);
        hits += u32::from(hit.is_some());
        if let Some(hit) = hit {
            assert_eq!(ray(surface.at(&at), &shot, hit.t * 0.999).map(|h| h.t), None);
            assert!((hit.normal.length() - 1.0).abs() < 1e-12);
        }

        // Inside the polyhedron: on the inner side of every face, for it is convex.
        let convex = triangles.iter().all(|t| t.scaled_normal().dot(p - t.a) <= 0.0);
        assert_eq!(contains(full.at(&at), p), Ok(convex));
        inside += u32::from(convex);
        if convex {
            assert_eq!(ray(full.at(&at), &shot, f64::INFINITY).unwrap().t, 0.0);
            assert_eq!(closest_point(full.at(&at), p).distance.upper, 0.0);
        }
    }
    assert!(hits > 20 && inside > 10, "{hits} hits, {inside} inside");
    assert!(contains(surface.at(&Pose::IDENTITY), DVec3::ZERO).is_err());
}

#[test]
fn rays_along_axes_and_through_edges_and_corners_hit() {
    let body = Body::new(cube(1.0));
    for (x, y) in [(0.0, 0.0), (1.0, 0.3), (1.0, 1.0), (-1.0, 1.0), (0.5, 0.5)] {
        let shot = Ray::new(DVec3::new(x, y, -5.0), DVec3::Z * 2.0).unwrap();
        let hit = ray(body.at(&Pose::IDENTITY), &shot, f64::INFINITY).unwrap();
        assert_eq!((hit.t, hit.point.z), (2.0, -1.0), "at {x}, {y}");
        assert_eq!(ray(body.at(&Pose::IDENTITY), &shot, 1.99), None);
    }
    let beside = Ray::new(DVec3::new(1.0f64.next_up(), 0.0, -5.0), DVec3::Z).unwrap();
    assert_eq!(ray(body.at(&Pose::IDENTITY), &beside, f64::INFINITY), None);
}

#[test]
fn distances_of_meshes_agree_with_trying_every_pair() {
    let mut rng = Random::new(4);
    let (a, b) = (ball(1, DVec3::ONE), ball(1, DVec3::new(0.2, 1.0, 0.4)));
    let (left, right) = (Body::new(a.clone()), Body::new(b.clone()));
    let mut apart = 0;
    for scale in [1e-6, 1.0, 1e6] {
        let (sa, sb) = (a.mapped(|p| p * scale).unwrap(), b.mapped(|p| p * scale).unwrap());
        let (left, right) = (Body::new(sa.clone()), Body::new(sb.clone()));
        for _ in 0..30 {
            let at = |rng: &mut Random| {
                Pose::from_matrix(rng.any_pose(1.0).rotation(), rng.point() * 2.0 * scale).unwrap()
            };
            let (pose_a, pose_b) = (at(&mut rng), at(&mut rng));
            let found = distance(left.at(&pose_a), right.at(&pose_b), &DistanceOptions::EXACT);
            if intersects(left.at(&pose_a), right.at(&pose_b)).is_touching() {
                continue;
            }
            apart += 1;
            let (ts, us) = (posed(&sa, &pose_a), posed(&sb, &pose_b));
            let pairs =
                ts.iter().flat_map(|t| us.iter().map(move |u| pair::disjoint_triangle_distance(t, u)));
            let expected = pairs.map(|n| n.distance()).fold(f64::INFINITY, f64::min);
            assert!((found.interval.upper - expected).abs() <= 1e-12 * scale, "{found:?}: {expected}");
            assert!(
                found.interval.lower <= expected * (1.0 + 1e-14) && found.interval.width() <= 1e-12 * scale
            );
            // Given a limit below, it says so and stays true.
            let limited =
                distance(left.at(&pose_a), right.at(&pose_b), &DistanceOptions::up_to(expected * 0.5));
            assert!(limited.end == DistanceEnd::BeyondMax && limited.interval.contains(expected));
        }
    }
    assert!(apart > 20);
    let far = Pose::from_translation(DVec3::new(1e7, 0.0, 0.0)).unwrap();
    assert!(
        distance(left.at(&Pose::IDENTITY), right.at(&far), &DistanceOptions::up_to(1.0)).end
            == DistanceEnd::BeyondMax
    );
}

#[test]
fn a_memory_of_other_bodies_changes_no_answer() {
    let zoo = zoo();
    let mut rng = Random::new(17);
    let mut memory = Memory::default();
    for _ in 0..3000 {
        let mut body = || &zoo[rng.random_range(0..zoo.len())];
        let ((name_a, a), (name_b, b)) = (body(), body());
        let (pose_a, pose_b) = (rng.any_pose(0.8), rng.any_pose(0.8));
        let expected = intersects(a.at(&pose_a), b.at(&pose_b));
        assert_eq!(
            memory.intersects(a.at(&pose_a), b.at(&pose_b)).decided(),
            expected.decided(),
            "{name_a}-{name_b}"
        );
        let (warm, cold) = (
            memory.distance(a.at(&pose_a), b.at(&pose_b), &DistanceOptions::EXACT),
            distance(a.at(&pose_a), b.at(&pose_b), &DistanceOptions::EXACT),
        );
        let overlap =
            warm.interval.lower <= cold.interval.upper && cold.interval.lower <= warm.interval.upper;
        assert!(overlap && warm.interval.width() < 1e-9, "{name_a}-{name_b}: {warm:?} {cold:?}");
    }
}
