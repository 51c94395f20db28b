//! The built-in scenes run, and queries see their bodies.

use super::*;
use sudar::{Pose, Ray};
use sudar_scene::{ALL, BuiltIn};

#[test]
fn every_built_in_scene_runs() {
    for built_in in ALL {
        let scene = built_in.scene().unwrap();
        let mut world = scene.world().unwrap();
        let steps = if scene.bodies.len() > 100 { 3 } else { 20 };
        for _ in 0..steps {
            world.step(scene.step).unwrap();
        }
        assert!(
            world.out_of_bounds().count() == 0 && world.energy().total().is_finite(),
            "{}",
            built_in.name
        );
        assert!(BuiltIn::by_name(built_in.name).is_some() && !built_in.about.is_empty());
    }
}

#[test]
fn rays_and_boxes_find_bodies_where_they_are_now() {
    let mut world = World::new(weightless("solver")).unwrap();
    let mut ball = ball("ball", 0.5);
    ball.velocity = DVec3::X;
    let moving = world.add(ball).unwrap();
    world.add(RigidBody { position: DVec3::X * 20.0, ..cuboid("box", [1.0; 3]) }).unwrap();
    run(&mut world, 4.0, STEP);
    let ray = Ray::new(DVec3::X * -10.0, DVec3::X).unwrap();
    let (body, hit) = world.ray(&ray, f64::INFINITY, Filter::ALL).unwrap();
    assert!(body == moving && (hit.t - 13.5).abs() < 1e-9);
    let probe = sudar::query::Body::new(Sphere::new(DVec3::ZERO, 0.1).unwrap());
    let at = |x: f64| Pose::from_translation(DVec3::X * x).unwrap();
    assert_eq!(world.touching(probe.at(&at(4.0)), Filter::ALL), [moving]);
    assert!(world.touching(probe.at(&at(0.0)), Filter::ALL).is_empty());
}

/// Searches of a world beside a search of all its bodies, one by one.
fn searches_see_all(world: &World, what: &str) {
    use sudar::query::{Body, intersects, ray};
    let probe = Body::new(Cuboid::new(DVec3::splat(1.2)).unwrap());
    let mut hits = 0;
    for i in 0..12_u32 {
        let from = DVec3::new(f64::from(i % 4) * 2.5 - 4.0, f64::from(i / 4) * 3.0 - 3.0, -6.0);
        for direction in [DVec3::Z, DVec3::new(0.3, 0.1, 1.0)] {
            let along = Ray::new(from, direction).unwrap();
            let mut first: Option<(f64, u32)> = None;
            for (id, body) in world.bodies() {
                let hit = ray(body.body.at(&world.pose(id).unwrap()), &along, 20.0);
                let hit = hit.map(|hit| (hit.t, id.index()));
                first = [first, hit].into_iter().flatten().min_by(|a, b| a.partial_cmp(b).unwrap());
            }
            let found = world.ray(&along, 20.0, Filter::ALL).map(|(body, hit)| (hit.t, body.index()));
            assert_eq!(found, first, "{what}: {along:?}");
            hits += usize::from(found.is_some());
        }
        let at = Pose::from_translation(from + DVec3::Z * 6.0).unwrap();
        let touched = |(id, body): (Handle, &RigidBody)| {
            intersects(probe.at(&at), body.body.at(&world.pose(id).unwrap())).is_touching().then_some(id)
        };
        let expected: Vec<Handle> = world.bodies().filter_map(touched).collect();
        assert_eq!(world.touching(probe.at(&at), Filter::ALL), expected, "{what}");
        let cast = world.cast_shape(probe.at(&at), DVec3::X, 30.0, Filter::ALL).unwrap();
        assert!(expected.is_empty() || cast.is_some_and(|(id, _)| id == expected[0]), "{what}: {cast:?}");
    }
    assert!(hits > 0, "{what}");
}

#[test]
fn searches_see_bodies_as_they_are_right_after_every_change() {
    let mut world = World::new(settings("solver")).unwrap();
    let mut bodies = Vec::new();
    let mut add = |world: &mut World, i: u32| {
        let position = DVec3::new(f64::from(i % 5), f64::from(i / 5 % 5), f64::from(i % 3)) * 1.5 - 3.0;
        let body = RigidBody { position, ..cuboid(&format!("box {i}"), [0.5, 0.4, 0.3]) };
        bodies.push(world.add(body).unwrap());
        searches_see_all(world, &format!("{i} added"));
        bodies.clone()
    };
    (0..40).for_each(|i| drop(add(&mut world, i)));
    world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, -5.0).unwrap())).unwrap();
    searches_see_all(&world, "with a floor");
    let all = add(&mut world, 40);
    let start = world.snapshot();
    for i in [3, 17, 30] {
        world.remove(all[i]).unwrap();
        searches_see_all(&world, "removed");
    }
    let again = world.add(RigidBody { position: DVec3::ONE, ..ball("ball", 0.4) }).unwrap();
    searches_see_all(&world, "put in a free place");
    let motion = BodyState { center: DVec3::new(-2.0, 1.0, 2.5), ..world.motion(again).unwrap() };
    world.set_motion(again, motion).unwrap();
    searches_see_all(&world, "teleported");
    let before = world.snapshot();
    for seconds in [STEP, STEP, 0.2, 4.0] {
        run(&mut world, seconds, STEP);
        searches_see_all(&world, "stepped");
    }
    assert!(world.bodies().any(|(id, _)| world.is_asleep(id).unwrap()));
    world.restore(&before).unwrap();
    searches_see_all(&world, "restored");
    world.restore(&start).unwrap();
    searches_see_all(&world, "restored with the bodies of before");
}

#[test]
fn frames_between_steps_are_drawn_where_bodies_fly() {
    let mut world = World::new(settings("solver")).unwrap();
    let mut ball = ball("ball", 0.5);
    ball.velocity = DVec3::X * 3.0;
    let id = world.add(ball).unwrap();
    let pace = Pace { step: 0.01, most: 8 };
    let frame = world.advance(0.025, &pace).unwrap();
    assert_eq!((frame.reports.len(), world.steps(), frame.skipped), (2, 2, 0.0));
    let drawn = world.extrapolated_pose(id).unwrap().translation();
    let t = 0.025_f64;
    assert!((drawn - DVec3::new(3.0 * t, 0.0, -0.5 * 9.81 * t * t)).length() < 1e-12);
    // Half a step after 0.02 s, a step later: where it was at 0.015 s, on a straight line between the steps.
    assert!((frame.between - 0.5).abs() < 1e-9);
    let drawn = world.interpolated_pose(id, frame.between).unwrap().translation();
    let height = |t: f64| -0.5 * 9.81 * t * t;
    assert!((drawn - DVec3::new(0.045, 0.0, 0.5 * (height(0.01) + height(0.02)))).length() < 1e-12);
    // What a slow machine cannot do is given up.
    let frame = world.advance(1.0, &pace).unwrap();
    assert_eq!((frame.reports.len(), world.steps()), (8, 10));
    assert!((frame.skipped - 0.92).abs() < 1e-9 && (0.0..1.0).contains(&frame.between), "{frame:?}");
    // What is put elsewhere does not fly there.
    let motion = BodyState { center: DVec3::Y, ..world.motion(id).unwrap() };
    world.set_motion(id, motion).unwrap();
    assert_eq!(world.interpolated_pose(id, 0.5).unwrap().translation(), DVec3::Y);
}

#[test]
fn a_handle_of_another_world_is_refused() {
    let mut worlds = [World::new(settings("solver")).unwrap(), World::new(settings("solver")).unwrap()];
    let handles = worlds.each_mut().map(|world| world.add(ball("ball", 0.5)).unwrap());
    let refused = worlds[0].motion(handles[1]).unwrap_err().to_string();
    assert!(refused.contains("another world"), "{refused}");
    assert!(worlds[0].remove(handles[1]).is_err() && worlds[0].motion(handles[0]).is_ok());
    assert!(worlds[0].clone().motion(handles[0]).is_ok());
}
