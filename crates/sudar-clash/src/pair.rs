//! Two parts under examination.

use crate::deviation::Deviations;
use crate::options::DepthMeasure;
use crate::posed::Posed;

/// Two parts under examination.
pub(crate) struct Pair<'a> {
    pub a: Posed<'a>,
    pub b: Posed<'a>,
    /// The numbers of the parts.
    pub numbers: [usize; 2],
    /// What depth is.
    pub depth_measure: DepthMeasure,
    /// Overlaps thinner than this are looked at twice.
    pub touch: f64,
    /// How far the surfaces may be from the triangles.
    pub deviations: Deviations,
}
