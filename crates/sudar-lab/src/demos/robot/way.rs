//! Ways from one pose to another: the straight one, whose first contact is told, and one that a search has found.

use sudar::DVec3;
use sudar::query::Batch;
use sudar_robot::{EdgeAnswer, EdgeOptions, SignedDistance, SignedOptions, TimingOptions, Trajectory};

use super::site::{Configuration, Site};
use crate::demo::DemoError;

/// Points of the line of the tip on a way between two waypoints.
const POINTS: usize = 32;

/// How exactly the first contact is told, as a part of the way.
const EXACT: f64 = 1e-4;

/// How fast joints speed up, in rad/s² or m/s².
const ACCELERATION: f64 = 3.0;

/// A way that the robot goes.
pub struct Way {
    trajectory: Trajectory,
    /// Where the tip is on the way.
    pub line: Vec<DVec3>,
}

impl Way {
    /// Straight from waypoint to waypoint.
    pub fn new(site: &Site, waypoints: &[f64]) -> Result<Self, DemoError> {
        let timing = TimingOptions { acceleration: ACCELERATION, ..TimingOptions::default() };
        let trajectory = Trajectory::new(site.cell.robot(), waypoints, &timing).map_err(DemoError::of)?;
        let rows: Vec<&[f64]> = waypoints.chunks(site.dof()).collect();
        let line = rows.windows(2).flat_map(|pair| line(site, pair[0], pair[1])).collect();
        Ok(Self { trajectory, line })
    }

    /// Where the robot is at a part of the time that it takes.
    pub fn at(&self, along: f64) -> Configuration {
        self.trajectory.at(along * self.trajectory.duration()).configuration
    }

    /// How long it takes, in seconds.
    pub fn duration(&self) -> f64 {
        self.trajectory.duration()
    }
}

/// What is known of the straight way.
pub struct Straight {
    pub ends: [Configuration; 2],
    pub answer: EdgeAnswer,
    /// Where it is in contact first.
    pub contact: Option<(Configuration, SignedDistance)>,
    pub line: Vec<DVec3>,
}

impl Straight {
    /// Checks the whole way from one pose to another, the shorter way round of joints without limits.
    pub fn new(site: &Site, [from, to]: &[Configuration; 2]) -> Result<Self, DemoError> {
        let options = EdgeOptions { tolerance: EXACT, ..EdgeOptions::default() };
        let to = site.cell.robot().nearest_turn(from, to).map_err(DemoError::of)?;
        let answers = site.cell.check_edges(from, &to, &options, &Batch::default());
        let answer = answers.map_err(DemoError::of)?.first().copied();
        let answer = answer.unwrap_or(EdgeAnswer::Undecided { free_until: 0.0 });
        let contact = if let EdgeAnswer::Hit(hit) = answer {
            let there = between(from, &to, hit.time.upper);
            let all = distances(site, &there)?;
            let found = all.into_iter().find(|found| (found.part, found.other) == (hit.part, hit.other));
            found.map(|found| (there, found))
        } else {
            None
        };
        Ok(Self { line: line(site, from, &to), ends: [from.clone(), to], answer, contact })
    }

    /// Until when it is certainly free.
    pub fn free_until(&self) -> f64 {
        match self.answer {
            EdgeAnswer::Free => 1.0,
            EdgeAnswer::Hit(hit) => hit.time.lower,
            EdgeAnswer::Undecided { free_until } => free_until,
            EdgeAnswer::OutsideLimits => 0.0,
        }
    }
}

/// The signed distances of all pairs.
pub fn distances(site: &Site, q: &[f64]) -> Result<Vec<SignedDistance>, DemoError> {
    let options = SignedOptions { gradient: false, ..SignedOptions::default() };
    let mut all = site.cell.signed_distances(q, &options, &Batch::default()).map_err(DemoError::of)?;
    Ok(all.pop().unwrap_or_default())
}

/// Where the tip is on a straight way.
fn line(site: &Site, from: &[f64], to: &[f64]) -> Vec<DVec3> {
    let at = |k: usize| between(from, to, k as f64 / POINTS as f64);
    site.tips(&(0..=POINTS).flat_map(at).collect::<Vec<f64>>())
}

fn between(from: &[f64], to: &[f64], part: f64) -> Configuration {
    from.iter().zip(to).map(|(a, b)| a + (b - a) * part).collect()
}
