//! `sudar robot`: configurations and edges of a robot in a scene.

mod answers;
mod certificate;
mod motion;
mod options;
mod page;
mod plan;
mod scene;
mod spheres;
mod table;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use sudar::query::Batch;
use sudar_robot::{
    CHUNK, CLEARANCE_CHUNK, ClearanceOptions, EDGE_CHUNK, EdgeOptions, Reason, Robot, RobotCell,
};

use crate::progress::{Progress, Waiting};
use crate::report::{self, Verdict};
use answers::{Answers, Document};
pub use options::Args;
use options::Edges;

pub fn run(args: &Args) -> Result<Verdict> {
    args.check()?;
    args.threads.apply(0)?;
    let file = args.input.display().to_string();
    let waiting = Waiting::new("reading");
    let robot = Robot::load(&args.input, &args.load_options())?;
    if let Some(out) = &args.spheres {
        waiting.now("covering links by spheres");
        spheres::write(out, &robot, args.spheres_per_link as usize)?;
    }
    let scene = scene::read(&args.scene, &args.read)?;
    waiting.now("sampling pairs of parts");
    let mut cell = RobotCell::new(&robot, scene, &args.cell_options())?;
    if let Some(boxes) = args.map_pairs {
        waiting.now("mapping pairs of parts");
        cell.map_pairs(boxes as usize, &Batch::default());
    }
    drop(waiting);
    if let Some(certificate) = &args.verify {
        return verified(args, &cell, certificate, file);
    }
    let mut answers = Answers::default();
    let rows = args.configs.as_deref().map(sudar_formats::read_rows).transpose()?;
    if let (Some(rows), Some(path)) = (&rows, &args.configs) {
        let q = &rows.values;
        let of = || path.display().to_string();
        ensure!(
            rows.columns == robot.dof(),
            "{}: has {} columns, and {file} has {} joints that move: {}",
            of(),
            rows.columns,
            robot.dof(),
            robot.joint_names().join(", ")
        );
        if args.plan {
            return planned(args, &cell, q, file).with_context(of);
        }
        answers = match args.edges {
            None => configurations(args, &cell, q).with_context(of)?,
            Some(edges) => edges_of(args, &cell, q, edges).with_context(of)?,
        };
        if let Some(out) = &args.output {
            answers.write(out, &cell)?;
        }
        if let Some(page) = &args.page {
            page::write(page, &file, &cell, q, args.show, &answers)?;
        }
    }
    let document = Document::new(file, &cell, &answers, args.limit);
    report::give(args.json, &document, || table::text(&document))?;
    Ok(if answers.valid.contains(&false) { Verdict::Found } else { Verdict::Clean })
}

fn planned(args: &Args, cell: &RobotCell, q: &[f64], file: String) -> Result<Verdict> {
    let (mut plan, motion) = plan::plan(args, cell, q)?;
    if let (Some(out), true) = (&args.output, plan.found) {
        plan.write(out, cell)?;
    }
    if let (Some(out), true) = (&args.certificate, plan.certified) {
        plan.certificate = Some(certificate::write(out, cell, &plan.waypoints.concat())?);
    }
    if let (Some(page), Some(motion)) = (&args.page, &motion) {
        motion::write(page, &format!("{file}: {}", plan.title()), cell, motion)?;
    }
    let is_certified = plan.certified;
    let document =
        Document { plan: Some(plan), ..Document::new(file, cell, &Answers::default(), args.limit) };
    report::give(args.json, &document, || table::text(&document))?;
    Ok(if is_certified { Verdict::Clean } else { Verdict::Found })
}

fn verified(args: &Args, cell: &RobotCell, certificate: &Path, file: String) -> Result<Verdict> {
    let found = certificate::verify(certificate, cell)?;
    let holds = found.holds;
    let document =
        Document { verified: Some(found), ..Document::new(file, cell, &Answers::default(), args.limit) };
    report::give(args.json, &document, || table::text(&document))?;
    Ok(if holds { Verdict::Clean } else { Verdict::Found })
}

fn configurations(args: &Args, cell: &RobotCell, q: &[f64]) -> Result<Answers> {
    let dof = cell.robot().dof().max(1);
    let rows = q.len() / dof;
    let progress = Progress::new("configurations", Some(rows as u64));
    let told = |done: usize| progress.reach((done * CHUNK).min(rows) as u64);
    let start = Instant::now();
    let valid = cell.check(q, &Batch::default().reporting(&told))?;
    let seconds = start.elapsed().as_secs_f64();
    drop(progress);
    let mut answers = Answers { valid, seconds, ..Answers::default() };
    // Why the others are not.
    let of: Vec<usize> = (0..rows).filter(|&row| !answers.valid[row]).collect();
    let bad: Vec<f64> = of.iter().flat_map(|&row| &q[row * dof..][..dof]).copied().collect();
    answers.reasons = vec![Reason::Free; rows];
    for (row, reason) in of.iter().zip(cell.explain(&bad, &Batch::default())?) {
        answers.reasons[*row] = reason;
    }
    if args.clearance {
        let progress = Progress::new("clearances", Some(rows as u64));
        let told = |done: usize| progress.reach((done * CLEARANCE_CHUNK).min(rows) as u64);
        let options = ClearanceOptions::default();
        answers.clearances = cell.clearance(q, &options, &Batch::default().reporting(&told))?;
    }
    Ok(answers)
}

fn edges_of(args: &Args, cell: &RobotCell, q: &[f64], edges: Edges) -> Result<Answers> {
    let dof = cell.robot().dof().max(1);
    let rows = q.len() / dof;
    let row = |i: usize| &q[i * dof..][..dof];
    let (from, to): (Vec<f64>, Vec<f64>) = match edges {
        Edges::Path => (q[..q.len() - dof.min(q.len())].to_vec(), q.get(dof..).unwrap_or(&[]).to_vec()),
        Edges::Pairs => {
            ensure!(
                rows.is_multiple_of(2),
                "{rows} rows are no pairs; give two for each edge, or --edges path"
            );
            let every = |first: usize| (first..rows).step_by(2).flat_map(row).copied().collect();
            (every(0), every(1))
        }
    };
    let count = from.len() / dof;
    let progress = Progress::new("edges", Some(count as u64));
    let told = |done: usize| progress.reach((done * EDGE_CHUNK).min(count) as u64);
    let options = EdgeOptions { tolerance: args.tolerance, ..EdgeOptions::default() };
    let start = Instant::now();
    let edges = cell.check_edges(&from, &to, &options, &Batch::default().reporting(&told))?;
    let seconds = start.elapsed().as_secs_f64();
    let valid = edges.iter().map(sudar_robot::EdgeAnswer::is_free).collect();
    Ok(Answers { valid, edges, seconds, ..Answers::default() })
}
