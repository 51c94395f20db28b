//! How a plan is searched.

use std::time::Duration;

use super::error::PlanError;
use crate::{EdgeOptions, Robot, RobotError};

/// Samples of one round of the search, which are worked at once.
pub const PLAN_ROUND: usize = 8;

/// How a plan is searched. The defaults suit arms of 6 or 7 joints.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanOptions {
    /// Where the random numbers begin. The path depends on it, and not on the number of threads.
    pub seed: u64,
    /// When the search gives up; it ends with the round that is under way, mostly within milliseconds. A path that is
    /// found before is the same for any limit, but for how often it is made shorter. `None`: the number of rounds alone
    /// ends it.
    pub time: Option<Duration>,
    /// So many rounds of samples at most; each takes [`PLAN_ROUND`] samples.
    pub rounds: usize,
    /// The longest edge of a tree, as a distance of configurations: the root of the sum of squares of radians and
    /// metres.
    pub range: f64,
    /// How far apart the configurations are that test an edge before it is certified, as such a distance. A small one
    /// costs more for each edge, a large one more paths that fail to be certified.
    pub resolution: f64,
    /// So many rounds of shortcuts; 0 leaves the path as it was found.
    pub shortcuts: usize,
    /// So many more searches for a shorter path, each among the configurations that can be on one, until the time ends;
    /// 0 takes the first path that is found. For a number that the time suffices for, the path does not depend on the
    /// time.
    pub improve: usize,
    /// How edges are certified. What is undecided after so many steps is taken for blocked.
    pub edge: EdgeOptions,
    /// The joints that may move, by their names among [`Robot::joint_names`]; the others keep their value of the start.
    /// `None` for all.
    pub joints: Option<Vec<String>>,
}

impl Default for PlanOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            time: Some(Duration::from_secs(10)),
            rounds: 100_000,
            range: 1.0,
            resolution: 0.05,
            shortcuts: 12,
            improve: 0,
            edge: EdgeOptions { steps: 512, locate: false, ..EdgeOptions::default() },
            joints: None,
        }
    }
}

/// Most samples of one edge.
const MOST_SAMPLES: f64 = 1e6;

impl PlanOptions {
    /// Refuses lengths that are none.
    pub(super) fn validate(&self) -> Result<(), PlanError> {
        let lengths = [("the range of a plan", self.range), ("the resolution of a plan", self.resolution)];
        for (what, value) in lengths {
            if !(value > 0.0 && value.is_finite()) {
                return Err(PlanError::NotPositive { what, value });
            }
        }
        let samples = self.range / self.resolution;
        if samples > MOST_SAMPLES {
            return Err(PlanError::TooFine { range: self.range, resolution: self.resolution });
        }
        Ok(())
    }

    /// For each number of a configuration whether it may change.
    pub(super) fn moving(&self, robot: &Robot) -> Result<Vec<bool>, PlanError> {
        let Some(names) = &self.joints else { return Ok(vec![true; robot.dof()]) };
        let mut moving = vec![false; robot.dof()];
        for name in names {
            let at = robot.dofs().iter().position(|dof| dof.name == *name);
            let unknown = || RobotError::Unknown {
                by: "the options of a plan".to_owned(),
                what: "joint",
                name: name.clone(),
            };
            moving[at.ok_or_else(unknown)?] = true;
        }
        Ok(moving)
    }
}
