//! Do the blocks of a proof cover every pair of pieces?

use std::collections::BTreeMap;

use super::{Block, Lower, ProofError};

/// Rectangles inside a table that do not overlap and have its area cover it. Overlaps are found by a sweep over the
/// rows, at each of which the columns in use are disjoint intervals; O(n log n).
pub(super) fn check_tiling(lower: &Lower, rows: u32, columns: u32) -> Result<(), ProofError> {
    check_order(&lower.order_a, rows, "a")?;
    check_order(&lower.order_b, columns, "b")?;
    let inside = |[from, to]: [u32; 2], count: u32| from < to && to <= count;
    let bad = |block: &Block| !inside(block.a, rows) || !inside(block.b, columns);
    if let Some(block) = lower.blocks.iter().position(bad) {
        return Err(ProofError::Range { block });
    }
    let size = |[from, to]: [u32; 2]| u128::from(to - from);
    let area: u128 = lower.blocks.iter().map(|block| size(block.a) * size(block.b)).sum();
    if area == u128::from(rows) * u128::from(columns) && disjoint(&lower.blocks) {
        Ok(())
    } else {
        Err(ProofError::NotTiled)
    }
}

fn check_order(order: &[u32], count: u32, body: &'static str) -> Result<(), ProofError> {
    let mut seen = vec![false; count as usize];
    for &piece in order {
        match seen.get_mut(piece as usize) {
            Some(seen) if !*seen => *seen = true,
            Some(_) | None => return Err(ProofError::Order { body }),
        }
    }
    if order.len() == count as usize { Ok(()) } else { Err(ProofError::Order { body }) }
}

fn disjoint(blocks: &[Block]) -> bool {
    // Of equal rows, blocks end before others begin.
    let mut events: Vec<(u32, bool, usize)> = Vec::with_capacity(2 * blocks.len());
    for (i, block) in blocks.iter().enumerate() {
        events.extend([(block.a[0], true, i), (block.a[1], false, i)]);
    }
    events.sort_unstable();
    let mut in_use: BTreeMap<u32, u32> = BTreeMap::new();
    for (_, begins, i) in events {
        let [from, to] = blocks[i].b;
        if !begins {
            in_use.remove(&from);
            continue;
        }
        let before = in_use.range(..=from).next_back().is_some_and(|(_, &end)| end > from);
        let after = in_use.range(from..to).next().is_some();
        if before || after {
            return false;
        }
        in_use.insert(from, to);
    }
    true
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    fn lower(blocks: &[([u32; 2], [u32; 2])]) -> Lower {
        let block = |&(a, b)| Block { a, b, direction: DVec3::X };
        Lower {
            bound: 0.0,
            order_a: vec![2, 0, 1],
            order_b: vec![0, 1, 3, 2],
            blocks: blocks.iter().map(block).collect(),
        }
    }

    #[test]
    fn a_windmill_is_a_tiling() {
        let tiles =
            [([0, 1], [0, 3]), ([0, 2], [3, 4]), ([2, 3], [1, 4]), ([1, 3], [0, 1]), ([1, 2], [1, 3])];
        assert_eq!(check_tiling(&lower(&tiles), 3, 4), Ok(()));
        for missing in 0..5 {
            let mut tiles = tiles.to_vec();
            tiles.remove(missing);
            assert_eq!(check_tiling(&lower(&tiles), 3, 4), Err(ProofError::NotTiled));
        }
    }

    #[test]
    fn the_right_area_with_an_overlap_is_no_tiling() {
        // Two blocks of six cells each; cell (1, 0) is in both, (2, 3) in none.
        let overlapping = [([0, 2], [0, 3]), ([1, 3], [0, 3])];
        assert_eq!(check_tiling(&lower(&overlapping), 3, 4), Err(ProofError::NotTiled));
        let beyond = [([0, 3], [0, 5])];
        assert_eq!(check_tiling(&lower(&beyond), 3, 4), Err(ProofError::Range { block: 0 }));
        let empty = [([0, 3], [0, 4]), ([1, 1], [0, 4])];
        assert_eq!(check_tiling(&lower(&empty), 3, 4), Err(ProofError::Range { block: 1 }));
    }

    #[test]
    fn an_order_names_each_piece_once() {
        let mut whole = lower(&[([0, 3], [0, 4])]);
        assert_eq!(check_tiling(&whole, 3, 4), Ok(()));
        whole.order_a = vec![2, 0, 2];
        assert_eq!(check_tiling(&whole, 3, 4), Err(ProofError::Order { body: "a" }));
        whole.order_a = vec![2, 0];
        assert_eq!(check_tiling(&whole, 3, 4), Err(ProofError::Order { body: "a" }));
        whole.order_a = vec![2, 0, 7];
        assert_eq!(check_tiling(&whole, 3, 4), Err(ProofError::Order { body: "a" }));
    }
}
