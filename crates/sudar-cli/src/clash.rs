//! `sudar clash`: which parts of an assembly are in each other's way.

mod scene;
mod sheet;
mod subject;
mod table;
mod topics;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::time::{Instant, SystemTime};

use anyhow::{Context, Result, ensure};
use sudar::Pose;
use sudar::query::{Batch, Body};
use sudar_clash::gearbox;
use sudar_clash::{
    Assembly, Baseline, Bcf, Clash, ClashInfo, ClashKind, ClashOptions, ClashReport, DepthMeasure, Document,
    GroupBy, Grouping, Length, Named, Origin, PartSet, ReviewLog, Rules, Unit, find_clashes_under, page,
};

use crate::api::Watch;
use crate::common::{ModelArgs, one_of};
use crate::help;
use crate::load;
use crate::progress::Progress;
use crate::report::{self, Verdict};
use subject::{Reading, Subject, shown};
use table::Listing;
use topics::TopicArgs;

/// Finds the parts of an assembly that are in each other's way.
///
/// Every pair of parts is decided exactly. Without SCENE a built-in planetary gearbox with known faults is checked.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// Files with parts; folders, of which every model file is read in the order of names; scene files (.toml) that say
    /// where each model stands.
    #[arg(value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    /// Also report parts that are apart by at most D, a number in the unit of the results or one with a unit, as 5mm
    /// [default: 0, only contacts; 0.05 mm for the built-in gearbox].
    #[arg(long, value_name = "D", value_parser = length, allow_hyphen_values = true)]
    clearance: Option<Length>,
    /// Overlaps in which nothing wider than D was found, and gaps of at most D, are of kind touch [default: a millionth
    /// of the largest coordinate, that of the --baseline if there is one, 0 with --json and for the built-in gearbox].
    #[arg(long, value_name = "D", value_parser = length, allow_hyphen_values = true)]
    touch: Option<Length>,
    /// Leave out overlaps that are certainly less deep than D.
    #[arg(long, value_name = "D", value_parser = length, allow_hyphen_values = true)]
    min_depth: Option<Length>,
    /// Report these kinds alone.
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = one_of(ClashKind::ALL, |kind| kind.name()))]
    kinds: Vec<ClashKind>,
    /// Check parts of this set or pattern against those of --b alone, or against all others; may be given again.
    #[arg(long, value_name = "PATTERN")]
    a: Vec<String>,
    /// The parts against which those of --a are checked; may be given again.
    #[arg(long, value_name = "PATTERN", requires = "a")]
    b: Vec<String>,
    /// Names a set of parts, for --a, --b, the rules and --group sets; may be given again, also for the same name.
    #[arg(long, value_name = "NAME=PATTERN", value_parser = named_set)]
    set: Vec<(String, String)>,
    /// Rules for what to leave out, and clearances of groups of parts; may be given again.
    #[arg(long, value_name = "RULES.toml")]
    ignore: Vec<PathBuf>,
    /// Kinds that do not change the exit status; they are still reported.
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = one_of(ClashKind::ALL, |kind| kind.name()))]
    allow: Vec<ClashKind>,
    /// By what clashes are put into groups.
    #[arg(long, value_name = "BY", default_value = "part", value_parser = one_of(GroupBy::ALL, |by| by.name()))]
    group: GroupBy,
    /// With --group place: how far apart clashes of one group may be [default: a fiftieth of the diagonal of all].
    #[arg(long, value_name = "D", value_parser = length, allow_hyphen_values = true)]
    group_radius: Option<Length>,
    /// How many groups and clashes the table lists, the deepest first; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 30)]
    limit: usize,
    /// A file of what was decided about each clash: new, active, resolved, accepted or ignored, with assignee and
    /// comment. It is made if it is not there, read, and written again. Only new and active clashes are listed and
    /// count for the exit status.
    #[arg(long, value_name = "REVIEW.toml")]
    review: Option<PathBuf>,
    #[command(flatten)]
    topics: TopicArgs,
    /// An earlier JSON document: say of each clash whether it is new, changed or the same, and which are gone.
    #[arg(long, value_name = "OLD.json")]
    baseline: Option<PathBuf>,
    /// With --baseline: only new and changed clashes are listed and count for the exit status. JSON and HTML hold all.
    #[arg(long, requires = "baseline")]
    new_only: bool,
    /// Also write the JSON document to this file; it may be the --baseline of a later check.
    #[arg(short, long, value_name = "F.json")]
    out: Option<PathBuf>,
    /// Also write a report as one HTML file that works offline: a table that sorts and filters, and a 3-D view of each
    /// clash.
    #[arg(long, value_name = "F.html")]
    html: Option<PathBuf>,
    /// Also write the clashes as a table, a row each; xlsx with sheets of the groups and the settings.
    #[arg(long, value_name = "F.csv|F.xlsx", value_parser = sheet::file_name)]
    table: Option<PathBuf>,
    /// What depth is: of the deepest region that both parts fill, or exactly the shortest way that separates the parts
    /// as wholes, which takes longer.
    #[arg(long, value_name = "MEASURE", default_value = "regions",
          value_parser = one_of(DepthMeasure::ALL, |measure| measure.name()))]
    depth: DepthMeasure,
    /// Leave out date and duration of the check, so that equal checks give equal documents, pages and tables.
    #[arg(long)]
    no_times: bool,
    /// Read folders with all folders below.
    #[arg(short, long)]
    recursive: bool,
    /// End at the first file that cannot be read, instead of checking the others.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    common: ModelArgs,
}

const HELP: &str = include_str!("clash/help.txt");

fn length(text: &str) -> Result<Length> {
    Ok(text.parse()?)
}

fn named_set(text: &str) -> Result<(String, String)> {
    let (name, pattern) = text.split_once('=').context("write NAME=PATTERN, as in pipes='Pipe*'")?;
    ensure!(!name.is_empty(), "a set needs a name before the '='");
    Ok((name.to_owned(), pattern.to_owned()))
}

pub fn run(args: &Args) -> Result<Verdict> {
    args.common.threads.apply(0)?;
    let subject = || match args.scenes.is_empty() {
        true => Subject::built_in(),
        false => Subject::read(&args.scenes, args.reading(), &args.common),
    };
    check(args, subject, None, |subject, document, log| {
        let limit = if args.limit == 0 { usize::MAX } else { args.limit };
        let listing = Listing { built_in: args.scenes.is_empty(), new_only: args.new_only, limit };
        report::give_painted(args.common.json, document, table::COLOURS, || {
            table::text(&subject.title, &subject.notes, document, log, listing)
        })?;
        for complaint in subject.complaints() {
            report::complain(&complaint.to_string());
        }
        Ok(())
    })
}

/// The JSON document of a check, of the parts if they are given.
pub fn document(args: &Args, parts: Option<Vec<(String, Body, Pose)>>, watch: Watch<'_>) -> Result<String> {
    let subject = || match parts {
        Some(parts) => Ok(Subject::given(parts)),
        None => Subject::read(&args.scenes, args.reading(), &args.common),
    };
    let mut found = String::new();
    check(args, subject, Some(watch), |_, document, _| {
        found = report::json(document)?;
        Ok(())
    })?;
    Ok(found)
}

/// Checks a subject, writes the files that the options name, and tells what was found.
fn check(
    args: &Args,
    subject: impl FnOnce() -> Result<Subject>,
    watch: Option<Watch<'_>>,
    tell: impl FnOnce(&Subject, &Document<'_>, Option<&ReviewLog>) -> Result<()>,
) -> Result<Verdict> {
    // Read before the work, so that a damaged file is known at once, and before --out may take its place.
    let baseline = args.baseline.as_deref().map(read_baseline).transpose()?;
    let mut log = args.review.as_deref().map(read_reviews).transpose()?;
    let bcf = args.topics.read(args.group != GroupBy::None)?;
    let rules = args.rules()?;
    let mut subject = subject()?;
    let wanted = Wanted::of(args, &rules, baseline.as_ref(), &mut subject)?;
    let start = Instant::now();
    let report = find(&subject.assembly, &wanted.options, watch)?;
    subject.notes.extend(band_note(&wanted.options, &report));
    let seconds = (!args.no_times).then(|| start.elapsed().as_secs_f64());
    let mut document = Document::new(&subject.assembly.parts, &subject.details, &report, seconds);
    document.touch = Some(wanted.options.touch()).filter(|band| *band > 0.0);
    document.origin = origin(args, &subject, wanted.clearance);
    if let Some(baseline) = baseline {
        baseline.compare(&mut document);
    }
    log = bcf.as_ref().map(|bcf| bcf.reviews(&document)).or(log);
    if let Some(log) = &mut log {
        log.merge(&mut document, &|a, b| wanted.options.is_wanted(a, b));
    }
    // After that, so that nothing is taken for gone that is left out.
    let left_out = leave_out(args, wanted.min_depth, &mut document);
    document.group(&wanted.grouping(args), &wanted.options);
    subject.notes.extend(left_out.into_iter().chain(args.topics.note(&subject)));
    write_out(args, &subject, &document, log.as_ref(), bcf)?;
    tell(&subject, &document, log.as_ref())?;
    let counts = |clash: &ClashInfo<'_>| {
        let is_fine = args.allow.contains(&clash.kind) || (args.new_only && clash.is_known());
        !is_fine && clash.is_open()
    };
    Ok(match document.clashes.iter().any(counts) {
        _ if !subject.failed.is_empty() || !subject.lost.is_empty() => Verdict::Failed,
        true => Verdict::Found,
        false => Verdict::Clean,
    })
}

/// Writes the files that the options name.
fn write_out(
    args: &Args,
    subject: &Subject,
    document: &Document<'_>,
    log: Option<&ReviewLog>,
    bcf: Option<Bcf>,
) -> Result<()> {
    if let Some(path) = &args.out {
        report::write_whole(path, report::json(document)?)?;
    }
    if let Some(path) = &args.html {
        let baseline = args.baseline.as_deref().map(shown);
        let progress = Progress::new("views", Some(document.clashes.len() as u64));
        let (parts, done) = (&subject.assembly.parts, || progress.advance(1));
        report::write_whole(
            path,
            page(["Clash report", &subject.title], baseline.as_deref(), parts, document, log, &done)?,
        )?;
    }
    if let (Some(path), Some(log)) = (&args.review, log) {
        report::write_whole(path, log.text()?)?;
    }
    args.topics.write(bcf, log, subject, document)?;
    if let Some(path) = &args.table {
        sheet::write(path, document)?;
    }
    Ok(())
}

fn origin(args: &Args, subject: &Subject, clearance: f64) -> Origin {
    let now = || humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    Origin {
        date: (!args.no_times).then(now),
        unit: subject.unit.map(Unit::name),
        clearance,
        rules: args.ignore.iter().map(|path| shown(path)).collect(),
        files: subject.files.clone(),
        failed: subject.failed.clone(),
        lost: subject.lost.clone(),
    }
}

fn find(assembly: &Assembly, options: &ClashOptions, watch: Option<Watch<'_>>) -> Result<ClashReport> {
    let progress: OnceLock<Progress> = OnceLock::new();
    let tell = |done: usize, total: usize| {
        let bar = progress.get_or_init(|| Progress::new("triangles of pairs", Some(total as u64)));
        bar.reach(done as u64);
        if let Some(watch) = watch {
            watch.done.fetch_max(done, Ordering::Relaxed);
        }
    };
    let batch = watch.map_or_else(Batch::default, |watch| Batch::default().cancelled_by(watch.cancelled));
    Ok(find_clashes_under(assembly, options, &batch, &tell)?)
}

/// Larger rules files are refused.
const MAX_RULES: u64 = 64 << 20;

impl Args {
    fn reading(&self) -> Reading {
        Reading { is_recursive: self.recursive, is_strict: self.strict }
    }

    /// The rules of each file, which may name the sets of the command line; and these sets alone.
    fn rules(&self) -> Result<Vec<(String, Rules)>> {
        let alone = Rules::parse_with("", &self.set).context("--set")?;
        let read = |path: &PathBuf| -> Result<(String, Rules)> {
            let text = load::text(path, "TOML", MAX_RULES)?;
            let rules = Rules::parse_with(&text, &self.set).with_context(|| path.display().to_string())?;
            Ok((shown(path), rules))
        };
        let files = self.ignore.iter().map(read);
        std::iter::once(Ok(("--set".to_owned(), alone))).chain(files).collect()
    }
}

/// What is looked for in a subject.
struct Wanted {
    options: ClashOptions,
    clearance: f64,
    min_depth: f64,
    radius: Option<f64>,
    sets: Vec<(String, PartSet)>,
    /// The names of the rules for clearances.
    clearances: Vec<String>,
}

impl Wanted {
    fn of(
        args: &Args,
        rules: &[(String, Rules)],
        baseline: Option<&Baseline>,
        subject: &mut Subject,
    ) -> Result<Self> {
        let unit = subject.unit;
        let given = |length: Option<Length>, option: &str| -> Result<Option<f64>> {
            length.map(|length| length.in_unit(unit)).transpose().with_context(|| option.to_owned())
        };
        let built_in = args.scenes.is_empty();
        let usual = if built_in { gearbox::CLEARANCE } else { 0.0 };
        let clearance = given(args.clearance, "--clearance")?.unwrap_or(usual);
        let mut options = ClashOptions::new(clearance)?;
        options.depth = args.depth;
        let touch = given(args.touch, "--touch")?;
        options.set_touch(touch.unwrap_or_else(|| default_band(args, baseline, &subject.assembly)))?;
        let parts = subject.named();
        let mut sets: Vec<(String, PartSet)> = Vec::new();
        for (name, set) in rules.iter().flat_map(|(_, rules)| rules.sets(&parts)) {
            if sets.iter().all(|(known, _)| *known != name) {
                sets.push((name, set));
            }
        }
        select(args, &sets, &parts, &mut options)?;
        let (mut notes, mut clearances) = (Vec::new(), Vec::new());
        for (file, rules) in rules {
            let applied = rules.apply(&parts, unit, &mut options).with_context(|| file.clone())?;
            notes.extend(applied.notes.into_iter().map(|note| format!("{file}: {note}")));
            clearances.extend(applied.clearances);
        }
        subject.notes.extend(notes);
        if built_in && args.ignore.is_empty() {
            gearbox::ignore_joints(&subject.assembly, &mut options);
        }
        Ok(Self {
            options,
            clearance,
            min_depth: given(args.min_depth, "--min-depth")?.unwrap_or(0.0),
            radius: given(args.group_radius, "--group-radius")?,
            sets,
            clearances,
        })
    }

    fn grouping(&self, args: &Args) -> Grouping<'_> {
        Grouping { by: args.group, radius: self.radius, sets: &self.sets, rules: &self.clearances }
    }
}

/// Restricts a check to what `--a` and `--b` name. What matches nothing is refused: the check would find nothing.
fn select(
    args: &Args,
    known: &[(String, PartSet)],
    parts: &[Named<'_>],
    options: &mut ClashOptions,
) -> Result<()> {
    let all = || parts.iter().map(|_| true).collect::<PartSet>();
    let sets = |texts: &[String], option: &str| -> Result<Vec<PartSet>> {
        let set = |text: &String| {
            let set = match known.iter().find(|(name, _)| name == text) {
                Some((_, set)) => set.clone(),
                None => Rules::matching(text, parts).with_context(|| format!("{option} '{text}'"))?,
            };
            ensure!(
                !set.is_empty(),
                "{option} '{text}' matches no part; names with brackets are matched as '\"x[1]\"*', see --help"
            );
            Ok(set)
        };
        texts.iter().map(set).collect()
    };
    let (a, b) = (sets(&args.a, "--a")?, sets(&args.b, "--b")?);
    let b = if b.is_empty() { vec![all()] } else { b };
    for one in &a {
        for other in &b {
            options.only(one.clone(), other.clone());
        }
    }
    Ok(())
}

/// Drops what `--kinds` and `--min-depth` leave out, and says how much that is.
fn leave_out(args: &Args, min_depth: f64, document: &mut Document<'_>) -> Option<String> {
    let before = document.clashes.len();
    let is_deep = |depth: Option<f64>| depth.is_none_or(|depth| depth >= min_depth);
    let is_wanted = |kind| args.kinds.is_empty() || args.kinds.contains(&kind);
    document.clashes.retain(|clash| is_deep(clash.depth) && is_wanted(clash.kind));
    if let Some(gone) = &mut document.gone {
        gone.retain(|gone| is_deep(gone.depth) && is_wanted(gone.kind));
    }
    let left = before - document.clashes.len();
    let clashes = if left == 1 { "1 clash is".to_owned() } else { format!("{left} clashes are") };
    (left > 0).then(|| format!("{clashes} left out by --kinds or --min-depth"))
}

/// What the band of what counts as touching has done.
fn band_note(options: &ClashOptions, report: &ClashReport) -> Option<String> {
    let band = options.touch();
    let changed = |clash: &&Clash| clash.verdict_without_band.is_some_and(|exact| exact != clash.kind.name());
    let changed = report.clashes.iter().filter(changed).count();
    (band > 0.0).then(|| {
        format!(
            "overlaps and gaps of at most {} count as touch: {changed} of these are no touch exactly; --touch 0 gives \
             exact kinds",
            report::short(band)
        )
    })
}

/// The default band of what counts as touching, relative to the largest coordinate: sixteen times what single
/// precision rounds off.
const BAND: f64 = 1e-6;

/// What counts as touching if nothing is said.
fn default_band(args: &Args, baseline: Option<&Baseline>, assembly: &Assembly) -> f64 {
    if let Some(baseline) = baseline {
        return baseline.touch();
    }
    if args.common.json || args.scenes.is_empty() {
        return 0.0;
    }
    let reach = assembly.parts.iter().map(|part| part.body.bounds(&part.pose).reach());
    // Two digits are enough to say it.
    let band = BAND * reach.filter(|reach| reach.is_finite()).fold(0.0, f64::max);
    format!("{band:.1e}").parse().unwrap_or(band)
}

/// Larger documents are refused: they are none of this command.
const MAX_BASELINE: u64 = 1 << 30;

fn read_baseline(path: &Path) -> Result<Baseline> {
    let text = load::text(path, "JSON", MAX_BASELINE)?;
    Baseline::parse(&text).with_context(|| {
        format!("{}: is no document of sudar clash; name a file that --out wrote", path.display())
    })
}

/// The reviews in a file; none if there is no such file yet.
fn read_reviews(path: &Path) -> Result<ReviewLog> {
    if !path.exists() {
        return Ok(ReviewLog::default());
    }
    let text = load::text(path, "TOML", MAX_BASELINE)?;
    ReviewLog::parse(&text).with_context(|| path.display().to_string())
}
