//! Table: stored poses with stored answers of FCL and Coal, and who is right where they differ.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use glam::{DQuat, DVec3};
use rayon::prelude::*;
use serde::Deserialize;
use sudar::query::{self, Body};
use sudar::{Mesh, Pose, Shape};

use crate::cases::read_mesh;
use crate::report::{Report, count};
use crate::{exact, machine};

/// The poses and the models that they are about.
#[derive(Debug, Args)]
pub struct Options {
    /// Files of poses with answers: `static`, `moving` and `queries`
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Folder that the models' paths start from
    #[arg(long)]
    data: PathBuf,
    /// Recount every pose exactly, not only those where somebody differs
    #[arg(long)]
    all: bool,
}

#[derive(Debug, Deserialize)]
struct Stored {
    r#static: PathBuf,
    moving: PathBuf,
    queries: Vec<Query>,
}

/// One pose of the moving mesh; `collide` and `pairs` are FCL's answers.
#[derive(Debug, Deserialize)]
struct Query {
    quat_wxyz: [f64; 4],
    translation: [f64; 3],
    collide: bool,
    pairs: usize,
    coal_pairs: usize,
}

struct Answer {
    pose: usize,
    touching: bool,
    pairs: usize,
    exact: Option<usize>,
}

/// Compares every pose and prints those whose pair counts differ.
///
/// # Errors
/// If a file cannot be read, or Sudar's answer is not the exact one.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", machine::header())?;
    let mut wrong = 0;
    for file in &options.files {
        wrong += compare(file, options, out)?;
    }
    if wrong > 0 {
        bail!("{wrong} answers of Sudar differ from the exact ones");
    }
    Ok(())
}

/// Prints the table of one file and returns how often Sudar was wrong.
fn compare(file: &Path, options: &Options, out: &mut dyn Write) -> Result<usize> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let stored: Stored = serde_json::from_str(&text).with_context(|| format!("in {}", file.display()))?;
    let still = Arc::new(read_mesh(&options.data.join(&stored.r#static))?);
    let moving = Arc::new(read_mesh(&options.data.join(&stored.moving))?);
    let [a, b] = [&still, &moving].map(|mesh| Body::new(Shape::Mesh(mesh.clone())));
    let numbered: Vec<_> = stored.queries.iter().enumerate().collect();
    let one = |&(i, q): &(usize, &Query)| answer(i, q, [&a, &b], [&still, &moving], options.all);
    let answers: Vec<Answer> = numbered.par_iter().map(one).collect::<Result<_>>()?;
    print(file, &stored.queries, &answers, out)
}

fn answer(i: usize, q: &Query, [a, b]: [&Body; 2], meshes: [&Mesh; 2], all: bool) -> Result<Answer> {
    let [w, x, y, z] = q.quat_wxyz;
    let pose = Pose::new(DVec3::from(q.translation), DQuat::from_xyzw(x, y, z, w))?;
    let here = Pose::IDENTITY;
    let touching = query::intersects(a.at(&here), b.at(&pose)).is_touching();
    let listed = query::contacts(a.at(&here), b.at(&pose));
    let disputed = touching != q.collide || listed.len() != q.pairs || listed.len() != q.coal_pairs;
    let truth = (all || disputed).then(|| exact::all_pairs(meshes[0], &here, meshes[1], &pose));
    // Equal numbers of different pairs would be wrong as well.
    let exact = truth.map(|t| if t == listed { listed.len() } else { t.len().max(listed.len() + 1) });
    Ok(Answer { pose: i, touching, pairs: listed.len(), exact })
}

fn print(file: &Path, queries: &[Query], answers: &[Answer], out: &mut dyn Write) -> Result<usize> {
    let mut table = Report::new(&["pose", "exact", "Sudar", "Coal", "FCL"]);
    for answer in answers {
        let q = &queries[answer.pose];
        if answer.pairs == q.pairs
            && answer.pairs == q.coal_pairs
            && answer.exact.is_none_or(|n| n == q.pairs)
        {
            continue;
        }
        let counts = [Some(answer.pairs), Some(q.coal_pairs), Some(q.pairs)].map(count);
        table.row([answer.pose.to_string(), count(answer.exact)].into_iter().chain(counts).collect());
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let same = |f: fn(&Query, &Answer) -> bool| queries.iter().zip(answers).filter(|(q, a)| f(q, a)).count();
    let wrong = same(|_, a| a.exact.is_some_and(|n| n != a.pairs) || a.touching != (a.pairs > 0));
    table.print(&format!("{name}: poses whose pair counts differ"), out)?;
    writeln!(
        out,
        "\n{} poses. Same yes or no as FCL: {}. Same number of pairs as FCL: {}, as Coal: {}. \
         Recounted exactly: {}; Sudar wrong: {wrong}.",
        queries.len(),
        same(|q, a| a.touching == q.collide),
        same(|q, a| a.pairs == q.pairs),
        same(|q, a| a.pairs == q.coal_pairs),
        answers.iter().filter(|a| a.exact.is_some()).count(),
    )?;
    Ok(wrong)
}
