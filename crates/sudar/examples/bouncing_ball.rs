//! Dynamics: a ball falls on a floor and bounces to the height that its restitution leaves it.
//!
//! `cargo run --release -p sudar --example bouncing_ball`
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use sudar::dynamics::{RigidBody, Settings, TouchPhase, World};
use sudar::{DVec3, Halfspace, Sphere};

const RADIUS: f64 = 0.5;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gravity = DVec3::Z * -10.0;
    let mut world = World::new(Settings { gravity, ..Settings::default() })?;
    world.add(RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0)?))?;
    let ball = world.add(RigidBody {
        position: DVec3::Z * (1.25 + RADIUS),
        restitution: 0.5,
        ..RigidBody::new("ball", Sphere::new(DVec3::ZERO, RADIUS)?)
    })?;
    for step in 1..=75 {
        let report = world.step(0.01)?;
        for touch in report.touches.iter().filter(|touch| touch.phase == TouchPhase::Began) {
            println!("step {step}: touches the floor with {:.3} N·s", touch.impulse);
        }
    }
    // From 1.25 m it falls √(2h/g) = 0.5 s and arrives at 5 m/s; half of that is left, which gravity takes in 0.25 s.
    // So at 0.75 s it is at the top of its flight, v²/2g = 0.3125 m high. The solver comes within 0.1 % of that.
    let motion = world.motion(ball)?;
    println!("after {:.2} s it is {:.6} m above the floor", world.time(), motion.center.z - RADIUS);
    assert!((motion.center.z - RADIUS - 0.3125).abs() < 1e-3 * 0.3125 && motion.velocity.length() < 0.01);
    Ok(())
}
