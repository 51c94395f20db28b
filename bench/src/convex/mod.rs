//! Table: pairs of convex shapes, beside parry3d in both precisions and, through a native program, Coal and FCL.
//!
//! What is compared ([`form`], [`cases`]), who is right ([`mod@reference`] on [`difference`] and [`polytope`],
//! [`verdict`]), how each library is asked ([`sudar`], [`parry`], [`native`]), and the table itself.

pub mod answers;
pub mod cases;
pub mod difference;
pub mod form;
pub mod native;
pub mod parry;
pub mod polytope;
pub mod reference;
pub mod sudar;
pub mod table;
pub mod verdict;

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};

use crate::machine;
use answers::Answers;
use cases::Case;
use table::Table;

/// What to do with the cases.
#[derive(Debug, Args)]
pub struct Options {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Write the cases as text, for other programs: poses by chance and, in `walk-*.txt`, small steps
    Emit {
        /// Folder to write to
        folder: PathBuf,
        #[command(flatten)]
        which: Which,
    },
    /// Poses by chance: 0.9 to 1.1 of the distance at which the shapes touch
    Run(Compare),
    /// A walk in small steps, where a memory of the pose before may help
    Path(Compare),
}

#[derive(Debug, Args)]
struct Which {
    /// Only this case; may be repeated
    #[arg(long)]
    case: Vec<String>,
    /// Poses a case [default: 2000 by chance, 1000 steps]
    #[arg(long)]
    poses: Option<usize>,
}

#[derive(Debug, Args)]
struct Compare {
    #[command(flatten)]
    which: Which,
    /// The program built from `bench/rivals/convex.cpp`; may be repeated
    #[arg(long)]
    native: Vec<PathBuf>,
    /// Sweeps through all poses; the median counts
    #[arg(long, default_value_t = 5)]
    sweeps: usize,
    /// Let each block of poses count at its fastest, not the median sweep: for a machine that is not quiet
    #[arg(long)]
    least: bool,
    /// Write every figure with its verdict as comma-separated values
    #[arg(long)]
    csv: Option<PathBuf>,
}

/// Writes the cases, or compares and prints.
///
/// # Errors
/// If a case does not exist, a file cannot be written, or the native program fails.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    match &options.verb {
        Verb::Emit { folder, which } => emit(folder, which),
        Verb::Run(options) => compare(options, false, out),
        Verb::Path(options) => compare(options, true, out),
    }
}

fn emit(folder: &PathBuf, which: &Which) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for name in which.names() {
        for (prefix, walk) in [("", false), ("walk-", true)] {
            let path = folder.join(format!("{prefix}{name}.txt"));
            let text = cases::text(&which.get(&name, walk)?)?;
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}

fn compare(options: &Compare, walk: bool, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", machine::header())?;
    let mut table = Table::new(options.least);
    for name in options.which.names() {
        let case = options.which.get(&name, walk)?;
        table.add(&case, &reference::signed_distances(&case), &everybody(&case, options)?);
    }
    table.print(out)?;
    options.csv.as_ref().map_or(Ok(()), |path| table.figures().write_csv(path))
}

/// One library after the other, on the same core.
fn everybody(case: &Case, options: &Compare) -> Result<Vec<Answers>> {
    let mut answers = sudar::answers(case, options.sweeps)?;
    answers.extend(parry::single::answers(case, options.sweeps));
    answers.extend(parry::double::answers(case, options.sweeps));
    for program in &options.native {
        answers.extend(native::answers(program, case, options.sweeps)?);
    }
    Ok(answers)
}

impl Which {
    fn names(&self) -> Vec<String> {
        if self.case.is_empty() { cases::names().map(str::to_owned).collect() } else { self.case.clone() }
    }

    fn get(&self, name: &str, walk: bool) -> Result<Case> {
        cases::case(name, self.poses.unwrap_or(if walk { 1000 } else { 2000 }), walk)
    }
}
