//! Robots of files that are dropped.

use sudar::{Aabb, DVec3};
use sudar_robot::{LoadOptions, Robot};

use crate::demo::DemoError;

/// The robot of a URDF or MJCF. Meshes that are not found are left out, and in its notes.
///
/// # Errors
/// One line that says what is wrong with the file.
pub fn read(name: &str, text: &str) -> Result<Robot, DemoError> {
    let options = LoadOptions { skip_missing_meshes: true, ..LoadOptions::default() };
    Robot::parse(text, name, &options).map_err(|error| {
        let words = error.to_string();
        DemoError(words.split_whitespace().collect::<Vec<_>>().join(" "))
    })
}

/// What is around its links, their frames included.
pub fn bounds(robot: &Robot, configuration: &[f64]) -> Result<Aabb, DemoError> {
    let poses = robot.forward(configuration).map_err(DemoError::of)?;
    let mut all = Aabb { min: DVec3::ZERO, max: DVec3::ZERO };
    for (link, pose) in robot.links().iter().zip(&poses) {
        let boxes = link.bodies.iter().map(|(body, place)| body.aabb(&pose.after(place)));
        let frame = Aabb { min: pose.translation(), max: pose.translation() };
        for aabb in boxes.chain([frame]) {
            all = Aabb { min: all.min.min(aabb.min), max: all.max.max(aabb.max) };
        }
    }
    Ok(all)
}

/// The first of some notes, and how many more there are, in a line.
pub fn first(notes: &[String]) -> Option<String> {
    let more = notes.len().saturating_sub(1);
    let first = notes.first()?;
    Some(if more > 0 { format!("{first}; more notes: {more}") } else { first.clone() })
}
