//! Queries on two bodies that answer with a fixed number of fields.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sudar::convex::Accuracy;
use sudar::motion::Motion;
use sudar::query::{
    Distance, DistanceEnd, DistanceOptions, Impact, Penetration, Sweep, SweepOptions, Within,
};
use sudar::{DVec3, Pose};

use crate::arrays::{Columns, array, status};
use crate::call::{Control, Refused, each};
use crate::input::{Pick, Poses, broadcast, index_text, number};
use crate::operands::{EachPose, Operands};

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
    let found = operands.try_each(py, &control.unwrap_or_default(), |work, a, b, i| {
        verdict(work.intersects(a, b).decided(), undecided, i, &operands.lead)
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
    let options = options(absolute, relative, most)?;
    let operands = Operands::new([a, b], [pose_a, pose_b])?;
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

/// The options of a search for a distance.
pub fn options(absolute: f64, relative: f64, most: f64) -> PyResult<DistanceOptions> {
    [("abs", absolute), ("rel", relative), ("max", most)]
        .into_iter()
        .try_for_each(|(name, x)| number(name, x))?;
    Ok(DistanceOptions { absolute, relative, max: most })
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
    number("tolerance", tolerance)?;
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
    number("abs", absolute)?;
    number("rel", relative)?;
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
    number("separation", separation)?;
    number("delta", delta.unwrap_or(0.0))?;
    let operands = Operands::new([a, b], [pose_a, pose_b])?;
    let names = ["pose_a_end", "pose_b_end"];
    let ends = [Poses::new(pose_a_end, names[0])?, Poses::new(pose_b_end, names[1])?];
    let lead = broadcast(&[
        ("a, b and their poses", &operands.lead),
        (names[0], ends[0].lead()),
        (names[1], ends[1].lead()),
    ])?;
    let start = Pick::new(&operands.lead, &lead);
    let sides = operands.sides()?;
    let stays = [matches!(ends[0], Poses::Here), matches!(ends[1], Poses::Here)];
    let ends = [EachPose::new(&ends[0], &lead, names[0])?, EachPose::new(&ends[1], &lead, names[1])?];
    let found = each(py, lead.iter().product(), &control.unwrap_or_default(), |work, i| {
        let moving = |side: usize| {
            let [mut here, mut there] = [Pose::IDENTITY; 2];
            let at = sides[side].placed(start.at(i), &mut here)?;
            let motion = match stays[side] {
                true => Motion::still(at.pose()),
                false => Motion::between(at.pose(), ends[side].at(i, &mut there)?),
            };
            Ok((sides[side].body(start.at(i)), motion))
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
