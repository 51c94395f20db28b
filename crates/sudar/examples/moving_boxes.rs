//! Two thousand boxes on their ways: which begin to touch, which stay and which come apart.
//!
//! `cargo run --release -p sudar --example moving_boxes`
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use sudar::query::{Batch, Body};
use sudar::scene::{CollisionManager, Events, Object, SceneError};
use sudar::{Cuboid, DQuat, DVec3, Pose};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cube = Body::new(Cuboid::new(DVec3::splat(0.5))?);
    for (frame, events) in simulate(&cube, 2000, 100)?.iter().enumerate() {
        println!(
            "frame {frame}: {} pairs begin to touch, {} come apart",
            events.began.len(),
            events.ended.len()
        );
    }
    Ok(())
}

/// The events of so many frames.
pub fn simulate(body: &Body, boxes: u32, frames: u32) -> Result<Vec<Events>, SceneError> {
    let mut scene = CollisionManager::default();
    let object = |i| Object::new(format!("box {i}"), body.clone(), place(i, 0.0));
    let handles = scene.insert_all((0..boxes).map(object).collect())?;
    let frame = |frame| {
        let poses: Vec<Pose> = (0..boxes).map(|i| place(i, f64::from(frame) / 60.0)).collect();
        scene.set_poses(&handles, &poses)?;
        Ok(scene.step(&Batch::default()))
    };
    (0..frames).map(frame).collect()
}

/// Where a box is after `t` seconds: it turns, and goes in circles about its home in a cube of 20 m.
pub fn place(i: u32, t: f64) -> Pose {
    // Powers of a generalised golden ratio spread the homes evenly.
    let home = (DVec3::new(0.819_172_513, 0.671_043_607, 0.549_700_478) * f64::from(i)).fract() * 20.0;
    let turn = DQuat::from_rotation_z(t * (1.0 + f64::from(i % 7)));
    Pose::new(home + turn * DVec3::X, turn).unwrap_or(Pose::IDENTITY)
}
