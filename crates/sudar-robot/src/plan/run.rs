//! The way to a plan: ends that are free, a search, shortcuts, and the check of what comes out.

use sudar::Interval;
use sudar::query::Batch;

use super::answer::Plan;
use super::error::PlanError;
use super::informed::Informed;
use super::options::PlanOptions;
use super::search::Search;
use super::shorten::{length, shortened};
use super::task::Task;
use crate::sample::range;
use crate::{Contact, RobotCell};

/// A search for a shorter path takes so many rounds for each that found the first, and some more.
const MORE_ROUNDS: usize = 4;
const SOME_ROUNDS: usize = 50;

impl RobotCell {
    /// Searches for a path from a configuration to one of the goals that is free of contact at every instant, and
    /// makes it shorter.
    ///
    /// The search is RRT-Connect (Kuffner and LaValle 2000) with samples on the edges; every edge of the path returned
    /// is then certified as [`check_edges`](Self::check_edges) does it, and where that fails the search goes on without
    /// it. Only where no such path was found in time, but one with edges that are *undecided*, that one is returned:
    /// [`Plan::is_certified`] tells. Goals that are not free are left out. Numbers of [`turns`](crate::Robot::turns) go
    /// the shortest way round, where that is free.
    ///
    /// The path is the same for any number of threads. Each query has the budget of the batch; progress is not
    /// reported.
    ///
    /// # Errors
    /// [`PlanError`]; [`PlanError::NotFound`] if the search ends first, which does not prove that there is no path.
    pub fn plan(
        &self,
        start: &[f64],
        goals: &[f64],
        options: &PlanOptions,
        batch: &Batch<'_>,
    ) -> Result<Plan, PlanError> {
        options.validate()?;
        let starts = self.robot().rows(start)?;
        if starts != 1 {
            return Err(PlanError::Starts { found: starts });
        }
        let moving = options.moving(self.robot())?;
        let goals = self.goals(start, goals, &moving, batch)?;
        let mut task = Task::new(self, options, batch);
        let rows: Vec<&[f64]> = goals.iter().map(|(_, goal)| &goal[..]).collect();
        let path = if rows.contains(&start) {
            vec![start.to_vec()]
        } else {
            let ranges = self.ranges(start, &rows, &moving);
            let found = Search::new(&mut task, start, &rows, ranges.clone()).run();
            let found = found.map_err(|until| PlanError::NotFound { until, statistics: task.statistics });
            let path = shortened(&mut task, found?);
            improved(&mut task, path, &ranges)
        };
        let waypoints = path.concat();
        let edges = self.check_path(&waypoints, &options.edge, batch)?.edges;
        let last = path.last().map_or(start, |q| &q[..]);
        Ok(Plan {
            edges,
            length: length(&path),
            goal: reached(&task, &goals, last),
            waypoints,
            statistics: task.statistics,
        })
    }

    /// The goals that can be reached by the joints that move, are within the limits and free, with their rows.
    fn goals(
        &self,
        start: &[f64],
        goals: &[f64],
        moving: &[bool],
        batch: &Batch<'_>,
    ) -> Result<Vec<(usize, Vec<f64>)>, PlanError> {
        let rows = self.robot().rows(goals)?;
        if goals.is_empty() && self.robot().dof() > 0 {
            return Err(PlanError::NoGoals);
        }
        if let Some((why, contact)) = self.why_not(start, batch)? {
            return Err(PlanError::Start { why, contact });
        }
        let held = |goal: &[f64]| (0..goal.len()).find(|&i| !moving[i] && goal[i] != start[i]);
        let free = self.check(goals, batch)?;
        let row = |i: usize| self.robot().row(goals, i);
        let usable = (0..rows).filter(|&i| free[i] && held(row(i)).is_none());
        let usable: Vec<(usize, Vec<f64>)> = usable.map(|i| (i, row(i).to_vec())).collect();
        if !usable.is_empty() {
            return Ok(usable);
        }
        if let Some(i) = held(row(0)) {
            let joint = self.robot().dofs()[i].name.clone();
            return Err(PlanError::Held { joint, start: start[i], goal: row(0)[i] });
        }
        let (why, contact) = self.why_not(row(0), batch)?.unwrap_or_default();
        Err(PlanError::Goals { why, contact })
    }

    /// Why a configuration is not valid, in words; `None` if it is.
    fn why_not(&self, q: &[f64], batch: &Batch<'_>) -> Result<Option<(String, Option<Contact>)>, PlanError> {
        if self.check(q, batch)? == [true] {
            return Ok(None);
        }
        if let Some(i) = self.outside_limits(q) {
            let (dof, q) = (&self.robot().dofs()[i], q[i]);
            let Interval { lower, upper } = dof.limits;
            let why = format!("outside the limits: joint '{}' is {q}, not from {lower} to {upper}", dof.name);
            return Ok(Some((why, None)));
        }
        let contact = self.first_contact(q, batch)?[0];
        let why = contact.map_or("not certainly free".to_owned(), |contact| {
            let (part, other) = (&self.parts()[contact.part].name, self.name_of(contact.other));
            let perhaps = if contact.is_certain { "" } else { "perhaps " };
            format!("{perhaps}in contact: '{part}' with '{other}'")
        });
        Ok(Some((why, contact)))
    }

    /// Where each joint is sampled: within its limits, and at least between the start and the goals.
    fn ranges(&self, start: &[f64], goals: &[&[f64]], moving: &[bool]) -> Vec<Interval> {
        let of = |i: usize| {
            if !moving[i] {
                return Interval::point(start[i]);
            }
            let Interval { lower, upper } = range(&self.robot().dofs()[i]);
            let ends = || goals.iter().map(|goal| goal[i]).chain([start[i]]);
            Interval { lower: ends().fold(lower, f64::min), upper: ends().fold(upper, f64::max) }
        };
        (0..start.len()).map(of).collect()
    }
}

/// The goal that a path ends at, by its row: the nearest, as whole turns are rounded.
fn reached(task: &Task<'_>, goals: &[(usize, Vec<f64>)], last: &[f64]) -> usize {
    let far = |goal: &[f64]| task.turns.distance_squared(last, goal);
    let nearest = goals.iter().min_by(|a, b| far(&a.1).total_cmp(&far(&b.1)));
    nearest.map_or(0, |(row, _)| *row)
}

/// A shorter path than one that was found, by more searches, if the options ask for them.
fn improved(task: &mut Task<'_>, path: Vec<Vec<f64>>, ranges: &[Interval]) -> Vec<Vec<f64>> {
    let rounds = SOME_ROUNDS + MORE_ROUNDS * task.statistics.rounds;
    let mut best = path;
    for number in 1..=task.options.improve {
        // No path is shorter than the straight one.
        if best.len() < 3 || task.end().is_some() {
            break;
        }
        task.statistics.improvements[0] += 1;
        let (start, goal) = (best[0].clone(), best[best.len() - 1].clone());
        let informed = Informed::new([start.clone(), goal.clone()], length(&best));
        let search = Search::new(task, &start, &[&goal], ranges.to_vec()).shorter(informed, number, rounds);
        let Some(found) = search.run_certified() else { continue };
        let found = shortened(task, found);
        if length(&found) < length(&best) {
            best = found;
            task.statistics.improvements[1] += 1;
        }
    }
    best
}
