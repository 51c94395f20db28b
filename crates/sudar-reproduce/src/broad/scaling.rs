//! Every broad phase from few boxes to many.

use sudar_classic::ALL_BROAD_PHASES;
use sudar_classic::broad::Tuning;

use super::{Points, ever_more, follow, operations, pairs_of_last};
use crate::inputs::container::{FRAME, Known, filled, relative};
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::plan::{Output, Plan, Result};

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
const EDGES: [(&str, f64); 2] = [("slow", 0.5), ("fast", 20.0)];
/// The first algorithms are in the first panels.
const IN_A_PANEL: usize = 5;
/// The look of the automatic choice: black.
const AUTO: usize = 6;
pub fn run(plan: &Plan) -> Result<Output> {
    let columns = "speed,algorithm,objects,frames,pairs,operations,seconds,memory_bytes,chosen";
    let mut sheet = Sheet::new(&NOTES, columns);
    let (mut panels, mut output) = (Vec::new(), plan.output(0));
    let most = plan.by_size(300, 10_000, 1_000_000);
    let numbers: Vec<usize> =
        (2..7).flat_map(|k| [10usize.pow(k), 3 * 10usize.pow(k)]).filter(|n| *n <= most).collect();
    let limit = if plan.is_full() { 60.0 } else { 2.0 };
    for (label, speed) in EDGES {
        let (mut known, mut series) = (Known::default(), Vec::new());
        for algorithm in ALL_BROAD_PHASES {
            let follow = |n| {
                plan.tell(format!("{algorithm}: {n} {label} boxes"));
                follow(plan, (algorithm, Tuning::default()), filled(n, speed), &mut known)
            };
            let points = ever_more(&mut output, (&numbers, limit), follow, |n, frames, follower| {
                let (count, pairs, operations) = (frames.len(), pairs_of_last(frames), operations(frames));
                let (seconds, phase) = (relative(frames) * FRAME, &follower.phase);
                let (memory, chosen) = (phase.memory(), phase.choice().algorithm);
                sheet.row(format_args!(
                    "{label},{algorithm},{n},{count},{pairs},{operations:.0},{seconds:.3e},{memory},{chosen}"
                ));
                seconds
            })?;
            series.push((algorithm, points));
        }
        panels.extend(in_panels(label, &series));
    }
    let caption = ["Time of a frame of the broad phase; black: the automatic choice.", &machine::line()];
    let figure = Figure::new("Broad phases from few boxes to many", panels, &caption);
    output.sheet("broad-scaling", sheet).figure("broad-scaling", &figure)
}

/// Some algorithms a panel, and the automatic choice, which comes first, in each.
fn in_panels(label: &str, series: &[(&str, Points)]) -> Vec<Panel> {
    let Some((auto, others)) = series.split_first() else { return Vec::new() };
    let line = |number, (name, points): &(&str, Points)| Series::line(*name, number, points.clone());
    let parts = others.len().div_ceil(IN_A_PANEL);
    let panel = |(i, some): (usize, &[(&str, Points)])| {
        // A look for each, none twice.
        let number = |k: usize| i * IN_A_PANEL + k + usize::from(i * IN_A_PANEL + k >= AUTO);
        let lines = some.iter().enumerate().map(|(k, one)| line(number(k), one));
        let title = format!("{label} boxes, algorithms {} of {parts}", i + 1);
        let series = lines.chain([line(AUTO, auto)]).collect();
        Panel::new(title, Axis::decimal("objects"), Axis::decimal("seconds a frame"), series)
    };
    others.chunks(IN_A_PANEL).enumerate().map(panel).collect()
}
