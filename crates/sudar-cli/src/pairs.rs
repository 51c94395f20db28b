//! `sudar pairs`: overlapping boxes by every broad phase.

mod schedule;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, anyhow, ensure};
use serde::Serialize;
use sudar::Aabb;
use sudar::broad::{Listing, Output};
use sudar_classic::{ALL_BROAD_PHASES, broad_phase};
use sudar_formats::read_boxes;

use crate::common::{Threads, one_of};
use crate::help;
use crate::progress::Waiting;
use crate::report::{self, Verdict};
use schedule::{Schedule, ScheduleArgs};

/// Finds overlapping boxes by every broad phase, side by side.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// The boxes: a NumPy array of n x 6 numbers, minx, miny, minz, maxx, maxy, maxz.
    #[arg(value_name = "BOXES.npy")]
    input: PathBuf,
    /// Only these algorithms, separated by commas [default: all that finish in a reasonable time].
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = one_of(ALL_BROAD_PHASES, |name| *name), hide_possible_values = true)]
    algorithm: Vec<&'static str>,
    /// Find the pairs up to N times with each, not beyond ten seconds, and print the least time.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeat: u32,
    #[command(flatten)]
    schedule: ScheduleArgs,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: Threads,
}

const HELP: &str = "\
Every algorithm starts from scratch and lists the same pairs; touching counts as overlapping. A box with a coordinate
that is not a finite number, or which ends before it begins, is an error that names it.

  ms       least time of the repetitions, from the boxes to the sorted list
  memory   what the structure keeps beyond the boxes and the list, in bytes per box
  tests    pairs of boxes that were compared
  visits   nodes, cells and list entries that were visited
  swaps    end points swapped, or boxes put into the structure

Names: auto, brute, axis, intervals, sap, grid2d, grid3d, uniform, hash, quadtree, octree-dup, octree, kd, bsp, bvh,
strips. Without --algorithm, those that grow with the square of the number are left out beyond 30000 boxes (brute,
intervals, axis) and those with lists in a hash beyond 300000 (sap, grid2d, grid3d, hash), and those that would take more than
about ten seconds because so many boxes overlap, as a sample of them tells; the table says which. Of more than about ten million
pairs no list is made: they are counted.

With --budget the pairs that overlap are tested exactly, as far as there is work for it (Daneu 2002; Dingliana and O'Sullivan
2000): of each box the largest ellipsoid in it stands for its body, and each test costs a node at least. Pairs that are late
or undecided count as colliding. sequential: the best seen first; the last may wait for ever. queues: what covers more than
a twentieth of the view in every frame, a two-hundredth in every fourth, the rest in every sixteenth. shares: the time of a
frame dealt out as in the bumper cars of 2002.

JSON: {\"file\",\"boxes\":n,\"runs\":[{\"algorithm\",\"used\",\"why\",\"pairs\",\"ms\",\"bytes\",\"tests\",\"visits\",\"swaps\"}],\"left_out\":[…],\"listed\":bool}, with --budget
\"schedule\":{\"order\",\"budget\",\"frames\":[{\"nodes\",\"tested\":[[i,j],…],\"real\":[…],\"undecided\":[…],\"late\":[…]}]}

Exit status: 0, or 2 if the file could not be read or a box is refused.

Example:
  sudar pairs boxes.npy --algorithm auto,bvh,octree
  sudar pairs boxes.npy --budget 500 --camera 0,-20,5,0,0,0";

#[derive(Debug, Serialize)]
struct Document {
    file: String,
    boxes: usize,
    runs: Vec<Run>,
    left_out: Vec<&'static str>,
    /// Whether lists were made, and the pairs not only counted.
    listed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<Schedule>,
    #[serde(skip)]
    about: f64,
}

#[derive(Debug, Serialize)]
struct Run {
    algorithm: &'static str,
    used: String,
    why: String,
    pairs: u64,
    ms: f64,
    bytes: usize,
    tests: u64,
    visits: u64,
    swaps: u64,
}

pub fn run(args: &Args) -> Result<Verdict> {
    args.threads.apply(0)?;
    let waiting = Waiting::new("finding pairs");
    let file = args.input.display().to_string();
    let boxes = read_boxes(&args.input)?;
    let infinite =
        boxes.iter().position(|b| b.min.to_array().iter().chain(&b.max.to_array()).any(|x| x.is_infinite()));
    if let Some(index) = infinite {
        return Err(anyhow!("{file}: box {index} has an infinite coordinate; give six finite numbers"));
    }
    let load = Load::of(&boxes);
    let (chosen, left_out): (Vec<_>, Vec<_>) = if args.algorithm.is_empty() {
        ALL_BROAD_PHASES.into_iter().partition(|algorithm| load.is_reasonable_for(algorithm))
    } else {
        (args.algorithm.clone(), Vec::new())
    };
    let listed = load.pairs <= MOST_LISTED;
    let failed = |error| anyhow!("{file}: {error}");
    if let Some(first) = chosen.first() {
        // Threads are started and code is loaded before the first row is timed.
        pairs_of(first, &boxes[..boxes.len().min(WARM)], listed).map_err(failed)?;
    }
    let runs: Vec<Run> = chosen
        .into_iter()
        .map(|algorithm| timed(algorithm, &boxes, args.repeat, listed).map_err(failed))
        .collect::<Result<_>>()?;
    ensure!(
        runs.windows(2).all(|two| two[0].pairs == two[1].pairs),
        "{file}: the algorithms disagree; report this"
    );
    let schedule = scheduled(&args.schedule, &boxes, listed).map_err(|error| anyhow!("{file}: {error}"))?;
    drop(waiting);
    let document = Document { file, boxes: boxes.len(), runs, left_out, listed, schedule, about: load.pairs };
    report::give(args.json, &document, || text(&document))?;
    Ok(Verdict::Clean)
}

fn scheduled(args: &ScheduleArgs, boxes: &[Aabb], listed: bool) -> Result<Option<Schedule>> {
    ensure!(listed || !args.is_wanted(), "too many pairs overlap to be tested one by one");
    if !args.is_wanted() {
        return Ok(None);
    }
    let pairs = pairs_of("auto", boxes, true)?.pairs;
    schedule::schedule(args, boxes, &pairs)
}

/// Boxes of the run before the first that is timed, at most.
const WARM: usize = 10_000;
/// More pairs are counted without a list.
const MOST_LISTED: f64 = 1e7;
/// Seconds that an algorithm may take, about.
const PATIENCE: f64 = 10.0;

/// How much there is to do, from a sample.
struct Load {
    boxes: usize,
    /// Pairs of boxes that overlap, about.
    pairs: f64,
    /// Pairs that overlap on each axis, about.
    along: [f64; 3],
}

impl Load {
    fn of(boxes: &[Aabb]) -> Self {
        const SAMPLE: usize = 64;
        let step = boxes.len().div_ceil(SAMPLE).max(1);
        let (mut pairs, mut along) = (0u64, [0u64; 3]);
        for (i, one) in boxes.iter().enumerate().step_by(step) {
            for (_, other) in boxes.iter().enumerate().filter(|(j, _)| *j != i) {
                let meets = one.min.cmple(other.max) & other.min.cmple(one.max);
                pairs += u64::from(meets.all());
                along.iter_mut().enumerate().for_each(|(k, n)| *n += u64::from(meets.test(k)));
            }
        }
        // Each pair is seen from both of its boxes.
        let scale = boxes.len() as f64 / boxes.len().div_ceil(step).max(1) as f64 / 2.0;
        Self { boxes: boxes.len(), pairs: pairs as f64 * scale, along: along.map(|n| n as f64 * scale) }
    }

    /// Whether an algorithm takes seconds at most.
    fn is_reasonable_for(&self, algorithm: &str) -> bool {
        let n = self.boxes as f64;
        let (most, nanoseconds) = match algorithm {
            "brute" => (30_000, n * n / 16.0 + self.pairs),
            "axis" => (30_000, 4.0 * self.along.iter().copied().fold(f64::INFINITY, f64::min)),
            "intervals" => (30_000, 20.0 * self.along.iter().sum::<f64>()),
            "sap" => (300_000, 40.0 * self.pairs),
            "grid2d" | "grid3d" | "hash" => (300_000, 8.0 * self.pairs),
            "auto" | "strips" => (usize::MAX, self.pairs),
            _ => (usize::MAX, 8.0 * self.pairs),
        };
        self.boxes <= most && nanoseconds <= 1e9 * PATIENCE
    }
}

fn pairs_of(algorithm: &str, boxes: &[Aabb], listed: bool) -> Result<Listing> {
    Ok(broad_phase(algorithm)?.list(boxes, if listed { Output::Pairs } else { Output::Count })?)
}

fn timed(algorithm: &'static str, boxes: &[Aabb], repeat: u32, listed: bool) -> Result<Run> {
    let begin = Instant::now();
    let mut listing = pairs_of(algorithm, boxes, listed)?;
    let mut ms = begin.elapsed().as_secs_f64() * 1e3;
    for _ in 1..repeat {
        if begin.elapsed().as_secs_f64() > PATIENCE {
            break;
        }
        let start = Instant::now();
        listing = pairs_of(algorithm, boxes, listed)?;
        ms = ms.min(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(Run {
        algorithm,
        used: listing.choice.algorithm,
        why: listing.choice.reason,
        pairs: listing.count,
        ms,
        bytes: listing.memory,
        tests: listing.counters.tests,
        visits: listing.counters.visits,
        swaps: listing.counters.swaps,
    })
}

fn text(document: &Document) -> String {
    let Document { file, boxes, runs, left_out, listed, about, .. } = document;
    let header = ["algorithm", "pairs", "ms", "bytes a box", "tests", "visits", "swaps"];
    let rows = runs.iter().map(|run| {
        let name = if run.used == run.algorithm {
            run.used.clone()
        } else {
            format!("{} ({})", run.algorithm, run.used)
        };
        let bytes = run.bytes as f64 / (*boxes).max(1) as f64;
        let counts = [run.tests, run.visits, run.swaps].map(|count| count.to_string());
        [vec![name, run.pairs.to_string(), report::short(run.ms), report::short(bytes)], counts.to_vec()]
            .concat()
    });
    let mut text =
        format!("{file}: {}\n", if *boxes == 1 { "1 box".to_owned() } else { format!("{boxes} boxes") });
    text += &report::table(&header, &[1, 2, 3, 4, 5, 6], rows);
    for run in runs.iter().filter(|run| run.algorithm != run.used) {
        text += &format!("{}: {}\n", run.algorithm, run.why);
    }
    text += &document.schedule.as_ref().map_or_else(String::new, Schedule::text);
    if !listed {
        text += &format!("about {about:.1e} pairs, so that they were counted and not listed\n");
    }
    if !left_out.is_empty() {
        text += &format!("left out, for they would take long: {}\n", left_out.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_goes_through_billions_of_pairs_is_begun_but_counting() {
        // All of 95 000 boxes are in one place: 4.5e9 pairs.
        let boxes = vec![Aabb { min: sudar::DVec3::ZERO, max: sudar::DVec3::ONE }; 95_000];
        let load = Load::of(&boxes);
        assert!((load.pairs / (95_000.0 * 94_999.0 / 2.0) - 1.0).abs() < 1e-4, "{}", load.pairs);
        let begun: Vec<&str> =
            ALL_BROAD_PHASES.into_iter().filter(|name| load.is_reasonable_for(name)).collect();
        assert_eq!(begun, ["auto", "strips"]);
    }
}
