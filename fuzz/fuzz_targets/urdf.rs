//! The URDF and SRDF readers on any text, and the checks of what they make of it: `cargo +nightly fuzz run urdf`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudar::query::{Batch, Body};
use sudar::{Cuboid, DVec3, Pose};
use sudar_robot::{CellOptions, EdgeOptions, LoadOptions, PairOptions, Robot, RobotCell};

fuzz_target!(|text: &str| {
    // Meshes would be read from the disk of whoever runs this.
    let options = LoadOptions { skip_missing_meshes: true, ..LoadOptions::default() };
    let Ok(mut robot) = Robot::parse(text, "/nowhere/fuzz.urdf", &options) else { return };
    let _ = robot.disable(text, "fuzz.srdf");
    if robot.dof() > 8 || robot.links().len() > 32 {
        return;
    }
    let q = robot.sample(8, 1);
    // Limits may be beyond what is computed with.
    if robot.forward(&q).is_err() {
        return;
    }
    let cube = Body::new(Cuboid::new(DVec3::splat(0.5)).unwrap());
    let scene = vec![("cube".to_owned(), cube, Pose::IDENTITY)];
    let options =
        CellOptions { pairs: PairOptions { samples: 8, ..PairOptions::default() }, ..CellOptions::default() };
    let Ok(cell) = RobotCell::new(&robot, scene, &options) else { return };
    let valid = cell.check(&q, &Batch::default()).unwrap();
    let edges = EdgeOptions { steps: 64, ..EdgeOptions::default() };
    let path = cell.check_path(&q, &edges, &Batch::default()).unwrap();
    for (edge, ends) in path.edges.iter().zip(valid.windows(2)) {
        assert!(!edge.is_free() || ends == [true, true], "{edge:?} between {ends:?}");
    }
});
