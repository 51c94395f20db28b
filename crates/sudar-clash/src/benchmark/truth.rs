//! What is true of every pair, by whole numbers: volumes and distances of boxes.

use super::building::{Block, Element};
use crate::options::ClashKind;

/// How near counts as clearance.
pub const CLEARANCE: i64 = 50;

/// What two elements have to do with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Truth {
    pub kind: ClashKind,
    /// The least extent of the overlap of two single boxes, in millimetres.
    pub depth: Option<i64>,
    /// The square of the gap.
    pub gap_squared: i64,
}

/// The truth about a pair; none if they are apart by more than the clearance. O(pieces²).
pub fn truth(a: &Element, b: &Element) -> Option<Truth> {
    let (p, q) = (pieces(a), pieces(b));
    let pairs = || p.iter().flat_map(|p| q.iter().map(move |q| (p, q)));
    let common: i64 = pairs().map(|(p, q)| volume(&meet(p, q))).sum();
    let volumes = [&p, &q].map(|pieces| pieces.iter().map(volume).sum::<i64>());
    let gap_squared = pairs().map(|(p, q)| gap_squared(p, q)).min().unwrap_or(i64::MAX);
    let kind = match common {
        0 if gap_squared == 0 => ClashKind::Touch,
        0 if gap_squared <= CLEARANCE * CLEARANCE => ClashKind::Clearance,
        0 => return None,
        _ if [common; 2] == volumes => ClashKind::Duplicate,
        _ if volumes.contains(&common) => ClashKind::Contained,
        _ => ClashKind::Hard,
    };
    let is_single = kind == ClashKind::Hard && p.len() == 1 && q.len() == 1;
    let depth = is_single.then(|| extents(&meet(&p[0], &q[0])).into_iter().min()).flatten();
    Some(Truth { kind, depth, gap_squared })
}

/// The disjoint boxes that an element with openings is made of: beside, below and above each.
fn pieces(element: &Element) -> Vec<Block> {
    let [low, high] = element.block;
    let mut found = Vec::new();
    let mut x = low[0];
    for [from, to] in &element.openings {
        found.push([[x, low[1], low[2]], [from[0], high[1], high[2]]]);
        found.push([[from[0], low[1], low[2]], [to[0], high[1], from[2]]]);
        found.push([[from[0], low[1], to[2]], [to[0], high[1], high[2]]]);
        x = to[0];
    }
    found.push([[x, low[1], low[2]], high]);
    found
}

fn meet(p: &Block, q: &Block) -> Block {
    [[0, 1, 2].map(|k| p[0][k].max(q[0][k])), [0, 1, 2].map(|k| p[1][k].min(q[1][k]))]
}

fn extents([low, high]: &Block) -> [i64; 3] {
    [0, 1, 2].map(|k| (high[k] - low[k]).max(0))
}

fn volume(block: &Block) -> i64 {
    extents(block).into_iter().product()
}

fn gap_squared(p: &Block, q: &Block) -> i64 {
    (0..3).map(|k| (p[0][k] - q[1][k]).max(q[0][k] - p[1][k]).max(0).pow(2)).sum()
}
