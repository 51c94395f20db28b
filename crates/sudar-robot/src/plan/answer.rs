//! A plan, and what was done to find it.

use crate::EdgeAnswer;

/// A path from the start to a goal.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The configurations at which the path turns, row by row: the start first, a goal last. Between two of them it is
    /// straight in joint space. Numbers of [`Robot::turns`](crate::Robot::turns) go on beyond a full turn where that is
    /// the shorter way, so that the last one may be whole turns from the goal.
    pub waypoints: Vec<f64>,
    /// What is known of each edge between them. All are free unless none but an undecided path was found.
    pub edges: Vec<EdgeAnswer>,
    /// Its length: the sum over the edges of the root of the sum of squares, in radians and metres.
    pub length: f64,
    /// Which goal it ends at, by its row.
    pub goal: usize,
    /// What was done to find it.
    pub statistics: PlanStatistics,
}

/// What was done in a search. Counts depend on the options alone, not on the machine, unless the time limit ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PlanStatistics {
    /// Rounds of [`PLAN_ROUND`](super::PLAN_ROUND) samples.
    pub rounds: usize,
    /// Nodes of the tree from the start, and of that from the goals.
    pub nodes: [usize; 2],
    /// Configurations that were tested.
    pub configurations: usize,
    /// Edges that were certified or refused.
    pub certifications: usize,
    /// Paths that samples told free and that could not be certified.
    pub refused: usize,
    /// Shortcuts that were taken.
    pub shortcuts: usize,
    /// More searches that were made for a shorter path, and how many of them found one.
    pub improvements: [usize; 2],
}

impl Plan {
    /// Whether the whole path is certainly free of contact, at every instant.
    pub fn is_certified(&self) -> bool {
        self.edges.iter().all(EdgeAnswer::is_free)
    }
}
