//! SOLID's choices: where to split, and re-fitting or building anew under deformation (van den Bergen 1997).

use std::sync::Arc;

use sudar::{DVec3, Mesh, Pose};
use sudar_classic::tree::SplitPoint;
use sudar_classic::{Limits, Rapid, Solid};

use crate::inputs::models;
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::{Sheet, numbers};
use crate::output::table::Tables;
use crate::plan::{Output, Plan, Result, ensure};

pub const TITLE: &str = "SOLID: where to split, and re-fitting against building anew (van den Bergen 1997)";

/// Twists the ring, as strongly as the amount says.
fn twisted(mesh: &Mesh, amount: f64) -> Result<Arc<Mesh>> {
    let twist = |p: DVec3| {
        let angle = amount * p.x;
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        DVec3::new(p.x, cos * p.y - sin * p.z, sin * p.y + cos * p.z)
    };
    Ok(Arc::new(mesh.mapped(twist)?))
}

/// Microseconds and tests of a pose, and all pairs.
fn micros(plan: &Plan, first: &Solid, second: &Solid, poses: &[Pose]) -> (f64, f64, usize) {
    let collide = |pose| first.collide(&Pose::IDENTITY, second, pose, Limits::ALL);
    let (mut tests, mut pairs) = (0, 0);
    for found in poses.iter().map(collide) {
        tests += found.effort.volume_tests;
        pairs += found.pairs.len();
    }
    let time = plan.seconds(|| poses.iter().for_each(|pose| drop(std::hint::black_box(collide(pose)))));
    let count = poses.len() as f64;
    (time * 1e6 / count, tests as f64 / count, pairs)
}

pub fn run(plan: &Plan) -> Result<Output> {
    plan.tell("SOLID");
    let comments = [
        TITLE,
        "a ring and a bumpy sphere, all contacts, microseconds a pose",
        "source: the midpoint best; a tree of boxes is built in a third of the time of one of oriented boxes; re-fitting about ten times quicker than building",
    ];
    let columns = "what,choice,build_ms,refit_ms,us,us_rebuilt,volume_tests,volume_tests_rebuilt";
    let mut sheet = Sheet::new(&comments, columns);
    let ring = Arc::new(models::torus(plan.choose(12, 60) as u32)?);
    let ball = Arc::new(models::bumpy(plan.choose(8, 40) as u32)?);
    let mut poses = Vec::new();
    for (_, gap) in models::GAPS {
        poses.extend(models::poses(&ring, &ball, gap, plan.choose(2, 6))?);
    }
    // Building and searching with each rule, and building oriented boxes.
    let mut expected = None;
    for point in [SplitPoint::Median, SplitPoint::LeastOverlap, SplitPoint::Midpoint] {
        let made = |mesh: &Arc<Mesh>| Solid::with_split(mesh.clone(), point);
        let build = plan.seconds(|| (made(&ring), made(&ball))) * 1e3;
        let (time, tests, pairs) = micros(plan, &made(&ring), &made(&ball), &poses);
        ensure(*expected.get_or_insert(pairs) == pairs, || "the rules find other pairs".to_owned())?;
        sheet.row(format_args!("split,{},{build:.4},,{time:.4},,{tests:.4},", point.name()));
    }
    let build = plan.seconds(|| (Rapid::new(ring.clone()), Rapid::new(ball.clone()))) * 1e3;
    sheet.row(format_args!("split,oriented boxes,{build:.4},,,,,"));
    // A tree that is re-fitted and one built anew, for a ring that is ever more twisted.
    let other = Solid::new(ball.clone());
    let [mut refitted, mut rebuilt] = [Vec::new(), Vec::new()];
    for amount in [0.0, 0.5, 1.0, 2.0, 4.0] {
        let bent = twisted(&ring, amount)?;
        let build = plan.seconds(|| Solid::new(bent.clone())) * 1e3;
        let mut kept = Solid::new(ring.clone());
        let refit = plan.seconds(|| kept.refit(bent.clone())) * 1e3;
        let (time, tests, pairs) = micros(plan, &kept, &other, &poses);
        let (time_anew, tests_anew, pairs_anew) = micros(plan, &Solid::new(bent), &other, &poses);
        ensure(pairs == pairs_anew, || "a re-fitted tree finds other pairs".to_owned())?;
        refitted.push((amount, tests));
        rebuilt.push((amount, tests_anew));
        let measured = numbers(&[build, refit, time, time_anew, tests, tests_anew]);
        sheet.row(format_args!("deformation,{amount},{measured}"));
    }
    let (x, y) = (Axis::linear("twist in radians a unit of length"), Axis::linear("tests of two boxes"));
    let series = vec![Series::line("re-fitted", 0, refitted), Series::line("built anew", 1, rebuilt)];
    let panel = Panel::new("a ring that is twisted", x, y, series);
    let figure = Figure::new(TITLE, vec![panel], &[&machine::version()]);
    plan.output(8 * poses.len()).sheet("solid", sheet).figure("solid", &figure)
}

const SOURCE: &str = "van den Bergen 1997";

pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("solid")?;
    let split = |choice: &str, column: &str| table.number(&[("what", "split"), ("choice", choice)], column);
    let tests = |point: SplitPoint| split(point.name(), "volume_tests");
    let [midpoint, median, overlap] =
        [SplitPoint::Midpoint, SplitPoint::Median, SplitPoint::LeastOverlap].map(tests);
    let (midpoint, median, overlap) = (midpoint?, median?, overlap?);
    let bent = table.points(&[("what", "deformation")], "volume_tests", "volume_tests_rebuilt")?;
    let ratios = bent.iter().map(|(kept, anew)| kept / anew);
    let (least, most) = ratios.fold((f64::INFINITY, 0.0f64), |(l, m), x| (l.min(x), m.max(x)));
    let mut findings = vec![
        Finding::new(
            SOURCE,
            "splitting in the middle of the longest axis is best",
            format!(
                "{} tests with the middle, {} with the median, {} with the least overlap",
                say(midpoint),
                say(median),
                say(overlap)
            ),
            midpoint < median.min(overlap),
        ),
        Finding::new(
            SOURCE,
            "a tree that is re-fitted after a usual deformation is not much worse than a new one",
            format!(
                "on a ring that is twisted ever more it takes {} to {} times the tests",
                say(least),
                say(most)
            ),
            most < 1.25,
        ),
    ];
    if !table.is_quick {
        let cells = [("what", "deformation")];
        let points = table.points(&cells, "refit_ms", "build_ms")?;
        let quicker =
            points.iter().map(|(refit, build)| build / refit).sum::<f64>() / points.len().max(1) as f64;
        let longer = split("oriented boxes", "build_ms")? / split(SplitPoint::Midpoint.name(), "build_ms")?;
        findings.extend([
            Finding::new(
                SOURCE,
                "re-fitting is about ten times quicker than building anew",
                format!("{} times", say(quicker)),
                (5.0..=20.0).contains(&quicker),
            ),
            Finding::new(
                SOURCE,
                "a tree of boxes is built in a third of the time of one of oriented boxes",
                format!(
                    "oriented boxes, fitted to the surface of the hull, take {} times as long",
                    say(longer)
                ),
                (2.0..=5.0).contains(&longer),
            ),
        ]);
    }
    Ok(findings)
}
