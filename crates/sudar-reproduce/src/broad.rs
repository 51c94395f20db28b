//! Broad phases on boxes that bounce in a container: the figures of Dimitrijević 2019, and every algorithm from few
//! boxes to many.

use sudar::DVec3;
use sudar_classic::ALL_BROAD_PHASES;
use sudar_classic::broad::Tuning;

use crate::inputs::container::{Container, FRAME, Follower, Frame, Known, mean, relative};
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::plan::{Output, Plan, Result, ensure};

pub const OBJECTS: &str = "time of a frame against the number of moving boxes: brute force, octrees, sweep and prune, automatic choice";
pub const OCTREE: &str =
    "octrees: size of leaves, depth, and the peaks where all boxes are drawn to one point";
pub const SPEEDS: &str =
    "sweep and prune against the speed of boxes, and its feedback between swaps and the time of a frame";
pub const SCALING: &str =
    "every broad phase from 100 boxes to where a frame takes too long, and what the automatic choice was";

const OBJECTS_NOTES: [&str; 3] = [
    "The model of B. Dimitrijević 2019, \"Real-time collision detection algorithms\", figures 5.2 to 5.5, 5.8 and 5.12: boxes that bounce in a \
     container, here as wide as a hundredth of it, with speeds of a fifth of it in a second; leaves of 32 boxes, depth 10.",
    "relative_dt: the median frame of the broad phase alone, in sixtieths of a second. A series ends with the first frame above the limit.",
    "The source, on a Core i5-6600K at 4.4 GHz: brute force passes 1 below 2000 objects, octree with duplicates at 12000, sweep and prune at 11000.",
];
const OCTREE_NOTES: [&str; 3] = [
    "The model of B. Dimitrijević 2019, \"Real-time collision detection algorithms\", figures 5.6 and 5.7 and the text beside them: boxes as wide as \
     a hundredth of the container, speeds of a fifth of it in a second.",
    "sweep leaf: depth 10; sweep depth: leaves of 32; sweep gathering: all boxes are turned to the middle at the first frame, x is the time in seconds. \
     relative_dt: a frame of the broad phase alone in sixtieths of a second, the median of some but for gathering.",
    "The source: of leaf sizes 32 is best, 36 % faster than 4, and 1 is worst; depths of 9 to 12 do as well, 1 and 2 are slow; where boxes gather, \
     the octree with duplicates takes ten times as long, the one without hardly longer.",
];
const SPEEDS_NOTES: [&str; 4] = [
    "The model of B. Dimitrijević 2019, \"Real-time collision detection algorithms\", figures 5.9 to 5.11: boxes as wide as a hundredth of the \
     container of width w; speeds in w a second.",
    "part speed: frames of a sixtieth of a second; relative_dt: the median frame of the broad phase alone in sixtieths of a second; swaps: a frame, on \
     average. A series ends with the first frame above the limit.",
    "part feedback: each frame moves the boxes by the time that the frame before took, at least a sixtieth and at most a second; x is its number. Its swaps differ \
     from run to run, as times do.",
    "The source: frames stay below 1 up to 11000 boxes at w/5 and up to 75000 at w/320; at w/5 with 12800 boxes the feedback leads beyond a second a frame.",
];
const SCALING_NOTES: [&str; 3] = [
    "Boxes of equal size that bounce in a container of which they fill a tenth, so that each meets about as many others, whatever their number; speed: edges of \
     a box in a second.",
    "seconds: the median frame of the broad phase alone; operations: comparisons, visits and swaps of a frame, on average; memory_bytes: beyond boxes and pairs.",
    "A series ends with the first frame above the limit, a second with --full, or where it took ten seconds to begin or half a gigabyte. Slow frames: fewer \
     than the others, see the column frames. auto: see the column chosen.",
];

/// The algorithms of the source, and the automatic choice that it wishes for.
const FIVE: [&str; 5] = ["brute", "octree-dup", "octree", "sap", "auto"];
const OCTREES: [&str; 2] = ["octree-dup", "octree"];
const LEAVES: [usize; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const DEPTHS: [u32; 10] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16];
/// Shares of the container in a second.
const SHARES: [(&str, f64); 4] = [("w/5", 5.0), ("w/10", 10.0), ("w/20", 20.0), ("w/320", 320.0)];
/// Edges of a box in a second: hardly, and a third of an edge in a frame.
const EDGES: [(&str, f64); 2] = [("slow", 0.5), ("fast", 20.0)];
/// The first algorithms are in the first panels.
const IN_A_PANEL: usize = 5;
/// The look of the automatic choice: black.
const AUTO: usize = 6;
/// Seconds after which the feedback ends.
const MOST_FEEDBACK: f64 = 60.0;

const TIME_OF_A_FRAME: &str = "Time of a frame of the broad phase in sixtieths of a second.";

/// What a broad phase took, against a number of boxes, a setting or the time.
type Points = Vec<(f64, f64)>;

/// Frames of an algorithm for ever more boxes, two numbers a decade, up to the first that takes too long. `row` writes
/// one down and gives its y.
fn ever_more(
    plan: &Plan,
    output: &mut Output,
    mut follow: impl FnMut(usize) -> Result<(Vec<Frame>, Follower)>,
    mut row: impl FnMut(usize, &[Frame], &Follower) -> f64,
) -> Result<Points> {
    let most = plan.by_size(300, 10_000, 1_000_000);
    // Sixtieths of a second beyond which a frame is the last of its kind.
    let limit = if plan.is_full() { 60.0 } else { 2.0 };
    let numbers = (2..7).flat_map(|k| [10usize.pow(k), 3 * 10usize.pow(k)]).filter(|n| *n <= most);
    let mut points = Vec::new();
    for n in numbers {
        let (frames, follower) = follow(n)?;
        points.push((n as f64, row(n, &frames, &follower)));
        output.queries += n * frames.len();
        if relative(&frames) > limit || follower.is_full() {
            break;
        }
    }
    Ok(points)
}

/// Some frames of boxes in a container.
fn follow(
    plan: &Plan,
    (algorithm, tuning): (&str, Tuning),
    container: Container,
    known: &mut Known,
) -> Result<(Vec<Frame>, Follower)> {
    let mut follower = Follower::new(algorithm, tuning, container)?;
    let frames = follower.frames(plan, known)?;
    Ok((frames, follower))
}

fn pairs_of_last(frames: &[Frame]) -> usize {
    frames.last().map_or(0, |frame| frame.pairs)
}

fn operations(frames: &[Frame]) -> f64 {
    mean(frames, |frame| frame.counters.operations())
}

pub fn objects(plan: &Plan) -> Result<Output> {
    let mut sheet =
        Sheet::new(&OBJECTS_NOTES, "algorithm,objects,pairs_mean,operations_mean,relative_dt,chosen");
    let (mut series, mut output, mut known) = (Vec::new(), plan.output(0), Known::default());
    for (number, algorithm) in FIVE.into_iter().enumerate() {
        let follow = |n| {
            plan.tell(format!("{algorithm}: {n} boxes"));
            follow(plan, (algorithm, Tuning::default()), Container::new(n, 0.01, 0.2), &mut known)
        };
        let points = ever_more(plan, &mut output, follow, |n, frames, follower| {
            let (time, chosen) = (relative(frames), follower.phase.choice().algorithm);
            let pairs = mean(frames, |frame| frame.pairs as u64);
            sheet
                .row(format_args!("{algorithm},{n},{pairs:.1},{:.0},{time:.4},{chosen}", operations(frames)));
            time
        })?;
        series.push(Series::line(algorithm, number, points));
    }
    let x = Axis::decimal("objects");
    let panel = Panel::new("speed w/5, size w/100", x, Axis::decimal("relative dt"), series);
    let caption = [TIME_OF_A_FRAME, &machine::line()];
    let figure = Figure::new("A frame against the number of objects", vec![panel], &caption);
    output.sheet("broad-objects", sheet).figure("broad-objects", &figure)
}

pub fn octree(plan: &Plan) -> Result<Output> {
    plan.tell("measuring octrees");
    let mut sheet = Sheet::new(&OCTREE_NOTES, "sweep,algorithm,x,pairs,operations,relative_dt");
    let (mut panels, mut output) = (Vec::new(), plan.output(0));
    let leaf = |&leaf_size: &usize| (leaf_size as f64, Tuning { leaf_size, ..Tuning::default() });
    let depth = |&depth: &u32| (f64::from(depth), Tuning { depth, ..Tuning::default() });
    let n = plan.by_size(500, 3_000, 10_000);
    for (sweep, axis, tunings) in [
        ("leaf", Axis::binary("most boxes in a leaf"), LEAVES.iter().map(leaf).collect::<Vec<_>>()),
        ("depth", Axis::linear("greatest depth"), DEPTHS.iter().map(depth).collect()),
    ] {
        let mut series = Vec::new();
        for (number, algorithm) in OCTREES.into_iter().enumerate() {
            let mut points = Vec::new();
            for &(x, tuning) in &tunings {
                let container = Container::new(n, 0.01, 0.2);
                let (frames, _) = follow(plan, (algorithm, tuning), container, &mut Known::default())?;
                let (pairs, operations, time) =
                    (pairs_of_last(&frames), operations(&frames), relative(&frames));
                sheet.row(format_args!("{sweep},{algorithm},{x},{pairs},{operations:.0},{time:.4}"));
                points.push((x, time));
                output.queries += n * frames.len();
            }
            series.push(Series::line(algorithm, number, points));
        }
        panels.push(Panel::new(sweep, axis, Axis::decimal("relative dt"), series));
    }
    panels.push(gathering(plan, &mut sheet, &mut output)?);
    let caption = [TIME_OF_A_FRAME, &machine::line()];
    let figure = Figure::new("Octrees with and without duplicates", panels, &caption);
    output.sheet("broad-octree", sheet).figure("broad-octree", &figure)
}

/// All boxes are drawn to the middle and pass through each other.
fn gathering(plan: &Plan, sheet: &mut Sheet, output: &mut Output) -> Result<Panel> {
    let (n, frames) = (plan.by_size(300, 2_000, 5_000), plan.by_size(60, 150, 600));
    // In the middle after some two seconds.
    let seconds = 5.0 / frames as f64;
    let (mut series, mut pairs_of) = (Vec::new(), Vec::new());
    for (number, algorithm) in OCTREES.into_iter().enumerate() {
        let mut container = Container::new(n, 0.01, 0.2).passing();
        container.pull(DVec3::ZERO);
        let mut follower = Follower::new(algorithm, Tuning::default(), container)?;
        let mut points = Vec::new();
        for k in 0..frames {
            let Frame { seconds: taken, counters, pairs } = follower.frame(seconds)?;
            let (x, time) = ((k + 1) as f64 * seconds, taken / FRAME);
            let operations = counters.operations();
            sheet.row(format_args!("gathering,{algorithm},{x:.4},{pairs},{operations},{time:.4}"));
            points.push((x, time));
            pairs_of.push(pairs);
        }
        series.push(Series::line(algorithm, number, points));
    }
    ensure(pairs_of[..frames] == pairs_of[frames..], || "the two octrees disagree".to_owned())?;
    output.queries += 2 * n * frames;
    Ok(Panel::new("gathering", Axis::linear("time in s"), Axis::decimal("relative dt"), series))
}

pub fn speeds(plan: &Plan) -> Result<Output> {
    let mut sheet = Sheet::new(&SPEEDS_NOTES, "part,speed,objects,x,pairs,swaps,relative_dt");
    let (mut series, mut output) = (Vec::new(), plan.output(0));
    for (number, (label, share)) in SHARES.into_iter().enumerate() {
        // Of sweep and prune; another algorithm says whether the pairs are right.
        let follow = |n| {
            plan.tell(format!("sweep and prune: {n} boxes at {label}"));
            let mut known = Known::default();
            let mut by = |algorithm| {
                let container = Container::new(n, 0.01, 1.0 / share);
                follow(plan, (algorithm, Tuning::default()), container, &mut known)
            };
            by("strips")?;
            by("sap")
        };
        let points = ever_more(plan, &mut output, follow, |n, frames, _| {
            let (pairs, time) = (pairs_of_last(frames), relative(frames));
            let swaps = mean(frames, |frame| frame.counters.swaps);
            sheet.row(format_args!("speed,{label},{n},{n},{pairs},{swaps:.0},{time:.4}"));
            time
        })?;
        series.push(Series::line(label, number, points));
    }
    let n = plan.by_size(500, 6_000, 40_000);
    plan.tell(format!("sweep and prune: feedback of {n} boxes"));
    let fed_back = feedback(plan, n, &mut sheet)?;
    output.queries += n * fed_back.len();
    let fed = |what: &str, label: &str, number, value: &dyn Fn(&Frame) -> f64| {
        let points = fed_back.iter().enumerate().map(|(k, frame)| (k as f64, value(frame))).collect();
        let line = vec![Series::line(label, number, points)];
        let title = format!("feedback, {n} boxes, w/5: {what}");
        Panel::new(title, Axis::linear("frame"), Axis::linear(label), line)
    };
    let panels = vec![
        Panel::new("speeds", Axis::decimal("objects"), Axis::decimal("relative dt"), series),
        fed("time", "relative dt", 5, &|frame| frame.seconds / FRAME),
        fed("swaps", "swaps", 6, &|frame| frame.counters.swaps as f64),
    ];
    let caption = [TIME_OF_A_FRAME, &machine::line()];
    let figure = Figure::new("Sweep and prune against speed", panels, &caption);
    output.sheet("broad-speeds", sheet).figure("broad-speeds", &figure)
}

/// Each frame is as long as the one before took.
fn feedback(plan: &Plan, n: usize, sheet: &mut Sheet) -> Result<Vec<Frame>> {
    let container = Container::new(n, 0.01, 0.2);
    let mut follower = Follower::new("sap", Tuning::default(), container)?;
    let mut frames: Vec<Frame> = Vec::new();
    for k in 0..plan.by_size(20, 60, 200) {
        let before = frames.last().map_or(FRAME, |frame| frame.seconds.clamp(FRAME, 1.0));
        let frame = follower.frame(before)?;
        let Frame { seconds, counters, pairs } = frame;
        sheet.row(format_args!("feedback,w/5,{n},{k},{pairs},{},{:.4}", counters.swaps, seconds / FRAME));
        frames.push(frame);
        // That slow frames stay slow has been seen by then.
        if frames.iter().map(|frame| frame.seconds).sum::<f64>() > MOST_FEEDBACK {
            break;
        }
    }
    Ok(frames)
}

pub fn scaling(plan: &Plan) -> Result<Output> {
    let columns = "speed,algorithm,objects,frames,pairs,operations,seconds,memory_bytes,chosen";
    let mut sheet = Sheet::new(&SCALING_NOTES, columns);
    let (mut panels, mut output) = (Vec::new(), plan.output(0));
    for (label, speed) in EDGES {
        let (mut known, mut series) = (Known::default(), Vec::new());
        for algorithm in ALL_BROAD_PHASES {
            let follow = |n| {
                plan.tell(format!("{algorithm}: {n} {label} boxes"));
                follow(plan, (algorithm, Tuning::default()), Container::filled(n, speed), &mut known)
            };
            let points = ever_more(plan, &mut output, follow, |n, frames, follower| {
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
