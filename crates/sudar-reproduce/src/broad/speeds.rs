//! Sweep and prune against the speed of boxes: figures 5.9 to 5.11 of Dimitrijević 2019.

use sudar_classic::broad::Tuning;

use super::{Points, TIME_OF_A_FRAME, ever_more, follow, pairs_of_last};
use crate::inputs::container::{FRAME, Follower, Frame, Known, cubes, mean, relative};
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, Verdict, say};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::output::table::{Table, Tables, reaches};
use crate::plan::{Output, Plan, Result};

pub const TITLE: &str =
    "sweep and prune against the speed of boxes, and its feedback between swaps and the time of a frame";

const NOTES: [&str; 4] = [
    "The model of {Dimitrijević 2019}, figures 5.9 to 5.11: boxes as wide as a hundredth of the \
     container of width w; speeds in w a second.",
    "part speed: frames of a sixtieth of a second; relative_dt: the median frame of the broad phase alone in sixtieths of a second; swaps: a frame, on \
     average. A series ends with the first frame above the limit.",
    "part feedback: each frame moves the boxes by the time that the frame before took, at least a sixtieth and at most a second; x is its number. Its swaps differ \
     from run to run, as times do.",
    "The source: frames stay below 1 up to 11000 boxes at w/5 and up to 75000 at w/320; at w/5 with 12800 boxes the feedback leads beyond a second a frame.",
];

/// Shares of the container in a second.
const SHARES: [(&str, f64); 4] = [("w/5", 5.0), ("w/10", 10.0), ("w/20", 20.0), ("w/320", 320.0)];
/// What the source says of its curves: place among the speeds, number of boxes, relative dt.
const THERE: [(usize, &[(f64, f64)]); 2] =
    [(0, &[(11_000.0, 1.0)]), (3, &[(75_000.0, 1.0), (92_000.0, 2.0)])];
/// Seconds after which the feedback ends.
const MOST_FEEDBACK: f64 = 30.0;
/// Boxes of the feedback: more than fill a frame, as 12 800 did in the source.
const FED_BACK: usize = 20_000;
const NUMBERS: [usize; 10] = [100, 300, 1000, 3000, 10_000, 20_000, 50_000, 75_000, 100_000, 200_000];

pub fn run(plan: &Plan) -> Result<Output> {
    let mut sheet = Sheet::new(&NOTES, "part,speed,objects,x,pairs,swaps,relative_dt");
    let (mut series, mut output) = (Vec::new(), plan.output(0));
    let most = plan.by_size(300, 100_000, 200_000);
    let numbers: Vec<usize> = NUMBERS.into_iter().filter(|n| *n <= most).collect();
    for (number, (label, share)) in SHARES.into_iter().enumerate() {
        // Of sweep and prune; another algorithm says whether the pairs are right.
        let follow = |n| {
            plan.tell(format!("sweep and prune: {n} boxes at {label}"));
            let mut known = Known::default();
            let mut by = |algorithm| {
                let container = cubes(n, 0.01, 1.0 / share);
                follow(plan, (algorithm, Tuning::default()), container, &mut known)
            };
            by("strips")?;
            by("sap")
        };
        let points = ever_more(&mut output, (&numbers, 3.0), follow, |n, frames, _| {
            let (pairs, time) = (pairs_of_last(frames), relative(frames));
            let swaps = mean(frames, |frame| frame.counters.swaps);
            sheet.row(format_args!("speed,{label},{n},{n},{pairs},{swaps:.0},{time:.4}"));
            time
        })?;
        series.push(Series::line(label, number, points));
    }
    for (number, points) in THERE {
        series.push(Series::dashed(format!("source: {}", SHARES[number].0), number, points.to_vec()));
    }
    let n = plan.by_size(500, FED_BACK, FED_BACK);
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
    let container = cubes(n, 0.01, 0.2);
    let mut follower = Follower::new("sap", Tuning::default(), container)?;
    let mut frames: Vec<Frame> = Vec::new();
    for k in 0..plan.by_size(20, 60, 60) {
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

/// A column against the number of boxes at a speed.
fn column(table: &Table, speed: &str, column: &str) -> Result<Points> {
    table.points(&[("part", "speed"), ("speed", speed)], "objects", column)
}

/// Swaps depend on the boxes alone, but for the feedback.
pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("broad-speeds")?;
    let mut found = vec![by_speed(table)?];
    let full = |speed| Result::Ok(reaches(&column(table, speed, "relative_dt")?, 1.0));
    if let (Some(fast), Some(half), Some(quarter), Some(slow)) =
        (full("w/5")?, full("w/10")?, full("w/20")?, full("w/320")?)
    {
        found.extend([later([fast, half, quarter]), sixty_a_second(slow, fast)]);
        found.extend(thirty_a_second(table, slow)?);
        found.push(feedback_finding(tables)?);
    }
    Ok(found)
}

fn by_speed(table: &Table) -> Result<Finding> {
    let swaps = |speed| Result::Ok(column(table, speed, "swaps")?.get(1).map_or(f64::NAN, |p| p.1));
    let [fast, half, quarter, slow] = [swaps("w/5")?, swaps("w/10")?, swaps("w/20")?, swaps("w/320")?];
    Ok(Finding::new(
        "Dimitrijević 2019, section 5.3",
        "the faster the objects, the more swaps",
        format!(
            "of 300 boxes, half the speed takes {} of the swaps, a quarter {} and a 64th {}",
            say(half / fast),
            say(quarter / fast),
            say(slow / fast)
        ),
        fast > half && half > quarter && quarter > slow,
    ))
}

fn later([fast, half, quarter]: [f64; 3]) -> Finding {
    Finding::new(
        "Dimitrijević 2019, section 5.3, figure 5.10",
        "the slower the objects, the later the feedback gains the upper hand",
        format!(
            "a frame is full at {} boxes with w/5, {} with w/10, {} with w/20",
            say(fast),
            say(half),
            say(quarter)
        ),
        fast < half && half < quarter,
    )
}

fn sixty_a_second(slow: f64, fast: f64) -> Finding {
    Finding::new(
        "Dimitrijević 2019, section 5.3, figure 5.11",
        "at a 64th of the speed a frame is full at 75 000 objects only",
        format!("at {}, {} times as many as at w/5", say(slow), say(slow / fast)),
        slow > 3.0 * fast,
    )
}

/// None where so few frames a second were not measured.
fn thirty_a_second(table: &Table, sixty: f64) -> Result<Option<Finding>> {
    let thirty = reaches(&column(table, "w/320", "relative_dt")?, 2.0);
    Ok(thirty.map(|thirty| {
        Finding::new(
            "Dimitrijević 2019, section 5.3, figure 5.11",
            "at that speed there are 30 frames a second with up to 92 000 objects",
            format!("up to {}, {} times as many as fill a sixtieth", say(thirty), say(thirty / sixty)),
            Verdict::of(thirty > sixty, &[(thirty, 92_000.0), (thirty / sixty, 92.0 / 75.0)]),
        )
    }))
}

/// What became of frames that follow the time of the frame before.
fn feedback_finding(tables: &Tables) -> Result<Finding> {
    let table = tables.get("broad-speeds")?;
    let of = |column| table.numbers(&[("part", "feedback")], column);
    let (times, swaps) = (of("relative_dt")?, of("swaps")?);
    let boxes = of("objects")?.first().copied().unwrap_or(f64::NAN);
    let (first, last) =
        (times.get(1).copied().unwrap_or(f64::NAN), times.last().copied().unwrap_or(f64::NAN));
    let swapped = swaps.last().copied().unwrap_or(f64::NAN) / swaps.get(1).copied().unwrap_or(f64::NAN);
    Ok(Finding::new(
        "Dimitrijević 2019, section 5.3, figure 5.9",
        "with 12 800 objects the time of a frame explodes, to more than a second, as swaps and time feed each other",
        format!(
            "with {} boxes a frame goes from {} to {} sixtieths of a second in {} frames, its swaps to {} times as many",
            say(boxes),
            say(first),
            say(last),
            times.len(),
            say(swapped)
        ),
        last > 5.0 * first && swapped > 5.0,
    ))
}
