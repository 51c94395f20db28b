//! Two robots of seven links each along a path of 200 poses: how near do they come, when, and with which links?
//!
//! `cargo run --release -p sudar --example robots`
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;

use sudar::query::{Batch, Body};
use sudar::scene::{Among, CollisionManager, NearPair, Object};
use sudar::{Capsule, DQuat, DVec3, Pose, PoseError};

pub const LINKS: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    // All links are clones of one body: a capsule 5 cm thick whose axis is 20 cm long.
    let link = Body::new(Capsule::new(0.05, 0.1)?);
    for (step, (clearance, [i, j])) in clearances(&link, 200)?.into_iter().enumerate().step_by(20) {
        println!("step {step:3}: {i} and {j} are {clearance:.4} m apart");
    }
    Ok(())
}

/// A distance, and the names of the links between which it is.
type Clearance = (f64, [String; 2]);

/// The least distance of the two robots in every step.
pub fn clearances(link: &Body, steps: u32) -> Result<Vec<Clearance>, Box<dyn Error>> {
    let mut scene = CollisionManager::default();
    let mut robot = |name: &str| {
        let links = (0..LINKS)
            .map(|i| Object::new(format!("link {i} of the {name} arm"), link.clone(), Pose::IDENTITY));
        // Neighbouring links share a joint and always touch.
        scene.insert_group(links.collect(), &[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6]])
    };
    let (left, right) = (robot("left")?, robot("right")?);
    let mut found = Vec::new();
    for step in 0..steps {
        let t = f64::from(step) / f64::from(steps - 1);
        scene.set_group_poses(left, &arm(DVec3::ZERO, 0.0, t)?)?;
        scene.set_group_poses(right, &arm(DVec3::X * 1.1, std::f64::consts::PI, t)?)?;
        let nearest = scene.nearest(Among::Between(left, right), &Batch::default()).found;
        let NearPair { pair: [i, j], distance } = nearest.ok_or("the robots have no links")?;
        found.push((distance.interval.upper, [scene.object(i)?.name.clone(), scene.object(j)?.name.clone()]));
    }
    Ok(found)
}

/// The poses of the links of an arm that stands at `base`: each joint bends by the same angle, which grows with `t`.
pub fn arm(base: DVec3, turn: f64, t: f64) -> Result<Vec<Pose>, PoseError> {
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
