//! `sudar bench`: throughput of the main queries.

mod stance;

use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rayon::prelude::*;
use sudar::query::{self, Body, DistanceOptions};
use sudar::{Mesh, Ray, Shape, Solid};
use sudar_clash::gearbox;

use self::stance::{Place, Stance, stances};
use crate::common::{self, ReadArgs, Threads, WeldArgs};
use crate::help;
use crate::load;
use crate::progress::Progress;
use crate::report::{self, Verdict};

/// Measures how many queries a second this machine answers, as CSV.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// Meshes, each against a copy of itself [default: a planet gear and a bumpy sphere].
    #[arg(value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// Poses of each place, all of them fresh in every sweep.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    poses: u32,
    /// Repeat the sweep over all poses for about this long a row, at least once.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.1, value_parser = common::positive)]
    seconds: f64,
    /// Write the CSV to this file instead of standard output.
    #[arg(short, long = "out", value_name = "OUT.csv")]
    out: Option<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    weld: WeldArgs,
    #[command(flatten)]
    threads: Threads,
}

const HELP: &str = "\
All parts of a file count as one mesh. Trees are built before the clock starts. Each row sweeps over random poses, so
that no pose is still in the cache of the processor when it comes again.

  far        a gap as large as the mesh
  near       a gap of a hundredth of its size
  touching   moved in by a hundredth of its size after the first contact

  mesh, triangles      of each of the two
  query                ray, closest_point and contains ask one mesh, from points outside at the distance of the place;
                       contains is left out for meshes that are not closed
  positive             answers that are a yes, a hit, or a list that is not empty
  queries_per_second   all threads together; microseconds: of one query on one thread

Queries run on one thread unless --threads says otherwise (0: all).

Exit status: 0, or 2 if a file could not be read or written.

Examples:
  sudar bench
  sudar bench --threads 0 bunny.obj -o bunny.csv";

pub fn run(args: &Args) -> Result<Verdict> {
    args.threads.apply(1)?;
    let subjects = subjects(args)?;
    let rows = Place::ALL.len() * QUERIES.len();
    let progress = Progress::new("measuring", Some((subjects.len() * rows) as u64));
    let mut csv = String::from(HEADER);
    for subject in &subjects {
        for place in Place::ALL {
            let stances = stances(&subject.body, place, args.poses)?;
            for (name, query) in QUERIES {
                if name != "contains" || query::has_inside(&subject.body) {
                    let measured = measure(subject, &stances, query, Duration::from_secs_f64(args.seconds));
                    csv.push_str(&measured.row(subject, name, place, &stances));
                }
                progress.advance(1);
            }
        }
    }
    drop(progress);
    match &args.out {
        Some(path) => report::write_whole(path, &csv)?,
        None => report::print(&csv)?,
    }
    Ok(Verdict::Clean)
}

const HEADER: &str = "mesh,triangles,query,place,poses,positive,threads,queries_per_second,microseconds\n";

/// A mesh to measure; a solid if it is closed.
struct Subject {
    name: String,
    body: Body,
    triangles: usize,
    size: f64,
}

impl Subject {
    fn new(name: String, mesh: Arc<Mesh>) -> Self {
        let (triangles, size) = (mesh.triangles().len(), mesh.aabb().extent().length());
        let shape = Solid::new(mesh.clone()).map_or(Shape::Mesh(mesh), |solid| Shape::Solid(Arc::new(solid)));
        let body = Body::new(shape);
        body.prepare(&query::Layer::ALL);
        Self { name, body, triangles, size }
    }
}

fn subjects(args: &Args) -> Result<Vec<Subject>> {
    if args.inputs.is_empty() {
        let gear = Subject::new("planet gear".to_owned(), Arc::new(gearbox::planet_gear()?));
        let sphere = stance::bumpy_sphere(100).context("the bumpy sphere cannot be built")?;
        return Ok(vec![gear, Subject::new("bumpy sphere".to_owned(), Arc::new(sphere))]);
    }
    let read = |path: &PathBuf| {
        let model = load::welded(path, &args.read, &args.weld)?.model;
        let mesh = load::whole(&model).with_context(|| path.display().to_string())?;
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Ok(Subject::new(report::one_line(&name), Arc::new(mesh)))
    };
    args.inputs.iter().map(read).collect()
}

/// Answers one stance; whether the answer is positive.
type Query = fn(&Subject, &Stance) -> bool;

const QUERIES: [(&str, Query); 9] = [
    ("intersects", |s, at| query::intersects(s.body.at(&at.here), s.body.at(&at.there)).is_touching()),
    ("contacts", |s, at| !query::contacts(s.body.at(&at.here), s.body.at(&at.there)).is_empty()),
    ("distance", |s, at| distance(s, at, 0.0)),
    ("distance to 1 %", |s, at| distance(s, at, 0.01)),
    ("within 1 % of the size", |s, at| {
        query::within(s.body.at(&at.here), s.body.at(&at.there), 0.01 * s.size).decided() == Some(true)
    }),
    ("manifold", |s, at| {
        !query::manifold(s.body.at(&at.here), s.body.at(&at.there), 0.001 * s.size).is_empty()
    }),
    ("ray", |s, at| {
        let ray = Ray { origin: at.beside, direction: at.way() };
        query::ray(s.body.at(&at.here), &ray, f64::INFINITY).is_some()
    }),
    ("closest_point", |s, at| query::closest_point(s.body.at(&at.here), at.beside).distance.upper > 0.0),
    ("contains", |s, at| query::contains(s.body.at(&at.here), at.beside) == Ok(true)),
];

fn distance(s: &Subject, at: &Stance, relative: f64) -> bool {
    let options = DistanceOptions { relative, ..DistanceOptions::EXACT };
    query::distance(s.body.at(&at.here), s.body.at(&at.there), &options).interval.upper > 0.0
}

struct Measured {
    positive: usize,
    per_second: f64,
}

/// Sweeps over all stances until the time is over.
fn measure(subject: &Subject, stances: &[Stance], query: Query, time: Duration) -> Measured {
    let sweep = || stances.par_iter().filter(|at| black_box(query(subject, at))).count();
    let positive = sweep();
    let (start, mut sweeps) = (Instant::now(), 0u32);
    while sweeps == 0 || start.elapsed() < time {
        black_box(sweep());
        sweeps += 1;
    }
    let per_second = f64::from(sweeps) * stances.len() as f64 / start.elapsed().as_secs_f64();
    Measured { positive, per_second }
}

impl Measured {
    fn row(&self, subject: &Subject, query: &str, place: Place, stances: &[Stance]) -> String {
        let threads = rayon::current_num_threads();
        let Subject { name, triangles, .. } = subject;
        let quoted = name.replace('"', "\"\"");
        let (poses, positive, per_second) = (stances.len(), self.positive, self.per_second);
        let microseconds = threads as f64 * 1e6 / per_second;
        let place = place.name();
        format!(
            "\"{quoted}\",{triangles},{query},{place},{poses},{positive},{threads},{per_second:.0},{microseconds:.3}\n"
        )
    }
}
