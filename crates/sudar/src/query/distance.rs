//! How far apart two bodies are.

use glam::DVec3;

use super::answer::{Aim, Distance, DistanceEnd, DistanceOptions, Found, Intersection, StopReason};
use super::bodies::{Placed, PosedBody, PosedSurface, STOP, features_of, part, visit_pairs};
use super::pairs::convex_distance::{convex_convex, convex_triangle};
use super::pairs::halfspace::{self, Lowest, height, lowest_of_mesh};
use super::pairs::meeting::{common_point, in_triangle_surface, meet};
use super::pairs::mesh_convex;
use super::pairs::mesh_round::{Outcome, around, around_hull};
use super::pairs::sphere_capsule::axis;
use super::pairs::surface_distance::nearest_pair;
use super::verb::PairVerb;
use crate::convex::Core;
use crate::effort::Meter;
use crate::math::Interval;
use crate::pair::{self, Nearest, closest_point_halfspace, closest_point_triangle, point_halfspace};
use crate::shape::{Halfspace, Segment, Triangle};

/// The distance of two posed bodies, as narrow and as far as the options say, see [`DistanceOptions::EXACT`].
///
/// Zero if and only if they have a point in common, which is exact but for cylinders, cones and ellipsoids
/// within rounding of touching: then the interval begins at zero. Otherwise it is a few dozen ulp of the
/// largest coordinate wide. Between convex shapes by closed forms and GJK in less than a microsecond, by the
/// tree for meshes, nearest boxes first, so that the cost grows about as log n for bodies well apart.
///
/// ```
/// use sudar::query::{Body, DistanceOptions, distance};
/// use sudar::{Aabb, DVec3, Mesh, Pose, Sphere};
///
/// // The mesh of a cube from 0 to 1, and a ball of radius 0.5 whose centre is 2 above its top.
/// let cube = Body::new(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::ONE }));
/// let ball = Body::new(Sphere::new(DVec3::ZERO, 0.5)?);
/// let above = Pose::from_translation(DVec3::new(0.5, 0.5, 3.0))?;
/// let found = distance(cube.at(&Pose::IDENTITY), ball.at(&above), &DistanceOptions::EXACT);
/// assert!(found.interval.lower <= 1.5 && 1.5 <= found.interval.upper);
/// assert!((found.point_a - DVec3::new(0.5, 0.5, 1.0)).length() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn distance(a: Placed, b: Placed, search: &DistanceOptions) -> Distance {
    let search = search.checked();
    let found = Measure { search }.ask_without_limit(a, b);
    answered(a, b, &search, &found, &mut Meter::unlimited())
}

#[inline]
pub(super) fn metered(a: Placed, b: Placed, search: &DistanceOptions, meter: &mut Meter) -> Distance {
    let search = search.checked();
    let found = Measure { search }.ask(a, b, meter);
    answered(a, b, &search, &found, meter)
}

/// The answer from what a search has found, or from another.
#[inline]
fn answered(a: Placed, b: Placed, search: &DistanceOptions, found: &Found, meter: &mut Meter) -> Distance {
    let end = found.end(search, || a.reach().max(b.reach()), meter.is_stopped());
    if is_open_at_max(found.interval, end, search) {
        return without_max(a, b, search, meter);
    }
    found.ended(end)
}

/// Whether a search has pruned what is beyond its limit without being able to say that all of it is: the
/// bounds by which it prunes are coarser than the distance itself.
#[inline]
pub(super) fn is_open_at_max(interval: Interval, end: DistanceEnd, search: &DistanceOptions) -> bool {
    let ended_by_rounding = matches!(end, DistanceEnd::Stopped(StopReason::Precision) | DistanceEnd::Exact);
    ended_by_rounding && interval.lower <= search.max && search.max < interval.upper
}

/// The same distance by a search that prunes nothing for the sake of its limit.
#[cold]
pub(super) fn without_max(a: Placed, b: Placed, search: &DistanceOptions, meter: &mut Meter) -> Distance {
    let found = Measure { search: DistanceOptions { max: f64::INFINITY, ..*search } }.ask(a, b, meter);
    found.answer(search, || a.reach().max(b.reach()), meter.is_stopped())
}

/// The distance, as narrow and as far as the options say.
pub(super) struct Measure {
    pub search: DistanceOptions,
}

impl PairVerb for Measure {
    type Answer = Found;

    fn swapped(found: Found) -> Found {
        found.swapped()
    }

    fn meshes(&self, a: &PosedSurface, b: &PosedSurface, meter: &mut Meter) -> Found {
        // What is apart as a whole needs no traversal for a first hit.
        let far = meter.spend(1).is_continue() && a.gap_of_wholes(b) > 0.0;
        let meeting = if far { Intersection::Apart } else { meet(a, b, meter) };
        let common = |features| Found::at(common_point(a, b, features), features);
        self.unless(meeting, common, |search, meter| nearest_pair(a, b, search, meter), meter)
    }

    fn mesh_convex(&self, mesh: &PosedSurface, body: &PosedBody, meter: &mut Meter) -> Found {
        let common = |[i, _]: [u32; 2]| Found::at(in_mesh_convex(mesh, body, i), [i, 0]);
        match around(mesh, body, &Aim::distance(self.search), meter) {
            Some(Outcome::Meets(i)) => common([i, 0]),
            Some(Outcome::Enough(found) | Outcome::Apart(found)) => found,
            None => {
                let meeting = mesh_convex::mesh_convex(mesh, body, meter);
                self.unless(meeting, common, |search, meter| mesh_polytope(mesh, body, search, meter), meter)
            }
        }
    }

    #[inline]
    fn convexes(&self, a: &PosedBody, b: &PosedBody, _: &mut Meter) -> Found {
        convex_convex(a, b)
    }

    fn mesh_halfspace(&self, mesh: &PosedSurface, h: &Halfspace, meter: &mut Meter) -> Found {
        let meeting = halfspace::mesh_halfspace(mesh, h, meter);
        let first = if let Intersection::Touching { features: [i, _] } = meeting { i } else { 0 };
        above(&lowest_of_mesh(mesh, h, first, meter), meeting)
    }

    fn convex_halfspace(&self, body: &PosedBody, h: &Halfspace, _: &mut Meter) -> Found {
        let meeting = Intersection::of(halfspace::convex_halfspace(body, h));
        above(&height(&body.convex, h), meeting)
    }

    fn halfspaces(&self, a: &Halfspace, b: &Halfspace, _: &mut Meter) -> Found {
        if pair::halfspace_halfspace(a, b) {
            return Found::at(in_both(a, b), [0, 0]);
        }
        halfspace_halfspace(a, b)
    }

    /// The nearest of the parts; of those equally near the first, and of those that touch the one that is found first.
    fn compounds(&self, a: Placed, b: Placed, meter: &mut Meter) -> Found {
        let mut best: Option<Found> = None;
        let mut lower = f64::INFINITY;
        let rest = visit_pairs([a, b], f64::INFINITY, meter, |pair, meter| {
            let upper = best.map_or(f64::INFINITY, |best| best.interval.upper);
            let search = DistanceOptions { max: self.search.max.min(upper), ..self.search };
            let found = Self { search }.ask_parts(pair, meter);
            lower = lower.min(found.interval.lower);
            let found = Found { features: features_of(pair, found.features), ..found };
            let order = found.interval.upper.total_cmp(&upper);
            if best.is_none_or(|best| order.then(found.features.cmp(&best.features)).is_lt()) {
                best = Some(found);
            }
            // Nothing is nearer than what touches.
            if found.interval.upper > 0.0 {
                found.interval.upper.min(upper).min(self.search.max)
            } else {
                STOP
            }
        });
        // Where the search was stopped, two points say how far apart the bodies are at most.
        let any = || self.ask_parts([&part(a, 0), &part(b, 0)], meter);
        let best = best.unwrap_or_else(any);
        Found {
            interval: Interval { lower: lower.min(rest).min(best.interval.upper), ..best.interval },
            ..best
        }
    }
}

impl Measure {
    /// The common point of what meets, or the nearest points of what does not.
    fn unless(
        &self,
        meeting: Intersection,
        common: impl FnOnce([u32; 2]) -> Found,
        nearest: impl FnOnce(&DistanceOptions, &mut Meter) -> Found,
        meter: &mut Meter,
    ) -> Found {
        match meeting {
            Intersection::Apart => nearest(&self.search, meter),
            Intersection::Touching { features } => common(features),
            Intersection::Undecided(_) => {
                // What the surfaces say is not said of what they bound.
                let search = DistanceOptions { max: f64::INFINITY, ..self.search };
                let found = meter.in_part(|meter| nearest(&search, meter));
                Found { interval: Interval { lower: 0.0, ..found.interval }, ..found }
            }
        }
    }
}

/// A point that a mesh and a body that meet have in common; `triangle` is one of the mesh that touches the body, if any
/// does. What the middle of a polytope is taken to be need not be in it.
pub(super) fn in_mesh_convex(mesh: &PosedSurface, body: &PosedBody, triangle: u32) -> DVec3 {
    let (center, t) = (body.convex.center(), mesh.triangle(triangle));
    if let Core::Segment(ends) = body.convex.convex().core()
        && body.convex.convex().margin() == 0.0
        && let Some(point) = in_plane(&axis(&body.convex, *ends), &t)
    {
        return point;
    }
    match body.surface() {
        Some(surface) => in_triangle_surface(&t, &surface).unwrap_or_else(|| {
            match meet(mesh, &surface, &mut Meter::unlimited()) {
                Intersection::Touching { features } => common_point(mesh, &surface, features),
                Intersection::Apart | Intersection::Undecided(_) => center,
            }
        }),
        None if mesh.encloses(center) => center,
        None => in_ball(body, &t).unwrap_or_else(|| convex_triangle(&body.convex, &t).nearest.b),
    }
}

/// The point of a triangle nearest to the centre of a ball that meets it.
fn in_ball(body: &PosedBody, t: &Triangle) -> Option<DVec3> {
    let is_ball = body.convex.convex().core().is_point();
    is_ball.then(|| closest_point_triangle(body.convex.center(), t).b)
}

/// The point of a segment in the plane of a triangle that its ends are on either side of.
fn in_plane(segment: &Segment, t: &Triangle) -> Option<DVec3> {
    let normal = t.scaled_normal();
    let [above, below] = [segment.a, segment.b].map(|p| normal.dot(p - t.a));
    let share = above / (above - below);
    (above * below < 0.0 && share.is_finite()).then(|| segment.at(share))
}

/// A point of two half-spaces that meet: the foot of the origin on one plane if it is in the other half-space,
/// else a point of the line common to both planes.
pub(super) fn in_both(a: &Halfspace, b: &Halfspace) -> DVec3 {
    let feet = [a, b].map(|h| closest_point_halfspace(DVec3::ZERO, h).b);
    feet.into_iter()
        .find(|&p| point_halfspace(p, a) && point_halfspace(p, b))
        .or_else(|| Some(on_both(a, b)).filter(|p| p.is_finite()))
        // Nested, with both feet off by rounding: that of the inner plane.
        .unwrap_or_else(|| if a.normal.dot(feet[0]) <= a.normal.dot(feet[1]) { feet[0] } else { feet[1] })
}

/// The point x = αm + βn of both planes m·x = d, n·x = e.
fn on_both(a: &Halfspace, b: &Halfspace) -> DVec3 {
    let (m, n) = (a.normal, b.normal);
    let (mm, mn, nn) = (m.dot(m), m.dot(n), n.dot(n));
    // mm·nn − mn² by Lagrange's identity, without the cancellation.
    let determinant = m.cross(n).length_squared();
    let (alpha, beta) = (a.offset * nn - b.offset * mn, b.offset * mm - a.offset * mn);
    (m * alpha + n * beta) / determinant
}

/// A mesh and a body with flat faces that do not meet.
fn mesh_polytope(
    mesh: &PosedSurface,
    body: &PosedBody,
    search: &DistanceOptions,
    meter: &mut Meter,
) -> Found {
    if let Some(found) = around_hull(mesh, body, search, meter) {
        return found;
    }
    match body.surface() {
        Some(surface) => nearest_pair(mesh, &surface, search, meter).of_first(),
        None => Found {
            interval: Interval { lower: 0.0, upper: f64::INFINITY },
            ..Found::at(body.convex.center(), [0, 0])
        },
    }
}

/// A bounded body over a half-space.
fn above(lowest: &Lowest, meeting: Intersection) -> Found {
    let Lowest { height, point, normal, feature } = *lowest;
    if meeting.is_touching() {
        return Found::at(point, [feature, 0]);
    }
    let lower = if meeting == Intersection::Apart { height.lower.max(0.0) } else { 0.0 };
    let interval = Interval { lower, upper: height.upper.max(0.0) };
    let foot = point - normal * interval.upper;
    Found { nearest: Nearest::between(point, foot), interval, features: [feature, 0] }
}

/// Half-spaces that do not meet are antiparallel: any point of one plane and its foot on the other.
fn halfspace_halfspace(a: &Halfspace, b: &Halfspace) -> Found {
    let p = closest_point_halfspace(closest_point_halfspace(DVec3::ZERO, b).b, a).b;
    let q = closest_point_halfspace(p, b).b;
    Found::rounded(p, q, [0, 0], p.abs().max_element() + q.abs().max_element())
}
