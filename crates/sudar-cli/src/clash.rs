//! `sudar clash`: which parts of an assembly are in each other's way.

mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use sudar::query::Body;
use sudar::{Mesh, Shape, Solid};
use sudar_clash::gearbox::{self, gearbox};
use sudar_clash::{
    Assembly, Baseline, Clash, ClashInfo, ClashKind, ClashOptions, ClashReport, DepthMeasure, Document, Part,
    PartDetails, Rules, find_clashes, page,
};

use crate::common::{ModelArgs, not_negative, one_of};
use crate::help;
use crate::load::{self, Welded};
use crate::progress::Progress;
use crate::report::{self, Verdict};
use table::Listing;

/// Finds the parts of an assembly that are in each other's way.
///
/// Every pair of parts is decided exactly. Without SCENE a built-in planetary gearbox with known faults is checked.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// Files with parts, or folders, of which every model file is read in the order of names.
    #[arg(value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    /// Also report parts that are apart by at most D, in the unit of the results [default: 0, only contacts; 0.05 mm
    /// for the built-in gearbox].
    #[arg(long, value_name = "D", value_parser = not_negative, allow_hyphen_values = true)]
    clearance: Option<f64>,
    /// Overlaps in which nothing wider than D fits, and gaps of at most D, are of kind touch [default: a millionth of
    /// the largest coordinate, that of the --baseline if there is one, 0 with --json and for the built-in gearbox].
    #[arg(long, value_name = "D", value_parser = not_negative, allow_hyphen_values = true)]
    touch: Option<f64>,
    /// Leave out overlaps that are certainly less deep than D.
    #[arg(long, value_name = "D", value_parser = not_negative, allow_hyphen_values = true)]
    min_depth: Option<f64>,
    /// Report these kinds alone.
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = one_of(ClashKind::ALL, |kind| kind.name()))]
    kinds: Vec<ClashKind>,
    /// Rules for what to leave out, and clearances of groups.
    #[arg(long, value_name = "RULES.toml")]
    ignore: Option<PathBuf>,
    /// Kinds that do not change the exit status; they are still reported.
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = one_of(ClashKind::ALL, |kind| kind.name()))]
    allow: Vec<ClashKind>,
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
    /// What depth is: of the deepest region that both parts fill, or exactly the shortest way that separates the parts
    /// as wholes, which takes longer.
    #[arg(long, value_name = "MEASURE", default_value = "regions",
          value_parser = one_of(DepthMeasure::ALL, |measure| measure.name()))]
    depth: DepthMeasure,
    /// Leave out how long the check took, so that equal checks give equal documents, pages and tables.
    #[arg(long)]
    no_times: bool,
    #[command(flatten)]
    common: ModelArgs,
}

const HELP: &str = include_str!("clash/help.txt");

/// What is checked: the parts with their faults, and what was noticed about them.
struct Subject {
    title: String,
    assembly: Assembly,
    /// What is known of each part beside its body.
    details: Vec<PartDetails>,
    notes: Vec<String>,
}

pub fn run(args: &Args) -> Result<Verdict> {
    args.common.threads.apply(0)?;
    // Read before the work, so that a damaged file is known at once, and before --out may take its place.
    let baseline = args.baseline.as_deref().map(read_baseline).transpose()?;
    let mut subject = if args.scenes.is_empty() { built_in()? } else { read(args)? };
    let options = options(args, baseline.as_ref(), &mut subject)?;
    let start = Instant::now();
    let mut report = find(&subject.assembly, &options)?;
    subject.notes.extend(leave_out(args, &mut report));
    subject.notes.extend(band_note(&options, &report));
    let seconds = (!args.no_times).then(|| start.elapsed().as_secs_f64());
    let mut document = Document::new(&subject.assembly.parts, &subject.details, &report, seconds);
    document.touch = Some(options.touch()).filter(|band| *band > 0.0);
    if let Some(baseline) = baseline {
        baseline.compare(&mut document);
    }
    give_out(args, &subject, &document)?;
    let counts = |clash: &ClashInfo<'_>| {
        let is_fine = args.allow.contains(&clash.kind) || (args.new_only && clash.is_known());
        !is_fine
    };
    Ok(if document.clashes.iter().any(counts) { Verdict::Found } else { Verdict::Clean })
}

/// Prints the document or the table, and writes the files that the options name.
fn give_out(args: &Args, subject: &Subject, document: &Document<'_>) -> Result<()> {
    if let Some(path) = &args.out {
        report::write_whole(path, &report::json(document)?)?;
    }
    if let Some(path) = &args.html {
        let baseline = args.baseline.as_deref().map(|path| path.display().to_string());
        let progress = Progress::new("views", Some(document.clashes.len() as u64));
        let (parts, done) = (&subject.assembly.parts, || progress.advance(1));
        report::write_whole(path, &page(&subject.title, baseline.as_deref(), parts, document, &done)?)?;
    }
    let listing = Listing { built_in: args.scenes.is_empty(), new_only: args.new_only };
    report::give(args.common.json, document, || {
        table::text(&subject.title, &subject.notes, document, listing)
    })
}

fn find(assembly: &Assembly, options: &ClashOptions) -> Result<ClashReport> {
    let progress: OnceLock<Progress> = OnceLock::new();
    let tell = |done: usize, total: usize| {
        let bar = progress.get_or_init(|| Progress::new("pairs of parts", Some(total as u64)));
        bar.advance(u64::from(done > 0));
    };
    Ok(find_clashes(assembly, options, &tell)?)
}

fn built_in() -> Result<Subject> {
    let assembly = gearbox()?;
    let faults = |part: &Part| part.body.mesh().map(|mesh| mesh.topology().faults).unwrap_or_default();
    let detail = |part: &Part| PartDetails { faults: faults(part), ..PartDetails::default() };
    let details = assembly.parts.par_iter().map(detail).collect();
    Ok(Subject {
        title: "built-in planetary gearbox, in mm".to_owned(),
        assembly,
        details,
        notes: Vec::new(),
    })
}

/// The body of a mesh, a solid if the mesh is closed, and what its adjacency says.
fn examined(mesh: &Arc<Mesh>) -> (Body, PartDetails) {
    let topology = mesh.topology();
    let (body, closes_at) = match Solid::with_topology(mesh.clone(), &topology) {
        Ok(solid) => (Body::new(solid), None),
        Err(open) => (Body::new(Shape::Mesh(mesh.clone())), open.closes_at),
    };
    (body, PartDetails { faults: topology.faults, closes_at, weld: None })
}

/// Said where there is nothing to compare.
const ONE_PART: &str = "there is one part alone, so that nothing can clash: name more files or a folder, or a format \
                        that keeps parts apart, which OBJ (with o or g), glTF, GLB and VRML do and PLY, OFF and \
                        binary STL do not";

/// Larger rules files are refused.
const MAX_RULES: u64 = 64 << 20;

/// Drops what `--kinds` and `--min-depth` leave out, and says how much that is.
fn leave_out(args: &Args, report: &mut ClashReport) -> Option<String> {
    let before = report.clashes.len();
    let is_deep =
        |clash: &Clash| clash.depth.is_none_or(|depth| depth.upper >= args.min_depth.unwrap_or(0.0));
    let is_wanted = |clash: &Clash| args.kinds.is_empty() || args.kinds.contains(&clash.kind);
    report.clashes.retain(|clash| is_deep(clash) && is_wanted(clash));
    let left = before - report.clashes.len();
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

fn options(args: &Args, baseline: Option<&Baseline>, subject: &mut Subject) -> Result<ClashOptions> {
    let built_in = args.scenes.is_empty();
    let clearance = args.clearance.unwrap_or(if built_in { gearbox::CLEARANCE } else { 0.0 });
    let mut options = ClashOptions::new(clearance)?;
    options.depth = args.depth;
    options.set_touch(args.touch.unwrap_or_else(|| default_band(args, baseline, &subject.assembly)))?;
    let names: Vec<&str> = subject.assembly.parts.iter().map(|part| part.name.as_str()).collect();
    if let Some(path) = &args.ignore {
        let file = || path.display().to_string();
        let rules = Rules::parse(&read_text(path, "TOML", MAX_RULES)?).with_context(file)?;
        let notes = rules.apply(&names, &mut options)?;
        subject.notes.extend(notes.into_iter().map(|note| format!("{}: {note}", path.display())));
    } else if built_in {
        gearbox::ignore_joints(&subject.assembly, &mut options);
    }
    Ok(options)
}

/// Larger documents are refused: they are none of this command.
const MAX_BASELINE: u64 = 1 << 30;

fn read_baseline(path: &Path) -> Result<Baseline> {
    let text = read_text(path, "JSON", MAX_BASELINE)?;
    Baseline::parse(&text).with_context(|| {
        format!("{}: is no document of sudar clash; name a file that --out wrote", path.display())
    })
}

/// The whole of a text file that is no model.
fn read_text(path: &Path, what: &str, max: u64) -> Result<String> {
    let cannot = || format!("{}: cannot be read; check the name and the rights", path.display());
    let found = fs::metadata(path).with_context(cannot)?;
    ensure!(found.is_file(), "{}: is not a regular file; name a {what} file", path.display());
    ensure!(found.len() <= max, "{}: is larger than {max} bytes; name a smaller one", path.display());
    fs::read_to_string(path).with_context(cannot)
}

/// The parts of all files, one after another.
fn read(args: &Args) -> Result<Subject> {
    let files = load::files(&args.scenes)?;
    let progress = Progress::new("files", Some(files.len() as u64));
    // Read to the end, so that of several bad files it is always the first that is named.
    let models: Vec<Result<Welded>> = files
        .par_iter()
        .map(|file| {
            let model = load::welded(file, &args.common.units, &args.common.weld);
            progress.advance(1);
            model
        })
        .collect();
    let title = args.scenes.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
    let mut subject =
        Subject { title, assembly: Assembly::default(), details: Vec::new(), notes: Vec::new() };
    for (file, model) in files.iter().zip(models) {
        let model = model?;
        subject.add(&model).with_context(|| file.display().to_string())?;
        let welded = load::summary(&model.reports).map(|weld| load::weld_text(&weld));
        let notes = model.notes.into_iter().chain(welded);
        subject.notes.extend(notes.map(|note| format!("{}: {note}", file.display())));
    }
    if subject.assembly.parts.len() == 1 {
        subject.notes.push(ONE_PART.to_owned());
    }
    Ok(subject)
}

impl Subject {
    /// Adds the parts of a file; those that share a mesh there share body and tree here.
    fn add(&mut self, Welded { model, reports, .. }: &Welded) -> Result<()> {
        if model.parts.is_empty() {
            // A cloud of points: the message says so.
            load::whole(model)?;
        }
        let bodies: Vec<_> = model.meshes.par_iter().map(examined).collect();
        for part in &model.parts {
            let (body, details) = bodies.get(part.mesh).context("the file has a part without a mesh")?;
            self.assembly.parts.push(Part { name: part.name.clone(), body: body.clone(), pose: part.pose });
            self.details.push(PartDetails { weld: reports.get(part.mesh).copied(), ..*details });
        }
        Ok(())
    }
}
