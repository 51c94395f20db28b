//! What a clash check gives.

use sudar::effort::Statistics;

use crate::found::Clash;

/// Result of a clash check.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
#[non_exhaustive]
pub struct ClashReport {
    /// What was found, sorted by (a, b).
    pub clashes: Vec<Clash>,
    /// The parts that have equal meshes in the same place, of each such place where there are several. They clash with
    /// each other, and alike with all others.
    pub same_place: Vec<Vec<usize>>,
    /// How many more clashes parts of the same place have: beyond the 32nd of a place, only the clash with the first is
    /// listed.
    pub unlisted: usize,
    /// How many pairs of parts the broad phase left to be examined, or to clash alike.
    pub candidates: usize,
    /// Pairs that a budget or a flag left open, sorted: each may clash or not.
    pub undecided: Vec<[usize; 2]>,
    /// What all queries did together.
    pub statistics: Statistics,
}
