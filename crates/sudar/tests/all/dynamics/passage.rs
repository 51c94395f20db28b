//! Nothing passes through anything.

use super::*;
use sudar::dynamics::{Kind, scenes};

const ALL: [Response; 5] =
    [Response::Reflection, Response::Mtv, Response::Impulse, Response::Simultaneous, Response::Solver];

#[test]
fn a_bullet_does_not_pass_a_plate_of_a_millimetre() {
    for response in ALL {
        let mut world = World::new(weightless(response)).unwrap();
        let mut plate = cuboid("plate", [0.0005, 1.0, 1.0]);
        (plate.kind, plate.restitution) = (Kind::Static, 1.0);
        world.add(plate).unwrap();
        let mut bullet = ball("bullet", 0.005);
        (bullet.position, bullet.velocity) = (DVec3::new(-3.0, 0.2, 0.1), DVec3::new(1000.0, 1.0, 0.0));
        world.add(bullet).unwrap();
        for _ in 0..20 {
            world.step(STEP).unwrap();
            assert!(place(&world, "bullet").x < 0.0, "{response:?} {}", place(&world, "bullet"));
        }
    }
}

#[test]
fn a_spinning_blade_does_not_pass_a_post() {
    for response in [Response::Impulse, Response::Simultaneous, Response::Solver] {
        let mut world = World::new(weightless(response)).unwrap();
        let mut blade = cuboid("blade", [1.0, 0.01, 0.05]);
        // Five turns a second times sixty.
        blade.angular_velocity = DVec3::Z * 300.0;
        world.add(blade).unwrap();
        let mut post = cuboid("post", [0.02, 0.02, 1.0]);
        (post.kind, post.position) = (Kind::Static, DVec3::new(0.0, 0.8, 0.0));
        world.add(post).unwrap();
        let before = world.energy().kinetic;
        run(&mut world, 0.2, STEP);
        // Whoever does not see the post spins where it is for ever; and the post, which does not move, gives no energy.
        assert!(velocity(&world, "blade").length() > 1.0, "{response:?}");
        assert!(world.energy().kinetic <= before * (1.0 + 1e-9), "{response:?}");
        assert!(world.deepest() < 5e-3, "{response:?} {}", world.deepest());
    }
}

#[test]
fn fast_bodies_stay_in_their_room() {
    for response in ALL {
        let mut scene = scenes::box_objects().unwrap();
        scene.settings.response = response;
        for body in &mut scene.bodies {
            body.velocity *= 100.0;
            body.angular_velocity *= 20.0;
        }
        let mut world = world(&scene);
        for _ in 0..12 {
            world.step(STEP).unwrap();
            assert_eq!(world.outside(), 0, "{response:?}");
        }
        println!("{response:?}: deepest {}, dropped {}", world.deepest(), world.dropped_seconds());
    }
}

/// 1000 random fast bodies for 10 minutes: `SUDAR_ROOM_BODIES=1000 SUDAR_DYNAMICS=600 cargo test --release -p sudar --test all
/// a_crowd_stays -- --nocapture`.
#[test]
fn a_crowd_stays_in_its_room() {
    let count = std::env::var("SUDAR_ROOM_BODIES").ok().and_then(|n| n.parse().ok()).unwrap_or(27);
    for response in [Response::Solver, Response::Simultaneous] {
        let mut scene = scenes::gas(count).unwrap();
        scene.settings.response = response;
        let shapes = solids();
        for (i, body) in scene.bodies.iter_mut().enumerate() {
            // Fighters are long; all others are a seventh of their size.
            let (_, shape) = &shapes[i % 3];
            let small = scaled(shape, 0.1);
            body.body = sudar::query::Body::new(small);
            body.velocity *= 20.0;
        }
        let mut world = world(&scene);
        let mut deep_for = 0.0_f64;
        let mut longest = 0.0_f64;
        for _ in 0..(seconds(0.3) / STEP) as u32 {
            world.step(STEP).unwrap();
            assert_eq!(world.outside(), 0, "{response:?}");
            deep_for = if world.deepest() > 0.01 { deep_for + STEP } else { 0.0 };
            longest = longest.max(deep_for);
        }
        println!("{response:?}: deeper than slop for {longest} s, dropped {}", world.dropped_seconds());
        assert!(longest <= 1.0, "{response:?}");
    }
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
