//! From paths to meshes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, ensure};
use rayon::prelude::*;
use sudar::query::Body;
use sudar::{DVec3, Mesh, WeldReport};
use sudar_formats::{Format, LostElement, Model, WriteOptions};
use sudar_store::{FailedFile, Store};

use crate::common::{ReadArgs, WeldArgs};
use crate::external::External;
use crate::report;

/// Whether a path is a folder of files, and no store.
pub fn is_folder(path: &Path) -> bool {
    path.is_dir() && !Store::is_store(path)
}

/// The files and stores themselves, and in place of folders the model files in them, if wanted also in all folders
/// below, in the order of names.
pub fn files(paths: &[PathBuf], is_recursive: bool) -> Result<Vec<PathBuf>> {
    let models = if is_recursive { models_below } else { models_in };
    let mut files = Vec::new();
    for path in paths {
        if is_folder(path) { files.extend(models(path)?) } else { files.push(path.clone()) }
    }
    Ok(files)
}

/// The model files of a folder and of all below, in the order of names. Links to folders are not followed.
fn models_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let cannot = || format!("{}: cannot be read; check the rights", folder.display());
        for entry in fs::read_dir(&folder).with_context(cannot)? {
            let entry = entry.with_context(cannot)?;
            let path = entry.path();
            if entry.file_type().with_context(cannot)?.is_dir() {
                folders.push(path);
            } else if is_model(&path) {
                files.push(path);
            }
        }
    }
    files.sort();
    if files.is_empty() { Err(no_model_in(folder)) } else { Ok(files) }
}

fn no_model_in(folder: &Path) -> anyhow::Error {
    let endings = Format::ALL.map(|format| format!(".{}", format.ending())).join(", ");
    anyhow!("{}: holds no model file; name a folder with files that end in {endings}", folder.display())
}

/// The model files of a folder, in the order of names.
pub fn models_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let cannot = || format!("{}: cannot be read; check the rights", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        if is_model(&path) {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() { Err(no_model_in(folder)) } else { Ok(files) }
}

/// Whether a file of a folder is a model. STEP files are so often the sources of those beside them that they have to be
/// named.
fn is_model(path: &Path) -> bool {
    path.is_file() && (Format::from_path(path).is_ok() || External::of(path) == Some(External::Ifc))
}

/// The whole of a text file that is no model.
pub fn text(path: &Path, what: &str, max: u64) -> Result<String> {
    let cannot = || format!("{}: cannot be read; check the name and the rights", path.display());
    let found = fs::metadata(path).with_context(cannot)?;
    ensure!(found.is_file(), "{}: is not a regular file; name a {what} file", path.display());
    ensure!(found.len() <= max, "{}: is larger than {max} bytes; name a smaller one", path.display());
    fs::read_to_string(path).with_context(cannot)
}

/// The contents of a file or store, in its own numbers.
pub fn raw(path: &Path, read: &ReadArgs) -> Result<Model> {
    if Store::is_store(path) {
        return Ok(Store::open(path)?.model()?);
    }
    match External::of(path) {
        Some(external) => external.read(path, &read.external),
        None => Ok(sudar_formats::read(path)?),
    }
}

/// The contents of a file, in metres as far as the options say.
pub fn model(path: &Path, read: &ReadArgs) -> Result<Model> {
    let model = raw(path, read)?;
    let factor = read.factor(model.unit);
    model.scaled(factor).with_context(|| path.display().to_string())
}

/// The bodies of a store, by the numbers of its meshes.
pub fn stored_bodies(store: &Store) -> Result<Vec<Body>> {
    // Read to the end, so that of several damaged meshes it is always the first that is named.
    let bodies: Vec<_> =
        (0..store.meshes()?.len()).into_par_iter().map(|number| store.body(number)).collect();
    Ok(bodies.into_iter().collect::<Result<_, _>>()?)
}

/// A model, its notes, and what welding changed in each of its meshes; nothing if no welding was wanted.
pub struct Welded {
    pub model: Model,
    pub notes: Vec<String>,
    pub reports: Vec<WeldReport>,
}

/// The contents of a file as [`model`], welded if that is wanted.
pub fn welded(path: &Path, read: &ReadArgs, weld: &WeldArgs) -> Result<Welded> {
    let model = raw(path, read)?;
    let factor = read.factor(model.unit);
    let mut welded = welded_times(path, model, factor, weld)?;
    welded.notes.extend(noted(path)?);
    Ok(welded)
}

/// What was noticed about the files of a store, and which of them could not be read; nothing for a file, whose model
/// has its notes.
pub fn noted(path: &Path) -> Result<Vec<String>> {
    if !Store::is_store(path) {
        return Ok(Vec::new());
    }
    let store = Store::open(path)?;
    let about = store.about()?;
    let left_out = |FailedFile { file, error }: &FailedFile| format!("{file}: left out: {error}");
    Ok(about.notes.iter().cloned().chain(about.failed.iter().map(left_out)).collect())
}

/// The contents of a file, its coordinates multiplied, welded if that is wanted.
pub fn welded_times(path: &Path, model: Model, factor: f64, weld: &WeldArgs) -> Result<Welded> {
    let mut model = model.scaled(factor).with_context(|| path.display().to_string())?;
    let weld = |mesh: &mut Arc<Mesh>| -> Result<Option<WeldReport>> {
        let Some(tolerance) = weld.tolerance(mesh) else { return Ok(None) };
        let (welded, report) = mesh.welded(tolerance)?;
        *mesh = Arc::new(welded);
        Ok(Some(report))
    };
    let reports: Vec<Result<Option<WeldReport>>> = model.meshes.par_iter_mut().map(weld).collect();
    let reports = reports.into_iter().collect::<Result<Vec<_>>>();
    let reports = reports.with_context(|| path.display().to_string())?.into_iter().flatten().collect();
    let lost = (!model.lost.is_empty()).then(|| lost_text(&model.lost));
    let notes = model.notes.iter().map(ToString::to_string).chain(lost).collect();
    Ok(Welded { notes, model, reports })
}

/// Which elements are lost, the first by their names.
fn lost_text(lost: &[LostElement]) -> String {
    const NAMED: usize = 5;
    let names: Vec<&str> = lost.iter().take(NAMED).map(|lost| lost.name.as_str()).collect();
    let more = lost.len() - names.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{} lost: {}{more}", report::count(lost.len(), "element"), names.join(", "))
}

/// All meshes of a file together: the largest tolerance, the farthest move, and how much moved.
pub fn summary(reports: &[WeldReport]) -> Option<WeldReport> {
    reports.iter().copied().reduce(|sum, one| WeldReport {
        tolerance: sum.tolerance.max(one.tolerance),
        moved: sum.moved + one.moved,
        farthest: sum.farthest.max(one.farthest),
        collapsed: sum.collapsed + one.collapsed,
    })
}

/// What welding changed, for people.
pub fn weld_text(report: &WeldReport) -> String {
    let WeldReport { tolerance, moved, farthest, collapsed } = *report;
    let how_far = if moved == 0 { String::new() } else { format!(" by at most {}", report::short(farthest)) };
    let lost = match collapsed {
        0 => String::new(),
        n => format!(", {} collapsed", report::count(n, "triangle")),
    };
    format!("welded at {}: {} moved{how_far}{lost}", report::short(tolerance), vertices(moved))
}

/// What is said last of a model: what welding changed, then the notes.
pub fn footer(weld: Option<&WeldReport>, notes: &[String]) -> String {
    let weld = weld.map(|weld| weld_text(weld) + "\n");
    weld.into_iter().chain(notes.iter().map(|note| format!("note: {note}\n"))).collect()
}

/// Writes a model; what the format does not hold is added to the notes.
pub fn write(model: &Model, path: &Path, options: WriteOptions, notes: &mut Vec<String>) -> Result<()> {
    let written = sudar_formats::write(&report::target_of(path)?, model, options)?;
    notes.extend(written.iter().map(ToString::to_string));
    Ok(())
}

fn vertices(n: usize) -> String {
    if n == 1 { "1 vertex".to_owned() } else { format!("{n} vertices") }
}

/// All parts as one mesh; triangles are numbered as in the file.
pub fn whole(model: &Model) -> Result<Mesh> {
    Ok(model.merged()?)
}

/// Where the vertices that triangles use stand, part after part, or the points of a cloud.
pub fn used_points(model: &Model) -> Result<Vec<DVec3>> {
    if !model.points.is_empty() {
        return Ok(model.points.clone());
    }
    if model.parts.is_empty() {
        // The message says what the file holds.
        whole(model)?;
    }
    let mut points = Vec::new();
    for part in &model.parts {
        let mesh = model.mesh_of(part)?;
        let mut used = vec![false; mesh.vertices().len()];
        mesh.triangles().iter().flatten().for_each(|&i| used[i as usize] = true);
        let used = mesh.vertices().iter().zip(used).filter(|(_, used)| *used);
        points.extend(used.map(|(&p, _)| part.pose.apply(p)));
    }
    Ok(points)
}
