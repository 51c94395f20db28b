//! `sudar pack`: from files to a scene store.

mod args;
mod packing;

use anyhow::{Result, ensure};
use serde::Serialize;
use sudar_store::Packed;

use crate::report::{self, Verdict};
pub use args::Args;
use packing::{Failed, Noticed};

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
