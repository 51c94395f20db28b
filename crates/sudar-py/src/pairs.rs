//! Queries on two bodies that answer with a fixed number of fields.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sudar::convex::Accuracy;
use sudar::motion::Motion;
use sudar::query::{
    Body, Distance, DistanceEnd, DistanceOptions, Impact, Penetration, Placed, Sweep, SweepOptions, Within,
    Work,
};
use sudar::{DVec3, Pose, PoseError};

use crate::arrays::{Columns, array, status};
use crate::call::{Control, Refused, each};
use crate::input::{Bodies, Pick, Poses, PosesView, broadcast, index_text};

/// Two operands of a query, each one or many bodies in one or many poses.
pub struct Operands<'py> {
    bodies: [Bodies<'py>; 2],
    poses: [Poses<'py>; 2],
    /// The dimensions that all go together to.
    pub lead: Vec<usize>,
}

/// The names of arguments in messages.
const SIDES: [[&str; 2]; 2] = [["a", "pose_a"], ["b", "pose_b"]];

impl<'py> Operands<'py> {
    pub fn new(bodies: [&Bound<'py, PyAny>; 2], poses: [Option<&Bound<'py, PyAny>>; 2]) -> PyResult<Self> {
        let bodies = [Bodies::new(bodies[0], SIDES[0][0])?, Bodies::new(bodies[1], SIDES[1][0])?];
        let poses = [Poses::new(poses[0], SIDES[0][1])?, Poses::new(poses[1], SIDES[1][1])?];
        let lead = broadcast(&[
            (SIDES[0][0], &bodies[0].lead),
            (SIDES[0][1], poses[0].lead()),
            (SIDES[1][0], &bodies[1].lead),
            (SIDES[1][1], poses[1].lead()),
        ])?;
        Ok(Self { bodies, poses, lead })
    }

    pub fn count(&self) -> usize {
        self.lead.iter().product()
    }

    /// What a query needs, without the interpreter.
    pub fn view(&self) -> OperandsView<'_> {
        let side = |i: usize| Side {
            bodies: self.bodies[i].list(),
            body: Pick::new(&self.bodies[i].lead, &self.lead),
            poses: self.poses[i].view(),
            pose: Pick::new(self.poses[i].lead(), &self.lead),
            pose_lead: self.poses[i].lead(),
        };
        OperandsView { sides: [side(0), side(1)] }
    }

    /// A query for each entry.
    pub fn each<T: Send>(
        &self,
        py: Python<'py>,
        control: &Control<'py>,
        ask: impl Fn(&mut Work<'_>, Placed, Placed) -> T + Sync,
    ) -> PyResult<Vec<T>> {
        let view = self.view();
        each(py, self.count(), control, |work, i| {
            let [(a, at), (b, to)] = view.placed(i)?;
            Ok(ask(work, a.at(&at), b.at(&to)))
        })
    }
}

/// The operands as plain numbers and bodies.
pub struct OperandsView<'a> {
    pub sides: [Side<'a>; 2],
}

impl<'a> OperandsView<'a> {
    /// The bodies and poses of entry `i`.
    #[inline]
    fn placed(&self, i: usize) -> Result<[(&'a Body, Pose); 2], Refused> {
        Ok([self.sides[0].at(i, SIDES[0][1])?, self.sides[1].at(i, SIDES[1][1])?])
    }
}

/// One operand.
pub struct Side<'a> {
    bodies: Vec<&'a Body>,
    body: Pick,
    poses: PosesView<'a>,
    pose: Pick,
    pose_lead: &'a [usize],
}

impl<'a> Side<'a> {
    /// The body and pose of entry `i`.
    #[inline]
    pub fn at(&self, i: usize, name: &str) -> Result<(&'a Body, Pose), Refused> {
        let place = self.pose.at(i);
        let pose = self.poses.at(place).map_err(|why| refused(name, place, self.pose_lead, why))?;
        Ok((self.bodies[self.body.at(i)], pose))
    }
}

/// Names the pose that was refused.
#[cold]
pub fn refused(name: &str, place: usize, lead: &[usize], why: PoseError) -> Refused {
    Refused(format!("{name}{}: {why}", index_text(place, lead)))
}

/// A yes or no, where what is undecided is refused unless it counts as one of them.
fn verdict(
    decided: Option<bool>,
    undecided: Option<bool>,
    i: usize,
    lead: &[usize],
) -> Result<bool, Refused> {
    decided.or(undecided).ok_or_else(|| {
        Refused(format!(
            "the answer{} is undecided: the limit was reached or rounding leaves it open; give a larger limit, or \
             undecided=True or False for what it is to count as",
            index_text(i, lead)
        ))
    })
}

/// Yes or no of each entry.
#[pyfunction]
#[pyo3(signature = (a, b, pose_a=None, pose_b=None, control=None, undecided=None))]
pub fn intersects<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_a: Option<&Bound<'py, PyAny>>,
    pose_b: Option<&Bound<'py, PyAny>>,
    control: Option<Control<'py>>,
    undecided: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    let operands = Operands::new([a, b], [pose_a, pose_b])?;
    let view = operands.view();
    let found = each(py, operands.count(), &control.unwrap_or_default(), |work, i| {
        let [(a, at), (b, to)] = view.placed(i)?;
        verdict(work.intersects(a.at(&at), b.at(&to)).decided(), undecided, i, &operands.lead)
    })?;
    if operands.lead.is_empty() {
        return Ok(pyo3::types::PyBool::new(py, found.first() == Some(&true)).to_owned().into_any());
    }
    Ok(array(py, found, &operands.lead, &[])?.into_any())
}

impl Default for Control<'_> {
    fn default() -> Self {
        Self { budget: sudar::effort::Budget::UNLIMITED, threads: 0, progress: None }
    }
}

/// Lower and upper end, the nearest points, their features and the status.
#[pyfunction]
#[pyo3(signature = (a, b, pose_a, pose_b, control, absolute, relative, most))]
#[expect(clippy::too_many_arguments, reason = "those of the Python function, which names them")]
pub fn distance<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_a: Option<&Bound<'py, PyAny>>,
    pose_b: Option<&Bound<'py, PyAny>>,
    control: Option<Control<'py>>,
    absolute: f64,
    relative: f64,
    most: f64,
) -> PyResult<Bound<'py, PyTuple>> {
    let operands = Operands::new([a, b], [pose_a, pose_b])?;
    let options = DistanceOptions { absolute, relative, max: most };
    let found =
        operands.each(py, &control.unwrap_or_default(), |work, a, b| work.distance(a, b, &options))?;
    distances(&found).into_tuple(py, &operands.lead)
}

/// The fields of distances.
pub fn distances(found: &[Distance]) -> Columns {
    Columns::default()
        .float(found.iter().map(|d| d.interval.lower))
        .float(found.iter().map(|d| d.interval.upper))
        .point(found.iter().map(|d| d.point_a))
        .point(found.iter().map(|d| d.point_b))
        .pair(found.iter().map(|d| d.features))
        .status(found.iter().map(|d| status::of(d.end)))
}

const NOWHERE: DVec3 = DVec3::NAN;

/// Whether, the points that show it or the plane that shows the contrary.
#[pyfunction]
#[pyo3(signature = (a, b, pose_a, pose_b, control, tolerance, undecided))]
#[expect(clippy::too_many_arguments, reason = "those of the Python function, which names them")]
pub fn within<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_a: Option<&Bound<'py, PyAny>>,
    pose_b: Option<&Bound<'py, PyAny>>,
    control: Option<Control<'py>>,
    tolerance: f64,
    undecided: Option<bool>,
) -> PyResult<Bound<'py, PyTuple>> {
    let operands = Operands::new([a, b], [pose_a, pose_b])?;
    let found = operands.each(py, &control.unwrap_or_default(), |work, a, b| work.within(a, b, tolerance))?;
    let yes_or_no = |(i, found): (usize, &Within)| verdict(found.decided(), undecided, i, &operands.lead);
    let is_within = found.iter().enumerate().map(yes_or_no).collect::<Result<Vec<bool>, _>>()?;
    let points = |found: &Within| match *found {
        Within::Yes { point_a, point_b, .. } => [point_a, point_b],
        Within::No { .. } | Within::Undecided(_) => [NOWHERE; 2],
    };
    let plane = |found: &Within| match *found {
        Within::No { plane: Some(plane), .. } => plane.normal.extend(plane.offset).to_array(),
        Within::No { plane: None, .. } | Within::Yes { .. } | Within::Undecided(_) => [f64::NAN; 4],
    };
    Columns::default()
        .bool(is_within.into_iter())
        .bool(found.iter().map(|found| found.decided().is_some()))
        .point(found.iter().map(|found| points(found)[0]))
        .point(found.iter().map(|found| points(found)[1]))
        .plane(found.iter().map(plane))
        .into_tuple(py, &operands.lead)
}

/// The interval of the signed distance, the normal, the points and the status.
#[pyfunction]
#[pyo3(signature = (a, b, pose_a, pose_b, control, absolute, relative))]
#[expect(clippy::too_many_arguments, reason = "those of the Python function, which names them")]
pub fn penetration<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_a: Option<&Bound<'py, PyAny>>,
    pose_b: Option<&Bound<'py, PyAny>>,
    control: Option<Control<'py>>,
    absolute: f64,
    relative: f64,
) -> PyResult<Bound<'py, PyTuple>> {
    let operands = Operands::new([a, b], [pose_a, pose_b])?;
    let accuracy = Accuracy { absolute, relative };
    let options = DistanceOptions { absolute, relative, max: f64::INFINITY };
    let found = operands.each(py, &control.unwrap_or_default(), |work, a, b| {
        let found = work.penetration_within(a, b, &accuracy);
        let reach = found.point_a.abs().max(found.point_b.abs()).max_element();
        (found, DistanceEnd::of(found.signed, &options, reach, work.was_stopped()))
    })?;
    let depths: Vec<Penetration> = found.iter().map(|(depth, _)| *depth).collect();
    penetrations(&depths).status(found.iter().map(|(_, end)| status::of(*end))).into_tuple(py, &operands.lead)
}

/// The fields of penetrations but the status.
pub fn penetrations(found: &[Penetration]) -> Columns {
    Columns::default()
        .float(found.iter().map(|d| d.signed.lower))
        .float(found.iter().map(|d| d.signed.upper))
        .point(found.iter().map(|d| d.normal))
        .point(found.iter().map(|d| d.point_a))
        .point(found.iter().map(|d| d.point_b))
}

/// Whether, the interval of the time of first contact, points, normal, features and status.
#[pyfunction]
#[pyo3(signature = (a, b, pose_a, pose_b, pose_a_end, pose_b_end, control, separation, delta))]
#[expect(clippy::too_many_arguments, reason = "those of the Python function, which names them")]
pub fn sweep<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_a: Option<&Bound<'py, PyAny>>,
    pose_b: Option<&Bound<'py, PyAny>>,
    pose_a_end: Option<&Bound<'py, PyAny>>,
    pose_b_end: Option<&Bound<'py, PyAny>>,
    control: Option<Control<'py>>,
    separation: f64,
    delta: Option<f64>,
) -> PyResult<Bound<'py, PyTuple>> {
    let operands = Operands::new([a, b], [pose_a, pose_b])?;
    let names = ["pose_a_end", "pose_b_end"];
    let ends = [Poses::new(pose_a_end, names[0])?, Poses::new(pose_b_end, names[1])?];
    let lead = broadcast(&[
        ("a, b and their poses", &operands.lead),
        (names[0], ends[0].lead()),
        (names[1], ends[1].lead()),
    ])?;
    let view = operands.view();
    let start = Pick::new(&operands.lead, &lead);
    let picks = [Pick::new(ends[0].lead(), &lead), Pick::new(ends[1].lead(), &lead)];
    let stays = [matches!(ends[0], Poses::Here), matches!(ends[1], Poses::Here)];
    let (leads, ends) = ([ends[0].lead(), ends[1].lead()], [ends[0].view(), ends[1].view()]);
    let found = each(py, lead.iter().product(), &control.unwrap_or_default(), |work, i| {
        let moving = |side: usize| {
            let (body, from) = view.sides[side].at(start.at(i), SIDES[side][1])?;
            if stays[side] {
                return Ok((body, Motion::still(&from)));
            }
            let place = picks[side].at(i);
            let to = ends[side].at(place).map_err(|why| refused(names[side], place, leads[side], why))?;
            Ok((body, Motion::between(&from, &to)))
        };
        let [(a, on), (b, way)] = [moving(0)?, moving(1)?];
        let [a, b] = [a.moving(&on), b.moving(&way)];
        let options = match delta {
            Some(delta) => SweepOptions::within(delta),
            None => SweepOptions::of_scene([a, b]),
        };
        Ok(work.sweep(a, b, &options.apart_by(separation)))
    })?;
    sweeps(&found).into_tuple(py, &lead)
}

/// The fields of sweeps.
pub fn sweeps(found: &[Sweep]) -> Columns {
    let impact = |get: fn(&Impact) -> DVec3| found.iter().map(move |s| s.impact().map_or(NOWHERE, get));
    let code = |sweep: &Sweep| match sweep {
        Sweep::Free | Sweep::Hit(_) => status::EXACT,
        Sweep::Undecided { reason, .. } => status::open(*reason),
    };
    Columns::default()
        .bool(found.iter().map(|s| s.impact().is_some()))
        .float(found.iter().map(Sweep::free_until))
        .float(found.iter().map(|s| s.impact().map_or(f64::INFINITY, |hit| hit.time.upper)))
        .point(impact(|hit| hit.point_a))
        .point(impact(|hit| hit.point_b))
        .point(impact(|hit| hit.normal))
        .pair(found.iter().map(|s| s.impact().map_or([u32::MAX; 2], |hit| hit.features)))
        .status(found.iter().map(code))
}
