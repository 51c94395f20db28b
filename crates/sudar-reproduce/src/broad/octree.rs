//! Octrees with and without duplicates: figures 5.6 and 5.7 of Dimitrijević 2019.

use sudar::DVec3;
use sudar_classic::broad::Tuning;

use super::{TIME_OF_A_FRAME, follow, operations, pairs_of_last};
use crate::inputs::container::{FRAME, Follower, Frame, Known, cubes, relative};
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, Verdict, say};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::output::table::Tables;
use crate::plan::{Output, Plan, Result, ensure};

pub const TITLE: &str =
    "octrees: size of leaves, depth, and the peaks where all boxes are drawn to one point";

const NOTES: [&str; 4] = [
    "The model of {Dimitrijević 2019}, figures 5.6 and 5.7 and the text beside them: boxes as wide as \
     a hundredth of the container, speeds of a fifth of it in a second.",
    "sweep leaf: depth 10; sweep depth: leaves of 32; sweep gathering: all boxes are turned to the middle at the first frame, x is the time in seconds. \
     relative_dt: a frame of the broad phase alone in sixtieths of a second, the median of some but for gathering.",
    "operations: comparisons, visits and swaps of a frame, on average but for gathering; with duplicates, those of copies and their insertion too. Boxes answer \
     each other but for gathering.",
    "The source: of leaf sizes 32 is best, 36 % faster than 4, and 1 is worst; depths of 9 to 12 do as well, 1 and 2 are slow; where boxes gather, \
     the octree with duplicates takes ten times as long, the one without hardly longer.",
];

/// Frames of the source with leaves of 4 and 32: 69 and 94 a second.
const THERE: [(f64, f64); 2] = [(4.0, 60.0 / 69.0), (32.0, 60.0 / 94.0)];
const OCTREES: [&str; 2] = ["octree-dup", "octree"];
const LEAVES: [usize; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const DEPTHS: [u32; 10] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16];

pub fn run(plan: &Plan) -> Result<Output> {
    plan.tell("measuring octrees");
    let mut sheet = Sheet::new(&NOTES, "sweep,algorithm,objects,x,pairs,operations,relative_dt");
    let (mut panels, mut output) = (Vec::new(), plan.output(0));
    let leaf = |&leaf_size: &usize| (leaf_size as f64, Tuning { leaf_size, ..Tuning::default() });
    let depth = |&depth: &u32| (f64::from(depth), Tuning { depth, ..Tuning::default() });
    let n = plan.by_size(500, 10_000, 10_000);
    for (sweep, axis, tunings) in [
        ("leaf", Axis::binary("most boxes in a leaf"), LEAVES.iter().map(leaf).collect::<Vec<_>>()),
        ("depth", Axis::linear("greatest depth"), DEPTHS.iter().map(depth).collect()),
    ] {
        let mut series = Vec::new();
        for (number, algorithm) in OCTREES.into_iter().enumerate() {
            let mut points = Vec::new();
            for &(x, tuning) in &tunings {
                let container = cubes(n, 0.01, 0.2);
                let (frames, _) = follow(plan, (algorithm, tuning), container, &mut Known::default())?;
                let (pairs, operations, time) =
                    (pairs_of_last(&frames), operations(&frames), relative(&frames));
                sheet.row(format_args!("{sweep},{algorithm},{n},{x},{pairs},{operations:.0},{time:.4}"));
                points.push((x, time));
                output.queries += n * frames.len();
            }
            series.push(Series::line(algorithm, number, points));
        }
        if sweep == "leaf" {
            series.push(Series::dashed("source: octree-dup", 0, THERE.to_vec()));
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
    let (n, frames) = (plan.by_size(1_500, 2_000, 5_000), plan.by_size(60, 150, 600));
    // In the middle after some two seconds.
    let seconds = 5.0 / frames as f64;
    let (mut series, mut pairs_of) = (Vec::new(), Vec::new());
    for (number, algorithm) in OCTREES.into_iter().enumerate() {
        let mut container = cubes(n, 0.01, 0.2);
        container.pull(DVec3::ZERO);
        let mut follower = Follower::new(algorithm, Tuning::default(), container)?.passing();
        let mut points = Vec::new();
        for k in 0..frames {
            let Frame { seconds: taken, counters, pairs } = follower.frame(seconds)?;
            let (x, time) = ((k + 1) as f64 * seconds, taken / FRAME);
            let operations = counters.operations();
            sheet.row(format_args!("gathering,{algorithm},{n},{x:.4},{pairs},{operations},{time:.4}"));
            points.push((x, time));
            pairs_of.push(pairs);
        }
        series.push(Series::line(algorithm, number, points));
    }
    ensure(pairs_of[..frames] == pairs_of[frames..], || "the two octrees disagree".to_owned())?;
    output.queries += 2 * n * frames;
    Ok(Panel::new("gathering", Axis::linear("time in s"), Axis::decimal("relative dt"), series))
}

/// Sentences on operations hold for any run; those on times need the numbers of boxes of a usual one.
pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("broad-octree")?;
    let of =
        |sweep, algorithm, column| table.points(&[("sweep", sweep), ("algorithm", algorithm)], "x", column);
    let at = |line: &[(f64, f64)], x: f64| line.iter().find(|(at, _)| *at == x).map_or(f64::NAN, |(_, y)| *y);
    let peak = |algorithm| -> Result<f64> {
        let line = of("gathering", algorithm, "operations")?;
        Ok(line.iter().map(|(_, y)| *y).fold(0.0, f64::max) / line.first().map_or(f64::NAN, |(_, y)| *y))
    };
    let (dup, single) = (peak("octree-dup")?, peak("octree")?);
    let depth = of("depth", "octree-dup", "operations")?;
    let (shallow, deepest) = (at(&depth, 1.0) / at(&depth, 10.0), at(&depth, 12.0) / at(&depth, 10.0));
    let mut found = vec![
        Finding::new(
            "Dimitrijević 2019, section 5.2, figure 5.6",
            "where all objects gather, the octree with duplicates takes ten times as long, the one without hardly longer",
            format!(
                "at the peak the one takes {} times the operations of the first frame, the other {} times",
                say(dup),
                say(single)
            ),
            Verdict::of(dup > 2.0 * single, &[(dup, 10.0), (single, 1.0)]),
        ),
        Finding::new(
            "Dimitrijević 2019, section 5.2",
            "depths of 1 and 2 are far slower, from 9 to 12 the depth does not matter",
            format!(
                "depth 1 takes {} times the operations of depth 10, depth 12 {} times",
                say(shallow),
                say(deepest)
            ),
            shallow > 3.0 && (0.9..1.1).contains(&deepest),
        ),
    ];
    let times = of("leaf", "octree-dup", "relative_dt")?;
    let best =
        times.iter().copied().reduce(|a, b| if b.1 < a.1 { b } else { a }).unwrap_or((f64::NAN, f64::NAN));
    let worst =
        times.iter().copied().filter(|(x, _)| *x <= 64.0).reduce(|a, b| if b.1 > a.1 { b } else { a });
    if table.numbers(&[("sweep", "leaf")], "objects")?.iter().any(|n| *n >= 10_000.0) {
        found.push(Finding::new(
            "Dimitrijević 2019, section 5.2, figure 5.7",
            "of the sizes of leaves 32 is best, 36 % more frames a second than 4, and 1 is worst",
            format!(
                "{} is best, 32 has {} % more frames a second than 4, and of those up to 64 {} is worst",
                say(best.0),
                say(100.0 * (at(&times, 4.0) / at(&times, 32.0) - 1.0)),
                say(worst.map_or(f64::NAN, |(x, _)| x))
            ),
            (16.0..=64.0).contains(&best.0) && worst.is_some_and(|(x, _)| x == 1.0),
        ));
    }
    Ok(found)
}
