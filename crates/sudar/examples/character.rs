//! A character walks over a floor with a slope, a step and a wall, and slides along what is in its way.
//!
//! `cargo run --release -p sudar --example character`
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;

use sudar::query::Body;
use sudar::scene::{CollisionManager, Filter, Object};
use sudar::{Capsule, Cuboid, DQuat, DVec3, Pose, PoseError};

/// Kept between the character and everything else, in metres.
pub const SKIN: f64 = 0.005;

/// The character controller: moves a body as far as it gets, and along what stops it with the rest of the way.
pub fn walk(player: &Body, mut at: DVec3, way: DVec3, world: &CollisionManager) -> Result<DVec3, PoseError> {
    let (mut left, mut planes) = (1.0, Vec::new());
    while planes.len() < 8 {
        let rest = slide(way * left, &planes);
        if rest.length() < 1e-9 {
            break;
        }
        let (pose, toward) = (Pose::from_translation(at)?, rest.normalize());
        // Farther than it goes, to keep the skin from what it passes at a slant.
        let reach = rest.length() + 20.0 * SKIN;
        let first = world.cast_shape(player.at(&pose), toward, reach, Filter::ALL)?;
        let Some((_, hit)) = first else { return Ok(at + rest) };
        // Along a slanted way the skin is longer. Within the skin no way leads into the plane, but one along it.
        let steep = -hit.normal.dot(toward);
        let free = (hit.distance.lower - SKIN / steep.max(1e-3)).clamp(0.0, rest.length());
        at += toward * free;
        if free == rest.length() {
            break;
        }
        left *= 1.0 - free / rest.length();
        planes.push(hit.normal);
    }
    Ok(at)
}

/// What is left of a way that leads into none of the planes: along one of them, or along the crease of two.
fn slide(way: DVec3, planes: &[DVec3]) -> DVec3 {
    let along = planes.iter().map(|n| way - *n * way.dot(*n));
    let creases = planes.iter().flat_map(|n| planes.iter().map(|m| n.cross(*m).normalize_or_zero()));
    let ways = std::iter::once(way).chain(along).chain(creases.map(|crease| crease * way.dot(crease)));
    let is_free = |w: &DVec3| planes.iter().all(|n| n.dot(*w) >= -1e-9 * way.length());
    ways.filter(is_free).max_by(|v, w| v.length().total_cmp(&w.length())).unwrap_or_default()
}

/// A box of the world that stands still.
pub fn add(world: &mut CollisionManager, half: DVec3, at: DVec3, turn: DQuat) -> Result<(), Box<dyn Error>> {
    let name = format!("box {}", world.len());
    let (body, pose) = (Body::new(Cuboid::new(half)?), Pose::new(at, turn)?);
    world.insert(Object::new(name, body, pose).fixed())?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut world, upright) = (CollisionManager::default(), DQuat::IDENTITY);
    add(&mut world, DVec3::new(20.0, 20.0, 0.5), DVec3::new(0.0, 0.0, -0.5), upright)?;
    // A wall as thin as paper, a step, and a slope of 10°.
    add(&mut world, DVec3::new(0.0001, 5.0, 2.0), DVec3::new(3.0, 0.0, 2.0), upright)?;
    add(&mut world, DVec3::new(1.0, 1.0, 0.4), DVec3::new(-1.0, 2.0, 0.4), upright)?;
    add(&mut world, DVec3::new(4.0, 4.0, 0.1), DVec3::new(0.0, 8.0, 0.0), DQuat::from_rotation_x(0.17))?;
    let player = Body::new(Capsule::new(0.3, 0.6)?);
    let mut at = DVec3::new(0.0, 0.0, 0.9 + SKIN);
    for step in 0..24 {
        // Ten metres a second, ten steps a second: without casts it would be through the wall.
        at = walk(&player, at, DVec3::new(1.0, 0.4, -0.1), &world)?;
        println!("step {step:2}: {:6.3} {:6.3} {:6.3}", at.x, at.y, at.z);
    }
    assert!(at.x < 3.0 - 0.3, "through the wall");
    Ok(())
}
