//! Closed systems keep their momenta, off centre, turned and with friction.

use super::*;
use sudar::dynamics::BodyType;
use sudar::{Capsule, DQuat, Ellipsoid};

/// Two bodies that meet off centre while both turn.
fn meeting(response: &str, shapes: [&Shape; 2], restitution: f64, friction: f64) -> World {
    let mut world = World::new(weightless(response)).unwrap();
    let places = [DVec3::new(-1.6, 0.1, 0.05), DVec3::new(1.6, -0.1, 0.0)];
    let speeds = [DVec3::X * 6.0, DVec3::new(-6.0, 0.5, 0.0)];
    let spins = [DVec3::new(0.3, 1.0, -2.0), DVec3::new(1.0, 0.2, 0.7)];
    for (k, name) in ["a", "b"].into_iter().enumerate() {
        let mut body = RigidBody::new(name, shapes[k].clone());
        (body.position, body.velocity, body.angular_velocity) = (places[k], speeds[k], spins[k]);
        (body.restitution, body.friction) = (restitution, friction);
        world.add(body).unwrap();
    }
    world
}

fn shapes() -> Vec<(&'static str, Shape)> {
    let box_mesh = |half: DVec3| Mesh::from_aabb(Aabb { min: -half, max: half });
    vec![
        ("ball", Sphere::new(DVec3::ZERO, 0.4).unwrap().into()),
        ("box", Cuboid::new(DVec3::new(0.4, 0.3, 0.25)).unwrap().into()),
        ("capsule", Capsule::new(0.2, 0.4).unwrap().into()),
        ("ellipsoid", Ellipsoid::new(DVec3::new(0.5, 0.4, 0.2)).unwrap().into()),
        ("mesh", box_mesh(DVec3::new(0.4, 0.3, 0.25)).into()),
    ]
}

/// Sum of the lengths of all momenta, which says what is small.
fn size(world: &World) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for (id, body) in world.bodies().filter(|(_, body)| body.kind == BodyType::Dynamic) {
        let (motion, inertia) = (world.motion(id).unwrap(), body.inertia().unwrap());
        let momentum = motion.velocity * inertia.mass;
        let turn = |q: DQuat, v: DVec3| q * (inertia.tensor * (q.inverse() * v));
        sums[0] += momentum.length();
        sums[1] +=
            motion.center.cross(momentum).length() + turn(motion.rotation, motion.angular_velocity).length();
    }
    sums
}

#[test]
fn momenta_of_closed_systems_stay_whatever_the_pair_restitution_and_friction() {
    let responses = ["reflection", "spring", "impulse", "simultaneous", "solver", "mtv"];
    let surfaces = [(0.0, 0.0), (0.0, 0.5), (0.5, 0.3), (1.0, 0.0), (1.0, 0.5)];
    let shapes = shapes();
    let mut met = 0;
    for (i, (first, a)) in shapes.iter().enumerate() {
        for (second, b) in &shapes[i..] {
            for response in responses {
                for (restitution, friction) in surfaces {
                    let mut world = meeting(response, [a, b], restitution, friction);
                    let (before, size) = (world.energy(), size(&world));
                    let mut touched = false;
                    for step in 0..60 {
                        touched |= world.step(STEP).unwrap().contacts() > 0;
                        let now = world.energy();
                        let said = format!("{first}-{second} {response} {restitution} {friction} {step}");
                        let off = (now.momentum - before.momentum).length();
                        assert!(off <= 1e-9 * size[0], "{said}: momentum off by {off}");
                        let off = (now.angular_momentum - before.angular_momentum).length();
                        let keeps = response != "mtv";
                        assert!(!keeps || off <= 1e-9 * size[1], "{said}: angular momentum off by {off}");
                    }
                    met += u32::from(touched);
                }
            }
        }
    }
    assert_eq!(met, 15 * 6 * 5);
}

#[test]
fn balls_that_meet_off_centre_part_as_the_line_of_their_centres_says() {
    // Equal, smooth and elastic: they exchange the velocities along the line of centres at the instant at
    // which |x + v t| = 0.8.
    let (x, v) = (DVec3::new(3.2, -0.2, -0.05), DVec3::new(-12.0, 0.5, 0.0));
    let (a, b, c) = (v.length_squared(), x.dot(v), x.length_squared() - 0.64);
    let time = (-b - (b * b - a * c).sqrt()) / a;
    let line = (x + v * time).normalize();
    let expected = DVec3::X * 6.0 + line * v.dot(line);
    assert!((expected - DVec3::new(-5.8285, 1.4883, 0.7466)).length() < 1e-4);
    for response in ["impulse", "simultaneous", "solver", "reflection"] {
        for steps in [60, 97, 240] {
            let mut world = World::new(weightless(response)).unwrap();
            let smooth = |name: &str, position: DVec3, velocity: DVec3| RigidBody {
                position,
                velocity,
                restitution: 1.0,
                friction: 0.0,
                ..ball(name, 0.4)
            };
            world.add(smooth("a", DVec3::new(-1.6, 0.1, 0.05), DVec3::X * 6.0)).unwrap();
            world.add(smooth("b", DVec3::new(1.6, -0.1, 0.0), DVec3::new(-6.0, 0.5, 0.0))).unwrap();
            run(&mut world, 1.0, 1.0 / f64::from(steps));
            let off = (velocity(&world, "a") - expected).length();
            assert!(off < 1e-9, "{response} {steps}: {off}");
        }
    }
}

#[test]
fn positions_move_no_farther_than_velocities_say() {
    // Boxes that stay in contact after they met: no step carries one farther than the faster of both could go.
    let half = Cuboid::new(DVec3::new(0.4, 0.3, 0.25)).unwrap().into();
    for response in ["impulse", "simultaneous"] {
        let mut world = meeting(response, [&half, &half], 0.0, 0.0);
        for _ in 0..120 {
            let before = [place(&world, "a"), place(&world, "b")];
            world.step(STEP).unwrap();
            for (name, from) in ["a", "b"].into_iter().zip(before) {
                let way = place(&world, name).distance(from);
                assert!(way <= 6.1 * STEP, "{response} {name} {way}");
            }
        }
    }
}
