//! Dynamics: a box slides over a floor until friction has stopped it, beside a stack of boxes that stands.
//!
//! `cargo run --release -p sudar --example sliding_box`
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use sudar::dynamics::{RigidBody, Settings, World};
use sudar::{Cuboid, DVec3, Halfspace};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // By default gravity is 9.81 m/s² along −z and the solver answers at contacts.
    let mut world = World::new(Settings::default())?;
    let friction = 0.5;
    world.add(RigidBody { friction, ..RigidBody::fixed("floor", Halfspace::new(DVec3::Z, 0.0)?) })?;
    let cuboid =
        |name: &str, position: DVec3, velocity: DVec3| -> Result<RigidBody, sudar::shape::ShapeError> {
            let described = RigidBody::new(name, Cuboid::new(DVec3::new(0.5, 0.5, 0.25))?);
            Ok(RigidBody { position, velocity, friction, ..described })
        };
    let sliding = world.add(cuboid("sliding", DVec3::Z * 0.25, DVec3::X * 4.0)?)?;
    let level = |k: u32| DVec3::new(0.0, 5.0, 0.25 + 0.5 * f64::from(k));
    let stack = (0..5).map(|k| world.add(cuboid("stacked", level(k), DVec3::ZERO)?).map_err(Into::into));
    let stack = stack.collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
    for _ in 0..120 {
        world.step(1.0 / 60.0)?;
    }
    // Friction takes μg of speed a second: the way is v²/(2μg).
    let (way, expected) = (world.motion(sliding)?.center.x, 4.0 * 4.0 / (2.0 * friction * 9.81));
    println!("slid {way:.4} m, expected {expected:.4} m; asleep: {}", world.is_asleep(sliding)?);
    assert!((way / expected - 1.0).abs() < 0.02 && world.motion(sliding)?.velocity.length() < 1e-3);
    // Each box of the stack has sunk by less than a millimetre a level.
    for (k, id) in (0..).zip(stack) {
        assert!((world.motion(id)?.center - level(k)).length() < 0.001 * f64::from(k + 1));
    }
    Ok(())
}
