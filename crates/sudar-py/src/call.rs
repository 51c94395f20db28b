//! How a call runs: without the interpreter, on so many threads, so that Ctrl-C stops it and progress is told.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sudar::effort::Budget;
use sudar::query::Work;

/// A single query may take so long on the thread that calls, before it is begun again where Ctrl-C stops it.
const TRIAL: Duration = Duration::from_millis(4);
/// How often signals are looked for meanwhile.
const LOOK: Duration = Duration::from_millis(20);
/// So many queries are one task of a thread.
const CHUNK: usize = 64;

/// What all queries may be given beside their arguments.
pub struct Control<'py> {
    pub budget: Budget,
    pub threads: usize,
    pub progress: Option<Bound<'py, PyAny>>,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Control<'py> {
    type Error = PyErr;

    /// From the tuple (nodes, seconds, threads, progress); None stands for no limit, all cores and no progress.
    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if given.is_none() {
            return Ok(Self { budget: Budget::UNLIMITED, threads: 0, progress: None });
        }
        let (nodes, seconds, threads, progress): (Option<u64>, Option<f64>, i64, Option<Bound<'py, PyAny>>) =
            given.extract()?;
        let threads = usize::try_from(threads).ok().filter(|n| *n <= 1 << 16).ok_or_else(|| {
            PyValueError::new_err(format!(
                "threads: must be a number from 0 (all cores) to 65536, not {threads}"
            ))
        })?;
        let mut budget = Budget::nodes(nodes.unwrap_or(u64::MAX));
        if let Some(seconds) = seconds {
            let time = Duration::try_from_secs_f64(seconds).map_err(|_| {
                PyValueError::new_err(format!("seconds: must be a number from 0 on, not {seconds}"))
            })?;
            budget = budget.and_time(time);
        }
        Ok(Self { budget, threads, progress })
    }
}

impl Control<'_> {
    /// Whether a short call may run on the thread that makes it.
    pub fn is_plain(&self) -> bool {
        self.threads == 0 && self.progress.is_none() && !FORKED.load(Ordering::Relaxed)
    }
}

/// Why a call was refused: what is wrong with which entry.
#[derive(Debug)]
pub struct Refused(pub String);

impl From<Refused> for PyErr {
    fn from(refused: Refused) -> Self {
        PyValueError::new_err(refused.0)
    }
}

/// Set in a process that was forked: the pools of its parent have no threads there, and queries may want the one that
/// is shared by all of a process.
static FORKED: AtomicBool = AtomicBool::new(false);

static POOLS: Mutex<Option<HashMap<usize, Arc<ThreadPool>>>> = Mutex::new(None);

/// To be called in a child process after a fork.
#[pyfunction]
pub fn forked() {
    FORKED.store(true, Ordering::Relaxed);
    // Its threads are not there to be joined.
    if let Some(pools) = POOLS.lock().unwrap_or_else(PoisonError::into_inner).take() {
        std::mem::forget(pools);
    }
}

/// The pool of so many threads, 0 for one a core.
fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let pools = pools.get_or_insert_default();
    if let Some(pool) = pools.get(&threads) {
        return Ok(pool.clone());
    }
    let made = ThreadPoolBuilder::new().num_threads(threads).thread_name(|i| format!("sudar {i}")).build();
    let made =
        made.map_err(|error| PyRuntimeError::new_err(format!("threads cannot be started: {error}")))?;
    Ok(pools.entry(threads).or_insert(Arc::new(made)).clone())
}

/// Runs a query for each of `count` entries, in their order. `ask` has the number of an entry, and heeds the limit of
/// its [`Work`].
pub fn each<T: Send>(
    py: Python<'_>,
    count: usize,
    control: &Control<'_>,
    ask: impl Fn(&mut Work<'_>, usize) -> Result<T, Refused> + Sync,
) -> PyResult<Vec<T>> {
    each_sized(py, count, control, true, ask)
}

/// The same where `ask` may heed no limit: one entry runs on the thread that calls only if it `is_short`.
pub fn each_sized<T: Send>(
    py: Python<'_>,
    count: usize,
    control: &Control<'_>,
    is_short: bool,
    ask: impl Fn(&mut Work<'_>, usize) -> Result<T, Refused> + Sync,
) -> PyResult<Vec<T>> {
    if count == 1 && is_short && control.is_plain() {
        let budget = control.budget;
        let found = py.detach(|| tried(budget, &|limit| ask(&mut Work::new(limit), 0)));
        if let Some(found) = found {
            return Ok(vec![found?]);
        }
    }
    let budget = control.budget;
    let chunks: Vec<Mutex<Vec<T>>> = (0..count.div_ceil(CHUNK)).map(|_| Mutex::default()).collect();
    watched(py, control, Some(count), |flag, done| {
        in_parallel(chunks.len(), &|c| {
            let entries = c * CHUNK..((c + 1) * CHUNK).min(count);
            let mut found = Vec::with_capacity(entries.len());
            let mut work = Work::new(budget).cancelled_by(flag);
            for i in entries.clone() {
                if flag.load(Ordering::Relaxed) {
                    return Err(Refused("interrupted".to_owned()));
                }
                found.push(ask(&mut work, i)?);
            }
            done.fetch_add(entries.len(), Ordering::Relaxed);
            *chunks[c].lock().unwrap_or_else(PoisonError::into_inner) = found;
            Ok(())
        })
    })??;
    let mut all = Vec::with_capacity(count);
    for chunk in chunks {
        all.append(&mut chunk.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    Ok(all)
}

/// Does the chunks of these numbers on all threads; the refusal of the first that is refused. The same code for all
/// queries.
fn in_parallel(count: usize, chunk: &(dyn Fn(usize) -> Result<(), Refused> + Sync)) -> Result<(), Refused> {
    let done: Vec<Result<(), Refused>> = (0..count).into_par_iter().map(chunk).collect();
    done.into_iter().collect()
}

/// The answer of a query that ends in short time, or within its budget.
pub fn tried<T>(budget: Budget, ask: &impl Fn(Budget) -> T) -> Option<T> {
    let is_short = budget.time.is_some_and(|time| time <= TRIAL);
    let limit = if is_short { budget } else { budget.and_time(TRIAL) };
    let start = Instant::now();
    let found = ask(limit);
    // An answer of less time than the trial's is not one that the trial stopped.
    (is_short || start.elapsed() < TRIAL).then_some(found)
}

/// Runs `work` in a pool while this thread looks for signals and tells progress. `work` has the flag that an interrupt
/// sets, and where to count what is done.
pub fn watched<T: Send>(
    py: Python<'_>,
    control: &Control<'_>,
    total: Option<usize>,
    work: impl FnOnce(&AtomicBool, &AtomicUsize) -> T + Send,
) -> PyResult<T> {
    let (mut work, mut found) = (Some(work), None);
    watch(py, control, total, &mut |flag, done| found = work.take().map(|work| work(flag, done)))?;
    found.ok_or_else(no_answer)
}

/// The same for all types of answers.
fn watch(
    py: Python<'_>,
    control: &Control<'_>,
    total: Option<usize>,
    work: &mut (dyn FnMut(&AtomicBool, &AtomicUsize) + Send),
) -> PyResult<()> {
    let pool = pool(control.threads)?;
    let progress = control.progress.clone().map(Bound::unbind);
    let (flag, done) = (AtomicBool::new(false), AtomicUsize::new(0));
    let tell = |py: Python<'_>| match &progress {
        Some(progress) => progress.call1(py, (done.load(Ordering::Relaxed), total)).map(drop),
        None => Ok(()),
    };
    let interrupted = py.detach(|| {
        let (send, receive) = channel();
        let mut interrupted = Ok(());
        pool.in_place_scope(|scope| {
            let (flag, done) = (&flag, &done);
            scope.spawn(move |_| {
                work(flag, done);
                let _ = send.send(());
            });
            while receive.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if interrupted.is_ok() {
                    interrupted = Python::attach(|py| py.check_signals().and_then(|()| tell(py)));
                    flag.store(interrupted.is_err(), Ordering::Relaxed);
                }
            }
        });
        interrupted
    });
    interrupted?;
    tell(py)
}

/// Runs `work`, which cannot be stopped, in a pool. An interrupt ends the wait; the work then ends in its own time.
pub fn aside<T: Send + 'static>(py: Python<'_>, work: impl FnOnce() -> T + Send + 'static) -> PyResult<T> {
    let found = Arc::new(Mutex::new(None));
    let place = found.clone();
    wait_for(py, Box::new(move || *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(work())))?;
    found.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(no_answer)
}

/// The same for all types of answers.
fn wait_for(py: Python<'_>, work: Box<dyn FnOnce() + Send>) -> PyResult<()> {
    let pool = pool(0)?;
    let (send, receive) = channel();
    py.detach(move || {
        pool.spawn(move || {
            work();
            let _ = send.send(());
        });
        while receive.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            Python::attach(|py| py.check_signals())?;
        }
        Ok(())
    })
}

#[cold]
fn no_answer() -> PyErr {
    PyRuntimeError::new_err("a thread of sudar ended without an answer; please report this")
}
