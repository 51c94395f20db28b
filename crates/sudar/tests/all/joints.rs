//! Joints in worlds, with contacts and without. What is expected comes from statics, conservation and closed forms.

use std::f64::consts::FRAC_PI_2;

use sudar::dynamics::{
    Axis, BodyState, BodyType, DynamicsError, Handle, Joint, JointHandle, MassSpec, RigidBody, Row, Settings,
    Softness, Spring, World,
};
use sudar::{Cuboid, Cylinder, DQuat, DVec3, Halfspace, Sphere};

const STEP: f64 = 1.0 / 60.0;
const G: f64 = 9.81;

fn free() -> World {
    World::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap()
}

fn floor(sleeps: bool) -> World {
    let mut world = World::new(Settings { sleeps, ..Settings::default() }).unwrap();
    world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap())).unwrap();
    world
}

fn cube(half: DVec3, at: DVec3, mass: f64) -> RigidBody {
    let body = RigidBody::new("box", Cuboid::new(half).unwrap());
    RigidBody { position: at, matter: MassSpec::Mass(mass), ..body }
}

fn ball(radius: f64, at: DVec3, mass: f64) -> RigidBody {
    let body = RigidBody::new("ball", Sphere::new(DVec3::ZERO, radius).unwrap());
    RigidBody { position: at, matter: MassSpec::Mass(mass), ..body }
}

/// Boxes along x, end to end on ball joints.
fn chain(world: &mut World, count: usize, from: DVec3) -> Vec<Handle> {
    let half = DVec3::new(0.25, 0.1, 0.1);
    let at = |k: usize| from + DVec3::X * (0.5 * k as f64);
    let bodies: Vec<Handle> = (0..count).map(|k| world.add(cube(half, at(k), 1.0)).unwrap()).collect();
    for (k, pair) in bodies.windows(2).enumerate() {
        world.join(Joint::ball(pair[0], pair[1], at(k) + DVec3::X * 0.25)).unwrap();
    }
    bodies
}

/// Steps, and returns the largest gap and twist on the way.
fn run(world: &mut World, seconds: f64) -> [f64; 2] {
    let mut most = [0.0_f64; 2];
    for _ in 0..(seconds / STEP).round() as u32 {
        let report = world.step(STEP).unwrap();
        most = [most[0].max(report.gap), most[1].max(report.twist)];
    }
    most
}

fn places(world: &World, bodies: &[Handle]) -> Vec<DVec3> {
    bodies.iter().map(|body| world.motion(*body).unwrap().center).collect()
}

fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max)
}

/// rapier's own test of this allows the chain to stretch by a quarter.
#[test]
fn a_chain_of_fifty_swings_a_thousand_times_its_link_and_does_not_stretch() {
    let mut world = free();
    world.set_settings(Settings { sleeps: false, ..Settings::default() }).unwrap();
    let links = chain(&mut world, 50, DVec3::Z * 40.0);
    let weight = world.add(ball(0.5, DVec3::new(25.25, 0.0, 40.0), 1000.0)).unwrap();
    world.join(Joint::ball(links[49], weight, DVec3::new(24.75, 0.0, 40.0))).unwrap();
    world.join(Joint::ball(None, links[0], DVec3::new(-0.25, 0.0, 40.0))).unwrap();
    let (start, [gap, _]) = (world.energy().total(), run(&mut world, 5.0));
    let energy = world.energy();
    // It fell by about 25 m: 245 kJ.
    assert!(gap < 1e-8 && (energy.total() - start).abs() < 10.0, "{gap} {start} {energy:?}");
}

/// 40 planks between two walls cannot sag at all: the force in them is without end.
#[test]
fn a_bridge_that_is_taut_carries_five_heavy_balls_and_rests() {
    let mut world = floor(true);
    let at = |k: usize| DVec3::new(0.5 * k as f64, 0.0, 10.0);
    let mut bodies: Vec<Handle> =
        (0..40).map(|k| world.add(cube(DVec3::new(0.25, 1.0, 0.05), at(k), 5.0)).unwrap()).collect();
    for k in 0..=40_usize {
        let [before, after] = [k.checked_sub(1), Some(k)].map(|k| k.and_then(|k| bodies.get(k).copied()));
        world.join(Joint::hinge(before, after, at(k) - DVec3::X * 0.25, DVec3::Y)).unwrap();
    }
    bodies.extend(
        (0..5).map(|k| world.add(ball(0.5, DVec3::new(8.0 + f64::from(k), 0.1, 12.0), 50.0)).unwrap()),
    );
    let gap = run(&mut world, 4.0)[0];
    let before = places(&world, &bodies);
    run(&mut world, 10.0);
    let moved = farthest(&before, &places(&world, &bodies));
    assert!(gap < 5e-6 && moved < 1e-4, "{gap} {moved}");
    assert!(bodies[..40].iter().all(|body| (world.motion(*body).unwrap().center.z - 10.0).abs() < 0.1));
    assert!(bodies.iter().all(|body| world.is_asleep(*body).unwrap()));
}

#[test]
fn a_chain_that_falls_on_the_floor_lies_still_and_sleeps() {
    for sleeps in [true, false] {
        let mut world = floor(sleeps);
        let bodies = chain(&mut world, 10, DVec3::Z * 2.0);
        let motion = world.motion(bodies[0]).unwrap();
        world.set_motion(bodies[0], BodyState { angular_velocity: DVec3::Z, ..motion }).unwrap();
        let [gap, _] = run(&mut world, 3.0);
        let before = places(&world, &bodies);
        run(&mut world, 10.0);
        let moved = farthest(&before, &places(&world, &bodies));
        assert!(gap < 1e-8 && moved < 1e-4 && world.deepest() < 1e-3, "{gap} {moved}");
        assert_eq!(bodies.iter().all(|body| world.is_asleep(*body).unwrap()), sleeps);
    }
}

/// The spring of each wheel bears a quarter of the car; the driven wheels roll at their speed.
#[test]
fn a_car_stands_on_its_springs_and_drives() {
    let mut world = floor(false);
    let car = world.add(cube(DVec3::new(1.0, 0.5, 0.2), DVec3::Z * 0.6, 1000.0)).unwrap();
    let mut axles: Vec<JointHandle> = Vec::new();
    for (x, y) in [(-0.8, -0.7), (-0.8, 0.7), (0.8, -0.7), (0.8, 0.7)] {
        let at = DVec3::new(x, y, 0.4);
        let shape = Cylinder::new(0.4, 0.15).unwrap();
        let wheel = RigidBody {
            rotation: DQuat::from_rotation_x(-FRAC_PI_2),
            friction: 1.0,
            ..RigidBody::new("wheel", shape)
        };
        let wheel = world.add(RigidBody { position: at, matter: MassSpec::Mass(20.0), ..wheel }).unwrap();
        let stiff = Softness::Stiffness { stiffness: 60_000.0, damping: 4_000.0 };
        let joint = Joint::wheel(car, wheel, at, DVec3::Y, DVec3::Z).suspension([-0.1, 0.1], stiff);
        axles.push(world.join(joint).unwrap());
    }
    run(&mut world, 3.0);
    let sag = world.joint_state(axles[0]).unwrap().coordinates[2];
    // The wheel is above where it was by so much, seen from the car.
    assert!((sag - 250.0 * G / 60_000.0).abs() < 1e-3, "{sag}");
    for axle in &axles[..2] {
        world.joint_mut(*axle).unwrap().modify(|joint| *joint = joint.clone().motor(10.0, 400.0)).unwrap();
    }
    run(&mut world, 6.0);
    let speed = world.motion(car).unwrap().velocity.x;
    assert!((speed - 4.0).abs() < 0.02, "{speed}");
    // Brakes on all wheels stop it by at most μ g.
    for axle in &axles {
        let brake = |joint: &mut Joint| (joint.main_row().motor, joint.main_row().friction) = (None, 1e4);
        world.joint_mut(*axle).unwrap().modify(brake).unwrap();
    }
    let before = world.motion(car).unwrap().center.x;
    run(&mut world, 2.0);
    let after = world.motion(car).unwrap();
    let way = after.center.x - before;
    assert!(
        after.velocity.length() < 0.01 && way > 0.95 * speed * speed / (2.0 * G),
        "{way} {}",
        after.velocity
    );
    // A tyre of friction 1 on a floor of a half: √½.
    assert!(way < 1.6 * speed * speed / (2.0 * G), "{way}");
}

#[test]
fn limits_motors_and_friction_do_what_they_say() {
    let mut world = World::new(Settings { sleeps: false, ..Settings::default() }).unwrap();
    let arm = |world: &mut World, y: f64| {
        world.add(cube(DVec3::new(0.5, 0.1, 0.1), DVec3::new(0.5, y, 5.0), 2.0)).unwrap()
    };
    let pivot = |y: f64| DVec3::new(0.0, y, 5.0);
    let torque = 2.0 * G * 0.5;
    // Gravity turns an arm about −y: by a positive angle about y. It stops at its limit.
    let limited = arm(&mut world, 0.0);
    let limited = world.join(Joint::hinge(None, limited, pivot(0.0), DVec3::Y).limits(-0.2, 0.4)).unwrap();
    // Friction of more than its weight holds it, of less does not.
    let [held, slips] = [(1.0, 1.02), (2.0, 0.98)].map(|(y, share)| {
        let body = arm(&mut world, y);
        world.join(Joint::hinge(None, body, pivot(y), DVec3::Y).friction(share * torque)).unwrap()
    });
    // A motor turns it at its speed against its weight.
    let turned = arm(&mut world, 4.0);
    let driven =
        world.join(Joint::hinge(None, turned, pivot(4.0), DVec3::Y).motor(-0.5, 2.0 * torque)).unwrap();
    // A servo of a stiffness k holds where k x = m g l cos(x).
    let pulled = arm(&mut world, 6.0);
    let soft = Softness::Stiffness { stiffness: 40.0, damping: 20.0 };
    let pulled =
        world.join(Joint::hinge(None, pulled, pivot(6.0), DVec3::Y).servo(0.0, soft, f64::INFINITY)).unwrap();
    run(&mut world, 2.0);
    let angle = |world: &World, joint| world.joint_state(joint).unwrap().coordinates[3];
    assert!((angle(&world, limited) - 0.4).abs() < 1e-8, "{}", angle(&world, limited));
    assert!(angle(&world, held).abs() < 1e-8, "{}", angle(&world, held));
    assert!(angle(&world, slips) > 0.05, "{}", angle(&world, slips));
    // It needs a moment to get there.
    let speed = world.motion(turned).unwrap().angular_velocity.y;
    assert!((angle(&world, driven) + 1.0).abs() < 0.02 && (speed + 0.5).abs() < 1e-9, "{speed}");
    run(&mut world, 8.0);
    let x = angle(&world, pulled);
    assert!((40.0 * x - torque * x.cos()).abs() < 1e-3, "{x}");
    // The hinge bears what the limit does: m g at the pivot, and its torque.
    let state = world.joint_state(limited).unwrap();
    assert!((state.force.z - 2.0 * G).abs() < 1e-4, "{state:?}");
    assert!((state.torque.y + torque * 0.4_f64.cos()).abs() < 1e-3, "{state:?}");
}

/// m x'' = −k x − c x': a decaying cosine.
#[test]
fn a_spring_swings_as_its_equation_says() {
    let mut world = free();
    let body = world.add(ball(0.1, DVec3::X * 2.0, 3.0)).unwrap();
    let softness = Softness::Stiffness { stiffness: 120.0, damping: 1.5 };
    world.join(Joint::spring(None, body, [DVec3::ZERO, DVec3::X * 2.0], 1.5, softness)).unwrap();
    let (k, c, m) = (120.0, 1.5, 3.0);
    let decay: f64 = c / (2.0 * m);
    let omega = (k / m - decay * decay).sqrt();
    for _ in 0..120 {
        world.step(STEP).unwrap();
        let t = world.time();
        let expected =
            1.5 + 0.5 * (-decay * t).exp() * ((omega * t).cos() + decay / omega * (omega * t).sin());
        let found = world.motion(body).unwrap().center.x;
        assert!((found - expected).abs() < 2e-3, "{t}: {found} {expected}");
    }
}

#[test]
fn gears_racks_and_pulleys_keep_their_ratios() {
    let mut world = World::new(Settings { sleeps: false, ..Settings::default() }).unwrap();
    let disc = |world: &mut World, x: f64| {
        let body = world.add(cube(DVec3::splat(0.3), DVec3::new(x, 0.0, 5.0), 1.0)).unwrap();
        let hinge = world.join(Joint::hinge(None, body, DVec3::new(x, 0.0, 5.0), DVec3::Y)).unwrap();
        (body, hinge)
    };
    let [(first, one), (second, other)] = [0.0, 2.0].map(|x| disc(&mut world, x));
    world.join(Joint::gear(first, second, [DVec3::Y; 2], 2.5)).unwrap();
    let rack = world.add(cube(DVec3::splat(0.2), DVec3::new(4.0, 0.0, 5.0), 1.0)).unwrap();
    world.join(Joint::slider(None, rack, DVec3::new(4.0, 0.0, 5.0), DVec3::X)).unwrap();
    world.join(Joint::rack(second, rack, [DVec3::Y, DVec3::X], 0.1)).unwrap();
    world.add_force(first, DVec3::ZERO, DVec3::Y * 3.0).unwrap();
    let [left, right] = [8.0, 10.0].map(|x| DVec3::new(x, 0.0, 5.0));
    let [light, heavy] =
        [(left, 1.0), (right, 1.5)].map(|(at, mass)| world.add(ball(0.2, at, mass)).unwrap());
    let over = [left + DVec3::Z * 3.0, right + DVec3::Z * 3.0];
    world.join(Joint::pulley(light, heavy, [left, right], over, (9.0, 2.0))).unwrap();
    let gap = run(&mut world, 0.5)[0];
    let spin = |body: Handle| world.motion(body).unwrap().angular_velocity.y;
    assert!(spin(first).abs() > 0.01 && (spin(second) + 2.5 * spin(first)).abs() < 1e-9 * spin(first).abs());
    let speed = world.motion(rack).unwrap().velocity.x;
    assert!((speed - 0.1 * spin(second)).abs() < 1e-9, "{speed}");
    // Atwood with a tackle of two strands: a = g (2 m₂ − 4 m₁) / (4 m₁ + m₂) of the second, half of the first's.
    let down = -world.motion(heavy).unwrap().velocity.z;
    let expected = G * (1.5 - 2.0 * 1.0) / (1.5 + 4.0 * 1.0) * 0.5;
    assert!((down - expected).abs() < 1e-6 && gap < 1e-8, "{down} {expected} {gap}");
    // Nor do they slip in the long run: hinges count whole turns.
    world.remove(heavy).unwrap();
    let more = run(&mut world, 20.0)[0];
    let [one, other] = [one, other].map(|hinge| world.joint_state(hinge).unwrap().coordinates[3]);
    let way = world.motion(rack).unwrap().center.x - 4.0;
    assert!(
        one > 2.0 && (other + 2.5 * one).abs() < 1e-8 && (way - 0.1 * other).abs() < 1e-8,
        "{one} {other} {way}"
    );
    assert!(more < 1e-6, "{more}");
}

/// The sum of two angles, of discs that spin freely just above a plate: they are near something, and touch nothing.
#[test]
fn turns_are_counted_once() {
    let mut world = free();
    world.add(RigidBody::fixed("plate", Halfspace::new(DVec3::Z, 0.0).unwrap())).unwrap();
    let [first, second] = [0.0, 2.0].map(|x| {
        let at = DVec3::new(x, 0.0, 0.101);
        let body = world.add(ball(0.1, at, 1.0)).unwrap();
        world.join(Joint::hinge(None, body, at, DVec3::Z)).unwrap();
        let motion = world.motion(body).unwrap();
        world.set_motion(body, BodyState { angular_velocity: DVec3::Z * (3.0 + x), ..motion }).unwrap();
        body
    });
    let sum = Joint::gear(first, second, [DVec3::Z; 2], 2.0).row(Axis::X, Row::FREE);
    let sum = world.join(sum).unwrap();
    run(&mut world, 2.0);
    let found = world.joint_state(sum).unwrap().coordinates[0];
    assert!((found - (2.0 * 3.0 + 5.0) * 2.0).abs() < 1e-9, "{found}");
}

#[test]
fn ropes_hang_slack_until_they_are_taut_and_cones_hold_a_lean() {
    let mut world = World::new(Settings { sleeps: false, ..Settings::default() }).unwrap();
    let hung = world.add(ball(0.1, DVec3::ZERO, 1.0)).unwrap();
    let rope = world.join(Joint::rope(None, hung, [DVec3::Z, DVec3::ZERO], 2.0)).unwrap();
    let rod = world.add(cube(DVec3::new(0.5, 0.1, 0.1), DVec3::new(5.5, 0.0, 0.0), 1.0)).unwrap();
    let cone = world.join(Joint::cone(None, rod, DVec3::X * 5.0, DVec3::X, 0.3)).unwrap();
    run(&mut world, 0.25);
    assert_eq!(world.joint_state(rope).unwrap().force, DVec3::ZERO);
    run(&mut world, 5.0);
    assert!((world.motion(hung).unwrap().center.z + 1.0).abs() < 1e-8);
    assert!((world.joint_state(rope).unwrap().force.z - G).abs() < 1e-6);
    let lean = world.joint_state(cone).unwrap().coordinates[4];
    assert!((lean - 0.3).abs() < 1e-8, "{lean}");
}

#[test]
fn closed_systems_of_joints_keep_their_momenta() {
    let mut world = free();
    let bodies = chain(&mut world, 8, DVec3::ZERO);
    world.join(Joint::fixed(bodies[3], bodies[5], DVec3::X * 2.0)).unwrap();
    for (k, body) in bodies.iter().enumerate() {
        let motion = world.motion(*body).unwrap();
        // Any motion: what joints do not allow, they take at once.
        let (x, y) = (k as f64, 1.0 - 0.3 * k as f64);
        world
            .set_motion(
                *body,
                BodyState {
                    velocity: DVec3::new(y, x, -y),
                    angular_velocity: DVec3::new(x, y, 1.0),
                    ..motion
                },
            )
            .unwrap();
    }
    let start = world.energy();
    let gap = run(&mut world, 5.0)[0];
    let end = world.energy();
    assert!((end.momentum - start.momentum).length() < 1e-10 * start.momentum.length());
    let off = (end.angular_momentum - start.angular_momentum).length();
    assert!(off < 1e-9 * start.angular_momentum.length() && gap < 1e-6, "{off} {gap}");
}

#[test]
fn joints_break_and_are_named() {
    let mut world = World::new(Settings::default()).unwrap();
    let body = world.add(ball(0.1, DVec3::ZERO, 10.0)).unwrap();
    let strong = world.join(Joint::fixed(None, body, DVec3::ZERO).breaking(99.0, 1.0)).unwrap();
    assert!(world.step(STEP).unwrap().broken.is_empty());
    world.joint_mut(strong).unwrap().modify(|joint| joint.breaks = [97.0, 1.0]).unwrap();
    world.step(STEP).unwrap();
    assert_eq!(world.step(STEP).unwrap().broken.len() + usize::from(world.joint(strong).is_err()), 1);
    assert!(matches!(world.joint(strong), Err(DynamicsError::UnknownJoint { .. })));
    run(&mut world, 0.5);
    assert!(world.motion(body).unwrap().center.z < -1.0);
}

#[test]
fn a_joint_that_cannot_be_is_refused_and_nothing_changes() {
    let mut world = World::new(Settings::default()).unwrap();
    let body = world.add(ball(0.1, DVec3::ZERO, 1.0)).unwrap();
    let fixed = world.add(RigidBody { kind: BodyType::Static, ..ball(0.1, DVec3::X, 1.0) }).unwrap();
    let bad = [
        Joint::ball(body, body, DVec3::ZERO),
        Joint::ball(None, None, DVec3::ZERO),
        Joint::ball(None, fixed, DVec3::ZERO),
        Joint::ball(None, body, DVec3::NAN),
        Joint::hinge(None, body, DVec3::ZERO, DVec3::ZERO),
        Joint::hinge(None, body, DVec3::ZERO, DVec3::X).limits(1.0, -1.0),
        Joint::hinge(None, body, DVec3::ZERO, DVec3::X).motor(f64::NAN, 1.0),
        Joint::hinge(None, body, DVec3::ZERO, DVec3::X).motor(1.0, -1.0),
        Joint::ball(None, body, DVec3::ZERO).breaking(0.0, 1.0),
        Joint::ball(None, body, DVec3::ZERO).soft(Softness::Frequency { hertz: -1.0, damping_ratio: 1.0 }),
    ];
    for joint in bad {
        let error = world.join(joint.clone()).unwrap_err().to_string();
        assert!(error.starts_with("joint: ") && !error.contains('\n'), "{error}");
    }
    assert_eq!(world.joints().count(), 0);
    let joint = world.join(Joint::ball(None, body, DVec3::ZERO)).unwrap();
    assert!(world.joint_mut(joint).unwrap().set_limits(2.0, 1.0).is_err());
    world.remove(body).unwrap();
    assert!(world.joint(joint).is_err() && world.unjoin(joint).is_err());
}

/// A scene with contacts, limits and springs, of which a part sleeps.
fn yard() -> (World, Vec<Handle>) {
    let mut world = floor(true);
    let mut bodies = Vec::new();
    for row in 0..6 {
        let from = DVec3::new(0.0, 2.0 * f64::from(row), 0.5 + 0.3 * f64::from(row));
        bodies.extend(chain(&mut world, 5, from));
    }
    let stand = world
        .add(RigidBody { kind: BodyType::Static, ..cube(DVec3::splat(0.2), DVec3::new(-2.0, 0.0, 3.0), 1.0) })
        .unwrap();
    let bob = world.add(cube(DVec3::splat(0.3), DVec3::new(-1.0, 0.0, 3.0), 2.0)).unwrap();
    world
        .join(Joint::hinge(stand, bob, DVec3::new(-2.0, 0.0, 3.0), DVec3::Y).limits(-1.0, 1.0).friction(0.5))
        .unwrap();
    let soft = Softness::Frequency { hertz: 3.0, damping_ratio: 0.2 };
    let spring = Row { spring: Some(Spring { target: 0.1, softness: soft, force: 50.0 }), ..Row::FREE };
    world.join(Joint::generic(bodies[0], bodies[5], DVec3::Y, DVec3::X).row(Axis::Z, spring)).unwrap();
    bodies.push(bob);
    (world, bodies)
}

fn state(world: &World, bodies: &[Handle]) -> Vec<u64> {
    let bits = |m: BodyState| {
        let (c, q, v, w) = (m.center, m.rotation, m.velocity, m.angular_velocity);
        [c.x, c.y, c.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z].map(f64::to_bits)
    };
    bodies.iter().flat_map(|body| bits(world.motion(*body).unwrap())).collect()
}

#[test]
fn a_restored_world_of_joints_goes_on_with_the_same_bits() {
    let (mut world, bodies) = yard();
    for at in [3, 40, 150, 400] {
        while world.steps() < at {
            world.step(STEP).unwrap();
        }
        let snapshot = world.snapshot();
        let (mut other, _) = yard();
        other.restore(&snapshot).unwrap();
        let mut ahead = world.clone();
        for _ in 0..60 {
            ahead.step(STEP).unwrap();
            other.step(STEP).unwrap();
            assert_eq!(ahead.snapshot(), other.snapshot());
        }
        world.step(STEP).unwrap();
    }
    assert!(state(&world, &bodies).len() == 13 * bodies.len());
}

/// Lengths, gravity and forces a thousand times smaller or larger, masses by volume: the same motion, far away too.
#[test]
fn joints_hold_at_any_scale_and_far_from_the_origin() {
    let run_at = |scale: f64, offset: DVec3| {
        let gravity = DVec3::new(0.0, 0.0, -9.81 * scale);
        let mut world = World::new(Settings { gravity, sleeps: false, ..Settings::default() }).unwrap();
        let mut body = |at: DVec3| {
            let shape = Cuboid::new(DVec3::new(0.25, 0.1, 0.05) * scale).unwrap();
            let turn = DQuat::from_rotation_y(0.2);
            let body =
                RigidBody { position: offset + at * scale, rotation: turn, ..RigidBody::new("link", shape) };
            world.add(RigidBody { angular_velocity: DVec3::new(0.3, 0.0, 1.0), ..body }).unwrap()
        };
        let bodies: Vec<Handle> = (0..5).map(|k| body(DVec3::X * (0.6 * f64::from(k)))).collect();
        let point = |x: f64| offset + DVec3::new(x, 0.02, 0.01) * scale;
        let soft = Softness::Frequency { hertz: 2.0, damping_ratio: 0.3 };
        world.join(Joint::ball(None, bodies[0], point(-0.3))).unwrap();
        world.join(Joint::hinge(bodies[0], bodies[1], point(0.3), DVec3::Y).limits(-0.5, 0.5)).unwrap();
        world.join(Joint::cone(bodies[1], bodies[2], point(0.9), DVec3::X, 0.6)).unwrap();
        world
            .join(Joint::slider(bodies[2], bodies[3], point(1.5), DVec3::X).servo(0.0, soft, f64::INFINITY))
            .unwrap();
        world.join(Joint::rope(bodies[3], bodies[4], [point(2.0), point(2.2)], 0.3 * scale)).unwrap();
        let mut gap: f64 = 0.0;
        for _ in 0..60 {
            let report = world.step(STEP).unwrap();
            gap = gap.max(report.gap / scale).max(report.twist);
        }
        let at: Vec<DVec3> = places(&world, &bodies).iter().map(|at| (*at - offset) / scale).collect();
        (at, gap)
    };
    let (expected, gap) = run_at(1.0, DVec3::ZERO);
    assert!(gap < 1e-8, "{gap}");
    for (scale, offset) in [
        (1e-3, DVec3::ZERO),
        (1e3, DVec3::ZERO),
        (1.0, DVec3::new(1e4, -2e4, 5e3)),
        (1e-3, DVec3::new(-50.0, 10.0, 20.0)),
    ] {
        let (found, gap) = run_at(scale, offset);
        // Coordinates are known to so much of a length.
        let known = 1e-15 * offset.length() / scale;
        let off = farthest(&expected, &found);
        assert!(gap < 1e-8 + 10.0 * known && off < 1e-6 + 1e4 * known, "{scale} {offset}: {gap} {off}");
    }
}

/// A body struck at its corner keeps every coordinate that is locked, and goes on along and about the others as if it
/// were free.
#[test]
fn locked_axes_of_a_body_keep_their_coordinates() {
    for number in 1..64_u32 {
        let bit = |k: usize| number >> k & 1 == 1;
        let (ways, turns) = ([0, 1, 2].map(bit), [3, 4, 5].map(bit));
        let mut world = free();
        let at = DVec3::new(3.0, -2.0, 1.0);
        let body = world.add(cube(DVec3::splat(0.5), at, 6.0)).unwrap();
        world.join(Joint::locks(body, at, ways, turns)).unwrap();
        let velocity = DVec3::new(1.0, 2.0, -1.5);
        let spin = DVec3::new(0.3, -0.2, 0.4);
        let motion = world.motion(body).unwrap();
        world.set_motion(body, BodyState { velocity, angular_velocity: spin, ..motion }).unwrap();
        run(&mut world, 2.0);
        let after = world.motion(body).unwrap();
        for k in 0..3 {
            let expected = if ways[k] { at[k] } else { at[k] + 2.0 * velocity[k] };
            assert!((after.center[k] - expected).abs() < 1e-8, "{ways:?} {turns:?}: {}", after.center);
        }
        let free = turns.iter().filter(|turn| !**turn).count();
        if free == 1 {
            let k = turns.iter().position(|turn| !turn).unwrap();
            let expected = DQuat::from_axis_angle(DVec3::AXES[k], 2.0 * spin[k]);
            assert!(after.rotation.angle_between(expected) < 1e-6, "{turns:?}: {}", after.rotation);
        } else if free == 0 {
            assert!(after.rotation.angle_between(DQuat::IDENTITY) < 1e-6);
        }
    }
}
