//! What worlds promise whatever the shapes, steps and responses: momenta, energy, single impacts, sleep, small bodies.

use super::*;
use sudar::dynamics::{BodyType, MassSpec};
use sudar::{Compound, DMat3, DQuat, Pose};
use sudar_testing::Random;

fn shapes() -> Vec<Shape> {
    let arm = |half: [f64; 3]| Shape::from(Cuboid::new(DVec3::from_array(half)).unwrap());
    let bent = Pose::from_translation(DVec3::new(0.3, 0.0, 0.4)).unwrap();
    let parts = vec![(arm([0.4, 0.1, 0.1]), Pose::IDENTITY), (arm([0.1, 0.1, 0.3]), bent)];
    let half = DVec3::new(0.4, 0.3, 0.2);
    vec![
        Sphere::new(DVec3::ZERO, 0.3).unwrap().into(),
        Cuboid::new(half).unwrap().into(),
        sudar::Capsule::new(0.15, 0.3).unwrap().into(),
        sudar::Cylinder::new(0.25, 0.3).unwrap().into(),
        sudar::Cone::new(0.3, 0.3).unwrap().into(),
        Mesh::from_aabb(Aabb { min: -half, max: half }).into(),
        Compound::new(parts).unwrap().into(),
    ]
}

/// Bodies in a ring that fly together, turning.
fn ring(response: &str, count: usize, seed: u64, [restitution, friction]: [f64; 2]) -> World {
    let mut random = Random::new(seed);
    let (mut world, shapes) = (World::new(weightless(response)).unwrap(), shapes());
    for i in 0..count {
        let angle = std::f64::consts::TAU * i as f64 / count as f64;
        let place = DVec3::new(libm::cos(angle), libm::sin(angle), 0.0) * 1.3 + random.direction() * 0.1;
        let body = RigidBody {
            position: place,
            rotation: random.rotation(),
            velocity: place * -1.5 + random.direction() * 0.2,
            angular_velocity: random.direction() * 5.0,
            matter: MassSpec::Mass(random.within(0.5, 2.0)),
            restitution,
            friction,
            ..RigidBody::new(format!("body {i}"), shapes[(i + seed as usize) % shapes.len()].clone())
        };
        world.add(body).unwrap();
    }
    world
}

#[test]
fn what_flies_together_keeps_momenta_and_gains_no_energy() {
    // Bodies that came to rest in the midst of a step began it anew, without the impulses that they had given.
    for response in ["impulse", "simultaneous", "reflection", "solver", "spring"] {
        for (restitution, friction) in [(0.0, 0.0), (0.0, 1.0), (0.5, 0.3), (0.9, 0.3), (1.0, 0.0)] {
            for seed in 0..setting("SUDAR_SEEDS", 6) {
                let count = 2 + (seed % 3) as usize;
                let mut world = ring(response, count, seed, [restitution, friction]);
                let (before, size) = (world.energy(), 10.0 * count as f64);
                for step in 0..60 {
                    world.step([STEP, 1.0 / 20.0, 1.0 / 400.0][step % 3]).unwrap();
                    let now = world.energy();
                    let said = format!("{response} {restitution} {friction} seed {seed} step {step}");
                    let off = (now.momentum - before.momentum).length();
                    assert!(off <= 1e-9 * size, "{said}: momentum off by {off:e}");
                    let off = (now.angular_momentum - before.angular_momentum).length();
                    let most = if response == "solver" { 1e-4 } else { 1e-9 };
                    assert!(off <= most * size, "{said}: angular momentum off by {off:e}");
                    let gain = now.kinetic / before.kinetic - 1.0;
                    assert!(response == "spring" || gain <= 1e-9, "{said}: energy grew by {gain:e}");
                }
            }
        }
    }
}

#[test]
fn one_impact_of_a_turning_cube_is_its_closed_form_whatever_the_step() {
    // A cube turns evenly, so its flight to the impact and away from it is known, and so is the impulse along z at
    // its corner.
    let (half, mass) = (0.3, 2.0);
    let moment = mass * half * half * 2.0 / 3.0;
    let mut random = Random::new(5);
    for case in 0..setting("SUDAR_SEEDS", 12) {
        let rotation = random.rotation();
        let omega = random.direction() * 4.0;
        let corner = (0..8).map(|k| {
            let sign = |bit: u32| if k >> bit & 1 == 1 { half } else { -half };
            rotation * DVec3::new(sign(0), sign(1), sign(2))
        });
        let arm = corner.min_by(|a, b| a.z.total_cmp(&b.z)).unwrap();
        let velocity = DVec3::new(0.3, -0.2, -6.0);
        let came = (velocity + omega.cross(arm)).z;
        for restitution in [0.2, 0.5, 0.9, 1.0] {
            let weight = 1.0 / mass + arm.cross(DVec3::Z).length_squared() / moment;
            let impulse = DVec3::Z * (-(1.0 + restitution) * came / weight);
            let left = velocity + impulse / mass;
            let spin = omega + arm.cross(impulse) / moment;
            for step in [1.0 / 20.0, STEP, 1.0 / 240.0] {
                // The impact is at three quarters of a step.
                let early = 0.75 * step;
                let back = DQuat::from_scaled_axis(omega * -early) * rotation;
                let lowest = |q: DQuat| {
                    (0..8)
                        .map(|k| {
                            let sign = |bit: u32| if k >> bit & 1 == 1 { half } else { -half };
                            (q * DVec3::new(sign(0), sign(1), sign(2))).z
                        })
                        .fold(f64::INFINITY, f64::min)
                };
                let clear = |share: f64| {
                    let time = share * 0.25 * step;
                    let turned = DQuat::from_scaled_axis(spin * time) * rotation;
                    -arm.z + left.z * time + lowest(turned) > 1e-6
                };
                let comes = |share: f64| {
                    let time = share * early;
                    let turned = DQuat::from_scaled_axis(omega * -time) * rotation;
                    -arm.z - velocity.z * time + lowest(turned) > 1e-6
                };
                let shares = || (1..=40).map(|k| f64::from(k) / 40.0);
                if !(shares().all(clear) && shares().all(comes)) {
                    continue;
                }
                for response in ["impulse", "simultaneous", "solver"] {
                    let mut world = World::new(weightless(response)).unwrap();
                    world.add(RigidBody { restitution, friction: 0.0, ..floor() }).unwrap();
                    let body = RigidBody {
                        position: DVec3::Z * -arm.z - velocity * early,
                        rotation: back,
                        velocity,
                        angular_velocity: omega,
                        matter: MassSpec::Given {
                            mass,
                            inertia: DMat3::from_diagonal(DVec3::splat(moment)),
                            center: DVec3::ZERO,
                        },
                        restitution,
                        friction: 0.0,
                        ..cuboid("cube", [half; 3])
                    };
                    let body = world.add(body).unwrap();
                    world.step(step).unwrap();
                    let now = world.motion(body).unwrap();
                    let off = (now.velocity - left).length() / came.abs();
                    let said = format!("{response} case {case} e {restitution} step {step}");
                    assert!(off < 1e-5, "{said}: velocity off by {off:e}");
                    let off = (now.angular_velocity - spin).length();
                    assert!(off < 1e-4, "{said}: spin off by {off:e}");
                }
            }
        }
    }
}

#[test]
fn small_bodies_stand_on_each_other_as_large_ones_do() {
    // Five boxes of 0.4 mm collapsed; contacts yielded by as much whatever the size.
    for size in [1e-4, 1e-3, 1.0, 100.0] {
        for response in ["solver", "impulse"] {
            let mut world = World::new(settings(response)).unwrap();
            world.add(RigidBody { friction: 0.8, ..floor() }).unwrap();
            let boxes: Vec<Handle> = (0..5)
                .map(|i| {
                    let body = cuboid(&format!("box {i}"), [0.4 * size, 0.3 * size, 0.2 * size]);
                    let position = DVec3::Z * ((0.2 + 0.4 * f64::from(i)) * size);
                    world.add(RigidBody { position, friction: 0.8, ..body }).unwrap()
                })
                .collect();
            run(&mut world, 5.0, STEP);
            for (i, id) in (0..).zip(boxes) {
                let center = world.motion(id).unwrap().center;
                let (aside, sunk) =
                    (center.truncate().length() / size, 0.2 + 0.4 * f64::from(i) - center.z / size);
                assert!(aside < 1e-2 && sunk.abs() < 0.02, "{response} {size}: {aside} {sunk}");
            }
        }
    }
}

#[test]
fn a_stack_sleeps_under_steps_of_two_lengths_in_turn() {
    let mut world = World::new(settings("solver")).unwrap();
    world.add(floor()).unwrap();
    let boxes: Vec<Handle> = (0..10)
        .map(|i| {
            let position = DVec3::Z * (0.25 + 0.5 * f64::from(i));
            world.add(RigidBody { position, ..cuboid(&format!("box {i}"), [0.25; 3]) }).unwrap()
        })
        .collect();
    for step in 0..300 {
        world.step([1.0 / 60.0, 1.0 / 30.0][step % 2]).unwrap();
    }
    assert!(boxes.iter().all(|id| world.is_asleep(*id).unwrap()));
}

/// A box asleep on a table, which is static or driven.
fn on_a_table(kind: BodyType) -> (World, [Handle; 2]) {
    let mut world = World::new(settings("solver")).unwrap();
    world.add(floor()).unwrap();
    let table = RigidBody { kind, position: DVec3::Z, ..cuboid("table", [1.0, 1.0, 0.1]) };
    let table = world.add(table).unwrap();
    let sleeper = RigidBody { position: DVec3::Z * 1.3, ..cuboid("box", [0.2; 3]) };
    let sleeper = world.add(sleeper).unwrap();
    run(&mut world, 2.0, STEP);
    assert!(world.is_asleep(sleeper).unwrap(), "{kind:?}");
    (world, [table, sleeper])
}

#[test]
fn sleepers_fall_when_what_they_lie_on_goes() {
    type Change = fn(&mut World, Handle);
    let moved: Change = |world, table| {
        let motion = world.motion(table).unwrap();
        world.set_motion(table, BodyState { center: motion.center + DVec3::X * 10.0, ..motion }).unwrap();
    };
    let ignored: Change = |world, table| world.modify(table, |body| body.filter = Filter::NONE).unwrap();
    let removed: Change = |world, table| world.remove(table).unwrap();
    for kind in [BodyType::Static, BodyType::Kinematic, BodyType::Dynamic] {
        for (change, name) in [(moved, "moved"), (ignored, "filter"), (removed, "removed")] {
            let (mut world, [table, sleeper]) = on_a_table(kind);
            change(&mut world, table);
            run(&mut world, 2.0, STEP);
            let z = world.motion(sleeper).unwrap().center.z;
            assert!((z - 0.2).abs() < 1e-2, "{kind:?} {name}: {z}");
        }
    }
}

#[test]
fn a_lift_wakes_what_sleeps_on_it() {
    let (mut world, [lift, sleeper]) = on_a_table(BodyType::Kinematic);
    for speed in [1.0, -1.0] {
        let motion = world.motion(lift).unwrap();
        world.set_motion(lift, BodyState { velocity: DVec3::Z * speed, ..motion }).unwrap();
        run(&mut world, 0.5, STEP);
    }
    let (lift, sleeper) = (world.motion(lift).unwrap(), world.motion(sleeper).unwrap());
    assert!((sleeper.center.z - lift.center.z - 0.3).abs() < 1e-2);
}
