//! A frame against the number of boxes: figures 5.1 to 5.5, 5.8 and 5.12 of Dimitrijević 2019.

use sudar_classic::broad::Tuning;

use super::{Points, SOURCE_TREE, TIME_OF_A_FRAME, ever_more, follow, operations};
use crate::inputs::container::{FRAME, Known, cubes, mean, relative};
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, Verdict, say};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::output::table::{Table, Tables, reaches};
use crate::plan::{Output, Plan, Result, timed};

pub const TITLE: &str = "time of a frame against the number of moving boxes: brute force, octrees, sweep and prune, automatic choice";

const NOTES: [&str; 4] = [
    "The model of {Dimitrijević 2019}, figures 5.1 to 5.5, 5.8 and 5.12: boxes that bounce in a \
     container and off each other, here as wide as a hundredth of it, with speeds of a fifth of it in a second; octrees with leaves of 4 boxes, depth 10.",
    "relative_dt: the median frame of the broad phase alone, in sixtieths of a second; none: of moving the boxes, without a broad phase and without drawing. \
     A series ends with the first frame above the limit.",
    "operations: comparisons, visits and swaps of a frame, on average; with duplicates, those of copies and their insertion too.",
    "The source, on a Core i5-6600K at 4.4 GHz: brute force passes 1 below 2000 objects and 2 at 2500, octree with duplicates at 12000 and 20000, sweep and \
     prune 1 at 11000; drawing is part of its time.",
];

/// The algorithms of the source, and the automatic choice that it wishes for.
const FIVE: [(&str, Tuning); 5] = [
    ("brute", SOURCE_TREE),
    ("octree-dup", SOURCE_TREE),
    ("octree", SOURCE_TREE),
    ("sap", SOURCE_TREE),
    ("auto", SOURCE_TREE),
];
/// What the source says of its curves: place among the algorithms, number of boxes, relative dt.
const THERE: [(usize, &[(f64, f64)]); 3] =
    [(0, &[(2000.0, 1.0), (2500.0, 2.0)]), (1, &[(12_000.0, 1.0), (20_000.0, 2.0)]), (3, &[(11_000.0, 1.0)])];
const NUMBERS: [usize; 11] = [100, 300, 1000, 2000, 3000, 5000, 10_000, 20_000, 30_000, 50_000, 100_000];
/// The look of moving alone.
const BROWN: usize = 9;

pub fn run(plan: &Plan) -> Result<Output> {
    let mut sheet = Sheet::new(&NOTES, "algorithm,objects,pairs_mean,operations_mean,relative_dt,chosen");
    let (mut series, mut output, mut known) = (Vec::new(), plan.output(0), Known::default());
    let most = plan.by_size(300, 50_000, 100_000);
    let numbers: Vec<usize> = NUMBERS.into_iter().filter(|n| *n <= most).collect();
    for (number, (algorithm, tuning)) in FIVE.into_iter().enumerate() {
        let follow = |n| {
            plan.tell(format!("{algorithm}: {n} boxes"));
            follow(plan, (algorithm, tuning), cubes(n, 0.01, 0.2), &mut known)
        };
        let points = ever_more(&mut output, (&numbers, 4.0), follow, |n, frames, follower| {
            let (time, chosen) = (relative(frames), follower.phase.choice().algorithm);
            let pairs = mean(frames, |frame| frame.pairs as u64);
            sheet
                .row(format_args!("{algorithm},{n},{pairs:.1},{:.0},{time:.4},{chosen}", operations(frames)));
            time
        })?;
        series.push(Series::line(algorithm, number, points));
    }
    let moving = moving(&numbers);
    for (n, time) in &moving {
        sheet.row(format_args!("none,{n},0,0,{time:.6},none"));
    }
    series.push(Series::line("moving alone", BROWN, moving));
    for (number, points) in THERE {
        series.push(Series::dashed(format!("source: {}", FIVE[number].0), number, points.to_vec()));
    }
    let x = Axis::decimal("objects");
    let panel = Panel::new("speed w/5, size w/100", x, Axis::decimal("relative dt"), series);
    let caption = [TIME_OF_A_FRAME, &machine::line()];
    let figure = Figure::new("A frame against the number of objects", vec![panel], &caption);
    output.sheet("broad-objects", sheet).figure("broad-objects", &figure)
}

/// Frames in which boxes move and nothing is searched for, in sixtieths of a second.
fn moving(numbers: &[usize]) -> Points {
    let time = |&n: &usize| {
        let mut container = cubes(n, 0.01, 0.2);
        let seconds = (0..9).map(|_| timed(|| container.advance(FRAME)).1).fold(f64::INFINITY, f64::min);
        (n as f64, seconds / FRAME)
    };
    numbers.iter().map(time).collect()
}

/// Times of a frame of one algorithm against the number of boxes.
struct Curve {
    points: Points,
    /// The number of boxes that fill a frame.
    full: f64,
}

impl Curve {
    /// None where no number of boxes fills a frame, as in a quick run.
    fn of(table: &Table, algorithm: &str) -> Result<Option<Self>> {
        let points = column(table, algorithm, "relative_dt")?;
        Ok(reaches(&points, 1.0).map(|full| Self { points, full }))
    }

    /// The power of the number of boxes with which the time grows from 1000 on.
    fn growth(&self) -> f64 {
        let (n, time) = last(&self.points);
        (time / at(&self.points, 1000.0)).ln() / (n / 1000.0).ln()
    }
}

fn column(table: &Table, algorithm: &str, column: &str) -> Result<Points> {
    table.points(&[("algorithm", algorithm)], "objects", column)
}

fn at(points: &Points, n: f64) -> f64 {
    points.iter().find(|(x, _)| *x == n).map_or(f64::NAN, |(_, y)| *y)
}

fn last(points: &Points) -> (f64, f64) {
    points.last().copied().unwrap_or((f64::NAN, f64::NAN))
}

/// Of committed tables: all of these are times.
pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("broad-objects")?;
    let curve = |algorithm| Curve::of(table, algorithm);
    let (Some(brute), Some(dup), Some(octree), Some(sap)) =
        (curve("brute")?, curve("octree-dup")?, curve("octree")?, curve("sap")?)
    else {
        return Ok(Vec::new());
    };
    Ok(vec![
        moving_alone(table, &dup)?,
        by_brute_force(&brute),
        with_duplicates(&dup, &brute),
        both_octrees(table, &octree, &dup)?,
        by_sweeping(&sap, &brute),
        all_together([&brute, &dup, &octree, &sap]),
    ])
}

fn moving_alone(table: &Table, dup: &Curve) -> Result<Finding> {
    let none = column(table, "none", "relative_dt")?;
    let ((most, moved), (dup_most, dup_time)) = (last(&none), last(&dup.points));
    let share = at(&none, dup_most) / dup_time;
    Ok(Finding::new(
        "Dimitrijević 2019, section 5.1, figure 5.1",
        "without drawing, moving the objects takes next to no time beside their collisions",
        format!(
            "{} boxes are moved in {} of a frame; at {} boxes that is {} % of what the octree with duplicates takes",
            say(most),
            say(moved),
            say(dup_most),
            say(100.0 * share)
        ),
        share < 0.05,
    ))
}

fn by_brute_force(brute: &Curve) -> Finding {
    let growth = brute.growth();
    Finding::new(
        "Dimitrijević 2019, section 5.1, figure 5.2",
        "brute force grows with the square of the number, passes a frame below 2000 objects and two at 2500",
        format!(
            "it grows with the power {} from 1000 boxes on and passes a frame at {}",
            say(growth),
            say(brute.full)
        ),
        Verdict::of((1.7..2.3).contains(&growth), &[(brute.full, 2000.0)]),
    )
}

fn with_duplicates(dup: &Curve, brute: &Curve) -> Finding {
    let growth = dup.growth();
    Finding::new(
        "Dimitrijević 2019, section 5.2, figures 5.3 and 5.4",
        "the octree with duplicates passes a frame after 12 000 objects, six times as many as brute force, and grows faster than their number",
        format!("it passes a frame at {} boxes and grows with the power {}", say(dup.full), say(growth)),
        Verdict::of(growth > 1.0, &[(dup.full, 12_000.0), (dup.full / brute.full, 6.0)]),
    )
}

fn both_octrees(table: &Table, octree: &Curve, dup: &Curve) -> Result<Finding> {
    let common = last(&octree.points).0.min(last(&dup.points).0);
    let ratio = |n: f64| at(&octree.points, n) / at(&dup.points, n);
    let operations = |algorithm| Result::Ok(at(&column(table, algorithm, "operations_mean")?, common));
    Ok(Finding::new(
        "Dimitrijević 2019, section 5.2, figure 5.5",
        "up to 5000 objects both octrees take as long; above, that without duplicates grows faster",
        format!(
            "without duplicates takes {} times as long as with them at 5000 boxes and {} times at {}, though {} times as many operations there",
            say(ratio(5000.0)),
            say(ratio(common)),
            say(common),
            say(operations("octree")? / operations("octree-dup")?)
        ),
        ratio(common) > ratio(5000.0) && ratio(common) > 1.0,
    ))
}

fn by_sweeping(sap: &Curve, brute: &Curve) -> Finding {
    Finding::new(
        "Dimitrijević 2019, section 5.3, figure 5.8",
        "sweep and prune stays below a frame up to 11 000 objects",
        format!("up to {}", say(sap.full)),
        Verdict::of(sap.full > brute.full, &[(sap.full, 11_000.0)]),
    )
}

fn all_together(curves: [&Curve; 4]) -> Finding {
    let [brute, dup, octree, sap] = curves.map(|curve| curve.full);
    Finding::new(
        "Dimitrijević 2019, section 5.4, figure 5.12",
        "the octrees are best, sweep and prune is slower and brute force slowest",
        format!(
            "frames are full at {} boxes without duplicates, {} with them, {} by sweep and prune and {} by brute force",
            say(octree),
            say(dup),
            say(sap),
            say(brute)
        ),
        octree.min(dup) > sap && sap > brute,
    )
}
