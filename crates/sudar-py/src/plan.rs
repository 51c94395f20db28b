//! Plans, their times, and inverse kinematics.

use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use sudar_robot::{
    EdgeOptions, Plan, PlanError, PlanOptions, PlanStatistics, ReachOptions, TimingOptions, Trajectory,
};

use crate::arrays::array;
use crate::body::refused;
use crate::call::{Control, watched};
use crate::cell::{PyRobotCell, edges};
use crate::input::Poses;
use crate::robot::{PyRobot, configurations};

/// What is found, or why there is none.
type Found<'py> = (Option<Bound<'py, PyTuple>>, Option<String>);

/// A path from a start (dof) to one of the goals (n, dof): the waypoints, what is known of their edges, the goal, the
/// length and the counts; or the reason why there is none.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "those of the Python method, which names them")]
pub fn plan<'py>(
    py: Python<'py>,
    cell: &Bound<'py, PyRobotCell>,
    start: &Bound<'py, PyAny>,
    goals: &Bound<'py, PyAny>,
    seed: u64,
    seconds: Option<f64>,
    rounds: usize,
    range: f64,
    resolution: f64,
    shortcuts: usize,
    improve: usize,
    steps: usize,
    joints: Option<Vec<String>>,
    control: Option<Control<'py>>,
) -> PyResult<Found<'py>> {
    let cell = cell.get();
    let (start, goals) = (cell.configurations(start, "start")?, cell.configurations(goals, "goals")?);
    let edge = EdgeOptions { steps, ..PlanOptions::default().edge };
    let time = seconds.map(time).transpose()?;
    let options = PlanOptions { seed, time, rounds, range, resolution, shortcuts, improve, edge, joints };
    let (start, goals) = (start.all(), goals.all());
    let control = control.unwrap_or_default();
    let found = watched(py, &control, None, |flag, _| {
        let batch = sudar::query::Batch::new(control.budget).cancelled_by(flag);
        cell.read().plan(start, goals, &options, &batch)
    })?;
    match found {
        Ok(plan) => Ok((Some(answer(py, &plan, cell.read().robot().dof())?), None)),
        Err(error) => match &error {
            PlanError::NotFound { .. } | PlanError::Start { .. } | PlanError::Goals { .. } => {
                Ok((None, Some(error.to_string())))
            }
            _ => Err(refused(error)),
        },
    }
}

fn time(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyValueError::new_err(format!("seconds: must be a number from 0 on, not {seconds}")))
}

fn answer<'py>(py: Python<'py>, plan: &Plan, dof: usize) -> PyResult<Bound<'py, PyTuple>> {
    let rows = plan.waypoints.len() / dof.max(1);
    let waypoints = array(py, plan.waypoints.clone(), &[rows], &[dof])?;
    let edges = edges(&plan.edges).into_tuple(py, &[plan.edges.len()])?;
    let PlanStatistics {
        rounds,
        nodes,
        configurations,
        certifications,
        refused,
        shortcuts,
        improvements,
        ..
    } = plan.statistics;
    let counts = [
        ("rounds", rounds),
        ("start_nodes", nodes[0]),
        ("goal_nodes", nodes[1]),
        ("configurations", configurations),
        ("certifications", certifications),
        ("refused", refused),
        ("shortcuts", shortcuts),
        ("searches_to_improve", improvements[0]),
        ("improvements", improvements[1]),
    ];
    (waypoints, edges, plan.goal, plan.length, PyList::new(py, counts)?).into_pyobject(py)
}

/// The motion along waypoints (n, dof): when each is reached (n), and at the times asked for (m) the configurations,
/// velocities and accelerations, (m, dof) each.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "those of the Python method, which names them")]
pub fn trajectory<'py>(
    py: Python<'py>,
    robot: &Bound<'py, PyRobot>,
    waypoints: &Bound<'py, PyAny>,
    velocity: f64,
    acceleration: f64,
    velocity_of: Vec<(String, f64)>,
    acceleration_of: Vec<(String, f64)>,
    times: Vec<f64>,
) -> PyResult<Bound<'py, PyTuple>> {
    let robot = &robot.get().robot;
    let waypoints = configurations(robot, waypoints, "waypoints")?;
    let options = TimingOptions { velocity, acceleration, velocity_of, acceleration_of };
    let motion = Trajectory::new(robot, waypoints.all(), &options).map_err(refused)?;
    let states: Vec<_> = times.iter().map(|time| motion.at(*time)).collect();
    let flat = |of: fn(&sudar_robot::TrajectoryState) -> &Vec<f64>| {
        array(
            py,
            states.iter().flat_map(|state| of(state).iter().copied()).collect(),
            &[times.len()],
            &[robot.dof()],
        )
    };
    let reached = motion.times();
    let count = reached.len();
    let fields = (
        array(py, reached, &[count], &[])?,
        flat(|state| &state.configuration)?,
        flat(|state| &state.velocity)?,
        flat(|state| &state.acceleration)?,
    );
    fields.into_pyobject(py)
}

/// Configurations (n, dof) at which a link has a pose.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "those of the Python method, which names them")]
pub fn reach<'py>(
    py: Python<'py>,
    robot: &Bound<'py, PyRobot>,
    link: &str,
    pose: &Bound<'py, PyAny>,
    position: f64,
    angle: f64,
    seeds: usize,
    seed: u64,
    steps: usize,
    start: Option<Bound<'py, PyAny>>,
    joints: Option<Vec<String>>,
    control: Option<Control<'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let robot = &robot.get().robot;
    let pose = Poses::one(Some(pose), "pose")?;
    let from = start.map(|start| configurations(robot, &start, "start")).transpose()?;
    let from = from.map(|from| from.all().to_vec());
    let options = ReachOptions { position, angle, seeds, seed, steps, from, joints };
    let control = control.unwrap_or_default();
    let found = watched(py, &control, None, |flag, _| {
        robot.reach(link, &pose, &options, &sudar::query::Batch::default().cancelled_by(flag))
    })?;
    let found = found.map_err(refused)?;
    let rows = found.len() / robot.dof().max(1);
    Ok(array(py, found, &[rows], &[robot.dof()])?.into_any())
}
