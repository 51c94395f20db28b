//! Two leaves in a traversal for what is near: the last filter, by distances in `f32`, eight pairs of
//! triangles at a time.

use fearless_simd::Simd;

use super::kernel::{EightTriangles, Near};
use crate::tree::distance::leaf_kernel::{EightPairs, eight_pairs};

/// Takes from the masks the pairs of triangles that are certainly farther apart than the margin. The masks left, or'ed.
#[cfg_attr(not(opt_level_0), inline(always))]
pub fn retain_near<S: Simd>(
    simd: S,
    ours: &EightTriangles<S>,
    theirs: &EightTriangles<S>,
    masks: &mut [u32; 8],
    near: Near,
) -> u32 {
    let (a, b) = (ours.corners(), theirs.corners());
    let mut waiting = UpToEight { corners: [[[0.0; 8]; 9]; 2], places: [[0; 2]; 8], count: 0 };
    for i in 0..8 {
        let mut rest = masks[i];
        while rest != 0 {
            let j = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            waiting.add([&a, &b], [i, j]);
            if waiting.count == 8 {
                waiting.settle(simd, masks, near);
            }
        }
    }
    waiting.settle(simd, masks, near);
    let mut any = 0;
    for mask in masks {
        any |= *mask;
    }
    any
}

/// Pairs gathered, and where they are in the masks.
struct UpToEight {
    corners: EightPairs,
    places: [[usize; 2]; 8],
    count: usize,
}

impl UpToEight {
    #[inline(always)]
    fn add(&mut self, [a, b]: [&[[f32; 8]; 9]; 2], [i, j]: [usize; 2]) {
        for row in 0..9 {
            self.corners[0][row][self.count] = a[row][i];
            self.corners[1][row][self.count] = b[row][j];
        }
        self.places[self.count] = [i, j];
        self.count += 1;
    }

    #[cfg_attr(not(opt_level_0), inline(always))]
    fn settle<S: Simd>(&mut self, simd: S, masks: &mut [u32; 8], near: Near) {
        if self.count == 0 {
            return;
        }
        // The corners are off by `slack` in each coordinate, which is less than twice that along any direction.
        let lower = eight_pairs(simd, &self.corners, 2.0 * near.slack).lower;
        for (lower, &[i, j]) in lower.iter().zip(&self.places).take(self.count) {
            masks[i] &= !(u32::from(*lower > near.margin) << j);
        }
        self.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Random, Shown, posed};

    use glam::{DQuat, DVec3};
    use rand::RngExt;

    use crate::effort::Meter;
    use crate::math::Pose;
    use crate::pair::triangles_within;

    use crate::testing::sheet;
    use crate::tree::{Bodies, Vicinity, WideTree, visit_near_candidates};

    #[test]
    fn every_pair_as_near_as_the_margin_is_shown_and_few_others() {
        let mut rng = Random::new(51);
        let (mut near, mut shown) = (0, 0);
        for round in 0..48 {
            let (scale, far) = [(1.0, 0.0), (1e-60, 0.0), (3e-9, 1e-6), (1.0, 1e5)][round % 4];
            let crumple = [0.0, 1e-3, 0.05][round / 4 % 3];
            let [a, b] = [7, 9].map(|n| {
                sheet(n, |_, _| crumple * rng.random_range(-1.0..1.0)).mapped(|p| p * scale).unwrap()
            });
            let turn = DQuat::from_scaled_axis(DVec3::new(0.03, 1.0, 0.2) * rng.random_range(-0.2..0.2));
            let frame = DQuat::from_scaled_axis(DVec3::new(0.3, 0.2, rng.random_range(-3.0..3.0)));
            // Beside each other or across, at about the requested distance.
            let shift = DVec3::new(0.1, 0.05, [0.02, 0.2, 0.0][round % 3]) * scale;
            let here = Pose::new(DVec3::splat(far), frame).unwrap();
            let there = Pose::new(DVec3::splat(far) + frame * shift, frame * turn).unwrap();
            let margin = scale * [0.021, 0.004, 1e-7, 0.3, 3.0][round % 5];
            let trees = [WideTree::new(&a), WideTree::new(&b)];
            let bodies = Bodies { a: &trees[0], pose_a: &here, b: &trees[1], pose_b: &there };
            let mut all = Shown { deepest_first: true, ..Shown::default() };
            let vicinity = Vicinity { margin, most: 1_000_000 };
            assert!(visit_near_candidates(&bodies, vicinity, &mut all, &mut Meter::unlimited()));
            all.pairs.sort_unstable();
            let (ours, theirs) = (posed(&a, &here), posed(&b, &there));
            for (i, t) in ours.iter().enumerate() {
                for (j, u) in theirs.iter().enumerate() {
                    let is_shown = all.pairs.binary_search(&[i as u32, j as u32]).is_ok();
                    let is_near = triangles_within(t, u, margin);
                    assert!(is_shown || !is_near, "{i} {j} of round {round}");
                    near += u32::from(is_near);
                    shown += u32::from(is_shown);
                }
            }
        }
        assert!(near > 3000 && shown < near + near / 8, "{near} near, {shown} shown");
    }
}
