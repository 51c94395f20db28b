//! Responses to overlap at poses that are tested, as their sources describe them.

use super::*;
use sudar::dynamics::{BodyType, MassSpec};
use sudar_classic::response::{Detection, response_with};

const DISCRETE: [Detection; 3] = [Detection::Static, Detection::Sampled, Detection::Bisected];
const RESPONSES: [&str; 6] = ["reflection", "momentum", "mtv", "spring", "impulse", "simultaneous"];

fn world(response: &str, detection: Detection) -> World {
    let response = response_with(response, detection).unwrap();
    World::new(Settings { gravity: DVec3::ZERO, response, bounds: room(20.0), ..Settings::default() })
        .unwrap()
}

fn moving(body: RigidBody, position: DVec3, velocity: DVec3) -> RigidBody {
    RigidBody { position, velocity, restitution: 1.0, friction: 0.0, ..body }
}

/// Two balls of radius 1/2 that come towards each other, of masses 1 and 3.
fn balls(response: &str, detection: Detection) -> World {
    let mut world = world(response, detection);
    for (name, x, speed, density) in [("a", -0.53, 1.0, 1.0), ("b", 0.56, -2.0, 3.0)] {
        let body = RigidBody { matter: MassSpec::Density(density), ..ball(name, 0.5) };
        world.add(moving(body, DVec3::new(x, 0.3, -0.2), DVec3::X * speed)).unwrap();
    }
    world
}

/// Places and speeds after steps of 1/60, by the formulas of Dimitrijević 2019, section 2.6.
fn by_hand(steps: u32, is_translated: bool) -> [[f64; 2]; 2] {
    let ([mut p, mut q], [mut u, mut v]) = ([-0.53, 0.56], [1.0, -2.0]);
    for _ in 0..steps {
        let before = [p, q];
        (p, q) = (p + u * STEP, q + v * STEP);
        let overlap = 1.0 - (q - p);
        if overlap >= 0.0 {
            [p, q] = if is_translated { [p - 0.5 * overlap, q + 0.5 * overlap] } else { before };
            let approach = u - v;
            (u, v) = (u - 2.0 * 3.0 / 4.0 * approach, v + 2.0 / 4.0 * approach);
        }
    }
    [[p, u], [q, v]]
}

#[test]
fn balls_are_moved_apart_by_half_the_overlap_each_or_put_back() {
    for (response, is_translated) in [("mtv", true), ("reflection", false)] {
        let mut world = balls(response, Detection::Static);
        let mut deepest: f64 = 0.0;
        for steps in 1..=6 {
            let report = world.step(STEP).unwrap();
            deepest = deepest.max(report.touches.iter().map(|touch| touch.impulse).fold(0.0, f64::max));
            for (name, [x, speed]) in ["a", "b"].into_iter().zip(by_hand(steps, is_translated)) {
                assert!((place(&world, name).x - x).abs() < 1e-14, "{response} {name} {steps}");
                assert!((velocity(&world, name).x - speed).abs() < 1e-14, "{response} {name} {steps}");
            }
        }
        // 2 m₁m₂/(m₁ + m₂)·3, of balls of π/6 and π/2 kg.
        let impulse = 2.0 * 3.0 * 0.75 * std::f64::consts::PI / 6.0;
        assert!((deepest - impulse).abs() < 1e-12, "{response} {deepest} {impulse}");
    }
}

#[test]
fn bisection_goes_back_to_the_contact() {
    // Contact after 0.09/3 s = 1.8 steps. From there the speeds of the balls are those after the impact.
    let [contact, end] = [0.03, 2.0 * STEP];
    let exact = [-0.53 + contact - 3.5 * (end - contact), 0.56 - 2.0 * contact - 0.5 * (end - contact)];
    for response in ["reflection", "mtv", "impulse", "simultaneous"] {
        let mut world = balls(response, Detection::Bisected);
        run(&mut world, end, STEP);
        let bound = 2.0 * 4.5 * STEP / 4096.0;
        for (name, x) in ["a", "b"].into_iter().zip(exact) {
            let off = (place(&world, name).x - x).abs();
            assert!(off < bound, "{response} {name} {off}");
        }
    }
}

#[test]
fn what_passes_between_two_poses_is_missed() {
    // A plate of 0.1 m, a ball of 0.1 m that crosses 1.5 m a step: an eighth of this is 0.19 m.
    for response in RESPONSES.into_iter().filter(|name| *name != "spring") {
        for (detection, stops) in Detection::ALL.into_iter().zip([false, true, false, true]) {
            let mut world = world(response, detection);
            let plate = cuboid("plate", [0.05, 5.0, 5.0]);
            world.add(RigidBody { kind: BodyType::Static, ..plate }).unwrap();
            world.add(moving(ball("ball", 0.1), DVec3::X * -2.2, DVec3::X * 90.0)).unwrap();
            run(&mut world, 4.0 * STEP, STEP);
            let is_before = place(&world, "ball").x < 0.0;
            assert_eq!(is_before, stops, "{response} {}", detection.name());
        }
    }
}

#[test]
fn mirrored_velocities_keep_energy_and_momentum_of_every_pair() {
    for (name, shape) in &solids() {
        for (other, second) in &solids() {
            for (response, detection) in
                [("mtv", DISCRETE[0]), ("mtv", DISCRETE[2]), ("reflection", DISCRETE[1])]
            {
                let mut world = world(response, detection);
                for (shape, side) in [(shape, -1.0), (second, 1.0)] {
                    let body = RigidBody {
                        angular_velocity: DVec3::new(0.3, -0.7, 0.2) * side,
                        ..RigidBody::new("", shape.clone())
                    };
                    let position = DVec3::new(1.6, 0.2, -0.1) * side;
                    world.add(moving(body, position, DVec3::new(-2.0, 0.1, 0.3) * side)).unwrap();
                }
                let (first, momentum) = (world.energy(), world.energy().momentum);
                run(&mut world, 1.5, STEP);
                let kept = world.energy().momentum - momentum;
                let turned = world.bodies().any(|(id, _)| world.motion(id).unwrap().velocity.x.abs() != 2.0);
                assert!(turned, "{name} {other}: they met");
                assert!(
                    (world.energy().kinetic / first.kinetic - 1.0).abs() < 1e-9,
                    "{name} {other} {response}"
                );
                assert!(
                    kept.length() < 1e-9 * momentum.length().max(first.kinetic),
                    "{name} {other} {response}"
                );
            }
        }
    }
}

#[test]
fn crowds_stay_in_their_room_whatever_the_response() {
    for response in RESPONSES {
        for detection in DISCRETE {
            let mut scene = sudar_scene::box_objects().unwrap();
            scene.settings.response = response_with(response, detection).unwrap();
            let mut world = scene.world().unwrap();
            for _ in 0..180 {
                world.step(STEP).unwrap_or_else(|e| panic!("{response} {} {e}", detection.name()));
                assert_eq!(world.out_of_bounds().count(), 0, "{response} {}", detection.name());
            }
        }
    }
}

#[test]
fn stiff_springs_need_short_steps() {
    // Dimitrijević 2019, section 2.6. A force that is taken once a step, and one of sub-steps as short as it needs.
    let change = |detection, rate: f64| {
        let mut world = balls("spring", detection);
        let first = world.energy().kinetic;
        run(&mut world, 0.5, 1.0 / rate);
        (world.energy().kinetic / first - 1.0).abs()
    };
    let [coarse, fine] = [60.0, 3840.0].map(|rate| change(Detection::Static, rate));
    assert!(coarse > 0.005 && fine < 1e-4, "{coarse} {fine}");
    assert!(change(Detection::Continuous, 60.0) < 0.01);
}

#[test]
fn a_body_bounces_as_high_as_it_fell_from() {
    for (name, shape) in solids().into_iter().filter(|(name, _)| !["fighter", "angle"].contains(name)) {
        for response in ["reflection", "impulse", "simultaneous"] {
            for detection in DISCRETE {
                let law = response_with(response, detection).unwrap();
                let mut world = World::new(Settings { response: law, ..Settings::default() }).unwrap();
                world.add(RigidBody { friction: 0.0, ..floor() }).unwrap();
                world.add(moving(RigidBody::new("body", shape.clone()), DVec3::Z * 2.0, DVec3::X)).unwrap();
                let first = world.energy().total();
                let mut lowest = f64::INFINITY;
                for _ in 0..600 {
                    world.step(STEP).unwrap();
                    lowest = lowest.min(place(&world, "body").z);
                }
                let change = world.energy().total() / first - 1.0;
                assert!(change.abs() < 1e-9, "{name} {response} {}: {change}", detection.name());
                assert!(lowest > 0.0 && lowest < 1.7, "{name} {response} {}: {lowest}", detection.name());
            }
        }
    }
}

#[test]
fn a_kinematic_body_in_a_wall_strikes_what_yields_alone() {
    for response in RESPONSES {
        for detection in DISCRETE {
            let mut world = world(response, detection);
            let wall = cuboid("wall", [0.5, 4.0, 4.0]);
            world.add(RigidBody { kind: BodyType::Static, ..wall }).unwrap();
            // A piston goes through the wall and pushes a ball at rest.
            let piston = moving(cuboid("piston", [1.0, 1.0, 1.0]), DVec3::X * 1.2, DVec3::X * 2.0);
            world.add(RigidBody { kind: BodyType::Kinematic, ..piston }).unwrap();
            world.add(moving(ball("ball", 0.3), DVec3::X * 3.0, DVec3::ZERO)).unwrap();
            for _ in 0..60 {
                let report = world.step(STEP).unwrap();
                let all_finite = report.touches.iter().all(|touch| touch.impulse.is_finite());
                assert!(all_finite, "{response} {}: {report:?}", detection.name());
            }
            assert!((place(&world, "piston").x - 3.2).abs() < 1e-9);
            let ball = velocity(&world, "ball");
            // Elastic: twice the speed of the piston; 2002 takes the momentum of the ball itself for that of a wall.
            let expected = if response == "momentum" { 0.0 } else { 4.0 };
            let off = if response == "spring" { 1.0 } else { 1e-9 };
            assert!((ball.x - expected).abs() < off, "{response} {}: {ball}", detection.name());
        }
    }
}
