//! Finding the proofs that room `proof` checks.
//!
//! Nothing of how an answer was found is needed: the search for separating directions starts anew from the
//! pieces of the bodies, led only by the number to be proved and by the nearest points.

mod blocks;
mod directions;
mod halves;
mod near;

use glam::DVec3;

use super::answer::Distance;
use super::bodies::{Placed as At, Posed, PosedSurface};
use crate::effort::Meter;
use crate::pair::{disjoint_triangle_distance, widest_direction};
use crate::proof::{Lower, PROOF_FORMAT, Placed, Proof};
use crate::shape::Triangle;

/// A proof of a distance, as good as can be found; [`Proof::check`] of it with the same shapes and poses succeeds.
///
/// The lower bound that it proves may be less than that of the interval by the rounding of a few coordinates,
/// the upper bound by which exact points of the bodies are apart is usually less than the interval's. A half
/// is absent if no proof of it was found: the lower one if the bodies are no farther apart than rounding
/// allows directions in `f64` to show, or if the interval starts at zero; the upper one if the bodies are
/// round and touch within rounding.
///
/// Takes many times as long as the query, most for surfaces that lie along each other.
pub fn prove_distance(a: At, b: At, found: &Distance) -> Proof {
    distance_metered(a, b, found, &mut Meter::unlimited())
}

/// A half that was not found when the meter stopped is absent.
pub(super) fn distance_metered(a: At, b: At, found: &Distance, meter: &mut Meter) -> Proof {
    let (ours, theirs) = (Placed::new(a.body().shape(), a.pose()), Placed::new(b.body().shape(), b.pose()));
    let touching = found.interval.upper == 0.0;
    let upper = near::prove((a, &ours), (b, &theirs), found, meter);
    let lower = if touching {
        None
    } else {
        blocks::prove(&ours, &theirs, found.interval.lower, way(a, b, found), meter)
    };
    Proof { format: PROOF_FORMAT, lower, upper }
}

/// From one body to the other. Of meshes the way along which their nearest triangles are seen farthest apart:
/// where these lie along each other it is far truer than that between two points near each other, and may do
/// for all triangles at once.
fn way(a: At, b: At, found: &Distance) -> DVec3 {
    let surface = |at: At, feature| match at.form() {
        Posed::Mesh(surface) => triangle_of(&surface, feature),
        Posed::Convex(_) | Posed::Halfspace(_) | Posed::Compound => None,
    };
    match (surface(a, found.features[0]), surface(b, found.features[1])) {
        (Some(t), Some(u)) => widest_direction(&t, &u, &disjoint_triangle_distance(&t, &u)),
        (_, _) => found.point_b - found.point_a,
    }
}

fn triangle_of(surface: &PosedSurface, feature: u32) -> Option<Triangle> {
    (feature < surface.count()).then(|| surface.triangle(feature))
}

/// A proof that the surfaces of two bodies are `at_least` apart (0: have no point in common), less the
/// rounding of a few coordinates: how much is proved, [`Lower::bound`] says. `None` if none was found, as for
/// bodies that are nearer.
///
/// That neither body lies inside the other, if one is solid, needs no proof and is seen by the checker.
pub fn prove_apart(a: At, b: At, at_least: f64) -> Option<Lower> {
    apart_metered(a, b, at_least, &mut Meter::unlimited())
}

pub(super) fn apart_metered(a: At, b: At, at_least: f64, meter: &mut Meter) -> Option<Lower> {
    let (ours, theirs) = (Placed::new(a.body().shape(), a.pose()), Placed::new(b.body().shape(), b.pose()));
    let towards = theirs.middle() - ours.middle();
    blocks::prove(&ours, &theirs, at_least, towards, meter)
}
