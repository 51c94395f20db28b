//! Two thousand boxes on their ways: which begin to touch, which stay and which come apart.
//!
//! `cargo run --release -p sudar --example moving_boxes`
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use sudar::query::Body;
use sudar::scene::{CollisionManager, Events, Object, SceneError};
use sudar::{Cuboid, DQuat, DVec3, Pose};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (frame, events) in
        simulate(&Body::new(Cuboid::new(DVec3::splat(0.5))?), 2000, 100)?.iter().enumerate()
    {
        println!("frame {frame}: {} begin to touch, {} come apart", events.began.len(), events.ended.len());
    }
    Ok(())
}

/// The events of so many frames.
pub fn simulate(body: &Body, boxes: u32, frames: u32) -> Result<Vec<Events>, SceneError> {
    let mut scene = CollisionManager::default();
    let object = |i| Object::new(format!("box {i}"), body.clone(), place(i, 0));
    let handles = scene.insert_all((0..boxes).map(object).collect())?;
    let frame = |frame| {
        scene.set_poses(&handles, &(0..boxes).map(|i| place(i, frame)).collect::<Vec<Pose>>())?;
        Ok(scene.step())
    };
    (0..frames).map(frame).collect()
}

/// Where a box is: it turns, and goes in circles about its home in a cube of 20 m, one of many that are spread evenly.
pub fn place(i: u32, frame: u32) -> Pose {
    let home = (DVec3::new(0.819_172_5, 0.671_043_6, 0.549_700_4) * f64::from(i)).fract() * 20.0;
    let turn = DQuat::from_rotation_z(f64::from(frame * (1 + i % 7)) / 60.0);
    Pose::new(home + turn * DVec3::X, turn).unwrap_or(Pose::IDENTITY)
}
