//! `sudar info`: what is in a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use serde::Serialize;
use sudar::query::{Body, self_intersections};
use sudar::{Aabb, Faults, Mesh, Pose, WeldReport};
use sudar_formats::LostElement;

use crate::common::{ReadArgs, Threads, WeldArgs};
use crate::help;
use crate::load::{self, Welded};
use crate::progress::Waiting;
use crate::report::{self, Verdict};

/// Shows parts, triangles, closedness, faults and bounds of model files.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// Model files, or folders, of which every model file is read: then all are one table.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
    /// Also count the pairs of triangles of a part that meet elsewhere than where they are joined.
    #[arg(long)]
    self_intersections: bool,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    weld: WeldArgs,
    #[command(flatten)]
    threads: Threads,
}

const HELP: &str = "\
Nothing is repaired unless --weld is given: triangles are counted and numbered as the file has them, faults included.

  closed      every edge has an even number of triangles, so that the part has an inside; where it has none, a few
              tolerances are tried, up to 1e-6 of its longest side, and the first is shown with which --weld closes it
  manifold    no edge has more than two triangles
  faults:
    degenerate            triangles of exactly zero area
    duplicate             triangles with the corners of an earlier one
    unwelded              vertices at exactly the place of an earlier one (they are treated as one)
    unreferenced          vertices that no triangle uses
    boundary_edges        edges with one triangle
    non_manifold_edges    edges with more than two triangles
    flipped_edges         edges whose two triangles disagree about the outside
  self-intersections (if asked for)
                          pairs of triangles of one part that touch, pass through or cover each other beyond
                          the corners they share

JSON: {\"files\":[{\"file\",\"parts\":[{\"name\",\"triangles\",\"closed\",\"manifold\",\"closes_at\" if welding closes it,
       \"faults\":{…},\"weld\":{\"tolerance\",\"moved\",\"farthest\",\"collapsed\"} with --weld,\"self_intersections\" if asked for}],\"triangles\",\"points\" of a cloud without faces,\"bounds\":{\"min\",\"max\"} or null,\"notes\":[what the reader noticed, such as skipped lines],\"lost\":[{\"name\",\"properties\",\"error\"}] of IFC}]}

With a folder there is one table with a row a file, and the document has \"schema_version\":1 before \"files\".

Exit status: 0, or 2 if a file, or an element of one, could not be read; the others are still shown.

Example:
  sudar info --units mm bracket.stl assembly.obj.gz";

#[derive(Debug, Serialize)]
struct Document {
    #[serde(skip_serializing_if = "Option::is_none")]
    schema_version: Option<u32>,
    files: Vec<FileInfo>,
}

#[derive(Debug, Serialize)]
struct FileInfo {
    file: String,
    parts: Vec<PartInfo>,
    triangles: u64,
    /// Of a file that holds points and no faces.
    #[serde(skip_serializing_if = "is_zero")]
    points: usize,
    /// Nothing has none.
    bounds: Option<Aabb>,
    notes: Vec<String>,
    /// What should be a part and is none, or not wholly.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lost: Vec<LostElement>,
}

#[derive(Debug, Clone, Serialize)]
struct PartInfo {
    name: String,
    triangles: usize,
    closed: bool,
    manifold: bool,
    /// The tolerance that closes it if it is welded.
    #[serde(skip_serializing_if = "Option::is_none")]
    closes_at: Option<f64>,
    faults: Faults,
    #[serde(skip_serializing_if = "Option::is_none")]
    weld: Option<WeldReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    self_intersections: Option<usize>,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

pub fn run(args: &Args) -> Result<Verdict> {
    args.threads.apply(0)?;
    let mut verdict = Verdict::Clean;
    let mut files = Vec::new();
    let with_folder = args.files.iter().any(|path| load::is_folder(path));
    for path in &load::files(&args.files, false)? {
        let _waiting = Waiting::new(format!("examining {}", report::one_line(&path.display().to_string())));
        let file = load::welded(path, &args.read, &args.weld);
        match file.and_then(|file| describe(path, file, args.self_intersections)) {
            Ok(info) => {
                if !info.lost.is_empty() {
                    verdict = Verdict::Failed;
                }
                files.push(info);
            }
            Err(error) => {
                report::complain(&format!("{error:#}"));
                verdict = Verdict::Failed;
            }
        }
    }
    let document = Document { schema_version: with_folder.then_some(report::SCHEMA), files };
    let text = if with_folder { one_table } else { table };
    if args.json || !document.files.is_empty() {
        report::give(args.json, &document, || text(&document.files, args.self_intersections))?;
    }
    Ok(verdict)
}

fn describe(path: &Path, Welded { model, notes, reports }: Welded, with_itself: bool) -> Result<FileInfo> {
    let mesh = |(i, mesh)| PartInfo { weld: reports.get(i).copied(), ..describe_mesh(mesh, with_itself) };
    let of_mesh: Vec<PartInfo> = model.meshes.iter().enumerate().map(mesh).collect();
    let mut bounds = Aabb::around(model.points.iter().copied());
    let mut parts = Vec::with_capacity(model.parts.len());
    for part in &model.parts {
        let mesh = model.mesh_of(part)?;
        let corners =
            mesh.triangles().iter().flatten().map(|&i| part.pose.apply(mesh.vertices()[i as usize]));
        bounds = bounds.union(Aabb::around(corners));
        parts.extend(of_mesh.get(part.mesh).map(|info| PartInfo { name: part.name.clone(), ..info.clone() }));
    }
    let (triangles, points) = (model.triangles(), model.points.len());
    let bounds = Some(bounds).filter(|bounds| bounds.min.x <= bounds.max.x);
    Ok(FileInfo {
        file: path.display().to_string(),
        parts,
        triangles,
        points,
        bounds,
        notes,
        lost: model.lost,
    })
}

fn describe_mesh(mesh: &Arc<Mesh>, with_itself: bool) -> PartInfo {
    let count = || self_intersections(Body::new(sudar::Shape::Mesh(mesh.clone())).at(&Pose::IDENTITY)).len();
    let topology = mesh.topology();
    PartInfo {
        name: String::new(),
        triangles: mesh.triangles().len(),
        closed: topology.is_closed(),
        manifold: topology.is_manifold(),
        closes_at: topology.closing_tolerance(mesh).filter(|_| !topology.is_closed()),
        faults: topology.faults,
        weld: None,
        self_intersections: with_itself.then(count),
    }
}

fn table(files: &[FileInfo], with_itself: bool) -> String {
    let mut columns = vec!["part", "triangles", "closed", "manifold", "faults"];
    columns.extend(with_itself.then_some("self-intersections"));
    let mut text = String::new();
    for file in files {
        text += &format!(
            "{}: {}, {}{}\n",
            file.file,
            match file.points {
                0 => report::count(file.triangles, "triangle"),
                n => format!("a cloud of {}", report::count(n, "point")),
            },
            report::count(file.parts.len(), "part"),
            file.bounds.map_or_else(String::new, |bounds| {
                let low = bounds.min.to_array().map(report::short).join(", ");
                format!(", {} from ({low})", report::size(&bounds))
            })
        );
        if !file.parts.is_empty() {
            text += &report::table(&columns, &[1, 5], file.parts.iter().map(row));
        }
        for part in &file.parts {
            if let Some(weld) = &part.weld {
                text += &format!("{}: {}\n", part.name, load::weld_text(weld));
            }
        }
        text += &load::footer(None, &file.notes);
        for LostElement { name, error, .. } in &file.lost {
            text += &format!("lost: {name}: {error}\n");
        }
    }
    text
}

/// A row a file.
fn one_table(files: &[FileInfo], with_itself: bool) -> String {
    let mut columns = vec!["file", "parts", "triangles", "closed", "manifold", "size", "faults", "notes"];
    columns.extend(with_itself.then_some("self-intersections"));
    let all = |file: &FileInfo, is: fn(&PartInfo) -> bool| match file.parts.iter().filter(|p| is(p)).count() {
        _ if file.parts.is_empty() => "–".to_owned(),
        n if n == file.parts.len() => "yes".to_owned(),
        0 => "no".to_owned(),
        n => format!("{n} of {}", file.parts.len()),
    };
    let row = |file: &FileInfo| {
        let mut sum = Faults::default();
        file.parts.iter().for_each(|part| sum += part.faults);
        let mut row = vec![
            file.file.clone(),
            file.parts.len().to_string(),
            file.triangles.to_string(),
            all(file, |part| part.closed),
            all(file, |part| part.manifold),
            file.bounds.as_ref().map_or_else(|| "–".to_owned(), report::size),
            faults(&sum),
            file.notes.len().to_string(),
        ];
        let with_itself = || file.parts.iter().filter_map(|part| part.self_intersections).sum::<usize>();
        row.extend(columns.get(8).map(|_| with_itself().to_string()));
        row
    };
    report::table(&columns, &[1, 2, 7, 8], files.iter().map(row))
}

fn row(part: &PartInfo) -> Vec<String> {
    let yes = |b| if b { "yes" } else { "no" }.to_owned();
    let name = part.name.clone();
    let closed = match part.closes_at {
        Some(tolerance) => format!("no, closes if welded at {tolerance:e}"),
        None => yes(part.closed),
    };
    let mut row = vec![name, part.triangles.to_string(), closed, yes(part.manifold), faults(&part.faults)];
    row.extend(part.self_intersections.map(|count| count.to_string()));
    row
}

/// The counts that are not zero, in words.
pub fn faults(faults: &Faults) -> String {
    let all = [
        (faults.degenerate, "degenerate"),
        (faults.duplicate, "duplicate"),
        (faults.unwelded, "unwelded"),
        (faults.unreferenced, "unreferenced"),
        (faults.boundary_edges, "boundary"),
        (faults.non_manifold_edges, "non-manifold"),
        (faults.flipped_edges, "flipped"),
    ];
    let found = all.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
    let text = found.collect::<Vec<_>>().join(", ");
    if text.is_empty() { "none".to_owned() } else { text }
}
