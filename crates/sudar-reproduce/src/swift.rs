//! SWIFT++: caching and directed search (Ehmann and Lin 2001).

use std::sync::Arc;

use sudar::{DQuat, DVec3, Pose};
use sudar_classic::tree::SplitPoint;
use sudar_classic::{Swift, SwiftMemory, SwiftOptions};

use crate::inputs::models;
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::machine;
use crate::output::sheet::{Sheet, numbers};
use crate::plan::{Output, Plan, Result, ensure};

pub const TITLE: &str = "SWIFT++: where to split, directed search and caching (Ehmann and Lin 2001)";

/// Poses of a ball on its way around a ring.
fn orbit(steps: usize) -> Result<Vec<Pose>> {
    let pose = |i: usize| {
        let t = i as f64 / steps as f64;
        let at = DVec3::new(2.5 * libm::cos(3.0 * t), 2.5 * libm::sin(3.0 * t), 0.6 * libm::sin(9.0 * t));
        Ok(Pose::new(at, DQuat::from_rotation_y(4.0 * t))?)
    };
    (0..steps).map(pose).collect()
}

/// Tests of hulls and the sum of all distances.
fn measure([first, second]: &[Swift; 2], poses: &[Pose], cached: bool) -> (u64, f64) {
    let (mut tests, mut total, mut memory) = (0, 0.0, SwiftMemory::new());
    for pose in poses {
        if !cached {
            memory = SwiftMemory::new();
        }
        if let Some(found) = first.distance(&Pose::IDENTITY, second, pose, f64::INFINITY, &mut memory) {
            tests += found.effort.volume_tests;
            total += found.distance.upper;
        }
    }
    (tests, total)
}

pub fn run(plan: &Plan) -> Result<Output> {
    plan.tell("SWIFT++");
    let ring = Arc::new(models::torus(plan.choose(10, 40) as u32)?);
    let ball = Arc::new(models::bumpy(plan.choose(6, 24) as u32)?);
    let poses = orbit(plan.choose(20, 200))?;
    let comments = [
        TITLE,
        "a bumpy sphere moves around a ring; exact distance, microseconds a pose; tests of two hulls, mean of a pose",
        "source: caching and directed search each make queries several times faster",
    ];
    let mut sheet = Sheet::new(&comments, "point,directed,cached,pieces,build_ms,hull_tests,us");
    let (mut bars, mut names, mut sum) = (Vec::new(), Vec::new(), None);
    let points = [SplitPoint::Median, SplitPoint::MidRange, SplitPoint::Mean];
    for (point, directed) in points.into_iter().flat_map(|point| [(point, false), (point, true)]) {
        let options = SwiftOptions { point, directed };
        let made = || -> Result<[Swift; 2]> {
            Ok([Swift::new(ring.clone(), &options)?, Swift::new(ball.clone(), &options)?])
        };
        let both = made()?;
        let build = plan.once().seconds(made);
        for cached in [false, true] {
            let (tests, total) = measure(&both, &poses, cached);
            let count = poses.len() as f64;
            let time = plan.seconds(|| measure(&both, &poses, cached)) * 1e6 / count;
            let agrees = (*sum.get_or_insert(total) - total).abs() <= 1e-9 * total;
            ensure(agrees, || "distances differ".to_owned())?;
            let marks = [if directed { " d" } else { "" }, if cached { " c" } else { "" }].concat();
            names.push(point.name().to_owned() + &marks);
            bars.push((bars.len() as f64, time));
            let (point, measured) = (point.name(), numbers(&[build * 1e3, tests as f64 / count, time]));
            let pieces = [both[0].pieces(), both[1].pieces()];
            sheet.row(format_args!("{point},{directed},{cached},{} {},{measured}", pieces[0], pieces[1]));
        }
    }
    let queries = bars.len() * poses.len();
    let (x, y) = (Axis::named("d: directed, c: cached", names), Axis::linear("microseconds"));
    let series = vec![Series::bars("time of a pose", 0, [0, 1], bars)];
    let panel = Panel::new("exact distance", x, y, series);
    let figure = Figure::new(TITLE, vec![panel], &[&machine::line()]);
    plan.output(queries).sheet("swift", sheet).figure("swift", &figure)
}
