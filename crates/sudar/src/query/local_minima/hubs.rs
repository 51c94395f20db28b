//! Two fans with their tips at one distance: cells that need not be visited one by one.
//!
//! All triangles of a fan have its tip. Two fans, as of the flat ends of two pins, have n² pairs of
//! triangles, and each holds the pair of the tips. If both fans lie behind the planes through their tips
//! square to the direction between them, no pair is lower than the tips are, and all of them are connected
//! there: the whole *block* of cells is one place of the landscape.

use std::collections::BTreeMap;

use super::side::Side;
use super::wet::Cell;
use crate::math::unit;

/// The pairs of tips between which no cell is lower than they are, by welded numbers, with their distances.
#[derive(Default)]
pub(super) struct Hubs {
    heights: BTreeMap<[u32; 2], f64>,
}

/// Pairs of tips that are compared at most: surfaces that have more consist of many small fans.
const MOST_PAIRS: usize = 1 << 18;

impl Hubs {
    /// Of fans of many triangles with tips at most `tolerance` apart. `slack` is what rounding may make of a distance.
    pub fn new(a: &Side, b: &Side, tolerance: f64, slack: f64) -> Self {
        let (ours, theirs) = (a.tips(), b.tips());
        let mut heights = BTreeMap::new();
        if ours.len().saturating_mul(theirs.len()) > MOST_PAIRS {
            return Self { heights };
        }
        for &(v, p) in &ours {
            for &(w, q) in &theirs {
                let height = p.distance(q);
                let way = unit(q - p);
                // Together the two fans may reach beyond their planes by the slack, which is what heights are
                // compared by.
                let is_behind = |n| a.is_behind(v, n, 0.5 * slack) && b.is_behind(w, -n, 0.5 * slack);
                if height <= tolerance && (height <= 0.5 * slack || way.is_some_and(is_behind)) {
                    heights.insert([v, w], height);
                }
            }
        }
        Self { heights }
    }

    pub fn is_empty(&self) -> bool {
        self.heights.is_empty()
    }

    /// All of them, with the numbers of the tips.
    pub fn all(&self) -> impl Iterator<Item = [u32; 2]> {
        self.heights.keys().copied()
    }

    /// The hubs no higher than `level` whose blocks a cell with these corners is in.
    pub fn of_cell(&self, corners: [[u32; 3]; 2], level: f64) -> impl Iterator<Item = [u32; 2]> {
        let [ours, theirs] = corners;
        let pairs = ours.into_iter().flat_map(move |v| theirs.into_iter().map(move |w| [v, w]));
        pairs.filter(move |pair| self.heights.get(pair).is_some_and(|&height| height <= level))
    }
}

/// The first cell of a block.
pub(super) fn first_cell(a: &Side, b: &Side, [v, w]: [u32; 2]) -> Option<Cell> {
    Some([a.stars.first_with(&[v])?, b.stars.first_with(&[w])?])
}
