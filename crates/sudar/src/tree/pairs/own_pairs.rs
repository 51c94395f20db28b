//! A tree beside itself: all pairs of triangles of one body that may meet.

use super::candidates::CandidateVisitor;
use super::dual::visit_own_at;
use crate::effort::Meter;
use crate::math::Pose;
use crate::math::simd::Level;
use crate::tree::wide::WideTree;

/// Calls the visitor with every pair of different triangles that may meet where the body stands, each once;
/// neighbours are among them. `Break` ends the traversal, and so does the meter. Deterministic.
pub fn visit_own_candidates(
    tree: &WideTree,
    pose: &Pose,
    visitor: &mut dyn CandidateVisitor,
    meter: &mut Meter,
) {
    visit_own_at(Level::new(), tree, pose, visitor, meter);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::simd::other_levels;
    use crate::pair::triangles_intersect;
    use crate::shape::Mesh;
    use crate::testing::{Random, Shown};

    fn shown(level: Level, mesh: &Mesh) -> Vec<[u32; 2]> {
        let mut shown = Shown::default();
        visit_own_at(level, &WideTree::new(mesh), &Pose::IDENTITY, &mut shown, &mut Meter::unlimited());
        shown.pairs
    }

    #[test]
    fn every_pair_that_meets_is_shown_once() {
        for (n, size) in [(2, 1.0), (8, 0.5), (9, 0.5), (70, 0.3), (700, 0.1)] {
            let mesh = Random::new(n as u64).soup(n, size);
            let mut pairs: Vec<_> =
                shown(Level::new(), &mesh).iter().map(|[i, j]| [*i.min(j), *i.max(j)]).collect();
            pairs.sort_unstable();
            assert!(pairs.windows(2).all(|w| w[0] != w[1]) && pairs.iter().all(|[i, j]| i < j));
            for (i, j) in (0..n as u32).flat_map(|i| (0..i).map(move |j| (j, i))) {
                let meet = triangles_intersect(&mesh.triangle(i), &mesh.triangle(j));
                assert!(!meet || pairs.binary_search(&[i, j]).is_ok(), "{i} and {j} of {n}");
            }
        }
    }

    #[test]
    fn every_simd_level_takes_the_same_course() {
        let mesh = Random::new(3).soup(6000, 0.1);
        let best = shown(Level::new(), &mesh);
        assert!(best.len() > 1000);
        for level in other_levels() {
            assert!(shown(level, &mesh) == best, "{level:?} differs from {:?}", Level::new());
        }
    }

    #[test]
    fn the_meter_ends_the_traversal() {
        let tree = WideTree::new(&Random::new(4).soup(3000, 0.1));
        let mut meter = Meter::new(&crate::effort::Budget::nodes(10));
        let mut shown = Shown::default();
        visit_own_candidates(&tree, &Pose::IDENTITY, &mut shown, &mut meter);
        assert!(meter.is_stopped() && shown.calls <= 10);
    }
}
