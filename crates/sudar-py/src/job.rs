//! Jobs in chunks: their folders, and who examines a chunk.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use sudar_clash::Earlier;
use sudar_cli::api::{self, ClashJob, JobFolder, Stock};

use crate::call::{Control, Refused, watched};
use crate::clash::{Found, Search, said};

/// The folder of a job.
#[pyclass(name = "Job", module = "sudar._core", frozen)]
pub struct PyJob(JobFolder);

#[pymethods]
impl PyJob {
    /// Makes a job, or goes on with it.
    #[staticmethod]
    fn begin(
        folder: PathBuf,
        what: &str,
        scene: &[u8],
        names: Vec<String>,
        chunk: &Bound<'_, PyAny>,
        may_resume: bool,
    ) -> PyResult<Self> {
        let scene = api::digest(scene);
        let bytes = |number: usize| Ok(chunk.call1((number,))?.extract::<Vec<u8>>()?);
        let job = JobFolder::begin(&folder, (what, scene), names, bytes, may_resume);
        // What the caller's function raises is raised again.
        Ok(Self(job.map_err(|error| error.downcast::<PyErr>().unwrap_or_else(|error| said(error).into()))?))
    }

    #[staticmethod]
    fn open(folder: PathBuf) -> PyResult<Self> {
        Ok(Self(JobFolder::open(&folder).map_err(said)?))
    }

    fn chunks(&self) -> Vec<String> {
        self.0.chunks().to_vec()
    }

    fn pending(&self) -> PyResult<Vec<String>> {
        Ok(self.0.pending().map_err(said)?.into_iter().map(str::to_owned).collect())
    }

    fn chunk<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.0.chunk(name).map_err(said)?))
    }

    fn put(&self, name: &str, answers: &[u8]) -> PyResult<()> {
        Ok(self.0.put(name, answers).map_err(said)?)
    }

    fn answers<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyBytes>>> {
        Ok(self.0.answers(name).map_err(said)?.map(|bytes| PyBytes::new(py, &bytes)))
    }

    fn set_aside(&self, name: &str, why: &str) -> PyResult<()> {
        Ok(self.0.set_aside(name, why).map_err(said)?)
    }

    fn failed(&self) -> PyResult<Vec<(String, String)>> {
        Ok(self.0.failed().map_err(said)?)
    }
}

/// A checksum of 128 bits, in hexadecimal digits.
#[pyfunction]
pub fn digest(bytes: &[u8]) -> String {
    format!("{:032x}", api::digest(bytes))
}

/// A store that is open to examine chunks of clash checks.
#[pyclass(name = "ClashWorker", module = "sudar._core", frozen)]
pub struct PyClashWorker(Stock);

#[pymethods]
impl PyClashWorker {
    #[new]
    fn new(store: PathBuf, memory: u64) -> PyResult<Self> {
        Ok(Self(Stock::open(&store, memory).map_err(said)?))
    }

    /// The answers of a chunk, as the bytes of an Arrow file.
    #[pyo3(signature = (chunk, control))]
    fn answers<'py>(
        &self,
        py: Python<'py>,
        chunk: Vec<u8>,
        control: Option<Control<'py>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let control = control.unwrap_or_default();
        let found = watched(py, &control, None, |_, _| api::answers(&self.0, &chunk))?;
        Ok(PyBytes::new(py, &found.map_err(said)?))
    }
}

/// Makes the job of a clash check of a store in a folder, or goes on with it.
#[pyfunction]
pub fn begin_clash(
    search: Search,
    store: PathBuf,
    folder: PathBuf,
    work: usize,
    may_resume: bool,
) -> PyResult<PyJob> {
    let stock = Stock::open(&store, 0).map_err(said)?;
    let subject = stock.loaded(&Default::default()).map_err(said)?.subject;
    let check = search.check(true)?;
    let baseline = search.baseline()?;
    let plan = check.plan(&subject, baseline.as_ref()).map_err(said)?;
    Ok(PyJob(ClashJob::begin(&plan, (stock.scene(), work), &folder, may_resume).map_err(said)?.into_folder()))
}

/// What all chunks of a job came to, as `clash` says it, and the chunks that failed.
#[pyfunction]
pub fn found_clash<'py>(
    py: Python<'py>,
    search: Search,
    store: PathBuf,
    folder: PathBuf,
    work: usize,
    control: Option<Control<'py>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let control = control.unwrap_or_default();
    let (found, failed) = watched(py, &control, None, |_, _| found(&search, &store, &folder, work))??;
    PyTuple::new(py, [found.into_tuple(py)?.into_any(), failed.into_pyobject(py)?])
}

fn found(search: &Search, store: &Path, folder: &Path, work: usize) -> Result<(Found, Vec<String>), Refused> {
    let stock = Stock::open(store, 0).map_err(said)?;
    let subject = stock.loaded(&Default::default()).map_err(said)?.subject;
    let check = search.check(true)?;
    let baseline = search.baseline()?;
    let plan = check.plan(&subject, baseline.as_ref()).map_err(said)?;
    let job = ClashJob::begin(&plan, (stock.scene(), work), folder, true).map_err(said)?;
    let (found, failed) = job.found(plan).map_err(said)?;
    let mut checked = found.settle(Earlier { baseline: baseline.as_ref(), ..Earlier::default() });
    checked.document.origin.date = Some(api::now());
    Ok((Found::of(&checked.document)?, failed))
}
