//! Why there is no plan.

use thiserror::Error;

use super::answer::PlanStatistics;
use crate::{Contact, RobotError};

/// Why there is no plan, on one line, with what to do about it.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// Configurations or options that the robot does not have.
    #[error(transparent)]
    Robot(#[from] RobotError),
    /// Not one start.
    #[error("a plan begins at one configuration, found {found}; give one row")]
    Starts {
        /// How many rows there are.
        found: usize,
    },
    /// No goal.
    #[error("a plan needs a goal; give one row or more")]
    NoGoals,
    /// A path without a configuration.
    #[error("a trajectory needs a waypoint; give one row or more")]
    NoWaypoints,
    /// An option that must be above 0.
    #[error("{what} must be a finite number above 0, found {value}")]
    NotPositive {
        /// What.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// More samples on one edge than any search can test.
    #[error(
        "a resolution of {resolution} is too fine for a range of {range}: take a millionth of it or more"
    )]
    TooFine {
        /// The range.
        range: f64,
        /// The resolution.
        resolution: f64,
    },
    /// Every goal asks a joint to move that may not.
    #[error(
        "joint '{joint}' may not move, but is {start} at the start and {goal} at the goal; name it or change one"
    )]
    Held {
        /// The joint.
        joint: String,
        /// Its value at the start.
        start: f64,
        /// Its value at the first goal.
        goal: f64,
    },
    /// The start is outside the limits of a joint, or not certainly free of contact.
    #[error("the start is {why}; start from a configuration that is free")]
    Start {
        /// In words, with the names of what is in contact.
        why: String,
        /// What is in contact; `None` for limits.
        contact: Option<Contact>,
    },
    /// The same of every goal.
    #[error("no goal is free: the first is {why}; give a goal that is free")]
    Goals {
        /// In words, with the names of what is in contact.
        why: String,
        /// What is in contact with the first goal; `None` for limits.
        contact: Option<Contact>,
    },
    /// The search ended without a path. That is no proof that there is none.
    #[error("no path was found {until}; there may be one: allow more time or rounds, or try another seed")]
    NotFound {
        /// What ended it.
        until: PlanEnd,
        /// What was done.
        statistics: PlanStatistics,
    },
}

/// What ended a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanEnd {
    /// The time limit.
    Time,
    /// The number of rounds.
    Rounds,
    /// The flag of the batch.
    Cancelled,
}

impl std::fmt::Display for PlanEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Time => "within the time limit",
            Self::Rounds => "within the number of rounds",
            Self::Cancelled => "before the search was cancelled",
        })
    }
}
