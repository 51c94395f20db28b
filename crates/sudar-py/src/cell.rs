//! Robots among objects.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sudar::DVec3;
use sudar::query::Batch;
use sudar_robot::{
    Attached, CHUNK, CLEARANCE_CHUNK, CellOptions, Certificate, CertificateError, ClearanceOptions,
    EDGE_CHUNK, EdgeAnswer, EdgeOptions, NeverMet, Other, PairOptions, Reason, RobotCell, RobotError,
    SignedOptions,
};

use crate::arrays::{Columns, array};
use crate::body::{PyBody, refused};
use crate::call::{Control, aside, tried, watched};
use crate::input::{Numbers, Poses, number};
use crate::pairs::options as distance_options;
use crate::robot::{PyRobot, configurations};

/// What is attached: name, link, body, pose in the frame of the link, links that it may touch.
type AttachedArgs<'py> = (String, String, Bound<'py, PyBody>, Bound<'py, PyAny>, Vec<String>);

fn held((name, link, body, pose, touches): AttachedArgs<'_>) -> PyResult<Attached> {
    let pose = Poses::one(Some(&pose), "pose of an attached object")?;
    Ok(Attached { name, link, body: body.get().body.clone(), pose, touches })
}

/// A robot among objects.
#[pyclass(name = "RobotCell", module = "sudar._core", frozen)]
pub struct PyRobotCell {
    cell: RwLock<RobotCell>,
}

impl PyRobotCell {
    /// The cell to look at. Nobody waits for the interpreter while it is held for a change.
    pub fn read(&self) -> RwLockReadGuard<'_, RobotCell> {
        self.cell.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the cell, when no search runs any more.
    fn change<T: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut RobotCell) -> Result<T, RobotError> + Send,
    ) -> PyResult<T> {
        py.detach(|| change(&mut self.cell.write().unwrap_or_else(PoisonError::into_inner))).map_err(refused)
    }

    /// Configurations of the robot.
    pub fn configurations<'py>(&self, given: &Bound<'py, PyAny>, name: &str) -> PyResult<Numbers<'py>> {
        configurations(self.read().robot(), given, name)
    }

    /// Runs a search over rows in a pool, so that an interrupt stops it and progress is told; few rows at first here,
    /// where a thread would take longer to wake.
    fn searched<'py, T: Send>(
        &self,
        py: Python<'py>,
        control: Option<Control<'py>>,
        rows: usize,
        chunk: usize,
        search: impl Fn(&RobotCell, &Batch<'_>) -> Result<T, RobotError> + Send + Sync,
    ) -> PyResult<T> {
        let control = control.unwrap_or_default();
        let budget = control.budget;
        if rows <= chunk && control.is_plain() {
            let found = py.detach(|| tried(budget, &|limit| search(&self.read(), &Batch::new(limit))));
            if let Some(found) = found {
                return found.map_err(refused);
            }
        }
        let found = watched(py, &control, Some(rows), |flag, done| {
            let most = Mutex::new(0);
            let report = |chunks: usize| {
                let mut most = most.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                *most = chunks.max(*most);
                done.store((*most * chunk).min(rows), Ordering::Relaxed);
            };
            search(&self.read(), &Batch::new(budget).cancelled_by(flag).reporting(&report))
        })?;
        found.map_err(refused)
    }

    /// Runs a search over all configurations.
    fn answers<'py, T: Send>(
        &self,
        py: Python<'py>,
        q: &Numbers<'py>,
        control: Option<Control<'py>>,
        chunk: usize,
        search: impl Fn(&RobotCell, &[f64], &Batch<'_>) -> Result<T, RobotError> + Send + Sync,
    ) -> PyResult<T> {
        let (numbers, rows) = (q.all(), q.lead.iter().product());
        self.searched(py, control, rows, chunk, |cell, batch| search(cell, numbers, batch))
    }

    /// The number of a part or object, and which of both it is.
    fn number(other: Other) -> (i64, bool) {
        match other {
            Other::Part(i) => (i as i64, false),
            Other::Object(i) => (i as i64, true),
        }
    }
}

#[pymethods]
impl PyRobotCell {
    /// Makes a robot ready among named objects in their poses.
    #[new]
    #[pyo3(signature = (robot, names, bodies, poses, padding, paddings, attached, ignored, samples, seed, leave_out_never_met, check_limits, limit_tolerance))]
    #[expect(clippy::too_many_arguments, reason = "those of the Python class, which names them")]
    fn new(
        py: Python<'_>,
        robot: &Bound<'_, PyRobot>,
        names: Vec<String>,
        bodies: Vec<Bound<'_, PyBody>>,
        poses: &Bound<'_, PyAny>,
        padding: f64,
        paddings: Vec<(String, f64)>,
        attached: Vec<AttachedArgs<'_>>,
        ignored: Vec<[String; 2]>,
        samples: usize,
        seed: u64,
        leave_out_never_met: bool,
        check_limits: bool,
        limit_tolerance: f64,
    ) -> PyResult<Self> {
        let poses = Poses::new(Some(poses), "poses")?.all("poses")?;
        let named = names.into_iter().zip(&bodies).zip(poses);
        let scene = named.map(|((name, body), pose)| (name, body.get().body.clone(), pose)).collect();
        let never_met = if leave_out_never_met { NeverMet::LeftOut } else { NeverMet::Checked };
        let options = CellOptions {
            padding,
            padding_of: paddings,
            attached: attached.into_iter().map(held).collect::<PyResult<_>>()?,
            ignored,
            pairs: PairOptions { samples, seed, never_met },
            check_limits,
            limit_tolerance,
        };
        let robot = robot.get().robot.clone();
        let cell = aside(py, move || RobotCell::new(&robot, scene, &options))?.map_err(refused)?;
        Ok(Self { cell: RwLock::new(cell) })
    }

    #[getter]
    fn part_names(&self) -> Vec<String> {
        self.read().parts().iter().map(|part| part.name.clone()).collect()
    }

    #[getter]
    fn object_names(&self) -> Vec<String> {
        self.read().object_names().into_iter().map(str::to_owned).collect()
    }

    /// Adds an object.
    fn add(
        &self,
        py: Python<'_>,
        name: String,
        body: &Bound<'_, PyBody>,
        pose: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (body, pose) = (body.get().body.clone(), Poses::one(Some(pose), "pose")?);
        self.change(py, |cell| cell.add(name, body, pose))
    }

    /// Removes an object.
    fn remove(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.change(py, |cell| cell.remove(name).map(|_| ()))
    }

    /// Lets an object stand elsewhere.
    fn set_pose(&self, py: Python<'_>, name: &str, pose: &Bound<'_, PyAny>) -> PyResult<()> {
        let pose = Poses::one(Some(pose), "pose")?;
        self.change(py, |cell| cell.set_pose(name, pose))
    }

    /// Lets a link carry something more.
    fn attach(&self, py: Python<'_>, attached: AttachedArgs<'_>) -> PyResult<()> {
        let attached = held(attached)?;
        self.change(py, |cell| cell.attach(&attached))
    }

    /// Removes what a link carries.
    fn detach(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.change(py, |cell| cell.detach(name).map(|_| ()))
    }

    /// Lets a link take up an object in a configuration; the pose that it has in the link.
    fn take<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        link: &str,
        q: &Bound<'py, PyAny>,
        touches: Vec<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let q = self.configurations(q, "q")?;
        let numbers = q.all();
        let pose = self.change(py, |cell| cell.take(name, link, numbers, &touches))?;
        Ok(array(py, crate::body::matrix(&pose).to_vec(), &[], &[4, 4])?.into_any())
    }

    /// Lets what a link carries stand where it is in a configuration; the pose of the object.
    fn put<'py>(&self, py: Python<'py>, name: &str, q: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let q = self.configurations(q, "q")?;
        let numbers = q.all();
        let pose = self.change(py, |cell| cell.put(name, numbers))?;
        Ok(array(py, crate::body::matrix(&pose).to_vec(), &[], &[4, 4])?.into_any())
    }

    /// Lets two touch, or not again.
    fn allow(&self, py: Python<'_>, one: &str, other: &str, allowed: bool) -> PyResult<()> {
        self.change(py, |cell| if allowed { cell.allow(one, other) } else { cell.forbid(one, other) })
    }

    /// Maps pairs of parts: how many have a map, how many boxes were tested, which share is free.
    fn map_pairs(
        &self,
        py: Python<'_>,
        boxes: usize,
        control: Option<Control<'_>>,
    ) -> PyResult<(usize, usize, f64)> {
        let control = control.unwrap_or_default();
        let budget = control.budget;
        let report = watched(py, &control, None, |flag, _| {
            let mut cell = self.cell.write().unwrap_or_else(PoisonError::into_inner);
            cell.map_pairs(boxes, &Batch::new(budget).cancelled_by(flag))
        })?;
        Ok((report.pairs, report.boxes, report.free))
    }

    /// Where the root link stands.
    fn base<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let base = self.read().base();
        Ok(array(py, crate::body::matrix(&base).to_vec(), &[], &[4, 4])?.into_any())
    }

    fn set_base(&self, py: Python<'_>, base: &Bound<'_, PyAny>) -> PyResult<()> {
        let base = Poses::one(Some(base), "base")?;
        self.change(py, |cell| {
            cell.set_base(base);
            Ok(())
        })
    }

    /// Lets one of several robots stand elsewhere.
    fn set_base_of(&self, py: Python<'_>, robot: &str, base: &Bound<'_, PyAny>) -> PyResult<()> {
        let base = Poses::one(Some(base), "base")?;
        self.change(py, |cell| cell.set_base_of(robot, base))
    }

    /// Pairs of parts: names, why they are checked or not, and in how many samples they met.
    fn self_pairs(&self) -> Vec<(String, String, &'static str, usize, bool)> {
        let cell = self.read();
        let name = |i: usize| cell.parts()[i].name.clone();
        let pair = |pair: &sudar_robot::SelfPair| {
            (name(pair.parts[0]), name(pair.parts[1]), pair.reason.name(), pair.met, pair.is_checked())
        };
        cell.self_pairs().iter().map(pair).collect()
    }

    /// How many configurations were sampled for the pairs.
    #[getter]
    fn samples(&self) -> usize {
        self.read().samples()
    }

    /// Whether each configuration is free.
    fn check<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        control: Option<Control<'py>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let q = self.configurations(q, "q")?;
        let found = self.answers(py, &q, control, CHUNK, RobotCell::check)?;
        Columns::default().bool(found.into_iter()).into_tuple(py, &q.lead)
    }

    /// Why each configuration is free or not: 0 free, 1 outside the limits, 2 in contact, 3 undecided; the joint that
    /// is outside, the part, what it touches, and whether that is an object.
    fn explain<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        control: Option<Control<'py>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let q = self.configurations(q, "q")?;
        let found = self.answers(py, &q, control, CHUNK, RobotCell::explain)?;
        let code = |reason: &Reason| match reason {
            Reason::Free => 0,
            Reason::OutsideLimits { .. } => 1,
            Reason::Contact { .. } => 2,
            Reason::Undecided { .. } => 3,
        };
        let joint = |reason: &Reason| match *reason {
            Reason::OutsideLimits { dof, .. } => dof as i64,
            Reason::Free | Reason::Contact { .. } | Reason::Undecided { .. } => -1,
        };
        let other = |reason: &Reason| reason.pair().map_or((-1, false), |(_, other)| Self::number(other));
        Columns::default()
            .code(found.iter().map(code))
            .whole(found.iter().map(joint))
            .whole(found.iter().map(|reason| reason.pair().map_or(-1, |(part, _)| part as i64)))
            .whole(found.iter().map(|reason| other(reason).0))
            .bool(found.iter().map(|reason| other(reason).1))
            .into_tuple(py, &q.lead)
    }

    /// The first contact of each configuration: whether, the part, what it touches (and whether that is an object), and
    /// whether it is certain.
    fn first_contact<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        control: Option<Control<'py>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let q = self.configurations(q, "q")?;
        let found = self.answers(py, &q, control, CHUNK, RobotCell::first_contact)?;
        let other = |i: usize| found[i].map_or((-1, false), |contact| Self::number(contact.other));
        Columns::default()
            .bool(found.iter().map(Option::is_some))
            .whole(found.iter().map(|contact| contact.map_or(-1, |contact| contact.part as i64)))
            .whole((0..found.len()).map(|i| other(i).0))
            .bool((0..found.len()).map(|i| other(i).1))
            .bool(found.iter().map(|contact| contact.is_none_or(|contact| contact.is_certain)))
            .into_tuple(py, &q.lead)
    }

    /// The clearance of each configuration: the interval, the nearest part, the other and whether that is an object,
    /// the points, and the gradient (…, dof) if it is wanted.
    #[pyo3(signature = (q, absolute, relative, most, gradient, control))]
    #[expect(clippy::too_many_arguments, reason = "those of the Python method, which names them")]
    fn clearance<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        absolute: f64,
        relative: f64,
        most: f64,
        gradient: bool,
        control: Option<Control<'py>>,
    ) -> PyResult<(Bound<'py, PyTuple>, Option<Bound<'py, PyAny>>)> {
        let q = self.configurations(q, "q")?;
        let distance = distance_options(absolute, relative, most)?;
        let options = ClearanceOptions { distance, gradient };
        let search = |cell: &RobotCell, q: &[f64], batch: &Batch<'_>| cell.clearance(q, &options, batch);
        let found = self.answers(py, &q, control, CLEARANCE_CHUNK, search)?;
        let other = |i: usize| found[i].nearest.map_or((-1, false), |near| Self::number(near.other));
        let columns = Columns::default()
            .float(found.iter().map(|c| c.interval.lower))
            .float(found.iter().map(|c| c.interval.upper))
            .whole(found.iter().map(|c| c.nearest.map_or(-1, |near| near.part as i64)))
            .whole((0..found.len()).map(|i| other(i).0))
            .bool((0..found.len()).map(|i| other(i).1))
            .point(found.iter().map(|c| c.nearest.map_or(DVec3::NAN, |near| near.point)))
            .point(found.iter().map(|c| c.nearest.map_or(DVec3::NAN, |near| near.other_point)))
            .into_tuple(py, &q.lead)?;
        let dof = self.read().robot().dof();
        let slopes = gradient.then(|| {
            let flat = found.iter().flat_map(|c| c.gradient.iter().copied()).collect();
            array(py, flat, &q.lead, &[dof]).map(Bound::into_any)
        });
        Ok((columns, slopes.transpose()?))
    }

    /// The signed distances of pairs: the row of each, the part, what it is near to and whether that is an object, the
    /// interval, the points and the normal; and the gradients (n, dof) if they are wanted.
    #[pyo3(signature = (q, most, gradient, control))]
    fn signed_distances<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        most: f64,
        gradient: bool,
        control: Option<Control<'py>>,
    ) -> PyResult<(Bound<'py, PyTuple>, Option<Bound<'py, PyAny>>)> {
        number("max", most)?;
        let q = self.configurations(q, "q")?;
        let options = SignedOptions { max: most, gradient };
        let search =
            |cell: &RobotCell, q: &[f64], batch: &Batch<'_>| cell.signed_distances(q, &options, batch);
        let found = self.answers(py, &q, control, CLEARANCE_CHUNK, search)?;
        let each =
            || found.iter().enumerate().flat_map(|(row, pairs)| pairs.iter().map(move |pair| (row, pair)));
        let count = each().count();
        let columns = Columns::default()
            .whole(each().map(|(row, _)| row as i64))
            .whole(each().map(|(_, pair)| pair.part as i64))
            .whole(each().map(|(_, pair)| Self::number(pair.other).0))
            .bool(each().map(|(_, pair)| Self::number(pair.other).1))
            .float(each().map(|(_, pair)| pair.signed.lower))
            .float(each().map(|(_, pair)| pair.signed.upper))
            .point(each().map(|(_, pair)| pair.point))
            .point(each().map(|(_, pair)| pair.other_point))
            .point(each().map(|(_, pair)| pair.normal))
            .into_tuple(py, &[count])?;
        let dof = self.read().robot().dof();
        let slopes = gradient.then(|| {
            let flat = each().flat_map(|(_, pair)| pair.gradient.iter().copied()).collect();
            array(py, flat, &[count], &[dof]).map(Bound::into_any)
        });
        Ok((columns, slopes.transpose()?))
    }

    #[expect(clippy::too_many_arguments, reason = "those of the Python method, which names them")]
    /// Each edge from q0 to q1: 0 free, 1 hit, 2 undecided, 3 outside the limits; the interval of the time of the first
    /// contact; the part, and what it touches.
    fn check_edges<'py>(
        &self,
        py: Python<'py>,
        q0: &Bound<'py, PyAny>,
        q1: &Bound<'py, PyAny>,
        tolerance: f64,
        steps: usize,
        locate: bool,
        control: Option<Control<'py>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (q0, q1) = (self.configurations(q0, "q0")?, self.configurations(q1, "q1")?);
        let is_one = |lead: &[usize]| lead.iter().product::<usize>() == 1;
        if q0.lead != q1.lead && !is_one(&q0.lead) && !is_one(&q1.lead) {
            return Err(PyValueError::new_err(
                "q0 and q1: must have the same shape, or one of them is one configuration",
            ));
        }
        let lead = if is_one(&q0.lead) { q1.lead.clone() } else { q0.lead.clone() };
        let options = EdgeOptions { tolerance, steps, locate };
        let (first, second, rows) = (q0.all(), q1.all(), lead.iter().product());
        let found = self.searched(py, control, rows, EDGE_CHUNK, |cell, batch| {
            cell.check_edges(first, second, &options, batch)
        })?;
        edges(&found).into_tuple(py, &lead)
    }

    /// The edges between waypoints (n, dof), as `check_edges` has them.
    fn check_path<'py>(
        &self,
        py: Python<'py>,
        waypoints: &Bound<'py, PyAny>,
        tolerance: f64,
        steps: usize,
        locate: bool,
        control: Option<Control<'py>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let q = self.configurations(waypoints, "waypoints")?;
        let options = EdgeOptions { tolerance, steps, locate };
        let search = |cell: &RobotCell, q: &[f64], batch: &Batch<'_>| cell.check_path(q, &options, batch);
        let found = self.answers(py, &q, control, EDGE_CHUNK, search)?;
        edges(&found.edges).into_tuple(py, &[found.edges.len()])
    }

    /// The text of the certificate of a path (n, dof).
    fn certificate<'py>(
        &self,
        py: Python<'py>,
        waypoints: &Bound<'py, PyAny>,
        control: Option<Control<'py>>,
    ) -> PyResult<String> {
        let q = self.configurations(waypoints, "waypoints")?;
        let numbers = q.all();
        let found = watched(py, &control.unwrap_or_default(), None, |flag, _| {
            let batch = Batch::default().cancelled_by(flag);
            self.read().certificate(numbers, &batch).and_then(|certificate| certificate.to_json())
        })?;
        found.map_err(refused)
    }

    /// What the text of a certificate shows, if it is of this cell: edges, pairs, leaves, pairs that are left out, and
    /// the path (n, dof); or why it does not hold.
    fn verify<'py>(
        &self,
        py: Python<'py>,
        text: &str,
    ) -> PyResult<(Option<Bound<'py, PyTuple>>, Option<String>)> {
        let found = py.detach(|| {
            let certificate = Certificate::from_json(text)?;
            certificate.is_of(&self.read())?;
            Ok((certificate.check()?, certificate.waypoints))
        });
        let (verified, waypoints) = match found {
            Ok(found) => found,
            Err(why) => return Ok((None, Some(CertificateError::to_string(&why)))),
        };
        let (rows, dof) = (waypoints.len(), self.read().robot().dof());
        let path = array(py, waypoints.concat(), &[rows], &[dof])?;
        let left_out: Vec<(String, String, String)> =
            verified.left_out.into_iter().map(|[one, other, why]| (one, other, why)).collect();
        let fields = (verified.edges, verified.pairs, verified.leaves, left_out, path);
        Ok((Some(fields.into_pyobject(py)?), None))
    }
}

/// The edges, pairs and leaves of the text of a certificate that holds, whichever robot it is of.
#[pyfunction]
pub fn check_certificate(py: Python<'_>, text: &str) -> PyResult<(usize, usize, usize)> {
    let found = py.detach(|| Certificate::from_json(text)?.check());
    found.map(|found| (found.edges, found.pairs, found.leaves)).map_err(refused)
}

pub fn edges(found: &[EdgeAnswer]) -> Columns {
    let code = |edge: &EdgeAnswer| match edge {
        EdgeAnswer::Free => 0,
        EdgeAnswer::Hit(_) => 1,
        EdgeAnswer::Undecided { .. } => 2,
        EdgeAnswer::OutsideLimits => 3,
    };
    let time = |edge: &EdgeAnswer| match *edge {
        EdgeAnswer::Free => [f64::INFINITY; 2],
        EdgeAnswer::Hit(hit) => [hit.time.lower, hit.time.upper],
        EdgeAnswer::Undecided { free_until } => [free_until, f64::INFINITY],
        EdgeAnswer::OutsideLimits => [f64::NAN; 2],
    };
    let hit = |edge: &EdgeAnswer| match *edge {
        EdgeAnswer::Hit(hit) => Some((hit.part as i64, PyRobotCell::number(hit.other))),
        EdgeAnswer::Free | EdgeAnswer::Undecided { .. } | EdgeAnswer::OutsideLimits => None,
    };
    Columns::default()
        .code(found.iter().map(code))
        .float(found.iter().map(|edge| time(edge)[0]))
        .float(found.iter().map(|edge| time(edge)[1]))
        .whole(found.iter().map(|edge| hit(edge).map_or(-1, |hit| hit.0)))
        .whole(found.iter().map(|edge| hit(edge).map_or(-1, |hit| hit.1.0)))
        .bool(found.iter().map(|edge| hit(edge).is_some_and(|hit| hit.1.1)))
}
