//! Answers as arrays: one for each field, the entries of a batch along the leading dimensions.

use numpy::{PyArray, PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use smallvec::SmallVec;
use sudar::DVec3;
use sudar::effort::StopReason;
use sudar::query::DistanceEnd;

/// One answer needs no memory of its own.
type Column<T> = SmallVec<[T; 4]>;

/// The numbers of one field.
enum Data {
    Float(Column<f64>),
    Natural(Column<u32>),
    Whole(Column<i64>),
    Code(Column<u8>),
    Status(Column<u8>),
    Bool(Column<bool>),
}

/// The fields of answers, in order.
pub struct Columns {
    list: Vec<(Data, &'static [usize])>,
}

impl Default for Columns {
    /// With room for the fields of any answer.
    fn default() -> Self {
        Self { list: Vec::with_capacity(8) }
    }
}

impl Columns {
    pub fn float(self, numbers: impl Iterator<Item = f64>) -> Self {
        self.with(Data::Float(numbers.collect()), &[])
    }

    pub fn point(self, points: impl Iterator<Item = DVec3>) -> Self {
        self.with(Data::Float(points.flat_map(|p| p.to_array()).collect()), &[3])
    }

    pub fn matrix(self, numbers: impl Iterator<Item = [f64; 9]>) -> Self {
        self.with(Data::Float(numbers.flatten().collect()), &[3, 3])
    }

    pub fn plane(self, numbers: impl Iterator<Item = [f64; 4]>) -> Self {
        self.with(Data::Float(numbers.flatten().collect()), &[4])
    }

    pub fn natural(self, numbers: impl Iterator<Item = u32>) -> Self {
        self.with(Data::Natural(numbers.collect()), &[])
    }

    pub fn pair(self, numbers: impl Iterator<Item = [u32; 2]>) -> Self {
        self.with(Data::Natural(numbers.flatten().collect()), &[2])
    }

    pub fn whole(self, numbers: impl Iterator<Item = i64>) -> Self {
        self.with(Data::Whole(numbers.collect()), &[])
    }

    pub fn code(self, codes: impl Iterator<Item = u8>) -> Self {
        self.with(Data::Code(codes.collect()), &[])
    }

    /// Codes of [`status`]: of one answer the member of `sudar.Status`.
    pub fn status(self, codes: impl Iterator<Item = u8>) -> Self {
        self.with(Data::Status(codes.collect()), &[])
    }

    pub fn bool(self, flags: impl Iterator<Item = bool>) -> Self {
        self.with(Data::Bool(flags.collect()), &[])
    }

    fn with(mut self, data: Data, tail: &'static [usize]) -> Self {
        self.list.push((data, tail));
        self
    }

    /// The fields as arrays with these leading dimensions; as plain numbers where there are none.
    pub fn into_tuple<'py>(self, py: Python<'py>, lead: &[usize]) -> PyResult<Bound<'py, PyTuple>> {
        let field = |(data, tail): (Data, &[usize])| shaped(py, data, lead, tail);
        PyTuple::new(py, self.list.into_iter().map(field).collect::<PyResult<Vec<_>>>()?)
    }
}

fn shaped<'py>(py: Python<'py>, data: Data, lead: &[usize], tail: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    if lead.is_empty() && tail.is_empty() {
        return match data {
            Data::Float(x) => x.first().copied().into_bound_py_any(py),
            Data::Natural(x) => x.first().copied().into_bound_py_any(py),
            Data::Whole(x) => x.first().copied().into_bound_py_any(py),
            Data::Code(x) => x.first().copied().into_bound_py_any(py),
            Data::Status(x) => statuses(py)?.get_item(x.first().copied().map_or(0, usize::from)),
            Data::Bool(x) => x.first().copied().into_bound_py_any(py),
        };
    }
    Ok(match data {
        Data::Float(x) => of_column(py, x, lead, tail)?,
        Data::Natural(x) => of_column(py, x, lead, tail)?,
        Data::Whole(x) => of_column(py, x, lead, tail)?,
        Data::Code(x) | Data::Status(x) => of_column(py, x, lead, tail)?,
        Data::Bool(x) => of_column(py, x, lead, tail)?,
    })
}

fn of_column<'py, T: numpy::Element>(
    py: Python<'py>,
    numbers: Column<T>,
    lead: &[usize],
    tail: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    Ok(if numbers.spilled() {
        array(py, numbers.into_vec(), lead, tail)?.into_any()
    } else {
        shape_of(PyArray::from_slice(py, &numbers), lead, tail)?.into_any()
    })
}

/// The members of `sudar.Status`, by their codes.
fn statuses(py: Python<'_>) -> PyResult<&Bound<'_, PyTuple>> {
    static STATUSES: PyOnceLock<Py<PyTuple>> = PyOnceLock::new();
    let found = STATUSES.get_or_try_init(py, || {
        let all = PyModule::import(py, "sudar._answers")?.getattr("Status")?;
        let all = all.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        Ok::<_, PyErr>(PyTuple::new(py, all)?.unbind())
    });
    Ok(found?.bind(py))
}

/// So many numbers are copied rather than kept.
pub const FEW: usize = 64;

/// Numbers as an array of these dimensions.
pub fn array<'py, T: numpy::Element>(
    py: Python<'py>,
    numbers: Vec<T>,
    lead: &[usize],
    tail: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    // numpy's own memory is there sooner than an owner of the vector is made.
    let flat =
        if numbers.len() <= FEW { PyArray::from_slice(py, &numbers) } else { PyArray::from_vec(py, numbers) };
    shape_of(flat, lead, tail)
}

fn shape_of<'py, T: numpy::Element>(
    flat: Bound<'py, PyArray1<T>>,
    lead: &[usize],
    tail: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    match (lead, tail) {
        ([_], []) | ([], [_]) => Ok(flat.to_dyn().clone()),
        _ => flat.reshape([lead, tail].concat()),
    }
}

/// Points as an array (n, 3).
pub fn points<'py>(py: Python<'py>, points: &[DVec3]) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    array(py, points.iter().flat_map(|p| p.to_array()).collect(), &[points.len()], &[3])
}

/// The codes of `sudar.Status`.
pub mod status {
    use super::{DistanceEnd, StopReason};

    pub const EXACT: u8 = 0;
    const TOLERANCE: u8 = 1;
    const BEYOND_MAX: u8 = 2;
    const BUDGET: u8 = 3;
    const PRECISION: u8 = 4;

    pub fn of(end: DistanceEnd) -> u8 {
        match end {
            DistanceEnd::Exact => EXACT,
            DistanceEnd::Tolerance => TOLERANCE,
            DistanceEnd::BeyondMax => BEYOND_MAX,
            DistanceEnd::Stopped(reason) => open(reason),
        }
    }

    pub fn open(reason: StopReason) -> u8 {
        match reason {
            StopReason::Budget => BUDGET,
            StopReason::Precision => PRECISION,
        }
    }

    /// Of an answer that is whole unless it was stopped.
    pub fn unless_stopped(stopped: bool) -> u8 {
        if stopped { BUDGET } else { EXACT }
    }
}
