//! When do moving bodies first meet? A bar that turns, and a bullet faster than any time step could catch.
//!
//! `cargo run --release -p sudar --example sweep`
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use std::f64::consts::FRAC_PI_2;

use sudar::motion::Motion;
use sudar::query::{Body, SweepOptions, cast_sphere, sweep};
use sudar::{Capsule, Cuboid, DQuat, DVec3, Pose, Sphere};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A round bar along x, 0.25 m thick in radius, turns about z by a right angle in one second.
    let bar = Body::new(Capsule::new(0.25, 5.0)?);
    let along_x = Pose::new(DVec3::ZERO, DQuat::from_rotation_y(FRAC_PI_2))?;
    let turning = Motion::new(along_x, DVec3::ZERO, DVec3::ZERO, DVec3::Z * FRAC_PI_2)?;
    // A ball of the same radius stands 1 m away on the y axis.
    let ball = Body::new(Sphere::new(DVec3::Y, 0.25)?);
    let found = sweep(
        bar.moving(&turning),
        ball.moving(&Motion::still(&Pose::IDENTITY)),
        &SweepOptions::within(1e-9),
    );
    let impact = found.impact().ok_or("they meet, or it is not known")?;
    println!("bar: {} … {} s, at {:.6}", impact.time.lower, impact.time.upper, impact.point_b);
    // At an angle θ from the ball the axis passes it at sin θ: they meet at sin θ = 0.5, θ = 30°, 60° from the start.
    assert!((impact.time.lower - 2.0 / 3.0).abs() < 1e-8 && impact.time.width() < 1e-8);

    // A ball of 1 cm along 1 km in one step, towards a sheet of 0.2 mm at 500 m.
    let sheet = Body::new(Cuboid::new(DVec3::new(0.0001, 1.0, 1.0))?);
    let there = Pose::from_translation(DVec3::X * 500.0)?;
    let hit = cast_sphere(DVec3::ZERO, 0.01, DVec3::X, 1000.0, sheet.at(&there))?;
    let hit = hit.ok_or("nothing is passed through, however thin")?;
    println!("bullet: {} … {} m", hit.distance.lower, hit.distance.upper);
    assert!((hit.distance.lower - 499.9899).abs() < 1e-5 && (hit.normal + DVec3::X).length() < 1e-9);
    Ok(())
}
