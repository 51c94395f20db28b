//! How much a clash is, in one figure, and whether it has grown since.

use std::fmt;

use serde::{Deserialize, Serialize};
use sudar::Aabb;

use crate::options::ClashKind;

/// What a figure measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// How deep the parts are in each other: the upper end.
    Depth,
    /// How far they are apart.
    Gap,
    /// Of a touch within the band: the diagonals of the boxes around its regions, together.
    Extent,
}

impl Measure {
    /// The name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Gap => "gap",
            Self::Extent => "extent",
        }
    }

    /// What clashes of a kind are measured by.
    pub(crate) const fn of(kind: ClashKind) -> Self {
        match kind {
            ClashKind::Duplicate | ClashKind::Contained | ClashKind::Hard => Self::Depth,
            ClashKind::Clearance => Self::Gap,
            ClashKind::Touch => Self::Extent,
        }
    }
}

/// How a clash differs from what it was, in the unit of the results.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// What was measured.
    pub of: Measure,
    /// The figure as it was.
    pub was: f64,
    /// The figure as it is.
    pub now: f64,
}

impl fmt::Display for Change {
    /// "depth 0.1 to 0.7", in four digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = |x: f64| format!("{x:.3e}").parse::<f64>().unwrap_or(x);
        write!(f, "{} {} to {}", self.of.name(), digits(self.was), digits(self.now))
    }
}

/// What counts as a change of a figure: more than this share of it, and more than the band of what counts as touching.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// From 0 on; a tenth unless it is given.
    pub share: f64,
    /// In the unit of the results.
    pub band: f64,
}

impl Growth {
    /// The share unless one is given.
    pub const SHARE: f64 = 0.1;

    /// Whether a change is one for the worse: deeper, larger or nearer.
    pub fn is_worse(&self, change: &Change) -> bool {
        self.counts(change, change.now - change.was)
    }

    /// Whether a change is one for the better.
    pub fn is_better(&self, change: &Change) -> bool {
        self.counts(change, change.was - change.now)
    }

    /// Whether a figure that is greater by so much counts; of gaps, one that is less.
    fn counts(&self, change: &Change, more: f64) -> bool {
        let growth = if change.of == Measure::Gap { -more } else { more };
        growth > (self.share * change.was).max(self.band)
    }
}

impl Default for Growth {
    fn default() -> Self {
        Self { share: Self::SHARE, band: 0.0 }
    }
}

/// The diagonals of the boxes around regions, together; none without regions.
pub(crate) fn extent(boxes: impl Iterator<Item = Aabb>) -> Option<f64> {
    boxes.map(|bounds| bounds.extent().length()).reduce(|sum, one| sum + one)
}
