//! A character walks over a floor with steps and a wall, and slides along what is in its way.
//!
//! `cargo run --release -p sudar --example character`
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use sudar::query::{Body, CastHit, cast_shape};
use sudar::{Capsule, Cuboid, DVec3, Pose, PoseError};

/// Kept between the character and everything else, in metres.
const SKIN: f64 = 0.005;

type World = Vec<(Body, Pose)>;

/// The character controller: moves a body as far as it gets, and along what stops it with the rest of the way.
fn walk(player: &Body, mut at: DVec3, mut way: DVec3, world: &World) -> Result<DVec3, PoseError> {
    for _ in 0..4 {
        if way.length() < 1e-9 {
            break;
        }
        let pose = Pose::from_translation(at)?;
        let hits = world
            .iter()
            .map(|(body, place)| cast_shape(player, &pose, way, way.length() + SKIN, body, place));
        let hits = hits.collect::<Result<Vec<Option<CastHit>>, PoseError>>()?;
        let first = hits.into_iter().flatten().min_by(|h, k| h.distance.lower.total_cmp(&k.distance.lower));
        let free = first.map_or(way.length(), |hit| (hit.distance.lower - SKIN).max(0.0));
        at += way.normalize() * free;
        way -= way.normalize() * free;
        way = first.map_or(DVec3::ZERO, |hit| way - hit.normal * way.dot(hit.normal).min(0.0));
    }
    Ok(at)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let solid = |half, x, y, z| {
        Ok::<_, Box<dyn std::error::Error>>((
            Body::new(Cuboid::new(half)?),
            Pose::from_translation(DVec3::new(x, y, z))?,
        ))
    };
    let world = vec![
        solid(DVec3::new(20.0, 20.0, 0.5), 0.0, 0.0, -0.5)?,
        // A wall as thin as paper, and a ramp of boxes.
        solid(DVec3::new(0.0001, 5.0, 2.0), 3.0, 0.0, 2.0)?,
        solid(DVec3::new(1.0, 1.0, 0.4), -1.0, 2.0, 0.4)?,
    ];
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
