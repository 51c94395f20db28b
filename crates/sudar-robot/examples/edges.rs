//! Certified edges beside samples: random edges of a robot among the obstacles of MotionBenchMaker, on one thread.
//!
//! `SUDAR_DATA=… cargo run --release -p sudar-robot --example edges -- panda panda.urdf [PROBLEMS [BOXES [PART]]]`
//!
//! With BOXES above 0 the pairs of the robot are mapped first. Edges go PART of the way between free configurations.
#![allow(clippy::print_stdout, reason = "it prints its table")]

mod problems;

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use sudar::query::Batch;
use sudar_robot::{
    CellOptions, EdgeOptions, LoadOptions, MapReport, PairOptions, Robot, RobotCell, RobotError,
};

/// Samples of an edge that are compared with its certificate.
const SAMPLES: usize = 50;

/// What edges took, in seconds, and how many there were.
#[derive(Default)]
struct Times {
    count: usize,
    certified: f64,
    reported: f64,
    sampled: f64,
    undecided: usize,
    differ: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (name, urdf) = (words.first().ok_or("name a robot")?, words.get(1).ok_or("name its URDF")?);
    let count: usize = words.get(2).map_or(Ok(10), |word| word.parse())?;
    let boxes: Option<usize> = words.get(3).map(|word| word.parse()).transpose()?;
    let part: f64 = words.get(4).map_or(Ok(0.3), |word| word.parse())?;
    let data = PathBuf::from(std::env::var_os("SUDAR_DATA").ok_or("SUDAR_DATA names no folder")?);
    let folder = data.join("robots").join(name);
    let srdf = Some(folder.join(format!("{name}.srdf")));
    let load = LoadOptions { srdf, skip_missing_meshes: true, ..LoadOptions::default() };
    let robot = Robot::load(folder.join(urdf), &load)?;
    let file = data.join("planning").join(format!("mbm_{name}.json.gz"));
    let problems = problems::read(&file, &robot)?;
    let alone = RobotCell::new(&robot, Vec::new(), &CellOptions::default())?;
    let pairs = alone.self_pairs().iter().filter(|pair| !pair.is_checked());
    let ignored = pairs.map(|pair| pair.parts.map(|part| alone.parts()[part].name.clone())).collect();
    let pairs = PairOptions { samples: 0, ..PairOptions::default() };
    let options = CellOptions { pairs, ignored, ..CellOptions::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut all = [Times::default(), Times::default()];
    let mut cell = RobotCell::new(&robot, Vec::new(), &options)?;
    if let Some(boxes) = boxes.filter(|boxes| *boxes > 0) {
        let began = Instant::now();
        let MapReport { pairs, boxes, free } = cell.map_pairs(boxes, &Batch::default());
        let seconds = began.elapsed().as_secs_f64();
        println!("{pairs} pairs mapped by {boxes} boxes in {seconds:.2} s, {:.1} % free\n", 100.0 * free);
    }
    for (k, problem) in problems.iter().step_by((problems.len() / count).max(1)).enumerate() {
        problem.scene.iter().try_for_each(|(name, body, pose)| cell.add(name, body.clone(), *pose))?;
        pool.install(|| measure(&cell, part, k as u64, &mut all))?;
        problem.scene.iter().try_for_each(|(name, ..)| cell.remove(name).map(|_| ()))?;
    }
    println!(
        "| edges | count | µs, first contact | µs, free or not | µs, {SAMPLES} samples | undecided | differ |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (name, times) in ["free", "blocked"].into_iter().zip(&all) {
        let each = |seconds: f64| 1e6 * seconds / times.count.max(1) as f64;
        println!(
            "| {name} | {} | {:.0} | {:.0} | {:.0} | {} | {} |",
            times.count,
            each(times.certified),
            each(times.reported),
            each(times.sampled),
            times.undecided,
            times.differ
        );
    }
    Ok(())
}

fn measure(cell: &RobotCell, part: f64, seed: u64, all: &mut [Times; 2]) -> Result<(), RobotError> {
    let robot = cell.robot();
    let q = robot.sample(2000, seed);
    let valid = cell.check(&q, &Batch::default())?;
    let free: Vec<&[f64]> =
        q.chunks(robot.dof()).zip(valid).filter(|(_, valid)| *valid).map(|(q, _)| q).take(200).collect();
    for pair in free.windows(2) {
        let end: Vec<f64> = pair[0].iter().zip(pair[1]).map(|(a, b)| a + part * (b - a)).collect();
        let times = (1..=SAMPLES).map(|k| k as f64 / SAMPLES as f64);
        let samples: Vec<f64> =
            times.flat_map(|t| pair[0].iter().zip(&end).map(move |(a, b)| a + t * (b - a))).collect();
        let batch = Batch::default();
        let began = Instant::now();
        cell.check(&samples, &batch)?;
        let sampled = began.elapsed().as_secs_f64();
        let began = Instant::now();
        let answer = cell.check_edges(pair[0], &end, &EdgeOptions::default(), &batch)?[0];
        let certified = began.elapsed().as_secs_f64();
        let began = Instant::now();
        let quick = EdgeOptions { locate: false, ..EdgeOptions::default() };
        let is_free = cell.check_edges(pair[0], &end, &quick, &batch)?[0].is_free();
        let reported = began.elapsed().as_secs_f64();
        let times = &mut all[usize::from(!answer.is_free())];
        times.count += 1;
        times.sampled += sampled;
        times.certified += certified;
        times.reported += reported;
        times.differ += usize::from(is_free != answer.is_free());
        times.undecided += usize::from(matches!(answer, sudar_robot::EdgeAnswer::Undecided { .. }));
    }
    Ok(())
}
