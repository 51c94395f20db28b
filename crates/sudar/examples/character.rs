//! A character walks against a wall and slides along it: what it meets on its way is found by casts of its shape.
//!
//! `cargo run --release -p sudar --example character`
#![allow(clippy::print_stdout, reason = "an example prints its answer")]

use sudar::many::{CollisionManager, Filter, Object};
use sudar::query::Body;
use sudar::{Capsule, Cuboid, DVec3, Pose, PoseError};

/// Kept between the character and everything else, in metres.
pub const SKIN: f64 = 0.005;

/// The character controller: moves a body as far as it gets, and along what stops it with the rest of the way.
pub fn walk(player: &Body, mut at: DVec3, way: DVec3, world: &CollisionManager) -> Result<DVec3, PoseError> {
    let (mut left, mut planes) = (1.0, Vec::new());
    while planes.len() < 8 {
        let rest = slide(way * left, &planes);
        let length = rest.length();
        if length < 1e-9 {
            break;
        }
        // Farther than it goes, to keep the skin from what it passes at a slant.
        let (pose, toward, reach) = (Pose::from_translation(at)?, rest / length, length + 20.0 * SKIN);
        let first = world.cast_shape(player.at(&pose), toward, reach, Filter::ALL)?;
        let Some((_, hit)) = first else { return Ok(at + rest) };
        // Along a slanted way the skin is longer. Within the skin no way leads into the plane, but one along it.
        let steep = -hit.normal.dot(toward);
        let free = (hit.distance.lower - SKIN / steep.max(1e-3)).clamp(0.0, length);
        at += toward * free;
        left *= 1.0 - free / length;
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

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut world, player) = (CollisionManager::default(), Body::new(Capsule::new(0.3, 0.6)?));
    // A wall as thin as paper, which ten metres in one step would pass without casts.
    let wall = Body::new(Cuboid::new(DVec3::new(0.0001, 50.0, 2.0))?);
    world.insert(Object::new("wall", wall, Pose::from_translation(DVec3::X * 3.0)?).fixed())?;
    let end = walk(&player, DVec3::ZERO, DVec3::new(10.0, 4.0, 0.0), &world)?;
    println!("stands at {end:.6}");
    // Its radius and the skin before the wall; along the wall it got all of the way.
    assert!((end - DVec3::new(3.0 - 0.0001 - 0.3 - SKIN, 4.0, 0.0)).length() < 1e-6);
    Ok(())
}
