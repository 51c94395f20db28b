//! Straight edges in joint space, certified over the whole motion.
//!
//! At the middle of an interval of time each pair is proved free of contact for all of it if the two are farther apart
//! than they can move towards each other within half the interval ([`travel`](super::travel)). Otherwise the interval
//! is halved with the pairs that are left, the widest intervals first; long edges begin with several. A contact that is
//! found at some time makes all later intervals idle. So nothing is sampled: what is proved free is free at every real
//! time between.

use sudar::Interval;
use sudar::query::Batch;

use super::halving::Edge;
use super::screen::Sampled;
use super::{Other, RobotCell};
use crate::RobotError;

/// Edges that one task does; batches report their progress in these.
pub const EDGE_CHUNK: usize = 8;

/// How exactly edges are checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeOptions {
    /// How wide an interval of time may be left that is neither free nor in contact, as a part of the edge.
    pub tolerance: f64,
    /// Configurations that are looked at for one edge, at most; more are needed only where the robot moves along an
    /// obstacle and nearly touches it.
    pub steps: usize,
    /// Whether a contact is traced back to the first, to the tolerance. If not, the answer tells whether the edge is
    /// free and no more, which is several times cheaper where it is not: samples reject it first, any contact ends the
    /// search, the time of a hit begins where no more was proved, and one place that stays open is enough to be
    /// undecided.
    pub locate: bool,
}

/// Samples that may reject an edge whose first contact is not asked for.
const SAMPLES: usize = 15;

impl Default for EdgeOptions {
    fn default() -> Self {
        Self { tolerance: 1e-3, steps: 4096, locate: true }
    }
}

/// What is known of a straight edge q(t) = q0 + t (q1 − q0), 0 ≤ t ≤ 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EdgeAnswer {
    /// Free of contact at every t. Certain.
    Free,
    /// In contact.
    Hit(EdgeHit),
    /// Not known: a grazing passage nearer than the tolerance resolves, or the steps or the budget ended. To be taken
    /// for not free.
    Undecided {
        /// There is certainly no contact before this t.
        free_until: f64,
    },
    /// An end is outside the limits of a joint, and the options of the cell check these.
    OutsideLimits,
}

/// The first contact on an edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeHit {
    /// Free of contact before `lower`, in contact at `upper`, both certain. The interval is no wider than the tolerance
    /// unless the robot grazes something before, or the first contact was not asked for.
    pub time: Interval,
    /// The part that is in contact at `upper`, by its number in [`RobotCell::parts`].
    pub part: usize,
    /// With what.
    pub other: Other,
}

impl EdgeAnswer {
    /// Whether the edge is certainly free.
    pub fn is_free(&self) -> bool {
        matches!(self, Self::Free)
    }
}

/// What is known of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct PathAnswer {
    /// The answer for each edge, from a waypoint to the next.
    pub edges: Vec<EdgeAnswer>,
}

impl PathAnswer {
    /// Whether all of it is certainly free.
    pub fn is_free(&self) -> bool {
        self.edges.iter().all(EdgeAnswer::is_free)
    }

    /// The first edge that is not, and its answer.
    pub fn first_not_free(&self) -> Option<(usize, &EdgeAnswer)> {
        self.edges.iter().enumerate().find(|(_, edge)| !edge.is_free())
    }
}

impl RobotCell {
    /// Checks the straight edges from each configuration of `q0` to the one of `q1` in the same row, over the whole
    /// motion of every link. One configuration alone stands for as many as the other list has.
    ///
    /// Angles go straight from value to value, without a wrap at a full turn. Where a configuration and the limits of
    /// joints are concerned as [`check`](Self::check). A time in the budget of the batch is for each edge, nodes for
    /// each query on the way; what they leave open is undecided.
    ///
    /// # Errors
    /// [`RobotError::Rows`], [`RobotError::Value`], [`RobotError::Edges`] unless both lists are of one length
    /// or one of them is one configuration, [`RobotError::NotALength`] for a tolerance below 0.
    pub fn check_edges(
        &self,
        q0: &[f64],
        q1: &[f64],
        options: &EdgeOptions,
        batch: &Batch<'_>,
    ) -> Result<Vec<EdgeAnswer>, RobotError> {
        let (first, second) = (self.robot.rows(q0)?, self.robot.rows(q1)?);
        if first != second && first != 1 && second != 1 {
            return Err(RobotError::Edges { first, second });
        }
        let edges = if first == 1 { second } else { first };
        let of = |q, rows: usize, row: usize| self.robot.row(q, if rows == 1 { 0 } else { row });
        self.edges(edges, options, batch, |row| [of(q0, first, row), of(q1, second, row)])
    }

    /// Checks a path: the straight edges from each waypoint to the next. One waypoint alone is an edge to itself.
    ///
    /// # Errors
    /// As [`check_edges`](Self::check_edges).
    pub fn check_path(
        &self,
        waypoints: &[f64],
        options: &EdgeOptions,
        batch: &Batch<'_>,
    ) -> Result<PathAnswer, RobotError> {
        let rows = self.robot.rows(waypoints)?;
        let edges = rows.saturating_sub(1).max(rows.min(1));
        let ends = |row: usize| [row, (row + 1).min(rows - 1)].map(|row| self.robot.row(waypoints, row));
        Ok(PathAnswer { edges: self.edges(edges, options, batch, ends)? })
    }

    fn edges<'q>(
        &self,
        edges: usize,
        options: &EdgeOptions,
        batch: &Batch<'_>,
        ends: impl Fn(usize) -> [&'q [f64]; 2] + Sync,
    ) -> Result<Vec<EdgeAnswer>, RobotError> {
        let EdgeOptions { tolerance, .. } = *options;
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return Err(RobotError::NotALength {
                what: "the tolerance of an edge".to_owned(),
                value: tolerance,
            });
        }
        Ok(self.each_row(edges, EDGE_CHUNK, batch, |work, scratch, row| {
            let ends = ends(row);
            if ends.iter().any(|q| self.outside_limits(q).is_some()) {
                return EdgeAnswer::OutsideLimits;
            }
            let edge = Edge::new(self, ends, *options);
            let sampled =
                if options.locate { Sampled::Open } else { self.sampled(work, scratch, ends, SAMPLES) };
            let edge = match sampled {
                Sampled::Free => edge.sampled(1.0 / (SAMPLES + 1) as f64),
                Sampled::Hit(hit) => return EdgeAnswer::Hit(hit),
                Sampled::Open => edge,
            };
            edge.run(work, &mut batch.meter(), scratch)
        }))
    }
}
