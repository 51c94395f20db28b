//! Table: two meshes in many poses, first hit and all pairs.

use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use sudar::query::{self, Body};
use sudar::{Mesh, Pose, Shape};

use crate::cases::{self, Case};
use crate::machine;
use crate::options::{Comparison, Selection};
use crate::peers::{Both, Row};
use crate::report::{Report, count, figure};
use crate::rivals::{parry_input, parry_intersects, parry_mesh, parry_pose};
use crate::timing::{Cost, sweep};

/// Which cases to time, and beside what.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    comparison: Comparison,
    /// Leave parry3d out, which takes the longest
    #[arg(long)]
    no_parry: bool,
}

/// Everything measured of one case. Counts are sums over the poses.
struct Measured {
    first_hit: Cost,
    hits: usize,
    all_pairs: Cost,
    pairs: usize,
    parry: Option<(Cost, usize)>,
}

/// Times every case and prints one table for each kind of query.
///
/// # Errors
/// If an input cannot be read or the table cannot be written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let peers = options.comparison.peers()?;
    let mut first = Report::new(&[
        "first hit, µs",
        "triangles",
        "Sudar",
        "median",
        "parry",
        "Coal",
        "FCL",
        "× better",
        "hits: Sudar",
        "parry",
        "Coal",
        "FCL",
    ]);
    let mut all = Report::new(&[
        "all pairs, µs",
        "Sudar",
        "median",
        "Coal",
        "FCL",
        "× better",
        "pairs: Sudar",
        "Coal",
        "FCL",
    ]);
    let mut csv = Report::new(&["case", "query", "library", "mean_us", "median_us", "count"]);
    for file in options.selection.files()? {
        let case = cases::read(&file)?;
        let measured = measure(&case, options)?;
        let row = peers.find(&case.name);
        first.row(first_hit_row(&case, &measured, row));
        all.row(all_pairs_row(&case, &measured, row));
        csv_rows(&case, &measured, row, &mut csv);
    }
    writeln!(out, "{}", machine::header())?;
    writeln!(
        out,
        "Mean per pose over the poses of a case; `×` is how many times faster than the better of Coal and FCL, whose figures hold about 1 µs of Python."
    )?;
    first.print("First hit", out)?;
    all.print("All pairs", out)?;
    options.comparison.write(&csv)
}

fn measure(case: &Case, options: &Options) -> Result<Measured> {
    let (a, b) = (body(&case.a), body(&case.b));
    let touching = |[p, q]: &[Pose; 2]| query::intersects(a.at(p), b.at(q)).is_touching();
    let (first_hit, hits) = sweep(&case.poses, options.comparison.repeat, touching);
    let listed = |[p, q]: &[Pose; 2]| query::contacts(a.at(p), b.at(q)).len();
    let (all_pairs, pairs) = sweep(&case.poses, options.comparison.repeat, listed);
    let parry = if options.no_parry { None } else { Some(measure_parry(case, options.comparison.repeat)?) };
    Ok(Measured { first_hit, hits: trues(&hits), all_pairs, pairs: pairs.iter().sum(), parry })
}

fn measure_parry(case: &Case, repeat: usize) -> Result<(Cost, usize)> {
    let (a, b) = (parry_mesh(parry_input(&case.a))?, parry_mesh(parry_input(&case.b))?);
    let poses: Vec<_> = case.poses.iter().map(|[p, q]| [parry_pose(p), parry_pose(q)]).collect();
    let (cost, hits) = sweep(&poses, repeat, |[p, q]| parry_intersects(&a, p, &b, q).unwrap_or_default());
    Ok((cost, trues(&hits)))
}

fn body(mesh: &Arc<Mesh>) -> Body {
    Body::new(Shape::Mesh(mesh.clone()))
}

fn trues(hits: &[bool]) -> usize {
    hits.iter().filter(|&&hit| hit).count()
}

fn first_hit_row(case: &Case, measured: &Measured, peer: Option<&Row>) -> Vec<String> {
    let triangles = format!("{} × {}", case.a.triangles().len(), case.b.triangles().len());
    let parry = measured.parry.map_or(f64::NAN, |(cost, _)| cost.mean);
    let mut cells = vec![case.name.clone(), triangles];
    cells.extend([measured.first_hit.mean, measured.first_hit.median, parry].map(figure));
    cells.extend(beside(measured.first_hit, peer.map(|p| p.first_hit_us)));
    let hits =
        [Some(measured.hits), measured.parry.map(|p| p.1), peer.map(|p| p.hits), peer.map(|p| p.hits_fcl)];
    cells.extend(hits.map(count));
    cells
}

fn all_pairs_row(case: &Case, measured: &Measured, peer: Option<&Row>) -> Vec<String> {
    let mut cells = vec![case.name.clone()];
    cells.extend([measured.all_pairs.mean, measured.all_pairs.median].map(figure));
    cells.extend(beside(measured.all_pairs, peer.map(|p| p.all_pairs_us)));
    let pairs = [Some(measured.pairs), peer.map(|p| p.pairs[0]), peer.map(|p| p.pairs[1])];
    cells.extend(pairs.map(count));
    cells
}

/// Coal, FCL, and how many times faster we are than the better.
fn beside(ours: Cost, theirs: Option<Both>) -> [String; 3] {
    theirs.map_or([f64::NAN; 3], |t| [t.coal, t.fcl, t.better() / ours.mean]).map(figure)
}

fn csv_rows(case: &Case, measured: &Measured, peer: Option<&Row>, csv: &mut Report) {
    let mut add = |query: &str, library: &str, cost: [f64; 2], count: usize| {
        let number = |x: f64| if x.is_finite() { format!("{x:.4}") } else { String::new() };
        let [mean, median] = cost.map(number);
        csv.row(vec![case.name.clone(), query.into(), library.into(), mean, median, count.to_string()]);
    };
    let ours = |cost: Cost| [cost.mean, cost.median];
    add("first_hit", "sudar", ours(measured.first_hit), measured.hits);
    add("all_pairs", "sudar", ours(measured.all_pairs), measured.pairs);
    if let Some((cost, hits)) = measured.parry {
        add("first_hit", "parry3d-f64", ours(cost), hits);
    }
    if let Some(p) = peer {
        add("first_hit", "coal", [p.first_hit_us.coal, f64::NAN], p.hits);
        add("first_hit", "fcl", [p.first_hit_us.fcl, f64::NAN], p.hits_fcl);
        add("all_pairs", "coal", [p.all_pairs_us.coal, f64::NAN], p.pairs[0]);
        add("all_pairs", "fcl", [p.all_pairs_us.fcl, f64::NAN], p.pairs[1]);
    }
}
