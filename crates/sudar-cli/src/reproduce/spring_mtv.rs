//! The two resolutions of Dimitrijević 2019, springs and least translations, by the length of the step.

use std::time::Instant;

use anyhow::Result;
use sudar_scene::box_objects;

use super::axis::{Axis, Scale};
use super::figure::{Figure, Kind, Look, Panel, Series};
use super::sheet::Sheet;
use super::{File, Output, Plan, machine};
use crate::progress::Waiting;

pub const TITLE: &str = "springs against least translations by the length of the step (Dimitrijević 2019)";

const NOTES: [&str; 3] = [
    "Eight bodies of all shapes, elastic, without gravity, in a closed room. energy_change: largest change of the kinetic energy, relative; depth: \
     largest overlap at the end of a step.",
    "spring: the default stiffness, undamped, in sub-steps. mtv: half the least translation each and elastic velocities along the line of centres, at \
     the time of first contact; spin stays as it is. simultaneous: for comparison.",
    "seconds: of the run, on one thread.",
];

const RESPONSES: [&str; 3] = ["spring", "mtv", "simultaneous"];
const RATES: [u32; 5] = [30, 60, 120, 240, 480];

pub fn run(plan: &Plan) -> Result<Output> {
    let _waiting = Waiting::new("stepping bodies");
    let mut sheet =
        Sheet::new(&NOTES, &["response", "steps_a_second", "energy_change", "depth_m", "seconds"]);
    let time = plan.choose(1, 20) as f64;
    let rates = &RATES[..plan.choose(2, RATES.len())];
    let mut curves: Vec<(&str, Vec<[f64; 3]>)> = Vec::new();
    for response in RESPONSES {
        let mut points = Vec::new();
        for &rate in rates {
            let [change, depth, seconds] = measured(response, f64::from(rate), time)?;
            let cells = [
                response.to_owned(),
                rate.to_string(),
                change.to_string(),
                depth.to_string(),
                format!("{seconds:.3}"),
            ];
            sheet.row(&cells);
            points.push([f64::from(rate), change, depth]);
        }
        curves.push((response, points));
    }
    let panel = |title: &str, y: Axis, column: usize| Panel {
        title: title.to_owned(),
        x: Axis::new("steps a second", Scale::Binary),
        y,
        series: curves
            .iter()
            .enumerate()
            .map(|(number, (response, points))| Series {
                label: (*response).to_owned(),
                look: Look { number, kind: Kind::Line },
                points: points.iter().map(|row| (row[0], row[column])).collect(),
            })
            .collect(),
    };
    let figure = Figure {
        title: "Springs and least translations by the length of the step".to_owned(),
        panels: vec![
            panel("Energy", Axis::new("largest relative change", Scale::Decimal), 1),
            // From zero, which two of them do not leave.
            panel("Overlap", Axis::new("largest depth in m", Scale::Linear), 2),
        ],
        caption: vec![machine::version()],
    };
    let files = vec![
        File { name: "spring-mtv.csv".to_owned(), text: sheet.text() },
        File { name: "spring-mtv.svg".to_owned(), text: figure.svg()? },
    ];
    Ok(Output { files, queries: RESPONSES.len() * rates.len(), undecided: 0 })
}

fn measured(response: &str, rate: f64, time: f64) -> Result<[f64; 3]> {
    let mut scene = box_objects()?;
    scene.settings.response = sudar_classic::response(response)?;
    let mut world = scene.world()?;
    let first = world.energy().total();
    let start = Instant::now();
    let (mut change, mut depth): (f64, f64) = (0.0, 0.0);
    for _ in 0..(time * rate) as u32 {
        world.step(1.0 / rate)?;
        depth = depth.max(world.deepest());
        // A body in a spring has lent it energy: only flights between contacts are compared.
        if response != "spring" || world.deepest() == 0.0 {
            change = change.max((world.energy().total() / first - 1.0).abs());
        }
    }
    Ok([change, depth, start.elapsed().as_secs_f64()])
}
