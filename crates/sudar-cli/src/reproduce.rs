//! `sudar reproduce`: tables and figures of the sources and of the classic papers, measured here.

pub(crate) mod axis;
mod bodies;
mod broad_objects;
mod broad_octree;
mod broad_scaling;
mod broad_speeds;
mod chung_wang_cases;
mod classic;
mod contact_rule;
mod container;
mod convex_motion;
mod convex_vertices;
mod curves;
pub(crate) mod figure;
mod iterations;
mod machine;
mod mass;
mod measure;
mod methods;
mod ruler;
mod sheet;
mod spring_mtv;
mod sweeps;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::Serialize;

pub use bodies::Random;

use crate::help;
use crate::report::{self, Verdict};

/// Measures the tables and figures of the classic papers anew, as CSV and SVG files.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// The experiment; all if none is named.
    #[arg(value_name = "NAME")]
    name: Option<Experiment>,
    /// Folder for the files; made if it is not there.
    #[arg(short, long, value_name = "DIR", default_value = "reproduced")]
    out: PathBuf,
    /// A small run of a few seconds, which its figures and tables say.
    #[arg(long)]
    quick: bool,
    /// All sizes, up to a million boxes and a second a frame, of the four experiments with broad phases;
    /// broad-scaling takes five to ten minutes.
    #[arg(long, conflicts_with = "quick")]
    full: bool,
    /// List the experiments and do nothing.
    #[arg(long, conflicts_with_all = ["name", "quick", "full"])]
    list: bool,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

const HELP: &str = "\
Experiments:
  convex-vertices   GJK, Nesterov-accelerated GJK, GJK by cases, GJK with memory (all after Gilbert, Johnson and Keerthi
                    1988), Chung–Wang and the separating vector (Q-COLLIDE), Lin–Canny (I-COLLIDE): iterations and time
                    against the number of vertices, at random poses and on a smooth motion
  convex-motion     the same against the step of the motion
  chung-wang-cases  the pairs on which Chung–Wang as published does not end (van den Bergen 1999), and with the switch
  iterations        histograms of iterations of GJK, EPA and Lin–Canny on boxes, hulls, cylinders, cones and ellipsoids
  mass              inertia tensors of the cube, the cone and a bomber by voxels and exactly, beside the numbers of
                    Maštera 2007, whose sums of 32 bits end at 14 735 instead of 41 667
  sweeps            moving bodies: what sampling (pseudo-dynamic detection) and bisection miss and cost beside continuous
                    detection; iterations of GJK for a ray; steps of the advancement against the clearance of grazing bodies
  systems           every classic system and the engine on the same models and poses: build, memory, tests, first hit, all
                    contacts, distance; with the real models of the folder SUDAR_DATA if that is set
  cd-patches        CD (Daneu 2002) with one to ten triangles a convex patch: two cars, a sphere in a sphere
  quickcd           QuickCD (Klosowski et al. 1998): split rules, k, re-fitting, front, triangles a leaf
  parallel-surfaces trees of spheres, boxes, k-DOPs and oriented boxes on two close parallel surfaces (Gottschalk et al. 1996)
  solid             SOLID (van den Bergen 1997): split rules, re-fitting against building anew
  sat-axes          which of the fifteen axes separate two oriented boxes how often
  swift             SWIFT++ (Ehmann and Lin 2001): where to split, directed search, caching
  contact-rule      energy and bite of fighters in a room by the contact rule of Maštera 2007 and by ours
  spring-mtv        springs against least translations by the length of the step (Dimitrijević 2019)
  broad-objects     brute force, octrees and sweep and prune on boxes that bounce in a container, against their number (Dimitrijević
                    2019), beside the automatic choice
  broad-octree      the same container: size of leaves, depth, and all boxes drawn to one point
  broad-speeds      the same container: sweep and prune at four speeds, and its feedback between swaps and time
  broad-scaling     every broad phase from 100 boxes to where a frame takes too long

All algorithms answer the same questions, and their answers are compared: two that cannot both be true are an error.
Everything but the times, and what is left out because it takes too long, is the same in every run. Times are the least of several repetitions of a median, on one
thread; leave the machine alone meanwhile.

A CSV file begins with comments (#) that say what was measured and on what; the columns name their units.

JSON: {\"machine\",\"quick\",\"experiments\":[{\"name\",\"files\":[…],\"queries\":n,\"undecided\":n,\"seconds\"}]}; undecided queries are
those that one of the algorithms left open.

Exit status: 0, or 2 if answers disagree or a file could not be written.

Example:
  sudar reproduce convex-motion --out figures";

/// What can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Experiment {
    ConvexVertices,
    ConvexMotion,
    ChungWangCases,
    Iterations,
    Mass,
    Sweeps,
    Systems,
    CdPatches,
    #[value(name = "quickcd")]
    QuickCd,
    ParallelSurfaces,
    Solid,
    SatAxes,
    Swift,
    ContactRule,
    SpringMtv,
    BroadObjects,
    BroadOctree,
    BroadSpeeds,
    BroadScaling,
}

impl Experiment {
    const fn name(self) -> &'static str {
        match self {
            Self::ConvexVertices => "convex-vertices",
            Self::ConvexMotion => "convex-motion",
            Self::ChungWangCases => "chung-wang-cases",
            Self::Iterations => "iterations",
            Self::Mass => "mass",
            Self::Sweeps => "sweeps",
            Self::Systems => "systems",
            Self::CdPatches => "cd-patches",
            Self::QuickCd => "quickcd",
            Self::ParallelSurfaces => "parallel-surfaces",
            Self::Solid => "solid",
            Self::SatAxes => "sat-axes",
            Self::Swift => "swift",
            Self::ContactRule => "contact-rule",
            Self::SpringMtv => "spring-mtv",
            Self::BroadObjects => "broad-objects",
            Self::BroadOctree => "broad-octree",
            Self::BroadSpeeds => "broad-speeds",
            Self::BroadScaling => "broad-scaling",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::ConvexVertices => convex_vertices::TITLE,
            Self::ConvexMotion => convex_motion::TITLE,
            Self::ChungWangCases => chung_wang_cases::TITLE,
            Self::Iterations => iterations::TITLE,
            Self::Mass => mass::TITLE,
            Self::Sweeps => sweeps::TITLE,
            Self::Systems => classic::systems::TITLE,
            Self::CdPatches => classic::patches::TITLE,
            Self::QuickCd => classic::quick_cd::TITLE,
            Self::ParallelSurfaces => classic::parallel::TITLE,
            Self::Solid => classic::solid::TITLE,
            Self::SatAxes => classic::sat::TITLE,
            Self::Swift => classic::swift::TITLE,
            Self::ContactRule => contact_rule::TITLE,
            Self::SpringMtv => spring_mtv::TITLE,
            Self::BroadObjects => broad_objects::TITLE,
            Self::BroadOctree => broad_octree::TITLE,
            Self::BroadSpeeds => broad_speeds::TITLE,
            Self::BroadScaling => broad_scaling::TITLE,
        }
    }

    fn run(self, plan: &Plan) -> Result<Output> {
        match self {
            Self::ConvexVertices => convex_vertices::run(plan),
            Self::ConvexMotion => convex_motion::run(plan),
            Self::ChungWangCases => chung_wang_cases::run(plan),
            Self::Iterations => iterations::run(plan),
            Self::Mass => mass::run(plan),
            Self::Sweeps => sweeps::run(plan),
            Self::Systems => classic::systems::run(plan),
            Self::CdPatches => classic::patches::run(plan),
            Self::QuickCd => classic::quick_cd::run(plan),
            Self::ParallelSurfaces => classic::parallel::run(plan),
            Self::Solid => classic::solid::run(plan),
            Self::SatAxes => classic::sat::run(plan),
            Self::Swift => classic::swift::run(plan),
            Self::ContactRule => contact_rule::run(plan),
            Self::SpringMtv => spring_mtv::run(plan),
            Self::BroadObjects => broad_objects::run(plan),
            Self::BroadOctree => broad_octree::run(plan),
            Self::BroadSpeeds => broad_speeds::run(plan),
            Self::BroadScaling => broad_scaling::run(plan),
        }
    }
}

/// How much is measured.
#[derive(Debug, Clone, Copy)]
struct Plan {
    quick: bool,
    full: bool,
}

impl Plan {
    const fn choose(self, quick: usize, full: usize) -> usize {
        if self.quick { quick } else { full }
    }

    /// One of three sizes.
    const fn by_size(self, quick: usize, usual: usize, full: usize) -> usize {
        if self.full { full } else { self.choose(quick, usual) }
    }

    /// Numbers of boxes, two a decade.
    fn numbers(self) -> impl Iterator<Item = usize> {
        let most = self.by_size(300, 10_000, 1_000_000);
        (2..7).flat_map(|k| [10usize.pow(k), 3 * 10usize.pow(k)]).filter(move |n| *n <= most)
    }

    /// Frames whose median counts.
    const fn frames(self) -> usize {
        self.by_size(3, 7, 21)
    }

    /// Sixtieths of a second beyond which a frame is the last of its kind.
    fn limit(self) -> f64 {
        if self.full { 60.0 } else { 2.0 }
    }

    /// Seconds after which there are enough frames.
    fn most_seconds(self) -> f64 {
        if self.full { 4.0 } else { 2.0 }
    }

    /// Pairs of bodies of each kind.
    const fn pairs(self) -> usize {
        self.choose(2, 8)
    }

    /// Runs of each pair of bodies.
    const fn runs(self) -> usize {
        self.choose(2, 8)
    }

    /// Queries of each run.
    const fn steps(self) -> usize {
        self.choose(20, 50)
    }

    /// Pairs where no time is measured.
    const fn pairs_alone(self) -> usize {
        self.choose(200, 20_000)
    }

    const fn repetitions(self) -> u32 {
        if self.quick { 1 } else { 9 }
    }
}

/// What an experiment came to.
#[derive(Debug)]
struct Output {
    files: Vec<File>,
    queries: usize,
    undecided: usize,
}

/// A file to be written.
#[derive(Debug)]
struct File {
    name: String,
    text: String,
}

#[derive(Debug, Serialize)]
struct Document {
    machine: String,
    quick: bool,
    experiments: Vec<Done>,
}

#[derive(Debug, Serialize)]
struct Done {
    name: &'static str,
    files: Vec<String>,
    queries: usize,
    undecided: usize,
    seconds: f64,
}

pub fn run(args: &Args) -> Result<Verdict> {
    if args.list {
        report::print(&listing(args.json)?)?;
        return Ok(Verdict::Clean);
    }
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("{}: cannot be made; name another folder with --out", args.out.display()))?;
    let plan = Plan { quick: args.quick, full: args.full };
    if plan.quick {
        figure::mark_as_quick();
    }
    let chosen = args.name.map_or_else(|| Experiment::value_variants().to_vec(), |name| vec![name]);
    let done = chosen.into_iter().map(|experiment| perform(experiment, &plan, &args.out));
    let experiments = done.collect::<Result<Vec<Done>>>()?;
    let document = Document { machine: machine::line(), quick: args.quick, experiments };
    report::print(&if args.json { report::json(&document)? } else { text(&document) })?;
    Ok(Verdict::Clean)
}

/// Measures, and writes the files once all is well.
fn perform(experiment: Experiment, plan: &Plan, folder: &Path) -> Result<Done> {
    let start = Instant::now();
    let Output { files, queries, undecided } = experiment.run(plan).with_context(|| experiment.name())?;
    let mut written = Vec::new();
    for File { name, text } in files {
        let path = folder.join(name);
        report::write_whole(&path, &text)?;
        written.push(path.display().to_string());
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(Done { name: experiment.name(), files: written, queries, undecided, seconds })
}

fn listing(json: bool) -> Result<String> {
    #[derive(Serialize)]
    struct Entry {
        name: &'static str,
        title: &'static str,
    }
    let entry = |e: &Experiment| Entry { name: e.name(), title: e.title() };
    let entries: Vec<Entry> = Experiment::value_variants().iter().map(entry).collect();
    if json {
        return report::json(&entries);
    }
    let row = |e: Entry| vec![e.name.to_owned(), e.title.to_owned()];
    Ok(report::table(&["experiment", "what is measured"], &[], entries.into_iter().map(row)))
}

fn text(document: &Document) -> String {
    let row = |done: &Done| {
        vec![
            done.name.to_owned(),
            done.queries.to_string(),
            done.undecided.to_string(),
            format!("{:.1}", done.seconds),
            done.files.join(" "),
        ]
    };
    let header = ["experiment", "queries", "undecided", "seconds", "files"];
    let mut text = report::table(&header, &[1, 2, 3], document.experiments.iter().map(row));
    text += &format!("{}\n", document.machine);
    text
}
