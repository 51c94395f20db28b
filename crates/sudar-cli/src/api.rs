//! What other front ends call in place of the commands: the same work on typed options, with the answer given back.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use sudar_clash::{Baseline, Checked, Rules, Subject, Unit};
use sudar_formats::Model;

use crate::common::{ModelArgs, ReadArgs, WeldArgs};
use crate::{clash, load, replay, report};

/// How files are read, as the options of these names.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// What the coordinates of files that say no unit are multiplied by; not with `units`.
    pub scale: Option<f64>,
    /// The unit of files that say none.
    pub units: Option<Unit>,
    /// The Python package that reads IFC, in place of our own reader.
    pub ifc_with: Option<String>,
    /// How far the lines and faces in place of curves of IFC files may be from them, in metres; otherwise half a
    /// millimetre.
    pub deflection: Option<f64>,
    /// Whether vertices are joined, and at most so far apart; without a number a millionth of each part.
    pub weld: Option<Option<f64>>,
}

impl ReadOptions {
    fn args(&self) -> Result<ReadArgs> {
        ReadArgs::new(self.scale, self.units, self.ifc_with.clone(), self.deflection)
    }
}

/// The contents of a store or of a file of any format that the command reads, in metres as far as the options say, and
/// what was noticed.
///
/// # Errors
/// As the command says them, on one line.
pub fn read(path: &Path, options: &ReadOptions) -> Result<(Model, Vec<String>)> {
    let model = load::model(path, &options.args()?)?;
    let notes = model.notes.iter().map(ToString::to_string).chain(load::noted(path)?).collect();
    Ok((model, notes))
}

/// The parts of files, folders, scene files and stores for a clash check.
///
/// # Errors
/// As the command says them, on one line.
pub fn subject(paths: &[PathBuf], options: &ReadOptions) -> Result<Subject> {
    report::be_quiet();
    let (read, weld) = (options.args()?, WeldArgs::new(options.weld)?);
    let common = ModelArgs { read, weld, ..ModelArgs::default() };
    let reading = clash::Reading { is_recursive: false, is_strict: false };
    Ok(clash::Loaded::read(paths, reading, &common)?.subject)
}

/// The rules of a file, which may name these sets, and its name as reports have it.
///
/// # Errors
/// As the command says them, on one line.
pub fn rules(path: &Path, sets: &[(String, String)]) -> Result<(String, Rules)> {
    clash::rules(path, sets)
}

/// An earlier document of a clash check in a file.
///
/// # Errors
/// As the command says them, on one line.
pub fn baseline(path: &Path) -> Result<Baseline> {
    clash::read_baseline(path)
}

/// Writes the report page of a check, compared with the baseline of that name.
///
/// # Errors
/// If the file cannot be written.
pub fn write_page(
    path: &Path,
    title: &str,
    baseline: Option<&Path>,
    subject: &Subject,
    checked: &Checked<'_>,
) -> Result<()> {
    clash::write_page(path, title, baseline, subject, checked)
}

/// Now in UTC, as the documents of checks say it.
pub fn now() -> String {
    clash::now()
}

/// The answers of `sudar replay` to lines of queries, in order; relative paths start from `root`.
///
/// # Errors
/// As the command says them, on one line.
pub fn replay(lines: &[Vec<u8>], root: PathBuf) -> Result<Vec<String>> {
    report::be_quiet();
    let queries = [OsString::from("-")];
    let args: replay::Args = parsed("replay", &queries).context("replay")?;
    replay::answers(lines, root, &args)
}

/// Options of a command from its words, without the command's name.
fn parsed<A: clap::Args>(name: &'static str, words: &[OsString]) -> Result<A> {
    let command = A::augment_args(clap::Command::new(name)).no_binary_name(true).disable_help_flag(true);
    let matches = command
        .try_get_matches_from(words)
        .map_err(|error| anyhow!(report::usage_line(&error.to_string())))?;
    Ok(A::from_arg_matches(&matches)?)
}

/// Clash checks in chunks.
#[cfg(feature = "arrow")]
pub use crate::clash::{ClashJob, Stock, answers};
pub use crate::job::JobFolder;
pub use sudar_store::digest;
