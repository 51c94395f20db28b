//! Hulls, boxes and proofs, and what goes through the commands: replay and the command itself.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sudar::broad::Output;
use sudar::hull::convex_hull;
use sudar::proof::Proof;
use sudar::query::{Body, DistanceOptions};
use sudar::{Aabb, DVec3, Shape};

use crate::arrays::array;
use crate::body::{PyBody, refused};
use crate::call::{Control, each, each_sized, watched};
use crate::input::{Bodies, Numbers, Poses, one_line};
use crate::operands::Operands;
use crate::pairs::distances;

/// The hull of fewer points takes some milliseconds at most.
const SHORT: usize = 2000;

/// The convex hulls of sets of points, as bodies.
#[pyfunction]
#[pyo3(signature = (sets, control))]
pub fn hull<'py>(
    py: Python<'py>,
    sets: Vec<Bound<'py, PyAny>>,
    control: Option<Control<'py>>,
) -> PyResult<Vec<PyBody>> {
    let sets: Vec<Vec<DVec3>> =
        sets.iter().map(|set| Ok(Numbers::one(set, "points", &[0, 3])?.points())).collect::<PyResult<_>>()?;
    let count = sets.len();
    let is_short = sets.iter().map(Vec::len).sum::<usize>() < SHORT;
    let found = each_sized(py, count, &control.unwrap_or_default(), is_short, |_, i| {
        let place = if count > 1 { format!("[{i}]") } else { String::new() };
        let hull =
            convex_hull(&sets[i]).map_err(|why| crate::call::Refused(format!("points{place}: {why}")))?;
        Ok(Body::new(Shape::Hull(std::sync::Arc::new(hull))))
    })?;
    Ok(found.into_iter().map(|body| PyBody { body }).collect())
}

/// Pairs of triangles of one mesh that meet each other, and whether these are all.
#[pyfunction]
#[pyo3(signature = (a, control))]
pub fn self_intersections<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    control: Option<Control<'py>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let bodies = Bodies::new(a, "a")?;
    let list = bodies.list();
    if list.len() != 1 || !bodies.lead.is_empty() {
        return Err(PyValueError::new_err("a: must be one mesh"));
    }
    let found = each(py, 1, &control.unwrap_or_default(), |work, _| {
        Ok(work.self_intersections(list[0].at(&sudar::Pose::IDENTITY)))
    })?;
    let (pairs, complete) =
        found.into_iter().next().map(|found| (found.found, found.complete)).unwrap_or_default();
    let count = pairs.len();
    let pairs = array(py, pairs.into_iter().flatten().collect(), &[count], &[2])?;
    PyTuple::new(py, [pairs.into_any(), pyo3::types::PyBool::new(py, complete).to_owned().into_any()])
}

/// The names of all broad phases.
#[pyfunction]
pub fn broad_phases() -> Vec<&'static str> {
    sudar_classic::ALL_BROAD_PHASES.to_vec()
}

/// Pairs of boxes (n, 6) or (n, 2, 3) that have a point in common, sorted, how many, and the algorithm.
#[pyfunction]
#[pyo3(signature = (boxes, algorithm, list, control))]
pub fn pairs<'py>(
    py: Python<'py>,
    boxes: &Bound<'py, PyAny>,
    algorithm: &str,
    list: bool,
    control: Option<Control<'py>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let numbers = match Numbers::one(boxes, "boxes", &[0, 6]) {
        Ok(numbers) => numbers,
        Err(_) => Numbers::one(boxes, "boxes", &[0, 2, 3])
            .map_err(|why| PyValueError::new_err(format!("{}; or (n, 6)", why.value(py))))?,
    };
    let aabb = |b: &[f64]| Aabb { min: DVec3::from_slice(b), max: DVec3::from_slice(&b[3..]) };
    let boxes: Vec<Aabb> = numbers.all().chunks_exact(6).map(aabb).collect();
    let wanted = if list { Output::Pairs } else { Output::Count };
    let phase = sudar_classic::broad_phase(algorithm).map_err(refused)?;
    let found = watched(py, &control.unwrap_or_default(), None, move |_, _| phase.list(&boxes, wanted))?;
    let found = found.map_err(|why| PyValueError::new_err(format!("boxes: {why}")))?;
    let pairs: Vec<u32> = found.pairs.iter().flatten().copied().collect();
    let pairs = array(py, pairs, &[found.pairs.len()], &[2])?.into_any();
    let count = (found.count).into_pyobject(py)?.into_any();
    let name = found.choice.algorithm.to_string().into_pyobject(py)?.into_any();
    PyTuple::new(py, [pairs, count, name])
}

/// Distances as `distance` has them, exactly, and a proof of each as JSON.
#[pyfunction]
#[pyo3(signature = (a, b, pose_a, pose_b, control))]
pub fn proofs<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_a: Option<&Bound<'py, PyAny>>,
    pose_b: Option<&Bound<'py, PyAny>>,
    control: Option<Control<'py>>,
) -> PyResult<(Bound<'py, PyTuple>, Vec<String>, Vec<usize>)> {
    let operands = Operands::new([a, b], [pose_a, pose_b])?;
    let found = operands.each(py, &control.unwrap_or_default(), |work, a, b| {
        let found = work.distance(a, b, &DistanceOptions::EXACT);
        let proof = work.prove_distance(a, b, &found);
        (found, serde_json::to_string(&proof).unwrap_or_default())
    })?;
    let (found, proofs): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    Ok((distances(&found).into_tuple(py, &operands.lead)?, proofs, operands.lead.clone()))
}

/// What a proof in JSON shows of two bodies, by a checker that shares no code with the queries: the interval, whether
/// the bodies are proved to be disjoint, and how far the points of the proof may be off the bodies.
#[pyfunction]
#[pyo3(signature = (proof, a, b, pose_a=None, pose_b=None))]
pub fn check_proof<'py>(
    py: Python<'py>,
    proof: &str,
    a: &Bound<'py, PyBody>,
    b: &Bound<'py, PyBody>,
    pose_a: Option<&Bound<'py, PyAny>>,
    pose_b: Option<&Bound<'py, PyAny>>,
) -> PyResult<(f64, f64, bool, [f64; 2])> {
    let proof: Proof = serde_json::from_str(proof)
        .map_err(|why| PyValueError::new_err(format!("proof: is none: {}", one_line(&why.to_string()))))?;
    let (a, b) = (&a.get().body, &b.get().body);
    let (at, to) = (Poses::one(pose_a, "pose_a")?, Poses::one(pose_b, "pose_b")?);
    let found = py.detach(|| proof.check(a.shape(), &at, b.shape(), &to)).map_err(refused)?;
    Ok((found.lower, found.upper, found.disjoint, found.stray))
}

/// The answers to lines of queries, as lines of JSON.
#[pyfunction]
#[pyo3(signature = (lines, root, control))]
pub fn replay(
    py: Python<'_>,
    lines: Vec<Vec<u8>>,
    root: PathBuf,
    control: Option<Control<'_>>,
) -> PyResult<Vec<String>> {
    let found = watched(py, &control.unwrap_or_default(), None, |_, _| sudar_cli::api::replay(&lines, root))?;
    found.map_err(|why| PyValueError::new_err(one_line(&format!("{why:#}"))))
}

/// Runs the command with these words, of which the first is its name, and gives its exit status.
#[pyfunction]
#[pyo3(signature = (words))]
pub fn command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| sudar_cli::run(words))
}

/// Sets the interpreter that runs the readers which are Python packages.
#[pyfunction]
#[pyo3(signature = (program))]
pub fn set_interpreter(program: OsString) {
    sudar_cli::set_interpreter(program);
}
