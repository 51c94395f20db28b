//! Which kinds of pairs of convex bodies there are closed forms for.

use super::{Core, PosedConvex};

/// What kinds of cores two bodies have, as far as there are closed forms for them: the one place where these are told
/// apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PairKind {
    /// Two points: balls.
    Points,
    /// Two segments, or a segment and a point: capsules.
    Segments,
    /// A point and a solid without vertices, in either order.
    PointRound,
    /// A point and a box, in either order.
    PointCuboid,
    Cuboids,
    /// Anything else.
    General,
}

impl PairKind {
    #[inline]
    pub fn of(a: &PosedConvex, b: &PosedConvex) -> Self {
        match (a.convex().core(), b.convex().core()) {
            (Core::Point(_), Core::Point(_)) => Self::Points,
            (Core::Point(_) | Core::Segment(_), Core::Point(_) | Core::Segment(_)) => Self::Segments,
            (Core::Point(_), Core::Round(_)) | (Core::Round(_), Core::Point(_)) => Self::PointRound,
            (Core::Point(_), Core::Cuboid(..)) | (Core::Cuboid(..), Core::Point(_)) => Self::PointCuboid,
            (Core::Cuboid(..), Core::Cuboid(..)) => Self::Cuboids,
            _ => Self::General,
        }
    }
}
