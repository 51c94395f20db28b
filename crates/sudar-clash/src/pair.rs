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
    /// Up to how far apart they are reported.
    pub clearance: f64,
    /// Overlaps and gaps up to this count as touching.
    pub touch: f64,
    /// How far the surfaces may be from the triangles.
    pub deviations: Deviations,
}
