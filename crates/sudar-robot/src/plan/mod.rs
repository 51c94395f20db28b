//! Plans: paths from a start to a goal that are free of contact at every instant.
//!
//! The [`search`] tests edges by samples, in rounds of a fixed size on all cores; what it finds is certified as
//! [`check_edges`](crate::RobotCell::check_edges) certifies edges, then made shorter by [`shorten`], which puts nothing
//! in place of an edge but what is certified. Nothing depends on the number of threads; the time limit decides
//! only when the search gives up.

mod answer;
mod error;
mod informed;
mod options;
mod run;
mod search;
mod shorten;
mod task;
mod timing;
mod tree;

pub use answer::{Plan, PlanStatistics};
pub use error::{PlanEnd, PlanError};
pub use options::{PLAN_ROUND, PlanOptions};
pub use timing::{TimingOptions, Trajectory, TrajectoryState};
