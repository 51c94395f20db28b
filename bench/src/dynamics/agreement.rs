//! On scenes without chaos two engines that share no code end up in the same place.

use glam::DVec3;
use sudar::dynamics::{Handle, Joint, RigidBody, Settings, SoftContacts, Softness, World};
use sudar::query::Body;
use sudar::{Cuboid, Halfspace, Shape, Sphere};
use sudar_scene::{self as scenes, Scene, SceneJoint};

use super::{Box3d, Make, RIVALS, gap, place};

/// A scene of the solver.
fn empty() -> Scene {
    let settings =
        Settings { response: std::sync::Arc::new(SoftContacts), sleeps: false, ..Settings::default() };
    Scene::new(settings)
}

/// One with a floor.
fn grounded() -> Scene {
    let mut scene = empty();
    scene.bodies.push(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap()));
    scene
}

fn put(scene: &mut Scene, name: &str, shape: impl Into<Shape>, position: DVec3) {
    let body = RigidBody::new(name, Body::new(shape));
    scene.bodies.push(RigidBody { position, ..body });
}

/// Runs ours and another; returns the largest distance between the centres of one body and the other, and the worlds
/// at the end.
fn apart(make: Make, scene: &Scene, steps: u32) -> (f64, World, World) {
    let (mut ours, mut theirs) = (scene.world().unwrap(), make(scene).unwrap());
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
    for (library, make) in RIVALS {
        // v²/(2 μ g) = 1.63 m.
        let (off, ours, _) = apart(make, &scene, 90);
        let there = ours.motion(ours.bodies().nth(1).unwrap().0).unwrap().center;
        assert!((there.x - 16.0 / (2.0 * 0.5 * 9.81)).abs() < 0.06, "{there}");
        assert!(off < 0.06, "{library}: {off}");
    }
}

#[test]
fn a_dropped_ball_falls_and_comes_to_rest_alike() {
    let mut scene = grounded();
    put(&mut scene, "ball", Sphere::new(DVec3::ZERO, 0.5).unwrap(), DVec3::Z * 3.0);
    for (library, make) in RIVALS {
        // After 0.5 s in the air: 3 − g t²/2, off by as much as half a step more or less of velocity.
        let (off, ..) = apart(make, &scene, 30);
        assert!(off < 0.06, "{library}: {off}");
        let (off, ..) = apart(make, &scene, 120);
        assert!(off < 5e-3, "{library}: {off}");
    }
}

#[test]
fn a_short_stack_stands_alike() {
    let mut scene = scenes::stack(4).unwrap();
    scene.settings.sleeps = false;
    for (library, make) in RIVALS {
        let (off, ..) = apart(make, &scene, 120);
        assert!(off < 0.01, "{library}: {off}");
    }
}

#[test]
fn what_strikes_a_row_of_balls_leaves_at_its_end() {
    // rapier solves the impacts of a row all at once, and so its row spreads; a pair has one answer.
    let mut scene = scenes::cradle().unwrap();
    scene.settings.response = std::sync::Arc::new(SoftContacts);
    scene.bodies.truncate(2);
    // Box3D has no bounce up to 1 m/s.
    scene.bodies[0].velocity = DVec3::X * 2.0;
    for (library, make) in RIVALS {
        let (off, ours, theirs) = apart(make, &scene, 60);
        for world in [ours, theirs] {
            let momentum = world.energy().momentum.x;
            let mass = world.bodies().next().map(|(_, body)| body.inertia().unwrap().mass).unwrap();
            assert!((momentum / mass - 2.0).abs() < 1e-3, "{library}: {momentum}");
        }
        assert!(off < 0.02, "{library}: {off}");
    }
}

#[test]
fn a_spinning_box_falls_freely_alike() {
    let mut scene = empty();
    put(&mut scene, "box", Cuboid::new(DVec3::new(0.5, 0.4, 0.3)).unwrap(), DVec3::new(3.0, 2.0, 1.0));
    (scene.bodies[0].velocity, scene.bodies[0].angular_velocity) =
        (DVec3::new(1.0, 2.0, 3.0), DVec3::X * 2.0);
    for (library, make) in RIVALS {
        let (off, ours, theirs) = apart(make, &scene, 60);
        let turn = |world: &World| world.motion(world.bodies().next().unwrap().0).unwrap().rotation;
        let angle = turn(&ours).angle_between(turn(&theirs));
        // By half a step of velocity.
        assert!(off < 0.09 && angle < 1e-3, "{library}: {off} {angle}");
    }
}

const NOBODY: Option<Handle> = None;

/// A box off the origin, turned, that a joint ties to the world.
fn hanging(joint: Joint) -> Scene {
    let mut scene = empty();
    put(&mut scene, "box", Cuboid::new(DVec3::new(0.3, 0.2, 0.1)).unwrap(), DVec3::new(5.0, 4.0, 3.0));
    scene.bodies[0].rotation = glam::DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 0.5, 0.7);
    scene.joints.push(SceneJoint { bodies: [None, Some(0)], joint });
    scene
}

/// Asserts that Box3D has the box about where we have it after a second, and that the joint holds from the first.
/// Its frames are others than ours.
fn hangs_alike(scene: &Scene, most: [f64; 2]) {
    let make: Make = |scene| Ok(Box::new(Box3d::new(scene)?));
    let (_, _, first) = apart(make, scene, 0);
    assert!(gap(&first) < 2e-6, "{}", gap(&first));
    let (off, ours, theirs) = apart(make, scene, 60);
    let state = |world: &World| world.motion(world.bodies().next().unwrap().0).unwrap();
    let angle = state(&ours).rotation.angle_between(state(&theirs).rotation);
    assert!(off < most[0] && angle < most[1], "{off} {angle}");
}

const PIVOT: DVec3 = DVec3::new(4.0, 4.0, 3.0);

#[test]
fn a_body_on_a_ball_joint_swings_alike() {
    hangs_alike(&hanging(Joint::ball(NOBODY, NOBODY, PIVOT)), [0.05, 0.05]);
}

#[test]
fn a_motor_turns_a_hinge_alike() {
    let hinge = |axis| Joint::hinge(NOBODY, NOBODY, PIVOT, axis);
    for axis in [DVec3::Z, DVec3::new(1.0, -2.0, 3.0)] {
        hangs_alike(&hanging(hinge(axis).motor(1.5, 1e6)), [0.05, 0.05]);
        // Their limits are soft: a stronger motor goes on through them.
        hangs_alike(&hanging(hinge(axis).limits(-0.2, 0.3).motor(1.5, 1e3)), [0.05, 0.05]);
    }
}

#[test]
fn sliders_and_welds_hold_alike() {
    let slider = |axis| Joint::slider(NOBODY, NOBODY, PIVOT, axis);
    let axis = DVec3::new(1.0, -2.0, 3.0);
    hangs_alike(&hanging(slider(axis).motor(1.5, 1e6)), [0.05, 0.01]);
    hangs_alike(&hanging(slider(DVec3::Z).limits(-0.4, 0.1)), [0.05, 0.01]);
    hangs_alike(&hanging(Joint::fixed(NOBODY, NOBODY, PIVOT)), [0.01, 0.01]);
}

#[test]
fn a_wheel_sinks_on_its_spring_and_turns_alike() {
    // By m g/k = 9.81 · 24/800 = 0.29 m; damped within half a second.
    let soft = Softness::Stiffness { stiffness: 800.0, damping: 200.0 };
    let hub = DVec3::new(5.0, 4.0, 3.0);
    let wheel = Joint::wheel(NOBODY, NOBODY, hub, DVec3::Y, DVec3::Z).suspension([-1.0, 1.0], soft);
    let mut scene = hanging(wheel.clone());
    scene.bodies[0].matter = sudar::dynamics::MassSpec::Mass(24.0);
    hangs_alike(&scene, [0.02, 0.01]);
    // A speed that is reached at once, and a torque that is the largest all the while.
    for (speed, torque) in [(1.0, 1e3), (50.0, 2.0)] {
        scene.joints[0].joint = wheel.clone().motor(speed, torque);
        hangs_alike(&scene, [0.02, 0.05]);
    }
}

#[test]
fn a_cone_stops_a_lean_alike() {
    let cone = Joint::cone(NOBODY, NOBODY, PIVOT, DVec3::X, 0.5).limits(-0.01, 0.01);
    hangs_alike(&hanging(cone), [0.1, 0.1]);
}

#[test]
fn joints_that_box3d_lacks_are_refused() {
    let points = [PIVOT, PIVOT + DVec3::X];
    let soft = Softness::Frequency { hertz: 2.0, damping_ratio: 1.0 };
    let hinge = || Joint::hinge(NOBODY, NOBODY, PIVOT, DVec3::Z);
    for joint in [
        Joint::distance(NOBODY, NOBODY, points),
        Joint::locks(NOBODY, PIVOT, [true; 3], [true, false, false]),
        Joint::cone(NOBODY, NOBODY, PIVOT, DVec3::Z, 2.0),
        Joint::ball(NOBODY, NOBODY, PIVOT).motor(1.0, 1.0),
        hinge().limits(-4.0, 4.0),
        hinge().limits(0.0, f64::INFINITY),
        hinge().servo(1.0, soft, 10.0),
        hinge().servo(1.0, Softness::Hard, f64::INFINITY),
        hinge().soft(soft),
        hinge().breaking(1e3, 1e3),
    ] {
        let refused = Box3d::new(&hanging(joint.clone())).err().map(|error| error.to_string());
        assert!(refused.is_some(), "{joint:?}");
    }
}
