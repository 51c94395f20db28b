//! What is worth keeping from one query for the next on the same two bodies.

use super::convex_pair::convex_convex_from;
use super::posed::PosedBody;
use super::{Body, Distance, Doubt, Intersection, Penetration, Search};
use super::{convex_distance, convex_penetration, distance, intersects, penetration};
use crate::convex::{Accuracy, GjkMemory};
use crate::math::Pose;

/// Asks the same two bodies again and again as they move, and begins where the last answer ended.
///
/// A yes never becomes a no with a memory, nor the other way; what a round body leaves open within rounding may be open
/// with it and decided without. Intervals hold the truth with either, points may differ where several are nearest. Made
/// for two bodies: after another pair it still gives right answers, but no faster ones.
///
/// Helps hulls, two to three times. Pairs with closed forms (balls, capsules, boxes) have nothing to remember and are
/// asked faster without; meshes, half-spaces and compounds are asked as without.
///
/// ```
/// use sudar::query::{Body, Memory, intersects};
/// use sudar::{Cuboid, DVec3, Pose};
///
/// let cube = Body::new(Cuboid::new(DVec3::ONE)?);
/// let mut memory = Memory::default();
/// for step in 0..100 {
///     let pose = Pose::from_translation(DVec3::new(3.0 - 0.02 * f64::from(step), 0.3, 0.2))?;
///     let answer = memory.intersects(&cube, &Pose::IDENTITY, &cube, &pose);
///     assert_eq!(answer, intersects(&cube, &Pose::IDENTITY, &cube, &pose));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Memory {
    gjk: GjkMemory,
}

impl Memory {
    /// [`intersects`], begun from the last answer.
    pub fn intersects(&mut self, a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> Intersection {
        match (PosedBody::new(a, pose_a), PosedBody::new(b, pose_b)) {
            (Some(left), Some(right)) => match convex_convex_from(&left, &right, &mut self.gjk) {
                Some(true) => Intersection::Touching { features: [0, 0] },
                Some(false) => Intersection::Apart,
                None => Intersection::Undecided(Doubt::Precision),
            },
            _ => intersects(a, pose_a, b, pose_b),
        }
    }

    /// [`distance`], begun from the last answer.
    pub fn distance(
        &mut self,
        a: &Body,
        pose_a: &Pose,
        b: &Body,
        pose_b: &Pose,
        search: &Search,
    ) -> Distance {
        match (PosedBody::new(a, pose_a), PosedBody::new(b, pose_b)) {
            (Some(left), Some(right)) => convex_distance::convex_convex_from(&left, &right, &mut self.gjk)
                .answer(&search.checked(), false),
            _ => distance(a, pose_a, b, pose_b, search),
        }
    }

    /// [`penetration`], begun from the last answer.
    pub fn penetration(&mut self, a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose) -> Penetration {
        let accuracy = Accuracy::default();
        match (PosedBody::new(a, pose_a), PosedBody::new(b, pose_b)) {
            (Some(left), Some(right)) => {
                convex_penetration::convex_convex_from(&left, &right, &accuracy, &mut self.gjk)
            }
            _ => penetration(a, pose_a, b, pose_b),
        }
    }
}
