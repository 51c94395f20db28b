//! How bad a clash of two sets of parts is: the cells of a clash matrix.

use serde::{Deserialize, Serialize};

/// How bad it is, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It stops the work.
    Critical,
    /// It has to be mended.
    Major,
    /// It can be settled on site.
    Minor,
}

impl Severity {
    /// Every severity, the worst first.
    pub const ALL: [Self; 3] = [Self::Critical, Self::Major, Self::Minor];

    /// The name in rules and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::Major => "major",
            Self::Minor => "minor",
        }
    }
}
