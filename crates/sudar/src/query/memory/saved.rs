//! What of a memory can be written down and taken up later.
//!
//! Nothing that is read back is believed: bounds are found anew, and triangle numbers are compared with the
//! bodies. So a damaged or foreign memory can cost time and no answer.

/// Where searches on two bodies began last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Saved {
    /// Triangles that met or were nearest.
    pub features: Option<[u32; 2]>,
}
