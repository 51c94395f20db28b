//! `sudar reproduce`: tables and figures of the sources and of the classic papers, measured here.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use serde::Serialize;
use sudar_reproduce::{ALL, Experiment, Output, Plan, Size, files_in, machine, page, pages};

use crate::common::one_of;
use crate::help;
use crate::progress::Waiting;
use crate::report::{self, Verdict};

/// Measures the tables and figures of the classic papers anew: CSV and SVG files, and one page with what the sources
/// found beside what is found here.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// The experiment; all if none is named.
    #[arg(value_name = "NAME", value_parser = one_of(&ALL, |experiment| experiment.name))]
    name: Option<&'static Experiment>,
    /// Folder for the files; made if it is not there.
    #[arg(short, long, value_name = "DIR", default_value = "reproduced")]
    out: PathBuf,
    /// A small run of a few seconds, which its figures and tables say.
    #[arg(long)]
    quick: bool,
    /// The largest sizes: up to a million boxes, a second a frame, an hour of flight; ten to twenty minutes.
    #[arg(long, conflicts_with = "quick")]
    full: bool,
    /// Measure nothing: write the pages of a folder such as docs from its templates (*.md.in) and the tables in its
    /// folder reproduce.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["name", "out", "quick", "full", "list"])]
    pages: Option<PathBuf>,
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
                    against the number of vertices, at random poses and on a smooth motion; the planes of all faces (Huotari 2011)
  convex-motion     the same against the step of the motion
  chung-wang-cases  the pairs on which Chung–Wang as published does not end (van den Bergen 1999), and with the switch
  iterations        histograms of iterations of GJK, EPA and Lin–Canny on boxes, hulls, cylinders, cones and ellipsoids
  mass              inertia tensors of the cube, the cone and a bomber by voxels and exactly, beside the numbers of Maštera 2007 and
                    his program rebuilt in 32 bits, whose sums end at 14 735 instead of 41 667
  inertia-frames    a tensor of inertia that is carried from frame to frame against one that is turned anew (Maštera 2007)
  obb-fits          oriented boxes by principal axes of points, of hull vertices and of the hull's surface on crowded points
                    (Huotari 2011, figures 6 to 13)
  angle-sum         a point in a triangle by the sum of angles, against its tolerance (Maštera 2007, figure 3.10)
  sweeps            moving bodies: what sampling (pseudo-dynamic detection) and bisection miss and cost beside continuous
                    detection; iterations of GJK for a ray; steps of the advancement against the clearance of grazing bodies
  systems           every classic system and the engine on the same models and poses: build, memory, tests, first hit, all
                    contacts, distance; I-COLLIDE and Q-COLLIDE on the hulls of their convex pieces; with the real models of the
                    folder SUDAR_DATA if that is set
  traversal-share   how much of the time of a collision goes to tests of volumes (Daneu 2002)
  cd-patches        CD (Daneu 2002) with one to ten triangles a convex patch: two cars on one line and beside each other,
                    a sphere in a sphere
  quickcd           QuickCD (Klosowski et al. 1998): split rules, k, re-fitting, front, triangles a leaf
  parallel-surfaces trees of spheres, boxes, k-DOPs and oriented boxes on two close parallel surfaces (Gottschalk et al. 1996)
  split-points      trees of boxes, oriented boxes and 18-DOPs split at the mean and at the median: height, volume, tests
                    (Daneu 2002)
  solid             SOLID (van den Bergen 1997): split rules, re-fitting against building anew
  sat-axes          which of the fifteen axes separate two oriented boxes how often
  swift             SWIFT++ (Ehmann and Lin 2001): where to split, directed search, caching, the front; surfaces and solids
  contact-rule      why the energy of bodies in a room grew under the contact rule of Maštera 2007, and the cure
  spring-mtv        springs against least translations by the length of the step (Dimitrijević 2019)
  mechanisms        joints: mechanisms beside published solutions, by the length of the sub-step
  broad-objects     brute force, octrees and sweep and prune on boxes that bounce in a container, against their number (Dimitrijević
                    2019), beside the automatic choice
  broad-octree      the same container: size of leaves, depth, and all boxes drawn to one point
  broad-speeds      the same container: sweep and prune at four speeds, and its feedback between swaps and time
  broad-scaling     every broad phase from 100 boxes to where a frame takes too long

All algorithms answer the same questions, and their answers are compared: two that cannot both be true are an error.
Everything but the times, and what is left out because it takes too long, is the same in every run. Times are the least of several repetitions of a median, on one
thread; leave the machine alone meanwhile.

DIR/index.html shows all figures in the folder, each with what its source found, what is found here, and whether that agrees.

A CSV file begins with comments (#) that say what was measured and on what; the columns name their units.

JSON: {\"machine\",\"quick\",\"experiments\":[{\"name\",\"files\":[…],\"queries\":n,\"undecided\":n,\"findings\":[{\"agrees\",\"text\"}],\"seconds\"}]}; undecided queries are
those that one of the algorithms left open.

Exit status: 0, or 2 if answers disagree or a file could not be written.

Example:
  sudar reproduce convex-motion --out figures";

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
    findings: Vec<Sentence>,
    seconds: f64,
}

/// What a source found and what is found here.
#[derive(Debug, Serialize)]
struct Sentence {
    agrees: bool,
    text: String,
}

/// The page of all figures.
const PAGE: &str = "index.html";

pub fn run(args: &Args) -> Result<Verdict> {
    if args.list {
        report::print(&listing(args.json)?)?;
        return Ok(Verdict::Clean);
    }
    if let Some(folder) = &args.pages {
        report::print(&write_pages(folder, args.json)?)?;
        return Ok(Verdict::Clean);
    }
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("{}: cannot be made; name another folder with --out", args.out.display()))?;
    let size = match (args.quick, args.full) {
        (true, _) => Size::Quick,
        (false, true) => Size::Full,
        (false, false) => Size::Usual,
    };
    let chosen = args.name.map_or(&ALL[..], std::slice::from_ref);
    let waiting = Waiting::for_steps("measuring", chosen.len() as u64);
    let tell = |what: String| waiting.now(what);
    let plan = Plan::new(size, &tell);
    let done = chosen.iter().map(|experiment| {
        let done = perform(experiment, &plan, &args.out);
        waiting.step();
        done
    });
    let experiments = done.collect::<Result<Vec<Done>>>()?;
    drop(waiting);
    report::write_whole(&args.out.join(PAGE), &page(&files_in(&args.out)?)?)?;
    let document = Document { machine: machine(), quick: args.quick, experiments };
    report::print(&if args.json { report::json(&document)? } else { text(&document) })?;
    Ok(Verdict::Clean)
}

/// Measures, and writes the files once all is well.
fn perform(experiment: &Experiment, plan: &Plan, folder: &Path) -> Result<Done> {
    let start = Instant::now();
    let output = experiment.run(plan)?;
    let mut written = Vec::new();
    for file in &output.files {
        let path = folder.join(&file.name);
        report::write_whole(&path, &file.text)?;
        written.push(path.display().to_string());
    }
    let seconds = start.elapsed().as_secs_f64();
    let findings = output.findings.iter().map(|finding| Sentence {
        agrees: finding.verdict == sudar_reproduce::Verdict::Agrees,
        text: finding.to_string(),
    });
    let Output { queries, undecided, .. } = output;
    Ok(Done {
        name: experiment.name,
        files: written,
        queries,
        undecided,
        findings: findings.collect(),
        seconds,
    })
}

/// Writes the pages, and says which.
fn write_pages(folder: &Path, json: bool) -> Result<String> {
    let mut written = Vec::new();
    for page in pages(folder)? {
        report::write_whole(&page.path, &page.text)?;
        written.push(page.path.display().to_string());
    }
    if json { report::json(&written) } else { Ok(written.iter().map(|path| format!("{path}\n")).collect()) }
}

fn listing(json: bool) -> Result<String> {
    #[derive(Serialize)]
    struct Entry {
        name: &'static str,
        title: &'static str,
    }
    let entries = ALL.each_ref().map(|Experiment { name, title, .. }| Entry { name, title });
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
    for finding in document.experiments.iter().flat_map(|done| &done.findings) {
        text += &format!("{}\n", finding.text);
    }
    text += &format!("{}\n", document.machine);
    text
}
