//! The same bits on any number of threads, with any broad phase, and after a snapshot.

use super::*;
use sudar::dynamics::Snapshot;

fn scene(response: &str) -> Scene {
    let mut scene = if response == "solver" {
        sudar_scene::pyramid(6).unwrap()
    } else {
        sudar_scene::box_objects().unwrap()
    };
    scene.settings.response = law(response);
    scene
}

fn motions(world: &World) -> Vec<BodyState> {
    world.bodies().map(|(id, _)| world.motion(id).unwrap()).collect()
}

#[test]
fn threads_and_broad_phases_change_no_bit() {
    for response in ["solver", "simultaneous", "impulse", "spring"] {
        let result = |threads: usize, algorithm: &str| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let scene = scene(response);
                let phase = sudar_classic::broad_phase(algorithm).unwrap();
                let mut world = World::with_broad_phase(scene.settings, phase).unwrap();
                for body in scene.bodies {
                    world.add(body).unwrap();
                }
                run(&mut world, 0.5, STEP);
                motions(&world)
            })
        };
        let one = result(1, "auto");
        for (threads, algorithm) in [(2, "auto"), (7, "bvh"), (1, "brute"), (3, "sap")] {
            assert!(result(threads, algorithm) == one, "{response} {threads} {algorithm:?}");
        }
    }
}

/// Chains of boxes on a floor, so many that they are solved in parts, some of them hung from the world.
fn chains(count: usize) -> World {
    let mut world = World::new(Settings::default()).unwrap();
    world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap())).unwrap();
    let shape = Cuboid::new(DVec3::new(0.25, 0.1, 0.1)).unwrap();
    for row in 0..count {
        let at = |k: usize| DVec3::new(0.5 * k as f64, row as f64 * 0.4, 0.12 + 0.01 * (row % 7) as f64);
        let links: Vec<Handle> = (0..10)
            .map(|k| world.add(RigidBody { position: at(k), ..RigidBody::new("link", shape) }).unwrap())
            .collect();
        for (k, pair) in links.windows(2).enumerate() {
            world.join(Joint::ball(pair[0], pair[1], at(k) + DVec3::X * 0.25)).unwrap();
        }
        if row % 5 == 0 {
            let end = at(9) + DVec3::X * 0.25;
            world.join(Joint::rope(None, links[9], [end + DVec3::Z * 0.5, end], 0.5)).unwrap();
        }
    }
    world
}

#[test]
fn joints_in_several_parts_hold_and_threads_change_no_bit_of_them() {
    let result = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = chains(70);
            let mut gap: f64 = 0.0;
            for _ in 0..40 {
                gap = gap.max(world.step(STEP).unwrap().gap);
            }
            (motions(&world), gap, world.energy().kinetic)
        })
    };
    let one = result(1);
    assert!(one.1 < 1e-8 && one.2 < 1e4, "{} {}", one.1, one.2);
    for threads in [2, 5] {
        assert!(result(threads) == one, "{threads}");
    }
}

/// Written down, as another process reads it.
fn written(world: &World) -> Snapshot {
    serde_json::from_str(&serde_json::to_string(&world.snapshot()).unwrap()).unwrap()
}

/// A response cannot be written down: that of the world must have its name and parameters. Broad phases change no bit.
#[test]
fn a_written_snapshot_is_restored_under_the_same_response_alone() {
    let world = |name: &str, phase| {
        let mut world = World::with_broad_phase(settings(name), phase).unwrap();
        world.add(ball("ball", 0.5)).unwrap();
        world
    };
    let mut one = world("impulse", sudar_classic::broad::broad_phase("octree").unwrap());
    let snapshot = written(&one);
    assert!(one.restore(&snapshot).is_ok());
    let mut other = world("impulse", sudar::broad::auto());
    assert!(other.restore(&snapshot).is_ok());
    let mut solver = world("solver", sudar::broad::auto());
    let refused = solver.restore(&snapshot).unwrap_err().to_string();
    assert!(refused.contains("impulse") && refused.contains("solver"), "{refused}");
    // In memory it brings its own.
    solver.restore(&one.snapshot()).unwrap();
    assert_eq!(solver.settings().response.name(), "impulse");
}

#[test]
fn a_restored_world_goes_on_with_the_same_bits() {
    for response in ALL_RESPONSES {
        let scene = scene(response);
        let mut world = scene.world().unwrap();
        run(&mut world, 0.3, STEP);
        let snapshot = world.snapshot();
        run(&mut world, 0.3, STEP);
        let mut other = scene.world().unwrap();
        other.restore(&snapshot).unwrap();
        run(&mut other, 0.3, STEP);
        assert!(motions(&other) == motions(&world), "{response}");
        // Back in the same world, too.
        let end = motions(&world);
        world.restore(&snapshot).unwrap();
        run(&mut world, 0.3, STEP);
        assert!(motions(&world) == end, "{response}");
    }
}

#[test]
fn a_heap_goes_on_with_the_same_bits_after_it_was_written_down() {
    // One step later bodies were 1.7 mm off, while contacts lasted.
    let fresh = |response: &str| {
        let mut world = World::new(settings(response)).unwrap();
        let ground =
            RigidBody { kind: sudar::dynamics::BodyType::Static, ..cuboid("ground", [5.0, 5.0, 0.5]) };
        world.add(RigidBody { position: DVec3::Z * -0.5, ..ground }).unwrap();
        for i in 0..8 {
            let x = f64::from(i);
            let position = DVec3::new(libm::sin(7.0 * x), libm::sin(5.0 * x), 0.5 + 0.3 * x);
            let velocity = DVec3::new(libm::sin(3.0 * x), libm::cos(2.0 * x), libm::sin(x));
            let angular_velocity = DVec3::new(libm::cos(x), libm::sin(2.0 * x), libm::cos(3.0 * x));
            let body = cuboid(&format!("box {i}"), [0.2, 0.3, 0.1]);
            world.add(RigidBody { position, velocity, angular_velocity, ..body }).unwrap();
        }
        world
    };
    for response in ALL_RESPONSES {
        let mut world = fresh(response);
        for step in 0..200 {
            if step % 9 == 4 {
                let written = serde_json::to_string(&world.snapshot()).unwrap();
                let mut other = fresh(response);
                other.restore(&serde_json::from_str(&written).unwrap()).unwrap();
                world.step(STEP).unwrap();
                other.step(STEP).unwrap();
                assert!(motions(&other) == motions(&world), "{response} {step}");
            } else {
                world.step(STEP).unwrap();
            }
        }
    }
}

/// A heap that is solved in parts, the boxes of its upper half on their way down.
fn large_heap() -> Scene {
    let mut scene = sudar_scene::pyramid_3d(9).unwrap();
    let half = scene.bodies.len() / 2;
    scene.bodies.iter_mut().skip(half).for_each(|body| body.velocity = DVec3::new(1.0, 0.5, 0.0));
    scene
}

#[test]
fn a_heap_in_parts_has_the_same_bits_on_any_number_of_threads_and_after_a_restart() {
    let result = |threads: usize, restarts: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let scene = large_heap();
            let mut world = scene.world().unwrap();
            for step in 0..12 {
                if step == 6 && restarts {
                    let snapshot = world.snapshot();
                    world = scene.world().unwrap();
                    world.restore(&snapshot).unwrap();
                }
                world.step(STEP).unwrap();
            }
            motions(&world)
        })
    };
    let one = result(1, false);
    for (threads, restarts) in [(2, false), (5, true), (1, true)] {
        assert!(result(threads, restarts) == one, "{threads} {restarts}");
    }
}

#[test]
fn a_snapshot_can_be_written_down() {
    let scene = scene("solver");
    let mut world = scene.world().unwrap();
    run(&mut world, 0.3, STEP);
    let text = serde_json::to_string(&world.snapshot()).unwrap();
    let read: Snapshot = serde_json::from_str(&text).unwrap();
    assert!(read == world.snapshot());
    // The version with a digit before it: one that no release has written yet.
    let later = text.replacen("\"version\":", "\"version\":9", 1);
    assert!(serde_json::from_str::<Snapshot>(&later).is_ok_and(|later| world.restore(&later).is_err()));
}

#[test]
fn a_written_snapshot_of_another_world_is_refused() {
    let (first, mut second) =
        (scene("solver").world().unwrap(), sudar_scene::stack(3).unwrap().world().unwrap());
    let before = motions(&second);
    let refused = second.restore(&written(&first)).unwrap_err().to_string();
    assert!(refused.contains("stands where") || refused.contains("is not in the world"), "{refused}");
    assert!(motions(&second) == before);
    // One in memory brings its bodies with it.
    second.restore(&first.snapshot()).unwrap();
    assert!(motions(&second) == motions(&first));
    let names = |world: &World| world.bodies().map(|(_, body)| body.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&second), names(&first));
}

/// What happens to a world in a game: bodies come and go, and what they are is changed.
fn play(world: &mut World, from: u32, to: u32) {
    let handle = |world: &World, name: &str| world.bodies().find(|(_, body)| body.name == name).map(|b| b.0);
    for k in from..to {
        if k % 4 == 1 {
            let position = DVec3::new(0.1 * f64::from(k % 7), 0.0, 3.0);
            world.add(RigidBody { position, ..ball(&format!("shot {k}"), 0.2) }).unwrap();
        }
        if k % 7 == 5
            && let Some(id) = handle(world, &format!("shot {}", k / 4 * 4 - 3))
        {
            world.remove(id).unwrap();
        }
        if k % 5 == 2
            && let Some(id) = handle(world, "box 1")
        {
            world.modify(id, |body| body.friction = 0.1 * f64::from(k % 9)).unwrap();
            world.add_force(id, DVec3::X * 50.0, DVec3::Z).unwrap();
        }
        if k % 11 == 3 {
            let now = world.settings().clone();
            let gravity = DVec3::new(0.0, 0.1 * f64::from(k % 3), -9.81);
            world.set_settings(Settings { gravity, ..now }).unwrap();
        }
        world.step(STEP).unwrap();
    }
}

fn playground(response: &str) -> World {
    let mut world = World::new(settings(response)).unwrap();
    world.add(RigidBody::fixed("ground", Halfspace::new(DVec3::Z, 0.0).unwrap())).unwrap();
    for i in 0..5 {
        let position = DVec3::new(0.05 * f64::from(i), 0.0, 0.3 + 0.45 * f64::from(i));
        world.add(RigidBody { position, ..cuboid(&format!("box {i}"), [0.3, 0.2, 0.2]) }).unwrap();
    }
    world
}

/// Rollback: a snapshot refused to go back over a body that was added or removed since, and did not hold what `modify`
/// and `set_settings` change.
#[test]
fn a_world_goes_back_over_bodies_that_came_and_went() {
    for response in ALL_RESPONSES {
        let mut world = playground(response);
        play(&mut world, 0, 20);
        let (middle, twin) = (world.snapshot(), world.clone());
        let handles = |world: &World| {
            world.bodies().map(|(handle, _)| [handle.index(), handle.generation()]).collect::<Vec<_>>()
        };
        play(&mut world, 20, 60);
        let (end, there) = (motions(&world), handles(&world));
        for mut again in [world, twin, playground(response)] {
            again.restore(&middle).unwrap();
            assert!(again.snapshot() == middle, "{response}");
            play(&mut again, 20, 60);
            assert!(motions(&again) == end && handles(&again) == there, "{response}");
        }
    }
}

#[test]
fn a_clone_goes_on_with_the_same_bits_and_apart() {
    let mut world = playground("solver");
    play(&mut world, 0, 25);
    let mut clone = world.clone();
    play(&mut clone, 25, 50);
    let end = motions(&clone);
    assert!(motions(&world) != end);
    play(&mut world, 25, 50);
    assert!(motions(&world) == end);
}
