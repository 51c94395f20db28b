//! SWIFT++: caching and directed search (Ehmann and Lin 2001).

use std::sync::Arc;

use anyhow::{Result, ensure};
use sudar::tree::SplitPoint;
use sudar::{DQuat, DVec3, Pose};
use sudar_classic::{Swift, SwiftMemory, SwiftOptions};

use super::super::axis::{Axis, Scale};
use super::super::figure::{Figure, Kind, Look, Panel, Series};
use super::super::sheet::Sheet;
use super::super::{File, Output, Plan, machine};
use super::{keep, models, number, seconds};

pub const TITLE: &str = "SWIFT++: where to split, directed search and caching (Ehmann and Lin 2001)";

pub fn run(plan: &Plan) -> Result<Output> {
    let ring = Arc::new(models::torus(plan.choose(10, 40) as u32)?);
    let ball = Arc::new(models::bumpy(plan.choose(6, 24) as u32)?);
    let steps = plan.choose(20, 200);
    let pose = |i: usize| {
        let t = i as f64 / steps as f64;
        let at = DVec3::new(2.5 * libm::cos(3.0 * t), 2.5 * libm::sin(3.0 * t), 0.6 * libm::sin(9.0 * t));
        Ok(Pose::new(at, DQuat::from_rotation_y(4.0 * t))?)
    };
    let poses = (0..steps).map(pose).collect::<Result<Vec<Pose>>>()?;
    let comments = [
        TITLE,
        "a bumpy sphere moves around a ring; exact distance, microseconds a pose; tests of two hulls, mean of a pose",
        "source: caching and directed search each make queries several times faster",
    ];
    let columns = ["point", "directed", "cached", "pieces", "build_ms", "hull_tests", "us"];
    let mut sheet = Sheet::new(&comments, &columns);
    let (mut bars, mut names, mut sum) = (Vec::new(), Vec::new(), None);
    for point in [SplitPoint::Median, SplitPoint::MidRange, SplitPoint::Mean] {
        for directed in [false, true] {
            let options = SwiftOptions { point, directed };
            let made = || -> Result<[Swift; 2]> {
                Ok([Swift::new(ring.clone(), &options)?, Swift::new(ball.clone(), &options)?])
            };
            let [first, second] = made()?;
            let build = seconds(&Plan { quick: true }, || keep(made()));
            for cached in [false, true] {
                let (mut tests, mut total) = (0, 0.0);
                let mut all = |count: bool| {
                    let mut memory = SwiftMemory::new();
                    for pose in &poses {
                        if !cached {
                            memory = SwiftMemory::new();
                        }
                        let found =
                            first.distance(&Pose::IDENTITY, &second, pose, f64::INFINITY, &mut memory);
                        if let Some(found) = found.filter(|_| count) {
                            tests += found.effort.volume_tests;
                            total += found.distance.upper;
                        }
                    }
                };
                all(true);
                let time = seconds(plan, || all(false)) * 1e6 / steps as f64;
                ensure!((*sum.get_or_insert(total) - total).abs() <= 1e-9 * total, "distances differ");
                names.push(format!(
                    "{}{}{}",
                    point.name(),
                    if directed { " d" } else { "" },
                    if cached { " c" } else { "" }
                ));
                bars.push((bars.len() as f64, time));
                sheet.row(&[
                    point.name().to_owned(),
                    directed.to_string(),
                    cached.to_string(),
                    format!("{} {}", first.pieces(), second.pieces()),
                    number(build * 1e3),
                    number(tests as f64 / steps as f64),
                    number(time),
                ]);
            }
        }
    }
    let queries = bars.len() * steps;
    let look = Look { number: 0, kind: Kind::Bar { place: 0, of: 1 } };
    let panel = Panel {
        title: "exact distance".to_owned(),
        x: Axis::new("d: directed, c: cached", Scale::Named(names)),
        y: Axis::new("microseconds", Scale::Linear),
        series: vec![Series { label: "time of a pose".to_owned(), look, points: bars }],
    };
    let figure = Figure { title: TITLE.to_owned(), panels: vec![panel], caption: vec![machine::line()] };
    let files = vec![
        File { name: "swift.csv".to_owned(), text: sheet.text() },
        File { name: "swift.svg".to_owned(), text: figure.svg()? },
    ];
    Ok(Output { files, queries, undecided: 0 })
}
