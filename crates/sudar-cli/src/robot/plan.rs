//! `sudar robot --plan`: a path from the first configuration to one of the others.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde::Serialize;
use sudar::query::Batch;
use sudar_formats::{Rows, npy_of_rows};
use sudar_robot::{Plan, PlanError, PlanOptions, RobotCell, TimingOptions, Trajectory};

use super::answers::answer;
use super::certificate::CertificateDocument;
use super::options::Args;
use crate::progress::Waiting;
use crate::report::{self, count, table};

/// What became of a plan, for programs.
#[derive(Debug, Serialize)]
pub struct PlanDocument {
    pub found: bool,
    /// Whether every edge is certainly free.
    pub certified: bool,
    /// Why there is no path.
    pub why: Option<String>,
    /// Which of the goals it ends at, from 0.
    pub goal: usize,
    pub length: f64,
    /// What takes the robot along it, in seconds.
    pub duration: f64,
    pub waypoints: Vec<Vec<f64>>,
    /// When each is reached.
    pub times: Vec<f64>,
    /// What is known of each edge.
    pub edges: Vec<&'static str>,
    pub rounds: usize,
    pub nodes: [usize; 2],
    pub seconds: f64,
    /// The certificate, if one was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<CertificateDocument>,
}

/// Plans from the first row to one of the others; with a path goes its motion.
pub fn plan(args: &Args, cell: &RobotCell, q: &[f64]) -> Result<(PlanDocument, Option<Trajectory>)> {
    let dof = cell.robot().dof();
    let (start, goals) = q.split_at(dof.min(q.len()));
    ensure!(!goals.is_empty(), "a plan needs two rows or more: the start, then the goals");
    let waiting = Waiting::new("planning");
    let began = Instant::now();
    let found = cell.plan(start, goals, &options(args)?, &Batch::default());
    let seconds = began.elapsed().as_secs_f64();
    drop(waiting);
    match found {
        Ok(plan) => {
            let timing = TimingOptions { acceleration: args.acceleration, ..TimingOptions::default() };
            let motion = Trajectory::new(cell.robot(), &plan.waypoints, &timing)?;
            Ok((PlanDocument::of(&plan, &motion, dof, seconds), Some(motion)))
        }
        Err(error) if is_none(&error) => Ok((PlanDocument::none(&error, seconds), None)),
        Err(error) => Err(error.into()),
    }
}

/// Whether the question is right and there is no path.
fn is_none(error: &PlanError) -> bool {
    matches!(error, PlanError::NotFound { .. } | PlanError::Start { .. } | PlanError::Goals { .. })
}

fn options(args: &Args) -> Result<PlanOptions> {
    let mut options = PlanOptions { seed: args.seed, ..PlanOptions::default() };
    // More seconds than a duration holds are no limit.
    options.time = Duration::try_from_secs_f64(args.seconds).ok();
    options.improve = args.improve.unwrap_or(0) as usize;
    options.joints = (!args.joints.is_empty()).then(|| args.joints.clone());
    Ok(options)
}

impl PlanDocument {
    fn of(plan: &Plan, motion: &Trajectory, dof: usize, seconds: f64) -> Self {
        Self {
            found: true,
            certified: plan.is_certified(),
            why: None,
            goal: plan.goal,
            length: plan.length,
            duration: motion.duration(),
            waypoints: plan.waypoints.chunks(dof.max(1)).map(<[f64]>::to_vec).collect(),
            times: motion.times(),
            edges: plan.edges.iter().map(answer).collect(),
            rounds: plan.statistics.rounds,
            nodes: plan.statistics.nodes,
            seconds,
            certificate: None,
        }
    }

    fn none(error: &PlanError, seconds: f64) -> Self {
        let statistics =
            if let PlanError::NotFound { statistics, .. } = error { *statistics } else { Default::default() };
        Self {
            found: false,
            certified: false,
            why: Some(error.to_string()),
            goal: 0,
            length: 0.0,
            duration: 0.0,
            waypoints: Vec::new(),
            times: Vec::new(),
            edges: Vec::new(),
            rounds: statistics.rounds,
            nodes: statistics.nodes,
            seconds,
            certificate: None,
        }
    }

    /// Writes the waypoints: .npy of them alone, .csv with the time at which each is reached.
    pub fn write(&self, path: &Path, cell: &RobotCell) -> Result<()> {
        if path.extension().is_some_and(|ending| ending == "csv") {
            return report::write_whole(path, self.csv(cell));
        }
        let rows = Rows { columns: cell.robot().dof(), values: self.waypoints.concat() };
        report::write_whole(path, npy_of_rows(&rows))
    }

    fn csv(&self, cell: &RobotCell) -> String {
        let mut text = format!("time,{}\n", cell.robot().joint_names().join(","));
        for (time, row) in self.times.iter().zip(&self.waypoints) {
            let row: Vec<String> = row.iter().map(f64::to_string).collect();
            // Writing to a string does not fail.
            let _ = writeln!(text, "{time},{}", row.join(","));
        }
        text
    }

    /// For people.
    pub fn text(&self, names: &[&str]) -> String {
        let Some(why) = &self.why else { return self.path(names) };
        format!("no path: {why}\n")
    }

    /// What is known of the path, in a line.
    pub fn title(&self) -> String {
        let certified = self.certainty();
        let edges = count(self.edges.len(), "edge");
        format!("a path of {edges}, {:.2} s, {certified}", self.duration)
    }

    fn certainty(&self) -> String {
        if self.certified {
            return "certified: free of contact at every instant".to_owned();
        }
        let open = self.edges.iter().filter(|edge| **edge != "free").count();
        format!("NOT certified: {} undecided; samples are free", count(open, "edge"))
    }

    fn path(&self, names: &[&str]) -> String {
        let certified = self.certainty();
        let head: Vec<&str> = ["seconds"].into_iter().chain(names.iter().copied()).collect();
        let right: Vec<usize> = (0..head.len()).collect();
        let rows = self.times.iter().zip(&self.waypoints).map(|(time, row)| {
            [time].into_iter().chain(row).map(|x| format!("{x:.4}")).collect::<Vec<String>>()
        });
        format!(
            "a path of {} in {:.3} s, {certified}; length {:.3}, {:.2} s to go along it\n",
            count(self.edges.len(), "edge"),
            self.seconds,
            self.length,
            self.duration
        ) + &table(&head, &right, rows)
            + &self.certificate.as_ref().map_or(String::new(), CertificateDocument::text)
    }
}
