//! The time of a frame against the number of objects, for the algorithms of Dimitrijević 2019.

use anyhow::Result;
use sudar_classic::broad::Tuning;

use super::axis::{Axis, Scale};
use super::container::{Container, Follower, Known, mean_pairs, operations, relative};
use super::figure::{Figure, Kind, Look, Panel, Series};
use super::sheet::Sheet;
use super::{File, Output, Plan, machine};
use crate::progress::Waiting;

pub const TITLE: &str = "time of a frame against the number of moving boxes: brute force, octrees, sweep and prune, automatic choice";

const NOTES: [&str; 3] = [
    "The model of B. Dimitrijević 2019, \"Real-time collision detection algorithms\", figures 5.2 to 5.5, 5.8 and 5.12: boxes that bounce in a \
     container, here as wide as a hundredth of it, with speeds of a fifth of it in a second; leaves of 32 boxes, depth 10.",
    "relative_dt: the median frame of the broad phase alone, in sixtieths of a second. A series ends with the first frame above the limit.",
    "The source, on a Core i5-6600K at 4.4 GHz: brute force passes 1 below 2000 objects, octree with duplicates at 12000, sweep and prune at 11000.",
];

/// The algorithms of the source, and the automatic choice that it wishes for.
pub const ALGORITHMS: [&str; 5] = ["brute", "octree-dup", "octree", "sap", "auto"];

pub fn run(plan: &Plan) -> Result<Output> {
    let waiting = Waiting::new("measuring broad phases");
    let columns = ["algorithm", "objects", "pairs_mean", "operations_mean", "relative_dt", "chosen"];
    let mut sheet = Sheet::new(&NOTES, &columns);
    let (mut series, mut queries) = (Vec::new(), 0);
    let mut known = Known::default();
    for (number, algorithm) in ALGORITHMS.into_iter().enumerate() {
        let mut points = Vec::new();
        for n in plan.numbers() {
            waiting.now(format!("{algorithm}: {n} boxes"));
            let mut follower = Follower::new(algorithm, Tuning::default(), Container::new(n, 0.01, 0.2))?;
            let frames = follower.frames(plan.frames(), plan.most_seconds(), &mut known)?;
            let time = relative(&frames);
            sheet.row(&[
                algorithm.to_owned(),
                n.to_string(),
                format!("{:.1}", mean_pairs(&frames)),
                format!("{:.0}", operations(&frames)),
                format!("{time:.4}"),
                follower.phase.choice().algorithm,
            ]);
            points.push((n as f64, time));
            queries += n * frames.len();
            if time > plan.limit() || follower.is_full() {
                break;
            }
        }
        series.push(Series { label: algorithm.to_owned(), look: Look { number, kind: Kind::Line }, points });
    }
    let panel = Panel {
        title: "speed w/5, size w/100".to_owned(),
        x: Axis::new("objects", Scale::Decimal),
        y: Axis::new("relative dt", Scale::Decimal),
        series,
    };
    let figure = Figure {
        title: "A frame against the number of objects".to_owned(),
        panels: vec![panel],
        caption: vec![
            "Time of a frame of the broad phase in sixtieths of a second.".to_owned(),
            machine::line(),
        ],
    };
    let file = |name: &str, text| File { name: name.to_owned(), text };
    let files = vec![file("broad-objects.csv", sheet.text()), file("broad-objects.svg", figure.svg()?)];
    Ok(Output { files, queries, undecided: 0 })
}
