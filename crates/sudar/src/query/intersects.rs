//! Do two bodies have a point in common?

use super::answer::{Intersection, StopReason};
use super::bodies::{Placed, PosedBody, PosedSurface, STOP, features_of, visit_pairs};
use super::pairs::convex_meet::convex_convex;
use super::pairs::halfspace::{convex_halfspace, mesh_halfspace};
use super::pairs::meeting::meet;
use super::pairs::mesh_convex::mesh_convex;
use super::verb::PairVerb;
use crate::effort::Meter;
use crate::pair::halfspace_halfspace;
use crate::shape::Halfspace;

/// Whether two posed bodies intersect, and one pair of features that does.
///
/// Exact for every pair of shapes but cylinders, cones and ellipsoids, which may be undecided where they
/// touch within rounding. Swapping the bodies never turns a yes into a no; what is undecided one way may be
/// decided the other. A mesh is its surface; solids and primitives are full. Expected cost: tens of
/// nanoseconds for simple shapes, about a microsecond for hulls; for meshes O(log n) if they intersect deeply
/// or lie well apart, more where surfaces run close beside each other.
///
/// ```
/// use sudar::query::{Body, Intersection, intersects};
/// use sudar::{Cuboid, DVec3, Pose, Sphere};
///
/// let cube = Body::new(Cuboid::new(DVec3::splat(0.5))?);
/// let ball = Body::new(Sphere::new(DVec3::ZERO, 0.5)?);
/// // A ball that just touches a face of the cube, and one that does not.
/// let at = |x: f64| Pose::from_translation(DVec3::X * x);
/// assert!(intersects(cube.at(&Pose::IDENTITY), ball.at(&at(1.0)?)) != Intersection::Apart);
/// assert!(intersects(cube.at(&Pose::IDENTITY), ball.at(&at(1.0_f64.next_up())?)) == Intersection::Apart);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn intersects(a: Placed, b: Placed) -> Intersection {
    Intersects.ask_without_limit(a, b)
}

pub(super) struct Intersects;

impl PairVerb for Intersects {
    type Answer = Intersection;

    fn swapped(answer: Intersection) -> Intersection {
        answer.swapped()
    }

    fn meshes(&self, a: &PosedSurface, b: &PosedSurface, meter: &mut Meter) -> Intersection {
        meet(a, b, meter)
    }

    fn mesh_convex(&self, mesh: &PosedSurface, body: &PosedBody, meter: &mut Meter) -> Intersection {
        mesh_convex(mesh, body, meter)
    }

    #[inline]
    fn convexes(&self, a: &PosedBody, b: &PosedBody, _: &mut Meter) -> Intersection {
        Intersection::of(convex_convex(a, b))
    }

    fn mesh_halfspace(&self, mesh: &PosedSurface, halfspace: &Halfspace, meter: &mut Meter) -> Intersection {
        mesh_halfspace(mesh, halfspace, meter)
    }

    fn convex_halfspace(&self, body: &PosedBody, halfspace: &Halfspace, _: &mut Meter) -> Intersection {
        Intersection::of(convex_halfspace(body, halfspace))
    }

    fn halfspaces(&self, a: &Halfspace, b: &Halfspace, _: &mut Meter) -> Intersection {
        Intersection::of(Some(halfspace_halfspace(a, b)))
    }

    /// The first two parts found to meet are the features.
    fn compounds(&self, a: Placed, b: Placed, meter: &mut Meter) -> Intersection {
        let mut answer = Intersection::Apart;
        let rest = visit_pairs([a, b], 0.0, meter, |pair, meter| {
            match self.ask_parts(pair, meter).named(|features| features_of(pair, features)) {
                Intersection::Apart => 0.0,
                undecided @ Intersection::Undecided(_) => {
                    answer = undecided;
                    0.0
                }
                touching @ Intersection::Touching { .. } => {
                    answer = touching;
                    STOP
                }
            }
        });
        // Stopped before all boxes that meet were opened.
        if answer == Intersection::Apart && rest <= 0.0 {
            return Intersection::Undecided(StopReason::Budget);
        }
        answer
    }
}
