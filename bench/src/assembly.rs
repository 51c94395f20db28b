//! Whole assemblies with a clearance, on one thread: what `clash_fcl.py` puts beside FCL.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use clap::Args;
use rayon::ThreadPoolBuilder;
use serde::Serialize;
use sudar::broad::candidate_pairs;
use sudar::query::{Body, within};
use sudar::{Aabb, Mesh, Pose, Shape};
use sudar_clash::{Assembly, ClashOptions, Part, body_of, find_clashes};

/// Which assemblies, and how near is near.
#[derive(Debug, Args)]
pub struct Options {
    /// Files with parts
    #[arg(required = true)]
    assembly: Vec<PathBuf>,
    /// Parts at most so far apart are found
    #[arg(long)]
    clearance: f64,
    /// Runs; the least time of each counts
    #[arg(long, default_value_t = 5)]
    repeat: usize,
}

/// What was measured of one assembly: least times, in seconds, trees included wherever queries are.
#[derive(Debug, Serialize)]
struct Measured {
    file: String,
    candidates: usize,
    /// Pairs of parts whose surfaces are at most the clearance apart.
    found: Vec<[u32; 2]>,
    /// The trees of all parts alone.
    trees_seconds: f64,
    /// Trees and [`within`], the question that FCL answers, for each candidate.
    within_seconds: f64,
    /// All that `sudar clash` does once the file is read: solids, trees and [`find_clashes`].
    clash_seconds: f64,
}

/// Prints one JSON object a file.
///
/// # Errors
/// If a file cannot be read or a line not written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let pool = ThreadPoolBuilder::new().num_threads(1).build()?;
    for file in &options.assembly {
        let measured = pool.install(|| measure(file, options)).with_context(|| file.display().to_string())?;
        writeln!(out, "{}", serde_json::to_string(&measured)?)?;
        out.flush()?;
    }
    Ok(())
}

fn measure(file: &Path, options: &Options) -> Result<Measured> {
    let parts = read(file)?;
    let (mut trees_seconds, mut within_seconds, mut clash_seconds) =
        (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    let (mut candidates, mut found) = (0, Vec::new());
    for _ in 0..options.repeat.max(1) {
        trees_seconds = trees_seconds.min(seconds(|| bodies(&parts)).1);
        let ((count, pairs), time) = seconds(|| pairs_within(&parts, options.clearance));
        (candidates, found) = (count, pairs);
        within_seconds = within_seconds.min(time);
        let (report, time) = seconds(|| clash(&parts, options.clearance));
        report?;
        clash_seconds = clash_seconds.min(time);
    }
    let file = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Measured { file, candidates, found, trees_seconds, within_seconds, clash_seconds })
}

/// The answer and how long it took; what is dropped with the answer does not count.
fn seconds<R>(f: impl FnOnce() -> R) -> (R, f64) {
    let start = std::time::Instant::now();
    let answer = std::hint::black_box(f());
    (answer, start.elapsed().as_secs_f64())
}

fn read(file: &Path) -> Result<Vec<(Arc<Mesh>, Pose)>> {
    let model = sudar_formats::read(file)?;
    let part = |part: &sudar_formats::Part| Some((model.meshes.get(part.mesh)?.clone(), part.pose));
    let parts: Vec<_> = model.parts.iter().filter_map(part).collect();
    ensure!(parts.len() == model.parts.len(), "has a part without a mesh");
    Ok(parts)
}

fn bodies(parts: &[(Arc<Mesh>, Pose)]) -> Vec<Body> {
    parts.iter().map(|(mesh, _)| Body::new(Shape::Mesh(mesh.clone()))).collect()
}

/// How many candidates there are, and those that are near enough.
fn pairs_within(parts: &[(Arc<Mesh>, Pose)], clearance: f64) -> (usize, Vec<[u32; 2]>) {
    let bodies = bodies(parts);
    let grown = |(body, (_, pose)): (&Body, &(_, Pose))| body.aabb(pose).grown(clearance / 2.0);
    let boxes: Vec<Aabb> = bodies.iter().zip(parts).map(grown).collect();
    let mut pairs = candidate_pairs(&boxes);
    let count = pairs.len();
    pairs.retain(|&[i, j]| {
        let [i, j] = [i as usize, j as usize];
        within(bodies[i].at(&parts[i].1), bodies[j].at(&parts[j].1), clearance).decided() != Some(false)
    });
    (count, pairs)
}

fn clash(parts: &[(Arc<Mesh>, Pose)], clearance: f64) -> Result<usize> {
    let part = |(mesh, pose): &(Arc<Mesh>, Pose)| Part {
        name: String::new(),
        body: body_of(mesh.clone()),
        pose: *pose,
    };
    let scene = Assembly { parts: parts.iter().map(part).collect() };
    Ok(find_clashes(&scene, &ClashOptions::new(clearance)?, &|_, _| {})?.clashes.len())
}
