//! Tables: how far apart two meshes are in many poses, whether within a tolerance, and what a memory saves on a path.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Result, ensure};
use clap::Args;
use sudar::query::{self, Body, DistanceOptions, Memory};
use sudar::{Mesh, Pose, Shape};

use crate::cases::{self, Case};
use crate::options::{Comparison, Selection};
use crate::peers::{Both, Row};
use crate::report::{Report, count, figure};
use crate::rivals::{parry_distance, parry_input, parry_mesh, parry_pose};
use crate::timing::{Cost, sweep};
use crate::{exact, machine, nearest};

/// Which cases to time, and beside what.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    comparison: Comparison,
    /// Poses of each case for parry3d, which takes up to a second for each
    #[arg(long, default_value_t = 3)]
    parry: usize,
    /// Poses of each case and library to be judged where somebody differs; some seconds each
    #[arg(long, default_value_t = 3)]
    judge: usize,
}

/// Everything measured of one case.
struct Measured {
    distance: Cost,
    distances: Vec<f64>,
    /// With a tolerance of half the distance, twice the distance, and a hundredth of the size.
    within: [Cost; 3],
    parry: Option<(f64, Vec<f64>)>,
    /// On a path only: without and with a memory, for each of the three queries.
    path: Option<[(&'static str, f64, f64); PATH_QUERIES]>,
}

const WITHIN: [&str; 3] = ["within_half", "within_double", "within_hundredth_of_size"];
const PATH_QUERIES: usize = 3;
/// Distances that differ by less than this, relatively, are the same,
const SAME: f64 = 1e-9;
/// and so are those that differ by less than this times the largest coordinate: rounding of what is subtracted.
const ROUNDING: f64 = 1e-14;
/// The spheres that show how cost grows, and how many thousand triangles they have.
const GROWTH: [(&str, u32); 3] = [("sphere20k", 20), ("sphere", 80), ("sphere250k", 250)];

/// Times every case and prints one table for each kind of question.
///
/// # Errors
/// If an input cannot be read, the table cannot be written, or Sudar is wrong somewhere.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let peers = options.comparison.peers()?;
    let mut tables = Tables::new();
    for file in options.selection.files()? {
        let case = cases::read(&file)?;
        let measured = measure(&case, options)?;
        tables.add(&case, &measured, peers.find(&case.name), options.judge);
    }
    writeln!(out, "{}", machine::header())?;
    writeln!(
        out,
        "Mean per pose over the poses of a case; `×` is how many times faster than the better of Coal and FCL, whose figures \
         hold about 1 µs of Python. Parry has the first {} poses of each case only.",
        options.parry
    )?;
    tables.print(out)?;
    options.comparison.write(&tables.csv)?;
    ensure!(tables.wrong == 0, "{} distances of Sudar are wrong", tables.wrong);
    Ok(())
}

fn measure(case: &Case, options: &Options) -> Result<Measured> {
    let (a, b) = (body(&case.a), body(&case.b));
    let one = |[p, q]: &[Pose; 2]| query::distance(a.at(p), b.at(q), &DistanceOptions::EXACT).interval.upper;
    let (distance, distances) = sweep(&case.poses, options.comparison.repeat, one);
    let fixed = 0.01 * smaller_size(case);
    let tolerances = [|d: f64, _| 0.5 * d, |d: f64, _| 2.0 * d, |_, fixed: f64| fixed];
    let within = tolerances.map(|tolerance: fn(f64, f64) -> f64| {
        let asked: Vec<_> =
            case.poses.iter().zip(&distances).map(|(p, &d)| (*p, tolerance(d, fixed))).collect();
        let one = |([p, q], tolerance): &([Pose; 2], f64)| query::within(a.at(p), b.at(q), *tolerance);
        sweep(&asked, options.comparison.repeat, one).0
    });
    let is_path = ["-path", "-drift"].iter().any(|kind| case.name.ends_with(kind));
    let parry = if options.parry == 0 || is_path { None } else { Some(measure_parry(case, options)?) };
    let path = is_path.then(|| measure_path(case, [&a, &b], options.comparison.repeat));
    Ok(Measured { distance, distances, within, parry, path })
}

fn measure_parry(case: &Case, options: &Options) -> Result<(f64, Vec<f64>)> {
    let (a, b) = (parry_mesh(parry_input(&case.a))?, parry_mesh(parry_input(&case.b))?);
    let few = case.poses.iter().take(options.parry);
    let mut distances = Vec::new();
    let start = std::time::Instant::now();
    for [p, q] in few {
        distances.push(parry_distance(&a, &parry_pose(p), &b, &parry_pose(q)));
    }
    Ok((start.elapsed().as_secs_f64() * 1e6 / distances.len() as f64, distances))
}

/// One step after the other, as they come; a new memory for each sweep.
fn measure_path(case: &Case, [a, b]: [&Body; 2], repeat: usize) -> [(&'static str, f64, f64); PATH_QUERIES] {
    let whole = |f: &mut dyn FnMut(&[Pose; 2], &mut Memory)| {
        let sweeps = sweep(&[()], repeat, |()| {
            let mut memory = Memory::default();
            case.poses.iter().for_each(|poses| f(poses, &mut memory));
        });
        sweeps.0.mean / case.poses.len() as f64
    };
    let exact = &DistanceOptions::EXACT;
    // About the gap: the tolerance that is hardest to decide.
    let tolerance = 0.1 * smaller_size(case);
    [
        (
            "intersects",
            whole(&mut |[p, q], _| ignore(query::intersects(a.at(p), b.at(q)))),
            whole(&mut |[p, q], memory| ignore(memory.intersects(a.at(p), b.at(q)))),
        ),
        (
            "distance",
            whole(&mut |[p, q], _| ignore(query::distance(a.at(p), b.at(q), exact))),
            whole(&mut |[p, q], memory| ignore(memory.distance(a.at(p), b.at(q), exact))),
        ),
        (
            "within",
            whole(&mut |[p, q], _| ignore(query::within(a.at(p), b.at(q), tolerance))),
            whole(&mut |[p, q], memory| ignore(memory.within(a.at(p), b.at(q), tolerance))),
        ),
    ]
}

/// So that an answer nobody reads is computed all the same.
fn ignore<T>(answer: T) {
    let _ = std::hint::black_box(answer);
}

/// The shorter of the diagonals of the boxes.
fn smaller_size(case: &Case) -> f64 {
    case.a.aabb().extent().length().min(case.b.aabb().extent().length())
}

fn body(mesh: &Arc<Mesh>) -> Body {
    Body::new(Shape::Mesh(mesh.clone()))
}

/// How many poses two agree on, of how many; and what the judge says of some others.
struct Agreement {
    same: usize,
    of: usize,
    ours_right: usize,
    ours_wrong: usize,
}

impl Agreement {
    fn of(case: &Case, ours: &[f64], theirs: &[f64], most: usize) -> Self {
        let pairs: Vec<_> = ours.iter().zip(theirs).zip(&case.poses).collect();
        let (same, differ): (Vec<_>, Vec<_>) =
            pairs.iter().partition(|((o, t), poses)| is_same(**o, **t, case, poses));
        let judged = differ.iter().take(most);
        let right = judged.filter(|((o, t), poses)| is_right(case, **o, **t, poses)).count();
        let ours_wrong = differ.len().min(most) - right;
        Self { same: same.len(), of: pairs.len(), ours_right: right, ours_wrong }
    }

    fn text(&self) -> String {
        let differ = self.of - self.same;
        let judged = match (self.ours_right, self.ours_wrong) {
            (0, 0) if differ > 0 => " (not judged)".to_owned(),
            (0, 0) => String::new(),
            (right, 0) => format!(" (Sudar right in {right} judged)"),
            (right, wrong) => format!(" (Sudar right in {right}, WRONG in {wrong} judged)"),
        };
        format!("{} of {}{judged}", self.same, self.of)
    }
}

fn is_same(x: f64, y: f64, case: &Case, [p, q]: &[Pose; 2]) -> bool {
    let reach = |mesh: &Mesh, pose: &Pose| {
        let own = mesh.aabb().min.abs().max(mesh.aabb().max.abs()).max_element();
        own + pose.translation().abs().max_element()
    };
    (x - y).abs() <= SAME * x.max(y) + ROUNDING * reach(&case.a, p).max(reach(&case.b, q))
}

/// Whether the first of two distances that differ is right, by a method of its own.
fn is_right(case: &Case, ours: f64, theirs: f64, poses @ [p, q]: &[Pose; 2]) -> bool {
    if ours == 0.0 || theirs == 0.0 {
        return (ours == 0.0) != exact::all_pairs(&case.a, p, &case.b, q).is_empty();
    }
    // A distance that is too small has nothing below it, one that is too large has.
    let truth = nearest::least_distance(&case.a, p, &case.b, q, ours.max(theirs));
    is_same(ours, truth, case, poses)
}

struct Tables {
    distance: Report,
    within: Report,
    same: Report,
    path: Report,
    growth: Vec<(String, u32, f64)>,
    csv: Report,
    wrong: usize,
}

impl Tables {
    fn new() -> Self {
        let tolerances = ["tolerance ½ d", "× better", "2 d", "× better", "size/100", "× better"];
        Self {
            distance: Report::new(&[
                "distance, µs",
                "triangles",
                "Sudar",
                "median",
                "parry",
                "Coal",
                "FCL",
                "× better",
            ]),
            within: Report::new(&[&["within, µs"], &tolerances[..], &["Coal’s or FCL’s distance"]].concat()),
            same: Report::new(&["equal to 1e-9 or rounding with", "apart", "Coal", "FCL", "parry"]),
            path: Report::new(&[
                "path, µs a step",
                "query",
                "without memory",
                "with",
                "× faster",
                "Coal",
                "FCL",
            ]),
            growth: Vec::new(),
            csv: Report::new(&["case", "query", "library", "mean_us", "median_us", "agreeing"]),
            wrong: 0,
        }
    }

    fn add(&mut self, case: &Case, measured: &Measured, peer: Option<&Row>, judge: usize) {
        let theirs = peer.map(|p| p.distance_us);
        self.add_distance(case, measured, theirs);
        self.add_within(case, measured, theirs);
        self.add_path(case, measured, theirs);
        self.add_same(case, measured, peer, judge);
        for (name, thousands) in GROWTH {
            if let Some(kind) = case.name.strip_prefix(&format!("{name}-{name}-")) {
                self.growth.push((kind.to_owned(), thousands, measured.distance.mean));
            }
        }
    }

    fn add_distance(&mut self, case: &Case, measured: &Measured, theirs: Option<Both>) {
        let triangles = format!("{} × {}", case.a.triangles().len(), case.b.triangles().len());
        let parry = measured.parry.as_ref().map_or(f64::NAN, |(mean, _)| *mean);
        let Both { coal, fcl } = theirs.unwrap_or(Both { coal: f64::NAN, fcl: f64::NAN });
        let Cost { mean, median, .. } = measured.distance;
        let figures = [mean, median, parry, coal, fcl, faster(mean, theirs)].map(figure);
        self.distance.row([case.name.clone(), triangles].into_iter().chain(figures).collect());
    }

    fn add_within(&mut self, case: &Case, measured: &Measured, theirs: Option<Both>) {
        let mut cells = vec![case.name.clone()];
        for (name, cost) in WITHIN.into_iter().zip(&measured.within) {
            cells.extend([cost.mean, faster(cost.mean, theirs)].map(figure));
            self.csv_row(case, name, "sudar", [cost.mean, cost.median], None);
        }
        cells.push(figure(theirs.map_or(f64::NAN, Both::better)));
        self.within.row(cells);
    }

    fn add_path(&mut self, case: &Case, measured: &Measured, theirs: Option<Both>) {
        for (query, cold, warm) in measured.path.iter().flatten() {
            let distance = theirs.filter(|_| *query == "distance");
            let Both { coal, fcl } = distance.unwrap_or(Both { coal: f64::NAN, fcl: f64::NAN });
            let figures = [*cold, *warm, cold / warm, coal, fcl].map(figure);
            self.path.row([case.name.clone(), (*query).to_owned()].into_iter().chain(figures).collect());
            self.csv_row(case, &format!("path_{query}"), "sudar", [*cold, f64::NAN], None);
            self.csv_row(case, &format!("path_{query}_memory"), "sudar", [*warm, f64::NAN], None);
        }
    }

    fn add_same(&mut self, case: &Case, measured: &Measured, peer: Option<&Row>, judge: usize) {
        let ours = &measured.distances;
        let apart = ours.iter().filter(|d| **d > 0.0).count();
        let Cost { mean, median, .. } = measured.distance;
        self.csv_row(case, "distance", "sudar", [mean, median], Some(ours.len()));
        let rivals = [
            ("coal", peer.map(|p| (p.distance_us.coal, &p.distances.coal))),
            ("fcl", peer.map(|p| (p.distance_us.fcl, &p.distances.fcl))),
            ("parry3d-f64", measured.parry.as_ref().map(|(mean, distances)| (*mean, distances))),
        ];
        let mut cells = vec![case.name.clone(), count(Some(apart))];
        for (library, figures) in rivals {
            let Some((mean, theirs)) = figures.filter(|(_, theirs)| !theirs.is_empty()) else {
                cells.push(count(None));
                continue;
            };
            let agreement = Agreement::of(case, ours, theirs, judge);
            self.wrong += agreement.ours_wrong;
            self.csv_row(case, "distance", library, [mean, f64::NAN], Some(agreement.same));
            cells.push(agreement.text());
        }
        self.same.row(cells);
    }

    fn csv_row(&mut self, case: &Case, query: &str, library: &str, cost: [f64; 2], agreeing: Option<usize>) {
        let number = |x: f64| if x.is_finite() { format!("{x:.4}") } else { String::new() };
        let [mean, median] = cost.map(number);
        let agreeing = agreeing.map(|n| n.to_string()).unwrap_or_default();
        self.csv.row(vec![case.name.clone(), query.into(), library.into(), mean, median, agreeing]);
    }

    fn print(&self, out: &mut dyn Write) -> Result<()> {
        self.distance.print("Distance", out)?;
        self.within.print("Within a tolerance", out)?;
        self.same.print("The same distance?", out)?;
        self.path.print("Step by step on a path", out)?;
        self.growth().print("Growth", out)
    }

    /// One row a kind, one column a size.
    fn growth(&self) -> Report {
        let sizes = GROWTH.map(|(_, thousands)| format!("{thousands} 000 × {thousands} 000"));
        let mut table = Report::new(&["distance, µs", &sizes[0], &sizes[1], &sizes[2], "last/first"]);
        let mut kinds: Vec<_> = self.growth.iter().map(|(kind, ..)| kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            let at = |(_, size)| {
                let found = self.growth.iter().find(|(k, s, _)| k == kind && *s == size);
                found.map_or(f64::NAN, |(_, _, mean)| *mean)
            };
            let means @ [first, _, last] = GROWTH.map(at);
            let figures = means.into_iter().chain([last / first]).map(figure);
            table.row(std::iter::once(kind.clone()).chain(figures).collect());
        }
        table
    }
}

fn faster(ours: f64, theirs: Option<Both>) -> f64 {
    theirs.map_or(f64::NAN, |t| t.better() / ours)
}
