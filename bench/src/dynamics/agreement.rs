//! On scenes without chaos two engines that share no code end up in the same place.

use glam::DVec3;
use sudar::dynamics::{RigidBody, Settings, SoftContacts, World};
use sudar::query::Body;
use sudar::{Cuboid, Halfspace, Shape, Sphere};
use sudar_scene::{self as scenes, Scene};

use super::{Rapier, place};

/// A scene of the solver with a floor.
fn grounded() -> Scene {
    let settings =
        Settings { response: std::sync::Arc::new(SoftContacts), sleeps: false, ..Settings::default() };
    let mut scene = Scene::new(settings);
    scene.bodies.push(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap()));
    scene
}

fn put(scene: &mut Scene, name: &str, shape: impl Into<Shape>, position: DVec3) {
    let body = RigidBody::new(name, Body::new(shape));
    scene.bodies.push(RigidBody { position, ..body });
}

/// Runs both; returns the largest distance between the centres of one body and the other, and the worlds at the end.
fn apart(scene: &Scene, steps: u32) -> (f64, World, World) {
    let (mut ours, mut theirs) = (scene.world().unwrap(), Rapier::new(scene).unwrap());
    for _ in 0..steps {
        ours.step(scene.step).unwrap();
        theirs.step();
    }
    let mut other = scene.world().unwrap();
    place(&mut other, &theirs.motions()).unwrap();
    let centers = |world: &World| -> Vec<DVec3> {
        world.bodies().map(|(id, _)| world.motion(id).unwrap().center).collect()
    };
    let (a, b) = (centers(&ours), centers(&other));
    let moves = |i: &usize| scene.bodies[*i].kind == sudar::dynamics::BodyType::Dynamic;
    let off = (0..a.len()).filter(moves).map(|i| a[i].distance(b[i])).fold(0.0, f64::max);
    (off, ours, other)
}

#[test]
fn a_box_slides_as_far() {
    let mut scene = grounded();
    put(&mut scene, "box", Cuboid::new(DVec3::splat(0.5)).unwrap(), DVec3::Z * 0.5);
    scene.bodies[1].velocity = DVec3::X * 4.0;
    // v²/(2 μ g) = 1.63 m.
    let (off, ours, _) = apart(&scene, 90);
    let there = ours.motion(ours.bodies().nth(1).unwrap().0).unwrap().center;
    assert!((there.x - 16.0 / (2.0 * 0.5 * 9.81)).abs() < 0.06, "{there}");
    assert!(off < 0.06, "{off}");
}

#[test]
fn a_dropped_ball_falls_and_comes_to_rest_alike() {
    let mut scene = grounded();
    put(&mut scene, "ball", Sphere::new(DVec3::ZERO, 0.5).unwrap(), DVec3::Z * 3.0);
    // After 0.5 s in the air: 3 − g t²/2, off by as much as half a step more or less of velocity.
    let (off, ..) = apart(&scene, 30);
    assert!(off < 0.06, "{off}");
    let (off, ..) = apart(&scene, 120);
    assert!(off < 5e-3, "{off}");
}

#[test]
fn a_short_stack_stands_alike() {
    let mut scene = scenes::stack(4).unwrap();
    scene.settings.sleeps = false;
    let (off, ..) = apart(&scene, 120);
    assert!(off < 0.01, "{off}");
}

#[test]
fn what_strikes_a_row_of_balls_leaves_at_its_end() {
    // rapier solves the impacts of a row all at once, and so its row spreads; a pair has one answer.
    let mut scene = scenes::cradle().unwrap();
    scene.settings.response = std::sync::Arc::new(SoftContacts);
    scene.bodies.truncate(2);
    let (off, ours, theirs) = apart(&scene, 60);
    for world in [ours, theirs] {
        let momentum = world.energy().momentum.x;
        let mass = world.bodies().next().map(|(_, body)| body.inertia().unwrap().mass).unwrap();
        assert!((momentum / mass - 1.0).abs() < 1e-3, "{momentum}");
    }
    assert!(off < 0.02, "{off}");
}
