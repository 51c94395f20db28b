//! `sudar pack`: from files to a scene store.

mod packing;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use serde::Serialize;
use sudar_store::Packed;

use crate::common::ModelArgs;
use crate::help;
use crate::report::{self, Verdict};

/// Packs models into a scene store, a folder that opens in milliseconds and is read wherever files are.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// Files with parts; folders, of which every model file is read in the order of names; scene files (.toml) that say
    /// where each model stands; stores.
    #[arg(value_name = "FILE", required = true)]
    scenes: Vec<PathBuf>,
    /// The store to write, a folder; its name should end in .sudar. A store that is there is replaced.
    #[arg(short, long, value_name = "SCENE.sudar")]
    out: PathBuf,
    /// Write a revision of the store that is there: meshes that it has already are not written again.
    #[arg(long)]
    update: bool,
    /// Read folders with all folders below.
    #[arg(short, long)]
    recursive: bool,
    /// End at the first file that cannot be read, instead of packing the others.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    common: ModelArgs,
}

const HELP: &str = "\
A store has the parts of all files where they stand, in one unit (that of --units, otherwise of the first file, if all
say one), welded if that was wanted. Meshes are stored once, by a checksum of their vertices and triangles, each with its
tree and whether it is closed. clash of a store says the same as of its files, to the last bit.

clash, check, info, convert, mass, ray, robot --scene and Python take a store wherever they take a file. Clouds of points
are not packed. Options that change how files are read (--units, --scale, --weld, --deflection, --ifc-include) belong to
pack: a store is what they made of the files.

The store is written aside and takes its place when it is whole: who has it open goes on with the old one. With --update
new meshes come in files of their own and the others stay; what no part needs any more stays until it is packed without.

JSON: {\"store\",\"parts\",\"meshes\":{\"new\",\"kept\"},\"triangles\",\"mesh_triangles\",\"bytes\",\"unused_bytes\",\"revision\",
       \"fingerprint\":32 hexadecimal digits, the same for the same contents,\"notes\":[],\"failed\":[{\"file\",\"error\"}],\"lost\":n}

Exit status: 0, or 2 if a file, or an element of one, could not be read; the others are packed, and the store names
those, unless none is left.

Examples:
  sudar pack house.ifc pipes.ifc -o house.sudar
  sudar pack parts/ --recursive --units mm -o plant.sudar --update
  sudar clash house.sudar --clearance 20mm";

/// What is said of a store that was packed.
#[derive(Debug, Serialize)]
struct Document {
    store: String,
    parts: u64,
    meshes: Meshes,
    triangles: u64,
    mesh_triangles: u64,
    bytes: u64,
    unused_bytes: u64,
    revision: u32,
    fingerprint: String,
    notes: Vec<String>,
    failed: Vec<Failed>,
    lost: usize,
}

#[derive(Debug, Serialize)]
struct Meshes {
    new: u64,
    kept: u64,
}

/// A file that was left out.
#[derive(Debug, Serialize)]
struct Failed {
    file: String,
    error: String,
}

/// What was noticed on the way.
#[derive(Debug, Default)]
struct Noticed {
    notes: Vec<String>,
    failed: Vec<Failed>,
    /// What is said of each element that was lost.
    lost: Vec<String>,
}

pub fn run(args: &Args) -> Result<Verdict> {
    args.common.threads.apply(0)?;
    let is_shown = args.out.file_name().is_some();
    ensure!(is_shown, "{}: is no name of a store; write one as scene.sudar", args.out.display());
    let (packed, noticed) = packing::pack(args)?;
    let Noticed { notes, failed, lost } = noticed;
    let complaints = failed.iter().map(|Failed { file, error }| format!("{file}: left out: {error}"));
    complaints.chain(lost.iter().cloned()).for_each(|complaint| report::complain(&complaint));
    let document = document(args, &packed, notes, failed, lost.len());
    report::give(args.common.json, &document, || text(&document, args.update))?;
    let is_whole = document.failed.is_empty() && document.lost == 0;
    Ok(if is_whole { Verdict::Clean } else { Verdict::Failed })
}

fn document(args: &Args, packed: &Packed, notes: Vec<String>, failed: Vec<Failed>, lost: usize) -> Document {
    Document {
        store: args.out.display().to_string(),
        parts: packed.parts,
        meshes: Meshes { new: packed.new_meshes, kept: packed.kept_meshes },
        triangles: packed.triangles,
        mesh_triangles: packed.mesh_triangles,
        bytes: packed.bytes,
        unused_bytes: packed.unused_bytes,
        revision: packed.revision,
        fingerprint: format!("{:032x}", packed.fingerprint),
        notes,
        failed,
        lost,
    }
}

fn text(document: &Document, is_update: bool) -> String {
    let Document { store, parts, meshes, triangles, bytes, unused_bytes, notes, .. } = document;
    let count = |n: u64| if n == 1 { "1 mesh".to_owned() } else { format!("{n} meshes") };
    let meshes = match is_update {
        true => format!("{} ({} new, {} kept)", count(meshes.new + meshes.kept), meshes.new, meshes.kept),
        false => count(meshes.new + meshes.kept),
    };
    let unused = match unused_bytes {
        0 => String::new(),
        n => format!(", of which {} are of older revisions", size(*n)),
    };
    let text = format!(
        "{store}: {} of {meshes}, {}, {}{unused}\n",
        report::count(*parts, "part"),
        report::count(*triangles, "triangle"),
        size(*bytes)
    );
    text + &crate::load::footer(None, notes)
}

fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
