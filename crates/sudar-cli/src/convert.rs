//! `sudar convert`: from one file format to another.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;
use sudar::WeldReport;
use sudar_formats::{Format, WriteOptions};

use crate::common::{ModelArgs, one_of};
use crate::help;
use crate::load::{self, Welded};
use crate::progress::{Progress, Waiting};
use crate::report::{self, Verdict};

/// Converts a model from one file format to another, or all of a folder.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// The file to read, or a folder, of which every model file is read.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write; its ending gives the format. With a folder, the folder to write to, which is made if need be.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Write this format, whatever the ending of OUT; needed with a folder.
    #[arg(long, value_name = "FORMAT", value_parser = one_of(Format::WRITTEN, |format| format.ending()))]
    format: Option<Format>,
    /// Write STL and PLY as text, which keeps the parts of an STL file and all digits.
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    common: ModelArgs,
}

const HELP: &str = "\
Formats: .obj .stl .ply (both binary unless --ascii) .off .gltf .glb .wrl, each also with .gz after it; .dae is read.
Triangles keep their order. What a format cannot hold (parts, 64-bit coordinates) is said in notes.
The output is written aside and renamed when it is whole.

JSON: {\"file\",\"parts\":n,\"triangles\":n,\"notes\":[…]}, with --weld also \"weld\":{\"tolerance\",\"moved\",\"farthest\",\"collapsed\"}: how many
vertices moved, how far at most, and how many triangles lost a corner
With a folder: {\"schema_version\":1,\"files\":[the same with \"from\", or {\"from\",\"error\"}]}. Files keep their names but for the ending; where
two differ in that alone, the old ending stays before the new one.

Exit status: 0, or 2 if a file could not be read or written.

Examples:
  sudar convert --units in housing.stl housing.glb
  sudar convert parts/ converted/ --format glb";

#[derive(Debug, Serialize)]
struct Document {
    file: String,
    parts: usize,
    triangles: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    weld: Option<WeldReport>,
    notes: Vec<String>,
}

/// What became of the files of a folder.
#[derive(Debug, Serialize)]
struct Folder {
    schema_version: u32,
    files: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    from: String,
    #[serde(flatten)]
    document: Option<Document>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub fn run(args: &Args) -> Result<Verdict> {
    args.common.threads.apply(0)?;
    if load::is_folder(&args.input) {
        return folder(args);
    }
    let waiting = Waiting::new("converting the model");
    let document = convert(&args.input, &args.output, args)?;
    drop(waiting);
    report::give(args.common.json, &document, || text(&document))?;
    Ok(Verdict::Clean)
}

fn convert(input: &Path, output: &Path, args: &Args) -> Result<Document> {
    let Welded { model, mut notes, reports } = load::welded(input, &args.common.read, &args.common.weld)?;
    let options = WriteOptions { ascii: args.ascii, format: args.format };
    load::write(&model, output, options, &mut notes)?;
    Ok(Document {
        file: output.display().to_string(),
        parts: model.parts.len(),
        triangles: model.triangles(),
        weld: load::summary(&reports),
        notes,
    })
}

/// Converts every model file of a folder; what cannot be converted does not keep the others from it.
fn folder(args: &Args) -> Result<Verdict> {
    let wanted = || format!("{}: is a folder; name the format to write with --format", args.input.display());
    let format = args.format.with_context(wanted)?;
    let inputs = load::models_in(&args.input)?;
    let cannot = || format!("{}: the folder cannot be made", args.output.display());
    std::fs::create_dir_all(&args.output).with_context(cannot)?;
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_owned();
    let progress = Progress::new("files", Some(inputs.len() as u64));
    let row = |input: &PathBuf| {
        let alone = inputs.iter().filter(|other| stem(other) == stem(input)).count() == 1;
        let name = if alone { stem(input) } else { input.file_name().unwrap_or_default().to_owned() };
        let output = args.output.join(format!("{}.{}", name.to_string_lossy(), format.ending()));
        let done = convert(input, &output, args);
        progress.advance(1);
        let error = done.as_ref().err().map(|error| format!("{error:#}"));
        Row { from: input.display().to_string(), document: done.ok(), error }
    };
    let folder = Folder { schema_version: report::SCHEMA, files: inputs.iter().map(row).collect() };
    drop(progress);
    let errors = || folder.files.iter().filter_map(|row| row.error.as_deref());
    errors().for_each(report::complain);
    report::give(args.common.json, &folder, || table(&folder))?;
    Ok(if errors().count() == 0 { Verdict::Clean } else { Verdict::Failed })
}

fn table(folder: &Folder) -> String {
    let row = |row: &Row| {
        let cells = match &row.document {
            Some(Document { file, parts, triangles, notes, .. }) => {
                [file.clone(), parts.to_string(), triangles.to_string(), notes.join("; ")]
            }
            None => ["not written".to_owned(), String::new(), String::new(), String::new()],
        };
        std::iter::once(row.from.clone()).chain(cells).collect()
    };
    report::table(&["file", "written", "parts", "triangles", "notes"], &[2, 3], folder.files.iter().map(row))
}

fn text(document: &Document) -> String {
    let Document { file, parts, triangles, weld, notes } = document;
    let text =
        format!("{file}: {}, {}\n", report::count(*triangles, "triangle"), report::count(*parts, "part"));
    text + &load::footer(weld.as_ref(), notes)
}
