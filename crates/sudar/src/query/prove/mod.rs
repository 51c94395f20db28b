//! Finding the proofs that room `proof` checks.
//!
//! Nothing of how an answer was found is needed: the search for separating directions starts anew from the pieces of the
//! bodies, led only by the number to be proved and by the nearest points.

mod apart;
mod directions;
mod halves;
mod near;

use glam::DVec3;

use super::Body;
use super::answer::Distance;
use super::bodies::{Posed, PosedSurface};
use crate::math::Pose;
use crate::pair::{disjoint_triangle_distance, widest_direction};
use crate::proof::{Lower, PROOF_FORMAT, Placed, Proof};
use crate::shape::Triangle;

/// A proof of a distance, as good as can be found; [`Proof::check`] of it with the same shapes and poses succeeds.
///
/// The lower bound that it proves may be less than that of the interval by the rounding of a few coordinates, the upper
/// bound by which exact points of the bodies are apart is usually less than the interval's. A half is absent if no proof
/// of it was found: the lower one if the bodies are no farther apart than rounding allows directions in `f64` to show,
/// or if the interval starts at zero; the upper one if the bodies are round and touch within rounding.
///
/// Takes many times as long as the query, most for surfaces that lie along each other.
pub fn prove_distance(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, found: &Distance) -> Proof {
    let (ours, theirs) = (Placed::new(a.shape(), pose_a), Placed::new(b.shape(), pose_b));
    let touching = found.interval.upper == 0.0;
    let towards = way((a, pose_a), (b, pose_b), found);
    let lower = if touching { None } else { apart::prove(&ours, &theirs, found.interval.lower, towards) };
    let upper = near::prove(((a, pose_a), &ours), ((b, pose_b), &theirs), found);
    Proof { format: PROOF_FORMAT, lower, upper }
}

/// From one body to the other. Of meshes the way along which their nearest triangles are seen farthest apart: where these lie
/// along each other it is far truer than that between two points near each other, and may do for all triangles at once.
fn way((a, pose_a): (&Body, &Pose), (b, pose_b): (&Body, &Pose), found: &Distance) -> DVec3 {
    let surface = |body: &Body, pose, feature| match body.at(pose).form() {
        Posed::Mesh(surface) => triangle_of(&surface, feature),
        Posed::Convex(_) | Posed::Halfspace(_) | Posed::Compound => None,
    };
    match (surface(a, pose_a, found.features[0]), surface(b, pose_b, found.features[1])) {
        (Some(t), Some(u)) => widest_direction(&t, &u, &disjoint_triangle_distance(&t, &u)),
        (_, _) => found.point_b - found.point_a,
    }
}

fn triangle_of(surface: &PosedSurface, feature: u32) -> Option<Triangle> {
    (feature < surface.count()).then(|| surface.triangle(feature))
}

/// A proof that the surfaces of two bodies are `at_least` apart (0: have no point in common), less the rounding of a few
/// coordinates: how much is proved, [`Lower::bound`] says. `None` if none was found, as for bodies that are nearer.
///
/// That neither body lies inside the other, if one is solid, needs no proof and is seen by the checker.
pub fn prove_apart(a: &Body, pose_a: &Pose, b: &Body, pose_b: &Pose, at_least: f64) -> Option<Lower> {
    let (ours, theirs) = (Placed::new(a.shape(), pose_a), Placed::new(b.shape(), pose_b));
    let towards = theirs.middle() - ours.middle();
    apart::prove(&ours, &theirs, at_least, towards)
}
