//! Table: which of many boxes overlap, from scratch and while they move.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rayon::ThreadPoolBuilder;
use sudar::Aabb;
use sudar::broad::{BroadPhase, Handle, Mobility, candidate_pairs};

use crate::broad_rivals::{FOLLOWERS, FROM_SCRATCH, Follows};
use crate::report::{Report, figure};
use crate::{machine, timing};

/// How many boxes, and by which algorithms.
#[derive(Debug, Args)]
pub struct Options {
    /// Numbers of boxes
    #[arg(long, num_args = 1.., default_values_t = [1_000, 10_000, 100_000])]
    boxes: Vec<usize>,
    /// Algorithms for moving boxes, by name; those of other libraries are rapier3d, rapier3d-batch, parry3d
    /// and box3d-rust
    #[arg(long, num_args = 1.., default_values_t = ["strips", "bvh", "auto", "rapier3d", "rapier3d-batch", "parry3d", "box3d-rust"].map(str::to_owned))]
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

/// How boxes move.
#[derive(Debug, Clone, Copy)]
struct Motion {
    name: &'static str,
    /// How far in a frame, along each axis at most.
    speed: f64,
    /// One of so many moves.
    every: usize,
    /// Whether broad phases are given only the boxes that moved.
    told: bool,
}

const MOTIONS: [Motion; 5] = [
    Motion { name: "still", speed: 0.0, every: 1, told: false },
    Motion { name: "slow", speed: 0.01, every: 1, told: false },
    Motion { name: "fast", speed: 0.5, every: 1, told: false },
    Motion { name: "still, told", speed: 0.0, every: 1, told: true },
    Motion { name: "1 of 1000 slow, told", speed: 0.01, every: 1000, told: true },
];

/// Times every number of boxes.
///
/// # Errors
/// If an algorithm has no such name or the tables cannot be written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let pool = ThreadPoolBuilder::new().num_threads(options.threads).build()?;
    let rivals = FROM_SCRATCH.map(|rival| rival.name);
    let mut scratch = Report::new(
        &[&["from scratch, ms", "boxes", "pairs", "Sudar"][..], &rivals, &["× the best"]].concat(),
    );
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
                for motion in MOTIONS {
                    moving.row(pool.install(|| frames(&boxes, spread, motion, name, options.frames))?);
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
    let theirs = FROM_SCRATCH.map(|rival| timing::time(repeat, || (rival.pairs)(boxes)));
    let best = theirs.iter().copied().fold(f64::INFINITY, f64::min);
    let mut cells =
        vec![format!("{spread:?}"), boxes.len().to_string(), pairs.to_string(), figure(ours * 1e-3)];
    cells.extend(theirs.map(|time| figure(time * 1e-3)));
    cells.push(figure(best / ours));
    cells
}

fn frames(boxes: &[Aabb], spread: Spread, motion: Motion, name: &str, count: usize) -> Result<Vec<String>> {
    let mut follower = follower(boxes, name)?;
    let mut boxes = boxes.to_vec();
    let Motion { speed, every, told, .. } = motion;
    let moved: Vec<u32> = (0..boxes.len() as u32).step_by(every).filter(|_| speed > 0.0).collect();
    let mut rng = rand_pcg::Pcg64::seed_from_u64(6);
    let ways: Vec<DVec3> = boxes
        .iter()
        .map(|_| DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0) * speed)))
        .collect();
    let mut times = Vec::new();
    for _ in 0..count + 10 {
        for (b, way) in boxes.iter_mut().zip(&ways).step_by(every) {
            (b.min, b.max) = (b.min + *way, b.max + *way);
        }
        let start = Instant::now();
        std::hint::black_box(if told { follower.told(&boxes, &moved) } else { follower.frame(&boxes) });
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let mut times = times.split_off(10);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let worst = times.iter().copied().fold(0.0, f64::max);
    let mut cells =
        vec![format!("{spread:?}"), boxes.len().to_string(), motion.name.to_owned(), name.to_owned()];
    cells.extend([mean, timing::median(&mut times), worst].map(figure));
    cells.push(follower.memory().map_or("–".to_owned(), |bytes| figure(bytes as f64 / boxes.len() as f64)));
    Ok(cells)
}

/// One of ours, or of another library, by name.
fn follower(boxes: &[Aabb], name: &str) -> Result<Box<dyn Follows>> {
    if let Some((_, make)) = FOLLOWERS.iter().find(|(known, _)| *known == name) {
        return Ok(make(boxes));
    }
    let mut phase = sudar_classic::broad_phase(name)?;
    let handles = boxes.iter().map(|b| phase.insert(*b, Mobility::Moving)).collect::<Result<Vec<_>, _>>()?;
    phase.step();
    Ok(Box::new(Own { phase, handles }))
}

/// A broad phase of Sudar.
struct Own {
    phase: Box<dyn BroadPhase>,
    handles: Vec<Handle>,
}

impl Follows for Own {
    fn frame(&mut self, boxes: &[Aabb]) -> usize {
        let moved = self.phase.update_all(&self.handles, boxes);
        moved.map_or(0, |()| self.phase.step().added.len())
    }

    fn told(&mut self, boxes: &[Aabb], moved: &[u32]) -> usize {
        let (handles, boxes): (Vec<Handle>, Vec<Aabb>) =
            moved.iter().map(|&i| (self.handles[i as usize], boxes[i as usize])).unzip();
        self.phase.update_all(&handles, &boxes).map_or(0, |()| self.phase.step().added.len())
    }

    fn memory(&self) -> Option<usize> {
        Some(self.phase.memory())
    }
}
