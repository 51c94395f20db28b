//! Configurations in lists beside the same one at a time: random ones among the obstacles of MotionBenchMaker, on one
//! thread.
//!
//! `SUDAR_DATA=… cargo run --release -p sudar-robot --example checks -- panda panda.urdf [PROBLEMS [BOXES]]`
//!
//! With BOXES above 0 the pairs of the robot are mapped first.
#![allow(clippy::print_stdout, reason = "it prints its table")]

mod problems;

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use sudar::query::Batch;
use sudar_robot::{CellOptions, LoadOptions, PairOptions, Robot, RobotCell, RobotError};

/// Configurations for each problem.
const COUNT: usize = 4096;
/// Lists as short as this are tested one configuration at a time.
const FEW: usize = 15;
/// The least of so many runs is taken.
const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (name, urdf) = (words.first().ok_or("name a robot")?, words.get(1).ok_or("name its URDF")?);
    let count: usize = words.get(2).map_or(Ok(10), |word| word.parse())?;
    let boxes: usize = words.get(3).map_or(Ok(0), |word| word.parse())?;
    let data = PathBuf::from(std::env::var_os("SUDAR_DATA").ok_or("SUDAR_DATA names no folder")?);
    let folder = data.join("robots").join(name);
    let srdf = Some(folder.join(format!("{name}.srdf")));
    let load = LoadOptions { srdf, skip_missing_meshes: true, ..LoadOptions::default() };
    let robot = Robot::load(folder.join(urdf), &load)?;
    let problems = problems::read(&data.join("planning").join(format!("mbm_{name}.json.gz")), &robot)?;
    let alone = RobotCell::new(&robot, Vec::new(), &CellOptions::default())?;
    let left_out = alone.self_pairs().iter().filter(|pair| !pair.is_checked());
    let ignored = left_out.map(|pair| pair.parts.map(|part| alone.parts()[part].name.clone())).collect();
    let pairs = PairOptions { samples: 0, ..PairOptions::default() };
    let mut cell =
        RobotCell::new(&robot, Vec::new(), &CellOptions { pairs, ignored, ..CellOptions::default() })?;
    if boxes > 0 {
        cell.map_pairs(boxes, &Batch::default());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (mut times, mut total, mut free, mut differ) = ([0.0; 2], 0, 0, 0);
    for (k, problem) in problems.iter().step_by((problems.len() / count).max(1)).enumerate() {
        problem.scene.iter().try_for_each(|(name, body, pose)| cell.add(name, body.clone(), *pose))?;
        let q = robot.sample(COUNT, k as u64);
        let (list, one) = pool.install(|| measure(&cell, &q, &mut times))?;
        total += list.len();
        free += list.iter().filter(|valid| **valid).count();
        differ += list.iter().zip(&one).filter(|(a, b)| a != b).count();
        problem.scene.iter().try_for_each(|(name, ..)| cell.remove(name).map(|_| ()))?;
    }
    let [list, one] = times.map(|seconds: f64| 1e6 * seconds / total as f64);
    println!(
        "| {urdf}, {boxes} boxes | {list:.3} | {one:.3} | {:.1} | {free} of {total} | {differ} |",
        one / list
    );
    Ok(())
}

/// The answers for all at once and for each by itself; their times are added.
fn measure(cell: &RobotCell, q: &[f64], times: &mut [f64; 2]) -> Result<(Vec<bool>, Vec<bool>), RobotError> {
    let (mut list, mut one) = (Vec::new(), Vec::new());
    let mut least = [f64::INFINITY; 2];
    let batch = Batch::default();
    for _ in 0..RUNS {
        let began = Instant::now();
        list = cell.check(q, &batch)?;
        least[0] = least[0].min(began.elapsed().as_secs_f64());
        let began = Instant::now();
        one.clear();
        for row in q.chunks(FEW * cell.robot().dof()) {
            one.extend(cell.check(row, &batch)?);
        }
        least[1] = least[1].min(began.elapsed().as_secs_f64());
    }
    times.iter_mut().zip(least).for_each(|(sum, least)| *sum += least);
    Ok((list, one))
}
