//! Table: the automatic choice of the broad phase beside all fixed ones, on scenes that are hard for one or another.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sudar::Aabb;
use sudar::broad::{BroadPhase, Handle, Mobility};
use sudar_classic::{ALL_BROAD_PHASES, broad_phase};

use crate::machine;
use crate::report::{Report, figure};

/// How many boxes and frames.
#[derive(Debug, Args)]
pub struct Options {
    /// Numbers of boxes
    #[arg(long, num_args = 1.., default_values_t = [1_000, 10_000])]
    boxes: Vec<usize>,
    /// Scenes, by their number from 0; all if none is named
    #[arg(long, num_args = 1..)]
    scenes: Vec<usize>,
    /// Frames; the first twenty do not count
    #[arg(long, default_value_t = 200)]
    frames: usize,
    /// Runs of the last ones left, in turn; the least time of each counts
    #[arg(long, default_value_t = 3)]
    repeat: usize,
}

/// Where boxes are.
const SCENES: [&str; 10] = [
    "uniform",
    "clustered",
    "one point",
    "planar",
    "sizes 1 to 10⁴",
    "some huge",
    "far away",
    "touching lattice",
    "one ulp apart",
    "one huge",
];

/// Share of the boxes that move in a frame, and how far at most along each axis, in edges of a usual box.
const MOTIONS: [(&str, f64, f64); 4] =
    [("still", 1.0, 0.0), ("slow", 1.0, 0.01), ("fast", 1.0, 0.5), ("few", 0.02, 0.1)];

/// Frames that do not count.
const FIRST: usize = 20;

/// Frames that count in the trial by which most are left out.
const TRIAL: usize = 20;

/// More pairs than this a box say more of memory than of the choice.
const MOST_PAIRS: usize = 1000;

/// A fixed one that is behind the best by so much is left out as soon as this is seen.
const HOPELESS: f64 = 8.0;

/// One that is behind by so much with fewer boxes is not tried with more.
const HOPELESS_WITH_FEWER: f64 = 30.0;

/// So many fixed ones, and none that is behind by more, are timed in turn with the automatic choice.
const FINALISTS: usize = 3;
const CLOSE: f64 = 2.0;

/// Times all of them, on one thread.
///
/// # Errors
/// If a box is refused or the table cannot be written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let columns = [
        "ms a frame",
        "boxes",
        "motion",
        "pairs",
        "best fixed",
        "its time",
        "auto",
        "its choice",
        "× the best",
    ];
    let mut table = Report::new(&columns);
    let fixed = &ALL_BROAD_PHASES[1..];
    let mut trials = Report::new(&[&["ms a frame", "boxes", "motion"][..], fixed].concat());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let chosen = |scene: &usize| options.scenes.is_empty() || options.scenes.contains(scene);
    for scene in (0..SCENES.len()).filter(chosen) {
        for motion in MOTIONS {
            let mut hopeless = vec![false; fixed.len()];
            for &n in &options.boxes {
                let film = Film::new(scene, n, motion, options.frames);
                if film.pairs() > MOST_PAIRS * n {
                    continue;
                }
                let head = [SCENES[scene].to_owned(), n.to_string(), motion.0.to_owned()];
                let tried = pool.install(|| tried(&film, fixed, &mut hopeless))?;
                trials.row(head.iter().cloned().chain(tried.iter().map(Trial::text)).collect());
                let last = pool.install(|| compared(&film, fixed, &tried, options.repeat))?;
                table.row(head.into_iter().chain(last).collect());
            }
        }
    }
    writeln!(out, "{}", machine::header())?;
    writeln!(out, "One thread, frames {} to {}.", FIRST + 1, options.frames)?;
    table.print("The automatic choice beside the best fixed broad phase", out)?;
    writeln!(
        out,
        "\nFrames {} to {}. \">\": left out after a few frames that took so long.",
        FIRST + 1,
        FIRST + TRIAL
    )?;
    trials.print("All fixed broad phases", out)
}

/// What a short run of a fixed one came to, in milliseconds a frame.
#[derive(Debug, Clone, Copy)]
enum Trial {
    Mean(f64),
    /// Left out after frames of this mean.
    Behind(f64),
    /// Left out because of what it took for fewer boxes.
    Skipped,
}

impl Trial {
    fn text(&self) -> String {
        match self {
            Self::Mean(mean) => figure(*mean),
            Self::Behind(mean) => format!("> {}", figure(*mean)),
            Self::Skipped => "> behind".to_owned(),
        }
    }
}

/// Short runs of all fixed ones, the quick ones first, so that the others are left out soon.
fn tried(film: &Film, fixed: &[&'static str], hopeless: &mut [bool]) -> Result<Vec<Trial>> {
    let mut trials = vec![Trial::Skipped; fixed.len()];
    let mut best = f64::INFINITY;
    for (k, algorithm) in fixed.iter().enumerate().rev() {
        if !hopeless[k] {
            trials[k] = film.trial(algorithm, HOPELESS * best)?;
        }
        if let Trial::Mean(mean) = trials[k] {
            best = best.min(mean);
        }
    }
    for (hopeless, trial) in hopeless.iter_mut().zip(&trials) {
        *hopeless |= matches!(trial, Trial::Behind(mean) if *mean > HOPELESS_WITH_FEWER * best);
    }
    Ok(trials)
}

/// The best of the fixed ones and the automatic choice, in turn.
fn compared(film: &Film, fixed: &[&'static str], trials: &[Trial], repeat: usize) -> Result<Vec<String>> {
    let mut ranked: Vec<(f64, &'static str)> = Vec::new();
    for (trial, algorithm) in trials.iter().zip(fixed) {
        if let Trial::Mean(mean) = trial {
            ranked.push((*mean, *algorithm));
        }
    }
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let best = ranked.first().map_or(f64::INFINITY, |first| first.0);
    ranked.retain(|(mean, _)| *mean <= CLOSE * best);
    ranked.truncate(FINALISTS);
    let mut times: Vec<(f64, &'static str)> = ranked.iter().map(|(_, a)| (f64::INFINITY, *a)).collect();
    let (mut auto, mut end) = (f64::INFINITY, None);
    for _ in 0..repeat {
        for (time, algorithm) in &mut times {
            *time = time.min(film.whole(algorithm)?.0);
        }
        let (time, last) = film.whole("auto")?;
        (auto, end) = (auto.min(time), Some(last));
    }
    let first = times.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
    let (best, name) = first.map_or((f64::INFINITY, "none"), |(time, algorithm)| (time, algorithm));
    let (pairs, choice) = end.unwrap_or((0, "auto".to_owned()));
    let mut cells = vec![pairs.to_string(), name.to_owned(), figure(best), figure(auto)];
    cells.extend([choice, format!("{:.2}", auto / best)]);
    Ok(cells)
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

    /// A short run, shorter yet if it is behind the limit.
    fn trial(&self, algorithm: &str, limit: f64) -> Result<Trial> {
        let mut shot = Shot::new(self, algorithm)?;
        let (mut early, mut sum) = (0.0, 0.0);
        for frame in 1..=FIRST + TRIAL {
            let time = shot.frame(frame)?;
            early += time;
            if frame > FIRST {
                sum += time;
            }
            let mean = early / frame as f64;
            if frame >= 4 && mean > limit {
                return Ok(Trial::Behind(mean));
            }
        }
        Ok(Trial::Mean(sum / TRIAL as f64))
    }

    /// Mean time of a frame that counts, in milliseconds; the pairs at the end and which algorithm found them.
    fn whole(&self, algorithm: &str) -> Result<(f64, (usize, String))> {
        let mut shot = Shot::new(self, algorithm)?;
        let mut sum = 0.0;
        for frame in 1..=self.frames {
            let time = shot.frame(frame)?;
            sum += if frame > FIRST { time } else { 0.0 };
        }
        let mean = sum / (self.frames - FIRST) as f64;
        Ok((mean, (shot.phase.pairs().len(), shot.phase.choice().algorithm)))
    }
}

/// A film as one broad phase sees it.
struct Shot<'a> {
    film: &'a Film,
    boxes: Vec<Aabb>,
    phase: Box<dyn BroadPhase>,
    handles: Vec<Handle>,
    rng: Pcg64,
    moved: Vec<usize>,
}

impl<'a> Shot<'a> {
    fn new(film: &'a Film, algorithm: &str) -> Result<Self> {
        let boxes = film.boxes.clone();
        let mut phase = broad_phase(algorithm)?;
        let handles =
            boxes.iter().map(|b| phase.insert(*b, Mobility::Moving)).collect::<Result<Vec<_>, _>>()?;
        phase.step();
        Ok(Self { film, boxes, phase, handles, rng: Pcg64::seed_from_u64(12), moved: Vec::new() })
    }

    /// Moves boxes and finds the pairs; the time is that of the broad phase.
    fn frame(&mut self, frame: usize) -> Result<f64> {
        // Boxes turn back after a while, so that the scene stays what it is.
        let sign = if (frame / 40).is_multiple_of(2) { 1.0 } else { -1.0 };
        self.moved.clear();
        for (k, (b, way)) in self.boxes.iter_mut().zip(&self.film.ways).enumerate() {
            if self.film.share == 1.0 || self.rng.random_bool(self.film.share) {
                (b.min, b.max) = (b.min + *way * sign, b.max + *way * sign);
                self.moved.push(k);
            }
        }
        let start = Instant::now();
        if self.film.share == 1.0 {
            self.phase.update_all(&self.handles, &self.boxes)?;
        } else {
            self.moved.iter().try_for_each(|&k| self.phase.update(self.handles[k], self.boxes[k]))?;
        }
        std::hint::black_box(self.phase.step().added.len());
        Ok(start.elapsed().as_secs_f64() * 1e3)
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
        9 => (place, if k == 7 { half * 1e4 } else { half }),
        6 => (place + DVec3::new(1e9, -2e9, 3e9), half),
        7 | 8 => (place.floor() + 0.5, DVec3::splat(if scene == 7 { 0.5 } else { 0.5_f64.next_down() })),
        _ => (place, half),
    };
    Aabb { min: center - half, max: center + half }
}
