//! One check, and the files that it writes.

use std::path::Path;
use std::time::SystemTime;

use anyhow::{Result, anyhow};
use sudar::query::Batch;
use sudar_clash::{Baseline, Bcf, Check, CheckError, Checked, Earlier, Found, Plan, Subject, gearbox, page};

use super::args::{Args, read_baseline};
use super::bar::behind_bar;
use super::subject::{Loaded, shown};
use super::{cache, decisions, sheet};
use crate::progress::Progress;
use crate::report::{self, Verdict};

/// What tells people of a check: what was checked, all that was noticed, and what was found.
pub trait Tell: FnOnce(&Loaded, &[String], &Checked<'_>) -> Result<()> {}
impl<F: FnOnce(&Loaded, &[String], &Checked<'_>) -> Result<()>> Tell for F {}

/// One check: reads, examines, writes the files that the options name, and tells what was found.
pub fn once(args: &Args, tell: impl Tell) -> Result<Verdict> {
    let (baseline, check) = asked(args)?;
    let loaded = match args.scenes.is_empty() {
        true => Loaded::built_in()?,
        false => Loaded::read(&args.scenes, args.reading(), &args.common)?,
    };
    let mut plan = check.plan(&loaded.subject, baseline.as_ref()).map_err(named)?;
    if args.scenes.is_empty() && args.ignore.is_empty() {
        gearbox::ignore_joints(&loaded.subject.assembly, &mut plan.options);
    }
    let (found, note) = match &args.cache {
        None => (find(plan)?, None),
        Some(folder) => cache::find(plan, folder)?,
    };
    conclude(args, &loaded, note.as_slice(), &found, baseline.as_ref(), tell)
}

/// The baseline, and what is looked for: read before the work, so that a damaged file is known at once, and before
/// --out may take its place.
pub fn asked(args: &Args) -> Result<(Option<Baseline>, Check)> {
    let baseline = args.baseline.as_deref().map(read_baseline).transpose()?;
    if let Some((path, kind)) = args.decided()? {
        args.decisions(path, decisions::read(path, kind)?.as_deref())?;
    }
    Ok((baseline, args.check()?))
}

/// Settles what was found, writes the files that the options name, and tells all of it.
pub fn conclude<'s>(
    args: &Args,
    loaded: &'s Loaded,
    notes: &[String],
    found: &Found<'s>,
    baseline: Option<&Baseline>,
    tell: impl Tell,
) -> Result<Verdict> {
    let subject = &loaded.subject;
    let settle = |reviews, bcf: Option<&Bcf>| {
        let mut checked = found.settle(Earlier { baseline, reviews, bcf });
        checked.document.origin.date = (!args.no_times).then(now);
        checked
    };
    let checked = match args.decided()? {
        None => settle(None, None),
        // Read again: what people decided during the search counts.
        Some((path, kind)) => {
            decisions::replace(path, kind, |bytes| args.decided_anew(path, bytes, subject, &settle))?
        }
    };
    let of_topics = args.topics.notes(subject, &checked.document, &args.kinds);
    let notes = loaded.notes.iter().chain(notes).chain(&checked.notes).cloned().chain(of_topics);
    let notes: Vec<String> = notes.collect();
    write_out(args, loaded, &checked)?;
    tell(loaded, &notes, &checked)?;
    Ok(match checked.is_open(&args.allow, args.new_only) {
        _ if !subject.failed.is_empty() || !subject.lost.is_empty() => Verdict::Failed,
        true => Verdict::Found,
        false => Verdict::Clean,
    })
}

/// Examines the pairs behind a bar.
fn find(plan: Plan<'_>) -> Result<Found<'_>> {
    behind_bar(|tell| Ok(plan.find(&Batch::default(), tell)?))
}

/// Writes the files that the options name, but that of decisions.
fn write_out(args: &Args, loaded: &Loaded, checked: &Checked<'_>) -> Result<()> {
    let document = &checked.document;
    if let Some(path) = &args.out {
        report::write_whole(path, report::json(document)?)?;
    }
    if let Some(path) = &args.html {
        write_page(path, &loaded.title, args.baseline.as_deref(), &loaded.subject, checked)?;
    }
    if let Some(path) = &args.table {
        sheet::write(path, document)?;
    }
    Ok(())
}

/// Writes the report page of a check, compared with the baseline of that name.
pub fn write_page(
    path: &Path,
    title: &str,
    baseline: Option<&Path>,
    subject: &Subject,
    checked: &Checked<'_>,
) -> Result<()> {
    report::write_whole(path, page_of(title, baseline, subject, checked)?)
}

/// The report page of a check, compared with the baseline of that name.
pub fn page_of(
    title: &str,
    baseline: Option<&Path>,
    subject: &Subject,
    checked: &Checked<'_>,
) -> Result<String> {
    let Checked { document, log, .. } = checked;
    let baseline = baseline.map(shown);
    let progress = Progress::new("views", Some(document.clashes.len() as u64));
    let (parts, done) = (&subject.assembly.parts, || progress.advance(1));
    Ok(page(["Clash report", title], baseline.as_deref(), parts, document, log.as_ref(), &done)?)
}

/// Now, as documents say it.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// An error about an option under the name that the option has here.
pub fn named(error: CheckError) -> anyhow::Error {
    let is_of_option =
        matches!(error, CheckError::Length { .. } | CheckError::Pattern { .. } | CheckError::NoMatch { .. });
    if is_of_option { anyhow!("--{error}") } else { error.into() }
}
