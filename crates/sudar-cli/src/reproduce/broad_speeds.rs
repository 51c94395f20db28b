//! Sweep and prune at several speeds, and its feedback: slow frames make long ways, and long ways slow frames.

use anyhow::Result;
use sudar_classic::broad::Tuning;

use super::axis::{Axis, Scale};
use super::container::{Container, FRAME, Follower, Frame, Known, relative};
use super::figure::{Figure, Kind, Look, Panel, Series};
use super::sheet::Sheet;
use super::{File, Output, Plan, machine};
use crate::progress::Waiting;

pub const TITLE: &str =
    "sweep and prune against the speed of boxes, and its feedback between swaps and the time of a frame";

const NOTES: [&str; 4] = [
    "The model of B. Dimitrijević 2019, \"Real-time collision detection algorithms\", figures 5.9 to 5.11: boxes as wide as a hundredth of the \
     container of width w; speeds in w a second.",
    "part speed: frames of a sixtieth of a second; relative_dt: the median frame of the broad phase alone in sixtieths of a second; swaps: a frame, on \
     average. A series ends with the first frame above the limit.",
    "part feedback: each frame moves the boxes by the time that the frame before took, at least a sixtieth and at most a second; x is its number. Its swaps differ \
     from run to run, as times do.",
    "The source: frames stay below 1 up to 11000 boxes at w/5 and up to 75000 at w/320; at w/5 with 12800 boxes the feedback leads beyond a second a frame.",
];

/// Shares of the container in a second.
const SPEEDS: [(&str, f64); 4] = [("w/5", 5.0), ("w/10", 10.0), ("w/20", 20.0), ("w/320", 320.0)];

pub fn run(plan: &Plan) -> Result<Output> {
    let waiting = Waiting::new("measuring sweep and prune");
    let columns = ["part", "speed", "objects", "x", "pairs", "swaps", "relative_dt"];
    let mut sheet = Sheet::new(&NOTES, &columns);
    let (mut series, mut queries) = (Vec::new(), 0);
    for (number, (label, share)) in SPEEDS.into_iter().enumerate() {
        let mut points = Vec::new();
        for n in plan.numbers() {
            waiting.now(format!("sweep and prune: {n} boxes at {label}"));
            let (frames, follower) = at_speed(plan, n, 1.0 / share)?;
            let time = relative(&frames);
            let last = frames.last().map_or(0, |frame| frame.pairs);
            let swaps =
                frames.iter().map(|frame| frame.counters.swaps).sum::<u64>() as f64 / frames.len() as f64;
            row(&mut sheet, ["speed", label], [n as f64, n as f64], last, swaps, time);
            points.push((n as f64, time));
            queries += n * frames.len();
            if time > plan.limit() || follower.is_full() {
                break;
            }
        }
        series.push(Series { label: label.to_owned(), look: Look { number, kind: Kind::Line }, points });
    }
    let n = plan.by_size(500, 6_000, 40_000);
    waiting.now(format!("sweep and prune: feedback of {n} boxes"));
    let fed_back = feedback(plan, n, &mut sheet)?;
    let figure = figure(series, &fed_back, n);
    let file = |name: &str, text| File { name: name.to_owned(), text };
    let files = vec![file("broad-speeds.csv", sheet.text()), file("broad-speeds.svg", figure.svg()?)];
    Ok(Output { files, queries: queries + n * fed_back.len(), undecided: 0 })
}

/// Time against speed, and what a frame costs after a long one before it.
fn figure(series: Vec<Series>, fed_back: &[Frame], n: usize) -> Figure {
    let against = |title: &str, x: Axis, y: Axis, series| Panel { title: title.to_owned(), x, y, series };
    let line = |label: &str, number, value: &dyn Fn(&Frame) -> f64| Series {
        label: label.to_owned(),
        look: Look { number, kind: Kind::Line },
        points: fed_back.iter().enumerate().map(|(k, frame)| (k as f64, value(frame))).collect(),
    };
    let dt = line("relative dt", 5, &|frame| frame.seconds / FRAME);
    let swaps = line("swaps", 6, &|frame| frame.counters.swaps as f64);
    let frames = || Axis::new("frame", Scale::Linear);
    let panels = vec![
        against(
            "speeds",
            Axis::new("objects", Scale::Decimal),
            Axis::new("relative dt", Scale::Decimal),
            series,
        ),
        against(
            &format!("feedback, {n} boxes, w/5: time"),
            frames(),
            Axis::new("relative dt", Scale::Linear),
            vec![dt],
        ),
        against(
            &format!("feedback, {n} boxes, w/5: swaps"),
            frames(),
            Axis::new("swaps", Scale::Linear),
            vec![swaps],
        ),
    ];
    Figure {
        title: "Sweep and prune against speed".to_owned(),
        panels,
        caption: vec![
            "Time of a frame of the broad phase in sixtieths of a second.".to_owned(),
            machine::line(),
        ],
    }
}

/// Frames of sweep and prune, which is the last; another algorithm says whether the pairs are right.
fn at_speed(plan: &Plan, n: usize, speed: f64) -> Result<(Vec<Frame>, Follower)> {
    let mut known = Known::default();
    let mut follow = |algorithm| -> Result<_> {
        let mut follower = Follower::new(algorithm, Tuning::default(), Container::new(n, 0.01, speed))?;
        let frames = follower.frames(plan.frames(), plan.most_seconds(), &mut known)?;
        Ok((frames, follower))
    };
    follow("strips")?;
    follow("sap")
}

/// Seconds after which the feedback ends.
const MOST_FEEDBACK: f64 = 60.0;

/// Each frame is as long as the one before took.
fn feedback(plan: &Plan, n: usize, sheet: &mut Sheet) -> Result<Vec<Frame>> {
    let mut follower = Follower::new("sap", Tuning::default(), Container::new(n, 0.01, 0.2))?;
    let mut frames: Vec<Frame> = Vec::new();
    for k in 0..plan.by_size(20, 60, 200) {
        let before = frames.last().map_or(FRAME, |frame| frame.seconds.clamp(FRAME, 1.0));
        let frame = follower.frame(before)?;
        let time = frame.seconds / FRAME;
        row(sheet, ["feedback", "w/5"], [n as f64, k as f64], frame.pairs, frame.counters.swaps as f64, time);
        frames.push(frame);
        // That slow frames stay slow has been seen by then.
        if frames.iter().map(|frame| frame.seconds).sum::<f64>() > MOST_FEEDBACK {
            break;
        }
    }
    Ok(frames)
}

fn row(sheet: &mut Sheet, names: [&str; 2], numbers: [f64; 2], pairs: usize, swaps: f64, time: f64) {
    let mut cells: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    cells.extend(numbers.iter().map(f64::to_string));
    cells.extend([pairs.to_string(), format!("{swaps:.0}"), format!("{time:.4}")]);
    sheet.row(&cells);
}
