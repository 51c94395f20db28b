//! Broad phase: which boxes overlap, by sort and sweep along one axis (Cohen, Lin, Manocha, Ponamgi 1995,
//! "I-COLLIDE", reduced to one axis that is sorted afresh).

use crate::shape::Aabb;

/// All pairs `[i, j]`, `i < j`, of boxes with a point in common, sorted; touching counts, an empty box meets nothing.
///
/// The boxes are sorted by their least coordinate along the axis on which their centres vary most, and each is
/// compared with those that begin before it ends: O(n log n) plus the pairs that overlap on that axis.
pub fn candidate_pairs(boxes: &[Aabb]) -> Vec<[u32; 2]> {
    let sorted = sorted_along(boxes, widest_axis(boxes));
    let mut pairs = Vec::new();
    for (k, s) in sorted.iter().enumerate() {
        for t in sorted[k + 1..].iter().take_while(|t| t.min[0] <= s.max[0]) {
            if s.overlaps_across(t) {
                pairs.push([s.index.min(t.index), s.index.max(t.index)]);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// A box with the sweep axis first.
struct Swept {
    min: [f64; 3],
    max: [f64; 3],
    index: u32,
}

impl Swept {
    fn new(b: &Aabb, index: usize, axis: usize) -> Self {
        let order = [axis, (axis + 1) % 3, (axis + 2) % 3];
        Self { min: order.map(|k| b.min[k]), max: order.map(|k| b.max[k]), index: index as u32 }
    }

    /// Whether the two overlap on the axes that are not swept.
    #[inline]
    fn overlaps_across(&self, other: &Self) -> bool {
        (self.min[1] <= other.max[1] && other.min[1] <= self.max[1])
            && (self.min[2] <= other.max[2] && other.min[2] <= self.max[2])
    }
}

fn sorted_along(boxes: &[Aabb], axis: usize) -> Vec<Swept> {
    let mut sorted: Vec<Swept> = boxes
        .iter()
        .enumerate()
        .filter(|(_, b)| b.min.cmple(b.max).all())
        .map(|(i, b)| Swept::new(b, i, axis))
        .collect();
    sorted.sort_unstable_by(|s, t| s.min[0].total_cmp(&t.min[0]).then(s.index.cmp(&t.index)));
    sorted
}

/// The axis on which the centres vary most; boxes without a finite centre do not vote. The choice affects the
/// time only, so plain rounded sums do.
fn widest_axis(boxes: &[Aabb]) -> usize {
    let centers = || boxes.iter().map(|b| b.center()).filter(|c| c.is_finite());
    let count = centers().count().max(1) as f64;
    let mean = centers().fold(glam::DVec3::ZERO, |sum, c| sum + c / count);
    let spread = centers().fold(glam::DVec3::ZERO, |sum, c| sum + (c - mean) * (c - mean));
    [1, 2].into_iter().fold(0, |best, k| if spread[k] > spread[best] { k } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use rand::{RngExt, SeedableRng};

    fn brute_force(boxes: &[Aabb]) -> Vec<[u32; 2]> {
        let meet = |a: &Aabb, b: &Aabb| a.min.max(b.min).cmple(a.max.min(b.max)).all();
        let n = boxes.len() as u32;
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j]));
        pairs.filter(|&[i, j]| meet(&boxes[i as usize], &boxes[j as usize])).collect()
    }

    /// Boxes on a small integer lattice, so that many just touch, some are flat and some are equal.
    fn lattice_boxes(seed: u64, n: usize, range: i32) -> Vec<Aabb> {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(seed);
        let mut draw = |lo: i32, hi: i32| f64::from(rng.random_range(lo..=hi));
        let mut one = || {
            let min = DVec3::new(draw(0, range), draw(0, range), draw(0, range));
            Aabb { min, max: min + DVec3::new(draw(0, 3), draw(0, 3), draw(0, 3)) }
        };
        (0..n).map(|_| one()).collect()
    }

    #[test]
    fn the_sweep_finds_what_brute_force_finds() {
        for seed in 0..40 {
            let boxes = lattice_boxes(seed, 120, 4 + seed as i32);
            let expected = brute_force(&boxes);
            assert!(!expected.is_empty());
            assert_eq!(candidate_pairs(&boxes), expected, "seed {seed}");
        }
    }

    #[test]
    fn infinite_and_empty_boxes_are_no_trouble() {
        let half_space = Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY.with_z(2.0) };
        let mut boxes = lattice_boxes(7, 30, 9);
        boxes.extend([half_space, Aabb::EMPTY, half_space]);
        assert_eq!(candidate_pairs(&boxes), brute_force(&boxes));
        assert_eq!(candidate_pairs(&[Aabb::EMPTY, Aabb::EMPTY]), [[0; 2]; 0]);
        assert_eq!(candidate_pairs(&[]), [[0; 2]; 0]);
    }

    #[test]
    fn the_sweep_goes_along_the_longest_row() {
        let row = |axis: usize| -> Vec<Aabb> {
            (0..9).map(|i| DVec3::AXES[axis] * f64::from(i)).map(|p| Aabb { min: p, max: p }).collect()
        };
        assert_eq!([0, 1, 2].map(|axis| widest_axis(&row(axis))), [0, 1, 2]);
    }
}
