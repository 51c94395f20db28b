//! Random scenes of a few bodies under every response: no panic, no NaN, no energy from nothing.
//! `cargo +nightly fuzz run -s none dynamics`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::dynamics::{Bounds, RigidBody, Settings, World};
use sudar::{Capsule, Cuboid, Cylinder, DVec3, Shape, Sphere};
use sudar_classic::{ALL_RESPONSES, response};

fn shape(kind: u32, size: f64) -> Shape {
    match kind % 4 {
        0 => Sphere::new(DVec3::ZERO, size).unwrap().into(),
        1 => Cuboid::new(DVec3::new(size, 0.7 * size, 0.2 * size)).unwrap().into(),
        2 => Capsule::new(0.5 * size, size).unwrap().into(),
        _ => Cylinder::new(size, 0.4 * size).unwrap().into(),
    }
}

fuzz_target!(|seed: u64| {
    let mut random = Pcg64::seed_from_u64(seed);
    let name = ALL_RESPONSES[random.random_range(0..ALL_RESPONSES.len())];
    let response = response(name).unwrap();
    let gravity = if random.random_bool(0.5) { DVec3::Z * -9.81 } else { DVec3::ZERO };
    let bounds = Some(Bounds { min: DVec3::splat(-4.0), max: DVec3::splat(4.0) });
    let mut world = World::new(Settings { gravity, response, bounds, ..Settings::default() }).unwrap();
    for i in 0..random.random_range(1..9_u32) {
        let vector =
            |random: &mut Pcg64, by: f64| DVec3::from_array([0; 3].map(|_| random.random_range(-by..by)));
        let shape = shape(random.random(), random.random_range(0.1..0.6));
        let mut body = RigidBody::new(format!("body {i}"), shape);
        body.position = DVec3::new(f64::from(i % 3), f64::from(i / 3), 0.0) * 2.0 - DVec3::new(2.0, 2.0, 0.0);
        (body.velocity, body.angular_velocity) = (vector(&mut random, 20.0), vector(&mut random, 20.0));
        (body.restitution, body.friction) = (random.random_range(0.0..1.0), random.random_range(0.0..1.0));
        world.add(body).unwrap();
    }
    let first = world.energy().total();
    let scale = world.energy().kinetic + 8.0 * 9.81 * 8.0 * 1000.0;
    for _ in 0..60 {
        world.step(1.0 / 60.0).unwrap();
        assert!(world.energy().total().is_finite());
        // A heavy body pushes far into springs that are as stiff as the lightest body needs.
        assert!(name == "spring" || world.out_of_bounds().count() == 0, "{name}");
    }
    if ["impulse", "simultaneous", "solver"].contains(&name) {
        assert!(world.energy().total() <= first + 1e-3 * scale, "{name}");
    }
});
