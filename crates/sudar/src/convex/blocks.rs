//! Points in blocks of eight, and which of them is farthest in a direction.

use fearless_simd::{Simd, f64x4, f64x8, prelude::*};
use glam::DVec3;

use crate::math::simd::{Level, dispatch_to_avx2};

/// Vertices compared at a time.
pub(super) const LANES: usize = 8;

/// x of eight points, then y, then z.
pub(super) type Block = [[f64; LANES]; 3];

/// Vertex `i` of the blocks.
#[cfg_attr(not(opt_level_0), inline(always))]
pub(super) fn at(blocks: &[Block], i: usize) -> DVec3 {
    let ([x, y, z], lane) = (&blocks[i / LANES], i % LANES);
    DVec3::new(x[lane], y[lane], z[lane])
}

/// The number of the point that is farthest in a direction; of equals, the first.
#[inline]
pub(super) fn farthest(level: Level, blocks: &[Block], direction: DVec3) -> usize {
    dispatch_to_avx2!(level, simd => argmax(simd, blocks, direction))
}

/// [`farthest`] of two bodies, of the second in the opposite direction.
#[inline]
pub(super) fn farthest_of_two(level: Level, a: &[Block], b: &[Block], direction: DVec3) -> [usize; 2] {
    dispatch_to_avx2!(level, simd => [argmax(simd, a, direction), argmax(simd, b, -direction)])
}

/// No closures in here: they would not be compiled for the SIMD level.
#[cfg_attr(not(opt_level_0), inline(always))]
pub(super) fn argmax<S: Simd>(simd: S, blocks: &[Block], direction: DVec3) -> usize {
    let direction =
        [f64x8::splat(simd, direction.x), f64x8::splat(simd, direction.y), f64x8::splat(simd, direction.z)];
    match blocks {
        [one] => {
            let heights = heights(simd, one, &direction);
            first_of(simd, heights, heights.reduce_max())
        }
        [a, b, c, d] => {
            let (p, q) = (heights(simd, a, &direction), heights(simd, b, &direction));
            let (r, s) = (heights(simd, c, &direction), heights(simd, d, &direction));
            let top = p.max(q).max(r.max(s)).reduce_max();
            let masks = [mask(simd, p, top), mask(simd, q, top), mask(simd, r, top), mask(simd, s, top)];
            let all = (masks[0] | masks[1] << LANES) | (masks[2] | masks[3] << LANES) << (2 * LANES);
            all.trailing_zeros() as usize % (4 * LANES)
        }
        _ => argmax_of_many(simd, blocks, &direction),
    }
}

/// Keeps the greatest height of each lane and the block that it is from.
#[cfg_attr(not(opt_level_0), inline(always))]
fn argmax_of_many<S: Simd>(simd: S, blocks: &[Block], direction: &[f64x8<S>; 3]) -> usize {
    let mut best = f64x8::splat(simd, f64::NEG_INFINITY);
    let mut found = f64x8::splat(simd, 0.0);
    let (mut number, one) = (f64x8::splat(simd, 0.0), f64x8::splat(simd, 1.0));
    for block in blocks {
        let heights = heights(simd, block, direction);
        let higher = heights.simd_gt(best);
        best = higher.select(heights, best);
        found = higher.select(number, found);
        number += one;
    }
    let mut lanes = mask(simd, best, best.reduce_max());
    let mut first = if lanes == 0 { 0 } else { usize::MAX };
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize;
        first = first.min(found[lane] as usize * LANES + lane);
        lanes &= lanes - 1;
    }
    first
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn heights<S: Simd>(simd: S, block: &Block, direction: &[f64x8<S>; 3]) -> f64x8<S> {
    let along_x = direction[0] * f64x8::from_slice(simd, &block[0]);
    let along_y = direction[1] * f64x8::from_slice(simd, &block[1]);
    let along_z = direction[2] * f64x8::from_slice(simd, &block[2]);
    (along_x + along_y) + along_z
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn mask<S: Simd>(simd: S, heights: f64x8<S>, top: f64) -> u64 {
    // Halves, so as not to wait for lanes that cross the middle of a register.
    let (low, high) = simd.split_f64x8(heights);
    let top = f64x4::splat(simd, top);
    low.simd_eq(top).to_bitmask() | high.simd_eq(top).to_bitmask() << 4
}

#[cfg_attr(not(opt_level_0), inline(always))]
fn first_of<S: Simd>(simd: S, heights: f64x8<S>, top: f64) -> usize {
    // Of heights that are not numbers none is the top: then any will do.
    mask(simd, heights, top).trailing_zeros() as usize % LANES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equals_the_first_is_farthest() {
        let mut block = [[0.0; LANES]; 3];
        block[0][2..].fill(1.0);
        assert_eq!(farthest(Level::new(), &[block, block], DVec3::X), 2);
        assert_eq!(farthest(Level::new(), &[block, block], -DVec3::X), 0);
    }
}
