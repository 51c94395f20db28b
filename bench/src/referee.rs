//! Table: triangle pairs recounted in exact arithmetic, and the lists of Sudar, Coal and FCL judged by it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use clap::Args;
use rayon::prelude::*;
use sudar::query::{self, Body};
use sudar::{Mesh, Pose, Shape};

use crate::cases::{self, Case};
use crate::options::Selection;
use crate::report::Report;
use crate::{exact, machine};

/// Which cases to judge.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    selection: Selection,
    /// Folder of the lists of Coal and FCL, as `peers.py --lists` writes them
    #[arg(long)]
    lists: Option<PathBuf>,
    /// Only the first poses of each case
    #[arg(long, default_value_t = usize::MAX)]
    poses: usize,
}

type Pairs = Vec<[u32; 2]>;

/// Recounts every pose exactly and prints for each library how many pairs it missed and how many it made up.
///
/// # Errors
/// If an input cannot be read, or Sudar's list is not the exact one.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    let mut table =
        Report::new(&["case", "library", "pairs", "exact", "missed", "made up", "poses all right"]);
    let mut faults = 0;
    for file in options.selection.files()? {
        let mut case = cases::read(&file)?;
        case.poses.truncate(options.poses);
        let truth = recount(&case);
        faults += judge(&case.name, "Sudar", &listed(&case), &truth, &mut table);
        for library in ["coal", "fcl"] {
            if let Some(list) = stored(options.lists.as_deref(), &case.name, library)? {
                ensure!(list.len() >= truth.len(), "the list of {library} for {} is too short", case.name);
                judge(&case.name, library, &list[..truth.len()], &truth, &mut table);
            }
        }
    }
    writeln!(out, "{}", machine::header())?;
    table.print("Triangle pairs judged by exact arithmetic", out)?;
    ensure!(faults == 0, "{faults} pairs of Sudar are wrong");
    Ok(())
}

fn recount(case: &Case) -> Vec<Pairs> {
    case.poses.par_iter().map(|[p, q]| exact::all_pairs(&case.a, p, &case.b, q)).collect()
}

fn listed(case: &Case) -> Vec<Pairs> {
    let body = |mesh: &Arc<Mesh>| Body::new(Shape::Mesh(mesh.clone()));
    let (a, b) = (body(&case.a), body(&case.b));
    case.poses.iter().map(|[p, q]: &[Pose; 2]| query::contacts(a.at(p), b.at(q))).collect()
}

/// One line a pose, each a JSON list of pairs.
fn stored(folder: Option<&Path>, case: &str, library: &str) -> Result<Option<Vec<Pairs>>> {
    let Some(file) = folder.map(|f| f.join(format!("{case}.{library}.pairs"))).filter(|f| f.exists()) else {
        return Ok(None);
    };
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let lists: Result<Vec<Pairs>, _> = text.lines().map(serde_json::from_str).collect();
    let mut lists = lists.with_context(|| format!("in {}", file.display()))?;
    for list in &mut lists {
        list.sort_unstable();
        list.dedup();
    }
    Ok(Some(lists))
}

/// Adds a row and returns the number of wrong pairs.
fn judge(case: &str, library: &str, lists: &[Pairs], truth: &[Pairs], table: &mut Report) -> usize {
    let lacking = |have: &Pairs, want: &Pairs| want.iter().filter(|p| have.binary_search(p).is_err()).count();
    let both = || lists.iter().zip(truth);
    let missed: usize = both().map(|(list, truth)| lacking(list, truth)).sum();
    let made_up: usize = both().map(|(list, truth)| lacking(truth, list)).sum();
    let right = both().filter(|(list, truth)| list == truth).count();
    let total = |lists: &[Pairs]| lists.iter().map(Vec::len).sum::<usize>();
    let numbers = [total(lists), total(truth), missed, made_up].map(|n| n.to_string());
    let cells = [case.to_owned(), library.to_owned()].into_iter().chain(numbers);
    table.row(cells.chain([format!("{right} of {}", truth.len())]).collect());
    missed + made_up
}
