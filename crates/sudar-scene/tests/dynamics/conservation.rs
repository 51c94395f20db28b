//! Elastic scenes: energy, momentum, symmetry.

use super::*;

fn largest_change(world: &mut World, seconds: f64, step: f64) -> f64 {
    let first = world.energy().total();
    let mut most: f64 = 0.0;
    for _ in 0..(seconds / step).round() as u64 {
        world.step(step).unwrap();
        most = most.max((world.energy().total() / first - 1.0).abs());
    }
    most
}

fn keeps_its_energy(scene: &Scene, few: f64) {
    let mut world = scene.world().unwrap();
    let change = largest_change(&mut world, setting("SUDAR_DYNAMICS", few), scene.step);
    println!("energy changes by {change:e}, dropped {}", world.dropped_seconds());
    assert!(change < 1e-6, "{change:e}");
    assert_eq!(world.out_of_bounds().count(), 0);
    assert_eq!(world.dropped_seconds(), 0.0);
    assert!(world.deepest() < 1e-4, "{}", world.deepest());
}

#[test]
fn boxes_in_a_room_keep_their_energy() {
    keeps_its_energy(&sudar_scene::box_cubes().unwrap(), 5.0);
}

#[test]
fn objects_in_a_room_keep_their_energy() {
    keeps_its_energy(&sudar_scene::box_objects().unwrap(), 2.0);
}

#[test]
fn fighters_in_a_room_keep_their_energy() {
    keeps_its_energy(&sudar_scene::box_fighter(4).unwrap(), 1.5);
}

#[test]
fn impulses_one_after_another_keep_the_energy_too() {
    let mut scene = sudar_scene::box_cubes().unwrap();
    scene.settings.response = law("impulse");
    keeps_its_energy(&scene, 4.0);
}

#[test]
fn an_isolated_gas_keeps_its_momentum() {
    let mut scene = sudar_scene::gas(125).unwrap();
    scene.settings.bounds = None;
    // Together, so that they meet without a room.
    scene.bodies.iter_mut().for_each(|body| body.velocity -= body.position * 1.5);
    let mut world = scene.world().unwrap();
    let first = world.energy();
    let mut contacts = 0;
    for _ in 0..120 {
        contacts += world.step(STEP).unwrap().contacts();
    }
    let last = world.energy();
    let scale: f64 = 125.0 * 4.2 * 3.0;
    assert!(contacts > 100, "{contacts}");
    assert!((last.momentum - first.momentum).length() < 1e-12 * scale);
    assert!((last.kinetic / first.kinetic - 1.0).abs() < 1e-12);
}

#[test]
fn the_last_ball_of_the_cradle_leaves_with_the_speed_of_the_first() {
    let mut world = sudar_scene::cradle().unwrap().world().unwrap();
    run(&mut world, 1.0, STEP);
    for i in 1..=4 {
        assert!(velocity(&world, &format!("ball {i}")).length() <= 1e-6);
    }
    assert!((velocity(&world, "ball 5") - DVec3::X).length() <= 1e-6);
}

#[test]
fn a_billiard_break_is_mirror_symmetric() {
    let scene = sudar_scene::billiard().unwrap();
    let mut world = scene.world().unwrap();
    // The cue ball arrives after 0.9/5 s less two radii.
    run(&mut world, 0.38, 0.002);
    let radius = 0.028_575;
    let mut moved = 0.0_f64;
    for body in &scene.bodies {
        let mirrored = DVec3::new(body.position.x, -body.position.y, 0.0);
        let nearest = |p: DVec3| {
            scene
                .bodies
                .iter()
                .min_by(|a, b| a.position.distance(p).total_cmp(&b.position.distance(p)))
                .unwrap()
        };
        let other = nearest(mirrored);
        let (p, q) = (place(&world, &body.name), place(&world, &other.name));
        assert!((p - DVec3::new(q.x, -q.y, q.z)).length() < 1e-9 * radius, "{}", body.name);
        moved = moved.max((p - body.position).length());
    }
    assert!(moved > 0.3);
    assert!(
        (world.energy().kinetic / 0.5 / scene.bodies[0].inertia().unwrap().mass / 25.0 - 1.0).abs() < 1e-9
    );
}
