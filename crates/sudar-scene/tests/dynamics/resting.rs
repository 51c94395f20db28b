//! Friction, stacks, heaps.

use super::*;
use sudar::dynamics::{BodyType, MassSpec};

#[test]
fn a_block_slides_above_its_angle_of_friction_and_not_below() {
    let friction: f64 = 0.5;
    let angle = friction.atan().to_degrees();
    for (off, slides) in [(-0.5, false), (0.5, true)] {
        for response in ["solver", "impulse"] {
            let mut scene = sudar_scene::incline(angle + off, friction).unwrap();
            scene.settings.response = law(response);
            let mut world = scene.world().unwrap();
            run(&mut world, 3.0, STEP);
            let moved = (place(&world, "block") - scene.bodies[1].position).length();
            // Above: a = g (sin − μ cos), about 0.077 m/s²; 0.34 m in 3 s.
            let tilt = (angle + off).to_radians();
            let expected = 0.5 * 9.81 * (tilt.sin() - friction * tilt.cos()).max(0.0) * 9.0;
            let ok = if slides { (moved - expected).abs() < 0.05 * expected } else { moved < 1e-3 };
            assert!(ok, "{response} {off}: {moved} {expected}");
        }
    }
}

#[test]
fn a_ball_that_slides_ends_up_rolling() {
    for response in ["solver", "impulse"] {
        let mut world = World::new(settings(response)).unwrap();
        world.add(floor()).unwrap();
        let mut ball = ball("ball", 0.5);
        (ball.position, ball.velocity, ball.friction) = (DVec3::Z * 0.5, DVec3::X * 2.0, 0.5);
        world.add(ball).unwrap();
        run(&mut world, 1.0, STEP);
        // Angular momentum about the line of contact: v = 5/7 v₀, whatever the friction.
        let motion = world.motion(id(&world, "ball")).unwrap();
        assert!((motion.velocity.x - 10.0 / 7.0).abs() < 0.01, "{response} {}", motion.velocity);
        assert!((motion.angular_velocity.y - motion.velocity.x / 0.5).abs() < 0.02, "{response}");
    }
}

/// Torque lever·N against rolling: a ball slows down by 5/7 g·lever/r, and stands on a slope of less than lever/r. So
/// does a ball on a moving floor, in its frame.
#[test]
fn a_ball_with_rolling_friction_slows_down_by_its_closed_form() {
    let (r, lever, speed) = (0.5, 0.02, 2.0);
    let slowing = 5.0 / 7.0 * 9.81 * lever / r;
    for response in ["solver", "impulse"] {
        for drift in [0.0, 0.7] {
            let mut world = World::new(settings(response)).unwrap();
            let ground = cuboid("ground", [50.0, 50.0, 0.5]);
            let (position, velocity) = (DVec3::Z * -0.5, DVec3::Y * drift);
            let kind = BodyType::Kinematic;
            world.add(RigidBody { position, velocity, kind, friction: 0.9, ..ground }).unwrap();
            let body = RigidBody { rolling_friction: lever, friction: 0.9, ..ball("ball", r) };
            let (position, velocity) = (DVec3::Z * r, DVec3::new(speed, drift, 0.0));
            let angular_velocity = DVec3::Y * (speed / r);
            let body = world.add(RigidBody { position, velocity, angular_velocity, ..body }).unwrap();
            run(&mut world, 3.0, STEP);
            let motion = world.motion(body).unwrap();
            let expected = DVec3::new(speed - 3.0 * slowing, drift, 0.0);
            assert!(
                (motion.velocity - expected).length() < 0.01,
                "{response} {} {expected}",
                motion.velocity
            );
            run(&mut world, speed / slowing - 3.0 + 0.2, STEP);
            let end = world.motion(body).unwrap();
            assert!((end.velocity - DVec3::Y * drift).length() < 1e-3, "{response} {}", end.velocity);
            let way = speed * speed / (2.0 * slowing);
            assert!((end.center.x - way).abs() < 0.01 * way, "{response} {} {way}", end.center.x);
        }
        // Slopes on either side of lever/r.
        for (slope, stands) in [(0.9, true), (1.1, false)] {
            let tilt = (slope * lever / r).atan();
            let gravity = DVec3::new(tilt.sin(), 0.0, -tilt.cos()) * 9.81;
            let mut world = World::new(Settings { gravity, ..settings(response) }).unwrap();
            world.add(floor()).unwrap();
            let body = RigidBody { rolling_friction: lever, position: DVec3::Z * r, ..ball("ball", r) };
            let body = world.add(body).unwrap();
            run(&mut world, 3.0, STEP);
            let speed = world.motion(body).unwrap().velocity.length();
            assert!((speed < 1e-3) == stands, "{response} {slope} {speed}");
        }
    }
}

#[test]
fn a_stack_of_twenty_boxes_stands() {
    let scene = sudar_scene::stack(20).unwrap();
    let mut world = scene.world().unwrap();
    run(&mut world, setting("SUDAR_DYNAMICS", 5.0_f64).min(60.0), STEP);
    for (i, body) in scene.bodies.iter().enumerate().skip(1) {
        let at = place(&world, &body.name);
        let aside = DVec3::new(at.x, at.y, 0.0).length();
        println!("{} {aside:.1e} {:.1e}", body.name, at.z - body.position.z);
        assert!(aside < 1e-3, "{} {aside}", body.name);
        assert!((at.z - body.position.z).abs() < 0.05, "{i} {}", at.z - body.position.z);
    }
    assert!(world.is_asleep(id(&world, "box 20")).unwrap());
}

#[test]
fn heavy_bodies_stand_on_light_ones() {
    for (light, heavy, time) in [(1.0, 100.0, setting("SUDAR_DYNAMICS", 10.0_f64).min(60.0)), (1.0, 1e4, 5.0)]
    {
        let mut world = World::new(settings("solver")).unwrap();
        world.add(floor()).unwrap();
        for (name, mass, z) in [("light", light, 0.5), ("heavy", heavy, 1.5)] {
            let mut body = cuboid(name, [0.5; 3]);
            (body.position, body.matter) = (DVec3::Z * z, MassSpec::Mass(mass));
            world.add(body).unwrap();
        }
        run(&mut world, time, STEP);
        let [low, high] = ["light", "heavy"].map(|name| place(&world, name));
        println!("{heavy}: {low} {high}");
        assert!((low - DVec3::Z * 0.5).length() < 0.05, "{heavy}: {low}");
        assert!((high - DVec3::Z * 1.5).length() < 0.1, "{heavy}: {high}");
    }
}

#[test]
fn dominoes_fall_at_a_speed_that_halving_the_step_does_not_change() {
    let speed = |step: f64| {
        let mut scene = sudar_scene::dominoes(16).unwrap();
        scene.step = step;
        let mut world = scene.world().unwrap();
        let upright =
            |world: &World, name: &str| (world.motion(id(world, name)).unwrap().rotation * DVec3::Z).z;
        let (mut times, mut last) = ([0.0; 2], [1.0; 2]);
        for k in 0..(12.0 / step) as u32 {
            world.step(step).unwrap();
            for ((time, before_of), name) in times.iter_mut().zip(&mut last).zip(["domino 5", "domino 15"]) {
                let before = *before_of;
                let upright = upright(&world, name);
                if *time == 0.0 && upright < 0.95 {
                    // Between the steps, by the chord.
                    *time = (f64::from(k) + (before - 0.95) / (before - upright)) * step;
                }
                *before_of = upright;
            }
        }
        assert!(times[1] > times[0] && times[0] > 0.0, "{times:?}");
        10.0 * 0.5 / (times[1] - times[0])
    };
    let [coarse, fine] = [1.0 / 120.0, 1.0 / 240.0].map(speed);
    println!("{coarse} {fine}");
    assert!((coarse / fine - 1.0).abs() < 0.02, "{coarse} {fine}");
}

#[test]
fn adhesion_holds_a_ball_to_the_ceiling() {
    for (adhesion, holds) in [(30.0, true), (5.0, false)] {
        let mut world = World::new(settings("solver")).unwrap();
        world.add(RigidBody::fixed("ceiling", Halfspace::new(-DVec3::Z, 0.0).unwrap())).unwrap();
        let mut ball = ball("ball", 0.5);
        // Its weight is 9.81 N.
        (ball.position, ball.matter, ball.adhesion) = (DVec3::Z * -0.5, MassSpec::Mass(1.0), adhesion);
        world.add(ball).unwrap();
        run(&mut world, 2.0, STEP);
        assert_eq!(place(&world, "ball").z > -0.51, holds, "{adhesion}");
    }
}

#[test]
fn a_body_comes_to_rest_without_friction_or_bounce_whatever_the_response() {
    for response in ["impulse", "simultaneous", "solver"] {
        for (name, shape) in solids() {
            let mut world = World::new(settings(response)).unwrap();
            world.add(floor()).unwrap();
            let mut body = RigidBody::new("body", shape);
            (body.position, body.angular_velocity) = (DVec3::Z * 2.5, DVec3::new(0.3, 0.2, 0.1));
            world.add(body).unwrap();
            let before = world.energy().total();
            for _ in 0..90 {
                world.step(STEP).unwrap();
                let total = world.energy().total();
                assert!(total <= before * (1.0 + 1e-3), "{name} {response} {total} {before}");
            }
            assert!(world.deepest() < 0.02, "{name} {response} {}", world.deepest());
            let kinetic = world.energy().kinetic;
            assert!(kinetic < 0.2 * before, "{name} {response} {kinetic} {before}");
        }
    }
}

#[test]
fn a_removed_support_wakes_what_stood_on_it() {
    let mut world = World::new(settings("solver")).unwrap();
    world.add(floor()).unwrap();
    let table = world.add(RigidBody { position: DVec3::Z * 0.5, ..cuboid("table", [0.5; 3]) }).unwrap();
    let cup = world.add(RigidBody { position: DVec3::Z * 1.25, ..cuboid("cup", [0.25; 3]) }).unwrap();
    run(&mut world, 2.0, STEP);
    assert!(world.is_asleep(cup).unwrap());
    world.remove(table).unwrap();
    assert!(world.motion(table).is_err());
    run(&mut world, 1.0, STEP);
    assert!((world.motion(cup).unwrap().center.z - 0.25).abs() < 0.01);
    let again = world.add(RigidBody { position: DVec3::Z * 5.0, ..cuboid("table", [0.5; 3]) }).unwrap();
    assert!(again.index() == table.index() && again != table);
}

#[test]
fn bodies_slide_along_each_other_at_next_to_no_distance() {
    // A plate that slides past a mesh of 128 triangles 2e-7 beside it: distances alone would take it there in
    // steps of 1e-7, and a plane between them takes it there in one.
    let (_, ring) = solids()[8].clone();
    for response in ["impulse", "simultaneous"] {
        let mut world = World::new(weightless(response)).unwrap();
        let still = RigidBody::new("still", ring.clone());
        let top = sudar::query::Body::new(ring.clone()).aabb(&sudar::Pose::IDENTITY).max.z;
        let still = world.add(still).unwrap();
        let plate = RigidBody {
            position: DVec3::new(-0.1, 0.0, top + 0.1 + 2e-7),
            velocity: DVec3::X,
            ..cuboid("plate", [2.0, 2.0, 0.1])
        };
        let plate = world.add(plate).unwrap();
        for _ in 0..20 {
            world.step(STEP).unwrap();
        }
        let (still, plate) = (world.motion(still).unwrap(), world.motion(plate).unwrap());
        assert!(still.velocity.length() < 1e-9 && (plate.velocity - DVec3::X).length() < 1e-9, "{response}");
        assert!((plate.center.x - (20.0 * STEP - 0.1)).abs() < 1e-9, "{response}");
    }
}

#[test]
fn contacts_that_last_are_at_rest_and_cost_a_bounded_number_of_impacts() {
    // What used to take impacts without end: a rod and a round mesh on a box, and a mesh that a kinematic box pushes.
    for response in ["impulse", "simultaneous"] {
        for (name, shape) in
            [("rod", Shape::from(Cuboid::new(DVec3::new(1.0, 0.02, 0.02)).unwrap())), solids()[8].clone()]
        {
            let mut world = World::new(settings(response)).unwrap();
            world
                .add(RigidBody {
                    kind: BodyType::Static,
                    position: DVec3::Z * -0.5,
                    ..cuboid("floor", [5.0, 5.0, 0.5])
                })
                .unwrap();
            let body = RigidBody { position: DVec3::new(0.05, 0.1, 1.3), ..RigidBody::new("body", shape) };
            let body = world.add(body).unwrap();
            run(&mut world, 4.0, STEP);
            let speed = world.motion(body).unwrap().velocity.length();
            assert!(world.fallback_steps() > 100, "{name} {response}");
            assert!(world.deepest() < 1e-3, "{name} {response} {}", world.deepest());
            assert!(!world.is_asleep(body).unwrap());
            // Without friction it may still slide.
            assert!(response == "simultaneous" || speed < 1e-3, "{name} {speed}");
        }
        let mut world = World::new(settings(response)).unwrap();
        world
            .add(RigidBody {
                kind: BodyType::Static,
                position: DVec3::Z * -0.5,
                ..cuboid("floor", [9.0, 9.0, 0.5])
            })
            .unwrap();
        let half = DVec3::splat(0.4);
        let mesh = Mesh::from_aabb(Aabb { min: -half, max: half });
        let pushed = world
            .add(RigidBody { position: DVec3::new(1.0, 0.0, 0.401), ..RigidBody::new("mesh", mesh) })
            .unwrap();
        let mut plough = cuboid("plough", [0.3; 3]);
        (plough.kind, plough.position, plough.velocity) =
            (BodyType::Kinematic, DVec3::new(0.0, 0.05, 0.35), DVec3::X * 0.7);
        world.add(plough).unwrap();
        run(&mut world, 4.0, STEP);
        // The plough went 2.8 m, and its face is 0.3 in front of its centre.
        assert!((world.motion(pushed).unwrap().center.x - 3.5).abs() < 0.01, "{response}");
        assert_eq!(world.dropped_seconds(), 0.0);
    }
}

#[test]
fn a_cube_let_fall_flat_bounces_upright() {
    let mut world = World::new(settings("impulse")).unwrap();
    world.add(floor()).unwrap();
    let mut cube = cuboid("cube", [0.5; 3]);
    (cube.position, cube.restitution) = (DVec3::new(0.3, -0.2, 1.5), 0.5);
    let cube = world.add(cube).unwrap();
    run(&mut world, 4.0, STEP);
    let motion = world.motion(cube).unwrap();
    assert!((motion.center - DVec3::new(0.3, -0.2, 0.5)).length() < 1e-3, "{}", motion.center);
    assert!(motion.rotation.w.abs() > 1.0 - 1e-6);
}

#[test]
fn a_very_heavy_body_stands_on_a_light_one() {
    for response in ["solver", "impulse"] {
        let mut world = World::new(settings(response)).unwrap();
        world.add(floor()).unwrap();
        for (name, z, mass) in [("light", 0.5, 1.0), ("heavy", 1.5, 1e6)] {
            let body =
                RigidBody { position: DVec3::Z * z, matter: MassSpec::Mass(mass), ..cuboid(name, [0.5; 3]) };
            world.add(body).unwrap();
        }
        let mut deepest: f64 = 0.0;
        for _ in 0..120 {
            world.step(STEP).unwrap();
            deepest = deepest.max(world.deepest());
        }
        assert!(deepest < 5e-3, "{response} {deepest}");
        assert!((place(&world, "heavy").z - 1.5).abs() < 1e-3);
    }
}

#[test]
fn depths_count_bodies_asleep() {
    // Soft contacts let a box sag into the floor, where it stays when it falls asleep.
    let mut world = World::new(settings("solver")).unwrap();
    world.add(floor()).unwrap();
    let under = world.add(RigidBody { position: DVec3::Z * 0.5, ..cuboid("under", [0.5; 3]) }).unwrap();
    run(&mut world, 2.0, STEP);
    assert!(world.is_asleep(under).unwrap());
    let sag = world.deepest();
    assert!(sag > 1e-6 && sag < 1e-3, "{sag}");
}

#[test]
fn a_mesh_that_lies_on_two_corners_comes_to_rest() {
    // It had one contact, at the lower corner, and rocked from one to the other for ever.
    for (response, tilt) in [("impulse", 1e-4), ("solver", 1e-4), ("impulse", -1e-3), ("solver", 1e-3)] {
        let (_, fighter) = solids()[8].clone();
        let mut world = World::new(settings(response)).unwrap();
        let ground = RigidBody { kind: BodyType::Static, ..cuboid("ground", [5.0, 5.0, 0.5]) };
        world.add(RigidBody { position: DVec3::Z * -0.5, ..ground }).unwrap();
        let rotation = sudar::DQuat::from_xyzw(tilt, tilt, 0.0, 1.0).normalize();
        let position = DVec3::new(0.05, 0.1, 1.3);
        let body = world.add(RigidBody { position, rotation, ..RigidBody::new("fighter", fighter) }).unwrap();
        run(&mut world, 5.0, STEP);
        let before = world.motion(body).unwrap();
        run(&mut world, 1.0, STEP);
        let after = world.motion(body).unwrap();
        assert!(after.velocity.length() < 1e-3, "{response} {tilt}: {}", after.velocity);
        assert!(before.center.distance(after.center) < 1e-4, "{response} {tilt}");
    }
}
