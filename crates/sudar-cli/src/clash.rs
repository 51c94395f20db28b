//! `sudar clash`: which parts of an assembly are in each other's way.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use rayon::prelude::*;
use serde::Serialize;
use sudar::scene::{Clash, ClashKind, ClashOptions, ClashReport, Part, Scene, body_of, find_clashes};
use sudar::{DVec3, Faults};
use sudar_formats::{Format, Model};

use crate::common::{Threads, UnitArgs, not_negative};
use crate::gearbox::{self, gearbox};
use crate::load;
use crate::progress::Progress;
use crate::report::{self, Verdict, short};
use crate::rules::Rules;

/// Finds the parts of an assembly that are in each other's way.
///
/// Every pair of parts is decided exactly. Without SCENE a built-in planetary gearbox with known faults is checked.
#[derive(Debug, clap::Args)]
#[command(after_long_help = HELP)]
pub struct Args {
    /// Files with parts, or folders, of which every model file is read in the order of names.
    #[arg(value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    /// Also report parts that are apart by at most D [default: 0, only contacts; 0.05 mm for the built-in gearbox].
    #[arg(long, value_name = "D", value_parser = not_negative, allow_hyphen_values = true)]
    clearance: Option<f64>,
    /// Rules for what to leave out, and clearances of groups.
    #[arg(long, value_name = "RULES.toml")]
    ignore: Option<PathBuf>,
    /// Kinds that do not change the exit status; they are still reported.
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    allow: Vec<Kind>,
    /// Also write the JSON document to this file.
    #[arg(long, value_name = "F.json")]
    out: Option<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    units: UnitArgs,
    #[command(flatten)]
    threads: Threads,
}

const HELP: &str = "\
A part is an OBJ `o` (or `g` where there is no `o`), an STL solid, a glTF node with a mesh, otherwise the file. Parts are
numbered from 0 in file order. A closed part is a solid and has an inside, any other is a surface.

Kinds, first that fits:
  duplicate   both are the same set of triangles, whatever their order, start corner or winding
  contained   two solids, one inside the other; flush contact is allowed
  hard        the interiors of two solids intersect; where a part is no solid: some pair of triangles crosses, each
              having points strictly on both sides of the other
  touch       the surfaces meet and it is none of the above
  clearance   apart, by at most the clearance

depth_is names the measure of depth. \"box\": the shortest way along a world axis that separates the bounding boxes of
the two parts; moving b so far along the normal certainly separates them, a shorter way may exist.

RULES.toml (patterns: * ? [ab] {x,y}; a and b may be swapped, and may be names of groups):
  [[ignore]]                        # leave out; without kind every kind
  a = \"bolt *\"
  b = \"nut *\"
  kind = [\"touch\"]
  [[group]]
  name = \"pipes\"
  parts = [\"Pipe*\"]
  [[pair]]                          # instead of --clearance between these parts
  a = \"pipes\"
  b = \"IfcBeam*\"
  clearance = 0.005

JSON: {\"parts\":[{\"name\",\"triangles\",\"closed\",\"faults\"}],
       \"clashes\":[{\"a\",\"b\",\"names\",\"kind\",\"distance\",\"depth\",\"depth_is\",\"point\",\"normal\",\"triangle_pairs\"}],
       \"candidates\":n,\"seconds\":t}
  a < b are part numbers; clashes are sorted by them and the same for any number of threads. distance is right to
  a few dozen ulp of the largest coordinate, 0 except for clearance. point is common to both, or in the middle between
  them. normal points from a to b. depth, depth_is, normal are null where there is none. triangle_pairs (\"pairs\" in
  the table) counts those that have a point in common. candidates are the pairs of parts that were examined; seconds
  the time for that, without reading files.

Exit status: 0 nothing found (or only kinds that --allow names), 1 clashes, 2 error.

Examples:
  sudar clash
  sudar clash engine.glb --clearance 0.001 --ignore joints.toml --allow touch
  sudar clash parts/ --units mm --json";

/// A kind of clash, as an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind(ClashKind);

impl ValueEnum for Kind {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: OnceLock<Vec<Kind>> = OnceLock::new();
        ALL.get_or_init(|| ClashKind::ALL.map(Kind).to_vec())
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.0.name()))
    }
}

#[derive(Debug, Serialize)]
struct Document<'a> {
    parts: Vec<PartInfo<'a>>,
    clashes: Vec<ClashInfo<'a>>,
    candidates: usize,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct PartInfo<'a> {
    name: &'a str,
    triangles: usize,
    closed: bool,
    faults: Faults,
}

#[derive(Debug, Serialize)]
struct ClashInfo<'a> {
    a: usize,
    b: usize,
    names: [&'a str; 2],
    kind: ClashKind,
    distance: f64,
    depth: Option<f64>,
    depth_is: Option<&'static str>,
    point: DVec3,
    normal: Option<DVec3>,
    triangle_pairs: usize,
}

/// What is checked: the parts with their faults, and what was noticed about them.
struct Subject {
    title: String,
    scene: Scene,
    faults: Vec<Faults>,
    notes: Vec<String>,
}

pub fn run(args: &Args) -> Result<Verdict> {
    args.threads.apply(0)?;
    let mut subject = if args.scenes.is_empty() { built_in()? } else { read(&args.scenes, &args.units)? };
    let options = options(args, &mut subject)?;
    let start = Instant::now();
    let report = find(&subject.scene, &options)?;
    let document = document(&subject, &report, start.elapsed().as_secs_f64());
    if args.json || args.out.is_some() {
        let json = report::json(&document)?;
        if let Some(path) = &args.out {
            report::write_whole(path, &json)?;
        }
        if args.json {
            report::print(&json)?;
        }
    }
    if !args.json {
        report::print(&text(&subject, &document, args.scenes.is_empty()))?;
    }
    let counts = |clash: &Clash| !args.allow.contains(&Kind(clash.kind));
    Ok(if report.clashes.iter().any(counts) { Verdict::Found } else { Verdict::Clean })
}

fn find(scene: &Scene, options: &ClashOptions) -> Result<ClashReport> {
    let progress: OnceLock<Progress> = OnceLock::new();
    let tell = |done: usize, total: usize| {
        let bar = progress.get_or_init(|| Progress::new("pairs of parts", Some(total as u64)));
        bar.advance(u64::from(done > 0));
    };
    Ok(find_clashes(scene, options, &tell)?)
}

fn built_in() -> Result<Subject> {
    let scene = gearbox()?;
    let faults = scene.parts.par_iter().map(faults_of).collect();
    Ok(Subject { title: "built-in planetary gearbox, in mm".to_owned(), scene, faults, notes: Vec::new() })
}

fn faults_of(part: &Part) -> Faults {
    part.body.mesh().map(|mesh| mesh.topology().faults).unwrap_or_default()
}

fn options(args: &Args, subject: &mut Subject) -> Result<ClashOptions> {
    let built_in = args.scenes.is_empty();
    let clearance = args.clearance.unwrap_or(if built_in { gearbox::CLEARANCE } else { 0.0 });
    let mut options = ClashOptions::new(clearance)?;
    let names: Vec<&str> = subject.scene.parts.iter().map(|part| part.name.as_str()).collect();
    if let Some(path) = &args.ignore {
        let file = || path.display().to_string();
        let rules = Rules::parse(&read_rules(path)?).with_context(file)?;
        let notes = rules.apply(&names, &mut options)?;
        subject.notes.extend(notes.into_iter().map(|note| format!("{}: {note}", path.display())));
    } else if built_in {
        Rules::parse(gearbox::RULES)?.apply(&names, &mut options)?;
    }
    Ok(options)
}

fn read_rules(path: &Path) -> Result<String> {
    const MAX_RULES: u64 = 64 << 20;
    let cannot = || format!("{}: cannot be read; check the name and the rights", path.display());
    let found = fs::metadata(path).with_context(cannot)?;
    ensure!(found.is_file(), "{}: is not a regular file; name a TOML file", path.display());
    ensure!(found.len() <= MAX_RULES, "{}: is larger than {MAX_RULES} bytes; split it", path.display());
    fs::read_to_string(path).with_context(cannot)
}

/// The parts of all files, one after another.
fn read(scenes: &[PathBuf], units: &UnitArgs) -> Result<Subject> {
    let mut files = Vec::new();
    for scene in scenes {
        if scene.is_dir() { files.extend(models_in(scene)?) } else { files.push(scene.clone()) }
    }
    let progress = Progress::new("files", Some(files.len() as u64));
    let models: Result<Vec<Model>> = files
        .par_iter()
        .map(|file| {
            let model = load::model(file, units);
            progress.advance(1);
            model
        })
        .collect();
    let title = scenes.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
    let mut subject = Subject { title, scene: Scene::default(), faults: Vec::new(), notes: Vec::new() };
    for (file, model) in files.iter().zip(models?) {
        subject.add(&model).with_context(|| file.display().to_string())?;
        subject.notes.extend(model.notes.iter().map(|note| format!("{}: {note}", file.display())));
    }
    Ok(subject)
}

/// The model files of a folder, in the order of names.
fn models_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let cannot = || format!("{}: cannot be read; check the rights", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        if path.is_file() && Format::from_path(&path).is_ok() {
            files.push(path);
        }
    }
    files.sort();
    ensure!(
        !files.is_empty(),
        "{}: holds no model file; name a folder with .obj, .stl, .ply, .off, .gltf or .glb files",
        folder.display()
    );
    Ok(files)
}

impl Subject {
    /// Adds the parts of a file; those that share a mesh there share body and tree here.
    fn add(&mut self, model: &Model) -> Result<()> {
        let bodies: Vec<_> =
            model.meshes.par_iter().map(|mesh| (body_of(Arc::clone(mesh)), mesh.topology().faults)).collect();
        for part in &model.parts {
            let (body, faults) = bodies.get(part.mesh).context("the file has a part without a mesh")?;
            self.scene.parts.push(Part { name: part.name.clone(), body: body.clone(), pose: part.pose });
            self.faults.push(*faults);
        }
        Ok(())
    }
}

fn document<'a>(subject: &'a Subject, report: &ClashReport, seconds: f64) -> Document<'a> {
    let parts = &subject.scene.parts;
    let part = |(part, faults): (&'a Part, &Faults)| PartInfo {
        name: &part.name,
        triangles: part.body.mesh().map_or(0, |mesh| mesh.triangles().len()),
        closed: part.body.solid().is_some(),
        faults: *faults,
    };
    let clash = |clash: &Clash| ClashInfo {
        a: clash.a,
        b: clash.b,
        names: [&parts[clash.a].name, &parts[clash.b].name],
        kind: clash.kind,
        distance: clash.distance.lower.midpoint(clash.distance.upper),
        depth: clash.depth,
        depth_is: clash.depth_is,
        point: clash.point,
        normal: clash.normal,
        triangle_pairs: clash.triangle_pairs,
    };
    Document {
        parts: parts.iter().zip(&subject.faults).map(part).collect(),
        clashes: report.clashes.iter().map(clash).collect(),
        candidates: report.candidates,
        seconds,
    }
}

fn text(subject: &Subject, document: &Document<'_>, built_in: bool) -> String {
    let mut text = format!("{}: {}\n", subject.title, summary(document));
    if !document.clashes.is_empty() {
        let last = if built_in { "planted fault" } else { "near" };
        let header = ["kind", "part", "part", "depth ≤", "gap", "pairs", last];
        text +=
            &report::table(&header, &[3, 4, 5], document.clashes.iter().map(|clash| row(clash, built_in)));
    }
    if built_in {
        text += "Your own: sudar clash FILE… or FOLDER, see sudar clash --help\n";
    }
    let open = document.parts.iter().filter(|part| !part.closed).count();
    if open > 0 {
        text += &format!("note: {} not closed and so without an inside\n", verb(open));
    }
    for note in &subject.notes {
        text += &format!("note: {note}\n");
    }
    text
}

fn verb(n: usize) -> String {
    format!("{} {}", report::count(n, "part"), if n == 1 { "is" } else { "are" })
}

fn summary(document: &Document<'_>) -> String {
    let Document { parts, clashes, candidates, seconds } = document;
    let kinds =
        ClashKind::ALL.map(|kind| (clashes.iter().filter(|clash| clash.kind == kind).count(), kind.name()));
    let kinds: Vec<String> =
        kinds.iter().filter(|(n, _)| *n > 0).map(|(n, name)| format!("{n} {name}")).collect();
    let triangles: usize = parts.iter().map(|part| part.triangles).sum();
    let found = match clashes.len() {
        0 => "no clashes".to_owned(),
        1 => format!("1 clash ({})", kinds.join(", ")),
        n => format!("{n} clashes ({})", kinds.join(", ")),
    };
    let size = format!("{}, {}", report::count(parts.len(), "part"), report::count(triangles, "triangle"));
    format!("{found}\n{size}; {} examined in {seconds:.3} s", report::count(*candidates, "pair"))
}

fn row(clash: &ClashInfo<'_>, built_in: bool) -> Vec<String> {
    let gap = if clash.kind == ClashKind::Clearance { short(clash.distance) } else { String::new() };
    let [a, b] = clash.names;
    let fault = gearbox::FAULTS.iter().find(|f| [f.a, f.b] == [a, b] && f.kind == clash.kind);
    let last = match fault {
        _ if !built_in => report::place(clash.point),
        Some(fault) => fault.cause.to_owned(),
        None => "no: an unexpected clash".to_owned(),
    };
    vec![
        clash.kind.name().to_owned(),
        a.to_owned(),
        b.to_owned(),
        clash.depth.map(short).unwrap_or_default(),
        gap,
        clash.triangle_pairs.to_string(),
        last,
    ]
}
