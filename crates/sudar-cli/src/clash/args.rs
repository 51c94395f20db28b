//! The options of `sudar clash`, and what they mean.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use sudar_clash::{
    Baseline, Bcf, Check, Checked, ClashKind, DepthMeasure, GroupBy, Length, ReviewLog, Rules, Subject,
    TouchBand, gearbox,
};

use super::subject::{Reading, shown};
use super::topics::TopicArgs;
use super::{decisions, project, sheet};
use crate::common::{ModelArgs, one_of};
use crate::help;
use crate::load;

/// Finds the parts of an assembly that are in each other's way.
///
/// Every pair of parts is decided exactly. Without SCENE a built-in planetary gearbox with known faults is checked.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// Files with parts; folders, of which every model file is read in the order of names; scene files (.toml) that say
    /// where each model stands; stores that `sudar pack` wrote.
    #[arg(value_name = "SCENE")]
    pub(super) scenes: Vec<PathBuf>,
    /// Also report parts that are apart by at most D, a number in the unit of the results or one with a unit, as 5mm
    /// [default: 0, only contacts; 0.05 mm for the built-in gearbox].
    #[arg(long, value_name = "D", value_parser = length, allow_hyphen_values = true)]
    pub(super) clearance: Option<Length>,
    /// Overlaps in which nothing wider than D was found, and gaps of at most D, are of kind touch [default: a millionth
    /// of the diagonal of the largest part and at most 1 mm, that of the --baseline if there is one, 0 with --json and
    /// for the built-in gearbox].
    #[arg(long, value_name = "D", value_parser = length, allow_hyphen_values = true)]
    pub(super) touch: Option<Length>,
    /// Leave out overlaps that are certainly less deep than D.
    #[arg(long, value_name = "D", value_parser = length, allow_hyphen_values = true)]
    pub(super) min_depth: Option<Length>,
    /// Report these kinds alone.
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = one_of(ClashKind::ALL, |kind| kind.name()))]
    pub(super) kinds: Vec<ClashKind>,
    /// Check parts of this set or pattern against those of --b alone, or against all others; may be given again.
    #[arg(long, value_name = "PATTERN")]
    pub(super) a: Vec<String>,
    /// The parts against which those of --a are checked; may be given again.
    #[arg(long, value_name = "PATTERN", requires = "a")]
    pub(super) b: Vec<String>,
    /// Names a set of parts, for --a, --b, the rules and --group sets; may be given again, also for the same name.
    #[arg(long, value_name = "NAME=PATTERN", value_parser = named_set)]
    pub(super) set: Vec<(String, String)>,
    /// Rules for what to leave out, and clearances of groups of parts; may be given again.
    #[arg(long, value_name = "RULES.toml")]
    pub(super) ignore: Vec<PathBuf>,
    /// Kinds that do not change the exit status; they are still reported.
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = one_of(ClashKind::ALL, |kind| kind.name()))]
    pub(super) allow: Vec<ClashKind>,
    /// By what clashes are put into groups.
    #[arg(long, value_name = "BY", default_value = "part", value_parser = one_of(GroupBy::ALL, |by| by.name()))]
    pub(super) group: GroupBy,
    /// With --group place: how far apart clashes of one group may be [default: a fiftieth of the diagonal of all].
    #[arg(long, value_name = "D", value_parser = length, allow_hyphen_values = true)]
    pub(super) group_radius: Option<Length>,
    /// How many groups and clashes the table lists, the deepest first; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub(super) limit: usize,
    /// A file of what was decided about each clash: new, active, resolved, accepted or ignored, with assignee and
    /// comment. It is made if it is not there, read, and written again. Only new and active clashes are listed and
    /// count for the exit status.
    #[arg(long, value_name = "REVIEW.toml")]
    pub(super) review: Option<PathBuf>,
    #[command(flatten)]
    pub(super) topics: TopicArgs,
    /// An earlier JSON document: say of each clash whether it is new, changed, deeper, shallower or the same, and which
    /// are gone.
    #[arg(long, value_name = "OLD.json")]
    pub(super) baseline: Option<PathBuf>,
    /// With --baseline: only new, changed and deeper clashes are listed and count for the exit status. JSON and
    /// HTML hold all.
    #[arg(long, requires = "baseline")]
    pub(super) new_only: bool,
    /// Also write the JSON document to this file; it may be the --baseline of a later check.
    #[arg(short, long, value_name = "F.json")]
    pub(super) out: Option<PathBuf>,
    /// Also write a report as one HTML file that works offline: a table that sorts and filters, and a 3-D view of each
    /// clash.
    #[arg(long, value_name = "F.html")]
    pub(super) html: Option<PathBuf>,
    /// Also write the clashes as a table, a row each; xlsx with sheets of the groups and the settings.
    #[arg(long, value_name = "F.csv|F.xlsx", value_parser = sheet::file_name)]
    pub(super) table: Option<PathBuf>,
    /// A clash that was accepted or ignored is open again, and one of the --baseline is deeper, if it has grown by more
    /// than this share, and by more than the band of --touch [default: 10%].
    #[arg(long, value_name = "P%", value_parser = share, allow_hyphen_values = true)]
    pub(super) reopen_growth: Option<f64>,
    /// What depth is: of the deepest region that both parts fill, or exactly the shortest way that separates the parts
    /// as wholes, which takes longer.
    #[arg(long, value_name = "MEASURE", default_value = "regions",
          value_parser = one_of(DepthMeasure::ALL, |measure| measure.name()))]
    pub(super) depth: DepthMeasure,
    /// Leave out date and duration of the check, so that equal checks give equal documents, pages and tables.
    #[arg(long)]
    pub(super) no_times: bool,
    /// Keep what was found of each pair in this folder, which is made if it is not there: pairs that are as they were
    /// at the last check are not examined again, and the results are the same. It holds what the last check used.
    #[arg(long, value_name = "DIR")]
    pub(super) cache: Option<PathBuf>,
    /// Read folders with all folders below.
    #[arg(short, long)]
    pub(super) recursive: bool,
    /// End at the first file that cannot be read, instead of checking the others.
    #[arg(long)]
    pub(super) strict: bool,
    /// Serve the page of --html on this machine alone, and check again whenever a file of the check changes, until
    /// Ctrl-C; on a free port, or on PORT.
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true, default_missing_value = "0",
          requires = "scenes", conflicts_with = "json")]
    pub(super) watch: Option<u16>,
    /// Write a building with planted faults, as IFC and STEP, and what is true of each pair: a benchmark for any tool.
    #[arg(long, value_name = "FOLDER", exclusive = true)]
    pub(super) write_benchmark: Option<PathBuf>,
    #[cfg(feature = "arrow")]
    #[command(flatten)]
    pub(super) chunks: super::chunks::ChunkArgs,
    #[command(flatten)]
    pub(super) common: ModelArgs,
}

const HELP: &str = include_str!("help.txt");

fn length(text: &str) -> Result<Length> {
    Ok(text.parse()?)
}

/// A share, as 10% or 0.1.
fn share(text: &str) -> Result<f64> {
    let (number, parts) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    let share = number.trim().parse::<f64>().ok().filter(|share| share.is_finite() && *share >= 0.0);
    Ok(share.context("write a share of 0 or more, as 10% or 0.1")? / parts)
}

fn named_set(text: &str) -> Result<(String, String)> {
    let (name, pattern) = text.split_once('=').context("write NAME=PATTERN, as in pipes='Pipe*'")?;
    ensure!(!name.is_empty(), "a set needs a name before the '='");
    Ok((name.to_owned(), pattern.to_owned()))
}

/// What people decided.
pub(super) enum Decisions {
    Reviews(ReviewLog),
    Topics(Bcf),
}

/// Larger rules files are refused.
const MAX_RULES: u64 = 64 << 20;

impl Args {
    pub(super) fn reading(&self) -> Reading {
        // A file that is being written is no reason to show all its clashes as gone.
        Reading { is_recursive: self.recursive, is_strict: self.strict || self.watch.is_some() }
    }

    /// The files that a check reads and writes again.
    pub(super) fn own(&self) -> impl Iterator<Item = &Path> {
        self.review.as_deref().into_iter().chain(self.topics.path())
    }

    /// The file of what people decide, and what it is.
    pub(super) fn decided(&self) -> Result<Option<(&Path, &'static str)>> {
        self.topics.check(self.group != GroupBy::None)?;
        let topics = self.topics.path().map(|path| (path, "BCF"));
        Ok(topics.or(self.review.as_deref().map(|path| (path, "TOML"))))
    }

    /// What that file holds.
    pub(super) fn decisions(&self, path: &Path, bytes: Option<&[u8]>) -> Result<Decisions> {
        if self.topics.path().is_some() {
            return Ok(Decisions::Topics(self.topics.parse(path, bytes)?));
        }
        let text = decisions::text(path, bytes.unwrap_or_default())?;
        Ok(Decisions::Reviews(ReviewLog::parse(text).with_context(|| path.display().to_string())?))
    }

    /// What that file is to hold after the check, and the check with what it held.
    pub(super) fn decided_anew<'s>(
        &self,
        path: &Path,
        bytes: Option<&[u8]>,
        subject: &Subject,
        settle: &dyn Fn(Option<ReviewLog>, Option<&Bcf>) -> Checked<'s>,
    ) -> Result<(Vec<u8>, Checked<'s>)> {
        match self.decisions(path, bytes)? {
            Decisions::Reviews(log) => {
                let checked = settle(Some(log), None);
                let text = checked.log.as_ref().map(ReviewLog::text).transpose()?;
                Ok((text.unwrap_or_default().into_bytes(), checked))
            }
            Decisions::Topics(bcf) => {
                let checked = settle(None, Some(&bcf));
                let project = self.scenes.iter().find_map(|path| project::of_file(path));
                let bytes = self.topics.updated(bcf, &checked, subject, &self.kinds, project);
                Ok((bytes.with_context(|| path.display().to_string())?, checked))
            }
        }
    }

    /// What is looked for.
    pub(super) fn check(&self) -> Result<Check> {
        let built_in = self.scenes.is_empty();
        let usual = if built_in { Some(Length::new(gearbox::CLEARANCE)?) } else { None };
        let touch = match self.touch {
            Some(length) => TouchBand::Given(length),
            None if self.baseline.is_none() && (self.common.json || built_in) => TouchBand::Exact,
            None => TouchBand::Usual,
        };
        Ok(Check {
            clearance: self.clearance.or(usual),
            touch,
            min_depth: self.min_depth,
            kinds: self.kinds.clone(),
            a: self.a.clone(),
            b: self.b.clone(),
            sets: Rules::parse_with("", &self.set).context("--set")?,
            rules: self.ignore.iter().map(|path| rules(path, &self.set)).collect::<Result<_>>()?,
            group: self.group,
            group_radius: self.group_radius,
            depth: self.depth,
            reopen_growth: self.reopen_growth,
            is_timed: !self.no_times,
        })
    }
}

/// The rules of a file, which may name the sets of the command line, and the name of the file.
pub fn rules(path: &Path, sets: &[(String, String)]) -> Result<(String, Rules)> {
    let text = load::text(path, "TOML", MAX_RULES)?;
    let rules = Rules::parse_with(&text, sets).with_context(|| path.display().to_string())?;
    Ok((shown(path), rules))
}

/// Larger documents are refused: they are none of this command.
const MAX_BASELINE: u64 = 1 << 30;

/// An earlier document in a file.
pub fn read_baseline(path: &Path) -> Result<Baseline> {
    let text = load::text(path, "JSON", MAX_BASELINE)?;
    Baseline::parse(&text).with_context(|| {
        format!("{}: is no document of sudar clash; name a file that --out wrote", path.display())
    })
}
