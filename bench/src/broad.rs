//! Table: which of many boxes overlap, from scratch and while they move.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use glam::DVec3;
use parry3d::bounding_volume::Aabb as ParryBox;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use rand::{RngExt, SeedableRng};
use rayon::ThreadPoolBuilder;
use sudar::Aabb;
use sudar::broad::{Algorithm, Mobility, candidate_pairs};

use crate::report::{Report, figure};
use crate::{machine, timing};

/// How many boxes, and by which algorithms.
#[derive(Debug, Args)]
pub struct Options {
    /// Numbers of boxes
    #[arg(long, num_args = 1.., default_values_t = [1_000, 10_000, 100_000])]
    boxes: Vec<usize>,
    /// Algorithms for moving boxes, by name
    #[arg(long, num_args = 1.., default_values_t = ["strips".to_owned(), "bvh".to_owned(), "auto".to_owned()])]
    algorithms: Vec<String>,
    /// Frames of moving boxes
    #[arg(long, default_value_t = 40)]
    frames: usize,
    /// Runs from scratch; the median counts
    #[arg(long, default_value_t = 9)]
    repeat: usize,
    /// Threads; 0 for all
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// How boxes are spread: edges of 0.8 to 1.2, all along a cube with 0.244 of them in a unit of volume, or in a blob.
#[derive(Debug, Clone, Copy)]
enum Spread {
    Uniform,
    Blob,
}

/// How far a box moves in a frame, along each axis at most.
const SPEEDS: [(&str, f64); 3] = [("still", 0.0), ("slow", 0.01), ("fast", 0.5)];

/// Times every number of boxes.
///
/// # Errors
/// If an algorithm has no such name or the tables cannot be written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let pool = ThreadPoolBuilder::new().num_threads(options.threads).build()?;
    let mut scratch = Report::new(&["from scratch, ms", "boxes", "pairs", "Sudar", "parry3d", "×"]);
    let mut moving = Report::new(&[
        "moving, ms a frame",
        "boxes",
        "speed",
        "algorithm",
        "mean",
        "median",
        "worst",
        "bytes/box",
    ]);
    for &n in &options.boxes {
        for spread in [Spread::Uniform, Spread::Blob] {
            let boxes = boxes(n, spread);
            scratch.row(pool.install(|| from_scratch(&boxes, spread, options.repeat)));
            for name in &options.algorithms {
                for speed in SPEEDS {
                    moving.row(pool.install(|| frames(&boxes, spread, speed, name, options.frames))?);
                }
            }
        }
    }
    writeln!(out, "{}", machine::header())?;
    writeln!(out, "{} threads. Frames: the first ten do not count.", pool.current_num_threads())?;
    scratch.print("Broad phase from scratch", out)?;
    moving.print("Broad phase, moving", out)
}

fn boxes(n: usize, spread: Spread) -> Vec<Aabb> {
    let mut rng = rand_pcg::Pcg64::seed_from_u64(5);
    let side = (n as f64 / 0.244).cbrt();
    let mut one = || {
        let center = match spread {
            Spread::Uniform => DVec3::from_array(std::array::from_fn(|_| rng.random_range(0.0..side))),
            // The sum of twelve is nearly normal.
            Spread::Blob => DVec3::from_array(std::array::from_fn(|_| {
                (0..12).map(|_| rng.random_range(-0.5..0.5)).sum::<f64>() * side / 6.0
            })),
        };
        let half = DVec3::from_array(std::array::from_fn(|_| rng.random_range(0.4..0.6)));
        Aabb { min: center - half, max: center + half }
    };
    (0..n).map(|_| one()).collect()
}

fn from_scratch(boxes: &[Aabb], spread: Spread, repeat: usize) -> Vec<String> {
    let pairs = candidate_pairs(boxes).len();
    let ours = timing::time(repeat, || candidate_pairs(boxes));
    let theirs = timing::time(repeat, || parry_pairs(boxes));
    let mut cells = vec![format!("{spread:?}"), boxes.len().to_string(), pairs.to_string()];
    cells.extend([ours * 1e-3, theirs * 1e-3, theirs / ours].map(figure));
    cells
}

fn parry_pairs(boxes: &[Aabb]) -> Vec<[u32; 2]> {
    let vector = |p: DVec3| Vector::new(p.x as f32, p.y as f32, p.z as f32);
    let leaves = boxes.iter().map(|b| ParryBox::new(vector(b.min), vector(b.max))).enumerate();
    let tree = Bvh::from_iter(BvhBuildStrategy::Binned, leaves);
    let mut pairs = Vec::new();
    tree.traverse_bvtt_single_tree::<false>(&mut BvhWorkspace::default(), &mut |i, j| pairs.push([i, j]));
    pairs
}

fn frames(
    boxes: &[Aabb],
    spread: Spread,
    (speed_name, speed): (&str, f64),
    name: &str,
    count: usize,
) -> Result<Vec<String>> {
    let algorithm =
        Algorithm::by_name(name).ok_or_else(|| anyhow::anyhow!("no broad phase is called {name}"))?;
    let (mut phase, mut boxes) = (algorithm.build(), boxes.to_vec());
    let mut rng = rand_pcg::Pcg64::seed_from_u64(6);
    let ways: Vec<DVec3> = boxes
        .iter()
        .map(|_| DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0) * speed)))
        .collect();
    let handles = boxes.iter().map(|b| phase.insert(*b, Mobility::Moving)).collect::<Result<Vec<_>, _>>()?;
    phase.step();
    let mut times = Vec::new();
    for _ in 0..count + 10 {
        for (b, way) in boxes.iter_mut().zip(&ways) {
            (b.min, b.max) = (b.min + *way, b.max + *way);
        }
        let start = Instant::now();
        phase.update_all(&handles, &boxes)?;
        std::hint::black_box(phase.step());
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let mut times = times.split_off(10);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let worst = times.iter().copied().fold(0.0, f64::max);
    let mut cells =
        vec![format!("{spread:?}"), boxes.len().to_string(), speed_name.to_owned(), name.to_owned()];
    cells.extend([mean, timing::median(&mut times), worst].map(figure));
    cells.push(figure(phase.memory() as f64 / boxes.len() as f64));
    Ok(cells)
}
