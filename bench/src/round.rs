//! Table: one mesh against simple bodies in many fresh poses: intersects, distance, coarse distance, within.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::{Value, json};
use sudar::query::{self, Body, DistanceOptions, Work};
use sudar::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Mesh, Pose, Segment, Shape, Sphere};

use crate::cases::{model_name, read_mesh};
use crate::generate::direction;
use crate::machine;
use crate::report::{Report, figure};
use crate::timing::sweep;

/// Meshes, poses, and what to write.
#[derive(Debug, Args)]
pub struct Options {
    /// Meshes; several after one `--mesh` or each after its own
    #[arg(long, required = true, num_args = 1..)]
    mesh: Vec<PathBuf>,
    /// Poses near the surface, for each body
    #[arg(long, default_value_t = 500)]
    near: usize,
    /// Poses far away, for each body
    #[arg(long, default_value_t = 200)]
    far: usize,
    /// Least number of sweeps over the poses; the fastest counts
    #[arg(long, default_value_t = 5)]
    repeat: usize,
    /// Size of the bodies as a fraction of the diagonal of the mesh's box
    #[arg(long, default_value_t = 0.05)]
    size: f64,
    /// Only bodies whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Write bodies, poses, distances and times into this file, one JSON object a line, for `round_coal.py`
    #[arg(long)]
    write: Option<PathBuf>,
}

/// A body with what `round_coal.py` makes the same of.
struct Probe {
    name: &'static str,
    body: Body,
    recipe: Value,
}

/// Times every mesh against every body and prints a table a mesh.
///
/// # Errors
/// If a mesh cannot be read or a file cannot be written.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", machine::header())?;
    writeln!(
        out,
        "Mean µs a query over fresh poses, the least of several sweeps over all of them; everything lazy is built before.\nNodes and triangles are those of the exact distance, a query."
    )?;
    let mut lines = String::new();
    for path in &options.mesh {
        let mesh = Arc::new(read_mesh(path)?);
        let surface = Body::new(Shape::Mesh(mesh.clone()));
        let start = Instant::now();
        surface.oriented();
        writeln!(
            out,
            "\n{}: built on first distance from a box or hull: {} ms",
            model_name(path),
            figure(start.elapsed().as_secs_f64() * 1e3)
        )?;
        let (table, text) = one_mesh(options, path, &mesh, &surface)?;
        table.print(&format!("{}, {} triangles", model_name(path), mesh.triangles().len()), out)?;
        lines.push_str(&text);
    }
    if let Some(path) = &options.write {
        std::fs::write(path, lines).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn one_mesh(options: &Options, path: &PathBuf, mesh: &Mesh, surface: &Body) -> Result<(Report, String)> {
    let mut table = Report::new(&[
        "µs",
        "where",
        "apart",
        "intersects",
        "distance",
        "rel 1 %",
        "within ½",
        "within 2×",
        "nodes",
        "triangles",
    ]);
    let mut lines = String::new();
    let extent = mesh.aabb().extent().length();
    let probes = probes(extent * options.size)?;
    for probe in probes.iter().filter(|p| p.name.contains(&options.only)) {
        for (place, count) in [("near", options.near), ("far", options.far)] {
            let poses = poses(mesh, place, count, extent * options.size)?;
            let measured = measure(surface, &probe.body, &poses, options.repeat);
            let cells = [probe.name.to_owned(), place.to_owned(), measured.apart().to_string()];
            let work = counted(surface, &probe.body, &poses);
            table.row(cells.into_iter().chain(measured.times.into_iter().chain(work).map(figure)).collect());
            let line = json!({
                "mesh": path, "body": probe.recipe, "name": probe.name, "where": place,
                "poses": poses.iter().map(matrix).collect::<Vec<_>>(),
                "distances": measured.distances, "sudar_us": measured.times,
            });
            lines.push_str(&format!("{line}\n"));
        }
    }
    Ok((table, lines))
}

/// Times of the five queries and the distances found.
struct Measured {
    times: [f64; 5],
    distances: Vec<f64>,
}

impl Measured {
    fn apart(&self) -> usize {
        self.distances.iter().filter(|d| **d > 0.0).count()
    }
}

fn measure(surface: &Body, body: &Body, poses: &[Pose], repeat: usize) -> Measured {
    let at = Pose::IDENTITY;
    let distance = |pose: &Pose, search: &DistanceOptions| {
        query::distance(surface.at(&at), body.at(pose), search).interval.upper
    };
    let (hit, _) =
        sweep(poses, repeat, |pose| query::intersects(surface.at(&at), body.at(pose)).is_touching());
    let (exact, distances) = sweep(poses, repeat, |pose| distance(pose, &DistanceOptions::EXACT));
    let coarse = DistanceOptions { relative: 0.01, ..DistanceOptions::EXACT };
    let (coarse, _) = sweep(poses, repeat, |pose| distance(pose, &coarse));
    let within = |factor: f64| {
        let asked: Vec<_> = poses.iter().zip(&distances).map(|(pose, d)| (pose, d * factor)).collect();
        sweep(&asked, repeat, |(pose, d)| query::within(surface.at(&at), body.at(pose), *d)).0
    };
    let (half, twice) = (within(0.5), within(2.0));
    Measured { times: [hit, exact, coarse, half, twice].map(|cost| cost.least), distances }
}

/// Nodes opened and triangles looked at, a query for the exact distance.
fn counted(surface: &Body, body: &Body, poses: &[Pose]) -> [f64; 2] {
    let mut work = Work::default();
    for pose in poses {
        work.distance(surface.at(&Pose::IDENTITY), body.at(pose), &DistanceOptions::EXACT);
    }
    let statistics = work.statistics();
    [statistics.nodes, statistics.triangles].map(|n| n as f64 / poses.len() as f64)
}

fn matrix(pose: &Pose) -> Vec<f64> {
    let mut numbers = pose.rotation().transpose().to_cols_array().to_vec();
    numbers.extend(pose.translation().to_array());
    numbers
}

/// Near: half a size to two and a half sizes from a random point of the surface. Far: one to three diagonals from the
/// middle of the mesh. Always the same ones.
fn poses(mesh: &Mesh, place: &str, count: usize, size: f64) -> Result<Vec<Pose>> {
    let mut random = Pcg64::seed_from_u64(if place == "near" { 11 } else { 12 });
    let (middle, diagonal) = (mesh.aabb().center(), mesh.aabb().extent().length());
    (0..count)
        .map(|_| {
            let away = DVec3::from(direction::<3>(&mut random));
            let center = if place == "near" {
                let t = mesh.triangle(random.random_range(0..mesh.triangles().len()) as u32);
                let from = (t.a + t.b + t.c) / 3.0;
                from + away * (size * random.random_range(0.5..2.5))
            } else {
                middle + away * (diagonal * random.random_range(1.0..3.0))
            };
            let [x, y, z, w] = direction::<4>(&mut random);
            Ok(Pose::new(center, DQuat::from_xyzw(x, y, z, w))?)
        })
        .collect()
}

fn probes(s: f64) -> Result<Vec<Probe>> {
    let radii = DVec3::new(1.0, 0.7, 0.5) * s;
    let mut random = Pcg64::seed_from_u64(32);
    let points: Vec<DVec3> = (0..32).map(|_| DVec3::from(direction::<3>(&mut random)) * s).collect();
    let corners: Vec<[f64; 3]> = points.iter().map(DVec3::to_array).collect();
    let hull = sudar::hull::convex_hull(&points)?;
    let probe = |name, shape: Shape, recipe| Probe { name, body: Body::new(shape), recipe };
    let round = |kind: &str, r: f64, h: f64| json!({ "kind": kind, "radius": r, "half_length": h });
    let segment = Segment { a: -DVec3::Z * s, b: DVec3::Z * s };
    Ok(vec![
        probe("sphere", Sphere::new(DVec3::ZERO, s)?.into(), round("sphere", s, 0.0)),
        probe("box", Cuboid::new(radii)?.into(), json!({ "kind": "box", "half": radii.to_array() })),
        probe("hull32", Shape::Hull(Arc::new(hull)), json!({ "kind": "hull", "points": corners })),
        probe("segment", segment.into(), Value::Null),
        probe("capsule", Capsule::new(0.5 * s, s)?.into(), round("capsule", 0.5 * s, s)),
        probe("cylinder", Cylinder::new(0.6 * s, s)?.into(), round("cylinder", 0.6 * s, s)),
        probe("cone", Cone::new(0.6 * s, s)?.into(), round("cone", 0.6 * s, s)),
        probe(
            "ellipsoid",
            Ellipsoid::new(radii)?.into(),
            json!({ "kind": "ellipsoid", "radii": radii.to_array() }),
        ),
        probe(
            "slender capsule",
            Capsule::new(s / 20.0, 3.0 * s)?.into(),
            round("capsule", s / 20.0, 3.0 * s),
        ),
        probe(
            "slender cylinder",
            Cylinder::new(s / 20.0, 3.0 * s)?.into(),
            round("cylinder", s / 20.0, 3.0 * s),
        ),
    ])
}
