//! A character walks over a floor with steps and a wall, and slides along what is in its way.
//!
//! `cargo run --release -p sudar --example character`
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use sudar::query::{Batch, Body};
use sudar::scene::{CollisionManager, Filter, Object, SceneError};
use sudar::{Capsule, Cuboid, DVec3, Pose, PoseError};

/// Kept between the character and everything else, in metres.
const SKIN: f64 = 0.005;

/// The character controller: moves a body as far as it gets, and along what stops it with the rest of the way.
fn walk(player: &Body, mut at: DVec3, mut way: DVec3, world: &CollisionManager) -> Result<DVec3, PoseError> {
    for _ in 0..4 {
        if way.length() < 1e-9 {
            break;
        }
        let pose = Pose::from_translation(at)?;
        let reach = way.length() + SKIN;
        let first = world.cast_shape(player.at(&pose), way, reach, Filter::ALL, &Batch::default())?;
        let free = first.map_or(way.length(), |(_, hit)| (hit.distance.lower - SKIN).max(0.0));
        at += way.normalize() * free;
        way -= way.normalize() * free;
        way = first.map_or(DVec3::ZERO, |(_, hit)| way - hit.normal * way.dot(hit.normal).min(0.0));
    }
    Ok(at)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = CollisionManager::default();
    let mut add = |name, half, at| -> Result<_, Box<dyn std::error::Error>> {
        let pose = Pose::from_translation(at)?;
        world.insert(Object::new(name, Body::new(Cuboid::new(half)?), pose).fixed()).map_err(SceneError::into)
    };
    add("floor", DVec3::new(20.0, 20.0, 0.5), DVec3::new(0.0, 0.0, -0.5))?;
    add("wall as thin as paper", DVec3::new(0.0001, 5.0, 2.0), DVec3::new(3.0, 0.0, 2.0))?;
    add("step", DVec3::new(1.0, 1.0, 0.4), DVec3::new(-1.0, 2.0, 0.4))?;
    let player = Body::new(Capsule::new(0.3, 0.6)?);
    let mut at = DVec3::new(0.0, 0.0, 0.9 + SKIN);
    for step in 0..12 {
        // Ten metres a second, ten steps a second: without casts it would be through the wall.
        at = walk(&player, at, DVec3::new(1.0, 0.4, -0.1), &world)?;
        println!("step {step:2}: {:6.3} {:6.3} {:6.3}", at.x, at.y, at.z);
    }
    assert!(at.x < 3.0 - 0.3, "through the wall");
    Ok(())
}
