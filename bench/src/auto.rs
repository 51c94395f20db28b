//! Table: the automatic choice of the broad phase beside all fixed ones, on scenes that are hard for one or another.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::Aabb;
use sudar::broad::{Algorithm, Mobility};

use crate::machine;
use crate::report::{Report, figure};

/// How many boxes and frames.
#[derive(Debug, Args)]
pub struct Options {
    /// Numbers of boxes
    #[arg(long, num_args = 1.., default_values_t = [1_000, 10_000])]
    boxes: Vec<usize>,
    /// Frames; the first twenty do not count
    #[arg(long, default_value_t = 200)]
    frames: usize,
    /// Runs of each; the least time counts
    #[arg(long, default_value_t = 2)]
    repeat: usize,
}

/// Where boxes are.
const SCENES: [&str; 9] = [
    "uniform",
    "clustered",
    "one point",
    "planar",
    "sizes 1 to 10⁴",
    "some huge",
    "far away",
    "touching lattice",
    "one ulp apart",
];

/// Share of the boxes that move in a frame, and how far at most along each axis, in edges of a usual box.
const MOTIONS: [(&str, f64, f64); 3] = [("slow", 1.0, 0.01), ("fast", 1.0, 0.5), ("few", 0.02, 0.1)];

/// Frames that do not count.
const FIRST: usize = 20;

/// More pairs than this a box say more of memory than of the choice.
const MOST_PAIRS: usize = 1000;

/// A fixed one that is behind the best by so much after the first frames is left out.
const HOPELESS: f64 = 8.0;

/// Times all of them, on one thread.
///
/// # Errors
/// If a box is refused or the table cannot be written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let mut table = Report::new(&[
        "ms a frame",
        "boxes",
        "motion",
        "pairs",
        "best fixed",
        "its time",
        "auto",
        "× the best",
    ]);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for &n in &options.boxes {
        for scene in 0..SCENES.len() {
            for motion in MOTIONS {
                let film = Film::new(scene, n, motion, options.frames);
                if let Some(row) = pool.install(|| compared(&film, n, scene, motion.0, options.repeat))? {
                    table.row(row);
                }
            }
        }
    }
    writeln!(out, "{}", machine::header())?;
    writeln!(out, "One thread, frames {} to {}.", FIRST + 1, options.frames)?;
    table.print("The automatic choice beside the best fixed broad phase", out)
}

fn compared(film: &Film, n: usize, scene: usize, motion: &str, repeat: usize) -> Result<Option<Vec<String>>> {
    let (mut best, mut name, mut pairs) = (f64::INFINITY, "", 0);
    if film.pairs() > MOST_PAIRS * n {
        return Ok(None);
    }
    let mut auto = f64::INFINITY;
    for _ in 0..repeat {
        // The quick ones first, so that the others are left out soon.
        for algorithm in Algorithm::ALL.into_iter().rev() {
            let Some((time, found)) = film.time(algorithm, HOPELESS * best)? else { continue };
            if algorithm == Algorithm::Auto {
                (auto, pairs) = (auto.min(time), found);
            } else if time < best {
                (best, name) = (time, algorithm.name());
            }
        }
    }
    let mut row = vec![SCENES[scene].to_owned(), n.to_string(), motion.to_owned(), pairs.to_string()];
    row.push(name.to_owned());
    row.extend([best, auto, auto / best].map(figure));
    Ok(Some(row))
}

/// Boxes and how they move, the same for all.
struct Film {
    boxes: Vec<Aabb>,
    ways: Vec<DVec3>,
    share: f64,
    frames: usize,
}

impl Film {
    fn new(scene: usize, n: usize, (_, share, speed): (&str, f64, f64), frames: usize) -> Self {
        let mut rng = Pcg64::seed_from_u64(11);
        let boxes = (0..n).map(|k| drawn(&mut rng, scene, n, k)).collect();
        let mut one = || rng.random_range(-1.0..1.0) * speed;
        let ways = (0..n).map(|_| DVec3::new(one(), one(), one())).collect();
        Self { boxes, ways, share, frames }
    }

    fn pairs(&self) -> usize {
        sudar::broad::candidate_pairs(&self.boxes).len()
    }

    /// Mean time of a frame that counts, in milliseconds, and the pairs at the end; `None` if it is behind the limit.
    fn time(&self, algorithm: Algorithm, limit: f64) -> Result<Option<(f64, usize)>> {
        let mut boxes = self.boxes.clone();
        let mut phase = algorithm.build();
        let handles =
            boxes.iter().map(|b| phase.insert(*b, Mobility::Moving)).collect::<Result<Vec<_>, _>>()?;
        phase.step();
        let mut rng = Pcg64::seed_from_u64(12);
        let mut sum = 0.0;
        for frame in 1..=self.frames {
            // Boxes turn back after a while, so that the scene stays what it is.
            let sign = if frame / 40 % 2 == 0 { 1.0 } else { -1.0 };
            let mut moved = Vec::new();
            for (k, (b, way)) in boxes.iter_mut().zip(&self.ways).enumerate() {
                if self.share == 1.0 || rng.random_bool(self.share) {
                    (b.min, b.max) = (b.min + *way * sign, b.max + *way * sign);
                    moved.push(k);
                }
            }
            let start = Instant::now();
            if self.share == 1.0 {
                phase.update_all(&handles, &boxes)?;
            } else {
                moved.iter().try_for_each(|&k| phase.update(handles[k], boxes[k]))?;
            }
            std::hint::black_box(phase.step().added.len());
            let time = start.elapsed().as_secs_f64() * 1e3;
            if frame > FIRST {
                sum += time;
            }
            let counted = frame.saturating_sub(FIRST);
            let behind = counted >= 5 && sum / counted as f64 > limit || frame > 2 && time > 4.0 * limit;
            if algorithm != Algorithm::Auto && behind {
                return Ok(None);
            }
        }
        Ok(Some((sum / (self.frames - FIRST) as f64, phase.pairs().len())))
    }
}

fn drawn(rng: &mut Pcg64, scene: usize, n: usize, k: usize) -> Aabb {
    let side = (n as f64 / 0.244).cbrt();
    let mut cube = |side: f64| {
        let mut one = || rng.random_range(0.0..side);
        DVec3::new(one(), one(), one())
    };
    let half = cube(0.2) + DVec3::splat(0.4);
    let place = cube(side);
    let (center, half) = match scene {
        1 => (DVec3::splat((k % 3) as f64 * 20.0 * side) + 0.5 * place, half),
        2 => (DVec3::ZERO, half),
        3 => (place * DVec3::new(2.0, 2.0, 0.0), half),
        4 => (4.0 * place, half * 1e-3 * libm::pow(1e4, (k % 101) as f64 / 100.0)),
        5 => (place, if k % 100 == 7 { half * 1e4 } else { half }),
        6 => (place + DVec3::new(1e9, -2e9, 3e9), half),
        7 | 8 => (place.floor() + 0.5, DVec3::splat(if scene == 7 { 0.5 } else { 0.5_f64.next_down() })),
        _ => (place, half),
    };
    Aabb { min: center - half, max: center + half }
}
