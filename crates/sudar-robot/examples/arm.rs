//! A little arm of our own: a thousand configurations, the nearest to contact, and a path around a post.
//!
//! `cargo run --release -p sudar-robot --example arm`
#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use sudar::query::{Batch, Body};
use sudar::{Cylinder, DVec3, Pose};
use sudar_robot::{CellOptions, ClearanceOptions, EdgeOptions, LoadOptions, Robot, RobotCell};

/// A URDF of a chain of capsules, with joints about x and y by turns.
fn urdf(joints: usize) -> String {
    let link = |i: usize| {
        let capsule = "<collision><origin xyz=\"0 0 0.15\"/><geometry><capsule radius=\"0.04\" length=\"0.2\"/></geometry></collision>";
        format!("<link name=\"link{i}\">{capsule}</link>")
    };
    let joint = |i: usize| {
        let axis = if i.is_multiple_of(2) { "1 0 0" } else { "0 1 0" };
        format!(
            "<joint name=\"joint{i}\" type=\"revolute\"><parent link=\"link{i}\"/><child link=\"link{}\"/>\
             <origin xyz=\"0 0 0.3\"/><axis xyz=\"{axis}\"/><limit lower=\"-2\" upper=\"2\" velocity=\"1\"/></joint>",
            i + 1
        )
    };
    let links: String = (0..=joints).map(link).collect();
    let joints: String = (0..joints).map(joint).collect();
    format!("<robot name=\"chain\">{links}{joints}</robot>")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robot = Robot::parse(&urdf(4), "chain.urdf", &LoadOptions::default())?;
    let post: Body = Cylinder::new(0.1, 1.0)?.into();
    let scene = vec![("post".to_owned(), post, Pose::from_translation(DVec3::new(0.5, 0.5, 0.5))?)];
    let cell = RobotCell::new(&robot, scene, &CellOptions::default())?;
    for pair in cell.self_pairs() {
        let [a, b] = pair.parts.map(|part| &cell.parts()[part].name);
        println!("{a} and {b}: {}, met {} times in {}", pair.reason.name(), pair.met, cell.samples());
    }

    let (q, batch) = (robot.sample(1000, 1), Batch::default());
    let valid = cell.check(&q, &batch)?;
    println!("{} of 1000 configurations are valid", valid.iter().filter(|valid| **valid).count());

    let options = ClearanceOptions { gradient: true, ..ClearanceOptions::default() };
    let nearest = &cell.clearance(&[0.3, 0.2, -0.4, 0.5], &options, &batch)?[0];
    println!("clearance {:.4} m, by joint {:.3?}", nearest.interval.upper, nearest.gradient);

    let path = [[0.0, 1.0, 0.0, 0.0], [-1.0, 0.5, 0.0, 0.0], [-1.0, -0.5, 0.0, 0.0]].concat();
    for (i, edge) in cell.check_path(&path, &EdgeOptions::default(), &batch)?.edges.iter().enumerate() {
        println!("edge {i}: {edge:?}");
    }
    Ok(())
}
