//! Where things are in a building: its levels and the axes of its grids.

use serde::{Deserialize, Serialize};

/// A storey.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// What it is called.
    pub name: String,
    /// How high it begins: along z, in the unit of the model.
    pub elevation: f64,
}

/// A straight axis of a grid, seen from above.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GridAxis {
    /// What it is called: `A`, `1`.
    pub name: String,
    /// Axes of one family lie side by side: `A`, `B`, `C` are one, `1`, `2`, `3` another, those of other grids others.
    pub family: u32,
    /// Two points on it: x and y, in the unit of the model.
    pub line: [[f64; 2]; 2],
}
