//! `sudar hull`: the convex hull of a model.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use sudar::{Hull, Mesh, Pose, WeldReport, hull};
use sudar_formats::{Model, WriteOptions};

use crate::common::ModelArgs;
use crate::help;
use crate::load::{self, Welded};
use crate::progress::Waiting;
use crate::report::{self, Verdict};

/// Builds the convex hull of a model: all its parts together.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// The file to read.
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// Write the hull to this file; its ending gives the format.
    #[arg(short, long = "out", alias = "output", value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write STL and PLY as text, which keeps all digits.
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    common: ModelArgs,
}

const HELP: &str = "\
The hull is exact: every vertex of the model is inside or on it, its faces are exactly flat and the hull exactly
convex, and every vertex of the hull is one of the model. Vertices that no triangle uses do not count.
Faces of more than three corners are written as triangles around their first corner. Formats with 32-bit coordinates
(binary STL and PLY, glTF) round the vertices, which the notes say; OBJ, OFF and --ascii do not.

A flat model has a flat hull: a polygon, which is written with its two sides and has no volume. If all vertices are
on one line there is nothing to write, and -o is an error.

  dimension   3 polyhedron, 2 polygon, 1 segment, 0 point
  faces       coplanar triangles are one face; a polygon has two
  area        of all faces

JSON: {\"file\",\"dimension\",\"vertices\":n,\"faces\":n,\"volume\",\"area\",\"written\":null or {\"file\",\"triangles\":n},\"notes\":[…]}, with
--weld also \"weld\":{\"tolerance\",\"moved\",\"farthest\",\"collapsed\"}: how many vertices moved, how far at most, and how many
triangles lost a corner

Exit status: 0, or 2 if a file could not be read or written.

Example:
  sudar hull --units mm bracket.stl -o bracket-hull.obj";

#[derive(Debug, Serialize)]
struct Document {
    file: String,
    dimension: usize,
    vertices: usize,
    faces: usize,
    volume: f64,
    area: f64,
    written: Option<Written>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weld: Option<WeldReport>,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Written {
    file: String,
    triangles: usize,
}

pub fn run(args: &Args) -> Result<Verdict> {
    args.common.threads.apply(0)?;
    let name = || args.input.display().to_string();
    let waiting = Waiting::new("building the hull");
    let Welded { model, mut notes, reports } =
        load::welded(&args.input, &args.common.read, &args.common.weld)?;
    let hull = hull::convex_hull(&load::used_points(&model).with_context(name)?).with_context(name)?;
    let written = args.output.as_deref().map(|output| write(&hull, args, output, &mut notes)).transpose()?;
    drop(waiting);
    let document = Document {
        file: name(),
        dimension: hull.dimension(),
        vertices: hull.vertices().len(),
        faces: hull.faces().len(),
        volume: hull.volume(),
        area: hull.area(),
        written,
        weld: load::summary(&reports),
        notes,
    };
    report::give(args.common.json, &document, || text(&document))?;
    Ok(Verdict::Clean)
}

fn write(hull: &Hull, args: &Args, output: &Path, notes: &mut Vec<String>) -> Result<Written> {
    let what = match hull.dimension() {
        0 => "at one point",
        1 => "on one line",
        _ => "",
    };
    if !what.is_empty() {
        bail!(
            "{}: all vertices are {what}, so that the hull has no faces to write; leave -o out to measure it",
            args.input.display()
        );
    }
    if hull.dimension() == 2 {
        notes.push("the hull is flat; its two sides are written, without anything between".to_owned());
    }
    let triangles: Vec<[u32; 3]> = (0..hull.faces().len()).flat_map(|i| hull.fan(i)).collect();
    let count = triangles.len();
    let mesh = Arc::new(Mesh::new(hull.vertices().to_vec(), triangles)?);
    let model = Model::assembled([("hull".to_owned(), mesh, Pose::IDENTITY)]);
    let options = WriteOptions { ascii: args.ascii, ..WriteOptions::default() };
    load::write(&model, output, options, notes)?;
    Ok(Written { file: output.display().to_string(), triangles: count })
}

fn text(document: &Document) -> String {
    let Document { file, dimension, vertices, faces, volume, area, written, weld, notes } = document;
    let kind = ["point", "segment", "polygon", "polyhedron"][*dimension];
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    let rows = [
        row("dimension", format!("{dimension} ({kind})")),
        row("vertices", vertices.to_string()),
        row("faces", faces.to_string()),
        row("volume", report::short(*volume)),
        row("area", report::short(*area)),
    ];
    let mut text = report::table(&["hull", file], &[1], rows);
    if let Some(Written { file, triangles }) = written {
        text += &format!("{file}: {}\n", report::count(*triangles, "triangle"));
    }
    text + &load::footer(weld.as_ref(), notes)
}
