//! Grows the trees of pairs: the boxes of one depth are tested together, then those that stay open are halved. The pair
//! comes first of which a box promises most.

use std::sync::Arc;

use sudar::query::Batch;

use super::PairMap;
use super::proof::{Found, Proof};
use super::tree::{Axis, FREE, MOST, OPEN, Tree};
use crate::cell::RobotCell;

/// A box is given up if it and as many above it are in contact at their middles.
const IN_CONTACT: u32 = 4;
/// Boxes that one task tests.
const CHUNK: usize = 16;
/// Boxes of this part of the whole are not tested any more.
const LEAST: f64 = 4e-6;

/// A box that is to be tested.
struct Open {
    /// Where it is among the cells of the tree.
    cell: usize,
    low: [f64; MOST],
    width: [f64; MOST],
    /// Two patches each that balls do not tell apart in the box of which it is a half.
    left: Arc<Vec<u32>>,
    /// So many boxes above it in turn are in contact at their middles.
    contacts: u32,
}

/// A tree that grows.
struct Growing {
    pair: [u32; 2],
    axes: Vec<Axis>,
    cells: Vec<u32>,
    /// The boxes of the greatest depth.
    level: Vec<Open>,
    /// The part of the whole that each of them is.
    share: f64,
    rounding: f64,
}

/// The maps of pairs after about so many boxes, and how many were tested.
pub(super) fn maps(
    cell: &RobotCell,
    pairs: Vec<([u32; 2], Vec<Axis>)>,
    most: usize,
    batch: &Batch<'_>,
) -> (Vec<PairMap>, usize) {
    let new = |(pair, axes)| Growing::new(cell, pair, axes);
    let mut all: Vec<Growing> = pairs.into_iter().map(new).collect();
    let (mut boxes, mut limit) = (0, batch.meter());
    while limit.check().is_continue() {
        let open = |tree: &&mut Growing| {
            let fits = boxes + tree.level.len() <= most;
            !tree.level.is_empty() && tree.share > LEAST && fits
        };
        // The one of which a box is worth most.
        let Some(tree) = all.iter_mut().filter(open).max_by(|a, b| a.share.total_cmp(&b.share)) else {
            break;
        };
        boxes += tree.level.len();
        tree.grow(cell, batch);
    }
    let map = |grown: Growing| PairMap {
        parts: grown.pair,
        tree: Tree::new(grown.axes, grown.cells),
        rounding: grown.rounding,
    };
    (all.into_iter().map(map).collect(), boxes)
}

impl Growing {
    fn new(cell: &RobotCell, pair: [u32; 2], axes: Vec<Axis>) -> Self {
        let (mut low, mut width) = ([0.0; MOST], [0.0; MOST]);
        for (k, axis) in axes.iter().enumerate() {
            (low[k], width[k]) = (axis.low, axis.width);
        }
        let proof = Proof::new(cell, pair, &axes);
        let left = Arc::new((0..proof.pairs_of_patches()).collect());
        let level = vec![Open { cell: 0, low, width, left, contacts: 0 }];
        let rounding = proof.rounding();
        Self { pair, axes, cells: vec![OPEN], level, share: 1.0, rounding }
    }

    /// Tests the boxes of the greatest depth, and halves those that stay open.
    fn grow(&mut self, cell: &RobotCell, batch: &Batch<'_>) {
        let chunks: Vec<&[Open]> = self.level.chunks(CHUNK).collect();
        let found = batch.each(&chunks, |work, chunk| {
            let mut proof = Proof::new(cell, self.pair, &self.axes);
            let mut test = |open: &Open| proof.test(work, &open.low, &open.width, &open.left);
            chunk.iter().map(&mut test).collect::<Vec<_>>()
        });
        let mut next = Vec::new();
        for (open, (found, left)) in self.level.iter().zip(found.answers.into_iter().flatten()) {
            let (axis, contacts) = match found {
                Found::Free => {
                    self.cells[open.cell] = FREE;
                    continue;
                }
                Found::Contact(axis) => (axis, open.contacts + 1),
                Found::Open(axis) => (axis, 0),
            };
            if contacts < IN_CONTACT {
                let first = self.cells.len();
                self.cells[open.cell] = (first as u32) << 2 | u32::from(axis);
                self.cells.extend([OPEN, OPEN]);
                next.extend(open.halves(first, axis as usize, &Arc::new(left), contacts));
            }
        }
        self.level = next;
        self.share *= 0.5;
    }
}

impl Open {
    fn halves(&self, first: usize, axis: usize, left: &Arc<Vec<u32>>, contacts: u32) -> [Self; 2] {
        let (low, mut width, mut above) = (self.low, self.width, self.low);
        width[axis] *= 0.5;
        above[axis] += width[axis];
        let half = |cell, low| Self { cell, low, width, left: left.clone(), contacts };
        [half(first, low), half(first + 1, above)]
    }
}
