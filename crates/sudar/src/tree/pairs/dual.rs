//! Traversal of two trees at once, or of one beside itself: all pairs of triangles that may meet.
//!
//! It begins with the boxes along the axes. After a few steps it also uses slabs, and where it finds that few
//! pairs are separated the oriented boxes.

use std::ops::ControlFlow;

use super::candidates::{Bodies, CandidateVisitor, LeafPair, Vicinity};
use super::frame::{Relative, is_larger};
use super::traversal::Traversal;
use crate::effort::Meter;
use crate::math::Pose;
use crate::math::simd::{Level, dispatch};
use crate::tree::wide::WideTree;

/// Calls the visitor with every pair of triangles that may meet. Deterministic; the order depends only on the
/// two trees and poses. The meter counts pairs of children and may end the traversal.
pub fn visit_candidates(bodies: &Bodies, visitor: &mut dyn CandidateVisitor, meter: &mut Meter) {
    visit_at(Level::new(), bodies, Vicinity::MEETING, visitor, meter);
}

/// Calls the visitor in the same way with every pair of triangles that may be as near as the vicinity says.
/// Whether the traversal was no longer than that allows; else pairs may be missing.
pub fn visit_near_candidates(
    bodies: &Bodies,
    vicinity: Vicinity,
    visitor: &mut dyn CandidateVisitor,
    meter: &mut Meter,
) -> bool {
    visit_at(Level::new(), bodies, vicinity, visitor, meter)
}

/// The same at a given SIMD level.
pub fn visit_at(
    level: Level,
    bodies: &Bodies,
    vicinity: Vicinity,
    visitor: &mut dyn CandidateVisitor,
    meter: &mut Meter,
) -> bool {
    // The traversal wants the larger body first; the visitor must not notice.
    if is_larger(bodies.a.frame(), bodies.b.frame()) {
        visit_ordered(level, bodies, vicinity, visitor, meter)
    } else {
        let Bodies { a, pose_a, b, pose_b } = *bodies;
        let swapped = Bodies { a: b, pose_a: pose_b, b: a, pose_b: pose_a };
        visit_ordered(level, &swapped, vicinity, &mut Swapped(visitor), meter)
    }
}

fn visit_ordered(
    level: Level,
    bodies: &Bodies,
    vicinity: Vicinity,
    visitor: &mut dyn CandidateVisitor,
    meter: &mut Meter,
) -> bool {
    let Bodies { a, pose_a, b, pose_b } = *bodies;
    let relative = Relative::within(a.frame(), pose_a, b.frame(), pose_b, vicinity.margin);
    let Some(relative) = relative else { return true };
    run(level, &Traversal::new(level, bodies, relative, vicinity), visitor, meter)
}

/// All pairs of different triangles of one tree that may meet, each once.
pub fn visit_own_at(
    level: Level,
    tree: &WideTree,
    pose: &Pose,
    visitor: &mut dyn CandidateVisitor,
    meter: &mut Meter,
) {
    let bodies = Bodies { a: tree, pose_a: pose, b: tree, pose_b: pose };
    let relative = Relative::to_itself(tree.frame(), pose);
    run(level, &Traversal::new(level, &bodies, relative, Vicinity::MEETING).own(), visitor, meter);
}

/// The one place where the traversal is compiled, as it is large.
fn run(level: Level, traversal: &Traversal, visitor: &mut dyn CandidateVisitor, meter: &mut Meter) -> bool {
    dispatch!(level, simd => traversal.run(simd, visitor, meter))
}

/// A visitor that is shown the bodies the other way round.
struct Swapped<'v>(&'v mut dyn CandidateVisitor);

impl CandidateVisitor for Swapped<'_> {
    fn deepest_first(&self) -> bool {
        self.0.deepest_first()
    }

    fn leaves(&mut self, leaves: &LeafPair) -> ControlFlow<()> {
        self.0.leaves(&leaves.swapped())
    }

    fn gap_of_wholes(&self) -> f64 {
        self.0.gap_of_wholes()
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;
    use rand::RngExt;

    use super::*;
    use crate::math::simd::other_levels;
    use crate::testing::Random;
    use crate::testing::sheet;

    /// Everything a traversal shows its visitor, in order.
    #[derive(Default, PartialEq, Debug)]
    struct Log(Vec<Leaves>);

    /// The numbers of the triangles of two leaves, and both masks.
    type Leaves = (Vec<u32>, Vec<u32>, [[u32; 8]; 2]);

    impl CandidateVisitor for Log {
        fn deepest_first(&self) -> bool {
            true
        }

        fn leaves(&mut self, leaves: &LeafPair) -> ControlFlow<()> {
            self.0.push((leaves.a.to_vec(), leaves.b.to_vec(), [leaves.may_meet, leaves.cross]));
            ControlFlow::Continue(())
        }
    }

    /// A crumpled sheet of 2n² triangles about the origin.
    fn crumpled(n: u32, rng: &mut Random) -> WideTree {
        WideTree::new(&sheet(n, |_, _| rng.random_range(-0.2..0.2)))
    }

    #[test]
    fn every_simd_level_takes_the_same_course_to_the_bit() {
        let mut rng = Random::new(1);
        let (a, b) = (crumpled(30, &mut rng), crumpled(11, &mut rng));
        for round in 0..20 {
            let vicinity = Vicinity { margin: [0.0, 0.01][round % 2], most: 100_000 };
            let turn: [f64; 4] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
            let shift = rng.point() * 0.4;
            let pose = Pose::new(shift, DQuat::from_array(turn).normalize()).unwrap();
            let bodies = Bodies { a: &a, pose_a: &Pose::IDENTITY, b: &b, pose_b: &pose };
            let mut best = Log::default();
            visit_at(Level::new(), &bodies, vicinity, &mut best, &mut Meter::unlimited());
            assert!(!best.0.is_empty());
            for level in other_levels() {
                let mut log = Log::default();
                visit_at(level, &bodies, vicinity, &mut log, &mut Meter::unlimited());
                assert!(log == best, "{level:?} differs from {:?}", Level::new());
            }
        }
    }
}
