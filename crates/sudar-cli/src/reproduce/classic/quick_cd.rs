//! QuickCD's choices: rules of splitting, k, re-fitting, the front (Klosowski et al. 1998).

use std::sync::Arc;

use anyhow::{Result, ensure};
use sudar::{DQuat, DVec3, Mesh, Pose};
use sudar_classic::tree::{SplitAxis, SplitPoint};
use sudar_classic::{Limits, QuickCd, QuickCdOptions, Refit};

use super::super::axis::{Axis, Scale};
use super::super::figure::{Figure, Kind, Look, Panel, Series};
use super::super::sheet::Sheet;
use super::super::{File, Output, Plan, machine};
use super::{keep, models, number, seconds};

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
    let steps = plan.choose(60, 600);
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
struct Row {
    build: f64,
    volume: f64,
    time: f64,
    volume_tests: f64,
    triangle_tests: f64,
    hits: usize,
}

fn measure<const SLABS: usize>(plan: &Plan, flight: &Flight, options: &QuickCdOptions) -> Row {
    let made = || QuickCd::<SLABS>::new(flight.environment.clone(), flight.body.clone(), options);
    let build = seconds(plan, || keep(made()));
    let mut system = made();
    let (mut hits, mut tests) = (0, [0.0; 2]);
    for pose in &flight.poses {
        let found = system.collide(&Pose::IDENTITY, pose, Limits::ALL);
        hits += usize::from(found.is_touching());
        tests[0] += found.effort.volume_tests as f64;
        tests[1] += found.effort.triangle_tests as f64;
    }
    let time = seconds(plan, || {
        for pose in &flight.poses {
            keep(system.collide(&Pose::IDENTITY, pose, Limits::ALL));
        }
    });
    let count = flight.poses.len() as f64;
    Row {
        build,
        volume: system.environment().tree().total_volume(),
        time: time * 1e6 / count,
        volume_tests: tests[0] / count,
        triangle_tests: tests[1] / count,
        hits,
    }
}

/// The rows and bars as they come.
struct Table {
    sheet: Sheet,
    panels: Vec<Panel>,
    hits: Option<usize>,
    queries: usize,
}

impl Table {
    fn new() -> Self {
        let comments = [
            TITLE,
            "a bumpy ball flies through hills; all contacts, microseconds a pose; tests are means of a pose",
            "source: 18 faces best; splatter nearly as good as the least sum of volumes; mean up to 27 % less volume than median; front 15 % faster",
        ];
        let columns =
            ["what", "choice", "build_ms", "total_volume", "us", "volume_tests", "triangle_tests", "hits"];
        Self { sheet: Sheet::new(&comments, &columns), panels: Vec::new(), hits: None, queries: 0 }
    }

    /// All choices must find the same hits.
    fn add(&mut self, what: &str, poses: usize, rows: &[(&str, Row)]) -> Result<()> {
        let mut points = Vec::new();
        for (i, (choice, row)) in rows.iter().enumerate() {
            ensure!(*self.hits.get_or_insert(row.hits) == row.hits, "{what} {choice} finds other hits");
            self.queries += poses;
            points.push((i as f64, row.time));
            self.sheet.row(&[
                what.to_owned(),
                (*choice).to_owned(),
                number(row.build * 1e3),
                format!("{:.6e}", row.volume),
                number(row.time),
                number(row.volume_tests),
                number(row.triangle_tests),
                row.hits.to_string(),
            ]);
        }
        let names = rows.iter().map(|(choice, _)| (*choice).to_owned()).collect();
        let look = Look { number: 0, kind: Kind::Bar { place: 0, of: 1 } };
        self.panels.push(Panel {
            title: what.to_owned(),
            x: Axis::new("", Scale::Named(names)),
            y: Axis::new("microseconds", Scale::Linear),
            series: vec![Series { label: "time of a pose".to_owned(), look, points }],
        });
        Ok(())
    }
}

pub fn run(plan: &Plan) -> Result<Output> {
    let flight = flight(plan)?;
    let poses = flight.poses.len();
    let default = QuickCdOptions { front: false, ..QuickCdOptions::DEFAULT };
    let with = |options: QuickCdOptions| measure::<9>(plan, &flight, &options);
    let mut table = Table::new();
    let axes = [SplitAxis::LeastSum, SplitAxis::LeastMax, SplitAxis::Splatter, SplitAxis::Longest];
    let rows = axes.map(|axis| (axis.name(), with(QuickCdOptions { axis, ..default })));
    table.add("split axis", poses, &rows)?;
    let points = [SplitPoint::Mean, SplitPoint::Median];
    let rows = points.map(|point| (point.name(), with(QuickCdOptions { point, ..default })));
    table.add("split point", poses, &rows)?;
    let rows = [
        ("6", measure::<3>(plan, &flight, &default)),
        ("14", measure::<7>(plan, &flight, &default)),
        ("18", with(default)),
        ("26", measure::<13>(plan, &flight, &default)),
    ];
    table.add("k", poses, &rows)?;
    let refits =
        [("corners", Refit::Corners), ("hill climbing", Refit::HillClimbing), ("slabs", Refit::Slabs)];
    let rows = refits.map(|(name, refit)| (name, with(QuickCdOptions { refit, ..default })));
    table.add("re-fit", poses, &rows)?;
    let rows =
        [("no", false), ("yes", true)].map(|(name, front)| (name, with(QuickCdOptions { front, ..default })));
    table.add("front", poses, &rows)?;
    let leaves = [("1", 1), ("5", 5), ("20", 20), ("40", 40), ("60", 60), ("100", 100)];
    let rows = leaves.map(|(name, leaf)| (name, with(QuickCdOptions { leaf: Some(leaf), ..default })));
    table.add("triangles a leaf", poses, &rows)?;
    let caption =
        "All choices find the same contacts. The re-fit by slabs is not among the source's.".to_owned();
    let Table { sheet, panels, queries, .. } = table;
    let figure = Figure { title: TITLE.to_owned(), panels, caption: vec![caption, machine::line()] };
    let files = vec![
        File { name: "quickcd.csv".to_owned(), text: sheet.text() },
        File { name: "quickcd.svg".to_owned(), text: figure.svg()? },
    ];
    Ok(Output { files, queries, undecided: 0 })
}
