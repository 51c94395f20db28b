//! Every mesh of one folder with every mesh of another, or with one file.

use anyhow::{Result, ensure};
use serde::Serialize;
use sudar::query::Body;

use super::pair::{Args, Document, Side, body, check};
use crate::load;
use crate::progress::Waiting;
use crate::report::{self, Verdict};

#[derive(Debug, Serialize)]
struct Checks {
    schema_version: u32,
    checks: Vec<Check>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Check {
    Done(Box<Document>),
    Failed { a: String, b: String, error: String },
}

/// A file that was read once for all pairs, or why it could not be.
struct Read {
    name: String,
    body: Result<(Body, Side)>,
}

pub fn run(args: &Args) -> Result<Verdict> {
    ensure!(!args.motion.draws(), "--plot draws one pair of meshes; name two files");
    let waiting = Waiting::new("reading the meshes");
    let read = |path: &std::path::PathBuf| -> Result<Vec<Read>> {
        let files = load::files(std::slice::from_ref(path), false)?;
        let read = files.iter().map(|file| Read { name: file.display().to_string(), body: body(file, args) });
        Ok(read.collect())
    };
    let (all_a, all_b) = (read(&args.a)?, read(&args.b)?);
    let pairs = all_a.iter().flat_map(|a| all_b.iter().map(move |b| (a, b)));
    let checks: Vec<Check> = pairs.map(|(a, b)| pair(a, b, args, &waiting)).collect();
    drop(waiting);
    let errors = all_a.iter().chain(&all_b).filter_map(|read| read.body.as_ref().err());
    errors.for_each(|error| report::complain(&format!("{error:#}")));
    let checks = Checks { schema_version: report::SCHEMA, checks };
    report::give(args.common.json, &checks, || table(&checks.checks, args))?;
    let verdicts = || {
        checks.checks.iter().map(|check| match check {
            Check::Done(document) => document.verdict(),
            Check::Failed { .. } => Verdict::Failed,
        })
    };
    let worst =
        [Verdict::Failed, Verdict::Found].into_iter().find(|verdict| verdicts().any(|v| v == *verdict));
    Ok(worst.unwrap_or(Verdict::Clean))
}

fn pair(a: &Read, b: &Read, args: &Args, waiting: &Waiting) -> Check {
    let done = match (&a.body, &b.body) {
        (Ok(one), Ok(other)) => check(one, other, args, waiting).map_err(|error| format!("{error:#}")),
        (Err(error), _) | (_, Err(error)) => Err(format!("{error:#}")),
    };
    match done {
        Ok(document) => Check::Done(Box::new(document)),
        Err(error) => Check::Failed { a: a.name.clone(), b: b.name.clone(), error },
    }
}

fn table(checks: &[Check], args: &Args) -> String {
    let mut header = vec!["a", "b", "", "pairs"];
    header.extend(args.distance.then_some("distance"));
    header.extend(args.tolerance.map(|_| "within"));
    header.extend(args.motion.is_wanted().then_some("first contact"));
    let row = |check: &Check| match check {
        Check::Done(document) => cells(document),
        Check::Failed { a, b, .. } => {
            let mut row = vec![a.clone(), b.clone(), "not checked".to_owned()];
            row.resize(header.len(), String::new());
            row
        }
    };
    report::table(&header, &[3, 4, 5, 6], checks.iter().map(row))
}

fn cells(document: &Document) -> Vec<String> {
    let Document { a, b, intersects, count, count_is_exact, measured, tolerated, sweep, .. } = document;
    let least = if *count_is_exact == Some(false) { "≥ " } else { "" };
    let mut cells = vec![
        a.file.clone(),
        b.file.clone(),
        if *intersects { "intersect" } else { "apart" }.to_owned(),
        count.map(|count| format!("{least}{count}")).unwrap_or_default(),
    ];
    cells.extend(measured.as_ref().map(|measured| report::interval(&measured.distance)));
    cells.extend(tolerated.as_ref().map(|tolerated| match tolerated.within {
        Some(true) => "yes".to_owned(),
        Some(false) => "no".to_owned(),
        None => "undecided".to_owned(),
    }));
    cells.extend(sweep.as_ref().map(super::sweep::Swept::time));
    cells
}
