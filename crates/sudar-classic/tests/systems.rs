//! Every system finds what testing all pairs of triangles finds, and what the engine finds, from far to touching.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "all of this is test code")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use sudar::effort::Budget;
use sudar::math::Interval;
use sudar::query::{
    Body, DistanceOptions, LocalMinimum, Placed, contacts, distance, intersects, local_minima,
};
use sudar::volume::ObbFit;
use sudar::{DQuat, DVec3, Mesh, Pose, Ray, Solid as ClosedMesh, Sphere};
use sudar_classic::tree::SplitPoint;
use sudar_classic::{
    BodyId, Cd, CdError, ColDet, ConvexPart, Found, ICollide, Limits, Proximity, QCollide, QuickCd,
    QuickCdOptions, Rapid, RayBody, RayContact, Refit, Solid, SphereTree, Stop, Swift, SwiftContact,
    SwiftContacts, SwiftMemory, SwiftOptions, SwiftOrder, brute_force,
};
use sudar_testing::Random;
use sudar_testing::meshes::{bumpy, cuboid, sphere, torus};
use sudar_testing::oracle::data;

/// Boxes and balls in the form of a car.
fn car(fineness: u32) -> Mesh {
    let wheel = |x: f64, y: f64| {
        let ball = sphere(3 * fineness, 0.3);
        ball.mapped(|p| DVec3::new(p.x + x, 0.4 * p.y + y, p.z)).unwrap()
    };
    let parts = [
        cuboid([-1.5, -0.6, 0.1], [1.5, 0.6, 0.6]),
        cuboid([-0.8, -0.5, 0.6], [0.6, 0.5, 1.0]),
        wheel(-1.0, -0.6),
        wheel(-1.0, 0.6),
        wheel(1.0, -0.6),
        wheel(1.0, 0.6),
    ];
    Mesh::joined(&parts).unwrap()
}

/// Poses of b beside a from far to deep inside, with one that touches up to rounding.
fn poses(a: &Mesh, b: &Mesh, count: u32, seed: u64) -> Vec<Pose> {
    let mut random = Random::new(seed);
    let (at, reach) = (a.aabb().center(), 0.5 * (a.aabb().extent().length() + b.aabb().extent().length()));
    let (body_a, body_b) = (Body::new(a.clone()), Body::new(b.clone()));
    (0..count)
        .map(|i| {
            let turn = DQuat::from_scaled_axis(random.point() * 3.0);
            let away = reach * [1.1, 0.7, 0.45, 0.3, 0.1][i as usize % 5];
            let direction = random.point().normalize();
            let place =
                |along: f64| Pose::new(at + direction * along - turn * b.aabb().center(), turn).unwrap();
            let pose = place(away);
            let gap = distance(body_a.at(&Pose::IDENTITY), body_b.at(&pose), &DistanceOptions::EXACT)
                .interval
                .upper;
            // Every third pose that is apart is pulled until the bodies nearly touch.
            if i.is_multiple_of(3) && gap > 0.0 { place(away - gap * (1.0 - 1e-9)) } else { pose }
        })
        .collect()
}

fn expected(a: &Mesh, b: &Mesh, pose: &Pose) -> Vec<[u32; 2]> {
    contacts(Body::new(a.clone()).at(&Pose::IDENTITY), Body::new(b.clone()).at(pose))
}

fn pairs() -> Vec<(Arc<Mesh>, Arc<Mesh>)> {
    let [ball, lumps, ring, car] = [sphere(12, 1.0), bumpy(7), torus(14, 14, 0.35), car(2)].map(Arc::new);
    vec![
        (ball.clone(), lumps.clone()),
        (ring.clone(), ball),
        (lumps, ring.clone()),
        (car.clone(), ring),
        (car.clone(), car),
    ]
}

/// Checks a system at all poses of all pairs: all contacts, the first, some, and none under a budget that is too small.
fn check<S>(
    build: impl Fn(&Arc<Mesh>, &Arc<Mesh>) -> S,
    mut collide: impl FnMut(&mut S, &Pose, Limits) -> Found,
) {
    let mut seen = [0, 0];
    for (a, b) in pairs() {
        let mut system = build(&a, &b);
        for (i, pose) in poses(&a, &b, 10, 7).iter().enumerate() {
            let expected = expected(&a, &b, pose);
            if i == 1 {
                assert_eq!(brute_force(&a, &Pose::IDENTITY, &b, pose, Stop::All).pairs, expected);
            }
            let all = collide(&mut system, pose, Limits::ALL);
            assert!(all.complete && all.effort.volume_tests > 0);
            assert_eq!(all.pairs, expected, "pose {i}");
            let first = collide(&mut system, pose, Limits::FIRST);
            assert_eq!(first.is_touching(), !expected.is_empty());
            assert!(first.pairs.iter().all(|pair| expected.contains(pair)) && first.pairs.len() < 2);
            let some = collide(&mut system, pose, Limits { stop: Stop::Contacts(3), ..Limits::ALL });
            assert_eq!(some.pairs.len(), expected.len().min(3));
            let hasty = collide(&mut system, pose, Limits { budget: Budget::nodes(1), ..Limits::ALL });
            assert!(hasty.pairs.iter().all(|pair| expected.contains(pair)));
            assert!(!hasty.complete || all.effort.volume_tests <= 1 || hasty.pairs == expected);
            seen[usize::from(!expected.is_empty())] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 8), "{seen:?}");
}

#[test]
fn sphere_trees_find_all_pairs() {
    check(
        |a, b| (SphereTree::new(a.clone()), SphereTree::new(b.clone())),
        |(a, b), pose, limits| a.collide(&Pose::IDENTITY, b, pose, limits),
    );
}

#[test]
fn solid_finds_all_pairs_with_each_split() {
    for point in [SplitPoint::Midpoint, SplitPoint::Median, SplitPoint::LeastOverlap] {
        check(
            |a, b| (Solid::with_split(a.clone(), point), Solid::with_split(b.clone(), point)),
            |(a, b), pose, limits| a.collide(&Pose::IDENTITY, b, pose, limits),
        );
    }
}

#[test]
fn rapid_finds_all_pairs_with_each_fit() {
    for fit in [ObbFit::HullSurface, ObbFit::Points, ObbFit::Dito] {
        check(
            |a, b| (Rapid::with_fit(a.clone(), fit), Rapid::with_fit(b.clone(), fit)),
            |(a, b), pose, limits| a.collide(&Pose::IDENTITY, b, pose, limits),
        );
    }
}

#[test]
fn quick_cd_finds_all_pairs_with_each_k_and_refit() {
    fn with<const SLABS: usize>(refit: Refit, front: bool) {
        let options = QuickCdOptions { refit, front, ..QuickCdOptions::DEFAULT };
        check(
            |a, b| QuickCd::<SLABS>::new(a.clone(), b.clone(), &options),
            |system, pose, limits| system.collide(&Pose::IDENTITY, pose, limits),
        );
    }
    with::<9>(Refit::Corners, true);
    with::<9>(Refit::HillClimbing, false);
    with::<3>(Refit::Slabs, true);
    with::<7>(Refit::Slabs, false);
    with::<13>(Refit::Corners, false);
    assert_eq!([QuickCd::<9>::threshold(999), QuickCd::<9>::threshold(1000)], [20, 60]);
    assert_eq!([QuickCd::<3>::threshold(5000), QuickCd::<13>::threshold(5000)], [40, 100]);
}

#[test]
fn col_det_finds_all_pairs() {
    check(
        |a, b| (ColDet::new(a.clone()), ColDet::new(b.clone())),
        |(a, b), pose, limits| a.collide(&Pose::IDENTITY, b, pose, limits),
    );
}

#[test]
fn col_det_finds_rays_and_balls() {
    let (mut random, mut hits) = (Random::new(3), 0);
    let (mesh, pose) = (Arc::new(bumpy(9)), Random::new(4).any_pose(1.0));
    let (system, body) = (ColDet::new(mesh.clone()), Body::new((*mesh).clone()));
    for _ in 0..300 {
        let origin = pose.translation() + random.point() * 3.0;
        let ray = Ray::new(origin, pose.translation() - origin + random.point()).unwrap();
        let expected = sudar::query::ray(body.at(&pose), &ray, f64::INFINITY);
        let found = system.ray(&pose, &ray, f64::INFINITY);
        assert_eq!(found.map(|(i, t, _)| (i, t)), expected.map(|hit| (hit.feature, hit.t)));
        hits += usize::from(found.is_some());
        let ball = Sphere::new(origin, 0.9).unwrap();
        let all = system.sphere(&pose, &ball, false);
        let triangle = |i: u32| body.posed_triangle(&pose, i).unwrap();
        let brute =
            (0..mesh.triangles().len() as u32).filter(|&i| sudar::pair::sphere_triangle(&ball, &triangle(i)));
        assert_eq!(all.iter().map(|&(i, _)| i).collect::<Vec<u32>>(), brute.collect::<Vec<u32>>());
        let nearest = all.iter().map(|(_, p)| (*p - origin).length()).fold(f64::INFINITY, f64::min);
        let truth = (sudar::query::closest_point(body.at(&pose), origin).point - origin).length();
        assert!(all.is_empty() || (nearest - truth).abs() < 1e-9, "{nearest} {truth}");
        let first = system.sphere(&pose, &ball, true);
        assert!(first.len() == all.len().min(1) && first.iter().all(|hit| all.contains(hit)));
    }
    assert!(hits > 50);
}

#[test]
fn col_det_tells_a_point_of_both_triangles() {
    let (mesh, pose) = (Arc::new(bumpy(9)), Random::new(4).any_pose(1.0));
    let (system, body) = (ColDet::new(mesh.clone()), Body::new((*mesh).clone()));
    let other = Pose::from_translation(pose.translation() + DVec3::X).unwrap();
    let (_, point) = system.collision_point(&pose, &system, &other).unwrap();
    for at in [&pose, &other] {
        assert!((sudar::query::closest_point(body.at(at), point).point - point).length() < 1e-9);
    }
    // In one plane, and the first corner of the first is far from the second: all that they
    // share is in the box 1..2 × 0..1.
    let flat = |points: [[f64; 2]; 3]| {
        let corners = points.map(|[x, y]| DVec3::new(x, y, 0.0));
        ColDet::new(Arc::new(Mesh::from_triangle(corners.into())))
    };
    let (first, second) =
        (flat([[-9.0, 0.0], [2.0, 0.0], [2.0, 9.0]]), flat([[1.0, 0.0], [9.0, 0.0], [1.0, 1.0]]));
    let here = &Pose::IDENTITY;
    let (_, point) = first.collision_point(here, &second, here).unwrap();
    assert!(point.z == 0.0 && (1.0..=2.0).contains(&point.x) && (0.0..=1.0).contains(&point.y), "{point}");
    assert_eq!(first.collision_point(here, &second, &Pose::from_translation(DVec3::Z).unwrap()), None);
}

fn cd(mesh: &Mesh, most: usize) -> Cd {
    let mut cd = Cd::new().with_limits(most, 2);
    cd.add_mesh(mesh).unwrap();
    cd.process_triangles().unwrap();
    cd
}

#[test]
fn cd_agrees_with_the_engine_for_each_size_of_patch() {
    let (mut hits, mut missed) = (0, 0);
    for (a, b) in pairs() {
        for most in [1, 2, 6, 10] {
            let (mut first, mut second) = (cd(&a, most), cd(&b, most));
            for pose in poses(&a, &b, 10, 8) {
                let expected = !expected(&a, &b, &pose).is_empty();
                second.set_pose(&pose);
                // With every pair in a patch the rounded test alone is left, and these bodies are nowhere
                // near its limits.
                assert_eq!(first.check_all(&second, Budget::UNLIMITED).unwrap(), expected);
                let found = first.check_collision(&second, None).unwrap();
                assert!(!found || expected);
                missed += usize::from(found != expected);
                hits += usize::from(found);
                assert_eq!(found, !first.collision_points().is_empty());
                let body = Body::new((*a).clone());
                for &p in first.collision_points() {
                    assert!(
                        (sudar::query::closest_point(body.at(&Pose::IDENTITY), p).point - p).length() < 1e-9
                    );
                }
            }
        }
    }
    assert!(hits > 50, "{hits}");
    // Several pairs meet wherever bodies do, so that hardly ever all of them are missed.
    assert!(missed * 100 <= hits, "{missed} of {hits}");
}

#[test]
fn cd_says_what_was_misused_and_collides_when_time_is_up() {
    let (mut a, mut b) = (Cd::new(), Cd::new());
    assert_eq!(a.check_collision(&b, None), Err(CdError::NotProcessed));
    assert!(matches!(a.process_triangles(), Err(CdError::Mesh(_))));
    for cd in [&mut a, &mut b] {
        cd.add_mesh(&sphere(6, 1.0)).unwrap();
        cd.process_triangles().unwrap();
        assert_eq!(cd.add_triangle(DVec3::X, DVec3::Y, DVec3::Z), Err(CdError::AlreadyProcessed));
    }
    let mut matrix = [0.0; 16];
    assert!(matches!(a.set_transform_matrix(&matrix), Err(CdError::Pose(_))));
    (matrix[0], matrix[5], matrix[10], matrix[15], matrix[3]) = (1.0, 1.0, 1.0, 1.0, 1.99);
    b.set_transform_matrix(&matrix).unwrap();
    // No time at all: on the safe side it collides, with a point on each of the two roots, which face each other
    // along x: the 18-DOP of a ball around the origin ends at x = 1, that of the other begins at 1.99 − 1.
    assert_eq!(a.check_collision(&b, Some(Duration::ZERO)), Ok(true));
    let [right, left] = a.collision_points() else { panic!("two points") };
    assert!(a.is_timed_out() && (*right - DVec3::X).length() < 1e-12);
    assert!((*left - DVec3::X * 0.99).length() < 1e-12);
    assert_eq!(a.check_within(&b, Budget::nodes(5)), Ok(true));
    matrix[3] = 2.5;
    b.set_transform_matrix(&matrix).unwrap();
    assert_eq!(a.check_collision(&b, None), Ok(false));
    assert!(!a.is_timed_out() && a.collision_points().is_empty());
}

#[test]
fn the_search_in_a_patch_misses_what_a_horseshoe_hides() {
    // A flat horseshoe of seven triangles: from its first the way to the far end leads away from the plane x = 3 first.
    let at = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let strip = [
        at(2.0, 0.0),
        at(2.0, 1.0),
        at(0.0, 0.0),
        at(0.0, 1.0),
        at(-1.0, 0.0),
        at(-1.0, 3.0),
        at(0.0, 2.0),
        at(0.0, 3.0),
        at(4.0, 2.0),
        at(4.0, 3.0),
    ];
    let triangles = [[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 5, 4], [3, 6, 5], [6, 7, 5], [6, 8, 7], [8, 9, 7]];
    let mut horseshoe = Cd::new().with_limits(10, 2);
    for [i, j, k] in triangles {
        horseshoe.add_triangle(strip[i], strip[j], strip[k]).unwrap();
    }
    horseshoe.process_triangles().unwrap();
    let mut wall = Cd::new();
    wall.add_triangle(DVec3::new(3.0, 2.2, -1.0), DVec3::new(3.0, 2.8, -1.0), DVec3::new(3.0, 2.5, 1.0))
        .unwrap();
    wall.process_triangles().unwrap();
    assert_eq!(horseshoe.size().map(|(patches, _)| patches), Some(1));
    assert_eq!(horseshoe.check_all(&wall, Budget::UNLIMITED), Ok(true));
    assert_eq!(horseshoe.check_collision(&wall, None), Ok(false));
}

/// Checks the queries of two hierarchies against the engine's for the same bodies; whether these meet.
fn check_swift([first, second]: [&Swift; 2], [a, b]: [Placed; 2], memory: &mut SwiftMemory) -> bool {
    let (here, pose) = (a.pose(), b.pose());
    let true_one = distance(a, b, &DistanceOptions::EXACT).interval;
    let hit = intersects(a, b).is_touching();
    assert_eq!(first.intersects(here, second, pose, memory), hit);
    let found = first.distance(here, second, pose, f64::INFINITY, memory).unwrap();
    let (low, high) = (true_one.lower * (1.0 - 1e-9) - 1e-12, true_one.upper * (1.0 + 1e-9) + 1e-12);
    assert!(found.distance.upper >= low && found.distance.lower <= high, "{found:?} {true_one:?}");
    assert!(found.distance.width() <= 1e-9, "{found:?}");
    assert!(((found.points[0] - found.points[1]).length() - found.distance.upper).abs() < 1e-9);
    let rough = first.approximate_distance(here, second, pose, 9.0, [0.1, 0.1], memory).unwrap();
    assert!(rough.distance.lower <= high && rough.distance.upper >= low);
    assert!(rough.distance.width() <= 0.1f64.max(0.1 * rough.distance.upper) + 1e-12);
    for tolerance in [0.5 * true_one.upper, 2.0 * true_one.upper + 1e-6] {
        let within = first.within(here, second, pose, tolerance, memory);
        let truth = tolerance >= true_one.upper;
        assert!(within == Some(truth) || (hit && within == Some(true)), "{within:?} {tolerance}");
    }
    assert_eq!(first.distance(here, second, pose, 0.5 * true_one.lower, memory).is_some(), hit);
    match first.contacts(here, second, pose, 1.5 * true_one.upper + 1e-9, memory) {
        SwiftContacts::Collision(point) => {
            assert!(hit);
            let on = |body| sudar::query::closest_point(body, point).point.distance(point) < 1e-9;
            assert!(on(a) && on(b), "{point}");
        }
        SwiftContacts::Apart(minima) => {
            let nearest = minima.first().unwrap().distance;
            assert!(!hit && nearest.upper >= low && nearest.lower <= high);
        }
    }
    hit
}

const EACH_ORDER: [SwiftOptions; 3] = [
    SwiftOptions::DEFAULT,
    SwiftOptions { point: SplitPoint::Mean, order: SwiftOrder::DepthFirst },
    SwiftOptions { point: SplitPoint::MidRange, order: SwiftOrder::Front },
];

#[test]
fn swift_answers_all_five_queries_as_the_engine() {
    let mut seen = [0, 0];
    for (a, b) in pairs() {
        let bodies = [&a, &b].map(|mesh| Body::new(Mesh::clone(mesh)));
        for options in EACH_ORDER {
            let [first, second] = [&a, &b].map(|mesh| Swift::new(mesh.clone(), &options).unwrap());
            let mut memory = SwiftMemory::new();
            for pose in poses(&a, &b, 8, 9) {
                let placed = [bodies[0].at(&Pose::IDENTITY), bodies[1].at(&pose)];
                seen[usize::from(check_swift([&first, &second], placed, &mut memory))] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 10), "{seen:?}");
}

#[test]
fn swift_goes_down_where_hulls_overlap() {
    let [ball, ring] = [bumpy(16), torus(24, 24, 0.35)].map(Arc::new);
    let [first, second] =
        [&ball, &ring].map(|mesh| Swift::new(mesh.clone(), &SwiftOptions::DEFAULT).unwrap());
    for x in [1.2, 1.3] {
        let (pose, mut memory) =
            (Pose::new(DVec3::X * x, DQuat::from_rotation_y(x)).unwrap(), SwiftMemory::new());
        assert!(first.intersects(&Pose::IDENTITY, &second, &pose, &mut memory));
        // Level by level, first in, first out, it takes 481 and 177.
        let tests = memory.effort().volume_tests;
        assert!(tests < 100, "{tests} of {} and {} pieces", first.pieces(), second.pieces());
    }
}

#[test]
fn swift_takes_solids_with_their_inside() {
    let mut seen = [0, 0];
    for (a, b) in pairs() {
        let solids = [&a, &b].map(|mesh| ClosedMesh::new(mesh.clone()).unwrap());
        let bodies = solids.clone().map(Body::new);
        for options in EACH_ORDER {
            let [first, second] = [0, 1].map(|i| Swift::of_solid(&solids[i], &options).unwrap());
            assert!(first.full_pieces() > 0 && second.full_pieces() > 0);
            let mut memory = SwiftMemory::new();
            // The last is small and deep inside the first, or in the hole of the ring.
            let inside = Pose::from_translation(a.aabb().center() - b.aabb().center()).unwrap();
            for pose in poses(&a, &b, 8, 9).into_iter().chain([inside]) {
                let placed = [bodies[0].at(&Pose::IDENTITY), bodies[1].at(&pose)];
                seen[usize::from(check_swift([&first, &second], placed, &mut memory))] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 10), "{seen:?}");
}

#[test]
fn swift_of_a_solid_knows_what_is_wholly_inside_and_what_is_hollow() {
    let options = &SwiftOptions::DEFAULT;
    let solid = |mesh: Mesh| ClosedMesh::new(Arc::new(mesh)).unwrap();
    let small = cuboid([-0.1; 3], [0.1; 3]);
    // A body around the small one, and a shell with a hollow around it.
    let around = cuboid([-1.0; 3], [1.0; 3]);
    let hollow = cuboid([-0.5; 3], [0.5; 3]);
    let flipped = hollow.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    let hollow = Mesh::new(hollow.vertices().to_vec(), flipped).unwrap();
    let shell = Mesh::joined(&[around.clone(), hollow]).unwrap();
    let here = &Pose::IDENTITY;
    for (outer, full, meets, gap) in [(around, 1, true, 0.0), (shell, 0, false, 0.4)] {
        let surfaces =
            [Swift::new(Arc::new(outer.clone()), options), Swift::new(Arc::new(small.clone()), options)];
        let [first, second] = surfaces.map(Result::unwrap);
        assert!(!first.intersects(here, &second, here, &mut SwiftMemory::new()));
        assert_eq!(first.full_pieces(), 0);
        let solids = [outer, small.clone()].map(|mesh| Swift::of_solid(&solid(mesh), options).unwrap());
        let [first, second] = &solids;
        // The hull of the outer cube holds the hollow and does not count; of the hollow each side is flat.
        assert_eq!((first.full_pieces() == first.pieces(), second.full_pieces()), (full == 1, 1));
        let mut memory = SwiftMemory::new();
        assert_eq!(first.intersects(here, second, here, &mut memory), meets);
        let found = first.distance(here, second, here, 1.0, &mut memory).unwrap().distance;
        assert!((found.upper - gap).abs() < 1e-12, "{found:?}");
    }
}

#[test]
fn swift_of_a_solid_does_not_take_a_pocket_for_inside() {
    // A tetrahedron open at the top, with a pocket down to half its height. The hull of two of its outer sides would be
    // all of it, and its fourth face the lid of the pocket, outside the body.
    let [half, low] = [0.75f64.sqrt(), -2.0];
    let vertices =
        [[1.0, 0.0, 0.0], [-0.5, half, 0.0], [-0.5, -half, 0.0], [0.0, 0.0, low], [0.0, 0.0, -1.0]];
    let triangles = vec![[1, 0, 3], [2, 1, 3], [0, 2, 3], [0, 1, 4], [1, 2, 4], [2, 0, 4]];
    let cup = Mesh::new(vertices.map(DVec3::from).to_vec(), triangles).unwrap();
    let solids = [cup, cuboid([-0.02; 3], [0.02; 3])].map(|mesh| ClosedMesh::new(Arc::new(mesh)).unwrap());
    let bodies = solids.clone().map(Body::new);
    let mut seen = Vec::new();
    for options in EACH_ORDER {
        let [first, second] = [0, 1].map(|i| Swift::of_solid(&solids[i], &options).unwrap());
        let mut memory = SwiftMemory::new();
        // Above, in the pocket, in the body below, and beneath.
        for z in [0.2, -0.2, -1.5, -2.5] {
            let pose = Pose::from_translation(DVec3::Z * z).unwrap();
            let placed = [bodies[0].at(&Pose::IDENTITY), bodies[1].at(&pose)];
            seen.push(check_swift([&first, &second], placed, &mut memory));
        }
    }
    assert_eq!(seen, [false, false, true, false].repeat(3));
}

#[test]
fn swift_lists_local_minima_and_says_when_bodies_collide() {
    // A table of four legs, which end at 0.0, 0.01, 0.02 and 0.03 above the ground, each in one corner lower.
    let legs = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let mut parts = vec![cuboid([-1.2, -1.2, 1.0], [1.2, 1.2, 1.1])];
    for (i, [x, y]) in (0..).zip(legs) {
        let leg = cuboid([x - 0.1, y - 0.1, 0.01 * f64::from(i)], [x + 0.1, y + 0.1, 1.0]);
        parts.push(leg.mapped(|p| p + DVec3::Z * 0.01 * (p.x - x) * (p.y - y + 0.3)).unwrap());
    }
    let table = Arc::new(Mesh::joined(&parts).unwrap());
    let ground = Arc::new(cuboid([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0]));
    let lift = |z: f64| Pose::from_translation(DVec3::Z * z).unwrap();
    let bodies = [&ground, &table].map(|mesh| Body::new(Mesh::clone(mesh)));
    for options in EACH_ORDER {
        let [first, second] = [&ground, &table].map(|mesh| Swift::new(mesh.clone(), &options).unwrap());
        let mut memory = SwiftMemory::new();
        let mut at =
            |pose: &Pose, tolerance| first.contacts(&Pose::IDENTITY, &second, pose, tolerance, &mut memory);
        for (tolerance, count) in [(0.1, 1), (0.115, 2), (0.2, 4)] {
            let SwiftContacts::Apart(found) = at(&lift(0.1), tolerance) else { panic!("they are apart") };
            let truth = local_minima(bodies[0].at(&Pose::IDENTITY), bodies[1].at(&lift(0.1)), tolerance);
            assert_eq!((found.len(), truth.len()), (count, count), "{found:?}");
            for (contact, truth) in found.iter().zip(&truth) {
                assert!((contact.distance.upper - truth.interval.upper).abs() < 1e-12);
                assert!(contact.points[1].distance(truth.point_b) < 1e-9 && contact.normal.z > 0.999_999);
            }
        }
        assert!(matches!(at(&lift(-0.05), 0.2), SwiftContacts::Collision(_)));
        assert_eq!(at(&lift(3.0), 0.2), SwiftContacts::Apart(Vec::new()));
    }
}

#[test]
fn swift_finds_the_local_minima_that_the_engine_finds() {
    let (mut fewer, mut all) = (0, 0);
    for (a, b) in pairs() {
        let bodies = [&a, &b].map(|mesh| Body::new(Mesh::clone(mesh)));
        let [first, second] = [&a, &b].map(|mesh| Swift::new(mesh.clone(), &SwiftOptions::DEFAULT).unwrap());
        for pose in poses(&a, &b, 8, 9) {
            let placed = [bodies[0].at(&Pose::IDENTITY), bodies[1].at(&pose)];
            let tolerance = 1.3 * distance(placed[0], placed[1], &DistanceOptions::EXACT).interval.upper;
            let here = &Pose::IDENTITY;
            let found = first.contacts(here, &second, &pose, tolerance, &mut SwiftMemory::new());
            let SwiftContacts::Apart(found) = found else { continue };
            let truth = local_minima(placed[0], placed[1], tolerance);
            let equal = |contact: &SwiftContact, truth: &LocalMinimum| {
                (contact.distance.upper - truth.interval.upper).abs() < 1e-9
            };
            assert!(truth.iter().all(|minimum| found.iter().any(|contact| equal(contact, minimum))));
            assert!(found.iter().all(|contact| truth.iter().any(|minimum| equal(contact, minimum))));
            // Of two places as near on the same two pieces one is listed.
            assert!(found.len() <= truth.len(), "{found:?} {truth:?}");
            fewer += truth.len() - found.len();
            all += truth.len();
        }
    }
    assert!(all > 30 && fewer <= 1, "{fewer} {all}");
}

/// Bodies of convex parts in both worlds and in the engine.
struct Worlds {
    lin_canny: ICollide,
    separating: QCollide,
    bodies: Vec<Body>,
    poses: Vec<Pose>,
    random: Random,
}

impl Worlds {
    fn new() -> Self {
        let (lin_canny, separating, random) = (ICollide::new(), QCollide::new(), Random::new(12));
        let mut worlds = Self { lin_canny, separating, bodies: Vec::new(), poses: Vec::new(), random };
        (0..14).for_each(|i| worlds.add(i));
        worlds
    }

    /// Every third is made of three parts that overlap; one is flat, one a needle.
    fn add(&mut self, i: usize) {
        let count = if i.is_multiple_of(3) { 3 } else { 1 };
        let scale = match i {
            4 => DVec3::new(1.0, 1.0, 0.0),
            5 => DVec3::new(1.0, 1e-3, 1e-3),
            _ => DVec3::splat(0.7),
        };
        let shift = |k: usize| DVec3::X * (0.6 * k as f64);
        let clouds: Vec<Vec<DVec3>> = (0..count)
            .map(|k| self.random.cloud(20).into_iter().map(|p| p * scale + shift(k)).collect())
            .collect();
        let parts = || clouds.iter().map(|points| ConvexPart::new(points).unwrap()).collect::<Vec<_>>();
        let pose = Pose::from_translation(self.random.point() * 2.5).unwrap();
        let hulls = clouds.iter().map(|points| {
            let hull = sudar::hull::convex_hull(points).unwrap();
            (Body::new(sudar::Shape::Hull(Arc::new(hull))), Pose::IDENTITY)
        });
        self.bodies.push(Body::compound(hulls.collect()).unwrap());
        assert_eq!(self.lin_canny.add(parts(), &pose).unwrap(), self.separating.add(parts(), &pose).unwrap());
        self.poses.push(pose);
    }

    fn step(&mut self) -> [Vec<Proximity>; 2] {
        for (i, pose) in self.poses.iter_mut().enumerate() {
            let turn = DQuat::from_scaled_axis(self.random.point() * 0.2);
            let next = Pose::from_matrix(
                sudar::DMat3::from_quat(turn) * pose.rotation(),
                pose.translation() * 0.98 + self.random.point() * 0.1,
            );
            *pose = next.unwrap_or(*pose);
            self.lin_canny.set_pose(BodyId(i as u32), pose).unwrap();
            self.separating.set_pose(BodyId(i as u32), pose).unwrap();
        }
        [self.lin_canny.step(), self.separating.step()]
    }

    fn placed(&self, id: BodyId) -> Placed<'_> {
        self.bodies[id.0 as usize].at(&self.poses[id.0 as usize])
    }

    fn distance(&self, [i, j]: [BodyId; 2]) -> Interval {
        distance(self.placed(i), self.placed(j), &DistanceOptions::EXACT).interval
    }
}

#[test]
fn worlds_of_convex_bodies_agree_with_the_engine() {
    let (mut worlds, mut seen) = (Worlds::new(), 0);
    for _ in 0..25 {
        let found = worlds.step();
        let ids = 0..worlds.bodies.len() as u32;
        let all = ids.clone().flat_map(|i| ids.clone().map(move |j| [BodyId(i), BodyId(j)]));
        let meet = |[i, j]: &[BodyId; 2]| intersects(worlds.placed(*i), worlds.placed(*j)).is_touching();
        let colliding: Vec<[BodyId; 2]> = all.filter(|[i, j]| i < j).filter(meet).collect();
        for found in &found {
            let hits = found.iter().filter(|pair| pair.colliding).map(|pair| pair.bodies);
            assert_eq!(hits.collect::<Vec<_>>(), colliding);
        }
        seen += colliding.len();
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn i_collide_tells_nearest_points_and_features_of_bodies_that_are_apart() {
    let (mut worlds, mut seen) = (Worlds::new(), [0, 0]);
    for _ in 0..25 {
        let [found, _] = worlds.step();
        for pair in &found {
            let parts = pair.bodies.map(|id| if id.0.is_multiple_of(3) { 3 } else { 1 });
            assert!(pair.colliding || pair.tests <= parts[0] * parts[1]);
            assert_eq!(pair.box_tests == 0, parts == [1, 1]);
            assert_eq!(pair.distance.is_some(), !pair.colliding);
            let (Some(found), Some(points)) = (pair.distance, pair.points) else { continue };
            let truth = worlds.distance(pair.bodies);
            assert!(found.lower <= truth.upper + 1e-9 && truth.lower <= found.upper + 1e-9);
            assert!(found.width() < 1e-9 && (points[0].distance(points[1]) - found.upper).abs() < 1e-9);
            for (id, p) in pair.bodies.into_iter().zip(points) {
                assert!(sudar::query::closest_point(worlds.placed(id), p).point.distance(p) < 1e-9);
            }
            seen[usize::from(parts != [1, 1])] += 1;
            // Only the flat body and the needle have no features to walk over.
            let thin = pair.bodies.iter().any(|id| id.0 == 4 || id.0 == 5);
            assert!(pair.features.is_some() || thin, "{pair:?}");
        }
    }
    assert!(seen.iter().all(|&n| n > 20), "{seen:?}");
}

#[test]
fn q_collide_tells_the_nearest_points_of_the_step_before_a_collision() {
    let (mut worlds, mut apart, mut seen) = (Worlds::new(), BTreeMap::new(), 0);
    for _ in 0..100 {
        let [_, found] = worlds.step();
        for pair in found.iter().filter(|pair| pair.bodies.iter().all(|id| !id.0.is_multiple_of(3))) {
            assert_eq!(pair.distance, None);
            if !pair.colliding {
                assert_eq!(pair.points, None);
                apart.insert(pair.bodies, worlds.distance(pair.bodies).upper);
                continue;
            }
            // Those that never were apart have no points.
            assert_eq!(pair.points.is_some(), apart.contains_key(&pair.bodies));
            if let (Some([p, q]), Some(before)) = (pair.points, apart.get(&pair.bodies)) {
                assert!((p.distance(q) - before).abs() < 1e-9, "{p} {q} {before}");
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn rays_tell_how_far_a_body_is_above_a_surface() {
    let ground = Body::new(sphere(24, 10.0));
    let down = |x: f64| (DVec3::new(x, 0.0, 0.0), DVec3::NEG_Z);
    let car = RayBody::new(vec![down(0.0), down(1.0), (DVec3::ZERO, DVec3::Z)], 2.0).unwrap();
    let at = |z: f64| Pose::from_translation(DVec3::new(0.0, 0.0, z)).unwrap();
    // The top of the ball is a vertex at height 10.
    let above = car.probe(&at(13.0), &ground, &Pose::IDENTITY, 5.0);
    assert!(
        matches!(above[0], RayContact::Above(d) if (d - 3.0).abs() < 1e-9) && above[2] == RayContact::Nothing
    );
    let inside = car.probe(&at(9.5), &ground, &Pose::IDENTITY, 5.0);
    assert!(matches!(inside[0], RayContact::Inside(d) if (d - 0.5).abs() < 1e-9));
    assert_eq!(car.probe(&at(10.0), &ground, &Pose::IDENTITY, 5.0)[0], RayContact::Touching);
    assert!(RayBody::new(vec![down(0.0)], 0.0).is_err() && RayBody::new(vec![], f64::NAN).is_err());
}

#[test]
fn all_systems_agree_on_real_models() {
    let Some(folder) = data() else { return };
    let load = |name: &str| {
        let model = sudar_formats::read(&folder.join("meshes").join(name)).unwrap();
        Arc::new(model.merged().unwrap())
    };
    for (a, b) in [("fcl/env.obj", "fcl/rob.obj"), ("classic/suzanne.obj", "classic/cow.obj")] {
        let (a, b) = (load(a), load(b));
        let spheres = (SphereTree::new(a.clone()), SphereTree::new(b.clone()));
        let solid = (Solid::new(a.clone()), Solid::new(b.clone()));
        let rapid = (Rapid::new(a.clone()), Rapid::new(b.clone()));
        let col_det = (ColDet::new(a.clone()), ColDet::new(b.clone()));
        let mut quick = QuickCd::<9>::new(a.clone(), b.clone(), &QuickCdOptions::DEFAULT);
        let mut cds = (cd(&a, 6), cd(&b, 6));
        for pose in poses(&a, &b, 6, 15) {
            let (here, expected) = (&Pose::IDENTITY, expected(&a, &b, &pose));
            assert_eq!(spheres.0.collide(here, &spheres.1, &pose, Limits::ALL).pairs, expected);
            assert_eq!(solid.0.collide(here, &solid.1, &pose, Limits::ALL).pairs, expected);
            assert_eq!(rapid.0.collide(here, &rapid.1, &pose, Limits::ALL).pairs, expected);
            assert_eq!(col_det.0.collide(here, &col_det.1, &pose, Limits::ALL).pairs, expected);
            assert_eq!(quick.collide(here, &pose, Limits::ALL).pairs, expected);
            cds.1.set_pose(&pose);
            assert_eq!(cds.0.check_all(&cds.1, Budget::UNLIMITED), Ok(!expected.is_empty()));
        }
    }
}
