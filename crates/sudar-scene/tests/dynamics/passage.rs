//! Nothing passes through anything.

use std::collections::BTreeMap;

use super::*;
use sudar::dynamics::BodyType;

const ALL: [&str; 5] = ["reflection", "mtv", "impulse", "simultaneous", "solver"];

#[test]
fn a_bullet_does_not_pass_a_plate_of_a_millimetre() {
    for response in ALL {
        let mut world = World::new(weightless(response)).unwrap();
        let mut plate = cuboid("plate", [0.0005, 1.0, 1.0]);
        (plate.kind, plate.restitution) = (BodyType::Static, 1.0);
        world.add(plate).unwrap();
        let mut bullet = ball("bullet", 0.005);
        (bullet.position, bullet.velocity) = (DVec3::new(-3.0, 0.2, 0.1), DVec3::new(1000.0, 1.0, 0.0));
        world.add(bullet).unwrap();
        for _ in 0..20 {
            world.step(STEP).unwrap();
            assert!(place(&world, "bullet").x < 0.0, "{response} {}", place(&world, "bullet"));
        }
    }
}

#[test]
fn a_spinning_blade_does_not_pass_a_post() {
    for response in ["impulse", "simultaneous", "solver"] {
        let mut world = World::new(weightless(response)).unwrap();
        let mut blade = cuboid("blade", [1.0, 0.01, 0.05]);
        // Five turns a second times sixty.
        blade.angular_velocity = DVec3::Z * 300.0;
        world.add(blade).unwrap();
        let mut post = cuboid("post", [0.02, 0.02, 1.0]);
        (post.kind, post.position) = (BodyType::Static, DVec3::new(0.0, 0.8, 0.0));
        world.add(post).unwrap();
        let before = world.energy().kinetic;
        let stopped: f64 = (0..12).map(|_| world.step(STEP).unwrap().stopped).sum();
        // The blade is advanced to the post, whose normal force turns it.
        assert_eq!(stopped, 0.0, "{response}");
        assert_eq!(world.dropped_seconds(), 0.0, "{response}");
        // Whoever does not see the post spins where it is for ever; and the post, which does not move, gives no energy.
        assert!(velocity(&world, "blade").length() > 1.0, "{response}");
        assert!(world.energy().kinetic <= before * (1.0 + 1e-9), "{response}");
        assert!(world.deepest() < 5e-3, "{response} {}", world.deepest());
    }
}

#[test]
fn fast_bodies_stay_in_their_room() {
    for response in ALL {
        let mut scene = sudar_scene::box_objects().unwrap();
        scene.settings.response = law(response);
        for body in &mut scene.bodies {
            body.velocity *= 100.0;
            body.angular_velocity *= 20.0;
        }
        let mut world = scene.world().unwrap();
        for _ in 0..12 {
            world.step(STEP).unwrap();
            assert_eq!(world.out_of_bounds().count(), 0, "{response}");
        }
        println!("{response}: deepest {}, dropped {}", world.deepest(), world.dropped_seconds());
    }
}

#[test]
fn a_bullet_between_plates_goes_from_impact_to_impact_up_to_a_number_of_them() {
    for (most_events, falls_back) in [(256, 0), (1, 1)] {
        let mut world = World::new(Settings { most_events, ..weightless("impulse") }).unwrap();
        // A ball between two plates, which it strikes about ten times a step.
        for x in [-0.02, 0.02] {
            let mut plate = cuboid(&format!("plate {x}"), [0.005, 1.0, 1.0]);
            (plate.kind, plate.restitution, plate.position.x) = (BodyType::Static, 1.0, x);
            world.add(plate).unwrap();
        }
        let mut bullet = ball("bullet", 0.005);
        (bullet.velocity, bullet.friction) = (DVec3::X * 12.0, 0.0);
        world.add(bullet).unwrap();
        world.step(STEP).unwrap();
        assert_eq!(world.fallback_steps(), falls_back);
        assert_eq!(world.dropped_seconds(), 0.0);
        assert!(place(&world, "bullet").x.abs() < 0.0101);
    }
}

#[test]
fn nothing_leaves_a_room_however_fast_it_is() {
    for (response, speed) in [("spring", 107.0), ("impulse", 5360.0), ("simultaneous", 5360.0)] {
        for shape in [Shape::from(Sphere::new(DVec3::ZERO, 0.3).unwrap()), solids()[1].1.clone()] {
            let mut world = World::new(Settings { bounds: room(2.0), ..weightless(response) }).unwrap();
            let mut body = RigidBody::new("body", shape);
            (body.velocity, body.restitution) = (DVec3::new(0.8, 0.5, 0.33) * speed, 0.7);
            body.angular_velocity = DVec3::new(3.0, -20.0, 5.0);
            let body = world.add(body).unwrap();
            for _ in 0..60 {
                world.step(STEP).unwrap();
                let center = world.motion(body).unwrap().center;
                assert!(center.abs().max_element() <= 2.0, "{response} {center}");
                assert_eq!(world.out_of_bounds().count(), 0);
            }
        }
    }
}

/// A cage of six plates two decimetres thick, six metres wide inside.
fn cage(response: &str) -> World {
    let mut world = World::new(weightless(response)).unwrap();
    for side in DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]) {
        let half = DVec3::splat(3.2) - side.abs() * 3.1;
        let mut plate = cuboid(&format!("plate {side}"), half.to_array());
        (plate.kind, plate.position) = (BodyType::Static, side * 3.1);
        world.add(plate).unwrap();
    }
    world
}

/// Bodies that touch with a tip turn about it within a step, and the rest of them comes against the plate.
#[test]
fn what_turns_about_its_contact_does_not_pass_a_plate() {
    let shapes: [Shape; 4] = [
        sudar_scene::fighter().unwrap(),
        sudar_scene::fighter_parts().unwrap().into(),
        Cuboid::new(DVec3::new(2.0, 0.1, 0.1)).unwrap().into(),
        solids()[7].1.clone(),
    ];
    for (number, shape) in shapes.into_iter().enumerate() {
        // A thin bar that impulses make spin a thousand times in a step takes minutes.
        let responses = if number == 2 { &["solver"][..] } else { &["solver", "impulse"] };
        for &response in responses {
            let mut world = cage(response);
            let mut body = RigidBody::new("body", shape.clone());
            (body.restitution, body.friction) = (0.4, 0.2);
            let body = world.add(body).unwrap();
            for step in 0..240 {
                let mut motion = world.motion(body).unwrap();
                if step % 30 == 0 {
                    let k = f64::from(step) / 30.0;
                    let way = DVec3::new((2.0 * k).sin(), (3.0 * k + 1.0).cos(), (5.0 * k).sin());
                    motion.velocity = way.normalize() * if k < 4.0 { 60.0 } else { 1000.0 };
                    motion.angular_velocity = way * 5.0;
                    world.set_motion(body, motion).unwrap();
                }
                // Pressed on, as by engines.
                let mass = 1000.0;
                world.add_force(body, motion.rotation * DVec3::X * (100.0 * mass), DVec3::ZERO).unwrap();
                world.step(STEP).unwrap();
                let center = world.motion(body).unwrap().center;
                assert!(center.abs().max_element() <= 3.0, "{number} {response} {step}: {center}");
            }
        }
    }
}

/// On an open mesh, which has no thickness, and on a plate: what slides or rolls fast is stopped nowhere.
#[test]
fn what_goes_fast_along_a_surface_is_not_stopped() {
    let corner = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let corners = vec![corner(-9.0, -9.0), corner(90.0, -9.0), corner(90.0, 9.0), corner(-9.0, 9.0)];
    let open = Mesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let plate = RigidBody { position: DVec3::Z * -0.1, ..cuboid("plate", [90.0, 9.0, 0.1]) };
    for floor in [RigidBody::fixed("floor", open), RigidBody { kind: BodyType::Static, ..plate }] {
        for (shape, height) in [
            (Shape::from(Sphere::new(DVec3::ZERO, 0.2).unwrap()), 0.2),
            (Cuboid::new(DVec3::new(0.5, 0.5, 0.1)).unwrap().into(), 0.1),
            (sudar_scene::fighter().unwrap(), 0.245),
            (sudar_scene::fighter_parts().unwrap().into(), 0.245),
        ] {
            let mut world = World::new(Settings::default()).unwrap();
            world.add(RigidBody { friction: 0.0, ..floor.clone() }).unwrap();
            let body = RigidBody::new("body", shape);
            let body =
                RigidBody { position: DVec3::Z * height, velocity: DVec3::X * 30.0, friction: 0.0, ..body };
            let body = world.add(body).unwrap();
            let start = world.motion(body).unwrap().center.x;
            let mut stopped: f64 = 0.0;
            for _ in 0..90 {
                stopped += world.step(STEP).unwrap().stopped;
            }
            let way = world.motion(body).unwrap().center.x - start;
            assert!((way - 45.0).abs() < 1.0 && stopped < 0.05, "{height} {way} {stopped}");
        }
    }
}

#[test]
fn what_is_struck_does_not_pass_a_plate_that_was_not_near() {
    for response in ["solver", "impulse", "simultaneous"] {
        let mut world = cage(response);
        let mut crate_ = cuboid("crate", [0.3, 0.3, 0.3]);
        crate_.position = DVec3::new(0.5, 0.1, 0.0);
        let crate_ = world.add(crate_).unwrap();
        let mut ball = ball("ball", 0.5);
        (ball.position, ball.velocity) = (DVec3::X * -1.5, DVec3::X * 1500.0);
        world.add(ball).unwrap();
        let mut fastest: f64 = 0.0;
        for step in 0..30 {
            world.step(STEP).unwrap();
            fastest = fastest.max(world.motion(crate_).unwrap().velocity.length());
            for (id, body) in world.bodies().filter(|(_, body)| body.kind == BodyType::Dynamic) {
                let center = world.motion(id).unwrap().center;
                assert!(center.abs().max_element() <= 3.0, "{response} {step}: {} {center}", body.name);
            }
        }
        assert!(fastest > 100.0, "{response} {fastest}");
    }
}

/// 1000 random fast bodies for 10 minutes: `SUDAR_ROOM_BODIES=1000 SUDAR_DYNAMICS=600 SUDAR_RESPONSE=solver` and
/// `cargo test --release -p sudar-scene --test dynamics a_crowd_stays -- --nocapture`.
#[test]
fn a_crowd_stays_in_its_room() {
    let count = std::env::var("SUDAR_ROOM_BODIES").ok().and_then(|n| n.parse().ok()).unwrap_or(27);
    let only = std::env::var("SUDAR_RESPONSE")
        .ok()
        .and_then(|name| ALL_RESPONSES.into_iter().find(|known| *known == name));
    for response in ["solver", "simultaneous"] {
        if only.is_some_and(|only| only != response) {
            continue;
        }
        let mut world = crowd(count, response).world().unwrap();
        // For how many steps on end each pair has overlapped by more than slop.
        let mut deep: BTreeMap<[Option<Handle>; 2], u32> = BTreeMap::new();
        let (mut longest, mut stopped) = (0, 0.0);
        for _ in 0..(setting("SUDAR_DYNAMICS", 0.3) / STEP) as u32 {
            stopped += world.step(STEP).unwrap().stopped;
            assert_eq!(world.out_of_bounds().count(), 0, "{response}");
            let now = world.deeper_than(0.01).into_iter();
            deep = now.map(|pair| (pair, deep.get(&pair).map_or(1, |steps| steps + 1))).collect();
            longest = longest.max(deep.values().copied().max().unwrap_or(0));
        }
        let longest = f64::from(longest) * STEP;
        println!(
            "{response}: deeper than slop for {longest} s, stopped {stopped} s, energy {}",
            world.energy().kinetic
        );
        assert!(longest <= 1.0, "{response}");
    }
}

/// Balls, boxes and capsules of a decimetre with up to 40 m/s in a closed room.
fn crowd(count: usize, response: &str) -> Scene {
    let mut scene = sudar_scene::gas(count).unwrap();
    scene.settings.response = law(response);
    let shapes = solids();
    for (i, body) in scene.bodies.iter_mut().enumerate() {
        let (_, shape) = &shapes[i % 3];
        body.body = sudar::query::Body::new(scaled(shape, 0.1));
        body.velocity *= 20.0;
    }
    scene
}

fn scaled(shape: &Shape, by: f64) -> Shape {
    if let Shape::Cuboid(c) = shape {
        return Cuboid::new(c.half * by).unwrap().into();
    }
    if let Shape::Capsule(c) = shape {
        return sudar::Capsule::new(c.radius * by, c.half_length * by).unwrap().into();
    }
    Sphere::new(DVec3::ZERO, by).unwrap().into()
}
