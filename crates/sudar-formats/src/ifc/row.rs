//! Rows of points in the place of curves.

use sudar::DVec3;

/// Points of a curve, and how far the curve is from the lines between them at most.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Row {
    pub points: Vec<DVec3>,
    pub deviation: f64,
}

impl Row {
    /// Goes on with another row.
    pub fn extend(&mut self, other: Self) {
        self.points.extend(other.points);
        self.deviation = self.deviation.max(other.deviation);
    }
}
