//! Which of many bodies touch? A block of 1000 balls, what changes when one leaves it, and what is nearest to it.
//!
//! `cargo run --release -p sudar --example many_bodies`
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use sudar::many::{CollisionManager, Filter, Object};
use sudar::query::Body;
use sudar::{DVec3, Pose, Ray, Sphere};

const SIDE: u32 = 10;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // All objects share one body. Balls of diameter 1 at whole coordinates touch their neighbours.
    let (ball, mut scene) = (Body::new(Sphere::new(DVec3::ZERO, 0.5)?), CollisionManager::default());
    let mut handles = Vec::new();
    for k in 0..SIDE.pow(3) {
        let at = [k % SIDE, k / SIDE % SIDE, k / SIDE.pow(2)].map(f64::from);
        let pose = Pose::from_translation(DVec3::from(at))?;
        handles.push(scene.insert(Object::new(format!("ball {k}"), ball.clone(), pose))?);
    }
    let events = scene.step();
    println!("{} pairs touch", events.began.len());
    // Along each axis there are n² rows with n − 1 pairs of neighbours.
    assert_eq!(events.began.len() as u32, 3 * SIDE.pow(2) * (SIDE - 1));

    // The ball at the origin leaves its three neighbours.
    scene.set_pose(handles[0], Pose::from_translation(DVec3::splat(-10.0))?)?;
    let events = scene.step();
    println!("{} pairs came apart, {} still touch", events.ended.len(), events.stayed.len());
    assert_eq!((events.began.len(), events.ended.len()), (0, 3));

    // Along x from outside, the first ball is now the second of its row.
    let along = Ray::new(DVec3::X * -5.0, DVec3::X)?;
    let (first, hit) = scene.ray(&along, f64::INFINITY, Filter::ALL).found.ok_or("no hit")?;
    assert!(first == handles[1] && (hit.t - 5.5).abs() < 1e-12);
    Ok(())
}
