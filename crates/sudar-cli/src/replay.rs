//! `sudar replay`: runs recorded queries again.

mod lines;
mod store;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use serde::Serialize;
use sudar::query::Layer;
use sudar_record::{AnswerLine, BadLine, Boxes, Outcome, Query, QueryLine, RecordError, ShapeSpec};

use self::lines::{Lines, is_standard};
use self::store::{Built, Store, nanoseconds};
use crate::common::{ReadArgs, Threads};
use crate::help;
use crate::progress::Progress;
use crate::report::{self, Aside, Verdict};

/// Answers a file of recorded queries, one line of JSON each.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// The queries, one JSON object a line; may be gzipped. `-` is standard input.
    #[arg(value_name = "QUERIES.jsonl")]
    queries: PathBuf,
    /// Folder that relative paths of meshes start from [default: the folder of the query file, the current
    /// one for `-`].
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Write the answers to this file, which appears when it is whole [default: `-`, standard output].
    #[arg(short, long, value_name = "ANSWERS.jsonl")]
    out: Option<PathBuf>,
    /// Add the time of each query, and a first line with the builds.
    #[arg(long)]
    time: bool,
    /// With --time: run each query N times and report the median.
    #[arg(long, value_name = "N", requires = "time", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    repeat: u32,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    threads: Threads,
}

const HELP: &str = "\
One answer line for each query line, in the same order; blank lines are skipped. A bad line is answered with an error,
the others are still answered.

Queries: intersects, contacts (meshes; optional max), manifold (optional margin), distance (optional abs, rel, max),
within (tolerance), local_minima (tolerance), penetration (optional abs, rel), ray (origin, direction, optional max),
closest_point (point), contains (point; optional \"method\":\"winding\", which also answers for open meshes), hull (points,
no shape), pairs (boxes or boxes_file, a .npy of n x 6 numbers; optional algorithm, list; no shape).
Shapes: {\"mesh\":\"path\"} (optional \"part\", \"solid\":true, \"weld\":d: vertices at most d apart become one point first),
{\"vertices\",\"triangles\"} (optional \"solid\"), {\"sphere\":r}, {\"box\":[hx,hy,hz]}, {\"capsule\":[r,h]}, {\"cylinder\":[r,h]},
{\"cone\":[r,h]}, {\"ellipsoid\":[a,b,c]}, {\"hull\":[[x,y,z],…]}, {\"halfspace\":[nx,ny,nz,d]}, {\"triangle\":[p,q,r]},
{\"segment\":[p,q]}, {\"point\":p}, {\"heightfield\":{\"heights\":[[…],…],\"cell\":[dx,dy]}} (null where a sample is missing),
{\"points\":[[x,y,z],…]}, {\"compound\":[{\"shape\":{…},\"pose\":{…}},…]}. Poses: pose_a and pose_b,
{\"translation\",\"rotation\":[x,y,z,w]} or {\"matrix\":[16 numbers, row by row]}.
Any object may have a \"note\"; every other field that is not asked for is an error, so that no misspelt field is lost.
With \"budget\":{\"nodes\":n} and/or {\"ms\":t} a query ends when it has opened so many nodes of trees, or after so many
milliseconds; the answer is true all the same, but wider: \"status\":\"budget\" beside an interval, or
\"undecided\":\"budget\" beside a null or a list that may lack some. A closest_point then is the closest one found, with
\"lower\": nothing is nearer than that; a ray has \"hit\":true if there is a hit, and \"t_upper\" in place of \"t\": the first
is no farther. \"status\":\"precision\" beside an interval says that it is wider than was asked for though no budget
ended the search: rounding or the greatest number of steps did, of cylinders, cones, ellipsoids and slivers. Only nodes give the same bits each time. Queries that need no tree never use a budget up.

Limits: a line of 64 MiB, brackets nested 64 deep. Gzipped queries may expand to 8 GiB.

With --time each answer has \"ns\", the median over --repeat of the query alone, and a first line
{\"shapes\":[{\"shape\",\"triangles\",\"build_ns\",\"bytes\",\"layers\":[{\"layer\",\"build_ns\",\"bytes\"}]}]} gives the builds: a file's shape as
it is written, an inline one as {\"line\",\"field\"}. All that its queries need is built before: the shape itself (checks,
welding, closedness, hull), the tree, and where needed oriented_boxes, slabs, pieces, stars, windings; build_ns and
bytes are their sums. A welded shape has \"weld\":{\"tolerance\",\"moved\",\"farthest\",\"collapsed\"}. One thread is used unless --threads says otherwise, so that queries do not
slow each other down.

Exit status: 0 every line answered, 1 some line has an error, 2 the file could not be read or written.

Example, with this line in queries.jsonl:
  {\"id\":\"1\",\"query\":\"ray\",\"a\":{\"mesh\":\"bunny.off\"},\"origin\":[0,0,9],\"direction\":[0,0,-1]}
  sudar replay queries.jsonl --out answers.jsonl";

/// Most lines and bytes that are in memory at once, unless times are wanted before the first answer.
const BATCH_LINES: usize = 4096;
const BATCH_BYTES: usize = 64 << 20;

/// A line of the file, read.
struct Asked {
    number: u64,
    query: Result<QueryLine, BadLine>,
}

/// What became of a line: the answer, and the inline meshes built for it.
struct Told {
    answer: AnswerLine,
    built: Vec<Built>,
}

pub fn run(args: &Args) -> Result<Verdict> {
    // Queries that run side by side slow each other down, so that timing takes one thread unless told otherwise.
    args.threads.apply(u16::from(args.time))?;
    let lines = Lines::open(&args.queries)?;
    if let Some(out) = &args.out {
        let is_other = !report::is_same_file(&args.queries, out);
        ensure!(is_other, "{}: is the query file itself; give --out another name", out.display());
    }
    let mut out = Sink::open(args.out.as_deref())?;
    let root = args.root.clone().unwrap_or_else(|| folder_of(&args.queries));
    let mut store = Store::new(root, &args.read);
    let verdict = replay(lines, &mut out, &mut store, args)?;
    out.finish()?;
    Ok(verdict)
}

/// The answers to lines, in order.
pub fn answers(lines: &[Vec<u8>], root: PathBuf, args: &Args) -> Result<Vec<String>> {
    let mut store = Store::new(root, &args.read);
    let progress = Progress::new("queries", None);
    let batch: Vec<(u64, Vec<u8>)> = (1..).zip(lines.iter().cloned()).collect();
    let told = answer(&batch, &mut store, args, &progress);
    told.iter().map(|told| Ok(report::escaped(told.answer.to_json()?))).collect()
}

fn replay(mut lines: Lines, out: &mut Sink, store: &mut Store<'_>, args: &Args) -> Result<Verdict> {
    let progress = Progress::new("queries", None);
    // The builds come first and are known last.
    let (most_lines, most_bytes) =
        if args.time { (usize::MAX, usize::MAX) } else { (BATCH_LINES, BATCH_BYTES) };
    let mut verdict = Verdict::Clean;
    loop {
        let batch =
            lines.batch(most_lines, most_bytes).with_context(|| args.queries.display().to_string())?;
        let told = answer(&batch, store, args, &progress);
        if args.time {
            out.line(&shapes_line(store, &told)?)?;
        }
        for Told { answer, .. } in &told {
            if matches!(answer.outcome, Outcome::Error { .. }) {
                verdict = Verdict::Found;
            }
            out.line(&report::escaped(answer.to_json()?))?;
        }
        if args.time || batch.is_empty() || out.is_closed() {
            return Ok(verdict);
        }
    }
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}

/// Answers a batch: first every file is read and every tree built, once; then the lines in parallel.
fn answer(batch: &[(u64, Vec<u8>)], store: &mut Store<'_>, args: &Args, progress: &Progress) -> Vec<Told> {
    let parse = |(number, line): &(u64, Vec<u8>)| Asked { number: *number, query: QueryLine::parse(line) };
    let asked: Vec<Asked> = batch.par_iter().map(parse).collect();
    let queries = asked.iter().filter_map(|line| line.query.as_ref().ok());
    store.prepare(queries.flat_map(|line| {
        let layers = layers(&line.query, args);
        line.query.shapes().into_iter().map(move |(_, shape)| (shape, layers))
    }));
    let told = |line| {
        let told = tell(line, store, args);
        progress.advance(1);
        told
    };
    asked.into_par_iter().map(told).collect()
}

/// What is built before the query: with --time all that it needs, so that its time is that of the query alone.
fn layers(query: &Query, args: &Args) -> &'static [Layer] {
    if args.time { query.layers() } else { &[] }
}

fn tell(line: Asked, store: &Store<'_>, args: &Args) -> Told {
    let Asked { number, query } = line;
    let (id, result, built) = match query {
        Err(BadLine { id, error }) => (id, Err(error), Vec::new()),
        Ok(line) => {
            let mut built = Vec::new();
            let result = ask(&line, number, store, args, &mut built);
            (line.id, result, built)
        }
    };
    let (outcome, ns) = match result {
        Ok((answer, ns)) => (Outcome::Answer(answer), ns),
        Err(error) => (Outcome::Error { error: error.to_string() }, None),
    };
    Told { answer: AnswerLine { id, outcome, ns }, built }
}

fn ask(
    asked: &QueryLine,
    line: u64,
    store: &Store<'_>,
    args: &Args,
    built: &mut Vec<Built>,
) -> Result<(sudar_record::Answer, Option<u64>), RecordError> {
    let with_boxes = with_boxes(asked, store)?;
    let asked = with_boxes.as_ref().unwrap_or(asked);
    let fields = asked.query.shapes();
    let mut next = fields.iter();
    let prepared = asked.prepare(|shape: &ShapeSpec| {
        // Shapes are asked for in the order in which the query lists them.
        let field = next.next().map_or("a", |(field, _)| field);
        store.body(shape, layers(&asked.query, args), line, field, built)
    })?;
    if !args.time {
        return Ok((prepared.ask()?, None));
    }
    let mut times = Vec::with_capacity(args.repeat as usize);
    loop {
        let start = Instant::now();
        let answer = prepared.ask()?;
        times.push(nanoseconds(start));
        if times.len() >= args.repeat as usize {
            return Ok((answer, median(times)));
        }
    }
}

/// The query with its file of boxes in place, if it has one.
fn with_boxes(asked: &QueryLine, store: &Store<'_>) -> Result<Option<QueryLine>, RecordError> {
    let Query::Pairs { boxes: Boxes::File(name), algorithm, list } = &asked.query else { return Ok(None) };
    let boxes = Boxes::Inline(store.boxes(name)?);
    let query = Query::Pairs { boxes, algorithm: algorithm.clone(), list: *list };
    Ok(Some(QueryLine { id: asked.id.clone(), query, budget: asked.budget }))
}

/// The middle one, the upper of the two in the middle of an even number.
fn median(mut times: Vec<u64>) -> Option<u64> {
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

fn shapes_line(store: &Store<'_>, told: &[Told]) -> Result<String> {
    #[derive(Serialize)]
    struct Shapes<'a> {
        shapes: Vec<&'a Built>,
    }
    let inline = told.iter().flat_map(|told| &told.built);
    Ok(serde_json::to_string(&Shapes { shapes: store.built().chain(inline).collect() })?)
}

/// Where the answers go.
enum Sink {
    Stdout { out: io::BufWriter<io::Stdout>, closed: bool },
    File { file: Aside, path: PathBuf },
}

impl Sink {
    fn open(path: Option<&Path>) -> Result<Self> {
        Ok(match path.filter(|path| !is_standard(path)) {
            None => Self::Stdout { out: io::BufWriter::new(io::stdout()), closed: false },
            Some(path) => Self::File { file: Aside::create(path)?, path: path.to_owned() },
        })
    }

    fn line(&mut self, line: &str) -> Result<()> {
        match self {
            Self::Stdout { closed: true, .. } => Ok(()),
            Self::Stdout { out, closed } => unless_closed(writeln!(out, "{line}"), closed),
            Self::File { file, path } => writeln!(file, "{line}")
                .with_context(|| format!("{}: cannot be written; check the space left", path.display())),
        }
    }

    /// Whether nobody reads any more.
    fn is_closed(&self) -> bool {
        matches!(self, Self::Stdout { closed: true, .. })
    }

    fn finish(self) -> Result<()> {
        match self {
            Self::Stdout { mut out, mut closed } => unless_closed(out.flush(), &mut closed),
            Self::File { file, .. } => file.finish(),
        }
    }
}

/// A reader that closes the pipe has seen enough, which is no error.
fn unless_closed(done: io::Result<()>, closed: &mut bool) -> Result<()> {
    match done {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {
            *closed = true;
            Ok(())
        }
        done => done.context("standard output cannot be written"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_few_times() {
        assert_eq!(median(vec![3, 1, 2]), Some(2));
        assert_eq!(median(vec![4, 1]), Some(4));
        assert_eq!(median(vec![]), None);
    }
}
