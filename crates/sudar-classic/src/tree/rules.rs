//! The rules by which a tree is built.

/// Axis along which the items of a node are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SplitAxis {
    /// That along which the volume is longest (SOLID, RAPID; of QuickCD's rules the cheapest); of a sphere
    /// that along which the centres are spread farthest.
    Longest,
    /// That along which the centres vary most (QuickCD's "splatter").
    Splatter,
    /// That with the least sum of the volumes of the children (QuickCD's "min sum").
    LeastSum,
    /// That with the least volume of the larger child (QuickCD's "min-max").
    LeastMax,
    /// That along which the centres are spread farthest (SWIFT++).
    MostSpread,
    /// That along which the centres are farthest from their mean, added without squares (ColDet).
    MostDeviation,
}

impl SplitAxis {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Longest,
        Self::Splatter,
        Self::LeastSum,
        Self::LeastMax,
        Self::MostSpread,
        Self::MostDeviation,
    ];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Longest => "longest",
            Self::Splatter => "splatter",
            Self::LeastSum => "min sum",
            Self::LeastMax => "min-max",
            Self::MostSpread => "most spread",
            Self::MostDeviation => "most deviation",
        }
    }
}

/// Point on the axis at which the items are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SplitPoint {
    /// Half of the items on either side.
    Median,
    /// The mean of the centres.
    Mean,
    /// The mean of all points of all items (RAPID).
    MeanOfPoints,
    /// The middle of the volume (SOLID's best).
    Midpoint,
    /// Half-way between the least and the greatest centre (SWIFT++).
    MidRange,
    /// Where the intervals of the children overlap least, the larger having at most two thirds of the items (SOLID).
    LeastOverlap,
    /// Where the surface-area heuristic is least (Goldsmith and Salmon 1987, "Automatic creation of object
    /// hierarchies for ray tracing").
    SurfaceArea,
}

impl SplitPoint {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Median,
        Self::Mean,
        Self::MeanOfPoints,
        Self::Midpoint,
        Self::MidRange,
        Self::LeastOverlap,
        Self::SurfaceArea,
    ];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Median => "median",
            Self::Mean => "mean",
            Self::MeanOfPoints => "mean of points",
            Self::Midpoint => "midpoint",
            Self::MidRange => "mid-range",
            Self::LeastOverlap => "least overlap",
            Self::SurfaceArea => "surface area",
        }
    }
}

/// What is done where all items fall on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnsplitRule {
    /// The items are split at the median (SOLID).
    Median,
    /// The next longest axis is tried, then the shortest; the median if none splits (RAPID, which makes a
    /// leaf instead).
    NextAxis,
    /// They stay together in one leaf (ColDet).
    Leaf,
}

/// Rules of a top-down construction: axis, split point, and what to do where a split fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BuildRules {
    /// Along which axis.
    pub axis: SplitAxis,
    /// Where on it.
    pub point: SplitPoint,
    /// What if that leaves one side empty.
    pub unsplit: UnsplitRule,
    /// Whether items whose centre is exactly at the split go to either side in turn (the thesis' CD); else
    /// they go to the upper one.
    pub ties_alternate: bool,
    /// A node of so many items or fewer is a leaf; at least 1.
    pub leaf: usize,
}

impl BuildRules {
    /// Split along the longest axis at its middle, one item a leaf.
    pub const DEFAULT: Self = Self {
        axis: SplitAxis::Longest,
        point: SplitPoint::Midpoint,
        unsplit: UnsplitRule::Median,
        ties_alternate: false,
        leaf: 1,
    };
}

impl Default for BuildRules {
    fn default() -> Self {
        Self::DEFAULT
    }
}
