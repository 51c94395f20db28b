//! Tests of worlds in which few bodies move.

use std::time::Instant;

use glam::DVec3;

use super::World;
use crate::broad::{Filter, Handle};
use crate::dynamics::stage::Movers;
use crate::dynamics::{BodyState, BodyType, Joint, RigidBody, Settings, Softness};
use crate::hull::convex_hull;
use crate::query::Body;
use crate::shape::{Capsule, Cuboid, Cylinder, Halfspace, Mesh, Ray, Shape, Sphere};

const STEP: f64 = 1.0 / 60.0;

/// The shapes of the bodies, in turn.
fn shapes() -> Vec<Body> {
    let half = DVec3::new(0.3, 0.25, 0.2);
    let box_of_triangles = Mesh::from_aabb(crate::shape::Aabb { min: -half, max: half });
    let corners: Vec<DVec3> = (0..12)
        .map(|k| {
            let (a, z) = (f64::from(k % 6) * 1.05, f64::from(k / 6) - 0.5);
            DVec3::new(0.3 * a.cos(), 0.3 * a.sin(), 0.4 * z)
        })
        .collect();
    vec![
        Body::new(Cuboid::new(half).unwrap()),
        Body::new(Sphere::new(DVec3::ZERO, 0.25).unwrap()),
        Body::new(Cylinder::new(0.25, 0.2).unwrap()),
        Body::new(Shape::Hull(convex_hull(&corners).unwrap().into())),
        Body::new(box_of_triangles),
        Body::new(Capsule::new(0.15, 0.2).unwrap()),
    ]
}

/// Short piles on a floor, each of two or three bodies.
fn yard(side: u32) -> World {
    let mut world = World::new(Settings::default()).unwrap();
    world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap())).unwrap();
    let shapes = shapes();
    for k in 0..side * side {
        let place = DVec3::new(f64::from(k % side), f64::from(k / side), 0.0) * 1.6;
        for level in 0..2 + k % 2 {
            let shape = &shapes[(k + level) as usize % shapes.len()];
            let body = RigidBody::new(format!("{k}.{level}"), shape.clone());
            let position = place + DVec3::Z * (0.25 + 0.55 * f64::from(level));
            // Balls roll on and on without.
            world
                .add(RigidBody { position, friction: 0.6, angular_drag: 3.0, linear_drag: 0.5, ..body })
                .unwrap();
        }
    }
    world
}

/// The same, with every third pile tied together, some of them to the world.
fn tied_yard(side: u32) -> World {
    let mut world = yard(side);
    for k in (0..side * side).step_by(3) {
        let [lower, upper] = ["0", "1"].map(|level| handle(&world, &format!("{k}.{level}")));
        let place = world.motion(upper).unwrap().center - DVec3::Z * 0.27;
        let joint = match k % 4 {
            0 => Joint::ball(lower, upper, place),
            1 => Joint::hinge(lower, upper, place, DVec3::X).limits(-0.2, 0.2).friction(1.0),
            2 => Joint::spring(
                lower,
                upper,
                [place; 2],
                0.05,
                Softness::Stiffness { stiffness: 4e4, damping: 1e3 },
            ),
            _ => Joint::rope(None, upper, [place + DVec3::Z * 2.0, place], 2.3),
        };
        world.join(joint).unwrap();
    }
    world
}

/// The bits of everything that a step changes.
fn state(world: &World) -> Vec<u64> {
    let bits = |m: &BodyState| {
        let (c, q, v, w) = (m.center, m.rotation, m.velocity, m.angular_velocity);
        [c.x, c.y, c.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z].map(f64::to_bits)
    };
    let of_body = |r: &crate::dynamics::matter::Rigid| {
        let mut all = bits(&r.motion).to_vec();
        all.extend([r.slow_for.to_bits(), u64::from(r.asleep)]);
        all
    };
    world.rigids.iter().flat_map(of_body).collect()
}

fn handle(world: &World, name: &str) -> Handle {
    world.bodies().find(|(_, body)| body.name == name).unwrap().0
}

/// What is done to a yard at some steps.
fn disturb(world: &mut World, k: u32) {
    let ball = |name: &str, position, velocity| {
        let shape = Sphere::new(DVec3::ZERO, 0.2).unwrap();
        RigidBody { position, velocity, restitution: 0.4, ..RigidBody::new(name, shape) }
    };
    match k {
        // On top of a pile, and through many.
        5 => {
            world.add(ball("dropped", DVec3::new(3.25, 3.15, 4.0), DVec3::ZERO)).unwrap();
        }
        40 => {
            world.add(ball("shot", DVec3::new(-3.0, 4.9, 0.4), DVec3::new(90.0, -3.0, 2.0))).unwrap();
        }
        80 => world.remove(handle(world, "7.0")).unwrap(),
        100 => {
            let id = handle(world, "20.0");
            let motion = world.motion(id).unwrap();
            world.set_motion(id, BodyState { center: motion.center + DVec3::X * 0.3, ..motion }).unwrap();
        }
        120 => {
            let plank = RigidBody::new("plank", Cuboid::new(DVec3::new(0.1, 2.0, 0.4)).unwrap());
            let plank = RigidBody {
                kind: BodyType::Kinematic,
                position: DVec3::new(-2.0, 8.0, 0.6),
                velocity: DVec3::X * 1.5,
                ..plank
            };
            world.add(plank).unwrap();
        }
        180 => {
            let id = handle(world, "plank");
            let motion = world.motion(id).unwrap();
            world.set_motion(id, BodyState { velocity: DVec3::ZERO, ..motion }).unwrap();
        }
        200 => world.add_force(handle(world, "dropped"), DVec3::new(9e4, 0.0, 9e4), DVec3::ZERO).unwrap(),
        _ => {}
    }
}

#[test]
fn a_step_of_few_bodies_has_the_bits_of_a_step_of_all() {
    few_as_all(yard(10));
}

#[test]
fn a_step_of_few_bodies_has_the_bits_of_a_step_of_all_with_joints() {
    few_as_all(tied_yard(10));
}

fn few_as_all(mut world: World) {
    let mut others = world.clone();
    let mut few = 0;
    for k in 0..700_u32 {
        if k >= 360 {
            disturb(&mut world, k - 360);
            disturb(&mut others, k - 360);
        }
        few += u32::from(world.movers.known().is_some());
        others.movers = Movers::default();
        let (report, expected) = (world.step(STEP).unwrap(), others.step(STEP).unwrap());
        assert_eq!(report, expected, "in step {k}");
        assert!(state(&world) == state(&others), "in step {k}");
        assert_eq!(world.snapshot(), others.snapshot(), "in step {k}");
        for (id, body) in world.bodies().filter(|(_, body)| body.kind == BodyType::Dynamic) {
            let pose = world.pose(id).unwrap();
            if k % 8 == 0 || world.rigids[id.index as usize].moves() && k % 2 == 0 {
                assert!(world.touching(body.body.at(&pose), Filter::ALL).contains(&id), "in step {k}");
            }
        }
    }
    let awake = world.rigids.iter().filter(|r| r.moves()).count();
    assert!(few > 200, "{few} {awake}");
}

/// What bounces leaves the box that it had to itself, and met nobody there: that took a step of all.
#[test]
fn balls_that_bounce_among_sleepers_have_the_bits_of_a_step_of_all() {
    let mut world = sleepers(12);
    let mut random = sudar_testing::Random::new(3);
    for i in 0..30_u32 {
        let place = DVec3::new(f64::from(i % 6) * 4.0 + 1.0, f64::from(i / 6) * 4.0 + 1.0, 0.6);
        let velocity =
            DVec3::new(random.within(-0.4, 0.4), random.within(-0.4, 0.4), random.within(0.0, 9.0));
        let ball = RigidBody::new(format!("ball {i}"), Sphere::new(DVec3::ZERO, 0.3).unwrap());
        let (restitution, friction) = (1.0, 0.0);
        world.add(RigidBody { position: place, velocity, restitution, friction, ..ball }).unwrap();
    }
    let mut others = world.clone();
    for k in 0..300 {
        others.movers = Movers::default();
        assert_eq!(world.step(STEP).unwrap(), others.step(STEP).unwrap(), "in step {k}");
        assert!(state(&world) == state(&others), "in step {k}");
    }
}

/// Boxes that sleep on the floor.
fn sleepers(side: u32) -> World {
    let mut world = World::new(Settings::default()).unwrap();
    world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0).unwrap())).unwrap();
    let cube = Body::new(Cuboid::new(DVec3::splat(0.5)).unwrap());
    for i in 0..side * side {
        let position = DVec3::new(f64::from(i % side) * 2.0, f64::from(i / side) * 2.0, 0.5);
        world.add(RigidBody { position, ..RigidBody::new(format!("box {i}"), cube.clone()) }).unwrap();
    }
    while world.rigids.iter().any(|rigid| rigid.is_dynamic() && !rigid.asleep) {
        world.step(STEP).unwrap();
    }
    world
}

/// The least of some times, in seconds.
fn least(times: usize, mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..times).map(time).fold(f64::INFINITY, f64::min)
}

/// 10 000 bodies asleep cost 4.6 to 8.8 ms a step, and a ray after each step 11.6 ms. Compared with steps of the same
/// world that look at all bodies, since this runs unoptimised and beside other tests.
#[test]
fn what_sleeps_costs_nothing() {
    let mut world = sleepers(100);
    let none = least(50, || assert_eq!(world.step(STEP).unwrap().resting, 10_000));
    let ball = RigidBody::new("ball", Sphere::new(DVec3::ZERO, 0.2).unwrap());
    let (position, velocity) = (DVec3::new(1.0, 1.0, 0.2), DVec3::Y);
    world.add(RigidBody { position, velocity, ..ball }).unwrap();
    let down = Ray::new(DVec3::new(100.1, 100.1, 9.0), -DVec3::Z).unwrap();
    let one = least(50, || drop(world.step(STEP).unwrap()));
    let ray = least(50, || assert!(world.ray(&down, 99.0, Filter::ALL).is_some()));
    let all = least(5, || {
        world.movers = Movers::default();
        world.step(STEP).unwrap();
    });
    let shown = [none, one, ray, all].map(|seconds| seconds * 1e6);
    println!(
        "none moves {:.1} us, one {:.1} us, a ray {:.2} us, looking at all {:.0} us",
        shown[0], shown[1], shown[2], shown[3]
    );
    assert!(50.0 * none < all && 20.0 * one < all && 200.0 * ray < all, "{shown:?}");
}
