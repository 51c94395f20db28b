//! The built-in scenes run, and queries see their bodies.

use super::*;
use sudar::dynamics::scenes::{ALL, BuiltIn};
use sudar::{Pose, Ray};

#[test]
fn every_built_in_scene_runs() {
    for built_in in ALL {
        let scene = built_in.scene().unwrap();
        let mut world = world(&scene);
        let steps = if scene.bodies.len() > 100 { 3 } else { 20 };
        for _ in 0..steps {
            world.step(scene.step).unwrap();
        }
        assert!(world.outside() == 0 && world.energy().total().is_finite(), "{}", built_in.name);
        assert!(BuiltIn::by_name(built_in.name).is_some() && !built_in.about.is_empty());
    }
}

#[test]
fn rays_and_boxes_find_bodies_where_they_are_now() {
    let mut world = World::new(weightless(Response::Solver)).unwrap();
    let mut ball = ball("ball", 0.5);
    ball.velocity = DVec3::X;
    let moving = world.add(ball).unwrap();
    world.add(RigidBody { position: DVec3::X * 20.0, ..cuboid("box", [1.0; 3]) }).unwrap();
    run(&mut world, 4.0, STEP);
    let ray = Ray::new(DVec3::X * -10.0, DVec3::X).unwrap();
    let cast = world.ray(&ray, f64::INFINITY).unwrap();
    assert!(cast.body == moving && (cast.hit.t - 13.5).abs() < 1e-9);
    let probe = sudar::query::Body::new(Sphere::new(DVec3::ZERO, 0.1).unwrap());
    let at = |x: f64| Pose::from_translation(DVec3::X * x).unwrap();
    assert_eq!(world.overlaps(&probe, &at(4.0)), [moving]);
    assert!(world.overlaps(&probe, &at(0.0)).is_empty());
}

#[test]
fn frames_between_steps_are_drawn_where_bodies_fly() {
    let mut world = World::new(settings(Response::Solver)).unwrap();
    let mut ball = ball("ball", 0.5);
    ball.velocity = DVec3::X * 3.0;
    let id = world.add(ball).unwrap();
    let reports = world.run(0.025, 0.01).unwrap();
    assert_eq!((reports.len(), world.steps()), (2, 2));
    let drawn = world.drawn_pose(id).unwrap().translation();
    let t = 0.025_f64;
    assert!((drawn - DVec3::new(3.0 * t, 0.0, -0.5 * 9.81 * t * t)).length() < 1e-12);
}
