//! What Python gives: arrays of numbers, bodies and poses, and how their leading dimensions go together.

use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple};
use sudar::glam::{DQuat, DVec3};
use sudar::query::Body;
use sudar::{Pose, PoseError};

use crate::arrays::FEW;
use crate::body::PyBody;

/// The module numpy.
pub fn numpy(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    static NUMPY: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    Ok(NUMPY.get_or_try_init(py, || PyModule::import(py, "numpy").map(Bound::unbind))?.bind(py))
}

/// An array of numbers, or a ValueError or TypeError of one line that names the argument.
fn array<'py>(given: &Bound<'py, PyAny>, name: &str, kinds: &str, kind: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = given.py();
    let found = numpy(py)?.call_method1(intern!(py, "asarray"), (given,)).map_err(|error| {
        let why = error.value(py).to_string();
        PyValueError::new_err(format!("{name}: is no regular array of numbers: {}", one_line(&why)))
    })?;
    let dtype = found.getattr(intern!(py, "dtype"))?;
    let letter: String = dtype.getattr(intern!(py, "kind"))?.extract()?;
    let is_empty: usize = found.getattr(intern!(py, "size"))?.extract()?;
    if !kinds.contains(&letter) && is_empty > 0 {
        return Err(PyTypeError::new_err(format!("{name}: must hold {kind}, not {dtype}")));
    }
    Ok(found)
}

/// The text without line breaks.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Numbers in a contiguous array whose last dimensions were checked.
pub struct Numbers<'py> {
    held: Held<'py>,
    /// The last dimensions, the last one first.
    tail: [usize; 2],
    /// The dimensions before those.
    pub lead: Vec<usize>,
}

enum Held<'py> {
    /// A copy of few numbers costs less than keeping others from writing to them.
    Few(Vec<f64>),
    Many(PyReadonlyArrayDyn<'py, f64>),
}

impl<'py> Numbers<'py> {
    /// Takes an array, or what numpy makes one of, with these last dimensions, of which 0 stands for any.
    pub fn new(given: &Bound<'py, PyAny>, name: &str, tail: &[usize]) -> PyResult<Self> {
        Self::read(given, name, tail, true)
    }

    fn read(given: &Bound<'py, PyAny>, name: &str, tail: &[usize], many: bool) -> PyResult<Self> {
        let py = given.py();
        let found = match given.cast::<PyArrayDyn<f64>>() {
            Ok(found) if found.is_c_contiguous() => found.clone(),
            Ok(_) | Err(_) => {
                let found = array(given, name, "fiub", "real numbers")?;
                let kwargs = [("dtype", "f8"), ("order", "C")];
                let kwargs = pyo3::types::IntoPyDict::into_py_dict(kwargs, py)?;
                let found = numpy(py)?.call_method(intern!(py, "asarray"), (found,), Some(&kwargs))?;
                found.cast_into::<PyArrayDyn<f64>>()?
            }
        };
        let shape = found.shape();
        let split = shape.len().checked_sub(tail.len());
        let fits =
            |split: &usize| shape[*split..].iter().zip(tail).all(|(have, want)| have == want || *want == 0);
        let Some(split) = split.filter(fits).filter(|split| many || *split == 0) else {
            return Err(wrong_shape(name, tail, shape, many));
        };
        let lead = shape[..split].to_vec();
        let tail = [1, 2].map(|k| shape.len().checked_sub(k).map_or(0, |i| shape[i]));
        let held = match found.len() <= FEW {
            true => Held::Few(found.to_vec()?),
            false => Held::Many(found.try_readonly()?),
        };
        Ok(Self { held, tail, lead })
    }

    /// The same without leading dimensions.
    pub fn one(given: &Bound<'py, PyAny>, name: &str, tail: &[usize]) -> PyResult<Self> {
        Self::read(given, name, tail, false)
    }

    pub fn all(&self) -> &[f64] {
        match &self.held {
            Held::Few(numbers) => numbers,
            // Contiguous, as checked.
            Held::Many(array) => array.as_slice().unwrap_or(&[]),
        }
    }

    /// The dimension that was left open, of the last two, counted from the end, from 1 on.
    pub fn size(&self, from_end: usize) -> usize {
        self.tail.get(from_end.wrapping_sub(1)).copied().unwrap_or(0)
    }

    /// All as points.
    pub fn points(&self) -> Vec<DVec3> {
        self.all().chunks_exact(3).map(DVec3::from_slice).collect()
    }
}

fn wrong_shape(name: &str, tail: &[usize], shape: &[usize], many: bool) -> PyErr {
    let size = |n: &usize| if *n == 0 { "n".to_owned() } else { n.to_string() };
    let wanted: Vec<String> = many.then(|| "…".to_owned()).into_iter().chain(tail.iter().map(size)).collect();
    let comma = if wanted.len() == 1 && !many { "," } else { "" };
    let wanted = wanted.join(", ");
    PyValueError::new_err(format!("{name}: must have shape ({wanted}{comma}), not {}", shape_text(shape)))
}

/// As Python writes a shape.
pub fn shape_text(shape: &[usize]) -> String {
    let comma = if shape.len() == 1 { "," } else { "" };
    let numbers: Vec<String> = shape.iter().map(ToString::to_string).collect();
    format!("({}{comma})", numbers.join(", "))
}

/// A point without leading dimensions.
pub fn point(given: &Bound<'_, PyAny>, name: &str) -> PyResult<DVec3> {
    Ok(DVec3::from_slice(Numbers::one(given, name, &[3])?.all()))
}

/// Whole numbers of these last dimensions.
pub fn whole_numbers(given: &Bound<'_, PyAny>, name: &str, tail: &[usize]) -> PyResult<Vec<i64>> {
    let py = given.py();
    let found = array(given, name, "iu", "whole numbers")?;
    let kwargs = pyo3::types::IntoPyDict::into_py_dict([("dtype", "i8"), ("order", "C")], py)?;
    let found = numpy(py)?.call_method(intern!(py, "asarray"), (found,), Some(&kwargs))?;
    let found = found.cast_into::<PyArrayDyn<i64>>()?;
    let shape = found.shape();
    let is_empty = shape.contains(&0) && shape.len() <= tail.len() + 1;
    let fits = shape.len() == tail.len() + 1 && shape[1..] == *tail;
    if !fits && !is_empty {
        let tail: Vec<usize> = std::iter::once(0).chain(tail.iter().copied()).collect();
        return Err(wrong_shape(name, &tail, shape, false));
    }
    Ok(found.try_readonly()?.as_slice()?.to_vec())
}

/// One body or a list of them, which counts as a leading dimension.
pub struct Bodies<'py> {
    held: Vec<Bound<'py, PyBody>>,
    pub lead: Vec<usize>,
}

impl<'py> Bodies<'py> {
    pub fn new(given: &Bound<'py, PyAny>, name: &str) -> PyResult<Self> {
        if let Ok(body) = given.cast::<PyBody>() {
            return Ok(Self { held: vec![body.clone()], lead: Vec::new() });
        }
        let is_list = given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>();
        if !is_list && !given.is_instance_of::<PyArrayDyn<Py<PyAny>>>() {
            let kind = given.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "{name}: must be a shape of sudar, such as sudar.Mesh(vertices, faces), or a list of them, not {kind}"
            )));
        }
        let mut held = Vec::new();
        for (i, one) in given.try_iter()?.enumerate() {
            let one = one?;
            let body = one.cast_into::<PyBody>().map_err(|refused| {
                let kind = refused.into_inner().get_type().name().map(|name| name.to_string());
                PyTypeError::new_err(format!(
                    "{name}[{i}]: must be a shape of sudar, not {}",
                    kind.unwrap_or_default()
                ))
            })?;
            held.push(body);
        }
        Ok(Self { lead: vec![held.len()], held })
    }

    pub fn list(&self) -> Vec<&Body> {
        self.held.iter().map(|body| &body.get().body).collect()
    }
}

/// Where bodies stand: nowhere said, (…, 4, 4) matrices, or a pair of positions (…, 3) and quaternions (…, 4).
pub enum Poses<'py> {
    Here,
    Matrices(Numbers<'py>),
    Parts { positions: Numbers<'py>, quaternions: Numbers<'py>, lead: Vec<usize>, picks: [Pick; 2] },
}

/// The numbers of poses, to be read without the interpreter.
#[derive(Clone, Copy)]
pub enum PosesView<'a> {
    Here,
    Matrices(&'a [f64]),
    Parts { positions: &'a [f64], quaternions: &'a [f64], picks: &'a [Pick; 2] },
}

impl<'py> Poses<'py> {
    pub fn new(given: Option<&Bound<'py, PyAny>>, name: &str) -> PyResult<Self> {
        let Some(given) = given else { return Ok(Self::Here) };
        let Ok(pair) = given.cast::<PyTuple>() else {
            return Ok(Self::Matrices(
                Numbers::new(given, name, &[4, 4]).map_err(|error| hint(given.py(), error))?,
            ));
        };
        if pair.len() != 2 {
            return Err(PyValueError::new_err(format!(
                "{name}: a tuple must be (position, quaternion) with the scalar last, found {} entries",
                pair.len()
            )));
        }
        let positions = Numbers::new(&pair.get_item(0)?, &format!("{name}[0], the position"), &[3])?;
        let quaternions = Numbers::new(&pair.get_item(1)?, &format!("{name}[1], the quaternion"), &[4])?;
        let lead = broadcast(&[("its position", &positions.lead), ("its quaternion", &quaternions.lead)])?;
        let picks = [Pick::new(&positions.lead, &lead), Pick::new(&quaternions.lead, &lead)];
        Ok(Self::Parts { positions, quaternions, lead, picks })
    }

    pub fn lead(&self) -> &[usize] {
        match self {
            Self::Here => &[],
            Self::Matrices(numbers) => &numbers.lead,
            Self::Parts { lead, .. } => lead,
        }
    }

    pub fn view(&self) -> PosesView<'_> {
        match self {
            Self::Here => PosesView::Here,
            Self::Matrices(numbers) => PosesView::Matrices(numbers.all()),
            Self::Parts { positions, quaternions, picks, .. } => {
                PosesView::Parts { positions: positions.all(), quaternions: quaternions.all(), picks }
            }
        }
    }

    /// The pose of an argument that stands for one.
    pub fn one(given: Option<&Bound<'py, PyAny>>, name: &str) -> PyResult<Pose> {
        let poses = Self::new(given, name)?;
        if !poses.lead().is_empty() {
            return Err(PyValueError::new_err(format!(
                "{name}: must be one pose, not {} of them",
                shape_text(poses.lead())
            )));
        }
        poses.view().at(0).map_err(|refused| PyValueError::new_err(format!("{name}: {refused}")))
    }

    /// All poses.
    pub fn all(&self, name: &str) -> PyResult<Vec<Pose>> {
        let count = self.lead().iter().product();
        let view = self.view();
        let pose = |i: usize| {
            view.at(i).map_err(|refused| {
                PyValueError::new_err(format!("{name}{}: {refused}", index_text(i, self.lead())))
            })
        };
        (0..count).map(pose).collect()
    }
}

/// Says that poses may be given otherwise.
fn hint(py: Python<'_>, error: PyErr) -> PyErr {
    let text = error.value(py).to_string();
    PyValueError::new_err(format!("{text}; or give a tuple (position, quaternion), the scalar last"))
}

impl PosesView<'_> {
    /// Pose `i`.
    #[inline(always)]
    pub fn at(&self, i: usize) -> Result<Pose, PoseError> {
        match *self {
            Self::Here => Ok(Pose::IDENTITY),
            Self::Matrices(all) => Pose::from_row_major(&all.as_chunks().0[i]),
            Self::Parts { positions, quaternions, picks } => {
                let p = DVec3::from_slice(&positions[3 * picks[0].at(i)..]);
                Pose::new(p, DQuat::from_slice(&quaternions[4 * picks[1].at(i)..]))
            }
        }
    }
}

/// The dimensions that all go together to, as numpy broadcasts them.
pub fn broadcast(leads: &[(&str, &[usize])]) -> PyResult<Vec<usize>> {
    let most = leads.iter().map(|(_, lead)| lead.len()).max().unwrap_or(0);
    let mut all = vec![1; most];
    let mut by = vec![""; most];
    for (name, lead) in leads {
        let skip = most - lead.len();
        for (i, &n) in lead.iter().enumerate() {
            let known = all[skip + i];
            if known == 1 {
                (all[skip + i], by[skip + i]) = (n, name);
            } else if n != 1 && n != known {
                let other =
                    leads.iter().find(|(other, _)| *other == by[skip + i]).map_or(&[][..], |(_, lead)| lead);
                return Err(PyValueError::new_err(format!(
                    "{} of {} and {} of {name} do not broadcast",
                    shape_text(other),
                    by[skip + i],
                    shape_text(lead)
                )));
            }
        }
    }
    Ok(all)
}

/// Which entry of an operand goes with an entry of the whole.
pub enum Pick {
    First,
    Same,
    /// Of each dimension from the last: its size, and how far apart its entries are in the operand.
    Strided(Vec<[usize; 2]>),
}

impl Pick {
    pub fn new(lead: &[usize], all: &[usize]) -> Self {
        if lead.iter().all(|n| *n == 1) {
            return Self::First;
        }
        if lead == all {
            return Self::Same;
        }
        let mut stride = 1;
        let skip = all.len() - lead.len();
        let dimension = |(i, &size): (usize, &usize)| {
            let own = if i < skip { 1 } else { lead[i - skip] };
            let step = if own == 1 { 0 } else { stride };
            stride *= own;
            [size, step]
        };
        Self::Strided(all.iter().enumerate().rev().map(dimension).collect())
    }

    #[inline]
    pub fn at(&self, i: usize) -> usize {
        match self {
            Self::First => 0,
            Self::Same => i,
            Self::Strided(dimensions) => {
                let (mut rest, mut place) = (i, 0);
                for [size, step] in dimensions {
                    place += rest % size * step;
                    rest /= size;
                }
                place
            }
        }
    }
}

/// The place of entry `i`, such as `[3, 1]`; nothing where there is one alone.
pub fn index_text(i: usize, lead: &[usize]) -> String {
    if lead.is_empty() {
        return String::new();
    }
    let mut rest = i;
    let mut places: Vec<String> = Vec::new();
    for size in lead.iter().rev() {
        places.push((rest % size.max(&1)).to_string());
        rest /= size.max(&1);
    }
    places.reverse();
    format!("[{}]", places.join(", "))
}

/// Refuses what is no number.
pub fn number(name: &str, value: f64) -> PyResult<()> {
    if value.is_nan() {
        Err(PyValueError::new_err(format!("{name}: must be a number, not NaN")))
    } else {
        Ok(())
    }
}
