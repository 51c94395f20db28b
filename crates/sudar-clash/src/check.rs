//! A whole clash check: what is asked, of which parts, and what becomes of the answer.
//!
//! [`Check`] is plain data. [`Check::plan`] turns it into options for the parts at hand, [`Plan::find`] examines the
//! pairs, which takes the time, and [`Found::settle`] compares what was found with earlier checks and reviews, which is
//! quick and may be repeated when these have changed meanwhile. [`Check::run`] is all of it.

use std::time::Instant;

use sudar::query::Batch;
use thiserror::Error;

use crate::baseline::Baseline;
use crate::bcf::Bcf;
use crate::cache::Cache;
use crate::clash::{find_clashes_cached, find_clashes_under};
use crate::document::{ClashInfo, Document, Origin};
use crate::groups::{GroupBy, Grouping};
use crate::growth::Growth;
use crate::job::{Answers, Job};
use crate::name_pattern::PatternError;
use crate::numbers::short;
use crate::options::{ClashError, ClashKind, ClashOptions, DepthMeasure, PartSet};
use crate::place::Places;
use crate::report::ClashReport;
use crate::review::ReviewLog;
use crate::rules::{Named, Rules, RulesError};
use crate::subject::Subject;
use crate::unit::{Length, LengthError, Unit};
use crate::zone::{self, Zone};

/// What is looked for in an assembly. The default reports every contact and overlap exactly.
///
/// ```
/// use sudar::{Aabb, DVec3, Mesh, Pose};
/// use sudar_clash::{Check, ClashKind, Earlier, Length, Part, Subject, body_of};
///
/// let cube = body_of(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }).into());
/// let part = |name: &str, x| {
///     let pose = Pose::from_translation(DVec3::new(x, 0.0, 0.0))?;
///     Ok::<_, sudar::PoseError>(Part { name: name.into(), body: cube.clone(), pose })
/// };
/// let subject = Subject::given(vec![part("a", 0.0)?, part("b", 0.75)?, part("c", 2.0)?]);
/// let check = Check { clearance: Some(Length::new(0.5)?), ..Check::default() };
/// let found = check.run(&subject, Earlier::default(), &Default::default(), &|_, _| {})?;
/// let kinds: Vec<_> = found.document.clashes.iter().map(|clash| clash.kind).collect();
/// assert_eq!(kinds, [ClashKind::Hard, ClashKind::Clearance]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Check {
    /// The clearance of pairs that no rule names; none counts as 0.
    pub clearance: Option<Length>,
    /// The band of what counts as touching.
    pub touch: TouchBand,
    /// Overlaps that are certainly less deep are left out.
    pub min_depth: Option<Length>,
    /// The kinds that are reported; empty, all are.
    pub kinds: Vec<ClashKind>,
    /// Names of sets or patterns: parts of these against parts of `b` alone are examined. Empty, all are.
    pub a: Vec<String>,
    /// The parts against which those of `a` are examined. Empty, all are meant.
    pub b: Vec<String>,
    /// Named sets beside those of the rules.
    pub sets: Rules,
    /// Rules with the names of their files.
    pub rules: Vec<(String, Rules)>,
    /// By what clashes are put into groups.
    pub group: GroupBy,
    /// With [`GroupBy::Place`]: how far apart clashes of one group may be.
    pub group_radius: Option<Length>,
    /// What depth is.
    pub depth: DepthMeasure,
    /// How much a clash may grow, as a share, before it is open again and deeper than in the baseline; without it a
    /// tenth.
    pub reopen_growth: Option<f64>,
    /// Whether the document says how long the examination took.
    pub is_timed: bool,
}

/// The band of what counts as touching; see [`ClashOptions::set_touch`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum TouchBand {
    /// None: kinds are exact.
    #[default]
    Exact,
    /// That of the baseline if there is one, otherwise a millionth of the diagonal of the box around the largest part,
    /// and at most a millimetre where the unit is known. Where the parts stand does not matter.
    Usual,
    /// This length.
    Given(Length),
}

/// Why a check was refused. The message is one line and begins with the option that is wrong.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// A length that does not fit the parts.
    #[error("{option}: {error}")]
    Length {
        /// Which.
        option: &'static str,
        /// What is wrong.
        error: LengthError,
    },
    /// `a` or `b` is no pattern.
    #[error("{option} '{text}': {error}")]
    Pattern {
        /// Which.
        option: &'static str,
        /// The pattern.
        text: String,
        /// What is wrong.
        error: PatternError,
    },
    /// `a` or `b` matches nothing: the check would find nothing.
    #[error("{option} '{text}' matches no part; names with brackets are matched as '\"x[1]\"*', see --help")]
    NoMatch {
        /// Which.
        option: &'static str,
        /// The pattern.
        text: String,
    },
    /// Rules that do not fit the parts.
    #[error("{file}: {error}")]
    Rules {
        /// The name of their file.
        file: String,
        /// What is wrong.
        error: RulesError,
    },
    /// What the search does not take.
    #[error(transparent)]
    Clash(#[from] ClashError),
}

/// What earlier checks left behind.
#[derive(Debug, Default)]
pub struct Earlier<'e> {
    /// An earlier document.
    pub baseline: Option<&'e Baseline>,
    /// What people decided.
    pub reviews: Option<ReviewLog>,
    /// What people decided in a file of topics, which takes the place of `reviews`.
    pub bcf: Option<&'e Bcf>,
}

impl Check {
    /// What the check comes to for these parts. The band is that of `baseline` if it is the usual one.
    ///
    /// # Errors
    /// [`CheckError`], one variant a cause.
    pub fn plan<'s>(
        &'s self,
        subject: &'s Subject,
        baseline: Option<&Baseline>,
    ) -> Result<Plan<'s>, CheckError> {
        let unit = subject.unit;
        let clearance = in_unit(self.clearance, unit, "clearance")?.unwrap_or(0.0);
        let mut options = ClashOptions::new(clearance)?;
        options.depth = self.depth;
        options.set_deviations(subject.details.iter().map(|details| details.deviation).collect())?;
        options.set_touch(self.band(subject, baseline)?)?;
        let parts = subject.named();
        let mut sets: Vec<(String, PartSet)> = Vec::new();
        for (name, set) in self.all_rules().flat_map(|(_, rules)| rules.sets(&parts)) {
            if sets.iter().all(|(known, _)| *known != name) {
                sets.push((name, set));
            }
        }
        self.select(&sets, &parts, &mut options)?;
        let (mut notes, mut clearances, mut places) = (Vec::new(), Vec::new(), Places::default());
        let mut zones = Vec::new();
        for (file, rules) in self.all_rules() {
            let refused = |error| CheckError::Rules { file: file.to_owned(), error };
            let applied = rules.apply(&parts, unit, &mut options).map_err(refused)?;
            rules.add_places(unit, &mut places).map_err(refused)?;
            notes.extend(applied.notes.into_iter().map(|note| format!("{file}: {note}")));
            clearances.extend(applied.clearances);
            zones.extend(applied.zones);
        }
        Ok(Plan {
            check: self,
            subject,
            options,
            clearance,
            min_depth: in_unit(self.min_depth, unit, "min-depth")?.unwrap_or(0.0),
            radius: in_unit(self.group_radius, unit, "group-radius")?,
            sets,
            clearances,
            places,
            zones,
            notes,
        })
    }

    /// The whole check, in the context of a batch as [`find_clashes_under`] has it.
    ///
    /// # Errors
    /// [`CheckError`], one variant a cause.
    pub fn run<'s>(
        &'s self,
        subject: &'s Subject,
        earlier: Earlier<'_>,
        batch: &Batch,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Checked<'s>, CheckError> {
        let plan = self.plan(subject, earlier.baseline)?;
        Ok(plan.find(batch, progress)?.settle(earlier))
    }

    fn all_rules(&self) -> impl Iterator<Item = (&str, &Rules)> {
        let files = self.rules.iter().map(|(file, rules)| (file.as_str(), rules));
        std::iter::once(("sets", &self.sets)).chain(files)
    }

    fn band(&self, subject: &Subject, baseline: Option<&Baseline>) -> Result<f64, CheckError> {
        match self.touch {
            TouchBand::Exact => Ok(0.0),
            TouchBand::Usual => Ok(baseline.map_or_else(|| usual_band(subject), Baseline::touch)),
            TouchBand::Given(length) => Ok(in_unit(Some(length), subject.unit, "touch")?.unwrap_or_default()),
        }
    }

    /// Restricts a check to what `a` and `b` name.
    fn select(
        &self,
        known: &[(String, PartSet)],
        parts: &[Named<'_>],
        options: &mut ClashOptions,
    ) -> Result<(), CheckError> {
        let sets = |texts: &[String], option| -> Result<Vec<PartSet>, CheckError> {
            texts.iter().map(|text| matching(text, option, known, parts)).collect()
        };
        let (a, b) = (sets(&self.a, "a")?, sets(&self.b, "b")?);
        let b = if b.is_empty() { vec![parts.iter().map(|_| true).collect()] } else { b };
        for one in &a {
            for other in &b {
                options.only(one.clone(), other.clone());
            }
        }
        Ok(())
    }
}

/// The parts of the set of that name, or else those that match the pattern.
fn matching(
    text: &str,
    option: &'static str,
    known: &[(String, PartSet)],
    parts: &[Named<'_>],
) -> Result<PartSet, CheckError> {
    let refused = |error| CheckError::Pattern { option, text: text.to_owned(), error };
    let set = match known.iter().find(|(name, _)| name == text) {
        Some((_, set)) => set.clone(),
        None => Rules::matching(text, parts).map_err(refused)?,
    };
    if set.is_empty() { Err(CheckError::NoMatch { option, text: text.to_owned() }) } else { Ok(set) }
}

fn in_unit(
    length: Option<Length>,
    unit: Option<Unit>,
    option: &'static str,
) -> Result<Option<f64>, CheckError> {
    length
        .map(|length| length.in_unit(unit))
        .transpose()
        .map_err(|error| CheckError::Length { option, error })
}

/// The usual band beside the diagonal of the largest part: sixteen times what single precision rounds off a coordinate
/// of that size, and far above what double precision does anywhere on earth.
const BAND: f64 = 1e-6;
/// In metres: no usual band is wider, where the unit is known.
const WIDEST: f64 = 1e-3;

/// What files round away of parts of this size, wherever they stand.
fn usual_band(subject: &Subject) -> f64 {
    let diagonals =
        subject.boxes().map(|bounds| bounds.extent().length()).filter(|length| length.is_finite());
    let widest = subject.unit.map_or(f64::INFINITY, |unit| WIDEST / unit.metres());
    let band = (BAND * diagonals.fold(0.0, f64::max)).min(widest);
    // Two digits are enough to say it.
    format!("{band:.1e}").parse().unwrap_or(band)
}

/// A check of parts that are known, before the work.
#[derive(Debug)]
pub struct Plan<'s> {
    /// What is looked for, by the numbers of parts; more may be added.
    pub options: ClashOptions,
    /// What was noticed: rules that match nothing.
    pub notes: Vec<String>,
    check: &'s Check,
    subject: &'s Subject,
    clearance: f64,
    min_depth: f64,
    radius: Option<f64>,
    sets: Vec<(String, PartSet)>,
    /// The names of the rules for clearances.
    clearances: Vec<String>,
    /// The levels and grids of the rules.
    places: Places,
    zones: Vec<Zone>,
}

impl<'s> Plan<'s> {
    /// Examines the pairs, in the context of a batch as [`find_clashes_under`] has it.
    ///
    /// # Errors
    /// Those of [`find_clashes_under`].
    pub fn find(
        self,
        batch: &Batch,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Found<'s>, ClashError> {
        let start = Instant::now();
        let report = find_clashes_under(&self.subject.assembly, &self.options, batch, progress)?;
        Ok(self.found(report, start))
    }

    /// What is in zones comes to what was found.
    fn found(self, mut report: ClashReport, start: Instant) -> Found<'s> {
        let in_zones = zone::add(&mut report, &self.subject.assembly, &self.zones, &self.options);
        let seconds = self.check.is_timed.then(|| start.elapsed().as_secs_f64());
        Found { plan: self, report, in_zones, seconds }
    }

    /// Levels and grids, those of the rules in place of those of the files if they have any.
    fn places(&self) -> &Places {
        if self.places.is_empty() { &self.subject.places } else { &self.places }
    }

    /// [`find`](Self::find) with what an earlier check found, as [`find_clashes_cached`] has it.
    ///
    /// # Errors
    /// Those of [`find_clashes_cached`].
    pub fn find_cached(
        self,
        cache: &mut Cache,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Found<'s>, ClashError> {
        let start = Instant::now();
        let report = find_clashes_cached(&self.subject.assembly, &self.options, cache, progress)?;
        Ok(self.found(report, start))
    }

    /// The work on the [outlines](Subject::outlines), cut into chunks; `scene` is a fingerprint of all triangles.
    ///
    /// A chunk has about `work` triangles in both parts of all its pairs, each of which counts for 256 more: see
    /// [`Job::WORK`].
    pub fn job(&self, scene: u128, work: usize) -> Job {
        Job::of(&self.subject.outlines, &self.options, scene, work)
    }

    /// Whether the rules have zones, which need the triangles of all parts.
    pub fn has_zones(&self) -> bool {
        !self.zones.is_empty()
    }

    /// What the answers of all chunks of the [`job`](Self::job) come to, in whatever order they are: what
    /// [`find`](Self::find) finds, to the bit, but for statistics and for zones, which need all triangles. Pairs of
    /// chunks without answers are [undecided](ClashReport::undecided).
    pub fn find_in_chunks(self, job: Job, answers: Vec<Answers>, start: Instant) -> Found<'s> {
        let report = job.report(answers, &self.options);
        self.found(report, start)
    }

    fn grouping(&self) -> Grouping<'_> {
        Grouping { by: self.check.group, radius: self.radius, sets: &self.sets, rules: &self.clearances }
    }

    /// Drops what is not wanted, and says how much that is.
    fn leave_out(&self, document: &mut Document<'_>) -> Option<String> {
        let before = document.clashes.len();
        let kinds = &self.check.kinds;
        let is_deep = |depth: Option<f64>| depth.is_none_or(|depth| depth >= self.min_depth);
        let is_wanted = |kind| kinds.is_empty() || kinds.contains(&kind);
        document.clashes.retain(|clash| is_deep(clash.depth) && is_wanted(clash.kind));
        if let Some(gone) = &mut document.gone {
            gone.retain(|gone| is_deep(gone.depth) && is_wanted(gone.kind));
        }
        let left = before - document.clashes.len();
        let clashes = if left == 1 { "1 clash is".to_owned() } else { format!("{left} clashes are") };
        (left > 0).then(|| format!("{clashes} left out by --kinds or --min-depth"))
    }
}

/// What the examination of all pairs found.
#[derive(Debug)]
pub struct Found<'s> {
    plan: Plan<'s>,
    report: ClashReport,
    /// Pairs of which one is in a zone of the other, and the number of the zone.
    in_zones: Vec<([usize; 2], usize)>,
    seconds: Option<f64>,
}

impl<'s> Found<'s> {
    /// Compares what was found with what earlier checks left behind, leaves out what is not wanted, and puts the rest
    /// into groups. Quick beside the examination.
    pub fn settle(&self, earlier: Earlier<'_>) -> Checked<'s> {
        let Plan { options, subject, .. } = &self.plan;
        let mut document = Document::of(subject.infos(), &subject.details, &self.report, self.seconds);
        document.touch = Some(options.touch()).filter(|band| *band > 0.0);
        document.origin = self.origin();
        let places = self.plan.places();
        for clash in &mut document.clashes {
            clash.severity = options.severity_between(clash.a, clash.b);
            clash.place = places.name(clash.point);
            let zone = self.in_zones.binary_search_by_key(&[clash.a, clash.b], |(pair, _)| *pair).ok();
            clash.zone = zone.map(|i| self.plan.zones[self.in_zones[i].1].name.clone());
        }
        let share = self.plan.check.reopen_growth.unwrap_or(Growth::SHARE);
        let growth = Growth { share, band: options.touch() };
        if let Some(baseline) = earlier.baseline {
            baseline.compare(&mut document, &growth);
        }
        let mut log = earlier.bcf.map(|bcf| bcf.reviews(&document)).or(earlier.reviews);
        if let Some(log) = &mut log {
            log.merge(&mut document, &growth, &|a, b| options.is_wanted(a, b));
        }
        // After that, so that nothing is taken for gone that is left out.
        let left_out = self.plan.leave_out(&mut document);
        document.group(&self.plan.grouping(), options);
        let notes = self.plan.notes.iter().cloned().chain(self.band_note()).chain(left_out);
        let notes = notes.chain(repeated_note(&document)).collect();
        Checked { document, log, notes }
    }

    fn origin(&self) -> Origin {
        let Plan { check, subject, clearance, .. } = &self.plan;
        Origin {
            date: None,
            unit: subject.unit.map(Unit::name),
            clearance: *clearance,
            rules: check.rules.iter().map(|(file, _)| file.clone()).collect(),
            files: subject.files.clone(),
            failed: subject.failed.clone(),
            lost: subject.lost.clone(),
        }
    }

    /// What the band of what counts as touching has done.
    fn band_note(&self) -> Option<String> {
        let band = self.plan.options.touch();
        let verdicts = || self.report.clashes.iter().map(|clash| (clash.kind, clash.verdict_without_band));
        let changed =
            verdicts().filter(|(kind, exact)| exact.is_some_and(|exact| exact != kind.name())).count();
        let open = verdicts().filter(|(_, exact)| exact.is_none()).count();
        let open = if open > 0 { format!(", {open} are within rounding") } else { String::new() };
        (band > 0.0).then(|| {
            format!(
                "overlaps and gaps of at most {} count as touch: {changed} of these are no touch exactly{open}; \
                 --touch 0 gives exact kinds",
                short(band),
            )
        })
    }
}

/// Which elements several files have, the first by name.
fn repeated_note(document: &Document<'_>) -> Option<String> {
    let first = document.repeated.first()?;
    let named = |&i: &usize| {
        let part = &document.parts[i];
        let file = part.file.and_then(|file| document.origin.files.get(file));
        format!("'{}' of {}", part.name, file.map_or("no file", String::as_str))
    };
    let names: Vec<String> = first.iter().map(named).collect();
    Some(format!(
        "{} with one GlobalId in several files, such as {}; leave one of them out",
        match document.repeated.len() {
            1 => "1 element".to_owned(),
            n => format!("{n} elements"),
        },
        names.join(" and ")
    ))
}

/// A check that is done.
#[derive(Debug)]
pub struct Checked<'s> {
    /// The report; whoever writes it gives its origin a date.
    pub document: Document<'s>,
    /// What people decided, brought up to date, if there were reviews.
    pub log: Option<ReviewLog>,
    /// What was noticed.
    pub notes: Vec<String>,
}

impl Checked<'_> {
    /// Whether somebody has something to do: a clash is open that is not of an allowed kind nor, with `new_only`, as
    /// the baseline has it.
    pub fn is_open(&self, allowed: &[ClashKind], new_only: bool) -> bool {
        let counts = |clash: &ClashInfo<'_>| {
            let is_fine = allowed.contains(&clash.kind) || (new_only && clash.is_known());
            !is_fine && clash.is_open()
        };
        self.document.clashes.iter().any(counts)
    }
}
