//! SWIFT++: caching and directed search (Ehmann and Lin 2001).

use std::sync::Arc;

use anyhow::{Result, ensure};
use sudar::{DQuat, DVec3, Pose};
use sudar_classic::tree::SplitPoint;
use sudar_classic::{Swift, SwiftMemory, SwiftOptions};

use super::super::axis::{Axis, Scale};
use super::super::figure::{Figure, Kind, Look, Panel, Series};
use super::super::sheet::Sheet;
use super::super::{File, Output, Plan, machine};
use super::{keep, models, number, seconds};

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
    let ring = Arc::new(models::torus(plan.choose(10, 40) as u32)?);
    let ball = Arc::new(models::bumpy(plan.choose(6, 24) as u32)?);
    let poses = orbit(plan.choose(20, 200))?;
    let comments = [
        TITLE,
        "a bumpy sphere moves around a ring; exact distance, microseconds a pose; tests of two hulls, mean of a pose",
        "source: caching and directed search each make queries several times faster",
    ];
    let columns = ["point", "directed", "cached", "pieces", "build_ms", "hull_tests", "us"];
    let mut sheet = Sheet::new(&comments, &columns);
    let (mut bars, mut names, mut sum) = (Vec::new(), Vec::new(), None);
    let points = [SplitPoint::Median, SplitPoint::MidRange, SplitPoint::Mean];
    for (point, directed) in points.into_iter().flat_map(|point| [(point, false), (point, true)]) {
        let options = SwiftOptions { point, directed };
        let made = || -> Result<[Swift; 2]> {
            Ok([Swift::new(ring.clone(), &options)?, Swift::new(ball.clone(), &options)?])
        };
        let both = made()?;
        let build = seconds(&Plan { quick: true, full: false }, || keep(made()));
        for cached in [false, true] {
            let (tests, total) = measure(&both, &poses, cached);
            let time = seconds(plan, || keep(measure(&both, &poses, cached))) * 1e6 / poses.len() as f64;
            ensure!((*sum.get_or_insert(total) - total).abs() <= 1e-9 * total, "distances differ");
            let marks = [if directed { " d" } else { "" }, if cached { " c" } else { "" }].concat();
            names.push(point.name().to_owned() + &marks);
            bars.push((bars.len() as f64, time));
            sheet.row(&[
                point.name().to_owned(),
                directed.to_string(),
                cached.to_string(),
                format!("{} {}", both[0].pieces(), both[1].pieces()),
                number(build * 1e3),
                number(tests as f64 / poses.len() as f64),
                number(time),
            ]);
        }
    }
    let queries = bars.len() * poses.len();
    let files = vec![
        File { name: "swift.csv".to_owned(), text: sheet.text() },
        File { name: "swift.svg".to_owned(), text: figure(names, bars).svg()? },
    ];
    Ok(Output { files, queries, undecided: 0 })
}

fn figure(names: Vec<String>, points: Vec<(f64, f64)>) -> Figure {
    let look = Look { number: 0, kind: Kind::Bar { place: 0, of: 1 } };
    let panel = Panel {
        title: "exact distance".to_owned(),
        x: Axis::new("d: directed, c: cached", Scale::Named(names)),
        y: Axis::new("microseconds", Scale::Linear),
        series: vec![Series { label: "time of a pose".to_owned(), look, points }],
    };
    Figure { title: TITLE.to_owned(), panels: vec![panel], caption: vec![machine::line()] }
}
