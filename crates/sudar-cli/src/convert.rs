//! `sudar convert`: from one file format to another.

use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;
use sudar::WeldReport;
use sudar_formats::WriteOptions;

use crate::common::ModelArgs;
use crate::help;
use crate::load::{self, Welded};
use crate::progress::Waiting;
use crate::report::{self, Verdict};

/// Converts a model from one file format to another.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// The file to read.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write; its ending tells the format.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Write STL and PLY as text, which keeps the parts of an STL file and all digits.
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    common: ModelArgs,
}

const HELP: &str = "\
Formats: .obj .stl .ply (both binary unless --ascii) .off .gltf .glb, each also with .gz after it.
Triangles keep their order. What a format cannot hold (parts, 64-bit coordinates) is said in notes.
The output is written aside and renamed when it is whole.

JSON: {\"file\",\"parts\":n,\"triangles\":n,\"notes\":[…]}, with --weld also \"weld\":{\"tolerance\",\"moved\",\"farthest\",\"collapsed\"}: how many
vertices moved, how far at most, and how many triangles lost a corner

Exit status: 0, or 2 if a file could not be read or written.

Example:
  sudar convert --units in housing.stl housing.glb";

#[derive(Debug, Serialize)]
struct Document {
    file: String,
    parts: usize,
    triangles: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    weld: Option<WeldReport>,
    notes: Vec<String>,
}

pub fn run(args: &Args) -> Result<Verdict> {
    args.common.threads.apply(0)?;
    let waiting = Waiting::new("reading the model");
    let Welded { model, reports } = load::welded(&args.input, &args.common.units, &args.common.weld)?;
    let output = report::target_of(&args.output)?;
    let options = WriteOptions { ascii: args.ascii, ..WriteOptions::default() };
    waiting.now("writing the model");
    let written = sudar_formats::write(&output, &model, options)?;
    drop(waiting);
    let document = Document {
        file: args.output.display().to_string(),
        parts: model.parts.len(),
        triangles: model.triangles(),
        weld: load::summary(&reports),
        notes: model.notes.iter().chain(&written).map(ToString::to_string).collect(),
    };
    report::give(args.common.json, &document, || text(&document))?;
    Ok(Verdict::Clean)
}

fn text(document: &Document) -> String {
    let Document { file, parts, triangles, weld, notes } = document;
    let mut text =
        format!("{file}: {}, {}\n", report::count(*triangles, "triangle"), report::count(*parts, "part"));
    if let Some(weld) = weld {
        text += &format!("{}\n", load::weld_text(weld));
    }
    for note in notes {
        text += &format!("note: {note}\n");
    }
    text
}
