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

/// What a world was made with is part of its state: a plug-in of another name or with other parameters cannot go on.
#[test]
fn a_snapshot_is_restored_with_the_same_plug_ins_alone() {
    let world = |name: &str, phase| {
        let mut world = World::with_broad_phase(settings(name), phase).unwrap();
        world.add(ball("ball", 0.5)).unwrap();
        world
    };
    let tuned = |leaf_size| {
        let tuning = sudar_classic::broad::Tuning { leaf_size, ..Default::default() };
        sudar_classic::broad::broad_phase_with("octree", tuning).unwrap()
    };
    let mut one = world("impulse", tuned(8));
    let snapshot = one.snapshot();
    assert!(one.restore(&snapshot).is_ok());
    for mut other in
        [world("impulse", tuned(32)), world("impulse", sudar::broad::auto()), world("solver", tuned(8))]
    {
        let refused = other.restore(&snapshot).unwrap_err().to_string();
        assert!(
            refused.contains("octree\"")
                || refused.contains("octree leaves of 8")
                || refused.contains("impulse"),
            "{refused}"
        );
    }
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
fn a_snapshot_of_another_world_is_refused() {
    let (first, second) = (scene("solver").world().unwrap(), sudar_scene::stack(3).unwrap().world().unwrap());
    let snapshot: Snapshot = first.snapshot();
    let mut second = second;
    let before = motions(&second);
    assert!(second.restore(&snapshot).is_err());
    assert!(motions(&second) == before);
}

#[test]
fn bodies_may_share_a_name_and_places_are_used_again_from_the_least_on() {
    let mut world = World::new(settings("solver")).unwrap();
    let ids: Vec<Handle> = (0..5).map(|_| world.add(ball("one of many", 0.5)).unwrap()).collect();
    for &i in &[3, 1, 4] {
        world.remove(ids[i]).unwrap();
    }
    let again: Vec<u32> = (0..4).map(|_| world.add(ball("one of many", 0.5)).unwrap().index()).collect();
    let [second, fourth, fifth] = [1, 3, 4].map(|i: usize| ids[i].index());
    assert_eq!(again, [second, fourth, fifth, fifth + 1]);
    assert!(world.motion(ids[1]).is_err(), "the handle of a removed body names no other");
    assert_eq!(world.bodies().filter(|(_, body)| body.name == "one of many").count(), 6);
}

#[test]
fn forces_that_are_no_numbers_are_refused_by_name() {
    let mut world = World::new(settings("solver")).unwrap();
    let id = world.add(ball("the ball", 0.5)).unwrap();
    let error = world.add_force(id, DVec3::NAN, DVec3::ZERO).unwrap_err().to_string();
    assert!(error.contains("the ball") && error.contains("force"), "{error}");
    assert!(world.modify(id, |body| body.force = DVec3::splat(f64::INFINITY)).is_err());
    assert!(world.step(f64::NAN).is_err() && world.step(0.0).is_err());
    // Forces that are numbers, and too large: the step that leaves the range names the body.
    world.modify(id, |body| body.force = DVec3::X * 1e79).unwrap();
    let error = (0..100).find_map(|_| world.step(1e3).err()).unwrap().to_string();
    assert!(error.contains("the ball"), "{error}");
}

#[test]
fn what_a_body_keeps_is_refused_by_name_and_nothing_changes() {
    use sudar::dynamics::{BodyType, DynamicsError, MassSpec};
    type Change = fn(&mut RigidBody);
    let mut world = World::new(settings("solver")).unwrap();
    let id = world.add(ball("ball", 0.5)).unwrap();
    let changes: [(&str, Change); 6] = [
        ("name", |body| body.name = "other".to_owned()),
        ("shape", |body| body.body = cuboid("box", [1.0; 3]).body),
        ("kind", |body| body.kind = BodyType::Static),
        ("mass", |body| body.matter = MassSpec::Mass(5.0)),
        ("position", |body| body.position = DVec3::X),
        ("angular_velocity", |body| body.angular_velocity = DVec3::X),
    ];
    // Body or world, property, problem.
    let key =
        |error: DynamicsError| error.to_string().split(": ").nth(1).map(str::to_owned).unwrap_or_default();
    for (name, change) in changes {
        assert_eq!(key(world.modify(id, change).unwrap_err()), name);
        let (_, body) = world.bodies().next().unwrap();
        assert!(body.name == "ball" && body.kind == BodyType::Dynamic && body.position == DVec3::ZERO);
    }
    let motion = world.motion(id).unwrap();
    let nowhere = BodyState { rotation: sudar::DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..motion };
    assert_eq!(key(world.set_motion(id, nowhere).unwrap_err()), "rotation");
    let lost = BodyState { velocity: DVec3::NAN, ..motion };
    assert_eq!(key(world.set_motion(id, lost).unwrap_err()), "velocity");
    assert!(world.motion(id).unwrap() == motion);
    for step in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
        assert_eq!(key(world.run(0.1, step).unwrap_err()), "step");
    }
}
