//! What is worth keeping from one query for the next on the same two bodies.

mod pair;
mod saved;
#[cfg(feature = "serde")]
mod serialised;

use super::answer::{Distance, DistanceEnd, DistanceOptions, Intersection, Penetration, StopReason, Within};
use super::bodies::Placed;
use super::distance;
use super::intersects::Intersects;
use super::pairs::convex_meet::convex_convex_from;
use super::pairs::{convex_depth, convex_distance};
use super::penetration::Depth;
use super::verb::PairVerb;
use super::within;
use crate::convex::{Accuracy, GjkMemory};
use crate::effort::{Meter, Statistics};
use pair::KnownPair;
use saved::Saved;

/// Queries the same two bodies again and again as they move, and begins where the last answer ended.
///
/// It keeps, of any two bodies, the *slack*: a lower bound on their distance, from which every motion takes
/// as much as the bodies can have come nearer; while some is left they are apart, which costs some dozen
/// operations. Of hulls it keeps the separating axis and the last simplex of GJK. Of meshes it keeps the pair
/// of triangles that met or were nearest: while they meet so do the bodies, and a search for the distance
/// prunes what is farther apart than they are. Slack is searched ever more rarely where it turns out not
/// to pay, as with steps as long as the triangles.
///
/// A yes never becomes a no with a memory, nor the other way; what a round body leaves open within rounding may be open
/// with it and decided without. Intervals hold the truth with either; points and features may differ where several will
/// do. A memory used for another pair begins anew, and so it does when the vertices of a body have moved.
///
/// With feature `serde` a memory can be written down, with a format version, and taken up again, in another
/// process too; what is read is checked against the bodies, and can cost time but no answer.
///
/// ```
/// use sudar::query::{Body, Memory, intersects};
/// use sudar::{Cuboid, DVec3, Pose};
///
/// let cube = Body::new(Cuboid::new(DVec3::ONE)?);
/// let mut memory = Memory::default();
/// for step in 0..100 {
///     let pose = Pose::from_translation(DVec3::new(3.0 - 0.02 * f64::from(step), 0.3, 0.2))?;
///     let answer = memory.intersects(cube.at(&Pose::IDENTITY), cube.at(&pose));
///     assert_eq!(answer, intersects(cube.at(&Pose::IDENTITY), cube.at(&pose)));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Memory {
    gjk: GjkMemory,
    pair: Option<Box<KnownPair>>,
    /// Read from somewhere, to be taken up by the next pair.
    saved: Saved,
    statistics: Statistics,
}

impl Memory {
    /// What all queries with this memory did so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    pub(super) fn count(&mut self, statistics: Statistics) {
        self.statistics += statistics;
    }

    pub(super) fn penetration_metered(
        &mut self,
        a: Placed,
        b: Placed,
        accuracy: &Accuracy,
        meter: &mut Meter,
    ) -> Penetration {
        match (a.convex(), b.convex()) {
            (Some(left), Some(right)) => {
                convex_depth::convex_convex_from(&left, &right, accuracy, &mut self.gjk)
            }
            _ => Depth { accuracy: *accuracy }.ask(a, b, meter),
        }
    }

    pub(super) fn intersects_metered(&mut self, a: Placed, b: Placed, meter: &mut Meter) -> Intersection {
        if let (Some(left), Some(right)) = (a.convex(), b.convex()) {
            return Intersection::of(convex_convex_from(&left, &right, &mut self.gjk));
        }
        match self.known(a, b) {
            Some(pair) => pair.intersects(a, b, meter),
            None => Intersects.ask(a, b, meter),
        }
    }

    pub(super) fn distance_metered(
        &mut self,
        a: Placed,
        b: Placed,
        search: &DistanceOptions,
        meter: &mut Meter,
    ) -> Distance {
        let search = search.checked();
        if let (Some(left), Some(right)) = (a.convex(), b.convex()) {
            let found = convex_distance::convex_convex_from(&left, &right, &mut self.gjk);
            let answer = found.answer(&search, || left.reach().max(right.reach()), false);
            // A simplex left by another pose may end in rounding where a new one does not.
            let is_rough = answer.end == DistanceEnd::Stopped(StopReason::Precision);
            return if is_rough { distance::metered(a, b, &search, meter) } else { answer };
        }
        let Some(pair) = self.known(a, b) else { return distance::metered(a, b, &search, meter) };
        let answer = pair.distance(a, b, &search, meter);
        let is_open = distance::is_open_at_max(answer.interval, answer.end, &search);
        if is_open { distance::without_max(a, b, &search, meter) } else { answer }
    }

    pub(super) fn within_metered(
        &mut self,
        a: Placed,
        b: Placed,
        tolerance: f64,
        meter: &mut Meter,
    ) -> Within {
        // Convex pairs have nothing to gain: their early stop is faster than a distance begun from a simplex.
        let is_convex = a.body().convex().is_some() && b.body().convex().is_some();
        match if is_convex { None } else { self.known(a, b) } {
            Some(pair) => pair.within(a, b, tolerance, meter),
            None => within::metered(a, b, tolerance, meter),
        }
    }

    fn begin(&mut self, a: Placed, b: Placed) {
        let saved = std::mem::take(&mut self.saved);
        self.pair = KnownPair::new(a, b).map(Box::new);
        if let Some(pair) = self.pair.as_deref_mut()
            && saved != Saved::default()
        {
            pair.take_up(&saved, a, b);
        }
    }

    /// Bounds and features of the two bodies. `None` for bodies without bounds.
    fn known(&mut self, a: Placed, b: Placed) -> Option<&mut KnownPair> {
        let same = self.pair.as_ref().is_some_and(|pair| pair.is_of(a.body(), b.body()));
        if !same {
            self.begin(a, b);
        }
        self.pair.as_deref_mut()
    }
}
