//! Queries on two bodies that answer with a list: the lists of a batch stand one after another, with where each begins.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sudar::DVec3;
use sudar::effort::Partial;

use crate::arrays::{Columns, array};
use crate::call::Control;
use crate::operands::Operands;

/// The fields of all rows, where each list begins and the last ends (None for one list), and whether each is complete.
fn given<'py, T>(
    py: Python<'py>,
    lead: &[usize],
    lists: Vec<Partial<Vec<T>>>,
    columns: impl FnOnce(&[T]) -> Columns,
) -> PyResult<Bound<'py, PyTuple>> {
    let mut starts = vec![0];
    let (mut rows, mut complete) = (Vec::new(), Vec::new());
    for list in lists {
        rows.extend(list.found);
        complete.push(list.complete);
        starts.push(rows.len() as i64);
    }
    let fields = columns(&rows).into_tuple(py, &[rows.len()])?;
    let (starts, complete) = if lead.is_empty() {
        (py.None().into_bound(py), complete.first().copied().into_bound_py_any(py)?)
    } else {
        let n = starts.len();
        (array(py, starts, &[n], &[])?.into_any(), array(py, complete, lead, &[])?.into_any())
    };
    PyTuple::new(py, fields.iter().chain([starts, complete]).collect::<Vec<_>>())
}

/// Pairs of triangles that meet.
#[pyfunction]
#[pyo3(signature = (a, b, pose_a, pose_b, control, most))]
pub fn contacts<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_a: Option<&Bound<'py, PyAny>>,
    pose_b: Option<&Bound<'py, PyAny>>,
    control: Option<Control<'py>>,
    most: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let operands = Operands::new([a, b], [pose_a, pose_b])?;
    let most = most.unwrap_or(usize::MAX);
    let found =
        operands.each(py, &control.unwrap_or_default(), |work, a, b| work.contacts_up_to(a, b, most))?;
    given(py, &operands.lead, found, |rows| Columns::default().pair(rows.iter().copied()))
}

/// Contact points for a solver.
#[pyfunction]
#[pyo3(signature = (a, b, pose_a, pose_b, control, margin))]
pub fn manifold<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_a: Option<&Bound<'py, PyAny>>,
    pose_b: Option<&Bound<'py, PyAny>>,
    control: Option<Control<'py>>,
    margin: f64,
) -> PyResult<Bound<'py, PyTuple>> {
    let operands = Operands::new([a, b], [pose_a, pose_b])?;
    let found = operands.each(py, &control.unwrap_or_default(), |work, a, b| work.manifold(a, b, margin))?;
    given(py, &operands.lead, found, |rows| {
        Columns::default()
            .point(rows.iter().map(|c| c.point_a))
            .point(rows.iter().map(|c| c.point_b))
            .point(rows.iter().map(|c| c.normal))
            .float(rows.iter().map(|c| c.depth))
            .pair(rows.iter().map(|c| c.features))
            .natural(rows.iter().map(|c| c.region))
    })
}

/// Places where the bodies come near each other.
#[pyfunction]
#[pyo3(signature = (a, b, pose_a, pose_b, control, tolerance, prominence))]
#[expect(clippy::too_many_arguments, reason = "those of the Python function, which names them")]
pub fn local_minima<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_a: Option<&Bound<'py, PyAny>>,
    pose_b: Option<&Bound<'py, PyAny>>,
    control: Option<Control<'py>>,
    tolerance: f64,
    prominence: f64,
) -> PyResult<Bound<'py, PyTuple>> {
    let operands = Operands::new([a, b], [pose_a, pose_b])?;
    let found = operands.each(py, &control.unwrap_or_default(), |work, a, b| {
        work.prominent_minima(a, b, tolerance, prominence)
    })?;
    given(py, &operands.lead, found, |rows| {
        Columns::default()
            .float(rows.iter().map(|m| m.interval.lower))
            .float(rows.iter().map(|m| m.interval.upper))
            .point(rows.iter().map(|m| m.point_a))
            .point(rows.iter().map(|m| m.point_b))
            .point(rows.iter().map(|m| m.normal.unwrap_or(DVec3::NAN)))
            .pair(rows.iter().map(|m| m.features))
    })
}
