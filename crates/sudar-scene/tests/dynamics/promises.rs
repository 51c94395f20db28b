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

/// Half the edge, mass and moment of a cube, which turns evenly, so that its flight is known.
const HALF: f64 = 0.3;
const MASS: f64 = 2.0;
const MOMENT: f64 = MASS * HALF * HALF * 2.0 / 3.0;

/// A cube whose corner strikes the plane z = 0.
struct Strike {
    rotation: DQuat,
    /// From the centre to the corner that strikes.
    arm: DVec3,
    /// Velocity and spin before and after.
    before: [DVec3; 2],
    after: [DVec3; 2],
    /// The normal speed of the corner before.
    came: f64,
}

fn corners(rotation: DQuat) -> impl Iterator<Item = DVec3> {
    let sign = |bits: u32, bit: u32| if bits >> bit & 1 == 1 { HALF } else { -HALF };
    (0..8).map(move |k| rotation * DVec3::new(sign(k, 0), sign(k, 1), sign(k, 2)))
}

impl Strike {
    /// With the impulse along z that turns the speed of the corner about.
    fn new(random: &mut Random, restitution: f64) -> Self {
        let rotation = random.rotation();
        let [velocity, spin] = [DVec3::new(0.3, -0.2, -6.0), random.direction() * 4.0];
        let arm = corners(rotation).min_by(|a, b| a.z.total_cmp(&b.z)).unwrap();
        let came = (velocity + spin.cross(arm)).z;
        let weight = 1.0 / MASS + arm.cross(DVec3::Z).length_squared() / MOMENT;
        let impulse = DVec3::Z * (-(1.0 + restitution) * came / weight);
        let after = [velocity + impulse / MASS, spin + arm.cross(impulse) / MOMENT];
        Self { rotation, arm, before: [velocity, spin], after, came }
    }

    /// Centre and rotation at a time from the impact on, or before it.
    fn at(&self, time: f64) -> (DVec3, DQuat) {
        let [velocity, spin] = if time < 0.0 { self.before } else { self.after };
        (DVec3::Z * -self.arm.z + velocity * time, DQuat::from_scaled_axis(spin * time) * self.rotation)
    }

    /// Whether nothing else touches the plane between two times, one before the impact and one after.
    fn is_alone(&self, from: f64, until: f64) -> bool {
        let is_clear = |time: f64| {
            let (center, rotation) = self.at(time);
            corners(rotation).all(|corner| center.z + corner.z > 1e-6)
        };
        (1..=40).map(|k| f64::from(k) / 40.0).all(|share| is_clear(share * from) && is_clear(share * until))
    }

    /// How far velocity, as a share of the speed of the impact, and spin are off at the end of a step.
    fn off(&self, response: &str, restitution: f64, step: f64) -> [f64; 2] {
        let mut world = World::new(weightless(response)).unwrap();
        world.add(RigidBody { restitution, friction: 0.0, ..floor() }).unwrap();
        let (position, rotation) = self.at(-0.75 * step);
        let inertia = DMat3::from_diagonal(DVec3::splat(MOMENT));
        let body = RigidBody {
            position,
            rotation,
            velocity: self.before[0],
            angular_velocity: self.before[1],
            matter: MassSpec::Given { mass: MASS, inertia, center: DVec3::ZERO },
            restitution,
            friction: 0.0,
            ..cuboid("cube", [HALF; 3])
        };
        let body = world.add(body).unwrap();
        world.step(step).unwrap();
        let now = world.motion(body).unwrap();
        [
            (now.velocity - self.after[0]).length() / self.came.abs(),
            (now.angular_velocity - self.after[1]).length(),
        ]
    }
}

#[test]
fn one_impact_of_a_turning_cube_is_its_closed_form_whatever_the_step() {
    let mut random = Random::new(5);
    let mut count = 0;
    for case in 0..setting("SUDAR_SEEDS", 48) {
        let restitution = [0.2, 0.5, 0.9, 1.0][case % 4];
        let strike = Strike::new(&mut random, restitution);
        // The impact is at three quarters of the step.
        let steps = [1.0 / 20.0, STEP, 1.0 / 240.0];
        for step in steps.into_iter().filter(|step| strike.is_alone(-0.75 * step, 0.25 * step)) {
            count += 1;
            for response in ["impulse", "simultaneous", "solver"] {
                let [velocity, spin] = strike.off(response, restitution, step);
                let said = format!("{response} case {case} restitution {restitution} step {step}");
                assert!(velocity < 1e-5, "{said}: velocity off by {velocity:e}");
                assert!(spin < 1e-4, "{said}: spin off by {spin:e}");
            }
        }
    }
    assert!(count >= 24, "{count}");
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

/// A floor of two triangles for bodies of a size.
fn sheet(size: f64) -> RigidBody {
    let corners = [[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]];
    let corners = corners.map(|[x, y]| DVec3::new(x, y, 0.0) * size).to_vec();
    RigidBody::fixed("floor", Mesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap())
}

#[test]
fn bodies_of_ten_micrometres_to_ten_kilometres_fall_rest_and_gain_nothing() {
    let gravity = 9.81;
    for size in [1e-5, 1e-4, 1e-3, 1e-2, 1.0, 100.0, 1e3, 1e4] {
        let solids = [("ball", [0.5; 3]), ("box", [0.4, 0.3, 0.2])];
        for (response, (name, half)) in
            ["solver", "impulse"].into_iter().flat_map(|r| solids.map(|solid| (r, solid)))
        {
            for on_sheet in [false, true] {
                let mut world = World::new(settings(response)).unwrap();
                world.add(if on_sheet { sheet(size) } else { floor() }).unwrap();
                let half = half.map(|h| h * size);
                let body = if name == "ball" { ball(name, half[0]) } else { cuboid(name, half) };
                let position = DVec3::new(0.1 * size, 0.2 * size, half[2] + 0.5 * size);
                world.add(RigidBody { position, restitution: 0.1, ..body }).unwrap();
                let energy = |world: &World| {
                    let motion = world.motion(id(world, name)).unwrap();
                    0.5 * motion.velocity.length_squared() + gravity * motion.center.z
                };
                let start = energy(&world);
                let mut most: f64 = 0.0;
                for _ in 0..((2.0 * (size / gravity).sqrt() + 1.0) * 60.0) as u32 {
                    world.step(STEP).unwrap();
                    most = most.max(energy(&world));
                }
                let motion = world.motion(id(&world, name)).unwrap();
                let off = (motion.center.z / half[2] - 1.0).abs();
                let quiet = motion.velocity.length() < 0.02 * (gravity * size).sqrt();
                assert!(
                    most < start * (1.0 + 1e-6) && off < 0.02 && quiet,
                    "{size} {name} {response} {on_sheet}: {} {off} {}",
                    most / start,
                    motion.velocity
                );
            }
        }
    }
}

#[test]
fn bodies_that_turn_several_times_a_step_keep_momenta_and_gain_no_energy() {
    for response in ["solver", "impulse", "simultaneous", "reflection"] {
        for seed in 0..12 {
            let mut world = ring(response, 9, seed, [0.0, 0.5]);
            let ids: Vec<Handle> = world.bodies().map(|(id, _)| id).collect();
            let mut random = Random::new(seed);
            for &id in &ids {
                let motion = world.motion(id).unwrap();
                let velocity = motion.center * -random.within(10.0, 60.0);
                let angular_velocity = random.direction() * random.within(5.0, 35.0) / STEP;
                world.set_motion(id, BodyState { velocity, angular_velocity, ..motion }).unwrap();
            }
            let start = world.energy();
            let size = (start.kinetic * 18.0).sqrt();
            for k in 0..30 {
                world.step(STEP).unwrap();
                let (now, said) = (world.energy(), format!("{response} seed {seed} step {k}"));
                let gain = now.kinetic / start.kinetic - 1.0;
                assert!(gain <= 1e-6, "{said}: energy grew by {gain:e}");
                let off = (now.momentum - start.momentum).length();
                assert!(off <= 1e-9 * size, "{said}: momentum off by {off:e}");
                let off = (now.angular_momentum - start.angular_momentum).length();
                let most = if response == "solver" { 1e-4 } else { 1e-9 };
                assert!(off <= most * size, "{said}: angular momentum off by {off:e}");
            }
        }
    }
}

#[test]
fn a_stack_of_millimetres_does_not_creep() {
    for response in ["solver", "impulse"] {
        let mut world = World::new(settings(response)).unwrap();
        world.add(RigidBody { friction: 0.8, ..floor() }).unwrap();
        let size = 1e-3;
        for i in 0..5 {
            let body = cuboid(&format!("box {i}"), [0.4 * size, 0.3 * size, 0.2 * size]);
            let position = DVec3::Z * (0.2 + 0.4 * f64::from(i)) * size;
            world.add(RigidBody { position, friction: 0.8, ..body }).unwrap();
        }
        // In the first second it settles.
        run(&mut world, 1.0, STEP);
        let settled = place(&world, "box 4");
        run(&mut world, 10.0, STEP);
        let crept = place(&world, "box 4").distance(settled) / size;
        // Where impulses were found to a millionth of the pull it was more than 1e-4.
        assert!(crept < 1e-5, "{response}: {crept:e}");
    }
}
