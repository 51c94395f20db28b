//! When a robot is where on a path.
//!
//! A robot that goes along a path with corners and keeps within limits of acceleration has to stop at each corner. So
//! each edge is a motion of its own from rest to rest, straight in joint space: with s from 0 to 1 along it, a joint
//! that changes by Δ keeps its limits if |s'| ≤ v/|Δ| and |s''| ≤ a/|Δ|. The fastest such motion speeds up with the
//! least of the bounds on s'', goes on with the least of those on s' if it gets that fast, and slows down. That is the
//! shortest time for this path.

use super::error::PlanError;
use crate::node::Place;
use crate::{Robot, RobotError};

/// How fast joints may go.
#[derive(Debug, Clone, PartialEq)]
pub struct TimingOptions {
    /// For joints whose limit the file does not give, in rad/s or m/s.
    pub velocity: f64,
    /// For joints that are not named below, in rad/s² or m/s²: URDF has no limits of acceleration.
    pub acceleration: f64,
    /// For single joints, by their names among [`Robot::joint_names`], in place of what the file says.
    pub velocity_of: Vec<(String, f64)>,
    /// The same for accelerations.
    pub acceleration_of: Vec<(String, f64)>,
}

impl Default for TimingOptions {
    fn default() -> Self {
        Self { velocity: 1.0, acceleration: 1.0, velocity_of: Vec::new(), acceleration_of: Vec::new() }
    }
}

/// A path with times: straight from waypoint to waypoint, at rest at each, as fast as the limits allow.
#[derive(Debug, Clone, PartialEq)]
pub struct Trajectory {
    dof: usize,
    waypoints: Vec<f64>,
    edges: Vec<Edge>,
}

/// Where a robot is at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct TrajectoryState {
    /// The configuration.
    pub configuration: Vec<f64>,
    /// How fast each joint goes, in rad/s or m/s.
    pub velocity: Vec<f64>,
    /// How fast that changes, in rad/s² or m/s². Where it jumps, the value after.
    pub acceleration: Vec<f64>,
}

/// The motion along an edge.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Edge {
    /// When it begins.
    from: f64,
    /// Bounds on s' and s''.
    speed: f64,
    push: f64,
    /// How long it speeds up, and how long it slows down; how long it goes on between.
    ramp: f64,
    cruise: f64,
}

impl Trajectory {
    /// The fastest motion along a path of one or more waypoints, row by row.
    ///
    /// The limits of velocity are those of the file, of joints that mimic too. O(waypoints · joints).
    ///
    /// # Errors
    /// [`PlanError::Robot`] for waypoints that are no configurations and names of no joint, [`PlanError::NoWaypoints`],
    /// [`PlanError::NotPositive`] for limits that are not above 0.
    pub fn new(robot: &Robot, waypoints: &[f64], options: &TimingOptions) -> Result<Self, PlanError> {
        if robot.rows(waypoints)? == 0 {
            return Err(PlanError::NoWaypoints);
        }
        let dof = robot.dof();
        let velocity = named(robot, options.velocity, &velocities(robot), &options.velocity_of)?;
        let acceleration = named(robot, options.acceleration, &[], &options.acceleration_of)?;
        let rows: Vec<&[f64]> = waypoints.chunks(dof.max(1)).collect();
        let mut edges = Vec::new();
        let mut from = 0.0;
        for pair in rows.windows(2) {
            let edge = Edge::new(from, pair, &velocity, &acceleration);
            from = edge.end();
            edges.push(edge);
        }
        Ok(Self { dof, waypoints: waypoints.to_vec(), edges })
    }

    /// How long it takes, in seconds.
    pub fn duration(&self) -> f64 {
        self.edges.last().map_or(0.0, Edge::end)
    }

    /// When each waypoint is reached, in seconds: 0 first.
    pub fn times(&self) -> Vec<f64> {
        [0.0].into_iter().chain(self.edges.iter().map(Edge::end)).collect()
    }

    /// Where the robot is at a time: at the first waypoint before 0, at the last after the end. O(log waypoints).
    pub fn at(&self, time: f64) -> TrajectoryState {
        let i = self.edges.partition_point(|edge| edge.end() <= time);
        let row = |i: usize| &self.waypoints[i * self.dof..][..self.dof];
        let Some(edge) = self.edges.get(i) else {
            let last = (self.waypoints.len() / self.dof.max(1)).saturating_sub(1);
            let still = vec![0.0; self.dof];
            return TrajectoryState {
                configuration: row(last).to_vec(),
                velocity: still.clone(),
                acceleration: still,
            };
        };
        let [s, speed, push] = edge.at(time);
        let (a, b) = (row(i), row(i + 1));
        let times = |factor: f64| a.iter().zip(b).map(|(a, b)| (b - a) * factor).collect();
        TrajectoryState {
            configuration: super::tree::between(a, b, s),
            velocity: times(speed),
            acceleration: times(push),
        }
    }
}

impl Edge {
    fn new(from: f64, ends: &[&[f64]], velocity: &[f64], acceleration: &[f64]) -> Self {
        let least = |limits: &[f64]| {
            let bounds = ends[0].iter().zip(ends[1]).zip(limits).map(|((a, b), most)| most / (b - a).abs());
            bounds.fold(f64::INFINITY, f64::min)
        };
        let (speed, push) = (least(velocity), least(acceleration));
        if !push.is_finite() {
            return Self { from, speed: 0.0, push: 0.0, ramp: 0.0, cruise: 0.0 };
        }
        // Half of the way is done when it is as fast as it gets.
        let ramp = (speed / push).min(1.0 / push.sqrt());
        let speed = push * ramp;
        Self { from, speed, push, ramp, cruise: (1.0 / speed - ramp).max(0.0) }
    }

    fn end(&self) -> f64 {
        self.from + 2.0 * self.ramp + self.cruise
    }

    /// s and its two derivatives at a time.
    fn at(&self, time: f64) -> [f64; 3] {
        let Self { speed, push, ramp, cruise, .. } = *self;
        let passed = (time - self.from).max(0.0);
        if passed < ramp {
            return [0.5 * push * passed * passed, push * passed, if time < self.from { 0.0 } else { push }];
        }
        let left = 2.0 * ramp + cruise - passed;
        if left > ramp {
            return [0.5 * speed * ramp + speed * (passed - ramp), speed, 0.0];
        }
        [1.0 - 0.5 * push * left * left, push * left, -push]
    }
}

/// The limits of velocity in the file for each number of a configuration; infinite where there is none.
fn velocities(robot: &Robot) -> Vec<f64> {
    let mut limits = vec![f64::INFINITY; robot.dof()];
    for (joint, Place { first, last, .. }) in robot.joints().iter().zip(&robot.places) {
        for node in robot.nodes.get(*first..=*last).unwrap_or_default() {
            if let (Some(by), true) = (node.motion.coordinate(), joint.velocity > 0.0) {
                let limit = &mut limits[by.dof as usize];
                *limit = limit.min(joint.velocity / by.factor.abs());
            }
        }
    }
    limits
}

/// Limits by name before those of the file, and these before that for all.
fn named(robot: &Robot, all: f64, of_file: &[f64], of: &[(String, f64)]) -> Result<Vec<f64>, PlanError> {
    let positive = |value: f64| {
        let is_positive = value > 0.0 && value.is_finite();
        if is_positive {
            Ok(value)
        } else {
            Err(PlanError::NotPositive { what: "a limit of a joint", value })
        }
    };
    let all = positive(all)?;
    let mut limits: Vec<f64> = vec![all; robot.dof()];
    for (limit, file) in limits.iter_mut().zip(of_file) {
        if file.is_finite() {
            *limit = *file;
        }
    }
    for (name, value) in of {
        let unknown =
            || RobotError::Unknown { by: "a limit of a joint".to_owned(), what: "joint", name: name.clone() };
        let at = robot.dofs().iter().position(|dof| dof.name == *name).ok_or_else(unknown)?;
        limits[at] = positive(*value)?;
    }
    Ok(limits)
}
