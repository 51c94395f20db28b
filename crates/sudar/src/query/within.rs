//! Are two bodies no farther apart than this?

use glam::DVec3;

use super::Body;
use super::distance::{self, Distance};
use super::intersects::Doubt;
use super::search::Search;
use crate::effort::Meter;
use crate::math::Pose;
use crate::shape::Plane;

/// Whether the distance of two bodies is at most a tolerance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Within {
    /// It is. Certain.
    Yes {
        /// A point of the first body.
        point_a: DVec3,
        /// A point of the second, at most the tolerance away, but for rounding of the two.
        point_b: DVec3,
        /// The triangles these lie on, 0 for other shapes.
        features: [u32; 2],
    },
    /// It is more. Certain.
    No {
        /// A number above the tolerance that the distance does not fall below.
        lower: f64,
        /// A plane with the first body on its negative side and the second beyond it by more than the tolerance, if one
        /// was found: convex bodies that are apart have one, others need not.
        plane: Option<Plane>,
    },
    /// Not known.
    Undecided(Doubt),
}

impl Within {
    /// Whether the distance is at most the tolerance, if that is known.
    pub fn decided(&self) -> Option<bool> {
        match self {
            Self::Yes { .. } => Some(true),
            Self::No { .. } => Some(false),
            Self::Undecided(_) => None,
        }
    }
}

/// Whether two posed bodies are at most `tolerance` apart; the search stops at the first proof either way.
pub fn within(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, tolerance: f64) -> Within {
    metered(a, pose_a, b, pose_b, tolerance, &mut Meter::unlimited())
}

pub(super) fn metered(
    a: &Body,
    pose_a: &Pose,
    b: &Body,
    pose_b: &Pose,
    tolerance: f64,
    meter: &mut Meter,
) -> Within {
    let found = distance::metered(a, pose_a, b, pose_b, &Search::up_to(tolerance), meter);
    of_distance(&found, tolerance, meter.is_stopped())
}

fn of_distance(found: &Distance, tolerance: f64, stopped: bool) -> Within {
    let Distance { interval, point_a, point_b, features, end: _ } = *found;
    if interval.upper <= tolerance {
        Within::Yes { point_a, point_b, features }
    } else if interval.lower > tolerance {
        Within::No { lower: interval.lower, plane: None }
    } else if stopped {
        Within::Undecided(Doubt::Budget)
    } else {
        Within::Undecided(Doubt::Precision)
    }
}
