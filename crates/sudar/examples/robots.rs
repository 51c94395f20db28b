//! Two robots of seven links each along a path of 200 poses: how near do they come, when, and with which links?
//!
//! `cargo run --release -p sudar --example robots`
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;

use sudar::query::Body;
use sudar::scene::{Among, CollisionManager, NearPair, Object};
use sudar::{Capsule, DQuat, DVec3, Pose, PoseError};

const LINKS: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    // All links are clones of one body: a capsule 5 cm thick whose axis is 20 cm long.
    let link = Body::new(Capsule::new(0.05, 0.1)?);
    for (step, NearPair { pair: [i, j], distance }) in nearest_links(&link, 200)?.iter().enumerate() {
        let (i, j) = (i.index(), j.index() - LINKS as u32);
        println!("step {step}: links {i} and {j} are {:.4} m apart", distance.interval.upper);
    }
    Ok(())
}

/// The nearest links of the two robots in every step.
pub fn nearest_links(link: &Body, steps: u32) -> Result<Vec<NearPair>, Box<dyn Error>> {
    let mut scene = CollisionManager::default();
    let links = || vec![Object::new("link", link.clone(), Pose::IDENTITY); LINKS];
    // Neighbouring links share a joint and always touch.
    let neighbours: Vec<[usize; 2]> = (1..LINKS).map(|i| [i - 1, i]).collect();
    let left = scene.insert_group(links(), &neighbours)?;
    let right = scene.insert_group(links(), &neighbours)?;
    let step = |step| {
        let t = f64::from(step) / f64::from(steps - 1);
        scene.set_group_poses(left, &arm(DVec3::ZERO, 0.0, t)?)?;
        scene.set_group_poses(right, &arm(DVec3::X * 1.1, std::f64::consts::PI, t)?)?;
        scene.nearest(Among::Between(left, right)).found.ok_or("no links".into())
    };
    (0..steps).map(step).collect()
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
