//! Limits on work, and what was done.

use std::time::Duration;

/// Limits on the work of one query: nodes of trees, time, or both.
///
/// The same number of nodes gives the same answer, bit for bit, on every machine; a time does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Most nodes of trees, or pairs of nodes, that may be opened. A query that needs no tree costs nothing.
    pub nodes: u64,
    /// Longest time. The clock is read every few hundred nodes, so a query ends some microseconds later than this.
    pub time: Option<Duration>,
}

impl Budget {
    /// No limit.
    pub const UNLIMITED: Self = Self { nodes: u64::MAX, time: None };

    /// Limits the nodes that may be opened; any amount of time.
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes, time: None }
    }

    /// Limits the time; any amount of work.
    pub const fn time(time: Duration) -> Self {
        Self { nodes: u64::MAX, time: Some(time) }
    }

    /// Adds a limit on the time.
    #[must_use]
    pub const fn and_time(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::UNLIMITED
    }
}

/// Why a query ended before it reached the requested accuracy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum StopReason {
    /// Rounding ended the search: a cylinder, cone or ellipsoid is so near to touching, or to a limit, that
    /// `f64` cannot tell, or an interval can be no narrower. Mostly within a few units in the last place of
    /// the coordinates, at worst within some 1e-9 of the sizes.
    Precision,
    /// The work allowed was used up, or the query was cancelled.
    Budget,
}

/// A result that may be incomplete because a budget ended the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Partial<T> {
    /// The result up to the point where the query ended.
    pub found: T,
    /// Whether the query came to its end, so that nothing is missing. Lists end before that by
    /// [`StopReason::Budget`] alone, or with the number that was wanted.
    pub complete: bool,
}

/// Counts of the work that queries did. They depend on the bodies, poses and budgets alone, not on the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Statistics {
    /// Nodes, or pairs of nodes, that were opened.
    pub nodes: u64,
    /// Triangles, or pairs of triangles, that were tested one by one in `f64`.
    pub triangles: u64,
    /// Queries answered from the memory of an earlier one, without opening a node.
    pub remembered: u64,
}

impl std::ops::AddAssign for Statistics {
    fn add_assign(&mut self, more: Self) {
        self.nodes += more.nodes;
        self.triangles += more.triangles;
        self.remembered += more.remembered;
    }
}
