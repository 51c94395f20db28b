//! Table: meshes on which boxes along the axes separate nothing, beside Coal where its figures are given.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use glam::DVec3;
use rayon::ThreadPoolBuilder;
use serde::Deserialize;
use sudar::Pose;
use sudar::effort::Budget;
use sudar::query::{Body, DistanceOptions, Work, contacts, distance, intersects, self_intersections, within};
use sudar_clash::{Assembly, ClashOptions, Part, find_clashes};

use crate::cases::read_mesh;
use crate::report::{Report, figure};
use sudar_testing::hard_meshes;

use crate::{machine, timing};

/// Which meshes.
#[derive(Debug, Args)]
pub struct Options {
    /// A folder of OBJ files and, one JSON object a line, which of them to compare and what Coal needs;
    /// generated meshes if none
    folder: Option<PathBuf>,
    /// The lines, in that folder
    #[arg(long, default_value = "coal.jsonl")]
    lines: PathBuf,
    /// Runs of each query on warm trees; the median counts
    #[arg(long, default_value_t = 7)]
    repeat: usize,
    /// Also write every figure into this file
    #[arg(long)]
    csv: Option<PathBuf>,
}

/// One line of the file of cases.
#[derive(Debug, Deserialize)]
struct Line {
    a: String,
    b: String,
    translation_of_b: [f64; 3],
    coal: Coal,
}

/// What Coal answers and how long it takes, in milliseconds.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Coal {
    intersects: bool,
    intersects_ms: f64,
    distance: f64,
    distance_ms: f64,
}

/// Two bodies by name, the second moved.
struct Case {
    names: [String; 2],
    move_b: DVec3,
    coal: Option<Coal>,
}

/// Times every query on every pair and prints milliseconds.
///
/// # Errors
/// If a file cannot be read or the table cannot be written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let columns = [
        "ms",
        "b moved by",
        "first hit",
        "Coal",
        "distance",
        "Coal",
        "within ½ d",
        "within d",
        "within 2 d",
        "all contacts",
        "pairs",
        "a with itself",
        "pairs",
        "clash",
        "right",
    ];
    let mut table = Report::new(&columns);
    let one_thread = ThreadPoolBuilder::new().num_threads(1).build()?;
    let (bodies, cases) = match &options.folder {
        Some(folder) => read(folder, &options.lines)?,
        None => generated()?,
    };
    for case in &cases {
        let pair = case.names.each_ref().map(|name| &bodies[name]);
        table.row(one_thread.install(|| row(case, pair, options.repeat))?);
    }
    writeln!(out, "{}", machine::header())?;
    writeln!(
        out,
        "One thread, trees warm. `right`: whether Coal answers the same, to 1e-9 and what its own rounding adds."
    )?;
    table.print("Hard geometry", out)?;
    options.csv.as_ref().map_or(Ok(()), |path| table.write_csv(path))
}

type Bodies = HashMap<String, Body>;

fn read(folder: &Path, lines: &Path) -> Result<(Bodies, Vec<Case>)> {
    let path = folder.join(lines);
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let (mut bodies, mut cases) = (Bodies::new(), Vec::new());
    for line in text.lines() {
        let Line { a, b, translation_of_b, coal } = serde_json::from_str(line)?;
        for name in [&a, &b] {
            if !bodies.contains_key(name) {
                bodies.insert(name.clone(), Body::new(read_mesh(&folder.join(format!("{name}.obj")))?));
            }
        }
        cases.push(Case { names: [a, b], move_b: DVec3::from(translation_of_b), coal: Some(coal) });
    }
    Ok((bodies, cases))
}

/// Meshes of our own, each kind in sizes that grow by four.
fn generated() -> Result<(Bodies, Vec<Case>)> {
    let (mut bodies, mut cases) = (Bodies::new(), Vec::new());
    let mut add = |a: (String, Body), b: (String, Body), move_b: DVec3| {
        cases.push(Case { names: [a.0.clone(), b.0.clone()], move_b, coal: None });
        bodies.extend([a, b]);
    };
    let axes = [DVec3::new(1.0, 0.9, 0.8), DVec3::new(1.0, 0.7, -1.2)];
    for n in [100, 400, 1600] {
        let bundle = |k: usize| -> Result<_> {
            Ok((
                format!("bundle{n}{}", ["a", "b"][k]),
                Body::new(hard_meshes::pipes(n, 16, axes[k], k as u64)),
            ))
        };
        add(bundle(0)?, bundle(1)?, DVec3::new(3.0, -4.0, 0.3));
        add(bundle(0)?, bundle(1)?, DVec3::new(1.5, -1.8, 0.2));
        let needles =
            || -> Result<_> { Ok((format!("needles{n}0"), Body::new(hard_meshes::needles(10 * n, 2)))) };
        add(needles()?, needles()?, DVec3::new(6.2, 0.0, 0.0));
        let fan = || -> Result<_> { Ok((format!("fan{n}"), Body::new(hard_meshes::fan(n, 1.0, 0.0)))) };
        add(fan()?, fan()?, DVec3::Z);
        add(fan()?, fan()?, DVec3::Z * 1e-9);
        let pile = || -> Result<_> { Ok((format!("pile{n}"), Body::new(hard_meshes::pile(n, 3)))) };
        add(pile()?, pile()?, DVec3::Z * 1e-3);
    }
    Ok((bodies, cases))
}

fn row(case: &Case, [a, b]: [&Body; 2], repeat: usize) -> Result<Vec<String>> {
    let (here, there) = (Pose::IDENTITY, Pose::from_translation(case.move_b)?);
    let millis = |micros: f64| figure(micros * 1e-3);
    let met = intersects(a.at(&here), b.at(&there)).is_touching();
    let far = distance(a.at(&here), b.at(&there), &DistanceOptions::EXACT).interval;
    let near =
        |ratio: f64| millis(timing::time(repeat, || within(a.at(&here), b.at(&there), ratio * far.upper)));
    // Once before, so that what is built on first use is there.
    let all = contacts(a.at(&here), b.at(&there)).len();
    let (own_millis, own_pairs) = own_pairs(a, repeat);
    let scene = || {
        let part = |body: &Body, pose| Part { name: String::new(), body: body.clone(), pose };
        Assembly { parts: vec![part(a, here), part(b, there)] }
    };
    let clearance = ClashOptions::new(0.01)?;
    let coal = |cell: fn(Coal) -> f64| case.coal.map_or_else(|| "–".to_owned(), |coal| figure(cell(coal)));
    Ok(vec![
        case.names.join(", "),
        format!("{}", case.move_b),
        millis(timing::time(repeat, || intersects(a.at(&here), b.at(&there)))),
        coal(|coal| coal.intersects_ms),
        millis(timing::time(repeat, || distance(a.at(&here), b.at(&there), &DistanceOptions::EXACT))),
        coal(|coal| coal.distance_ms),
        near(0.5),
        near(1.0),
        near(2.0),
        millis(timing::time(repeat, || contacts(a.at(&here), b.at(&there)))),
        all.to_string(),
        own_millis,
        own_pairs,
        millis(timing::time(repeat.min(3), || find_clashes(&scene(), &clearance, &|_, _| {}))),
        case.coal.map_or_else(String::new, |coal| agrees(coal, met, far.upper).to_string()),
    ])
}

/// Time and number of the pairs of triangles of one mesh that meet. Of triangles that nearly all do there are
/// too many to list: where two seconds do not suffice, what there is by then.
fn own_pairs(body: &Body, repeat: usize) -> (String, String) {
    let limit = Duration::from_secs(2);
    let found = Work::new(Budget::time(limit)).self_intersections(body.at(&Pose::IDENTITY));
    if !found.complete {
        return (format!("> {}", figure(limit.as_secs_f64() * 1e3)), format!("> {}", found.found.len()));
    }
    let micros = timing::time(repeat.min(3), || self_intersections(body.at(&Pose::IDENTITY)));
    (figure(micros * 1e-3), found.found.len().to_string())
}

fn agrees(coal: Coal, met: bool, distance: f64) -> bool {
    coal.intersects == met && (coal.distance - distance).abs() <= 1e-9 * (1.0 + distance)
}
