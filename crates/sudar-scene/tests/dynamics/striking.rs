//! Single impacts of every response against closed forms.

use super::*;
use sudar::dynamics::MassSpec;
use sudar::hull::convex_hull;
use sudar::query::Body;
use sudar::{Capsule, Cylinder, Triangle};

const EXACT: [&str; 4] = ["reflection", "mtv", "impulse", "simultaneous"];

fn elastic(mut body: RigidBody, x: f64, speed: f64, mass: f64) -> RigidBody {
    (body.position, body.velocity) = (DVec3::X * x, DVec3::X * speed);
    (body.restitution, body.friction, body.matter) = (1.0, 0.0, MassSpec::Mass(mass));
    body
}

#[test]
fn two_balls_of_different_mass_bounce_as_momentum_and_energy_demand() {
    for response in EXACT {
        let mut world = World::new(weightless(response)).unwrap();
        world.add(elastic(ball("light", 0.5), 0.0, 3.0, 1.0)).unwrap();
        world.add(elastic(ball("heavy", 0.5), 2.0, -1.0, 3.0)).unwrap();
        run(&mut world, 1.0, STEP);
        // v₁' = (m₁ − m₂)/(m₁ + m₂) v₁ + 2 m₂/(m₁ + m₂) v₂ = −3/2 − 3/2, v₂' = 2/4·3 + (3 − 1)/4·(−1).
        assert!((velocity(&world, "light").x + 3.0).abs() < 1e-12, "{response}");
        assert!((velocity(&world, "heavy").x - 1.0).abs() < 1e-12, "{response}");
        // They meet when 2 − 4 t = 1, at 0.75.
        assert!((place(&world, "light").x - (0.75 - 3.0 * 0.75)).abs() < 1e-12, "{response}");
    }
}

#[test]
fn the_momentum_of_2002_is_exchanged_as_published() {
    let mut world = World::new(weightless("momentum")).unwrap();
    world.add(elastic(ball("a", 0.5), 0.0, 3.0, 1.0)).unwrap();
    world.add(elastic(ball("b", 0.5), 2.0, -1.0, 4.0)).unwrap();
    run(&mut world, 0.5, STEP);
    // |p₂|/m₁ = 4 away from the contact, |p₁|/m₂ = 3/4.
    assert_eq!(velocity(&world, "a"), DVec3::X * -4.0);
    assert_eq!(velocity(&world, "b"), DVec3::X * 0.75);
}

#[test]
fn overlapping_balls_are_moved_by_half_each() {
    let mut world = World::new(weightless("mtv")).unwrap();
    world.add(elastic(ball("a", 0.5), 0.0, 1.0, 1.0)).unwrap();
    world.add(elastic(ball("b", 0.5), 0.8, -1.0, 1.0)).unwrap();
    world.step(1e-6).unwrap();
    // Depth 0.2, and equal masses exchange their velocities.
    assert!((place(&world, "a").x + 0.1).abs() < 2e-6 && (place(&world, "b").x - 0.9).abs() < 2e-6);
    assert_eq!((velocity(&world, "a").x, velocity(&world, "b").x), (-1.0, 1.0));
}

#[test]
fn a_ball_bounces_to_the_square_of_its_restitution() {
    for response in ["impulse", "simultaneous", "solver"] {
        let mut world = World::new(settings(response)).unwrap();
        world.add(floor()).unwrap();
        let mut ball = ball("ball", 0.5);
        (ball.position, ball.restitution) = (DVec3::Z * 2.5, 0.7);
        world.add(ball).unwrap();
        let mut highest: f64 = 0.0;
        // It lands after √(2·2/g) = 0.639 s and is at the top 0.7 of that later.
        for step in 0..80 {
            world.step(STEP).unwrap();
            highest = if step > 40 { highest.max(place(&world, "ball").z) } else { 0.0 };
        }
        let expected = 0.5 + 2.0 * 0.49;
        let off = if response == "solver" { 0.06 } else { 1e-3 };
        assert!((highest - expected).abs() < off, "{response}: {highest} {expected}");
    }
}

#[test]
fn a_wall_of_the_room_has_the_restitution_of_the_body() {
    for response in EXACT {
        let mut world = World::new(Settings { bounds: room(2.0), ..weightless(response) }).unwrap();
        world.add(elastic(ball("ball", 0.5), 0.0, 1.0, 1.0)).unwrap();
        run(&mut world, 3.0, STEP);
        assert!((place(&world, "ball").x - 0.0).abs() < 1e-12, "{response}");
        assert_eq!(velocity(&world, "ball").x, -1.0, "{response}");
    }
}

#[test]
fn every_pair_of_shapes_keeps_energy_and_momentum_when_it_strikes() {
    let shapes = solids();
    for (i, (name, first)) in shapes.iter().enumerate() {
        for (other, second) in &shapes[i..] {
            for response in ["simultaneous", "impulse"] {
                let mut world = World::new(weightless(response)).unwrap();
                let mut body = |name: &str, shape: &Shape, x: f64, speed: f64| {
                    let body = RigidBody::new(name, shape.clone());
                    let turn = sudar::DQuat::from_xyzw(0.3, 0.1, -0.2, 0.9).normalize();
                    let spin = DVec3::new(1.0, -0.5, 2.0 * speed);
                    let body = RigidBody { rotation: turn, angular_velocity: spin, ..body };
                    let mut body = elastic(body, x, speed, 1.0);
                    body.position += DVec3::new(0.0, 0.1 * x, 0.05 * x);
                    world.add(body).unwrap();
                };
                body("a", first, -2.5, 2.0);
                body("b", second, 2.5, -2.0);
                let before = world.energy();
                run(&mut world, 1.5, STEP);
                let after = world.energy();
                let what = format!("{name} {other} {response}");
                assert!((after.kinetic / before.kinetic - 1.0).abs() < 1e-9, "{what}");
                assert!((after.momentum - before.momentum).length() < 1e-11, "{what}");
                assert!((after.angular_momentum - before.angular_momentum).length() < 1e-8, "{what}");
                // They met.
                assert!(velocity(&world, "a") != DVec3::X * 2.0, "{what}");
                assert!(world.deepest() < 1e-5, "{what}: {}", world.deepest());
            }
        }
    }
}

#[test]
fn an_explosion_is_a_radial_impulse_that_falls_linearly() {
    for response in ALL_RESPONSES {
        let mut world = World::new(weightless(response)).unwrap();
        let mut near = ball("near", 0.5);
        (near.position, near.matter) = (DVec3::X * 1.0, MassSpec::Mass(2.0));
        let mut far = ball("far", 0.5);
        far.position = DVec3::Y * 6.0;
        world.add(near).unwrap();
        world.add(far).unwrap();
        let explosion =
            sudar::dynamics::Explosion { time: 0.505, position: DVec3::ZERO, impulse: 10.0, radius: 5.0 };
        world.schedule_explosion(explosion).unwrap();
        run(&mut world, 1.0, 0.01);
        // 10·(1 − 1/5)/2 = 4 m/s from 0.505 s on.
        assert!((velocity(&world, "near").x - 4.0).abs() < 1e-12, "{response}");
        assert!((place(&world, "near").x - (1.0 + 4.0 * 0.495)).abs() < 1e-9, "{response}");
        assert_eq!(velocity(&world, "far"), DVec3::ZERO, "{response}");
    }
}

#[test]
fn a_spring_gives_back_what_it_took_the_better_the_shorter_the_step() {
    let error = |step: f64| {
        let mut world = World::new(weightless("spring")).unwrap();
        world.add(elastic(ball("a", 0.5), 0.0, 1.0, 1.0)).unwrap();
        world.add(elastic(ball("b", 0.5), 1.2, 0.0, 1.0)).unwrap();
        run(&mut world, 1.0, step);
        assert!((world.energy().momentum - DVec3::X).length() < 1e-12);
        velocity(&world, "a").x.abs()
    };
    let [coarse, fine] = [1e-3, 1e-4].map(error);
    println!("{coarse:e} {fine:e}");
    // Half a swing of a spring: the velocities are exchanged, but for where in a sub-step the contact begins.
    assert!(coarse < 1e-2 && fine < 1e-4, "{coarse:e} {fine:e}");
}

#[test]
fn touches_begin_last_and_end_with_their_impulse() {
    use sudar::dynamics::TouchPhase;
    let mut world = World::new(weightless("impulse")).unwrap();
    world.add(elastic(ball("a", 0.5), 0.0, 1.0, 2.0)).unwrap();
    world.add(elastic(ball("b", 0.5), 1.05, 0.0, 2.0)).unwrap();
    let reports: Vec<_> = (0..10).map(|_| world.step(0.01).unwrap()).collect();
    let phases: Vec<(TouchPhase, f64)> =
        reports.iter().flat_map(|r| &r.touches).map(|t| (t.phase, t.impulse)).collect();
    assert_eq!(phases.len(), 2);
    // 2·m₁m₂/(m₁ + m₂)·v.
    assert!(phases[0].0 == TouchPhase::Began && (phases[0].1 - 2.0).abs() < 1e-12);
    assert_eq!(phases[1], (TouchPhase::Ended, 0.0));
}

#[test]
fn a_mesh_on_a_large_triangle_is_no_deeper_than_it_is_and_gains_nothing_from_springs() {
    let corners = [DVec3::new(-3.0, -3.0, 0.0), DVec3::new(6.0, -3.0, 0.0), DVec3::new(-3.0, 6.0, 0.0)];
    let mesh = || Mesh::from_aabb(Aabb { min: DVec3::splat(-0.4), max: DVec3::splat(0.4) });
    for response in ["solver", "spring", "impulse"] {
        let mut world = World::new(settings(response)).unwrap();
        let [a, b, c] = corners;
        world.add(RigidBody::fixed("floor", Triangle::new(a, b, c).unwrap())).unwrap();
        let body = RigidBody { position: DVec3::new(0.3, 0.2, 0.8), ..RigidBody::new("mesh", mesh()) };
        let body = world.add(body).unwrap();
        let before = world.energy().total();
        for _ in 0..120 {
            world.step(STEP).unwrap();
            let center = world.motion(body).unwrap().center;
            // As low as it is, but for its tilt.
            let sunk = (0.4 * 3.0_f64.sqrt() - center.z).max(0.0);
            assert!(world.deepest() <= sunk + 1e-6, "{response} {} at {center}", world.deepest());
            assert!(world.energy().total() <= before * (1.0 + 2e-2), "{response}");
        }
        let rests = response == "spring" || world.motion(body).unwrap().velocity.length() < 1e-3;
        assert!(rests, "{response}");
    }
}

/// A level terrain of `cells`² squares of a side around the origin, shifted so that no corner is at it.
fn terrain(cells: u32, side: f64) -> RigidBody {
    let corner = |i: u32| {
        let [x, y] = [i % (cells + 1), i / (cells + 1)].map(|k| f64::from(k) - 0.5 * f64::from(cells) + 0.3);
        DVec3::new(x * side, y * side, 0.0)
    };
    let square = |i: u32| {
        let a = i % cells + (cells + 1) * (i / cells);
        [[a, a + 1, a + cells + 2], [a, a + cells + 2, a + cells + 1]]
    };
    let corners = (0..(cells + 1) * (cells + 1)).map(corner).collect();
    // Some without area, as files have them: two corners that are one, and three in a line.
    let row = (cells + 1) * (cells / 2);
    let flat = (row..row + cells - 1).flat_map(|a| [[a, a + 1, a + 1], [a, a + 1, a + 2]]);
    let triangles = (0..cells * cells).flat_map(square).chain(flat).collect();
    RigidBody::fixed("terrain", Mesh::new(corners, triangles).unwrap())
}

#[test]
fn what_strikes_a_terrain_of_many_triangles_leaves_it_as_it_leaves_a_plane() {
    let points = [[0.5, 0.1, -0.2], [-0.3, 0.4, -0.2], [-0.2, -0.4, 0.1], [0.1, 0.0, 0.4]].map(DVec3::from);
    let shapes = [
        Body::new(Cuboid::new(DVec3::new(0.4, 0.3, 0.2)).unwrap()),
        Body::new(convex_hull(&points).unwrap()),
        Body::new(Capsule::new(0.2, 0.3).unwrap()),
        Body::new(Cylinder::new(0.2, 0.3).unwrap()),
    ];
    for response in ["impulse", "solver"] {
        for (number, shape) in (0..).zip(&shapes) {
            // Of squares as large as the body, and of many smaller ones.
            let floors = [floor(), terrain(40, 0.7), terrain(60, 0.25)];
            let mut comes_first = false;
            let after = floors.map(|floor| {
                let mut world = World::new(settings(response)).unwrap();
                let floor = RigidBody { restitution: 0.8, friction: 0.3, ..floor };
                comes_first = !comes_first;
                if comes_first {
                    world.add(floor.clone()).unwrap();
                }
                let body = RigidBody::new("body", shape.clone());
                world
                    .add(RigidBody {
                        position: DVec3::new(0.05, -0.1, 1.3),
                        rotation: sudar::DQuat::from_rotation_x(0.4 + f64::from(number)),
                        velocity: DVec3::new(0.7, -0.4, -3.0),
                        angular_velocity: DVec3::new(2.0, -3.0, 1.0),
                        restitution: 0.8,
                        friction: 0.3,
                        ..body
                    })
                    .unwrap();
                if !comes_first {
                    world.add(floor).unwrap();
                }
                run(&mut world, 0.45, STEP);
                world.motion(id(&world, "body")).unwrap()
            });
            for on_mesh in &after[1..] {
                let off = on_mesh.center.distance(after[0].center)
                    + on_mesh.velocity.distance(after[0].velocity)
                    + on_mesh.angular_velocity.distance(after[0].angular_velocity);
                assert!(off < 1e-4, "{response} {number}: {off}");
                assert!(on_mesh.velocity.z > -1.0);
            }
        }
    }
}
