//! What a store holds beside meshes and parts.

use serde::{Deserialize, Serialize};
use sudar::WeldReport;
use sudar_formats::{GridAxis, Level, LostElement};

/// Where the parts come from, and what was noticed about them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// The files that were packed, as reports show them.
    pub files: Vec<String>,
    /// The files that could not be read, and why.
    pub failed: Vec<FailedFile>,
    /// The elements that are no parts, or not wholly, each with the number of its file.
    pub lost: Vec<(u32, LostElement)>,
    /// What was noticed about the files, line by line.
    pub notes: Vec<String>,
    /// The storeys, where they stand, in the unit of the store.
    pub levels: Vec<Level>,
    /// The axes of grids, where they stand. Families are numbered over all files.
    pub axes: Vec<GridAxis>,
    /// What welding changed, each report once; parts name them by number.
    pub welds: Vec<WeldReport>,
}

/// A file that was to be packed and could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailedFile {
    /// Which.
    pub file: String,
    /// Why, and what to do.
    pub error: String,
}

impl About {
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }

    /// None for bytes that are no such document, or hold numbers that are not finite.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let about: Self = serde_json::from_slice(bytes).ok()?;
        let lines = about.axes.iter().flat_map(|axis| axis.line).flatten();
        let welds = about.welds.iter().flat_map(|weld| [weld.tolerance, weld.farthest]);
        let mut numbers = about.levels.iter().map(|level| level.elevation).chain(lines).chain(welds);
        numbers.all(f64::is_finite).then_some(about)
    }
}
