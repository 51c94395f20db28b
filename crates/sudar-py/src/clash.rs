//! Clash checks.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use serde_json::Value;
use sudar::query::Batch;
use sudar_clash::{
    Baseline, Check, ClashKind, DepthMeasure, Document, Earlier, GroupBy, Length, LengthError, Part, Rules,
    Subject, TouchBand,
};
use sudar_cli::api::{self, ReadOptions};

use crate::arrays::array;
use crate::call::{Control, Refused, watched};
use crate::files::Reading;
use crate::input::{Bodies, Poses, one_line};

/// A length: a number in the unit of the parts, or a text that names its unit.
#[derive(FromPyObject)]
enum Given {
    Number(f64),
    Text(String),
}

impl Given {
    fn length(&self) -> Result<Length, LengthError> {
        match self {
            Self::Number(number) => Length::new(*number),
            Self::Text(text) => text.parse(),
        }
    }
}

/// What is looked for, by the names of the arguments in Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Search {
    clearance: Option<Given>,
    rules: Vec<PathBuf>,
    touch: Option<Given>,
    min_depth: Option<Given>,
    kinds: Vec<String>,
    a: Vec<String>,
    b: Vec<String>,
    sets: Vec<(String, String)>,
    group: String,
    group_radius: Option<Given>,
    depth: String,
    reopen_growth: f64,
    baseline: Option<PathBuf>,
    html: Option<PathBuf>,
}

impl Search {
    /// The check; without a band of its own that of files, or none for bodies.
    pub fn check(&self, is_of_files: bool) -> Result<Check, Refused> {
        let usual = if is_of_files { TouchBand::Usual } else { TouchBand::Exact };
        let rules = self.rules.iter().map(|path| api::rules(path, &self.sets));
        Ok(Check {
            clearance: length("clearance", self.clearance.as_ref())?,
            touch: length("touch", self.touch.as_ref())?.map_or(usual, TouchBand::Given),
            min_depth: length("min_depth", self.min_depth.as_ref())?,
            kinds: self
                .kinds
                .iter()
                .map(|kind| one_of(kind, "kinds", &ClashKind::ALL, ClashKind::name))
                .collect::<Result<_, _>>()?,
            a: self.a.clone(),
            b: self.b.clone(),
            sets: Rules::parse_with("", &self.sets).map_err(|why| Refused(format!("sets: {why}")))?,
            rules: rules.collect::<Result<_, _>>().map_err(said)?,
            group: one_of(&self.group, "group", &GroupBy::ALL, GroupBy::name)?,
            group_radius: length("group_radius", self.group_radius.as_ref())?,
            depth: one_of(&self.depth, "depth", &DepthMeasure::ALL, DepthMeasure::name)?,
            reopen_growth: Some(self.reopen_growth).filter(|share| *share >= 0.0),
            is_timed: true,
        })
    }

    /// The earlier document, if there is one.
    pub fn baseline(&self) -> Result<Option<Baseline>, Refused> {
        self.baseline.as_deref().map(api::baseline).transpose().map_err(said)
    }

    /// Checks the parts, and writes the report page if one is wanted.
    fn found(&self, parts: Parts, flag: &AtomicBool, done: &AtomicUsize) -> Result<Found, Refused> {
        let baseline = self.baseline()?;
        let check = self.check(matches!(parts, Parts::Files(..)))?;
        let title = parts.title();
        let subject = parts.subject()?;
        let earlier = Earlier { baseline: baseline.as_ref(), ..Earlier::default() };
        let batch = Batch::default().cancelled_by(flag);
        let tell = |count: usize, _: usize| {
            done.fetch_max(count, Ordering::Relaxed);
        };
        let checked = check.run(&subject, earlier, &batch, &tell);
        let mut checked = checked.map_err(|why| Refused(one_line(&why.to_string())))?;
        checked.document.origin.date = Some(api::now());
        if let Some(path) = &self.html {
            let page = api::write_page(path, &title, self.baseline.as_deref(), &subject, &checked);
            page.map_err(said)?;
        }
        Found::of(&checked.document)
    }
}

fn length(option: &str, given: Option<&Given>) -> Result<Option<Length>, Refused> {
    given.map(Given::length).transpose().map_err(|why| Refused(format!("{option}: {why}")))
}

/// One of several things by its name.
fn one_of<T: Copy>(text: &str, option: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, Refused> {
    let names = || all.iter().map(|one| name(*one)).collect::<Vec<_>>().join(", ");
    let found = all.iter().copied().find(|one| name(*one) == text);
    found.ok_or_else(|| Refused(format!("{option}: '{text}' is none of {}", names())))
}

/// An error with its causes, on one line.
pub fn said(why: impl std::fmt::Display) -> Refused {
    Refused(one_line(&format!("{why:#}")))
}

/// What is checked: files, or named bodies in their poses.
enum Parts {
    Files(Vec<PathBuf>, ReadOptions),
    Bodies(Vec<Part>),
}

impl Parts {
    fn title(&self) -> String {
        match self {
            Self::Files(files, _) => {
                files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
            }
            Self::Bodies(_) => "given parts".to_owned(),
        }
    }

    fn subject(self) -> Result<Subject, Refused> {
        match self {
            Self::Files(files, options) => api::subject(&files, &options).map_err(said),
            Self::Bodies(parts) => Ok(Subject::given(parts)),
        }
    }
}

/// The fields of the clashes of files, or of named bodies in their poses, the names of all parts, and the document.
#[pyfunction]
#[pyo3(signature = (search, files, reading, names, bodies, poses, control))]
#[allow(clippy::too_many_arguments, reason = "one for each thing that Python hands over")]
pub fn clash<'py>(
    py: Python<'py>,
    search: Search,
    files: Vec<PathBuf>,
    reading: Reading,
    names: Vec<String>,
    bodies: Option<&Bound<'py, PyAny>>,
    poses: Option<&Bound<'py, PyAny>>,
    control: Option<Control<'py>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let parts = match bodies {
        Some(bodies) => {
            let bodies = Bodies::new(bodies, "parts")?;
            let poses = Poses::new(poses, "poses")?.all("poses")?;
            let named = names.into_iter().zip(bodies.list()).zip(poses);
            let part = |((name, body), pose): ((String, &sudar::query::Body), _)| Part {
                name,
                body: body.clone(),
                pose,
            };
            Parts::Bodies(named.map(part).collect())
        }
        None => Parts::Files(files, reading.options()?),
    };
    let control = control.unwrap_or_default();
    watched(py, &control, None, |flag, done| search.found(parts, flag, done))??.into_tuple(py)
}

/// What a check found, free of the parts.
pub struct Found {
    parts: [Vec<i64>; 2],
    kinds: Vec<&'static str>,
    depths: Vec<f64>,
    distances: Vec<f64>,
    points: Vec<f64>,
    names: Vec<String>,
    document: Value,
}

impl Found {
    pub fn of(document: &Document<'_>) -> Result<Self, Refused> {
        let clashes = &document.clashes;
        let number = |part: usize| i64::try_from(part).unwrap_or(-1);
        Ok(Self {
            parts: [
                clashes.iter().map(|clash| number(clash.a)).collect(),
                clashes.iter().map(|clash| number(clash.b)).collect(),
            ],
            kinds: clashes.iter().map(|clash| clash.kind.name()).collect(),
            depths: clashes.iter().map(|clash| clash.depth.unwrap_or(f64::NAN)).collect(),
            distances: clashes.iter().map(|clash| clash.distance).collect(),
            points: clashes.iter().flat_map(|clash| clash.point.to_array()).collect(),
            names: document.parts.iter().map(|part| part.name.to_owned()).collect(),
            document: serde_json::to_value(document).map_err(|why| Refused(why.to_string()))?,
        })
    }

    pub fn into_tuple(self, py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        let count = [self.kinds.len()];
        let [a, b] = self.parts;
        let fields = [
            array(py, a, &count, &[])?.into_any(),
            array(py, b, &count, &[])?.into_any(),
            self.kinds.into_bound_py_any(py)?,
            array(py, self.depths, &count, &[])?.into_any(),
            array(py, self.distances, &count, &[])?.into_any(),
            array(py, self.points, &count, &[3])?.into_any(),
            self.names.into_bound_py_any(py)?,
            python(py, &self.document)?,
        ];
        PyTuple::new(py, fields)
    }
}

/// A value of JSON as Python's json has it.
fn python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(value) => value.into_bound_py_any(py),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into_bound_py_any(py),
            None => number.as_f64().into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(list) => {
            let list = list.iter().map(|value| python(py, value)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyList::new(py, list)?.into_any())
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (key, value) in fields {
                dict.set_item(key, python(py, value)?)?;
            }
            Ok(dict.into_any())
        }
    }
}
