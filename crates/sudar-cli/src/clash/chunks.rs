//! `--job DIR`: a check of a store chunk by chunk, which needs little memory and may be interrupted.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail, ensure};
use sudar::query::Batch;
use sudar_clash::{Answers, Chunk, Found, Job, Plan};

use super::args::Args;
use super::once;
use super::stock::Stock;
use crate::child;
use crate::job::JobFolder;
use crate::progress::Progress;
use crate::report::{self, Verdict};

/// The options of jobs.
#[derive(Debug, Default, clap::Args)]
pub struct ChunkArgs {
    /// Check a store chunk by chunk, and keep in this folder, which is made, what was found of each: for scenes that no
    /// memory holds, and to go on after an interruption. The results are the same.
    #[arg(long, value_name = "DIR", requires = "scenes", conflicts_with_all = ["cache", "watch"])]
    pub job: Option<PathBuf>,
    /// With --job: go on with the job in the folder, if there is one; chunks that are done are not examined again.
    #[arg(long, requires = "job")]
    pub resume: bool,
    /// With --job: how much memory meshes may take beside those of the chunk at hand [default: 4GiB].
    #[arg(long, value_name = "SIZE", requires = "job", value_parser = bytes)]
    pub memory: Option<u64>,
    /// With --job: examine chunks on a cluster, by the Python packages sudar and ray.
    #[arg(long, value_name = "ENGINE", requires = "job", value_parser = ["ray"])]
    pub cluster: Option<String>,
    /// With --cluster: the head of the cluster; "auto" finds the one of this machine, and without it one is started.
    #[arg(long, value_name = "HOST:PORT", requires = "cluster")]
    pub address: Option<String>,
}

/// A chunk fails for good after so many tries.
const TRIES: u32 = 3;

/// Unless --memory says otherwise.
pub const MEMORY: u64 = 4 << 30;

/// A number of bytes, as 8GiB or 500MB.
fn bytes(text: &str) -> Result<u64> {
    let units =
        [("GiB", 1u64 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("GB", 1_000_000_000), ("MB", 1_000_000)];
    let found = units.iter().find_map(|(unit, size)| Some((text.strip_suffix(unit)?, *size)));
    let (number, size) = found.with_context(|| format!("'{text}' has no unit; write it as 8GiB or 500MB"))?;
    let number: f64 =
        number.trim().parse().with_context(|| format!("'{text}' is no size; write it as 8GiB"))?;
    ensure!(number > 0.0 && number < 1e9, "'{text}' is no size; write it as 8GiB");
    Ok((number * size as f64) as u64)
}

/// The check of a store, chunk by chunk, and what comes of it.
pub fn run(args: &Args, folder: &Path) -> Result<Verdict> {
    ensure!(
        args.html.is_none() && args.topics.path().is_none(),
        "--html and --bcf need the triangles of all parts; write --out here, or check without --job"
    );
    let store = store_of(&args.scenes)?;
    let stock = Stock::open(store, args.chunks.memory.unwrap_or(MEMORY))?;
    let (baseline, check) = once::asked(args)?;
    let loaded = stock.loaded(&args.common)?;
    let plan = check.plan(&loaded.subject, baseline.as_ref()).map_err(once::named)?;
    let job = ClashJob::begin(&plan, (stock.scene(), Job::WORK), folder, args.chunks.resume)?;
    match &args.chunks.cluster {
        None => job.examine(&stock)?,
        Some(_) => on_cluster(args, store, folder)?,
    }
    let (found, failed) = job.found(plan)?;
    let verdict = once::conclude(
        args,
        &loaded,
        &[],
        &found,
        baseline.as_ref(),
        |loaded: &_, notes: &_, checked: &_| super::tell(args, loaded, notes, checked),
    )?;
    failed.iter().for_each(|failed| report::complain(&format!("{failed}; --resume tries it again")));
    Ok(if failed.is_empty() { verdict } else { Verdict::Failed })
}

/// Has the chunks examined by the nodes of a cluster, by the Python package.
fn on_cluster(args: &Args, store: &Path, folder: &Path) -> Result<()> {
    let mut command = child::python();
    command
        .args(["-m", "sudar.cluster", "--engine", "ray"])
        .arg("--store")
        .arg(store)
        .arg("--job")
        .arg(folder);
    command.arg("--memory").arg(args.chunks.memory.unwrap_or(MEMORY).to_string());
    command.arg("--threads").arg(args.common.threads.threads.unwrap_or(0).to_string());
    if let Some(address) = &args.chunks.address {
        command.arg("--address").arg(address);
    }
    let status = command.status().context("--cluster ray needs Python with the packages sudar and ray")?;
    ensure!(
        status.success(),
        "--cluster ray: the job was not finished, see above; it needs Python with the packages sudar and ray, and \
         --resume goes on with it"
    );
    Ok(())
}

/// A job of a check, and the chunks of it.
pub struct ClashJob {
    folder: JobFolder,
    work: Job,
    start: Instant,
}

impl ClashJob {
    /// Makes the job of a plan in a folder, or goes on with it.
    pub fn begin(
        plan: &Plan<'_>,
        (scene, work): (u128, usize),
        folder: &Path,
        may_resume: bool,
    ) -> Result<Self> {
        ensure!(
            !plan.has_zones(),
            "the rules have zones, which need the triangles of all parts at once; check these without --job"
        );
        let start = Instant::now();
        let work = plan.job(scene, work);
        let names = work.chunks().iter().map(Chunk::name).collect();
        let bytes = |number: usize| Ok(work.chunks()[number].to_bytes());
        let folder = JobFolder::begin(folder, ("clash", scene), names, bytes, may_resume)?;
        Ok(Self { folder, work, start })
    }

    /// Examines the chunks that are not done, on this machine.
    pub fn examine(&self, stock: &Stock) -> Result<()> {
        let pending = self.folder.pending()?;
        let counts: HashMap<String, u64> =
            self.work.chunks().iter().map(|chunk| (chunk.name(), chunk.pairs().len() as u64)).collect();
        let pairs = |name: &str| counts.get(name).copied().unwrap_or_default();
        let total = pending.iter().map(|name| pairs(name)).sum();
        let progress = Progress::new("pairs", Some(total));
        for name in pending {
            let bytes = self.folder.chunk(name)?;
            match with_tries(|| answers(stock, &bytes)) {
                Ok(answers) => self.folder.put(name, &answers)?,
                Err(error) => self.folder.set_aside(name, &format!("{error:#}"))?,
            }
            progress.advance(pairs(name));
        }
        Ok(())
    }

    /// Its folder.
    pub fn into_folder(self) -> JobFolder {
        self.folder
    }

    /// What all chunks come to, and which of them failed and why.
    pub fn found<'p>(self, plan: Plan<'p>) -> Result<(Found<'p>, Vec<String>)> {
        let mut found: Vec<Answers> = Vec::new();
        let mut failed = Vec::new();
        let why = self.folder.failed()?;
        for (chunk, bytes) in self.work.chunks().iter().zip(self.folder.all_answers()?) {
            let name = chunk.name();
            let read = bytes?.map(|bytes| chunk.read_arrow(&bytes)).transpose();
            match read {
                Ok(Some(answers)) => found.push(answers),
                Ok(None) => {
                    let why = why.iter().find(|(failed, _)| *failed == name);
                    let why = why.map_or("it was not examined", |(_, why)| why.as_str());
                    failed.push(format!("chunk {name} of {} pairs: {why}", chunk.pairs().len()));
                }
                Err(error) => failed.push(format!("chunk {name}: {error}")),
            }
        }
        Ok((plan.find_in_chunks(self.work, found, self.start), failed))
    }
}

/// The answers of a chunk in bytes, as an Arrow file: the same for whoever examines it.
pub fn answers(stock: &Stock, chunk: &[u8]) -> Result<Vec<u8>> {
    let chunk = Chunk::read(chunk)?;
    ensure!(
        chunk.scene() == stock.scene(),
        "the chunk is of another scene; name the store that the job was made of, as it was then"
    );
    let parts = stock.parts(chunk.parts())?;
    let found = chunk.examine(&parts, &Batch::default(), &|_, _| {})?;
    found.to_arrow().map_err(|error| anyhow!("the answers cannot be laid out: {error}"))
}

fn with_tries<T>(work: impl Fn() -> Result<T>) -> Result<T> {
    let mut tried = work();
    for _ in 1..TRIES {
        if tried.is_ok() {
            break;
        }
        tried = work();
    }
    tried
}

/// The one store that a job is about.
pub fn store_of(scenes: &[PathBuf]) -> Result<&Path> {
    match scenes {
        [path] if sudar_store::Store::is_store(path) => Ok(path),
        [] | [_] | [_, _, ..] => {
            bail!("--job takes one store; pack the files first: sudar pack FILE… -o scene.sudar")
        }
    }
}
