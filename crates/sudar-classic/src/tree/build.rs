//! Building from the top down.

use sudar::glam::DVec3;

use super::split::Splitter;
use super::{Items, Node, VolumeTree};
use sudar::volume::Volume;

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
}

impl SplitAxis {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Longest, Self::Splatter, Self::LeastSum, Self::LeastMax, Self::MostSpread];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Longest => "longest",
            Self::Splatter => "splatter",
            Self::LeastSum => "min sum",
            Self::LeastMax => "min-max",
            Self::MostSpread => "most spread",
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

impl<V: Volume> VolumeTree<V> {
    /// A tree over the items, its volumes fitted to their points; without nodes if there are none.
    ///
    /// O(n·depth) and the cost of fitting. Items are split in half where the rules gave less than one in 64
    /// to a side in 32 nodes on end, so that the tree does not become a list.
    pub fn top_down(items: &Items, rules: &BuildRules) -> Self {
        Self::top_down_with(items, rules, V::fit)
    }

    /// The same with another way to fit, which must contain the points and may refuse an empty list only.
    pub fn top_down_with(items: &Items, rules: &BuildRules, fit: impl FnMut(&[DVec3]) -> Option<V>) -> Self {
        Self::built(items, rules, fit).unwrap_or_default()
    }

    fn built(items: &Items, rules: &BuildRules, mut fit: impl FnMut(&[DVec3]) -> Option<V>) -> Option<Self> {
        let mut order: Vec<u32> = (0..items.len() as u32).collect();
        let mut splitter = Splitter::new(items, *rules);
        let whole = Pending { start: 0, end: order.len(), lopsided: 0 };
        let mut nodes = vec![node_of(&order, items, &mut splitter, &mut fit, whole)?];
        let mut pending = vec![whole];
        let mut i = 0;
        while i < nodes.len() {
            let Pending { start, end, lopsided } = pending[i];
            if end - start > rules.leaf.max(1) {
                let volume: V = nodes[i].volume;
                let middle = start + splitter.split(&mut order[start..end], &volume, lopsided >= 32);
                let smaller = (middle - start).min(end - middle);
                let lopsided = if smaller * 64 < end - start { lopsided + 1 } else { 0 };
                let parts =
                    [(start, middle), (middle, end)].map(|(start, end)| Pending { start, end, lopsided });
                let first = nodes.len() as u32;
                for part in parts {
                    nodes.push(node_of(&order, items, &mut splitter, &mut fit, part)?);
                    pending.push(part);
                }
                nodes[i] = Node { volume, first, count: 2, is_leaf: false };
            }
            i += 1;
        }
        Some(Self { nodes, order })
    }
}

/// A part of the order that is to be a node.
#[derive(Debug, Clone, Copy)]
struct Pending {
    start: usize,
    end: usize,
    /// How many nodes above on end were split very unevenly.
    lopsided: u32,
}

/// A leaf, until it is split.
fn node_of<V: Volume>(
    order: &[u32],
    items: &Items,
    splitter: &mut Splitter,
    fit: &mut impl FnMut(&[DVec3]) -> Option<V>,
    Pending { start, end, .. }: Pending,
) -> Option<Node<V>> {
    let volume = fit(splitter.gathered(items, &order[start..end]))?;
    Some(Node { volume, first: start as u32, count: (end - start) as u32, is_leaf: true })
}
