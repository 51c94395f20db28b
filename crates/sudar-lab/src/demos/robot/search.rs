//! A path between the two poses, by many short searches: one in each step that is due, the shortest path stays.
//!
//! A page has no threads, and a search that has begun runs to its end: so each has few rounds. Searches from the
//! beginning with other random numbers find what one long search does not, and no clock plays a part: equal poses have
//! equal paths.

use sudar::query::Batch;
use sudar_robot::{Plan, PlanError, PlanOptions};

use super::site::{Configuration, Site};

/// Rounds of one search, of eight samples each.
pub const ROUNDS: usize = 60;

/// Of a straight way a search makes at most so many steps; ways of angles alone are shorter.
const LONG: f64 = 16.0;

/// Steps from one search to the next: as many as a slow machine makes for one picture, so that there is at most one
/// search between two pictures.
const EVERY: u32 = 4;

/// What is searched, and what was found.
#[derive(Default)]
pub struct Search {
    /// Between these poses.
    poses: Option<[Configuration; 2]>,
    /// Searches that were made between them.
    pub tries: u32,
    /// The shortest certified path.
    pub best: Option<Plan>,
    /// Why there can be none, in words.
    pub refused: Option<String>,
    wait: u32,
}

impl Search {
    /// Goes on by a step, with so many searches in all; whether something new is known.
    pub fn advance(&mut self, site: &Site, poses: &[Configuration; 2], tries: u32) -> bool {
        let is_new = self.poses.as_ref() != Some(poses);
        self.wait = self.wait.saturating_sub(1);
        if self.wait > 0 || !is_new && self.is_over(tries) {
            return false;
        }
        if is_new {
            *self = Self { poses: Some(poses.clone()), ..Self::default() };
        }
        self.wait = EVERY;
        let options = options(poses, self.tries);
        self.tries += 1;
        let [start, goal] = poses;
        match site.cell.plan(start, goal, &options, &Batch::default()) {
            Ok(plan) => self.take(plan) || is_new,
            Err(PlanError::NotFound { .. }) => true,
            Err(PlanError::Start { why, .. }) => self.refuse(format!("the start is {why}")),
            Err(PlanError::Goals { why, .. }) => self.refuse(format!("the goal is {why}")),
            Err(other) => self.refuse(other.to_string()),
        }
    }

    fn refuse(&mut self, why: String) -> bool {
        self.refused = Some(why);
        true
    }

    /// Whether no more is searched: no path is shorter than the straight one, and none leads from or to a contact.
    pub fn is_over(&self, tries: u32) -> bool {
        let is_straight = self.best.as_ref().is_some_and(|plan| plan.edges.len() <= 1);
        self.tries >= tries || is_straight || self.refused.is_some()
    }

    /// Keeps a path that is certified and shorter.
    fn take(&mut self, plan: Plan) -> bool {
        let is_better = self.best.as_ref().is_none_or(|best| plan.length < best.length);
        let is_taken = is_better && plan.is_certified();
        if is_taken {
            self.best = Some(plan);
        }
        is_taken
    }

    /// What is to be known, in a line.
    pub fn says(&self, tries: u32) -> String {
        let made = if self.is_over(tries) {
            String::new()
        } else {
            format!(" ({} of {tries} searches)", self.tries)
        };
        match (&self.best, &self.refused) {
            (_, Some(why)) => format!("no path: {why}"),
            (Some(plan), None) => {
                let edges = plan.edges.len();
                let plural = if edges == 1 { "" } else { "s" };
                format!(
                    "path: {edges} straight piece{plural}, each certified free; length {:.3}{made}",
                    plan.length
                )
            }
            (None, None) if self.is_over(tries) => {
                format!("no path in {tries} searches of {ROUNDS} rounds; there may be one: allow more")
            }
            (None, None) => format!("no path yet{made}"),
        }
    }
}

/// How a path between two poses is searched. Where slides make the way long, steps are longer too: their number is what
/// a search costs.
fn options([start, goal]: &[Configuration; 2], seed: u32) -> PlanOptions {
    let squares = start.iter().zip(goal).map(|(a, b)| (a - b) * (a - b));
    let plain = PlanOptions::default();
    let longer = (squares.sum::<f64>().sqrt() / (LONG * plain.range)).clamp(1.0, 1e9);
    PlanOptions {
        seed: u64::from(seed),
        time: None,
        rounds: ROUNDS,
        range: longer * plain.range,
        resolution: longer * plain.resolution,
        ..plain
    }
}
