//! `sudar bounds`: every bounding volume around a model.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use serde::Serialize;
use sudar::volume::Volume;
use sudar::{Aabb, DVec3, Mesh, Obb, Pose, Sphere, WeldReport, hull};
use sudar_classic::volume::{Bounds, NamedVolume};
use sudar_formats::{Model, WriteOptions};

use crate::common::ModelArgs;
use crate::help;
use crate::load::{self, Welded};
use crate::progress::Waiting;
use crate::report::{self, Verdict};

/// Fits every bounding volume around a model, all its parts together, and lists them, the tightest first.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// The file to read.
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// Write the volumes to this file, each as a part, to look at; its ending gives the format.
    #[arg(short, long = "out", alias = "output", value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    common: ModelArgs,
}

const HELP: &str = "\
Each volume contains every vertex that a triangle uses exactly, not up to rounding.

  smallest sphere       Gärtner 1999, after Welzl 1991
  Ritter's sphere       in two passes (Ritter 1990)
  AABB                  the box along the axes, which is the 6-DOP
  OBB                   oriented boxes by the principal axes of the points, of the vertices of the hull, of its surface
                        (Gottschalk, Lin and Manocha 1996), by DiTO-14 (Larsson and Källberg 2011), and the smallest of these turned by
                        rotating calipers
  14-, 18-, 26-DOP      boxes with corners, edges, or both cut off (Klosowski et al. 1998)
  convex hull           what no convex volume can be smaller than

The files of --out show the volumes as meshes, spheres rounded to facets.

JSON: {\"file\",\"vertices\":n,\"volumes\":[{\"name\",\"volume\",\"of_hull\": volume by that of the hull or null}],\"written\":null or {\"file\",\"parts\":n},
\"notes\":[…]}, with --weld also \"weld\"

Exit status: 0, or 2 if a file could not be read or written.

Example:
  sudar bounds --units mm bracket.stl -o volumes.obj";

#[derive(Debug, Serialize)]
struct Document {
    file: String,
    vertices: usize,
    volumes: Vec<Row>,
    written: Option<Written>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weld: Option<WeldReport>,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Row {
    name: &'static str,
    volume: f64,
    of_hull: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Written {
    file: String,
    parts: usize,
}

pub fn run(args: &Args) -> Result<Verdict> {
    args.common.threads.apply(0)?;
    let name = || args.input.display().to_string();
    let waiting = Waiting::new("fitting volumes");
    let Welded { model, mut notes, reports } =
        load::welded(&args.input, &args.common.read, &args.common.weld)?;
    let points = load::used_points(&model).with_context(name)?;
    let hull = hull::convex_hull(&points).with_context(name)?;
    let bounds = Bounds::of(&points).context("there is no point to bound")?;
    let volumes = bounds.tightest_first();
    let written = args.output.as_deref().map(|output| write(&volumes, output, &mut notes)).transpose()?;
    drop(waiting);
    let row = |name, volume: f64| Row {
        name,
        volume,
        of_hull: (hull.volume() > 0.0).then(|| volume / hull.volume()),
    };
    let mut rows = vec![row("convex hull", hull.volume())];
    // Each holds the hull, so that what is less of it is rounding alone.
    rows.extend(volumes.iter().map(|volume| row(volume.name(), volume.volume().max(hull.volume()))));
    let weld = load::summary(&reports);
    let document = Document { file: name(), vertices: points.len(), volumes: rows, written, weld, notes };
    report::give(args.common.json, &document, || text(&document))?;
    Ok(Verdict::Clean)
}

fn write(volumes: &[NamedVolume], output: &Path, notes: &mut Vec<String>) -> Result<Written> {
    let part = |volume| Ok((NamedVolume::name(volume).to_owned(), Arc::new(mesh(volume)?), Pose::IDENTITY));
    let model = Model::assembled(volumes.iter().map(part).collect::<Result<Vec<_>>>()?);
    load::write(&model, output, WriteOptions::default(), notes)?;
    Ok(Written { file: output.display().to_string(), parts: volumes.len() })
}

fn mesh(volume: &NamedVolume) -> Result<Mesh> {
    match volume {
        NamedVolume::Aabb(aabb) => Ok(Mesh::from_aabb(*aabb)),
        NamedVolume::Sphere(sphere) | NamedVolume::RitterSphere(sphere) => ball(sphere),
        NamedVolume::Obb(_, obb) => boxed(obb),
        NamedVolume::Dop14(dop) => faceted(dop.polytope().faces(), dop.middle()),
        NamedVolume::Dop18(dop) => faceted(dop.polytope().faces(), dop.middle()),
        NamedVolume::Dop26(dop) => faceted(dop.polytope().faces(), dop.middle()),
        _ => anyhow::bail!("{} cannot be drawn", volume.name()),
    }
}

fn boxed(obb: &Obb) -> Result<Mesh> {
    let unit = Mesh::from_aabb(Aabb { min: -DVec3::ONE, max: DVec3::ONE });
    Ok(unit.mapped(|p| obb.center + obb.axes * (p * obb.half))?)
}

/// The fans of faces; a point where there are none, which is what a volume around one point is.
fn faceted(faces: impl Iterator<Item = Vec<DVec3>>, middle: DVec3) -> Result<Mesh> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for face in faces {
        let first = vertices.len() as u32;
        triangles.extend((2..face.len() as u32).map(|i| [first, first + i - 1, first + i]));
        vertices.extend(face);
    }
    if triangles.is_empty() {
        (vertices, triangles) = (vec![middle], vec![[0, 0, 0]]);
    }
    Ok(Mesh::new(vertices, triangles)?)
}

/// A ball of facets.
fn ball(sphere: &Sphere) -> Result<Mesh> {
    const ROWS: u32 = 24;
    let half_turn = std::f64::consts::PI;
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..=ROWS {
        for j in 0..2 * ROWS {
            let (u, v) =
                (half_turn * f64::from(i) / f64::from(ROWS), half_turn * f64::from(j) / f64::from(ROWS));
            let direction =
                DVec3::new(libm::sin(u) * libm::cos(v), libm::sin(u) * libm::sin(v), libm::cos(u));
            vertices.push(sphere.center + direction * sphere.radius);
        }
    }
    for i in 0..ROWS {
        for j in 0..2 * ROWS {
            let at = |i: u32, j: u32| i * 2 * ROWS + j % (2 * ROWS);
            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    Ok(Mesh::new(vertices, triangles)?)
}

fn text(document: &Document) -> String {
    let row = |row: &Row| {
        let of_hull = row.of_hull.map_or_else(|| "–".to_owned(), |x| format!("{x:.3}"));
        vec![row.name.to_owned(), report::short(row.volume), of_hull]
    };
    let header = ["volume around the model", "volume", "by the hull's"];
    let mut text = report::table(&header, &[1, 2], document.volumes.iter().map(row));
    if let Some(Written { file, parts }) = &document.written {
        text += &format!("{file}: {}\n", report::count(*parts, "volume"));
    }
    text + &load::footer(document.weld.as_ref(), &document.notes)
}
