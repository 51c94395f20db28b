//! Two robots of seven links each along a path of 200 poses: how near do they come, when, and with which links?
//!
//! `cargo run --release -p sudar --example robots`
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use sudar::query::{Body, DistanceOptions, Memory};
use sudar::{Capsule, DQuat, DVec3, Pose};

const LINKS: usize = 7;
const STEPS: usize = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // All links are clones of one body: a capsule 5 cm thick whose axis is 20 cm long.
    let link = Body::new(Capsule::new(0.05, 0.1)?);
    // What a query leaves behind for the next one of the same pair.
    let mut memories: Vec<Memory> = (0..LINKS * LINKS).map(|_| Memory::default()).collect();
    let mut nearest = (f64::INFINITY, 0, [0; 2]);
    println!("step  clearance  links");
    for step in 0..STEPS {
        let t = step as f64 / (STEPS - 1) as f64;
        let left = arm(DVec3::ZERO, 0.0, t)?;
        let right = arm(DVec3::X * 1.1, std::f64::consts::PI, t)?;
        let mut clearance = (f64::INFINITY, [0; 2]);
        for (pair, memory) in memories.iter_mut().enumerate() {
            let (i, j) = (pair / LINKS, pair % LINKS);
            // Only a pair nearer than the best so far is of interest.
            let search = DistanceOptions::up_to(clearance.0);
            let found = memory.distance(link.at(&left[i]), link.at(&right[j]), &search);
            if found.interval.upper < clearance.0 {
                clearance = (found.interval.upper, [i, j]);
            }
        }
        if step % 20 == 0 {
            println!("{step:4}  {:7.4} m  {:?}", clearance.0, clearance.1);
        }
        if clearance.0 < nearest.0 {
            nearest = (clearance.0, step, clearance.1);
        }
    }
    let (distance, step, [i, j]) = nearest;
    println!(
        "nearest in step {step}: link {i} of the left arm and link {j} of the right one, {distance:.4} m apart"
    );
    Ok(())
}

/// The poses of the links of an arm that stands at `base`: each joint bends by the same angle, which grows with `t`.
fn arm(base: DVec3, turn: f64, t: f64) -> Result<Vec<Pose>, sudar::PoseError> {
    let mut joint = Pose::new(base, DQuat::from_rotation_z(turn))?;
    let bend = Pose::new(
        DVec3::Z * 0.2,
        DQuat::from_rotation_y(0.25 * t) * DQuat::from_rotation_z(0.4 * (1.0 - t)),
    )?;
    let middle = Pose::from_translation(DVec3::Z * 0.1)?;
    let mut links = Vec::with_capacity(LINKS);
    for _ in 0..LINKS {
        links.push(joint.after(&middle));
        joint = joint.after(&bend);
    }
    Ok(links)
}
