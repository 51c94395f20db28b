//! A ball flies at a plate. Does it pass? That depends on when the two are tested.
//!
//! `cargo run --release -p sudar-classic --example detection`
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use sudar::dynamics::{RigidBody, Settings, World};
use sudar::{Cuboid, DVec3, Sphere};
use sudar_classic::response::{Detection, response_with};

/// Where a ball of 0.1 m is after four steps in which it flies at 1.5 m a step at a plate of 0.1 m.
fn fly(detection: Detection) -> Result<f64, Box<dyn std::error::Error>> {
    let response = response_with("reflection", detection)?;
    let mut world = World::new(Settings { gravity: DVec3::ZERO, response, ..Settings::default() })?;
    world.add(RigidBody::fixed("plate", Cuboid::new(DVec3::new(0.05, 5.0, 5.0))?))?;
    let ball = RigidBody::new("ball", Sphere::new(DVec3::ZERO, 0.1)?);
    let ball = RigidBody { position: DVec3::X * -2.2, velocity: DVec3::X * 90.0, ..ball };
    let ball = world.add(ball)?;
    for _ in 0..4 {
        world.step(1.0 / 60.0)?;
    }
    Ok(world.motion(ball)?.center.x)
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    for detection in Detection::ALL {
        let x = fly(detection)?;
        println!(
            "{:10} the ball is at {x:.3} m, {} the plate",
            detection.name(),
            if x < 0.0 { "before" } else { "behind" }
        );
        // At 90 m/s the ball is nowhere near the plate at the end of a step; an eighth of a step finds it.
        let passes = matches!(detection, Detection::Static | Detection::Bisected);
        assert_eq!(x > 0.0, passes);
    }
    // It touches the plate at -0.15 m, after 2.05 m of 6, and comes back.
    assert!((fly(Detection::Continuous)? - (-0.15 - (6.0 - 2.05))).abs() < 1e-6);
    Ok(())
}
