//! What of a memory can be written down and taken up later.
//!
//! Nothing that is read back is believed: bounds are found anew, triangle numbers are compared with the bodies, and a front
//! is used only if it holds every pair of triangles. So a damaged or foreign memory can cost time and no answer.

use crate::tree::Group;

/// Where searches on two bodies began last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Saved {
    /// Triangles that met or were nearest.
    pub features: Option<[u32; 2]>,
    /// The groups of the front, each with its pairs as bits.
    pub front: Vec<(Group, u8)>,
}
