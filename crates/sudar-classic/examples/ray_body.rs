//! A car that stands on four rays instead of wheels: how far is each above the road?
//!
//! `cargo run --release -p sudar-classic --example ray_body`
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use sudar::query::Body;
use sudar::{DQuat, DVec3, Halfspace, Pose};
use sudar_classic::{RayBody, RayContact};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wheels = [(-1.0, -2.0), (1.0, -2.0), (-1.0, 2.0), (1.0, 2.0)];
    let rays = wheels.map(|(x, y)| (DVec3::new(x, y, 0.0), -DVec3::Z)).to_vec();
    let car = RayBody::new(rays, 0.5)?;
    let road = Body::new(Halfspace::new(DVec3::Z, 0.0)?);
    // The car leans to the right by a tenth: its left wheels are up, its right ones are in the road.
    let lean = Pose::new(DVec3::ZERO, DQuat::from_rotation_y(0.1))?;
    let found = car.probe(&lean, &road, &Pose::IDENTITY, 1.0);
    for (ray, contact) in car.rays().iter().zip(&found) {
        println!("wheel at {}: {contact:?}", ray.foot);
    }
    // Along the ray, a wheel at x = ±1 is tan(0.1) from the road.
    let expected = libm::tan(0.1);
    let fits = |contact: &RayContact| match contact {
        RayContact::Above(d) | RayContact::Inside(d) => (d - expected).abs() < 1e-12,
        RayContact::Touching | RayContact::Nothing => false,
    };
    assert!(found.iter().all(fits));
    let above = found.iter().filter(|contact| matches!(contact, RayContact::Above(_))).count();
    assert_eq!(above, 2);
    Ok(())
}
