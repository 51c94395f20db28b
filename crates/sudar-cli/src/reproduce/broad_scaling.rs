//! Every broad phase from a hundred boxes to where a frame takes too long, and what the automatic choice was.

use anyhow::Result;
use sudar_classic::ALL_BROAD_PHASES;
use sudar_classic::broad::Tuning;

use super::axis::{Axis, Scale};
use super::container::{Container, FRAME, Follower, Known, operations, relative};
use super::figure::{Figure, Kind, Look, Panel, Series};
use super::sheet::Sheet;
use super::{File, Output, Plan, machine};
use crate::progress::Waiting;

pub const TITLE: &str =
    "every broad phase from 100 boxes to where a frame takes too long, and what the automatic choice was";

const NOTES: [&str; 3] = [
    "Boxes of equal size that bounce in a container of which they fill a tenth, so that each meets about as many others, whatever their number; speed: edges of \
     a box in a second.",
    "seconds: the median frame of the broad phase alone; operations: comparisons, visits and swaps of a frame, on average; memory_bytes: beyond boxes and pairs.",
    "A series ends with the first frame above the limit, a second with --full, or where it took ten seconds to begin or half a gigabyte. Slow frames: fewer \
     than the others, see the column frames. auto: see the column chosen.",
];

/// Edges of a box in a second: hardly, and a third of an edge in a frame.
const SPEEDS: [(&str, f64); 2] = [("slow", 0.5), ("fast", 20.0)];

/// The first algorithms are in the first panels.
const IN_A_PANEL: usize = 5;

/// The look of the automatic choice: black.
const AUTO: usize = 6;

pub fn run(plan: &Plan) -> Result<Output> {
    let waiting = Waiting::new("measuring broad phases");
    let columns = [
        "speed",
        "algorithm",
        "objects",
        "frames",
        "pairs",
        "operations",
        "seconds",
        "memory_bytes",
        "chosen",
    ];
    let mut sheet = Sheet::new(&NOTES, &columns);
    let (mut panels, mut queries) = (Vec::new(), 0);
    for (label, speed) in SPEEDS {
        let mut known = Known::default();
        let mut series = Vec::new();
        for algorithm in ALL_BROAD_PHASES {
            let mut points = Vec::new();
            for n in plan.numbers() {
                waiting.now(format!("{algorithm}: {n} {label} boxes"));
                let mut follower = Follower::new(algorithm, Tuning::default(), Container::filled(n, speed))?;
                let frames = follower.frames(plan.frames(), plan.most_seconds(), &mut known)?;
                let seconds = relative(&frames) * FRAME;
                sheet.row(&[
                    label.to_owned(),
                    algorithm.to_owned(),
                    n.to_string(),
                    frames.len().to_string(),
                    frames.last().map_or(0, |frame| frame.pairs).to_string(),
                    format!("{:.0}", operations(&frames)),
                    format!("{seconds:.3e}"),
                    follower.phase.memory().to_string(),
                    follower.phase.choice().algorithm,
                ]);
                points.push((n as f64, seconds));
                queries += n * frames.len();
                if seconds > plan.limit() * FRAME || follower.is_full() {
                    break;
                }
            }
            series.push((algorithm, points));
        }
        panels.extend(in_panels(label, &series));
    }
    let figure = Figure {
        title: "Broad phases from few boxes to many".to_owned(),
        panels,
        caption: vec![
            "Time of a frame of the broad phase; black: the automatic choice.".to_owned(),
            machine::line(),
        ],
    };
    let file = |name: &str, text| File { name: name.to_owned(), text };
    let files = vec![file("broad-scaling.csv", sheet.text()), file("broad-scaling.svg", figure.svg()?)];
    Ok(Output { files, queries, undecided: 0 })
}

type Points = Vec<(f64, f64)>;

/// Some algorithms a panel, and the automatic choice in each.
fn in_panels(label: &str, series: &[(&'static str, Points)]) -> Vec<Panel> {
    let line = |(number, (algorithm, points)): (usize, &(&'static str, Points))| Series {
        label: (*algorithm).to_owned(),
        look: Look { number, kind: Kind::Line },
        points: points.clone(),
    };
    let Some((auto, others)) = series.split_first() else { return Vec::new() };
    // A look for each, none twice.
    let others: Vec<_> =
        others.iter().enumerate().map(|(k, one)| (k + usize::from(k >= AUTO), one)).collect();
    let parts = others.len().div_ceil(IN_A_PANEL);
    let mut panels = Vec::with_capacity(parts);
    for some in others.chunks(IN_A_PANEL) {
        panels.push(Panel {
            title: format!("{label} boxes, algorithms {} of {parts}", panels.len() + 1),
            x: Axis::new("objects", Scale::Decimal),
            y: Axis::new("seconds a frame", Scale::Decimal),
            series: some.iter().copied().map(line).chain([line((AUTO, auto))]).collect(),
        });
    }
    panels
}
