//! `sudar pairs`: overlapping boxes by every broad phase.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, anyhow, ensure};
use serde::Serialize;
use sudar::Aabb;
use sudar::broad::{Algorithm, Listing};
use sudar_formats::read_boxes;

use crate::common::Threads;
use crate::help;
use crate::progress::Waiting;
use crate::report::{self, Verdict};

/// Finds overlapping boxes by every broad phase, side by side.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// The boxes: a NumPy array of n x 6 numbers, minx, miny, minz, maxx, maxy, maxz.
    #[arg(value_name = "BOXES.npy")]
    input: PathBuf,
    /// Only these algorithms, separated by commas [default: all that finish in a reasonable time].
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = named)]
    algorithm: Vec<Algorithm>,
    /// Find the pairs N times with each and print the least time.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeat: u32,
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
intervals, axis) and those with lists in a hash beyond 300000 (sap, grid2d, grid3d, hash), which the table says.

JSON: {\"file\",\"boxes\":n,\"runs\":[{\"algorithm\",\"used\",\"why\",\"pairs\",\"ms\",\"bytes\",\"tests\",\"visits\",\"swaps\"}],\"left_out\":[…]}

Exit status: 0, or 2 if the file could not be read or a box is refused.

Example:
  sudar pairs boxes.npy --algorithm auto,bvh,octree";

#[derive(Debug, Serialize)]
struct Document {
    file: String,
    boxes: usize,
    runs: Vec<Run>,
    left_out: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
struct Run {
    algorithm: &'static str,
    used: &'static str,
    why: String,
    pairs: usize,
    ms: f64,
    bytes: usize,
    tests: u64,
    visits: u64,
    swaps: u64,
}

fn named(name: &str) -> Result<Algorithm, String> {
    let known = || format!("known are {}", Algorithm::ALL.map(Algorithm::name).join(", "));
    Algorithm::by_name(name).ok_or_else(known)
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
    let (chosen, left_out): (Vec<_>, Vec<_>) = if args.algorithm.is_empty() {
        Algorithm::ALL.into_iter().partition(|algorithm| boxes.len() <= reasonable(*algorithm))
    } else {
        (args.algorithm.clone(), Vec::new())
    };
    let runs: Vec<Run> = chosen
        .into_iter()
        .map(|algorithm| timed(algorithm, &boxes, args.repeat).map_err(|error| anyhow!("{file}: {error}")))
        .collect::<Result<_>>()?;
    ensure!(
        runs.windows(2).all(|two| two[0].pairs == two[1].pairs),
        "{file}: the algorithms disagree; report this"
    );
    drop(waiting);
    let left_out = left_out.into_iter().map(Algorithm::name).collect();
    let document = Document { file, boxes: boxes.len(), runs, left_out };
    report::give(args.json, &document, || text(&document))?;
    Ok(Verdict::Clean)
}

/// Up to how many boxes an algorithm takes seconds at most.
fn reasonable(algorithm: Algorithm) -> usize {
    match algorithm {
        Algorithm::BruteForce | Algorithm::Axis | Algorithm::Intervals => 30_000,
        Algorithm::SweepAndPrune | Algorithm::Grid2d | Algorithm::Grid3d | Algorithm::HashGrid => 300_000,
        Algorithm::Auto
        | Algorithm::UniformGrid
        | Algorithm::QuadTree
        | Algorithm::OctreeDuplicates
        | Algorithm::Octree
        | Algorithm::KdTree
        | Algorithm::BspTree
        | Algorithm::DynamicBvh
        | Algorithm::Strips => usize::MAX,
    }
}

fn timed(algorithm: Algorithm, boxes: &[Aabb], repeat: u32) -> Result<Run, sudar::broad::BroadError> {
    let mut ms = f64::INFINITY;
    let mut last: Option<Listing> = None;
    for _ in 0..repeat {
        let start = Instant::now();
        let listing = algorithm.pairs_of(boxes)?;
        ms = ms.min(start.elapsed().as_secs_f64() * 1e3);
        last = Some(listing);
    }
    let listing = match last {
        Some(listing) => listing,
        None => algorithm.pairs_of(boxes)?,
    };
    Ok(Run {
        algorithm: algorithm.name(),
        used: listing.algorithm.name(),
        why: listing.reason,
        pairs: listing.pairs.len(),
        ms,
        bytes: listing.memory,
        tests: listing.counters.tests,
        visits: listing.counters.visits,
        swaps: listing.counters.swaps,
    })
}

fn text(document: &Document) -> String {
    let Document { file, boxes, runs, left_out } = document;
    let header = ["algorithm", "pairs", "ms", "bytes a box", "tests", "visits", "swaps"];
    let rows = runs.iter().map(|run| {
        let name = if run.used == run.algorithm {
            run.used.to_owned()
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
    if !left_out.is_empty() {
        text += &format!("left out, for they would take long: {}\n", left_out.join(", "));
    }
    text
}
