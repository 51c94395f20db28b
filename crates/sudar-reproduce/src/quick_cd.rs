//! QuickCD's choices: rules of splitting, k, re-fitting, the front (Klosowski et al. 1998).

use std::sync::Arc;

use sudar::{DQuat, DVec3, Mesh, Pose};
use sudar_classic::tree::{SplitAxis, SplitPoint};
use sudar_classic::{Limits, QuickCd, QuickCdOptions, Refit};

use crate::inputs::models;
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::{Sheet, numbers};
use crate::output::table::{Table, Tables};
use crate::plan::{Output, Plan, Result, ensure, timed};

pub const TITLE: &str =
    "QuickCD: rules of splitting, k of the k-DOP, re-fitting and the front (Klosowski et al. 1998)";

/// A body that flies through a landscape.
struct Flight {
    environment: Arc<Mesh>,
    body: Arc<Mesh>,
    poses: Vec<Pose>,
}

fn flight(plan: &Plan) -> Result<Flight> {
    let hills = |x: f64, y: f64| 0.15 * libm::sin(7.0 * x) * libm::cos(6.0 * y);
    let environment = Arc::new(models::sheet(plan.choose(24, 120) as u32, hills)?);
    let body = models::bumpy(plan.choose(6, 20) as u32)?.mapped(|p| p * 0.08)?;
    let steps = plan.choose(60, 120);
    let pose = |i: usize| {
        let t = i as f64 / steps as f64;
        let (x, y) = (1.7 * t - 0.85, 0.7 * libm::sin(6.0 * t));
        // It dives through the ground and comes out again.
        let height = hills(x, y) + 0.09 + 0.03 * libm::sin(25.0 * t);
        Ok(Pose::new(DVec3::new(x, y, height), DQuat::from_rotation_y(8.0 * t))?)
    };
    Ok(Flight { environment, body: Arc::new(body), poses: (0..steps).map(pose).collect::<Result<_>>()? })
}

/// What one choice came to.
#[derive(Clone)]
struct Row {
    build: f64,
    volume: f64,
    time: f64,
    tests: [f64; 2],
    hits: usize,
}

fn measure<const SLABS: usize>(plan: &Plan, flight: &Flight, options: &QuickCdOptions) -> Row {
    let made = || QuickCd::<SLABS>::new(flight.environment.clone(), flight.body.clone(), options);
    // Building takes far longer than what it is measured beside: once must do.
    let (mut system, build) = timed(made);
    let (mut hits, mut tests) = (0, [0.0; 2]);
    for pose in &flight.poses {
        let found = system.collide(&Pose::IDENTITY, pose, Limits::ALL);
        hits += usize::from(found.is_touching());
        tests[0] += found.effort.volume_tests as f64;
        tests[1] += found.effort.triangle_tests as f64;
    }
    let time = plan.seconds(|| {
        for pose in &flight.poses {
            std::hint::black_box(system.collide(&Pose::IDENTITY, pose, Limits::ALL));
        }
    });
    let count = flight.poses.len() as f64;
    let volume = system.environment().tree().total_volume();
    Row { build, volume, time: time * 1e6 / count, tests: tests.map(|n| n / count), hits }
}

pub fn run(plan: &Plan) -> Result<Output> {
    plan.tell("QuickCD");
    let flight = flight(plan)?;
    let default = QuickCdOptions { front: false, ..QuickCdOptions::DEFAULT };
    let usual = measure::<9>(plan, &flight, &default);
    // The default is among the choices of each kind.
    let with = |options: QuickCdOptions| {
        if options == default { usual.clone() } else { measure::<9>(plan, &flight, &options) }
    };
    let axes = [SplitAxis::LeastSum, SplitAxis::LeastMax, SplitAxis::Splatter, SplitAxis::Longest];
    let points = [SplitPoint::Mean, SplitPoint::Median];
    let refits =
        [("corners", Refit::Corners), ("hill climbing", Refit::HillClimbing), ("slabs", Refit::Slabs)];
    let fronts = [("no", false), ("yes", true)];
    let leaves = [("1", 1), ("5", 5), ("20", 20), ("40", 40), ("60", 60), ("100", 100)];
    let choices = [
        ("split axis", Vec::from(axes.map(|axis| (axis.name(), with(QuickCdOptions { axis, ..default }))))),
        (
            "split point",
            Vec::from(points.map(|point| (point.name(), with(QuickCdOptions { point, ..default })))),
        ),
        (
            "k",
            vec![
                ("6", measure::<3>(plan, &flight, &default)),
                ("14", measure::<7>(plan, &flight, &default)),
                ("18", with(default)),
                ("26", measure::<13>(plan, &flight, &default)),
            ],
        ),
        ("re-fit", Vec::from(refits.map(|(name, refit)| (name, with(QuickCdOptions { refit, ..default }))))),
        ("front", Vec::from(fronts.map(|(name, front)| (name, with(QuickCdOptions { front, ..default }))))),
        (
            "triangles a leaf",
            Vec::from(leaves.map(|(name, n)| (name, with(QuickCdOptions { leaf: Some(n), ..default })))),
        ),
    ];
    let comments = [
        TITLE,
        "a bumpy ball flies through hills; all contacts, microseconds a pose; tests are means of a pose",
        "source: 18 faces best; splatter nearly as good as the least sum of volumes; mean up to 27 % less volume than median; front 15 % faster",
    ];
    let columns = "what,choice,build_ms,total_volume,us,volume_tests,triangle_tests,hits";
    let mut sheet = Sheet::new(&comments, columns);
    let (mut panels, mut queries, mut expected) = (Vec::new(), 0, None);
    for (what, rows) in choices {
        for (choice, Row { build, volume, time, tests, hits }) in &rows {
            // All choices must find the same hits.
            ensure(expected.get_or_insert(*hits) == hits, || format!("{what} {choice} finds other hits"))?;
            let (build, measured) = (build * 1e3, numbers(&[*time, tests[0], tests[1]]));
            sheet.row(format_args!("{what},{choice},{build:.4},{volume:.6e},{measured},{hits}"));
        }
        queries += rows.len() * flight.poses.len();
        let points = rows.iter().enumerate().map(|(i, (_, row))| (i as f64, row.time)).collect();
        let names = rows.iter().map(|(choice, _)| (*choice).to_owned()).collect();
        let series = vec![Series::bars("time of a pose", 0, [0, 1], points)];
        panels.push(Panel::new(what, Axis::named("", names), Axis::linear("microseconds"), series));
    }
    let caption = "All choices find the same contacts. The re-fit by slabs is not among the source's.";
    let figure = Figure::new(TITLE, panels, &[caption, &machine::line()]);
    plan.output(queries).sheet("quickcd", sheet).figure("quickcd", &figure)
}

const SOURCE: &str = "Klosowski et al. 1998";

fn cell(table: &Table, what: &str, choice: &str, column: &str) -> Result<f64> {
    table.number(&[("what", what), ("choice", choice)], column)
}

pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("quickcd")?;
    let mut findings = vec![volume_by_axis(table)?, volume_by_point(table)?];
    if !table.is_quick {
        findings.extend([splatter(table)?, front(table)?, faces(table)?]);
    }
    Ok(findings)
}

fn volume_by_axis(table: &Table) -> Result<Finding> {
    let volume = |axis: SplitAxis| cell(table, "split axis", axis.name(), "total_volume");
    let (sum, splatter) = (volume(SplitAxis::LeastSum)?, volume(SplitAxis::Splatter)?);
    Ok(Finding::new(
        SOURCE,
        "splitting along the axis with the largest variance is nearly as good as with the least sum of volumes",
        format!("the volumes of the tree are {} and {}", say(splatter), say(sum)),
        splatter < 1.1 * sum,
    ))
}

fn volume_by_point(table: &Table) -> Result<Finding> {
    let volume = |point: SplitPoint| cell(table, "split point", point.name(), "total_volume");
    let (mean, median) = (volume(SplitPoint::Mean)?, volume(SplitPoint::Median)?);
    Ok(Finding::new(
        SOURCE,
        "splitting at the mean gives less volume than at the median, up to 27 %",
        format!("{} % less", say(100.0 * (1.0 - mean / median))),
        mean < median,
    ))
}

fn front(table: &Table) -> Result<Finding> {
    let front = |choice, column| cell(table, "front", choice, column);
    let (with, without) = (front("yes", "us")?, front("no", "us")?);
    let saved = 100.0 * (1.0 - front("yes", "volume_tests")? / front("no", "volume_tests")?);
    Ok(Finding::new(
        SOURCE,
        "the front makes queries 15 % faster",
        format!(
            "it saves {} % of the tests of volumes, and a pose takes {} µs with it and {} without",
            say(saved),
            say(with),
            say(without)
        ),
        with < without,
    ))
}

fn faces(table: &Table) -> Result<Finding> {
    let faces = ["6", "14", "18", "26"];
    let times = faces.iter().map(|k| cell(table, "k", k, "us")).collect::<Result<Vec<f64>>>()?;
    let best = (0..faces.len()).min_by(|&a, &b| times[a].total_cmp(&times[b])).unwrap_or(0);
    let said: Vec<String> = times.iter().map(|time| say(*time)).collect();
    Ok(Finding::new(
        SOURCE,
        "18 faces are best",
        format!("with 6, 14, 18 and 26 faces a pose takes {} µs", said.join(", ")),
        faces[best] == "18",
    ))
}

/// The rule of the source against the best one, in the time of queries and of building.
fn splatter(table: &Table) -> Result<Finding> {
    let of = |axis: SplitAxis, column| cell(table, "split axis", axis.name(), column);
    let both = |column| Result::Ok([of(SplitAxis::Splatter, column)?, of(SplitAxis::LeastSum, column)?]);
    let ([build, build_sum], [time, time_sum]) = (both("build_ms")?, both("us")?);
    let ratio = |column| Result::Ok(of(SplitAxis::Splatter, column)? / of(SplitAxis::LeastSum, column)?);
    Ok(Finding::new(
        "Daneu 2002, section 2.4.1",
        "with the splatter collisions are found somewhat more slowly than with the least sum of volumes, and the tree is built much faster",
        format!(
            "a pose takes {} µs instead of {}, with {} times the tests of volumes and {} times those of triangles; the trees are built in {} ms instead of {}",
            say(time),
            say(time_sum),
            say(ratio("volume_tests")?),
            say(ratio("triangle_tests")?),
            say(build),
            say(build_sum)
        ),
        (1.0..1.25).contains(&(time / time_sum)) && build < 0.5 * build_sum,
    ))
}
