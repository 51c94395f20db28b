//! Octrees with and without duplicates: leaf size, depth, and what happens where boxes gather.

use anyhow::{Result, ensure};
use sudar::DVec3;
use sudar_classic::broad::Tuning;

use super::axis::{Axis, Scale};
use super::container::{Container, FRAME, Follower, Known, operations, relative};
use super::figure::{Figure, Kind, Look, Panel, Series};
use super::sheet::Sheet;
use super::{File, Output, Plan, machine};
use crate::progress::Waiting;

pub const TITLE: &str =
    "octrees: size of leaves, depth, and the peaks where all boxes are drawn to one point";

const NOTES: [&str; 3] = [
    "The model of B. Dimitrijević 2019, \"Real-time collision detection algorithms\", figures 5.6 and 5.7 and the text beside them: boxes as wide as \
     a hundredth of the container, speeds of a fifth of it in a second.",
    "sweep leaf: depth 10; sweep depth: leaves of 32; sweep gathering: all boxes are turned to the middle at the first frame, x is the time in seconds. \
     relative_dt: a frame of the broad phase alone in sixtieths of a second, the median of some but for gathering.",
    "The source: of leaf sizes 32 is best, 36 % faster than 4, and 1 is worst; depths of 9 to 12 do as well, 1 and 2 are slow; where boxes gather, \
     the octree with duplicates takes ten times as long, the one without hardly longer.",
];

const BOTH: [&str; 2] = ["octree-dup", "octree"];
const LEAVES: [usize; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const DEPTHS: [u32; 10] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16];

/// What is measured against what.
struct Sweep {
    name: &'static str,
    axis: Axis,
    series: Vec<Series>,
}

pub fn run(plan: &Plan) -> Result<Output> {
    let _waiting = Waiting::new("measuring octrees");
    let columns = ["sweep", "algorithm", "x", "pairs", "operations", "relative_dt"];
    let mut sheet = Sheet::new(&NOTES, &columns);
    let mut queries = 0;
    let leaf = |size: &usize| (*size as f64, Tuning { leaf_size: *size, ..Tuning::default() });
    let depth = |depth: &u32| (f64::from(*depth), Tuning { depth: *depth, ..Tuning::default() });
    let leaves: Vec<_> = LEAVES.iter().map(leaf).collect();
    let depths: Vec<_> = DEPTHS.iter().map(depth).collect();
    let mut sweeps = Vec::new();
    for (name, label, scale, tunings) in [
        ("leaf", "most boxes in a leaf", Scale::Binary, leaves),
        ("depth", "greatest depth", Scale::Linear, depths),
    ] {
        let mut series = Vec::new();
        for (number, algorithm) in BOTH.into_iter().enumerate() {
            let mut points = Vec::new();
            for &(x, tuning) in &tunings {
                let (row, time, count) = tuned(plan, algorithm, tuning)?;
                sheet.row(&[&[name.to_owned(), algorithm.to_owned(), x.to_string()][..], &row[..]].concat());
                points.push((x, time));
                queries += count;
            }
            series.push(line(algorithm, number, points));
        }
        sweeps.push(Sweep { name, axis: Axis::new(label, scale), series });
    }
    let (gathering, count) = gathering(plan, &mut sheet)?;
    sweeps.push(gathering);
    let file = |name: &str, text| File { name: name.to_owned(), text };
    let files = vec![file("broad-octree.csv", sheet.text()), file("broad-octree.svg", figure(sweeps).svg()?)];
    Ok(Output { files, queries: queries + count, undecided: 0 })
}

fn tuned(plan: &Plan, algorithm: &'static str, tuning: Tuning) -> Result<([String; 3], f64, usize)> {
    let n = plan.by_size(500, 3_000, 10_000);
    let mut follower = Follower::new(algorithm, tuning, Container::new(n, 0.01, 0.2))?;
    let frames = follower.frames(plan.frames(), plan.most_seconds(), &mut Known::default())?;
    let time = relative(&frames);
    let pairs = frames.last().map_or(0, |frame| frame.pairs);
    let cells = [pairs.to_string(), format!("{:.0}", operations(&frames)), format!("{time:.4}")];
    Ok((cells, time, n * frames.len()))
}

/// All boxes are drawn to the middle and pass through each other.
fn gathering(plan: &Plan, sheet: &mut Sheet) -> Result<(Sweep, usize)> {
    let (n, frames) = (plan.by_size(300, 2_000, 5_000), plan.by_size(60, 150, 600));
    // In the middle after some two seconds.
    let seconds = 5.0 / frames as f64;
    let (mut series, mut pairs_of) = (Vec::new(), Vec::new());
    for (number, algorithm) in BOTH.into_iter().enumerate() {
        let mut container = Container::new(n, 0.01, 0.2);
        container.pull(DVec3::ZERO);
        let mut follower = Follower::new(algorithm, Tuning::default(), container)?;
        let (mut points, mut pairs) = (Vec::new(), Vec::new());
        for k in 0..frames {
            let frame = follower.frame(seconds)?;
            let x = (k + 1) as f64 * seconds;
            let time = frame.seconds / FRAME;
            sheet.row(&[
                "gathering".to_owned(),
                algorithm.to_owned(),
                format!("{x:.4}"),
                frame.pairs.to_string(),
                frame.counters.operations().to_string(),
                format!("{time:.4}"),
            ]);
            points.push((x, time));
            pairs.push(frame.pairs);
        }
        series.push(line(algorithm, number, points));
        pairs_of.push(pairs);
    }
    ensure!(pairs_of[0] == pairs_of[1], "the two octrees disagree");
    let axis = Axis::new("time in s", Scale::Linear);
    Ok((Sweep { name: "gathering", axis, series }, 2 * n * frames))
}

fn line(algorithm: &'static str, number: usize, points: Vec<(f64, f64)>) -> Series {
    Series { label: algorithm.to_owned(), look: Look { number, kind: Kind::Line }, points }
}

fn figure(sweeps: Vec<Sweep>) -> Figure {
    let panel = |sweep: Sweep| Panel {
        title: sweep.name.to_owned(),
        x: sweep.axis,
        y: Axis::new("relative dt", Scale::Decimal),
        series: sweep.series,
    };
    Figure {
        title: "Octrees with and without duplicates".to_owned(),
        panels: sweeps.into_iter().map(panel).collect(),
        caption: vec![
            "Time of a frame of the broad phase in sixtieths of a second.".to_owned(),
            machine::line(),
        ],
    }
}
