//! The separating vector kept from step to step, as in Q-COLLIDE.
//!
//! Chung 1996, "An efficient collision detection algorithm for polytopes in virtual environments": where
//! I-COLLIDE keeps the nearest features, it is enough to keep a vector that separates. While bodies move
//! little it goes on to do so, and one support point of each body, found from the last one's neighbourhood,
//! proves it.

use sudar::glam::DVec3;

use super::{ChungWang, Separation, chung_wang};
use sudar::convex::Difference;

/// Memory of two bodies from the step before: the vector that separated them, or the last one tried.
///
/// As in Q-COLLIDE: Chung 1996, "An efficient collision detection algorithm for polytopes in virtual environments".
/// One of these belongs to one pair of bodies, always in the same order. Other poses, however far off, cost rounds but
/// never a right answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeparatingVector {
    /// From the first body to the second, of any length; zero if nothing is known.
    vector: DVec3,
    statistics: SeparatingStatistics,
}

/// What the steps so far took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SeparatingStatistics {
    /// Steps.
    pub updates: u64,
    /// Steps in which the vector kept did separate.
    pub hits: u64,
    /// Vectors tried in all.
    pub rounds: u64,
    /// Vectors tried in the last step.
    pub last_rounds: u32,
}

impl SeparatingVector {
    /// Nothing is known yet.
    pub const fn new() -> Self {
        let statistics = SeparatingStatistics { updates: 0, hits: 0, rounds: 0, last_rounds: 0 };
        Self { vector: DVec3::ZERO, statistics }
    }

    /// Whether the bodies are apart as they stand now, by [`chung_wang`](super::chung_wang()) from the vector kept,
    /// with at most `limit` rounds.
    pub fn update(&mut self, difference: &Difference, limit: u32) -> Separation {
        let known = self.vector != DVec3::ZERO;
        let found = chung_wang(difference, self.vector, limit);
        self.vector = kept(difference, &found);
        let hit = known && found.rounds == 1 && matches!(found.outcome, Separation::Separated { .. });
        self.statistics.updates += 1;
        self.statistics.hits += u64::from(hit);
        self.statistics.rounds += u64::from(found.rounds);
        self.statistics.last_rounds = found.rounds;
        found.outcome
    }

    /// The vector kept, from the first body to the second; zero if there is none.
    pub fn vector(&self) -> DVec3 {
        self.vector
    }

    /// What the steps so far took.
    pub fn statistics(&self) -> SeparatingStatistics {
        self.statistics
    }
}

/// The vector to keep. One that was just found by reflection often separates by next to nothing: of balls that part
/// slowly from the old vector, it is the old one mirrored at the edge of those that separate, and so on that edge too,
/// and would be lost again the next step. So it is turned towards the origin as seen from its support point, by less
/// and less until that widens the gap: for flat sides the support point may lie far off the nearest point.
fn kept(difference: &Difference, found: &ChungWang) -> DVec3 {
    match found.outcome {
        Separation::Separated { axis } if found.rounds > 1 => widened(difference, axis),
        Separation::Separated { .. } | Separation::Colliding | Separation::Undecided => found.vector,
    }
}

/// Turns that are tried.
const TURNS: [f64; 3] = [1.0, 0.25, 0.0625];

/// A vector that separates by more than this unit vector does, if one is found at once.
fn widened(difference: &Difference, axis: DVec3) -> DVec3 {
    let point = difference.support(axis).point;
    let inward = point / -point.length();
    let gap = -axis.dot(point);
    let turned = |turn: f64| axis + inward * turn;
    let wider = |v: &DVec3| -v.dot(difference.support(*v).point) > gap * v.length();
    TURNS.map(turned).into_iter().find(wider).unwrap_or(axis)
}

impl Default for SeparatingVector {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudar::convex::{Convex, PosedConvex};
    use sudar::math::Pose;
    use sudar::shape::{Cuboid, Shape};

    #[test]
    fn a_vector_between_flat_sides_is_kept() {
        let cube = Convex::of(&Shape::from(Cuboid::new(DVec3::ONE).unwrap())).unwrap();
        let mut kept = SeparatingVector::new();
        for i in 0..50 {
            // The sides z = 1 and z = 1.05 face each other and overlap at a corner; all the time the z axis separates.
            let pose = Pose::from_translation(DVec3::new(1.9 - 1e-3 * f64::from(i), 1.9, 2.05)).unwrap();
            let difference =
                Difference::new(PosedConvex::new(&cube, &Pose::IDENTITY), PosedConvex::new(&cube, &pose));
            assert!(matches!(kept.update(&difference, 100), Separation::Separated { .. }));
        }
        // The first vector, from centre to centre, does not separate: the nearest corners (1, 1, 1) and
        // (0.9, 0.9, 1.05) are at heights 5.85 and 5.57 along (1.9, 1.9, 2.05).
        let SeparatingStatistics { updates, hits, .. } = kept.statistics();
        assert!(updates == 50 && hits >= 47, "{hits}");
    }
}
