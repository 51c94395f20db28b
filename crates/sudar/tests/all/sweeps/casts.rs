//! Casts along a line, and paths.

use sudar::convex::{Difference, PosedConvex};
use sudar::motion::{CastOutcome, Motion, gjk_ray, moving_spheres};
use sudar::query::{
    Body, CastHit, Other, Path, Sweep, SweepOptions, Work, cast_shape, cast_sphere, first_collision_on_path,
    sweep,
};
use sudar::{Capsule, Cuboid, DQuat, DVec3, Halfspace, Pose, Sphere};
use sudar_testing::meshes::{ball, cube, solid};
use sudar_testing::zoo::zoo;
use sudar_testing::{Random, at};

use super::motions::check;

#[test]
fn linear_casts_of_all_convex_shapes_agree_with_their_distances() {
    let convex: Vec<_> = zoo().into_iter().filter(|(_, body)| body.convex().is_some()).collect();
    let (mut hits, mut free) = (0, 0);
    for (i, (name_a, a)) in convex.iter().enumerate() {
        for (j, (name_b, b)) in convex.iter().enumerate() {
            let mut rng = Random::new((100 * i + j) as u64);
            for case in 0..4 {
                let (start_a, start_b) = (rng.any_pose(0.3), rng.any_pose(1.0));
                let away = rng.point().normalize() * 4.0;
                let start_b = Pose::from_matrix(start_b.rotation(), start_b.translation() + away).unwrap();
                let aim = rng.point() * ([0.2, 1.0, 2.0, 0.8][case]) - away * rng.within(1.0, 2.0);
                let motions = [Motion::still(&start_a), Motion::linear(&start_b, aim).unwrap()];
                let separation = if case == 3 { 0.1 } else { 0.0 };
                let options = SweepOptions::within(1e-7).apart_by(separation);
                let found = sweep(a.moving(&motions[0]), b.moving(&motions[1]), &options);
                let name = format!("{name_a} {name_b} {case}");
                check([a, b], [&motions[0], &motions[1]], &options, &found, 60, &name);
                match found {
                    Sweep::Hit(_) => hits += 1,
                    Sweep::Free | Sweep::Undecided { .. } => free += 1,
                }
                // The ray of GJK alone says the same.
                let (left, right) = (a.convex().unwrap(), b.convex().unwrap());
                let difference =
                    Difference::new(PosedConvex::new(left, &start_a), PosedConvex::new(right, &start_b));
                match gjk_ray(&difference, aim, 1.0, separation, 1e-7).outcome {
                    CastOutcome::Free => assert_eq!(found, Sweep::Free, "{name}"),
                    CastOutcome::Contact { time, .. } => {
                        let impact = found.impact().unwrap_or_else(|| panic!("{name}: {time} {found:?}"));
                        assert!((impact.time.lower - time).abs() < 1e-4, "{name}: {time} {impact:?}");
                    }
                    CastOutcome::Undecided(time) => assert!(time <= found.free_until(), "{name}"),
                }
            }
        }
    }
    println!("{hits} hits, {free} free");
    assert!(hits > 150 && free > 50);
}

#[test]
fn moving_balls_in_closed_form_are_in_the_interval_of_the_sweep() {
    let mut rng = Random::new(4);
    let mut hits = 0;
    for _ in 0..2000 {
        let balls = [0, 1].map(|_| Sphere::new(rng.point() * 2.0, rng.within(0.1, 0.8)).unwrap());
        let ways = [0, 1].map(|_| rng.point() * 3.0);
        let time = moving_spheres(&balls[0], ways[0], &balls[1], ways[1], 1.0);
        let bodies = balls.map(Body::new);
        let motions = ways.map(|way| Motion::linear(&Pose::IDENTITY, way).unwrap());
        let found =
            sweep(bodies[0].moving(&motions[0]), bodies[1].moving(&motions[1]), &SweepOptions::within(1e-9));
        match time {
            Some(time) => {
                let seen = found.impact().unwrap().time;
                assert!(seen.contains(time) && seen.width() < 1e-6, "{time} {seen:?}");
                hits += 1;
            }
            None => assert!(found.decided() == Some(false) || found.impact().unwrap().distance < 1e-8),
        }
    }
    assert!(hits > 150, "{hits}");
}

#[test]
fn a_cast_stops_before_what_is_in_the_way() {
    let wall = Body::new(cube(1.0));
    let target = at(5.0, 0.0, 0.0);
    let hit = cast_sphere(DVec3::ZERO, 0.5, DVec3::X * 7.0, 100.0, wall.at(&target)).unwrap().unwrap();
    assert!(hit.distance.contains(3.5) && hit.distance.width() < 1e-6, "{hit:?}");
    assert!((hit.normal + DVec3::X).length() < 1e-9 && (hit.point - DVec3::X * 4.0).length() < 1e-6);
    // Too short, and beside it.
    let cast =
        |direction, length| cast_sphere(DVec3::ZERO, 0.5, direction, length, wall.at(&target)).unwrap();
    assert_eq!(cast(DVec3::X, 3.4), None);
    assert_eq!(cast(DVec3::Y, 100.0), None);
    // From inside of a solid, and against one that touches from the beginning.
    let inside = cast_shape(
        Body::new(Sphere::new(DVec3::ZERO, 0.1).unwrap()).at(&target),
        DVec3::X,
        9.0,
        solid(cube(1.0)).at(&target),
    );
    assert!(matches!(inside, Ok(Some(CastHit { distance, .. })) if distance.upper == 0.0));
    for bad in [DVec3::ZERO, DVec3::NAN, DVec3::INFINITY] {
        assert!(cast_sphere(DVec3::ZERO, 0.5, bad, 1.0, wall.at(&target)).is_err(), "{bad}");
    }
    assert!(cast_sphere(DVec3::ZERO, -1.0, DVec3::X, 1.0, wall.at(&target)).is_err());
}

#[test]
fn a_path_is_free_up_to_the_segment_that_is_not() {
    // Through a gap between two posts, around a third, and into the floor.
    let post = Body::new(Cuboid::new(DVec3::new(0.1, 0.1, 2.0)).unwrap());
    let floor = Body::new(Halfspace::new(DVec3::Z, -1.0).unwrap());
    let obstacles = [
        (post.clone(), at(1.0, 0.45, 0.0)),
        (post.clone(), at(1.0, -0.45, 0.0)),
        (post, at(3.0, 0.0, 0.0)),
        (floor, Pose::IDENTITY),
    ];
    let bodies = [Body::new(Sphere::new(DVec3::ZERO, 0.3).unwrap())];
    let way = |points: &[[f64; 3]]| points.iter().map(|&[x, y, z]| vec![at(x, y, z)]).collect::<Vec<_>>();
    let poses = way(&[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [4.0, 1.0, 0.0], [4.0, 1.0, -2.0]]);
    let options = SweepOptions::within(1e-6);
    let path = |poses| Path { bodies: &bodies, poses, obstacles: &obstacles, apart: &[] };
    let found = first_collision_on_path(&path(&poses), &options).unwrap();
    assert_eq!((found.segment, found.body, found.other), (3, 0, Other::Obstacle(3)));
    // From z = 0 to −0.7 of two.
    assert!(found.found.impact().unwrap().time.contains(0.35), "{found:?}");
    assert_eq!(first_collision_on_path(&path(&poses[..4]), &options), None);
    // Straight on is blocked by the third post, though both ends are free.
    let straight = way(&[[2.0, 0.0, 0.0], [4.0, 0.0, 0.0]]);
    let found = first_collision_on_path(&path(&straight), &options).unwrap();
    assert!(
        (found.segment, found.other) == (0, Other::Obstacle(2))
            && found.found.impact().unwrap().time.contains(0.3)
    );
    // A budget that is too small proves nothing.
    let mut work = Work::new(sudar::effort::Budget::nodes(0));
    let stopped = work.first_collision_on_path(&path(&poses[..4]), &options).unwrap();
    assert_eq!((stopped.segment, stopped.found.decided()), (0, None));
    assert_eq!(first_collision_on_path(&path(&poses[..1]), &options), None);
    assert_eq!(first_collision_on_path(&path(&[]), &options), None);
}

#[test]
fn links_of_an_arm_meet_each_other_between_two_poses() {
    // Two links with a third that folds back over half a turn and would pass through the first.
    let link = Body::new(Capsule::new(0.1, 0.8).unwrap());
    let bodies = [link.clone(), link, Body::new(ball(1, DVec3::splat(0.2)))];
    let turned = |angle: f64, x: f64| Pose::new(DVec3::X * x, DQuat::from_rotation_x(angle)).unwrap();
    let poses = vec![
        vec![turned(0.0, 0.0), turned(1.0, 0.0), turned(0.0, 3.0)],
        vec![turned(0.0, 0.0), turned(-1.0, 0.0), turned(0.0, 3.0)],
    ];
    let path = |apart| Path { bodies: &bodies, poses: &poses, obstacles: &[], apart };
    let options = SweepOptions::within(1e-6);
    // Crossed at their middles they touch from the start; beside each other they never do.
    let found = first_collision_on_path(&path(&[[0, 1]]), &options).unwrap();
    assert_eq!((found.body, found.other), (0, Other::Body(1)));
    assert_eq!(first_collision_on_path(&path(&[[0, 2], [1, 2]]), &options), None);
}
